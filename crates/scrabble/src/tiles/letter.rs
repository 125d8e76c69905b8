//! The small types: a letter, a tile, a word.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

/// The most letters a word can have: the board's width.
pub const LONGEST: usize = 15;

/// A letter of an alphabet by its place in it, from 1; 0 is the [`Letter::SEPARATOR`].
///
/// Letters are ordered as in the alphabet, so words sort as in a dictionary of the language.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Letter(pub(crate) u8);

impl Letter {
    /// Not a letter: what parts the two halves of a word in a [`crate::Gaddag`].
    pub const SEPARATOR: Letter = Letter(0);
    /// The largest code: six bits.
    pub const LAST: u8 = 63;

    /// The letter with this code, 1 to 63.
    pub const fn new(code: u8) -> Option<Letter> {
        if code == 0 || code > Letter::LAST {
            None
        } else {
            Some(Letter(code))
        }
    }

    /// Its code: its place in the alphabet, from 1.
    pub const fn code(self) -> u8 {
        self.0
    }

    /// Its code as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set that holds only this letter, as a mask over codes.
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }
}

/// A tile: a letter, a blank, or a blank that stands for a letter.
///
/// In one byte: the letter's code in the low bits (0 for a blank not yet named), the top bit set
/// where a blank stands for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tile(u8);

impl Tile {
    /// A blank that stands for nothing yet.
    pub const BLANK: Tile = Tile(0);
    const NAMED: u8 = 0x80;

    /// The tile with this letter on it.
    pub const fn natural(letter: Letter) -> Tile {
        Tile(letter.0)
    }

    /// A blank that stands for a letter.
    pub const fn blank_as(letter: Letter) -> Tile {
        Tile(letter.0 | Tile::NAMED)
    }

    /// Whether it is a blank, named or not.
    pub const fn is_blank(self) -> bool {
        self.0 == 0 || self.0 & Tile::NAMED != 0
    }

    /// The letter it shows: none for a blank not yet named.
    pub const fn letter(self) -> Option<Letter> {
        Letter::new(self.0 & !Tile::NAMED)
    }

    /// The same tile back in the hand: a blank forgets what it stood for.
    pub const fn in_hand(self) -> Tile {
        if self.is_blank() { Tile::BLANK } else { self }
    }

    /// Its place in counts by kind of tile: 0 for any blank, else the letter's code.
    pub const fn kind(self) -> usize {
        self.in_hand().0 as usize
    }

    /// The byte it is kept as.
    pub const fn byte(self) -> u8 {
        self.0
    }
}

/// A word of at most [`LONGEST`] letters, small enough to copy.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Word {
    // Unused places hold code 0, which sorts before every letter: comparing the arrays is
    // comparing the words.
    letters: [Letter; LONGEST],
    length: u8,
}

/// A word with more letters than the board is wide.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("more than {LONGEST} letters do not fit on the board; use a shorter word")]
pub struct TooLong;

impl Word {
    /// The word of these letters.
    pub fn new(letters: &[Letter]) -> Result<Word, TooLong> {
        if letters.len() > LONGEST {
            return Err(TooLong);
        }
        let mut word = Word::default();
        word.letters[..letters.len()].copy_from_slice(letters);
        word.length = letters.len() as u8;
        Ok(word)
    }
}

impl Deref for Word {
    type Target = [Letter];

    fn deref(&self) -> &[Letter] {
        &self.letters[..usize::from(self.length)]
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.iter().map(|letter| letter.0))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_remembers_its_letter_until_it_is_taken_back() {
        let letter = Letter::new(7).unwrap();
        let named = Tile::blank_as(letter);
        assert!(named.is_blank() && named.letter() == Some(letter));
        assert_eq!(named.in_hand(), Tile::BLANK);
        assert_eq!(Tile::natural(letter).in_hand(), Tile::natural(letter));
        assert_eq!((named.kind(), Tile::natural(letter).kind()), (0, 7));
        assert_eq!(Tile::BLANK.letter(), None);
    }

    #[test]
    fn words_sort_as_in_a_dictionary() {
        let word = |codes: &[u8]| Word::new(&codes.iter().map(|&c| Letter(c)).collect::<Vec<_>>());
        let (a, ab, b) = (word(&[1]), word(&[1, 2]), word(&[2]));
        assert!(a.unwrap() < ab.unwrap() && ab.unwrap() < b.unwrap());
        assert_eq!(word(&[1; 16]), Err(TooLong));
    }
}
