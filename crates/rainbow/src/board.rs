//! A position, with its live series counted as it goes.
//!
//! A series is *live* while it can still become a rainbow: the numbers of it that are coloured have
//! different colours, and there are at least `k` colours at all. Its *missing* count is how many of
//! its numbers are uncoloured. The document keeps every live series in a priority queue; that is 25
//! million lists for n = 10,000 and k = 3. Here no series is stored. A move changes only the series
//! through one number, and those are enumerated when it is played; what is kept are counts:
//!
//! - how many live series there are with each missing count;
//! - for each number, how many live series of each missing count hold it;
//! - for each colour, how many live series it is in.
//!
//! From these a live series is drawn with exact probabilities, and the best ones are found (see
//! `choose`). A from-scratch recount in the tests checks every count.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::series::{Series, series_count, series_through, through_counts};
use crate::terms::{Side, Terms};

/// A move: this number gets this colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Paint {
    /// The number, from 1.
    pub number: u32,
    /// The colour, from 1.
    pub colour: u16,
}

/// A position: the colours of the numbers, and the counts of live series.
#[derive(Clone, Debug)]
pub struct Board {
    terms: Terms,
    /// Zero is uncoloured.
    colours: Vec<u16>,
    coloured: u32,
    /// By missing count, 0 to k.
    live: Vec<u64>,
    /// By missing count, then by number: row `m` starts at `m * n`.
    holding: Vec<u32>,
    /// By number, all missing counts together.
    weight: Vec<u32>,
    /// By colour: live series that have it.
    spread: Vec<u64>,
    /// By colour: numbers that have it.
    used: Vec<u32>,
    rainbow: Option<Series>,
}

impl Board {
    /// The empty board.
    ///
    /// # Complexity
    /// O(n k) for the counts, whatever the number of series.
    pub fn new(terms: Terms) -> Board {
        let (n, k, c) = (
            terms.n() as usize,
            terms.k() as usize,
            usize::from(terms.c()),
        );
        let mut board = Board {
            terms,
            colours: vec![0; n],
            coloured: 0,
            live: vec![0; k + 1],
            holding: vec![0; n * (k + 1)],
            weight: vec![0; n],
            spread: vec![0; c + 1],
            used: vec![0; c + 1],
            rainbow: None,
        };
        if c >= k {
            board.live[k] = series_count(terms.n(), terms.k());
            board.weight = through_counts(terms.n(), terms.k());
            board.holding[n * k..].copy_from_slice(&board.weight);
        }
        board
    }

    /// What was agreed.
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The colour of a number, if it has one.
    pub fn colour(&self, number: u32) -> Option<u16> {
        Some(self.colours[number as usize - 1]).filter(|&colour| colour != 0)
    }

    /// The colours of all numbers in order; zero is uncoloured.
    pub fn colours(&self) -> &[u16] {
        &self.colours
    }

    /// How many numbers are coloured.
    pub const fn coloured(&self) -> u32 {
        self.coloured
    }

    /// How many numbers are not coloured.
    pub const fn open(&self) -> u32 {
        self.terms.n() - self.coloured
    }

    /// The uncoloured numbers, in order.
    pub fn uncoloured(&self) -> impl Iterator<Item = u32> {
        (1..)
            .zip(&self.colours)
            .filter(|(_, colour)| **colour == 0)
            .map(|(number, _)| number)
    }

    /// The coloured numbers, in order.
    pub fn painted(&self) -> impl Iterator<Item = Paint> {
        (1..)
            .zip(&self.colours)
            .filter(|(_, colour)| **colour != 0)
            .map(|(number, &colour)| Paint { number, colour })
    }

    /// The side to move, were the game not over.
    pub const fn to_move(&self) -> Side {
        if self.coloured.is_multiple_of(2) {
            self.terms.first()
        } else {
            self.terms.first().other()
        }
    }

    /// A rainbow series, once there is one: the first by step and start.
    pub const fn rainbow(&self) -> Option<Series> {
        self.rainbow
    }

    /// Who has won.
    pub fn winner(&self) -> Option<Side> {
        if self.rainbow.is_some() {
            Some(Side::Maker)
        } else if self.live_total() == 0 {
            Some(Side::Breaker)
        } else {
            None
        }
    }

    /// How many live series have this many numbers missing.
    pub fn live(&self, missing: u32) -> u64 {
        self.live.get(missing as usize).copied().unwrap_or(0)
    }

    /// How many series are live.
    pub fn live_total(&self) -> u64 {
        self.live.iter().sum()
    }

    /// The least missing count of a live series, if one is live.
    pub fn least_missing(&self) -> Option<u32> {
        self.live
            .iter()
            .position(|&count| count > 0)
            .map(|missing| missing as u32)
    }

    /// For each number in order, how many live series with this missing count hold it.
    pub fn holding(&self, missing: u32) -> &[u32] {
        let n = self.colours.len();
        &self.holding[missing as usize * n..][..n]
    }

    /// For each number in order, how many live series hold it.
    pub fn weights(&self) -> &[u32] {
        &self.weight
    }

