//! Tic-tac-toe as the catalog lists it.

use wits_play::{Entry, PlayerEntry, SearchDefaults};

use super::TicTacToe;
use crate::WORDS;
use crate::perfect::Perfect;

/// Tic-tac-toe as the catalog lists it.
pub fn entry() -> Entry<TicTacToe> {
    let words = ["tictactoe-title", "tictactoe-about", "tictactoe-rules"];
    Entry::new("tictactoe", &WORDS, words, |_, _| Ok(TicTacToe))
        .with_search(SearchDefaults::depth(9))
        .player(PlayerEntry::new(
            "perfect",
            &WORDS,
            "about-perfect",
            |game: &TicTacToe, _, _| Ok(Perfect::new(game)),
        ))
        .player(crate::player::entry())
}
