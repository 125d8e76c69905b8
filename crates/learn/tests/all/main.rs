//! Every test of this crate from the outside, in one program: linking costs more than running.

mod common;
mod desk;
mod files;
mod laws;
mod parity;
mod statistical;
