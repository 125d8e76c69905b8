//! What an unfinished position is worth, in hundredths of a disc.

use std::sync::{Arc, OnceLock};

use super::patterns::Patterns;
use super::seen::{Seen, Side};
use crate::bits;
use crate::stable::stable_of;

/// A way to judge positions.
#[derive(Clone)]
pub enum Judgement {
    /// A few counts with weights set by hand: what training begins with.
    Counts,
    /// Fitted patterns.
    Patterns(Arc<Patterns>),
}

impl Judgement {
    /// The fitted patterns that come with this crate.
    pub fn fitted() -> Judgement {
        static FITTED: OnceLock<Option<Arc<Patterns>>> = OnceLock::new();
        let read = || {
            Patterns::read(include_bytes!("../../data/patterns.bin"))
                .ok()
                .map(Arc::new)
        };
        match FITTED.get_or_init(read) {
            Some(patterns) => Judgement::Patterns(Arc::clone(patterns)),
            None => Judgement::Counts,
        }
    }

    /// The same, where the digits of the patterns are known.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "compiled for each level of CPU; measured"
    )]
    pub(super) fn value_seen(&self, own: u64, other: u64, seen: &Seen, side: Side) -> i32 {
        let value = match self {
            Judgement::Counts => counts(own, other),
            Judgement::Patterns(patterns) => patterns.value_seen(own, other, seen, side),
        };
        value.clamp(-6300, 6300)
    }

    /// What the position is worth to the side to move.
    #[inline]
    pub fn value(&self, own: u64, other: u64) -> i32 {
        let value = match self {
            Judgement::Counts => counts(own, other),
            Judgement::Patterns(patterns) => patterns.value(own, other),
        };
        value.clamp(-6300, 6300)
    }
}

/// Mobility, frontier, corners, stable discs and squares beside empty corners, in hundredths of a
/// disc.
fn counts(own: u64, other: u64) -> i32 {
    let empty = !(own | other);
    let count = |set: u64| set.count_ones() as i32;
    let mobility = count(bits::moves(own, other)) - count(bits::moves(other, own));
    let frontier = count(bits::around(own) & empty) - count(bits::around(other) & empty);
    let corners = count(own & bits::CORNERS) - count(other & bits::CORNERS);
    let stable = count(stable_of(own, other)) - count(stable_of(other, own));
    let mut beside = 0;
    for (corner, near) in [
        (1u64, 0x0200u64),
        (1 << 7, 0x4000),
        (1 << 56, 0x0002_0000_0000_0000),
        (1 << 63, 0x0040_0000_0000_0000),
    ] {
        if empty & corner != 0 {
            beside += count(own & near) - count(other & near);
        }
    }
    110 * mobility - 45 * frontier + 500 * corners + 100 * stable - 350 * beside
}
