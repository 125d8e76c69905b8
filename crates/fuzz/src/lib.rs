//! Mutated input for every parser of the house.
//!
//! A [`Mutator`] takes samples that a parser reads and bends them: bytes flipped, cut, doubled,
//! swapped between samples, numbers made huge, brackets made deep. The dice are seeded, so that a
//! find can be found again. `tests/parsers` gives the samples and the parsers:
//!
//! ```text
//! cargo test -p wits-fuzz                                    # bounded, as in CI
//! WITS_FUZZ_RUNS=200000 cargo test -p wits-fuzz              # longer, by hand
//! WITS_FUZZ_ONLY=prolog WITS_FUZZ_SEED=7 cargo test -p wits-fuzz
//! ```
#![forbid(unsafe_code)]

mod mutate;
mod zip;

pub use mutate::Mutator;
pub use zip::stored_zip;
