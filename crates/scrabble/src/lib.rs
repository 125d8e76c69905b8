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

pub mod lexicon;
pub mod tiles;

pub use lexicon::{Automaton, Edge, Gaddag, Graph, Lexicon, Node, Step};
pub use tiles::{Letter, Tile, TileSet, Word};
