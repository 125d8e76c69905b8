//! Every test of this crate from the outside, in one program: linking costs more than running.

mod common;
mod report;
mod spread;
mod statistics;
mod tournaments;
mod tuning;
