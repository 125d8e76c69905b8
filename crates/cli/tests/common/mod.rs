//! What the tests of the binary share: starting it, and a server that can be killed.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// The binary under test, in a folder of its own.
pub(crate) fn wits(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wits"));
    command
        .current_dir(folder)
        .env("WITS_DATA", folder.join("data"))
        .env("NO_COLOR", "1");
    command
}

/// Runs the binary with some text on standard input.
pub(crate) fn run(folder: &Path, args: &[&str], input: &str) -> Output {
    let mut child = wits(folder)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("piped");
    // A program that does not read may be gone already.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the binary ends")
}

/// Runs a command with `--json` and reads the one object it prints.
pub(crate) fn ask(folder: &Path, args: &[&str], code: i32) -> Value {
    let output = run(folder, &[args, &["--json"]].concat(), "");
    let (text, noise) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(
        output.status.code(),
        Some(code),
        "{args:?}: {text}\n{noise}"
    );
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{args:?}: {e}: {text}"))
}

/// What `wits serve` says instead of serving: its exit code and its error.
pub(crate) fn refusal(folder: &Path, more: &[&str]) -> (Option<i32>, Value) {
    let mut child = wits(folder)
        .args(["serve", "--listen", "127.0.0.1:0", "--json"])
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts");
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().expect("piped"))
        .read_line(&mut line)
        .expect("it says something");
    if line.contains("listening") {
        let _ = child.kill();
        let _ = child.wait();
        panic!("it serves: {line}");
    }
    let code = child.wait().expect("it ends").code();
    let said: Value = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"));
    (code, said["error"].clone())
}

/// The table of a tournament without what a clock measured and how the run came about, which are no
/// part of its result.
pub(crate) fn timeless(mut table: Value) -> Value {
    for key in ["seconds", "resumed"] {
        table.as_object_mut().expect("a table").remove(key);
    }
    for player in table["players"].as_array_mut().expect("players") {
        player["ms_per_move"] = Value::Null;
    }
    table
}

/// A running server.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    /// Where its figures are, with `--metrics`.
    pub(crate) metrics: Option<SocketAddr>,
}

impl Server {
    /// Starts one on a free port over a data folder.
    pub(crate) fn start(folder: &Path, more: &[&str]) -> Server {
        Server::start_at(folder, "127.0.0.1:0", more)
    }

    /// Starts one at an address over a data folder.
    pub(crate) fn start_at(folder: &Path, address: &str, more: &[&str]) -> Server {
        let mut child = wits(folder)
            .args(["serve", "--listen", address, "--json"])
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("piped"))
            .read_line(&mut line)
            .expect("it says where it listens");
        let said: Value =
            serde_json::from_str(&line).unwrap_or_else(|e| panic!("it said {line:?}: {e}"));
        let address = |key: &str| -> Option<SocketAddr> {
            let url = said[key].as_str()?.trim_start_matches("http://");
            Some(url.split('/').next()?.parse().expect("an address"))
        };
        let (site, metrics) = (address("listening"), address("metrics"));
        Server {
            child,
            address: site.expect("it says where it listens"),
            metrics,
        }
    }

    /// The number of its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Asks it to end with a signal such as `TERM`, and waits until it has; its exit code.
    #[cfg(unix)]
    pub(crate) fn end(mut self, signal: &str) -> Option<i32> {
        let sent = Command::new("kill")
            .args(["-s", signal, &self.pid().to_string()])
            .status();
        assert!(sent.is_ok_and(|s| s.success()), "the signal is sent");
        self.child.wait().ok().and_then(|status| status.code())
    }

    /// SIGKILL: nothing can be tidied up.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it can be killed");
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
