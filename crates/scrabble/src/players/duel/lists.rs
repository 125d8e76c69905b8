//! The plays of a board, remembered lane by lane.
//!
//! What can be laid in a lane depends on its tiles, the letters that fit across it, and the rack. A play changes only a few lanes, so near
//! the end of a game most lanes of a position were seen before, with the same rack.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::super::bout::Rack;
use crate::board::{Board, Direction, SIDE};
use crate::generate::{Engine, Field, Found, Hand};
use crate::play::Play;

/// Keys are mixed already.
#[derive(Default)]
pub(super) struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = mix(self.0, u64::from(byte));
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// A table by keys that are mixed already.
pub(super) type Table<T> = HashMap<u64, T, BuildHasherDefault<Mixed>>;

fn mix(key: u64, n: u64) -> u64 {
    let key = (key ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    key ^ key >> 29
}

/// A play with what is needed to weigh it.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub(super) play: Play,
    pub(super) score: i16,
    /// Which tiles of the rack are left.
    pub(super) left: u8,
}

/// The squares of a board, each in or out.
#[derive(Clone, Copy, Default)]
pub(super) struct Squares([u64; 4]);

impl Squares {
    fn add(&mut self, square: usize) {
        self.0[square / 64] |= 1 << (square % 64);
    }

    pub(super) fn has(&self, square: usize) -> bool {
        self.0[square / 64] >> (square % 64) & 1 == 1
    }

    /// The squares that must stay free for a play to be legal and score the same: those that it fills, and those at the ends of the
    /// words that it makes.
    pub(super) fn of(board: &Board, play: &Play) -> Squares {
        let mut squares = Squares::default();
        let lane = usize::from(play.lane);
        let mut ends = |direction: Direction, lane: usize, start: usize, end: usize| {
            if start > 0 {
                squares.add(direction.square(lane, start - 1));
            }
            if end < SIDE {
                squares.add(direction.square(lane, end));
            }
        };
        let span = play.span();
        ends(play.direction, lane, span.start, span.end);
        let across = play.direction.turned();
        for (square, _) in play.laid() {
            let (other, at) = across.lane(square);
            let (start, end) = board.run(across, other, at);
            ends(across, other, start, end);
        }
        for (square, _) in play.laid() {
            squares.add(square);
        }
        squares
    }

    /// Whether a play lays no tile on any of them.
    pub(super) fn spared_by(&self, play: &Play) -> bool {
        play.laid().all(|(square, _)| !self.has(square))
    }
}

/// The lanes of a board told apart: for each direction and lane a key of all that generation looks at.
fn lanes(field: &Field, mut each: impl FnMut(Direction, usize, u64)) {
    for direction in Direction::BOTH {
        let d = direction as usize;
        for number in 0..SIDE {
            let range = number * SIDE..(number + 1) * SIDE;
            let mut key = (d * SIDE + number + 1) as u64;
            let mut any = false;
            for chunk in field.tiles[d][range.clone()].chunks(8) {
                let mut eight = [0; 8];
                eight[..chunk.len()].copy_from_slice(chunk);
                let word = u64::from_le_bytes(eight);
                any |= word != 0;
                key = mix(key, word);
            }
            for chunk in field.beside[d][range.clone()].chunks(4) {
                let mut word = 0;
                for &beside in chunk {
                    any |= beside != crate::generate::NONE;
                    word = word << 16 | u64::from(beside as u16);
                }
                key = mix(key, word);
            }
            if any {
                for &fit in &field.fits[d][range] {
                    key = mix(key, fit);
                }
                each(direction, number, key);
            }
        }
    }
}

/// Plays, remembered.
#[derive(Default)]
pub(super) struct Lists {
    known: Table<(u32, u32)>,
    all: Vec<Way>,
}

impl Lists {
    /// How many plays are remembered.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.known.clear();
        self.all.clear();
    }

    /// Adds every play of a rack on a board to a list.
    pub(super) fn plays(
        &mut self,
        engine: &Engine,
        bonus: i32,
        field: &Field,
        rack: Rack,
        into: &mut Vec<Way>,
    ) {
        let mut own = 7;
        for &tile in rack.tiles() {
            own = mix(own, u64::from(tile) + 1);
        }
        let mut hand = None;
        lanes(field, |direction, number, key| {
            let Lists { known, all } = self;
            let &mut (from, to) = known.entry(mix(key, own)).or_insert_with(|| {
                let hand = hand.get_or_insert_with(|| Hand::new(rack.tiles()));
                let from = all.len() as u32;
                engine.every_in(
                    field,
                    hand,
                    bonus,
                    direction,
                    number,
                    &mut |found: &Found<'_>| {
                        all.push(Way {
                            play: found.play(),
                            score: found.score as i16,
                            left: found.left,
                        });
                    },
                );
                (from, all.len() as u32)
            });
            into.extend_from_slice(&all[from as usize..to as usize]);
        });
    }
}
