//! The rules of a game, and the words in which every game is written.
//!
//! This crate knows no particular game. It gives the vocabulary that all rooms share:
//!
//! - [`Game`]: what may be done, by whom, and what each seat knows;
//! - [`Seat`], [`Turn`], [`Outcome`], [`End`]: who moves, and how it ends;
//! - [`Dice`]: chance that is derived from a seed and never carried;
//! - [`Eyes`]: for whose eyes something is written, so that secrets stay secret;
//! - [`Scene`]: what a position looks like, for the terminal, the page and the board lens;
//! - [`Message`] and [`Book`]: what a player reads, as a key with arguments, translated in one place;
//!   [`Figure`]: a number among them, written as the reader's language writes it.
//!
//! A game is a value: one variant with its board size, alphabet or lexicon. It holds no position;
//! positions are plain data of type [`Game::State`].
#![forbid(unsafe_code)]

mod csv;
mod dice;
mod eyes;
mod figure;
mod illegal;
mod lang;
mod message;
mod outcome;
mod rules;
mod scene;
mod seat;

pub use csv::csv_line;
pub use dice::{Dice, Seed, SeedTooLarge, Stream};
pub use eyes::Eyes;
pub use figure::Figure;
pub use illegal::Illegal;
pub use lang::Lang;
pub use message::{Arg, Book, Message};
pub use outcome::{End, Outcome, Turn};
pub use rules::Game;
pub use scene::{Cell, Layout, Light, Scene, Shape, Target, Tint, Token, Tray};
pub use seat::Seat;

/// The words of the spine itself, for rules that belong to no single game.
pub static WORDS: Book = Book::new(
    "game",
    &[
        (Lang::En, include_str!("../texts/en.txt")),
        (Lang::Pl, include_str!("../texts/pl.txt")),
        (Lang::Cs, include_str!("../texts/cs.txt")),
    ],
);

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
