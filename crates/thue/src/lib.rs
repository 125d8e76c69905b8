//! Words without repetition, and the games that are played with them.
#![forbid(unsafe_code)]

pub mod fits;
pub mod game;
pub mod players;
pub mod solve;
pub mod words;

pub use words::{Repetition, Variant, Word, WordError};

/// The words of this room.
pub static WORDS: wits_game::Book = wits_game::Book::new(
    "thue",
    &[(wits_game::Lang::En, include_str!("../texts/en.txt")), (wits_game::Lang::Pl, include_str!("../texts/pl.txt"))],
);
