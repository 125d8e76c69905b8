//! The rainbow room: the anti-van der Waerden game and its numbers.
//!
//! Two sides take turns to colour a number of `1..=n`. Maker wants an arithmetic progression of `k`
//! numbers in `k` different colours, a rainbow; Breaker wants that there is none. The
//! anti-van der Waerden number aw(n, k) is the least number of colours that forces a rainbow however
//! they are spread.
//!
//! - [`Terms`], [`Board`], [`Rainbow`]: the game; live series are counted as it goes;
//! - [`players`]: the five strategies and five hints of the document this room follows, `perfect`, `strong`;
//! - [`exact`]: the game solved;
//! - [`numbers`]: aw(n, k) with witnesses, counting and checking colourings;
//! - [`forecast`]: what is decided before the first move, and why;
//! - [`pairing`], [`potential`]: two arguments that win for Breaker on boards too long to search;
//! - [`passes`]: the game in which Breaker may pass, which decides every longer board for Maker;
//! - [`circle`]: the same questions where the numbers run around;
//! - [`hold`]: whether the fourth level can be held at all;
//! - [`matrix`]: machine levels against hint levels; [`drawing`]: a colouring with its rainbows as arcs.
#![forbid(unsafe_code)]

mod board;
mod choose;
mod entry;
mod game;
mod scene;
mod series;
mod terms;
pub mod verbs;

pub mod circle;
pub mod drawing;
pub mod exact;
pub mod forecast;
pub mod hold;
pub mod matrix;
pub mod numbers;
pub mod pairing;
pub mod passes;
pub mod players;
pub mod potential;

pub use board::{Board, Paint};
pub use entry::{Weight, entry};
pub use game::{MOST_OPTIONS, Rainbow};
pub use scene::{MOST_CELLS, best_series};
pub use series::{Series, all_series, greatest_step, series_count, series_through};
pub use terms::{BadTerms, Side, Terms};

/// The words of this room.
pub static WORDS: wits_game::Book = wits_game::Book::new(
    "rainbow",
    &[
        (wits_game::Lang::En, include_str!("../texts/en.txt")),
        (wits_game::Lang::Pl, include_str!("../texts/pl.txt")),
        (wits_game::Lang::Cs, include_str!("../texts/cs.txt")),
    ],
);
