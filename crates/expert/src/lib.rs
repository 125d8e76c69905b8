//! Knowledge bases, diagnosis dialogues and explanations on the logic engine.
//!
//! A [`Base`] is a Prolog text with agreed declarations (see `bases/template.pl`). A [`Session`] is a
//! conversation about it, a [`History`] keeps its past; [`explain`] tells why, how and why not;
//! [`lint::check`] looks a base over; [`query::query`] asks any program.
#![forbid(unsafe_code)]

mod answers;
mod base;
mod bases;
pub mod bench;
mod busy;
mod choice;
mod dialogue;
mod evidence;
pub mod explain;
mod history;
pub mod lint;
pub mod network;
mod paths;
pub mod query;
mod repairs;
mod report;
pub mod samples;
mod sentences;
mod thread;
mod words;

pub use answers::{Case, Entry, Figure, Kind, Reply, Span};
pub use base::{Base, BaseError, FORMAT, Inquiry, Part, Problem, Sample};
pub use bases::{BASES, TEMPLATE, built_in, built_in_spoken, template_spoken};
pub use busy::Busy;
pub use choice::{candidates, next_question, next_sign};
pub use dialogue::{Misfit, Session, Start, Steps, Turn};
pub use evidence::{Candidate, ranked};
pub use history::{History, Moment, Said};
pub use paths::{Advice, Path, Way};
pub use repairs::Repair;
pub use thread::{STEPS, conversation, thread};
pub use words::WORDS;