    /// How many live series have this colour.
    pub fn spread(&self, colour: u16) -> u64 {
        self.spread[usize::from(colour)]
    }

    /// How many numbers have this colour.
    pub fn used(&self, colour: u16) -> u32 {
        self.used[usize::from(colour)]
    }

    /// Every colour of the palette.
    pub fn palette(&self) -> impl DoubleEndedIterator<Item = u16> + use<> {
        1..=self.terms.c()
    }

    /// How many numbers of a series are missing, if it is live.
    ///
    /// # Complexity
    /// O(k) for short series; long ones compare colours through a sorted copy.
    pub fn missing(&self, series: Series) -> Option<u32> {
        Scan::default().missing(self, series)
    }

    /// The live series through a number, each with its missing count.
    pub fn live_through(&self, number: u32) -> impl Iterator<Item = (Series, u32)> {
        let mut scan = Scan::default();
        let most = if self.weight[number as usize - 1] > 0 {
            usize::MAX
        } else {
            0
        };
        series_through(self.terms.n(), self.terms.k(), number)
            .take(most)
            .filter_map(move |series| scan.missing(self, series).map(|missing| (series, missing)))
    }

    /// Whether a number of the series has this colour.
    pub fn has(&self, series: Series, colour: u16) -> bool {
        series
            .numbers(self.terms.k())
            .any(|y| self.colours[y as usize - 1] == colour)
    }

    /// Colours a number. The caller has made sure that it is uncoloured and that both are in range.
    ///
    /// # Complexity
    /// O(k) for each series through the number, of which there are at most about `n`.
    pub fn paint(&mut self, paint: Paint) {
        let (n, k) = (self.colours.len(), self.terms.k());
        let at = paint.number as usize - 1;
        debug_assert!(self.colours[at] == 0 && paint.colour > 0);
        let mut scan = Scan::default();
        if self.weight[at] > 0 {
            for series in series_through(self.terms.n(), k, paint.number) {
                let Some(missing) = scan.missing(self, series) else {
                    continue;
                };
                let row = missing as usize * n;
                self.live[missing as usize] -= 1;
                if self.has(series, paint.colour) {
                    for y in series.numbers(k) {
                        let y = y as usize - 1;
                        self.holding[row + y] -= 1;
                        self.weight[y] -= 1;
                        self.spread[usize::from(self.colours[y])] -=
                            u64::from(self.colours[y] != 0);
                    }
                } else {
                    self.live[missing as usize - 1] += 1;
                    self.spread[usize::from(paint.colour)] += 1;
                    for y in series.numbers(k) {
                        let y = y as usize - 1;
                        self.holding[row + y] -= 1;
                        self.holding[row - n + y] += 1;
                    }
                    if missing == 1 {
                        self.rainbow = Some(self.rainbow.map_or(series, |old| old.min(series)));
                    }
                }
            }
        }
        self.colours[at] = paint.colour;
        self.coloured += 1;
        self.used[usize::from(paint.colour)] += 1;
    }
}

/// Looks at series one after another. Short series are compared pair by pair; long ones through
/// a list that is sorted, kept here so that it is allocated once.
#[derive(Default)]
struct Scan {
    seen: Vec<u16>,
}

impl Scan {
    fn missing(&mut self, board: &Board, series: Series) -> Option<u32> {
        let k = board.terms.k();
        if usize::from(board.terms.c()) < k as usize {
            return None;
        }
        self.seen.clear();
        let coloured = series.numbers(k).map(|y| board.colours[y as usize - 1]);
        if k <= 12 {
            for colour in coloured.filter(|&colour| colour != 0) {
                if self.seen.contains(&colour) {
                    return None;
                }
                self.seen.push(colour);
            }
        } else {
            self.seen.extend(coloured.filter(|&colour| colour != 0));
            self.seen.sort_unstable();
            if self.seen.windows(2).any(|pair| pair[0] == pair[1]) {
                return None;
            }
        }
        Some(k - self.seen.len() as u32)
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.terms == other.terms && self.colours == other.colours
    }
}

impl Eq for Board {}

impl Hash for Board {
    fn hash<H: Hasher>(&self, to: &mut H) {
        self.terms.hash(to);
        self.colours.hash(to);
    }
}

/// What is written: the counts are left out, and made again when the position is read.
#[derive(Serialize, Deserialize)]
struct Written {
    #[serde(flatten)]
    terms: Terms,
    painted: Vec<(u32, u16)>,
}

impl Serialize for Board {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let painted = self.painted().map(|p| (p.number, p.colour)).collect();
        Written {
            terms: self.terms,
            painted,
        }
        .serialize(to)
    }
}

impl<'de> Deserialize<'de> for Board {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Board, D::Error> {
        let written = Written::deserialize(from)?;
        let mut board = Board::new(written.terms);
        for (number, colour) in written.painted {
            let inside =
                (1..=board.terms.n()).contains(&number) && (1..=board.terms.c()).contains(&colour);
            if !inside || board.colour(number).is_some() {
                let why = format!("`{number}={colour}` does not fit this board");
                return Err(serde::de::Error::custom(why));
            }
            board.paint(Paint { number, colour });
        }
        Ok(board)
    }
}
