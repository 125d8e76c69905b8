//! A word laid on the board: which tiles, what words it makes, what it scores.

use serde::{Deserialize, Serialize};

use crate::board::{Board, Direction, PREMIUMS, Place, SIDE, in_hand, shown};
use crate::{Letter, Tile, TileSet};

/// Tiles laid along one lane, without gaps once the tiles already there are counted.
///
/// Plays are canonical: the whole word is named, from its first letter to its last, and a single tile that
/// makes words both ways is laid across. So two equal placements are two equal plays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Play {
    /// Which way the word runs.
    pub direction: Direction,
    /// Its row or column, from zero.
    pub lane: u8,
    /// Where in it the word starts, from zero.
    pub start: u8,
    /// How many letters the word has.
    pub length: u8,
    /// For every letter the byte of the tile laid, or zero where one lies already.
    pub tiles: [u8; SIDE],
}

/// A word that a play makes: its letters and where they lie.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made {
    /// The letters.
    pub letters: Vec<Letter>,
    /// The first square.
    pub place: Place,
}

impl Made {
    /// The squares of the word.
    pub fn squares(&self) -> impl Iterator<Item = usize> + use<> {
        let place = self.place;
        (place.start..place.start + self.letters.len())
            .map(move |at| place.direction.square(place.lane, at))
    }
}

impl Play {
    /// Where the word starts.
    pub fn place(&self) -> Place {
        Place {
            direction: self.direction,
            lane: usize::from(self.lane),
            start: usize::from(self.start),
        }
    }

    /// The places in the lane that the word covers.
    pub fn span(&self) -> std::ops::Range<usize> {
        let start = usize::from(self.start);
        start..start + usize::from(self.length)
    }

