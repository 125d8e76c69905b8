//! What stands between the house and a program: a small process that limits itself, starts the program
//! with its own input and output, adopts whatever the program leaves behind, and ends it all.
//!
//! The standard library cannot limit a child between `fork` and `exec` without `unsafe`; a process can
//! always limit itself, and what it starts inherits that. Adopting orphans is what makes sure that a
//! program which moved into a session of its own is found, too.

use std::ffi::OsString;
use std::io::Write;

/// The hidden verb by which the binary becomes a supervisor.
pub const SUPERVISOR: &str = "supervise-program";

/// What a supervisor exits with when the program cannot be started, as shells do.
pub(crate) const NOT_STARTED: u8 = 127;
/// What is added to the number of a signal that ended the program.
pub(crate) const SIGNALLED: u8 = 128;

/// Descriptors that a program may hold.
#[cfg(unix)]
const FILES: u64 = 256;

/// Runs a program as the arguments behind [`SUPERVISOR`] say: the process to end with, bytes of memory,
/// the command. The value is the exit code: that of the program, or 128 and the number of the signal
/// that ended it.
pub fn supervise(args: impl Iterator<Item = OsString>) -> u8 {
    let mut args = args;
    let mut number = || args.next()?.to_str()?.parse::<u64>().ok();
    let (Some(house), Some(memory)) = (number(), number()) else {
        return NOT_STARTED;
    };
    let command: Vec<OsString> = args.collect();
    let Some((program, args)) = command.split_first() else {
        return NOT_STARTED;
    };
    limit(memory);
    let child = std::process::Command::new(program).args(args).spawn();
    match child {
        Ok(child) => wait(child, house as u32),
        Err(error) => {
            let program = program.to_string_lossy();
            let _ = writeln!(std::io::stderr(), "`{program}` cannot be started: {error}");
            NOT_STARTED
        }
    }
}

#[cfg(unix)]
fn limit(memory: u64) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    let set = |what: Resource, most: u64| {
        let most = getrlimit(what).maximum.map_or(most, |now| now.min(most));
        let both = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        let _ = setrlimit(what, both);
    };
    set(Resource::Core, 0);
    set(Resource::Nofile, FILES);
    // Written memory; address space is reserved in plenty by programs that never use it.
    set(Resource::Data, memory);
}

#[cfg(not(unix))]
fn limit(_: u64) {}

/// Waits for the program, reaps what it left, and ends everything when the house is gone.
#[cfg(target_os = "linux")]
#[expect(
    clippy::needless_pass_by_value,
    reason = "on other systems it is waited for through the value"
)]
fn wait(child: std::process::Child, house: u32) -> u8 {
    use std::time::Duration;

    use rustix::process::{WaitOptions, getppid, waitpid};

    let own = std::process::id();
    let gone = move || getppid().is_none_or(|parent| parent.as_raw_pid() as u32 != house);
    std::thread::spawn(move || {
        while !gone() {
            std::thread::sleep(Duration::from_millis(100));
        }
        crate::tree::clear(own);
        std::process::exit(1);
    });
    let main = child.id();
    let mut code = NOT_STARTED;
    while let Ok(Some((pid, status))) = waitpid(None, WaitOptions::empty()) {
        if pid.as_raw_pid() as u32 == main {
            code = match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => code as u8,
                (None, Some(signal)) => SIGNALLED.saturating_add(signal as u8),
                (None, None) => continue,
            };
            // Nobody speaks for the program any more.
            crate::tree::clear(own);
        }
    }
    code
}

#[cfg(not(target_os = "linux"))]
fn wait(mut child: std::process::Child, _: u32) -> u8 {
    match child.wait() {
        Ok(status) => status.code().map_or(SIGNALLED, |code| code as u8),
        Err(_) => NOT_STARTED,
    }
}
