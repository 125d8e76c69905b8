//! The strong engine: a deep search, a judgement fitted to its own games, and exact endings.
//!
//! Principal variation search with iterative deepening and aspiration over a table of bounds; positions at the horizon
//! are judged by [`patterns`] of discs, fitted by [`train`]; endings go to the exact solver. One
//! thread; the same node budget gives the same move.

pub mod book;
pub mod duel;
mod judge;
pub mod levels;
pub(crate) mod log;
mod nodes;
pub mod patterns;
pub mod plan;
pub mod player;
pub mod probcut;
mod sample;
mod search;
mod seek;
mod seen;
mod story;
pub(crate) mod table;
mod telling;
pub mod train;
mod tree;

pub use judge::Judgement;
pub use search::{Analysis, Engine, Idea, Known};
pub use seek::Selection;

/// Scores inside the engine are hundredths of a disc.
pub const DISC: i32 = 100;
