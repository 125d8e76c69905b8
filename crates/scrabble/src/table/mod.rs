//! The table: rules, refusals, notation, and what it looks like.

mod game;
mod judge;
mod notation;
mod scene;
mod state;

pub use game::{Move, Scrabble};
pub use judge::{Judged, Preview, PreviewWord, Refusal, Rule};
pub use state::{Done, HIDDEN, Last, PATIENCE, Phase, Table};
