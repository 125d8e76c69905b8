//! What the patterns of a position show, kept up to date move by move.
//!
//! Looking a position up from nothing costs more than everything else at the horizon; a move changes few squares, and each
//! square lies in few patterns. Digits are written from the view of one fixed side, so a change of turn changes nothing;
//! the other side reads them through a second table of weights.

use std::sync::OnceLock;

use super::patterns::{LOOKUPS, lookups};

/// Four patterns share a word of 64 bits: what a pattern shows fits into 16, and so do all sums on the way, so words are
/// added as they are.
const WORDS: usize = LOOKUPS.div_ceil(4).next_multiple_of(4);

/// For every square, what a one there adds to each pattern.
pub(super) struct Places([[u64; WORDS]; 64]);

/// Numbers of 16 bits packed into words.
fn packed(numbers: impl Iterator<Item = u16>) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for (i, number) in numbers.enumerate() {
        words[i / 4] |= u64::from(number) << (16 * (i % 4));
    }
    words
}

/// Where every square counts, worked out once.
pub(super) fn places() -> &'static Places {
    static PLACES: OnceLock<Places> = OnceLock::new();
    PLACES.get_or_init(|| {
        let empty = lookups(0, 0);
        Places(std::array::from_fn(|square| {
            let one = lookups(1 << square, 0);
            packed(
                one.iter()
                    .zip(&empty)
                    .map(|(with, without)| (with - without) as u16),
            )
        }))
    })
}

/// Who moves: the side whose discs are ones, or the side whose discs are twos.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The side that moved first in this search.
    Ones,
    /// The other one.
    Twos,
}

impl Side {
    /// The other side.
    #[inline]
    pub const fn other(self) -> Side {
        match self {
            Side::Ones => Side::Twos,
            Side::Twos => Side::Ones,
        }
    }
}

/// What each pattern shows, without the place of its family in the weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen([u64; WORDS]);

impl Seen {
    /// What a position shows; the side to move owns the ones.
    pub fn of(own: u64, other: u64) -> Seen {
        let (empty, shown) = (lookups(0, 0), lookups(own, other));
        let shown = shown.iter().zip(&empty);
        Seen(packed(shown.map(|(with, without)| (with - without) as u16)))
    }

    /// What it shows after a disc on a square and the flips it makes.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "compiled for each level of CPU; measured"
    )]
    pub(super) fn after(&self, places: &Places, square: usize, flips: u64, side: Side) -> Seen {
        let mut turned = [0u64; WORDS];
        let mut rest = flips;
        while rest != 0 {
            let row = &places.0[rest.trailing_zeros() as usize & 63];
            for (sum, add) in turned.iter_mut().zip(row) {
                *sum += *add;
            }
            rest &= rest - 1;
        }
        let disc = &places.0[square & 63];
        let mut next = *self;
        // A new disc is its digit; a flipped one goes from two to one, or from one to two.
        match side {
            Side::Ones => {
                for ((digits, disc), turned) in next.0.iter_mut().zip(disc).zip(&turned) {
                    *digits = *digits - *turned + *disc;
                }
            }
            Side::Twos => {
                for ((digits, disc), turned) in next.0.iter_mut().zip(disc).zip(&turned) {
                    *digits = *digits + *turned + 2 * *disc;
                }
            }
        }
        next
    }

    /// One index for each pattern, four in a word, the first in its lowest bits.
    #[inline]
    pub(super) const fn words(&self) -> &[u64; WORDS] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use wits_game::{Dice, Seed};

    use super::*;
    use crate::{Position, Square, bits};

    #[test]
    fn kept_digits_are_those_of_a_fresh_look() {
        let mut dice = Dice::new(Seed::new(3));
        for _ in 0..50 {
            let mut p = Position::START;
            let mut seen = Seen::of(p.own(), p.other());
            let mut side = Side::Ones;
            loop {
                let squares: Vec<Square> = Square::all(p.moves()).collect();
                let Some(square) = dice.pick(&squares).copied() else {
                    break;
                };
                let flips = bits::flips(square.index(), p.own(), p.other());
                seen = seen.after(places(), square.index(), flips, side);
                let mover = p.turn;
                p = p.played(square);
                // After a pass the same side moves again.
                let (ones, twos) = if (p.turn == mover) == (side == Side::Ones) {
                    (p.own(), p.other())
                } else {
                    (p.other(), p.own())
                };
                side = if p.turn == mover { side } else { side.other() };
                assert_eq!(seen, Seen::of(ones, twos));
            }
        }
    }
}
