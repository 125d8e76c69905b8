//! Crossword play with lettered tiles: lexicons, rules, a fast move generator and players.
//!
//! - [`TileSet`] is an alphabet with its tiles, read from a text file; [`Letter`] and [`Tile`] are its small types;
//! - [`Lexicon`] is a set of words as a minimal [`Graph`], [`Gaddag`] the same words from every letter outwards;
//!   both are walked through [`Automaton`].
//!
//! The name Scrabble is a trademark of its owners; this program is not affiliated with them.
//!
//! ```
//! use wits_scrabble::{Lexicon, TileSet};
//! let tiles = TileSet::english();
//! let words = ["QI", "QUIZ", "ZA"].map(|text| tiles.read_word(text).unwrap());
//! let lexicon = Lexicon::new("three", &tiles, words).unwrap();
//! assert!(lexicon.contains(&tiles.read_word("qi").unwrap()));
//! ```
#![forbid(unsafe_code)]

pub mod bench;
mod board;
mod entry;
pub mod files;
pub mod generate;
pub mod house;
pub mod lexicon;
mod play;
pub mod players;
pub mod report;
pub mod review;
mod settings;
mod standing;
pub mod table;
pub mod tiles;
pub mod verbs;
mod written;

pub use board::{
    Board, CENTRE, Direction, NoSuchPlace, PLAYED_BLANK, PREMIUMS, Place, Premium, SIDE, SQUARES,
    column_name, in_hand, shown, square_name,
};
pub use entry::{entry, game};
pub use generate::{Best, Engine, Field, Hand};
pub use lexicon::{Automaton, Edge, Gaddag, Graph, Lexicon, Node, Step};
pub use play::{Made, Play, Values, tile};
pub use settings::{Challenge, Ending, Late, Leftover, RACK, Settings, Start};
pub use standing::{BadStanding, EMPTY, Standing};
pub use table::{Move, Scrabble, Table};
pub use tiles::{Letter, Tile, TileSet, Word};

pub use written::Misfit;

/// The words of this room.
pub static WORDS: wits_game::Book = wits_game::Book::new(
    "scrabble",
    &[
        (wits_game::Lang::En, include_str!("../texts/en.txt")),
        (wits_game::Lang::Pl, include_str!("../texts/pl.txt")),
        (wits_game::Lang::Cs, include_str!("../texts/cs.txt")),
    ],
);

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