    /// The tiles laid, with their squares.
    pub fn laid(&self) -> impl Iterator<Item = (usize, u8)> + '_ {
        self.span()
            .zip(self.tiles)
            .filter(|&(_, tile)| tile != 0)
            .map(|(at, tile)| (self.direction.square(usize::from(self.lane), at), tile))
    }

    /// How many tiles are laid.
    pub fn count(&self) -> usize {
        self.tiles.iter().filter(|&&tile| tile != 0).count()
    }

    /// The play that lays these tiles, if they lie in one line without gaps: the rules that need no
    /// lexicon and no connection. Squares must be free and on the board; order does not matter.
    pub fn of(board: &Board, laid: &[(usize, u8)]) -> Option<Play> {
        let &(first, _) = laid.first()?;
        let same = |d: Direction| laid.iter().all(|&(s, _)| d.lane(s).0 == d.lane(first).0);
        let alone = |d: Direction| {
            let (lane, at) = d.lane(first);
            let (start, end) = board.run(d, lane, at);
            end - start == 1
        };
        let direction = match (same(Direction::Across), same(Direction::Down)) {
            (true, true) if alone(Direction::Across) && !alone(Direction::Down) => Direction::Down,
            (true, _) => Direction::Across,
            (false, true) => Direction::Down,
            (false, false) => return None,
        };
        let lane = direction.lane(first).0;
        let mut row = [0; SIDE];
        for &(square, tile) in laid {
            let (_, at) = direction.lane(square);
            if tile == 0 || row[at] != 0 || board.tile(square) != 0 {
                return None;
            }
            row[at] = tile;
        }
        let filled = |at: usize| row[at] != 0 || board.tile(direction.square(lane, at)) != 0;
        let mut start = direction.lane(first).1;
        while start > 0 && filled(start - 1) {
            start -= 1;
        }
        let mut end = start;
        while end < SIDE && filled(end) {
            end += 1;
        }
        let mut tiles = [0; SIDE];
        tiles[..end - start].copy_from_slice(&row[start..end]);
        let play = Play {
            direction,
            lane: lane as u8,
            start: start as u8,
            length: (end - start) as u8,
            tiles,
        };
        (play.count() == laid.len()).then_some(play)
    }

    /// The letters of the word, those on the board included.
    pub fn letters(&self, board: &Board) -> impl Iterator<Item = u8> {
        let (direction, lane, tiles) = (self.direction, usize::from(self.lane), self.tiles);
        self.span().zip(tiles).map(move |(at, tile)| {
            if tile == 0 {
                board.tile(direction.square(lane, at))
            } else {
                tile
            }
        })
    }

    /// The words that the play makes: its own first (if it has two letters), then those across it.
    pub fn words(&self, board: &Board) -> Vec<Made> {
        let letter = |byte: u8| Letter::new(shown(byte)).unwrap_or(Letter::SEPARATOR);
        let mut made = Vec::new();
        if self.length > 1 {
            made.push(Made {
                letters: self.letters(board).map(letter).collect(),
                place: self.place(),
            });
        }
        let across = self.direction.turned();
        for (square, tile) in self.laid() {
            let (lane, at) = across.lane(square);
            let (start, end) = board.run(across, lane, at);
            if end - start > 1 {
                let letters = (start..end)
                    .map(|i| {
                        if i == at {
                            tile
                        } else {
                            board.tile(across.square(lane, i))
                        }
                    })
                    .map(letter)
                    .collect();
                made.push(Made {
                    letters,
                    place: Place {
                        direction: across,
                        lane,
                        start,
                    },
                });
            }
        }
        made
    }

    /// What the play scores: premiums count under new tiles only; `bonus` is added when a whole rack
    /// of `rack` tiles is laid.
    pub fn score(&self, board: &Board, values: &Values, rack: usize, bonus: i32) -> i32 {
        let (mut sum, mut times, mut beside) = (0, 1, 0);
        let across = self.direction.turned();
        for ((at, tile), letter) in self.span().zip(self.tiles).zip(self.letters(board)) {
            if tile == 0 {
                sum += values.of(letter);
                continue;
            }
            let square = self.direction.square(usize::from(self.lane), at);
            let premium = PREMIUMS[square];
            let worth = values.of(tile) * premium.letter();
            sum += worth;
            times *= premium.word();
            let (lane, here) = across.lane(square);
            let (start, end) = board.run(across, lane, here);
            if end - start > 1 {
                let others: i32 = (start..end)
                    .map(|i| values.of(board.tile(across.square(lane, i))))
                    .sum();
                beside += (others + worth) * premium.word();
            }
        }
        let own = if self.length > 1 { sum * times } else { 0 };
        own + beside + if self.count() == rack { bonus } else { 0 }
    }

    /// Lays the tiles on a board.
    pub fn lay(&self, board: &mut Board) {
        for (square, tile) in self.laid() {
            board.put(square, tile);
        }
    }

    /// Takes the tiles up again.
    pub fn lift(&self, board: &mut Board) {
        for (square, _) in self.laid() {
            board.put(square, 0);
        }
    }

    /// The kinds of tile that the play takes from the hand.
    pub fn taken(&self) -> impl Iterator<Item = u8> + '_ {
        self.tiles.iter().filter(|&&t| t != 0).map(|&t| in_hand(t))
    }

    /// The play as players write it: `8D WORD`, small letters where a blank stands for one.
    pub fn text(&self, board: &Board, tiles: &TileSet) -> String {
        let word: Vec<Option<Tile>> = self.letters(board).map(|b| Some(tile(b))).collect();
        format!("{} {}", self.place(), tiles.write_placed(&word))
    }

    /// The play as score sheets write it, with a point for every letter already there: `8D W..D`.
    pub fn dotted(&self, tiles: &TileSet) -> String {
        let word: Vec<Option<Tile>> = self.tiles[..usize::from(self.length)]
            .iter()
            .map(|&t| (t != 0).then(|| tile(t)))
            .collect();
        format!("{} {}", self.place(), tiles.write_placed(&word))
    }
}

/// The tile of a byte on the board or in a rack.
pub fn tile(byte: u8) -> Tile {
    match Letter::new(shown(byte)) {
        Some(letter) if byte == shown(byte) => Tile::natural(letter),
        Some(letter) => Tile::blank_as(letter),
        None => Tile::BLANK,
    }
}

/// What every byte on the board scores.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values(pub(crate) [u8; 256]);

impl Values {
    /// The values of a set of tiles.
    pub fn new(tiles: &TileSet) -> Values {
        let mut values = [0; 256];
        for letter in tiles.letters() {
            values[letter.index()] = tiles.value(Tile::natural(letter));
        }
        Values(values)
    }

    /// What a byte scores.
    #[inline]
    pub fn of(&self, byte: u8) -> i32 {
        i32::from(self.0[usize::from(byte)])
    }
}
