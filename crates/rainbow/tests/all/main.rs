//! Every test of this crate from the outside, in one program: linking costs more than running.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod board;
mod circle;
mod contract;
mod forecast;
mod hold;
mod matrix;
mod numbers;
mod outcomes;
mod passes;
mod speed;
