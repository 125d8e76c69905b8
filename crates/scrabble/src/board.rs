//! The board: squares, premiums, and the tiles that lie on it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Squares on one side.
pub const SIDE: usize = 15;
/// Squares on the board.
pub const SQUARES: usize = SIDE * SIDE;
/// The square that the first word covers.
pub const CENTRE: usize = SQUARES / 2;

/// Set in the byte of a tile on the board where a blank stands for the letter.
pub const PLAYED_BLANK: u8 = 0x80;

/// The letter that a byte on the board shows.
#[inline]
pub const fn shown(tile: u8) -> u8 {
    tile & !PLAYED_BLANK
}

/// The kind of tile a byte on the board was in the hand: zero for a blank.
#[inline]
pub const fn in_hand(tile: u8) -> u8 {
    if tile & PLAYED_BLANK != 0 { 0 } else { tile }
}

/// Which way a word runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Left to right.
    Across,
    /// Top to bottom.
    Down,
}

impl Direction {
    /// Both, across first.
    pub const BOTH: [Direction; 2] = [Direction::Across, Direction::Down];

    /// The other direction.
    pub const fn turned(self) -> Direction {
        match self {
            Direction::Across => Direction::Down,
            Direction::Down => Direction::Across,
        }
    }

    /// The square at a place of a lane: lanes across are rows, lanes down are columns.
    #[inline]
    pub const fn square(self, lane: usize, at: usize) -> usize {
        match self {
            Direction::Across => lane * SIDE + at,
            Direction::Down => at * SIDE + lane,
        }
    }

    /// The lane and the place in it of a square.
    #[inline]
    pub const fn lane(self, square: usize) -> (usize, usize) {
        match self {
            Direction::Across => (square / SIDE, square % SIDE),
            Direction::Down => (square % SIDE, square / SIDE),
        }
    }
}

/// Where a word starts and which way it runs, as players write it: `8H` runs across, `H8` down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// Which way the word runs.
    pub direction: Direction,
    /// Its row or column.
    pub lane: usize,
    /// Where in it the word starts.
    pub start: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let square = self.direction.square(self.lane, self.start);
        let (row, column) = (square / SIDE + 1, column_name(square % SIDE));
        match self.direction {
            Direction::Across => write!(f, "{row}{column}"),
            Direction::Down => write!(f, "{column}{row}"),
        }
    }
}

/// What players call a column: `A` to `O`.
pub fn column_name(column: usize) -> char {
    char::from(b'A' + column as u8)
}

/// What players call a square: `H8`.
pub fn square_name(square: usize) -> String {
    format!("{}{}", column_name(square % SIDE), square / SIDE + 1)
}

/// Text that names no place on the board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no place on the board; write row and column, `8H` for a word across, `H8` for one down"
)]
pub struct NoSuchPlace(pub String);

impl FromStr for Place {
    type Err = NoSuchPlace;

    fn from_str(text: &str) -> Result<Place, NoSuchPlace> {
        let wrong = || NoSuchPlace(text.chars().take(20).collect());
        let column = |c: char| {
            let c = c.to_ascii_uppercase();
            ('A'..='O').contains(&c).then(|| c as usize - 'A' as usize)
        };
        let row = |digits: &str| match digits.parse::<usize>() {
            Ok(n @ 1..=SIDE) if !digits.starts_with(['0', '+']) => Some(n - 1),
            _ => None,
        };
        let first = text.chars().next().ok_or_else(wrong)?;
        if first.is_ascii_digit() {
            let last = text.chars().next_back().ok_or_else(wrong)?;
            let digits = &text[..text.len() - last.len_utf8()];
            let (lane, start) = row(digits).zip(column(last)).ok_or_else(wrong)?;
            Ok(Place {
                direction: Direction::Across,
                lane,
                start,
            })
        } else {
            let (lane, start) = column(first)
                .zip(row(&text[first.len_utf8()..]))
                .ok_or_else(wrong)?;
            Ok(Place {
                direction: Direction::Down,
                lane,
                start,
            })
        }
    }
}

/// What a square does for the tile laid on it first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Premium {
    /// Nothing.
    Plain,
    /// The letter counts twice.
    DoubleLetter,
    /// The letter counts three times.
    TripleLetter,
    /// The word counts twice.
    DoubleWord,
    /// The word counts three times.
    TripleWord,
}

impl Premium {
    /// How often the letter counts.
    pub const fn letter(self) -> i32 {
        match self {
            Premium::DoubleLetter => 2,
            Premium::TripleLetter => 3,
            _ => 1,
        }
    }

    /// How often the word counts.
    pub const fn word(self) -> i32 {
        match self {
            Premium::DoubleWord => 2,
            Premium::TripleWord => 3,
            _ => 1,
        }
    }
}

