//! Othello: the classical teaching engine and a strong one beside it.
#![forbid(unsafe_code)]
