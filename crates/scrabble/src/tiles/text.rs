//! Words and tiles as players write them.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::letter::{Letter, Tile};
use super::parse::BadTileSet;
use super::set::{Face, TileSet};

/// Text that this alphabet cannot write.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{found}` at place {place} of `{text}` is not a letter of the tile set `{set}`; its letters are {letters}"
)]
pub struct BadText {
    /// The whole text.
    pub text: String,
    /// What could not be read.
    pub found: char,
    /// Where, counted in characters from 1.
    pub place: usize,
    /// The set's name.
    pub set: String,
    /// The letters there are.
    pub letters: String,
}

/// For every first character, what tiles begin with it, longest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ladder {
    rungs: Vec<(char, Vec<Rung>)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Rung {
    rest: String,
    letter: Letter,
    small: bool,
}

impl Ladder {
    pub(super) fn new(faces: &[Face]) -> Result<Ladder, BadTileSet> {
        let mut ladder = Ladder { rungs: Vec::new() };
        for (face, code) in faces.iter().zip(1..) {
            let letter = Letter(code);
            let plain = |c: char| c.is_whitespace() || "?.[]()/".contains(c);
            for form in [&face.upper, &face.lower] {
                if form.is_empty() || form.chars().any(plain) {
                    return Err(BadTileSet::Unwritable { text: form.clone() });
                }
            }
            ladder.put(&face.upper, letter, false)?;
            // A script without capitals writes both forms alike.
            if face.lower != face.upper {
                ladder.put(&face.lower, letter, true)?;
            }
            // `Ch`: as in a word that begins a sentence.
            let mut chars = face.upper.chars();
            if let (Some(first), rest) = (chars.next(), chars.as_str())
                && !rest.is_empty()
            {
                let title: String = first.to_string() + &rest.to_lowercase();
                if title != face.upper && title != face.lower {
                    ladder.put(&title, letter, false)?;
                }
            }
        }
        for (_, rungs) in &mut ladder.rungs {
            rungs.sort_by(|a, b| b.rest.len().cmp(&a.rest.len()).then(a.rest.cmp(&b.rest)));
        }
        Ok(ladder)
    }

    fn put(&mut self, form: &str, letter: Letter, small: bool) -> Result<(), BadTileSet> {
        let mut chars = form.chars();
        let Some(first) = chars.next() else {
            return Ok(());
        };
        let rung = Rung {
            rest: chars.as_str().to_owned(),
            letter,
            small,
        };
        match self.rungs.binary_search_by_key(&first, |r| r.0) {
            Ok(at) => {
                let rungs = &mut self.rungs[at].1;
                if rungs.iter().any(|r| r.rest == rung.rest) {
                    let text = form.to_uppercase();
                    return Err(BadTileSet::Twice { text });
                }
                rungs.push(rung);
            }
            Err(at) => self.rungs.insert(at, (first, vec![rung])),
        }
        Ok(())
    }

    /// The longest letter that the text begins with, whether it is written small, and what follows.
    fn take<'a>(&self, text: &'a str) -> Option<(Letter, bool, &'a str)> {
        let first = text.chars().next()?;
        let at = self.rungs.binary_search_by_key(&first, |r| r.0).ok()?;
        let after = &text[first.len_utf8()..];
        self.rungs[at].1.iter().find_map(|rung| {
            let after = after.strip_prefix(rung.rest.as_str())?;
            Some((rung.letter, rung.small, after))
        })
    }

    /// As [`Ladder::take`], and `[CH]` for exactly this tile.
    fn take_bracketed<'a>(&self, text: &'a str) -> Option<(Letter, bool, &'a str)> {
        let Some(inside) = text.strip_prefix('[') else {
            return self.take(text);
        };
        let (inside, after) = inside.split_once(']')?;
        let (letter, small, rest) = self.take(inside)?;
        rest.is_empty().then_some((letter, small, after))
    }
}

/// The text with every letter in one piece, which is how tile sets are kept.
pub(crate) fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

impl TileSet {
    fn read_each<T>(
        &self,
        text: &str,
        mut other: impl FnMut(char) -> Option<T>,
        mut letter: impl FnMut(Letter, bool) -> T,
    ) -> Result<Vec<T>, BadText> {
        let whole = composed(text);
        let mut rest: &str = &whole;
        let mut read = Vec::new();
        while let Some(first) = rest.chars().next() {
            if let Some(item) = other(first) {
                read.push(item);
                rest = &rest[first.len_utf8()..];
            } else if let Some((found, small, after)) = self.ladder.take_bracketed(rest) {
                read.push(letter(found, small));
                rest = after;
            } else {
                let before = whole.len() - rest.len();
                return Err(BadText {
                    text: whole.clone().into_owned(),
                    found: first,
                    place: whole[..before].chars().count() + 1,
                    set: self.name.clone(),
                    letters: self
                        .faces
                        .iter()
                        .map(|f| f.upper.as_str())
                        .collect::<Vec<_>>()
                        .join(" "),
                });
            }
        }
        Ok(read)
    }

