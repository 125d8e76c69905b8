//! The files that crossword programs exchange: positions (CGP) and score sheets (GCG).

pub mod cgp;
pub mod gcg;
mod transcript;

pub use transcript::{transcript, turns};
