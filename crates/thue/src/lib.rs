//! Words without repetition, and the games that are played with them.
#![forbid(unsafe_code)]
