//! A word as people write it.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A finite word over the symbols `0..64`.
///
/// People write it as digits (`0121`), as letters (`abcb`, where `a` is symbol 0), or as numbers
/// with commas (`0,11,3`). It is written back as digits, or with commas once a symbol is ten or more.
///
/// ```
/// use wits_thue::Word;
/// let word: Word = "abcab".parse().unwrap();
/// assert_eq!(word.to_string(), "01201");
/// assert_eq!("10,3".parse::<Word>().unwrap().to_string(), "10,3");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Word(Vec<u8>);

/// Text that is no word.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WordError {
    /// Nothing was written.
    #[error("the word is empty; write digits such as `0121` or letters such as `abcb`")]
    Empty,
    /// A character that stands for no symbol.
    #[error(
        "`{found}` at character {at} is no symbol; write digits, letters a to z, or numbers with commas"
    )]
    Unknown {
        /// Where, counted from one.
        at: usize,
        /// What stands there.
        found: String,
    },
    /// A symbol that the alphabet does not have.
    #[error("symbol {symbol} at place {at} is outside the alphabet 0 to {most}")]
    TooLarge {
        /// Which place of the word, counted from zero.
        at: usize,
        /// The symbol.
        symbol: usize,
        /// The greatest that is allowed.
        most: usize,
    },
}

impl Word {
    /// No alphabet is larger than this: a set of symbols is one machine word.
    pub const MOST_SYMBOLS: usize = 64;

    /// A word of these symbols, if each is below 64.
    pub fn new(letters: Vec<u8>) -> Result<Word, WordError> {
        let word = Word(letters);
        word.within(Word::MOST_SYMBOLS)?;
        Ok(word)
    }

    /// Checks that every symbol is below `symbols`.
    pub fn within(&self, symbols: usize) -> Result<(), WordError> {
        match self.0.iter().position(|&c| usize::from(c) >= symbols) {
            None => Ok(()),
            Some(at) => Err(WordError::TooLarge {
                at,
                symbol: usize::from(self.0[at]),
                most: symbols.saturating_sub(1),
            }),
        }
    }

    /// The one-symbol word `0` that games start from.
    pub fn zero() -> Word {
        Word(vec![0])
    }

    /// Puts a symbol into a gap: gap 0 is before the first symbol, gap n after the last.
    ///
    /// # Panics
    /// When there is no such gap.
    pub fn insert(&mut self, gap: usize, symbol: u8) {
        self.0.insert(gap, symbol);
    }

    /// Appends a symbol.
    pub fn push(&mut self, symbol: u8) {
        self.0.push(symbol);
    }

    /// Keeps the first symbols only.
    pub fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    /// The word with one more symbol in a gap.
    pub fn with(&self, gap: usize, symbol: u8) -> Word {
        let mut longer = self.clone();
        longer.insert(gap, symbol);
        longer
    }

    /// The word in letters from `a`; nothing where a symbol is beyond `z`.
    pub fn letters(&self) -> Option<String> {
        self.0
            .iter()
            .map(|&c| (c < 26).then(|| char::from(b'a' + c)))
            .collect()
    }

    /// The least alphabet that has all symbols of the word.
    pub fn alphabet(&self) -> usize {
        self.0.iter().max().map_or(0, |&c| usize::from(c) + 1)
    }

    /// The symbols, no longer a word.
    pub fn into_inner(self) -> Vec<u8> {
        self.0
    }
}

impl Deref for Word {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.iter().all(|&c| c < 10) {
            return self.0.iter().try_for_each(|c| write!(f, "{c}"));
        }
        for (i, c) in self.0.iter().enumerate() {
            write!(f, "{}{c}", if i == 0 { "" } else { "," })?;
        }
        if self.0.len() == 1 {
            f.write_str(",")
        } else {
            Ok(())
        }
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

impl FromStr for Word {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Word, WordError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(WordError::Empty);
        }
        if text.contains(',') {
            return numbers(text);
        }
        let letters = text.chars().all(|c| c.is_ascii_lowercase());
        let base = if letters { b'a' } else { b'0' };
        let read = |(at, c): (usize, char)| {
            if (letters && c.is_ascii_lowercase()) || c.is_ascii_digit() {
                Ok(c as u8 - base)
            } else {
                Err(WordError::Unknown {
                    at: at + 1,
                    found: c.to_string(),
                })
            }
        };
        text.chars()
            .enumerate()
            .map(read)
            .collect::<Result<_, _>>()
            .map(Word)
    }
}

fn numbers(text: &str) -> Result<Word, WordError> {
    let parts: Vec<&str> = text.strip_suffix(',').unwrap_or(text).split(',').collect();
    let mut word = Vec::with_capacity(parts.len());
    let mut at = 1;
    for part in parts {
        let symbol: usize = part.trim().parse().map_err(|_| WordError::Unknown {
            at,
            found: part.chars().take(20).collect(),
        })?;
        if symbol >= Word::MOST_SYMBOLS {
            let most = Word::MOST_SYMBOLS - 1;
            return Err(WordError::TooLarge {
                at: word.len(),
                symbol,
                most,
            });
        }
        word.push(symbol as u8);
        at += part.chars().count() + 1;
    }
    Ok(Word(word))
}

impl Serialize for Word {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Word, D::Error> {
        let text = String::deserialize(from)?;
        if text.is_empty() {
            return Ok(Word::default());
        }
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for symbols in [
            vec![0],
            vec![0, 1, 2],
            vec![10],
            vec![63, 0, 9],
            vec![25, 25],
        ] {
            let word = Word::new(symbols).unwrap();
            assert_eq!(word.to_string().parse::<Word>().unwrap(), word);
        }
        assert_eq!("abz".parse::<Word>().unwrap().to_string(), "0,1,25");
    }

    #[test]
    fn what_is_wrong_is_pointed_at() {
        for (text, says) in [
            ("", "the word is empty"),
            ("01x", "`x` at character 3"),
            ("0,1,x", "`x` at character 5"),
            ("0,64", "symbol 64 at place 1"),
            ("ab?", "at character 1"),
            ("0 1", "` ` at character 2"),
        ] {
            let error = text.parse::<Word>().unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
        assert!(Word::new(vec![64]).is_err());
        assert!("012".parse::<Word>().unwrap().within(2).is_err());
    }
}
