//! Othello: the classical teaching engine and a strong one beside it.
//!
//! - [`Othello`] is the game: boards of 4, 6 and 8 rows, three starts, three rules for a side without a move;
//! - [`bits`] has the moves on sets of squares in one machine word, [`perft`] counts games with them;
//! - [`Heuristic`] is one of nineteen classical heuristics, [`teach`] the search that uses them;
//! - [`endgame`] plays positions out exactly, [`ffo`] is the suite that measures it;
//! - [`engine`] is the strong one; [`gtp`] and [`nboard`] let other programs drive it;
//! - [`survey`] looks at all legal moves and through whole games for a page, [`drawing`] draws boards and curves;
//! - [`whole`] solves small boards from the start, [`array`] is the board as it is first written;
//! - [`reach`] tells whether a board can come up in play;
//! - [`notation`] reads and writes boards and transcripts, [`ggf`] whole games, [`obf`] problems, [`wthor`] archives; [`record`] reads them all.
//!
//! ```
//! use wits_othello::{Othello, notation::Replay};
//! let game = Replay::read(&Othello::default(), "e6f4e3f6g5d6e7f5c5").unwrap();
//! assert!(game.over && game.last().score() == (13, 0));
//! ```
#![forbid(unsafe_code)]

pub mod array;
pub mod bits;
mod classic;
mod cpu;
pub mod drawing;
pub mod endgame;
pub mod engine;
mod entry;
pub mod ffo;
pub mod ggf;
pub mod gtp;
mod heuristics;
pub mod nboard;
pub mod notation;
pub mod obf;
pub mod perft;
mod players;
mod position;
pub mod reach;
pub mod record;
mod rules;
mod scene;
mod simple;
mod square;
mod stable;
pub mod stats;
pub mod survey;
pub mod teach;
pub mod whole;
#[cfg(target_arch = "x86_64")]
mod wide;
pub mod wthor;

pub use entry::entry;
pub use heuristics::{Heuristic, Mix, NoSuchHeuristic};
pub use position::Position;
pub use rules::{NoMove, Othello, Start};
pub use simple::{CornersGreedy, First, ScoreGreedy};
pub use square::{NotASquare, Square};
pub use stable::stable;

/// The words of this room.
pub static WORDS: wits_game::Book = wits_game::Book::new(
    "othello",
    &[
        (wits_game::Lang::En, include_str!("../texts/en.txt")),
        (wits_game::Lang::Pl, include_str!("../texts/pl.txt")),
        (wits_game::Lang::Cs, include_str!("../texts/cs.txt")),
    ],
);
