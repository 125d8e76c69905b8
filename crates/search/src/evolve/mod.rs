//! Breeding solutions: a genetic algorithm, and two ways to improve lists of numbers.
//!
//! A [`Population`] is plain data that can be written to disk after any generation and gone on with later: the dice of a generation come
//! from the seed and the number of the generation, so a run that was interrupted ends exactly like one that was not.
//! [`Cma`] and [`Spsa`] work the same way by asking and telling: they name points, somebody finds out how good these are, and they move.

mod cma;
mod genetic;
mod population;
mod spsa;

pub use cma::Cma;
pub use genetic::{Breed, EvolveOptions, Evolved, Species, evolve, founders, offspring};
pub use population::{Member, Population};
pub use spsa::{Gains, Spsa};
