//! Every test of this crate from the outside, in one program: linking costs more than running.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod agree;
mod certificates;
#[path = "../common/mod.rs"]
mod common;
mod printed;
mod shapes;
mod thread;
mod tours;
mod walking;
