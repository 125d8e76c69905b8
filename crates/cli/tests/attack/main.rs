//! The real program under attack: killed, out of room, asked for secrets, used for long. Each test is
//! a row of `docs/security.md`.
//!
//! `WITS_KILLS=200` kills that often in all, `WITS_SOAK=60` soaks so many seconds; without them both
//! are short. The database that goes away needs `--features postgres`.
//! `WITS_WITHOUT=ROW` takes out what protects one row, to see its test fail.
#![allow(
    clippy::doc_markdown,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "tests: what cannot go on fails, what cannot be tried says so"
)]

mod arsenal;
#[path = "../common/mod.rs"]
mod common;
mod disk;
#[cfg(feature = "postgres")]
mod gone;
mod kills;
mod logs;
mod markup;
mod operations;
#[cfg(feature = "postgres")]
#[path = "../../../store/tests/contract/postgres.rs"]
mod postgres;
mod racks;
mod secrets;
#[cfg(feature = "postgres")]
mod servers;
mod shut_in;
mod soak;
mod together;
mod uploads;
mod visitors;
mod watch;
#[path = "../../../transit/tests/feeds/zip.rs"]
mod zip;

/// A number from the environment.
fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(usual)
}
