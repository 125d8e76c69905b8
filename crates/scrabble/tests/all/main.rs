//! Every test of this crate from the outside, in one program: linking costs more than running.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;
mod enable;
mod endings;
mod files;
mod generators;
mod hunspell;
mod peer;
mod rules;
mod search;
mod sheets;
mod shipped;
mod simulation;
mod structures;
mod tiles;
