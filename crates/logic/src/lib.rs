//! A Prolog core that can stop, ask, explain and be watched.
//!
//! [`Machine`] holds a program and one query. It is plain data: cloned to undo, serialised to store,
//! resumed elsewhere. The library neither prints nor reads files: what a program writes collects in
//! a buffer ([`Machine::take_output`]).
#![forbid(unsafe_code)]

mod arith;
mod ask;
mod atoms;
mod builtins;
mod cell;
mod check;
mod code;
mod collect;
mod compile;
mod engine;
mod goals;
mod lexer;
mod machine;
mod number;
mod ops;
mod order;
mod program;
mod proof;
mod reader;
mod record;
mod run;
mod steps;
mod store;
mod stored;
mod syntax;
mod tables;
mod term;
mod throw;
mod trouble;
mod writer;

pub use ask::{Answer, NotAnAnswer, Question, Wanted};
pub use check::{Checked, Unproved, check};
pub use engine::{Binding, Loaded, Outcome, Solution};
pub use machine::{Fuel, Machine};
pub use proof::{Because, Node, Proof};
pub use steps::{Event, Port};
pub use syntax::Place;
pub use term::Term;
pub use trouble::Trouble;
