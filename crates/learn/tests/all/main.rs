//! Every test of this crate from the outside, in one program: linking costs more than running.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;
mod desk;
mod drawings;
mod files;
mod laws;
mod methods;
mod parity;
mod statistical;
#[cfg(target_os = "linux")]
mod times;
