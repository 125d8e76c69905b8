//! The matchbox room: small games, and machines made of boxes and beads that learn them.
//!
//! - [`tictactoe`]: the game MENACE learns, and the small game that proves the whole house.
#![forbid(unsafe_code)]

pub mod tictactoe;

/// The words of this room.
pub static WORDS: wits_game::Book = wits_game::Book::new(
    "matchbox",
    &[(wits_game::Lang::En, include_str!("../texts/en.txt"))],
);
