//! The process that does visitors' work, from outside.
#![cfg(target_os = "linux")]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use wits_web::testing::measured;

/// The numbers of the files that a process has open.
fn open_files(pid: u32) -> Vec<u32> {
    let all = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter();
    let number = |entry: std::fs::DirEntry| entry.file_name().to_str()?.parse().ok();
    let mut all: Vec<u32> = all.flatten().flatten().filter_map(number).collect();
    all.sort_unstable();
    all
}

/// Whoever started the server may have left files open, which a child would inherit: a shell, a service
/// manager, a terminal.
#[test]
fn a_sandbox_holds_no_inherited_file() {
    let held = "exec 7</dev/null 9</proc/self/status; exec \"$0\" sandbox";
    let mut child = Command::new("sh")
        .args(["-c", held, env!("CARGO_BIN_EXE_wits")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let pid = child.id();
    // The limit of files is set once the child has looked after those that are open.
    let until = Instant::now() + Duration::from_mins(1);
    let limited = || {
        let limits = std::fs::read_to_string(format!("/proc/{pid}/limits")).unwrap_or_default();
        let files = limits.lines().find(|l| l.starts_with("Max open files"));
        files.is_some_and(|l| l.split_whitespace().nth(3) == Some("3"))
    };
    while !limited() && Instant::now() < until {
        std::thread::yield_now();
    }
    let open = open_files(pid);
    let was_limited = limited();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(was_limited, "it limits itself");
    assert_eq!(open, [0, 1, 2]);
    measured(
        "no-inherited-files",
        "2 files were open when it was started: 3 pipes were left",
    );
}
