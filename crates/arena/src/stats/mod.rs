//! What results prove: ratings, intervals and tests.
//!
//! All functions are pure and do not depend on the order of games, except [`sequential`], which is
//! kept because older tables were made that way.

mod counts;
mod elo;
mod glicko;
mod sequential;
mod sprt;

pub use counts::{Counts, NotCounts, interval, superiority};
pub use elo::{Anchor, Points, Rating, Ratings, expected, rate};
pub use glicko::{Glicko, Period, glicko};
pub use sequential::{Sequential, sequential};
pub use sprt::{BadBounds, Model, Sprt, Test, Verdict};

/// Elo points per unit of the logistic function.
pub(crate) const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// The 97.5% point of the normal distribution: what a 95% interval reaches to either side.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;