    /// Reads a word in either case. Letters of several characters are taken longest first;
    /// `[CH]` says that exactly this tile is meant.
    pub fn read_word(&self, text: &str) -> Result<Vec<Letter>, BadText> {
        self.read_each(text, |_| None, |letter, _| letter)
    }

    /// Reads tiles in the hand: letters in either case, `?` for a blank.
    pub fn read_rack(&self, text: &str) -> Result<Vec<Tile>, BadText> {
        let blank = |c| (c == '?').then_some(Tile::BLANK);
        self.read_each(text, blank, |letter, _| Tile::natural(letter))
    }

    /// Reads tiles on the board: capitals are letters, small ones blanks that stand for them,
    /// `.` is a square already covered.
    pub fn read_placed(&self, text: &str) -> Result<Vec<Option<Tile>>, BadText> {
        let covered = |c| (c == '.').then_some(None);
        self.read_each(text, covered, |letter, small| {
            Some(if small {
                Tile::blank_as(letter)
            } else {
                Tile::natural(letter)
            })
        })
    }

    /// Writes a word in capitals, with brackets only where it would be read otherwise.
    pub fn write_word(&self, word: &[Letter]) -> String {
        self.write_each(word.iter().map(|&letter| Some(Tile::natural(letter))))
    }

    /// Writes tiles in the hand: capitals and `?`.
    pub fn write_rack(&self, rack: &[Tile]) -> String {
        self.write_each(rack.iter().map(|&tile| Some(tile.in_hand())))
    }

    /// Writes tiles on the board, `.` for a square already covered.
    pub fn write_placed(&self, tiles: &[Option<Tile>]) -> String {
        self.write_each(tiles.iter().copied())
    }

    /// One tile as it is printed: `A`, `a` for a blank that stands for A, `?`.
    pub fn write_tile(&self, tile: Tile) -> &str {
        match tile.letter().map(|letter| self.face(letter)) {
            None => "?",
            Some(face) if tile.is_blank() => &face.lower,
            Some(face) => &face.upper,
        }
    }

    fn write_each(&self, tiles: impl Iterator<Item = Option<Tile>>) -> String {
        let tiles: Vec<Option<Tile>> = tiles.collect();
        let shown = |tile: Option<Tile>| tile.map_or(".", |tile| self.write_tile(tile));
        // From the end, so that what follows a tile is known: greedy reading must find the tile again.
        let mut text = String::new();
        for &tile in tiles.iter().rev() {
            let form = shown(tile);
            let after = format!("{form}{text}");
            let found = self.ladder.take(&after);
            text = match (tile.and_then(Tile::letter), found) {
                (Some(letter), Some((read, _, rest)))
                    if read != letter || rest.len() != text.len() =>
                {
                    format!("[{form}]{text}")
                }
                _ => after,
            };
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hungarian() -> TileSet {
        TileSet::parse(
            "name toy\nblank 2\ntile C 1 5\ntile CS 1 7\ntile S 2 1\ntile Z 1 4\ntile A 6 1",
        )
        .unwrap()
    }

    #[test]
    fn letters_of_several_characters_are_taken_longest_first() {
        let set = hungarian();
        let codes = |text: &str| {
            set.read_word(text)
                .unwrap()
                .iter()
                .map(|l| l.0)
                .collect::<Vec<_>>()
        };
        assert_eq!(codes("CSacs"), [2, 5, 2]);
        assert_eq!(codes("Csa"), [2, 5]);
        assert_eq!(codes("[C]SA"), [1, 3, 5]);
        assert_eq!(set.write_word(&set.read_word("[C]SA").unwrap()), "[C]SA");
        assert_eq!(set.write_word(&set.read_word("CSZ").unwrap()), "CSZ");
    }

    #[test]
    fn tiles_are_read_and_written_with_blanks_and_covered_squares() {
        let set = TileSet::czech();
        let rack = set.read_rack("ŘEKa?").unwrap();
        assert_eq!(set.write_rack(&rack), "ŘEKA?");
        let placed = set.read_placed("Pří.EK").unwrap();
        assert_eq!(set.write_placed(&placed), "Pří.EK");
        assert_eq!(placed.iter().flatten().filter(|t| t.is_blank()).count(), 2);
    }

    #[test]
    fn a_strange_letter_is_named_with_its_place() {
        let error = TileSet::polish().read_word("kawaxy").unwrap_err();
        assert_eq!((error.found, error.place), ('x', 5));
        assert!(error.to_string().contains("tile set `polish`"));
        assert!(TileSet::english().read_word("a b").is_err());
    }

    #[test]
    fn composed_and_decomposed_text_are_the_same_word() {
        let set = TileSet::czech();
        assert_eq!(set.read_word("z\u{30c}ena"), set.read_word("žena"));
    }
}
