//! Hexapawn: pawns on a small board, invented by Martin Gardner (1962) for a machine to learn.
//!
//! - [`Hexapawn`], [`Board`], [`Step`]: the rules on any board of three rows or more, up to 64 squares;
//! - [`solve`], [`outcome`]: who wins, proved, with a table of positions;
//! - [`entry`]: the game as the catalog lists it.

mod board;
mod boxed;
mod counts;
mod entry;
mod notation;
mod perfect;
mod rules;
mod solver;

pub use board::{BadSize, Board, Hexapawn, Step};
pub use counts::{Counts, count, placements};
pub use entry::entry;
pub use perfect::Perfect;
pub use solver::{Answer, Progress, Solved, Solver, TABLE_BITS, outcome, solve};
