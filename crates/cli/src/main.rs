//! The `wits` binary.
#![forbid(unsafe_code)]
fn main() {}
