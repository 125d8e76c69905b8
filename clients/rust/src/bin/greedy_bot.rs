//! The move that is best at once: alpha-beta that looks one move ahead.
#![forbid(unsafe_code)]

use wits_bot::{AlphaBeta, run};

fn main() -> std::io::Result<()> {
    run(&mut AlphaBeta::new("greedy in Rust", 1))
}
