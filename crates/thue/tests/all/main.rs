//! Every test of this crate from the outside, in one program: linking costs more than running.

mod contract;
mod speed;
mod twins;
mod values;
