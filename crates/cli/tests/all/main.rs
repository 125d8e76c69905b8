//! Every test of this crate from the outside, in one program: linking costs more than running.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod arena;
mod bots;
mod class;
#[path = "../common/mod.rs"]
mod common;
mod expert;
mod house_rules;
mod kept;
mod learn;
mod othello;
mod records;
mod scrabble_lexicon;
mod site;
mod starters;
mod thue;
