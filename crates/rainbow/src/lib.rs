//! The anti-van der Waerden game and its numbers.
#![forbid(unsafe_code)]