/// The upper eight rows of the board; the lower seven mirror them. `=` triple word, `-` double word,
/// `"` triple letter, `'` double letter.
const UPPER: [&[u8; SIDE]; 8] = [
    b"=  '   =   '  =",
    b" -   \"   \"   - ",
    b"  -   ' '   -  ",
    b"'  -   '   -  '",
    b"    -     -    ",
    b" \"   \"   \"   \" ",
    b"  '   ' '   '  ",
    b"=  '   -   '  =",
];

/// The premium of every square, row by row.
pub static PREMIUMS: [Premium; SQUARES] = premiums();

const fn premiums() -> [Premium; SQUARES] {
    let mut all = [Premium::Plain; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let (row, column) = (square / SIDE, square % SIDE);
        let row = if row < 8 { row } else { SIDE - 1 - row };
        all[square] = match UPPER[row][column] {
            b'=' => Premium::TripleWord,
            b'-' => Premium::DoubleWord,
            b'"' => Premium::TripleLetter,
            b'\'' => Premium::DoubleLetter,
            _ => Premium::Plain,
        };
        square += 1;
    }
    all
}

/// The tiles on the board, row by row: zero where there is none, a letter's number, or a letter's number
/// with [`PLAYED_BLANK`] where a blank stands for it; these are the bytes of [`crate::Tile`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board(pub(crate) [u8; SQUARES]);

impl Default for Board {
    fn default() -> Board {
        Board([0; SQUARES])
    }
}

impl Board {
    /// The tile on a square; zero where there is none.
    #[inline]
    pub fn tile(&self, square: usize) -> u8 {
        self.0[square]
    }

    /// Puts a tile on a square, or takes it away with zero.
    #[inline]
    pub fn put(&mut self, square: usize, tile: u8) {
        self.0[square] = tile;
    }

    /// Whether nothing lies on the board.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&t| t == 0)
    }

    /// All squares with what lies on them.
    pub fn squares(&self) -> &[u8; SQUARES] {
        &self.0
    }

    /// Whether a square has a tile beside, above or below it.
    pub fn touched(&self, square: usize) -> bool {
        let (row, column) = (square / SIDE, square % SIDE);
        (column > 0 && self.0[square - 1] != 0)
            || (column + 1 < SIDE && self.0[square + 1] != 0)
            || (row > 0 && self.0[square - SIDE] != 0)
            || (row + 1 < SIDE && self.0[square + SIDE] != 0)
    }

    /// Where the run of tiles through a place of a lane begins and ends (exclusive), the place itself
    /// counted as filled.
    pub fn run(&self, direction: Direction, lane: usize, at: usize) -> (usize, usize) {
        let filled = |i: usize| self.0[direction.square(lane, i)] != 0;
        let mut start = at;
        while start > 0 && filled(start - 1) {
            start -= 1;
        }
        let mut end = at + 1;
        while end < SIDE && filled(end) {
            end += 1;
        }
        (start, end)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tiles = self.0.iter().enumerate().filter(|(_, t)| **t != 0);
        f.debug_map()
            .entries(tiles.map(|(s, t)| (square_name(s), t)))
            .finish()
    }
}

impl Serialize for Board {
    /// As a list of 225 numbers.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.as_slice().serialize(to)
    }
}

impl<'de> Deserialize<'de> for Board {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Board, D::Error> {
        let tiles = Vec::<u8>::deserialize(from)?;
        tiles
            .try_into()
            .map(Board)
            .map_err(|_| serde::de::Error::custom("a board has 225 squares"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn premiums_are_counted_and_symmetric() {
        let count = |p| PREMIUMS.iter().filter(|&&q| q == p).count();
        assert_eq!(count(Premium::TripleWord), 8);
        assert_eq!(count(Premium::DoubleWord), 17);
        assert_eq!(count(Premium::TripleLetter), 12);
        assert_eq!(count(Premium::DoubleLetter), 24);
        assert_eq!(count(Premium::Plain), 164);
        for square in 0..SQUARES {
            let (row, column) = (square / SIDE, square % SIDE);
            assert_eq!(PREMIUMS[square], PREMIUMS[column * SIDE + row]);
            assert_eq!(PREMIUMS[square], PREMIUMS[SQUARES - 1 - square]);
        }
        assert_eq!(PREMIUMS[CENTRE], Premium::DoubleWord);
    }

    #[test]
    fn places_are_written_and_read() {
        for direction in Direction::BOTH {
            for lane in 0..SIDE {
                for start in 0..SIDE {
                    let place = Place {
                        direction,
                        lane,
                        start,
                    };
                    assert_eq!(place.to_string().parse(), Ok(place));
                }
            }
        }
        assert_eq!("8h".parse::<Place>().unwrap().to_string(), "8H");
        for wrong in [
            "", "8", "H", "16A", "0A", "A16", "P1", "08H", "H08", "H+8", "8HH", "é8", "8é",
        ] {
            assert!(wrong.parse::<Place>().is_err(), "{wrong}");
        }
    }
}
