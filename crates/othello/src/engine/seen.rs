//! What the patterns of a position show, kept up to date move by move.
//!
//! Looking a position up from nothing costs more than everything else at the horizon; a move changes few squares, and each
//! square lies in few patterns. Digits are written from the view of one fixed side, so a change of turn changes nothing;
//! the other side reads them through a second table of weights.

use std::sync::OnceLock;

use super::patterns::{LOOKUPS, lookups};

/// The most patterns that one square lies in.
const MOST: usize = 8;

/// Where a square counts: patterns, and the worth of a digit there.
#[derive(Clone, Copy)]
struct Parts {
    count: u8,
    pattern: [u8; MOST],
    power: [u16; MOST],
}

/// Where every square counts.
pub(super) struct Places([Parts; 64]);

/// Where every square counts, worked out once.
pub(super) fn places() -> &'static Places {
    static PLACES: OnceLock<Places> = OnceLock::new();
    PLACES.get_or_init(|| {
        let empty = lookups(0, 0);
        Places(std::array::from_fn(|square| {
            let mut parts = Parts {
                count: 0,
                pattern: [0; MOST],
                power: [0; MOST],
            };
            let one = lookups(1 << square, 0);
            for (pattern, (with, without)) in one.iter().zip(&empty).enumerate() {
                if with != without {
                    let at = usize::from(parts.count);
                    parts.pattern[at] = pattern as u8;
                    parts.power[at] = (with - without) as u16;
                    parts.count += 1;
                }
            }
            parts
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
pub struct Seen([u16; LOOKUPS]);

impl Seen {
    /// What a position shows; the side to move owns the ones.
    pub fn of(own: u64, other: u64) -> Seen {
        let empty = lookups(0, 0);
        let shown = lookups(own, other);
        Seen(std::array::from_fn(|i| (shown[i] - empty[i]) as u16))
    }

    /// What it shows after a disc on a square and the flips it makes.
    #[inline]
    pub(super) fn after(&self, places: &Places, square: usize, flips: u64, side: Side) -> Seen {
        let mut next = *self;
        // A new disc is its digit; a flipped one goes from two to one, or from one to two.
        let (disc, flipped) = match side {
            Side::Ones => (1u16, u16::MAX),
            Side::Twos => (2, 1),
        };
        next.add(&places.0[square & 63], disc);
        let mut rest = flips;
        while rest != 0 {
            next.add(&places.0[rest.trailing_zeros() as usize & 63], flipped);
            rest &= rest - 1;
        }
        next
    }

    #[inline]
    fn add(&mut self, parts: &Parts, times: u16) {
        for (&pattern, &power) in parts.pattern[..usize::from(parts.count)]
            .iter()
            .zip(&parts.power)
        {
            let digits = &mut self.0[usize::from(pattern)];
            *digits = digits.wrapping_add(power.wrapping_mul(times));
        }
    }

    /// One index for each pattern.
    #[inline]
    pub const fn digits(&self) -> &[u16; LOOKUPS] {
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
