//! Breeding solutions: a genetic algorithm.
//!
//! A [`Population`] is plain data that can be written to disk after any generation and gone on with later: the dice of a generation come
//! from the seed and the number of the generation, so a run that was interrupted ends exactly like one that was not.

mod genetic;
mod population;

pub use genetic::{EvolveOptions, Evolved, Species, evolve};
pub use population::{Member, Population};
