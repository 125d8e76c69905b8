//! Alpha-beta for Othello, Thue and Hexapawn; the depth may be given.
#![forbid(unsafe_code)]

use wits_bot::{AlphaBeta, run};

fn main() -> std::io::Result<()> {
    let depth = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(4);
    run(&mut AlphaBeta::new(
        format!("alpha-beta {depth} in Rust"),
        depth,
    ))
}
