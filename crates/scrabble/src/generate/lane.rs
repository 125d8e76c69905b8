//! What every generator shares: one lane of the board, the tiles laid so far, and who takes the plays.

use crate::board::{Direction, PREMIUMS, SIDE};
use crate::play::Play;
use crate::settings::RACK;

use super::field::{Field, Fit, NONE};

/// How often letters and words count on each square of a lane. The board is symmetric, so rows and columns
/// share these.
#[derive(Clone, Copy)]
pub(crate) struct Times {
    pub(crate) letter: [u8; SIDE],
    pub(crate) word: [u8; SIDE],
}

pub(crate) static TIMES: [Times; SIDE] = times();

const fn times() -> [Times; SIDE] {
    let mut all = [Times {
        letter: [1; SIDE],
        word: [1; SIDE],
    }; SIDE];
    let mut lane = 0;
    while lane < SIDE {
        let mut at = 0;
        while at < SIDE {
            let premium = PREMIUMS[lane * SIDE + at];
            all[lane].letter[at] = premium.letter() as u8;
            all[lane].word[at] = premium.word() as u8;
            at += 1;
        }
        lane += 1;
    }
    all
}

/// One lane, ready to be searched.
#[derive(Clone, Copy)]
pub(crate) struct Lane<'a> {
    pub(crate) direction: Direction,
    pub(crate) number: usize,
    pub(crate) tiles: &'a [u8; SIDE],
    pub(crate) fits: &'a [Fit; SIDE],
    pub(crate) beside: &'a [i16; SIDE],
    pub(crate) times: &'static Times,
}

impl<'a> Lane<'a> {
    pub(crate) fn of(field: &'a Field, direction: Direction, number: usize) -> Lane<'a> {
        let (d, from) = (direction as usize, number * SIDE);
        Lane {
            direction,
            number,
            tiles: part(&field.tiles[d], from),
            fits: part(&field.fits[d], from),
            beside: part(&field.beside[d], from),
            times: &TIMES[number],
        }
    }

    /// Whether a place is off the lane or free.
    #[inline]
    pub(crate) fn free(&self, at: usize) -> bool {
        at >= SIDE || self.tiles[at] == 0
    }
}

#[inline]
fn part<T>(all: &[T], from: usize) -> &[T; SIDE] {
    (&all[from..from + SIDE])
        .try_into()
        .expect("a lane has fifteen places")
}

/// What a word scores so far.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sum {
    /// The word's own letters, their premiums counted.
    pub(crate) own: i32,
    /// How often the word counts.
    pub(crate) times: i32,
    /// The words across it.
    pub(crate) across: i32,
    /// How many tiles are laid.
    pub(crate) laid: usize,
}

impl Sum {
    pub(crate) const START: Sum = Sum {
        own: 0,
        times: 1,
        across: 0,
        laid: 0,
    };

    /// With a letter that lies there already.
    #[inline]
    pub(crate) fn through(self, value: i32) -> Sum {
        Sum {
            own: self.own + value,
            ..self
        }
    }

    /// With a tile laid at a place of a lane.
    #[inline]
    pub(crate) fn with(self, lane: &Lane<'_>, at: usize, value: i32) -> Sum {
        let value = value * i32::from(lane.times.letter[at]);
        let word = i32::from(lane.times.word[at]);
        let beside = lane.beside[at];
        let across = if beside == NONE {
            0
        } else {
            (value + i32::from(beside)) * word
        };
        Sum {
            own: self.own + value,
            times: self.times * word,
            across: self.across + across,
            laid: self.laid + 1,
        }
    }

    /// The points.
    #[inline]
    pub(crate) fn points(self, bonus: i32) -> i32 {
        let bingo = if self.laid == RACK { bonus } else { 0 };
        self.own * self.times + self.across + bingo
    }
}

/// A play that a generator found, before anybody has copied it.
#[derive(Clone, Copy)]
pub struct Found<'a> {
    /// Which way the word runs.
    pub direction: Direction,
    /// Its row or column.
    pub lane: usize,
    /// Where it starts.
    pub start: usize,
    /// The tiles laid from there on, zero for those that lie already.
    pub tiles: &'a [u8],
    /// What it scores.
    pub score: i32,
    /// The number of the tiles left in the hand: see [`super::Hand::kept`].
    pub left: u8,
}

impl Found<'_> {
    /// The play.
    pub fn play(&self) -> Play {
        let mut tiles = [0; SIDE];
        tiles[..self.tiles.len()].copy_from_slice(self.tiles);
        Play {
            direction: self.direction,
            lane: self.lane as u8,
            start: self.start as u8,
            length: self.tiles.len() as u8,
            tiles,
        }
    }
}

/// Somebody who takes plays as they are found.
pub trait Sink {
    /// A play was found.
    fn found(&mut self, found: &Found<'_>);

    /// Plays worth less than this, in hundredths, are not asked for.
    #[inline]
    fn floor(&self) -> i32 {
        i32::MIN
    }
}

impl<F: FnMut(&Found<'_>)> Sink for F {
    fn found(&mut self, found: &Found<'_>) {
        self(found);
    }
}

/// Whether a single tile was found in the direction in which it does not count: a tile that makes words both
/// ways is laid across.
#[inline]
pub(crate) fn doubled(lane: &Lane<'_>, laid: usize, tiles: &[u8], start: usize) -> bool {
    laid == 1
        && lane.direction == Direction::Down
        && tiles
            .iter()
            .zip(start..)
            .any(|(&tile, at)| tile != 0 && lane.beside[at] != NONE)
}
