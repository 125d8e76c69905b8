//! Reading a tile set from its file.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization;

use super::letter::Letter;
use super::set::{Face, TileSet};

/// What is wrong with a tile set's file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadTileSet {
    /// A line that says nothing known.
    #[error(
        "line {line}: `{text}` is not understood; lines are `tile A 9 1`, `blank 2`, `name …`, `title …`, `language …`, `label rack …` or `# comment`"
    )]
    Line {
        /// Its number, from 1.
        line: usize,
        /// Its text.
        text: String,
    },
    /// A count or a value that is not a small number.
    #[error("line {line}: `{text}` is not a number from 0 to 255")]
    Number {
        /// The line's number, from 1.
        line: usize,
        /// What stands there.
        text: String,
    },
    /// The same letter twice.
    #[error("the tile `{text}` is there twice, or its small form is another tile's; leave one out")]
    Twice {
        /// The tile as written.
        text: String,
    },
    /// A tile that reads like something else.
    #[error("a tile cannot be written `{text}`: use letters, not spaces, `?`, `.`, `[` or `]`")]
    Unwritable {
        /// The tile as written.
        text: String,
    },
    /// Too few or too many letters.
    #[error("{found} letters: a set has 2 to {} of them", Letter::LAST)]
    Size {
        /// How many there are.
        found: usize,
    },
    /// No name.
    #[error("no line `name …`: say what the set is called")]
    NoName,
}

impl TileSet {
    /// Reads a set from its file: one thing a line, in any order, `#` begins a comment line.
    ///
    /// - `name english`, `title English`, `language en`: what it is called;
    /// - `blank 2`: how many blanks;
    /// - `tile A 9 1`: a letter, how many tiles, what one is worth. A letter may have several
    ///   characters (`tile CH 1 5`) and a small form of its own (`tile I/ı 4 2`). The order of the
    ///   lines is the order of the alphabet; a letter with no tile (count 0) may be in words;
    /// - `label rack stojak`: what things on the table are called.
    ///
    /// ```
    /// use wits_scrabble::TileSet;
    /// let set = TileSet::parse("name toy\nblank 1\ntile A 3 1\ntile CH 2 5\ntile C 1 2\ntile H 1 2").unwrap();
    /// let word = set.read_word("chah").unwrap();
    /// assert_eq!(word.len(), 3);
    /// assert_eq!(set.write_word(&word), "CHAH");
    /// ```
    pub fn parse(text: &str) -> Result<TileSet, BadTileSet> {
        let mut head = BTreeMap::new();
        let mut labels = BTreeMap::new();
        let mut faces = Vec::new();
        let mut blanks = 0;
        let text: String = text.trim_start_matches('\u{feff}').nfc().collect();
        for (at, row) in text.lines().enumerate() {
            let line = at + 1;
            let row = row.trim();
            if row.is_empty() || row.starts_with('#') {
                continue;
            }
            let bad = || BadTileSet::Line {
                line,
                text: row.to_owned(),
            };
            let number = |text: &str| {
                text.parse::<u8>().map_err(|_| BadTileSet::Number {
                    line,
                    text: text.to_owned(),
                })
            };
            let (key, rest) = row.split_once(char::is_whitespace).ok_or_else(bad)?;
            let rest = rest.trim();
            match key {
                "name" | "title" | "language" => {
                    let known = ["name", "title", "language"];
                    let key = known.into_iter().find(|k| *k == key).unwrap_or_default();
                    head.insert(key, rest.to_owned());
                }
                "blank" => blanks = number(rest)?,
                "tile" => {
                    let parts: Vec<&str> = rest.split_whitespace().collect();
                    let [shown, count, value] = parts[..] else {
                        return Err(bad());
                    };
                    let (upper, lower) = match shown.split_once('/') {
                        Some((upper, lower)) => (upper.to_owned(), lower.to_owned()),
                        None => (shown.to_uppercase(), shown.to_lowercase()),
                    };
                    faces.push(Face {
                        upper,
                        lower,
                        count: number(count)?,
                        value: number(value)?,
                    });
                }
                "label" => {
                    let (key, name) = rest.split_once(char::is_whitespace).ok_or_else(bad)?;
                    labels.insert(key.to_owned(), name.trim().to_owned());
                }
                _ => return Err(bad()),
            }
        }
        if !head.contains_key("name") {
            return Err(BadTileSet::NoName);
        }
        if faces.len() < 2 || faces.len() > usize::from(Letter::LAST) {
            return Err(BadTileSet::Size { found: faces.len() });
        }
        TileSet::new(&head, blanks, faces, labels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_file_is_refused_with_its_line() {
        for (text, said) in [
            ("name x\ntile A 1 1\ntile B 1", "line 3: `tile B 1`"),
            ("name x\ntile A one 1\ntile B 1 1", "line 2: `one`"),
            ("tile A 1 1\ntile B 1 1", "no line `name"),
            ("name x\ntile A 1 1", "1 letters"),
            ("name x\ntile A 1 1\ntile a 1 1", "`A` is there twice"),
            ("name x\ntile A 1 1\ntile [ 1 1", "cannot be written `[`"),
            ("name x\nrack 7", "line 2: `rack 7`"),
        ] {
            let error = TileSet::parse(text).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn a_mark_at_the_start_and_decomposed_letters_are_read() {
        let set =
            TileSet::parse("\u{feff}name x\r\ntile A\u{301} 1 1\r\ntile I/ı 1 1\r\n").unwrap();
        assert_eq!(set.read_word("á").unwrap().len(), 1);
        assert_eq!(set.face(Letter(2)).lower, "ı");
    }
}
