//! A process with everything below it, as the kernel lists it: time, memory, and its end.

use std::time::Duration;

/// What a tree of processes has used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Used {
    /// Processor time of all that live below the root, and of all that have ended there.
    pub(crate) cpu: Duration,
    /// Bytes of memory that they hold now.
    pub(crate) memory: u64,
}

#[cfg(target_os = "linux")]
mod linux {
    use std::time::Duration;

    use rustix::process::{Pid, Signal, kill_process};

    use super::Used;

    /// The fields of `/proc/PID/stat` behind the name, which may contain blanks.
    fn stat(pid: u32) -> Option<Vec<String>> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (_, fields) = text.rsplit_once(')')?;
        Some(fields.split_whitespace().map(str::to_owned).collect())
    }

    fn children(pid: u32) -> Vec<u32> {
        let mut found = Vec::new();
        let tasks = std::fs::read_dir(format!("/proc/{pid}/task"));
        for task in tasks.into_iter().flatten().flatten() {
            let list = std::fs::read_to_string(task.path().join("children"));
            let list = list.unwrap_or_default();
            found.extend(
                list.split_whitespace()
                    .filter_map(|pid| pid.parse::<u32>().ok()),
            );
        }
        found
    }

    /// All processes below one, without those that have ended and wait to be reaped.
    fn below(root: u32) -> Vec<u32> {
        let mut all = Vec::new();
        let mut open = children(root);
        while let Some(pid) = open.pop() {
            if all.contains(&pid) {
                continue;
            }
            open.extend(children(pid));
            if stat(pid).is_some_and(|fields| fields.first().is_some_and(|state| state != "Z")) {
                all.push(pid);
            }
        }
        all
    }

    pub(crate) fn used(root: u32) -> Used {
        let per_second = rustix::param::clock_ticks_per_second().max(1);
        let page = rustix::param::page_size() as u64;
        let number = |fields: &[String], at: usize| -> u64 {
            fields
                .get(at)
                .and_then(|text| text.parse().ok())
                .unwrap_or(0)
        };
        // Fields 14 to 17 of proc(5): user and system time, its own and of children that were reaped.
        let (mut ticks, mut pages) = (0, 0);
        if let Some(own) = stat(root) {
            ticks += number(&own, 13) + number(&own, 14);
        }
        for pid in below(root) {
            let Some(fields) = stat(pid) else { continue };
            ticks += (11..15).map(|at| number(&fields, at)).sum::<u64>();
            pages += number(&fields, 21);
        }
        Used {
            cpu: Duration::from_millis(ticks * 1000 / per_second),
            memory: pages * page,
        }
    }

    fn signal(pids: &[u32], signal: Signal) {
        for pid in pids.iter().filter_map(|&pid| Pid::from_raw(pid as i32)) {
            let _ = kill_process(pid, signal);
        }
    }

    /// Ends everything below a process that adopts orphans. What starts others while it is ended is
    /// stopped first, so that their number cannot grow.
    pub(crate) fn clear(root: u32) {
        let mut before = 0;
        for _ in 0..100 {
            let all = below(root);
            signal(&all, Signal::STOP);
            if all.len() == before {
                break;
            }
            before = all.len();
        }
        for _ in 0..100 {
            let all = below(root);
            if all.is_empty() {
                return;
            }
            signal(&all, Signal::KILL);
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

#[cfg(target_os = "linux")]
pub(crate) use linux::{clear, used};

/// Where the kernel does not tell, nothing is known.
#[cfg(not(target_os = "linux"))]
pub(crate) fn used(_: u32) -> Used {
    Used::default()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn clear(root: u32) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(root as i32) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = root;
}

/// Whether [`used`] tells anything here.
pub(crate) const KNOWN: bool = cfg!(target_os = "linux");
