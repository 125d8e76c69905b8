//! Programs at our tables: the contract, every fault by its name, nothing left behind, and nothing
//! learned about other hands. This binary is the supervisor, too, so it has a `main` of its own.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod all;

use wits_bots::{SUPERVISOR, supervise};

fn main() -> std::process::ExitCode {
    let mut args = std::env::args().skip(1);
    if args.next().is_some_and(|verb| verb == SUPERVISOR) {
        return supervise(std::env::args_os().skip(2)).into();
    }
    all::run(
        std::env::args()
            .nth(1)
            .filter(|filter| !filter.starts_with('-'))
            .as_deref(),
    )
}
