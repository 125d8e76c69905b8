//! Words and the repetitions in them, without any game.
//!
//! | file | idea |
//! | --- | --- |
//! | `word` | a word as people write it |
//! | `variant` | what counts as a repetition |
//! | `find` | the plain search, two windows sliding side by side |
//! | `stretches` | every repetition at once in near-linear time |
//! | `irreducible` | Thue's own definition |
//! | `morphism`, `generators` | infinite words, letter by letter at any index |
//! | `count`, `extremal` | how many such words there are, and those that nothing fits into |
//! | `dead` | how often nothing fits into a gap |

pub mod abelian;
pub mod count;
pub mod dead;
pub mod extremal;
pub mod find;
pub mod generators;
pub mod irreducible;
pub mod morphism;
pub mod source;
pub mod stretches;
mod variant;
mod word;

pub use find::Repetition;
pub use variant::{UnknownVariant, Variant};
pub use word::{Word, WordError};
