//! Small games that the searches are tried on.
#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    reason = "each test uses some of the toys"
)]

pub mod bits;
pub mod cards;
pub mod grid;
pub mod maze;
pub mod nim;
pub mod twin;
pub mod valleys;
