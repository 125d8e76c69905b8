//! What is agreed before the first move: how many numbers, how long a rainbow, how many colours.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use wits_game::{Message, Seat};

use crate::WORDS;

/// The two sides. Maker sits in seat 1, Breaker in seat 2, whoever moves first.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Wants a rainbow progression (the computer in the document this room follows).
    #[default]
    Maker,
    /// Wants to prevent it (the human in the document).
    Breaker,
}

impl Side {
    /// Both sides, in the order of their seats.
    pub const BOTH: [Side; 2] = [Side::Maker, Side::Breaker];

    /// The seat of this side.
    pub const fn seat(self) -> Seat {
        match self {
            Side::Maker => Seat::FIRST,
            Side::Breaker => Seat::SECOND,
        }
    }

    /// The side of a seat.
    pub const fn of(seat: Seat) -> Side {
        if seat.index() == 0 {
            Side::Maker
        } else {
            Side::Breaker
        }
    }

    /// The other side.
    pub const fn other(self) -> Side {
        match self {
            Side::Maker => Side::Breaker,
            Side::Breaker => Side::Maker,
        }
    }

    /// The word in specs and JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Side::Maker => "maker",
            Side::Breaker => "breaker",
        }
    }

    /// The name that players read.
    pub fn name(self) -> Message {
        WORDS.say(self.word())
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Side {
    type Err = BadTerms;

    fn from_str(text: &str) -> Result<Side, BadTerms> {
        Side::BOTH
            .into_iter()
            .find(|side| side.word() == text.trim().to_ascii_lowercase())
            .ok_or_else(|| BadTerms::First(text.chars().take(40).collect()))
    }
}

/// Terms that make no game: which parameter, what it was, and its range.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadTerms {
    /// A number outside its range.
    #[error("`{name}` is {value}, but it goes from {least} to {most} here")]
    Range {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: u64,
        /// The least allowed.
        least: u64,
        /// The greatest allowed, the other parameters being what they are.
        most: u64,
    },
    /// A word that names no side.
    #[error("`first` is `{0}`, but it is one of: maker, breaker")]
    First(String),
}

/// What is agreed before the first move. Always sensible: see [`Terms::new`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "RawTerms", into = "RawTerms")]
pub struct Terms {
    n: u32,
    k: u32,
    c: u16,
    first: Side,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct RawTerms {
    n: u64,
    k: u64,
    c: u64,
    first: Side,
}

impl TryFrom<RawTerms> for Terms {
    type Error = BadTerms;

    fn try_from(raw: RawTerms) -> Result<Terms, BadTerms> {
        Terms::new(raw.n, raw.k, raw.c, raw.first)
    }
}

impl From<Terms> for RawTerms {
    fn from(terms: Terms) -> RawTerms {
        let (n, k, c) = (u64::from(terms.n), u64::from(terms.k), u64::from(terms.c));
        RawTerms {
            n,
            k,
            c,
            first: terms.first,
        }
    }
}

impl Terms {
    /// The longest board.
    pub const MOST_NUMBERS: u32 = 1_000_000;
    /// The largest palette.
    pub const MOST_COLOURS: u16 = 60_000;
    /// A position keeps a count for every number and every weight: at most this many of them.
    pub const MOST_COUNTS: u32 = 1 << 25;

    /// Checks what was asked for.
    ///
    /// `2 <= k <= n`, at most [`Terms::MOST_NUMBERS`] numbers, one to [`Terms::MOST_COLOURS`]
    /// colours, and `n * (k + 1)` at most [`Terms::MOST_COUNTS`], which matters only for `n > 5791`.
    pub fn new(n: u64, k: u64, c: u64, first: Side) -> Result<Terms, BadTerms> {
        range("n", n, 2, u64::from(Self::MOST_NUMBERS))?;
        range("k", k, 2, n.min(u64::from(Self::MOST_COUNTS) / n - 1))?;
        range("c", c, 1, u64::from(Self::MOST_COLOURS))?;
        Ok(Terms {
            n: n as u32,
            k: k as u32,
            c: c as u16,
            first,
        })
    }

    /// How many numbers: the board is 1 to `n`.
    pub const fn n(&self) -> u32 {
        self.n
    }

    /// How long a rainbow must be.
    pub const fn k(&self) -> u32 {
        self.k
    }

    /// How many colours there are: 1 to `c`.
    pub const fn c(&self) -> u16 {
        self.c
    }

    /// Who moves first.
    pub const fn first(&self) -> Side {
        self.first
    }

    /// How many moves a side has if the board is filled.
    pub const fn moves_of(&self, side: Side) -> u32 {
        if side as u8 == self.first as u8 {
            self.n.div_ceil(2)
        } else {
            self.n / 2
        }
    }
}

/// Refuses a value outside its range, by name.
pub(crate) fn range(name: &'static str, value: u64, least: u64, most: u64) -> Result<(), BadTerms> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(BadTerms::Range {
            name,
            value,
            least,
            most,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_parameter_and_its_range() {
        let says = |n, k, c| Terms::new(n, k, c, Side::Maker).unwrap_err().to_string();
        assert_eq!(says(10, 11, 3), "`k` is 11, but it goes from 2 to 10 here");
        assert_eq!(says(10, 1, 3), "`k` is 1, but it goes from 2 to 10 here");
        assert_eq!(says(10, 3, 0), "`c` is 0, but it goes from 1 to 60000 here");
        assert!(says(0, 3, 3).starts_with("`n` is 0"));
        assert_eq!(
            says(1_000_000, 33, 3),
            "`k` is 33, but it goes from 2 to 32 here"
        );
        assert!(
            "computer"
                .parse::<Side>()
                .unwrap_err()
                .to_string()
                .contains("maker, breaker")
        );
        let json = r#"{"n":3,"k":9,"c":1,"first":"maker"}"#;
        assert!(
            serde_json::from_str::<Terms>(json)
                .unwrap_err()
                .to_string()
                .contains("`k` is 9")
        );
    }

    #[test]
    fn the_one_who_starts_has_the_odd_move() {
        let terms = Terms::new(13, 5, 5, Side::Breaker).unwrap();
        assert_eq!(
            (terms.moves_of(Side::Maker), terms.moves_of(Side::Breaker)),
            (6, 7)
        );
    }
}
