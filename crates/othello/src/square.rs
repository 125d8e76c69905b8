//! One square of the board.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A square, a1 to h8, numbered row by row from the top left.
///
/// ```
/// use wits_othello::Square;
/// let f5: Square = "F5".parse().unwrap();
/// assert_eq!((f5.index(), f5.to_string()), (37, "f5".to_owned()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Square(u8);

/// Text that names no square.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a square; squares are a1 to h8")]
pub struct NotASquare(String);

impl Square {
    /// The square with that number, if the board has it.
    pub const fn at(index: usize) -> Option<Square> {
        if index < 64 {
            Some(Square(index as u8))
        } else {
            None
        }
    }

    /// The square in a row and a column, both from zero.
    pub const fn of(row: usize, column: usize) -> Option<Square> {
        if row < 8 && column < 8 {
            Some(Square((row * 8 + column) as u8))
        } else {
            None
        }
    }

    /// The lowest square of a set, if there is one.
    pub const fn first(set: u64) -> Option<Square> {
        Square::at(set.trailing_zeros() as usize)
    }

    /// All squares of a set, in ascending order.
    pub fn all(set: u64) -> impl Iterator<Item = Square> {
        let mut rest = set;
        std::iter::from_fn(move || {
            let first = Square::first(rest)?;
            rest &= rest - 1;
            Some(first)
        })
    }

    /// The number of the square, row by row from the top left.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row from the top, from zero.
    pub const fn row(self) -> usize {
        self.0 as usize / 8
    }

    /// The column from the left, from zero.
    pub const fn column(self) -> usize {
        self.0 as usize % 8
    }

    /// The square as a set of one.
    pub const fn bit(self) -> u64 {
        1 << self.0
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{}",
            char::from(b'a' + self.0 % 8),
            char::from(b'1' + self.0 / 8)
        )
    }
}

impl FromStr for Square {
    type Err = NotASquare;

    fn from_str(text: &str) -> Result<Square, NotASquare> {
        let wrong = || NotASquare(text.chars().take(20).collect());
        match text.trim().as_bytes() {
            [c, r @ b'1'..=b'8'] => {
                let c = c.to_ascii_lowercase();
                if !(b'a'..=b'h').contains(&c) {
                    return Err(wrong());
                }
                Ok(Square((r - b'1') * 8 + (c - b'a')))
            }
            _ => Err(wrong()),
        }
    }
}

impl TryFrom<String> for Square {
    type Error = NotASquare;

    fn try_from(text: String) -> Result<Square, NotASquare> {
        text.parse()
    }
}

impl From<Square> for String {
    fn from(square: Square) -> String {
        square.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        for index in 0..64 {
            let square = Square::at(index).unwrap();
            assert_eq!(square.to_string().parse::<Square>().unwrap(), square);
            assert_eq!(Square::of(square.row(), square.column()), Some(square));
        }
        for wrong in ["", "a", "a9", "i1", "a0", "a11", "é1"] {
            assert!(wrong.parse::<Square>().is_err(), "{wrong}");
        }
        assert_eq!(Square::at(64), None);
        let set: Vec<usize> = Square::all(0b1011).map(Square::index).collect();
        assert_eq!(set, [0, 1, 3]);
    }
}
