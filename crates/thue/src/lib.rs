//! Words without repetition, and the games that are played with them.
//!
//! Axel Thue asked in 1906 for infinite words without squares. This room finds repetitions ([`words`]), plays
//! the game of a Builder who picks gaps and a Painter who fills them ([`game`], [`players`]), solves it where it can be
//! solved ([`solve`]), and repeats the experiments of a thesis about it ([`thesis`]).
//!
//! ```
//! use wits_thue::words::{Variant, stretches};
//! use wits_thue::{Word, fits};
//! let word: Word = "acbc".parse().unwrap();
//! assert!(stretches::square_free(&word));
//! assert_eq!(fits::at(&word, 1, 3, Variant::Square), 0, "nothing fits into gap 1");
//! ```
//!
//! Conventions: the word starts as the one symbol `0`. *Picks* count the Builder's gaps, the fatal one too; *safe paints*
//! are one less; the *final length*, the thesis's "moves", is one more: it counts the first symbol and the fatal one.
#![forbid(unsafe_code)]

pub mod bench;
pub mod fits;
pub mod game;
pub mod marathon;
pub mod players;
pub mod report;
pub mod rope;
pub mod solve;
pub mod survival;
pub mod thesis;
pub mod threads;
mod tight;
pub mod verbs;
pub mod words;

pub use words::{Repetition, Variant, Word, WordError};

/// The words of this room.
pub static WORDS: wits_game::Book = wits_game::Book::new(
    "thue",
    &[
        (wits_game::Lang::En, include_str!("../texts/en.txt")),
        (wits_game::Lang::Pl, include_str!("../texts/pl.txt")),
        (wits_game::Lang::Cs, include_str!("../texts/cs.txt")),
    ],
);

/// Does work on a pool of so many threads; nothing if they cannot be started.
pub fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .build()
        .ok()?;
    Some(pool.install(work))
}

/// Does work for each item on a pool of so many threads, in order of the items; nothing if they cannot be started.
pub fn each_on<T: Sync, R: Send>(
    threads: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync + Send,
) -> Option<Vec<R>> {
    use rayon::prelude::*;
    with_threads(threads, || items.par_iter().map(work).collect())
}
