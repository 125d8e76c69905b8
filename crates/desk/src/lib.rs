//! What a room can be asked, described once for every door.
//!
//! - [`Param`], [`ParamKind`], [`Args`]: parameters, typed, ranged and documented; [`Spec`] is how
//!   people write them: `name:key=value,...`;
//! - [`Refusal`]: the one error shape at the doors: a code for scripts, a sentence, what to do next;
//! - [`Work`]: how long work runs: a budget with a stop flag, and progress for whoever waits;
//! - [`Verb`] and [`Room`]: what can be asked, with its parameters, examples and cost;
//! - [`Answer`]: what came of it: a verdict for the exit code, data for scripts, and [`Block`]s for
//!   people, which each door draws its own way;
//! - [`Shelf`]: where rooms find bytes, since they open no files.
//!
//! The crate lies below `play`: rooms with a desk (`learn`, `transit`, `expert`) know it and know no
//! games.
#![forbid(unsafe_code)]

mod answer;
mod args;
mod block;
mod nearest;
mod refusal;
mod shelf;
mod spec;
mod verb;
mod work;

pub use answer::{Answer, Verdict};
pub use args::{Args, Param, ParamKind, Usage};
pub use block::{Block, Call, Cell, File, Picture, Table};
pub use nearest::nearest;
pub use refusal::Refusal;
pub use shelf::{Fill, Item, Shelf, unread};
pub use spec::{Spec, Value};
pub use verb::{Cost, Room, Run, Served, Verb};
pub use work::{Progress, Work};

/// The words of specs and parameters.
pub static WORDS: wits_game::Book = wits_game::Book::new(
    "desk",
    &[
        (wits_game::Lang::En, include_str!("../texts/en.txt")),
        (wits_game::Lang::Pl, include_str!("../texts/pl.txt")),
        (wits_game::Lang::Cs, include_str!("../texts/cs.txt")),
    ],
);
