//! Move generation: three ways that find the same plays with the same points.
//!
//! - on the DAWG (Appel and Jacobson): needs nothing but the lexicon, so play starts at once;
//! - on the GADDAG (Gordon), and the best play by bounds: the fast one;
//! - the naive scan: the twin that the others are checked against.

mod anagrams;
mod best;
mod engine;
mod field;
mod hand;
mod inward;
mod lane;
mod naive;
pub mod older;
mod outward;
mod shadow;

pub use anagrams::Anagrams;
pub(crate) use best::placing;
pub use best::{Best, Hunt, Kept, NOTHING};
pub use engine::{Engine, Method};
pub(crate) use field::NONE;
pub use field::{Field, Fit, Fitting};
pub use hand::Hand;
pub use lane::{Found, Sink};
pub use naive::scan;
