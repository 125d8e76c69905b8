//! A Prolog core that can stop, ask, explain and be watched.
//!
//! [`Machine`] holds a program and one query. It is plain data: cloned to undo, serialised to store,
//! resumed elsewhere. The library neither prints nor reads files: what a program writes collects in
//! a buffer ([`Machine::take_output`]).
#![forbid(unsafe_code)]
// An instruction loop over tagged words: the small helpers of `cell` are used everywhere, must
// disappear into the loop, and registers are x and y; builtins share one signature.
#![allow(
    clippy::inline_always,
    clippy::many_single_char_names,
    clippy::needless_continue,
    clippy::single_match_else,
    clippy::unnecessary_wraps,
    clippy::wildcard_imports
)]

mod arith;
mod ask;
mod atoms;
mod builtins;
mod call;
mod cell;
mod check;
mod cleanup;
mod code;
mod collect;
mod compile;
mod conditional;
pub mod conformance;
mod elementary;
mod engine;
mod foreign;
mod fuel;
mod goals;
mod kept;
mod lexer;
mod library;
mod live;
mod load;
mod machine;
mod modes;
mod number;
mod ops;
mod order;
mod program;
mod proof;
mod rational;
mod reader;
mod reasons;
mod record;
mod run;
mod steps;
mod store;
mod stored;
mod streams;
mod suspend;
mod suspended;
mod sweep;
mod syntax;
mod tables;
mod tabling;
mod term;
mod thread;
mod throw;
mod trouble;
mod untie;
mod writer;
mod written;

pub use ask::{Answer, NotAnAnswer, Question, Wanted};
pub use check::{Bindings, Checked, Unproved, Verdict, check, verdict};
pub use engine::{Binding, Loaded, Outcome, Solution};
pub use foreign::Solved;
pub use machine::{Fuel, Machine};
pub use proof::{Because, Line, Node, Proof};
pub use reasons::{Ended, Reason, reasons};
pub use steps::{Event, Port, letter};
pub use suspended::{OtherProgram, Suspended};
pub use syntax::Place;
pub use term::Term;
pub use thread::{WORDS, follow};
pub use trouble::Trouble;
pub use written::{Owner, Written};
