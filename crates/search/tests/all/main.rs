//! Every test of this crate from the outside, in one program: linking costs more than running.

mod evolve;
mod local;
mod paths;
mod threads;
mod toys;
mod trees;
