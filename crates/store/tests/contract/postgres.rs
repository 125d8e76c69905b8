//! A throw-away PostgreSQL server.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::env;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

pub(crate) struct Server {
    pub(crate) url: String,
    /// None if the server is somebody else's.
    pub(crate) own: Option<Own>,
}

pub(crate) struct Own {
    bin: PathBuf,
    dir: TempDir,
    user: Option<(u32, u32)>,
    /// Stops the server when this process ends, however it ends.
    guard: Option<Child>,
}

/// The folder with `initdb` and `pg_ctl`: in PATH, or where Debian puts them, newest first.
fn programs() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut debian: Vec<PathBuf> = Path::new("/usr/lib/postgresql").read_dir().map_or_else(
        |_| Vec::new(),
        |versions| versions.flatten().map(|v| v.path().join("bin")).collect(),
    );
    debian.sort();
    env::split_paths(&path)
        .chain(debian.into_iter().rev())
        .find(|bin| bin.join("initdb").exists() && bin.join("pg_ctl").exists())
}

/// The number of the user or group `postgres`, as `id -u postgres` says.
fn number(flag: &str) -> u32 {
    let said = Command::new("id")
        .args([flag, "postgres"])
        .output()
        .unwrap()
        .stdout;
    let said = String::from_utf8(said).unwrap();
    said.trim()
        .parse()
        .expect("PostgreSQL does not run as root; there must be a user `postgres`")
}

impl Server {
    /// A server, or none (with a line saying so) where there are no PostgreSQL programs, unless
    /// `WITS_REQUIRE_POSTGRES` is set.
    pub(crate) fn start() -> Option<Self> {
        let Some(bin) = programs() else {
            assert!(
                env::var_os("WITS_REQUIRE_POSTGRES").is_none(),
                "no PostgreSQL programs"
            );
            eprintln!("skipped: no PostgreSQL programs (`initdb`, `pg_ctl`) on this machine");
            return None;
        };
        // Short, as a socket's path may have only about a hundred bytes.
        let dir = tempfile::Builder::new()
            .prefix("pg")
            .tempdir_in("/tmp")
            .unwrap();
        let root = std::os::unix::fs::MetadataExt::uid(&dir.path().metadata().unwrap()) == 0;
        let user = root.then(|| (number("-u"), number("-g")));
        if let Some((uid, gid)) = user {
            chown(dir.path(), Some(uid), Some(gid)).unwrap();
        }
        let socket = dir.path().to_str().unwrap().replace('/', "%2F");
        let url = format!("postgres://postgres@{socket}/postgres");
        let mut own = Own {
            bin,
            dir,
            user,
            guard: None,
        };
        // In a language where `a` sorts before `B`, to show that the order does not depend on it;
        // a server built without languages does as well.
        let plain = [
            "-D", "data", "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8",
        ];
        let english = [&plain[..], &["--locale-provider=icu", "--icu-locale=en"]].concat();
        assert!(
            own.run("initdb", &english) || own.run("initdb", &plain),
            "initdb failed"
        );
        // It waits for the end of its input, which the system closes even after SIGKILL.
        let script = "cat; \"$0\" stop -D data -m immediate; rm -rf \"$PWD\"";
        let mut guard = own.command(Path::new("sh"));
        guard.args(["-c", script]).arg(own.bin.join("pg_ctl"));
        own.guard = Some(
            guard
                .stdin(Stdio::piped())
                .process_group(0)
                .spawn()
                .unwrap(),
        );
        own.up();
        Some(Self {
            url,
            own: Some(own),
        })
    }
}

impl Own {
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.dir.path()).env("LC_ALL", "C");
        // The server outlives the command that starts it and must not hold on to our pipes.
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if let Some((uid, gid)) = self.user {
            command.uid(uid).gid(gid);
        }
        command
    }

    fn run(&self, program: &str, args: &[&str]) -> bool {
        self.command(&self.bin.join(program))
            .args(args)
            .status()
            .unwrap()
            .success()
    }

    pub(crate) fn up(&self) {
        let socket = self.dir.path().display();
        // No care for power cuts here (`-F`): the server is thrown away.
        let options = format!("-F -k {socket} -c listen_addresses= -c max_connections=40");
        let start = ["start", "-w", "-D", "data", "-l", "log", "-o", &options];
        assert!(self.run("pg_ctl", &start), "the server does not start");
    }

    /// At once, as in a crash; false if it was not running.
    pub(crate) fn down(&self) -> bool {
        self.run("pg_ctl", &["stop", "-w", "-D", "data", "-m", "immediate"])
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        // Waiting closes its input first.
        if let Some(mut guard) = self.guard.take() {
            let _ = guard.wait();
        }
    }
}
