//! A NATS server of our own, which can be killed and started again on the same port and folder.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) struct NatsServer {
    program: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
    child: Option<Child>,
    streams: bool,
}

/// The server's program: in PATH, or where Debian puts it.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain([PathBuf::from("/usr/sbin"), PathBuf::from("/usr/local/bin")])
        .map(|folder| folder.join("nats-server"))
        .find(|file| file.exists())
}

impl NatsServer {
    /// A server, or none (with a line saying so) where there is no program for it, unless
    /// `WITS_REQUIRE_NATS` is set.
    pub(crate) fn start() -> Option<NatsServer> {
        NatsServer::start_with(true)
    }

    pub(crate) fn start_with(streams: bool) -> Option<NatsServer> {
        let Some(program) = program() else {
            assert!(
                std::env::var_os("WITS_REQUIRE_NATS").is_none(),
                "no program `nats-server`"
            );
            eprintln!("skipped: no program `nats-server` on this machine");
            return None;
        };
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut server = NatsServer {
            program,
            folder: tempfile::tempdir().unwrap(),
            port: free.local_addr().unwrap().port(),
            child: None,
            streams,
        };
        drop(free);
        server.up();
        Some(server)
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Starts the server again, with all that is in its folder.
    pub(crate) fn up(&mut self) {
        let mut command = Command::new(&self.program);
        command.args(["--addr", "127.0.0.1", "--port", &self.port.to_string()]);
        if self.streams {
            command
                .arg("--jetstream")
                .arg("--store_dir")
                .arg(self.folder.path());
        }
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = quiet.spawn().unwrap();
        let deadline = Instant::now() + Duration::from_mins(1);
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let ended = child.try_wait().unwrap();
            assert!(ended.is_none(), "the NATS server ended: {ended:?}");
            assert!(Instant::now() < deadline, "the NATS server does not listen");
            std::thread::sleep(Duration::from_millis(10));
        }
        self.child = Some(child);
    }

    /// Ends it at once, as in a crash.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// Throws away what it kept.
    pub(crate) fn forget(&mut self) {
        assert!(self.child.is_none(), "only when it is down");
        let kept: &Path = &self.folder.path().join("jetstream");
        if kept.exists() {
            std::fs::remove_dir_all(kept).unwrap();
        }
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.kill();
    }
}
