//! Knowledge bases, diagnosis dialogues and explanations on the logic engine.
//!
//! A [`Base`] is a Prolog text with agreed declarations (see `bases/template.pl`). A [`Session`] is a
//! conversation about it; [`lint::check`] looks a base over; [`query::query`] asks any program.
#![forbid(unsafe_code)]

mod base;
mod bases;
pub mod bench;
mod choice;
mod dialogue;
mod explain;
pub mod lint;
mod paths;
pub mod query;
pub mod samples;

pub use base::{Base, BaseError, FORMAT, Inquiry, Part, Problem, Sample};
pub use bases::{BASES, TEMPLATE, built_in};
pub use choice::{candidates, next_question, next_sign};
pub use dialogue::{Entry, Misfit, Reply, Session, Start, Turn};
pub use explain::{how, why, why_not};
pub use paths::{Advice, Path};
