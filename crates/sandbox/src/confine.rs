//! How a child limits itself, once it runs. Nothing here needs rights, and nothing can be undone.

use crate::Caps;

/// Address space for the program itself: its code, its stacks, its buffers.
#[cfg(unix)]
const PROGRAM: u64 = 160 << 20;

/// At once: low priority, an end with the parent, no new files, no sockets, no other programs.
#[cfg(unix)]
pub(crate) fn at_start() {
    use rustix::process::{Resource, nice};
    let _ = nice(10);
    #[cfg(target_os = "linux")]
    end_with_parent();
    close_inherited();
    // Standard input, output and error are open; a fourth descriptor cannot be had, whether it
    // were a file, a pipe or a socket.
    limit(Resource::Nofile, 3);
    limit(Resource::Fsize, 0);
    limit(Resource::Core, 0);
    #[cfg(target_os = "linux")]
    filter_calls();
}

/// Whoever started the server may have left files or sockets open in it that pass on to its children;
/// a limit keeps new ones away and closes none.
#[cfg(unix)]
fn close_inherited() {
    let Ok(open) = std::fs::read_dir("/dev/fd") else {
        return;
    };
    let number = |entry: std::io::Result<std::fs::DirEntry>| -> Option<i32> {
        entry.ok()?.file_name().to_str()?.parse().ok()
    };
    // All are known before one is closed: the list itself is read through one of them. Nothing here
    // has opened any other yet, so nothing of ours is closed.
    let open: Vec<i32> = open.filter_map(number).filter(|&fd| fd > 2).collect();
    for fd in open {
        let _ = nix::unistd::close(fd);
    }
}

/// As soon as the job is known: memory and processor time.
#[cfg(unix)]
pub(crate) fn for_job(caps: Caps) {
    use rustix::process::Resource;
    limit(Resource::As, PROGRAM + caps.memory);
    // The parent kills by the clock; this holds even if the parent is gone.
    limit(Resource::Cpu, caps.millis.div_ceil(1000) + 2);
}

#[cfg(unix)]
fn limit(what: rustix::process::Resource, most: u64) {
    use rustix::process::{Rlimit, getrlimit, setrlimit};
    let most = getrlimit(what).maximum.map_or(most, |now| now.min(most));
    let both = Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    let _ = setrlimit(what, both);
}

/// The kernel kills this process when the thread that started it ends.
#[cfg(target_os = "linux")]
fn end_with_parent() {
    use rustix::process::{Signal, set_parent_process_death_signal};
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
}

/// Where the kernel can filter system calls: no sockets, no other programs, no reach into other
/// processes. Refused calls fail; whoever needs one was not meant to be here.
#[cfg(target_os = "linux")]
fn filter_calls() {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch, apply_filter};
    let refused = [
        libc::SYS_socket,
        libc::SYS_socketpair,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_listen,
        libc::SYS_execve,
        libc::SYS_execveat,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_kill,
    ];
    let Ok(arch) = TargetArch::try_from(std::env::consts::ARCH) else {
        return;
    };
    let rules = refused.into_iter().map(|call| (call, Vec::new())).collect();
    let refuse = SeccompAction::Errno(libc::EPERM as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch);
    let program = filter.and_then(BpfProgram::try_from);
    if let Ok(program) = program {
        let _ = apply_filter(&program);
    }
}

#[cfg(not(unix))]
pub(crate) fn at_start() {}

#[cfg(not(unix))]
pub(crate) fn for_job(_: Caps) {}
