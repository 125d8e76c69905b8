//! A pairing inside the search: Maker to move is lost where every live series contains a pair.
//!
//! The argument is that of [`crate::pairing`], for the position that is left: the numbers that are not in such a pair, passes among them,
//! must be even in number. It is tried with a few nodes only; where it fails the search goes on.

use super::lines::{Lines, Set, and, elements, ones, without};
use super::node::Node;

/// Nodes of one attempt: most succeed or fail within the first few.
const TRIES: u32 = 40;

impl Node {
    /// Whether Breaker, who has just moved, holds by a pairing that was found quickly.
    pub(super) fn paired(&self, lines: &Lines) -> bool {
        if !self.left.count_ones().is_multiple_of(2) {
            return false;
        }
        let mut partners = [0; 32];
        for x in ones(self.open) {
            partners[x as usize] = self.open & !(1 << x);
        }
        let mut tries = TRIES;
        cover(lines, self.open, &self.live, &partners, &mut tries)
    }
}

fn size(set: &Set) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

/// Whether pairs of free numbers cover all these series; see [`crate::pairing`] for the bounds.
fn cover(lines: &Lines, free: u32, live: &Set, partners: &[u32; 32], tries: &mut u32) -> bool {
    let left = size(live);
    if left == 0 {
        return true;
    }
    if *tries == 0 {
        return false;
    }
    *tries -= 1;
    let mut partners = *partners;
    let mut reach = 0;
    for x in ones(free) {
        let held = and(&lines.through[x as usize], live);
        let (mut best, mut useful) = (0, 0);
        for y in ones(partners[x as usize] & free) {
            let covered = size(&and(&held, &lines.through[y as usize]));
            best = best.max(covered);
            useful |= u32::from(covered > 0) << y;
        }
        partners[x as usize] = useful;
        reach += best;
    }
    if reach / 2 < left {
        return false;
    }
    let pairs = |series: usize| {
        let mask = lines.numbers[series] & free;
        ones(mask).map(move |x| (x, mask))
    };
    let count = |series: usize| -> u32 {
        pairs(series)
            .map(|(x, mask)| (partners[x as usize] & mask).count_ones())
            .sum()
    };
    let Some(narrowest) = elements(live).min_by_key(|&series| count(series)) else {
        return true;
    };
    let mut next: Vec<(u32, u32, u32)> = pairs(narrowest)
        .flat_map(|(x, mask)| {
            ones(partners[x as usize] & mask & (u32::MAX << x)).map(move |y| (x, y))
        })
        .map(|(x, y)| {
            let both = and(&lines.through[x as usize], &lines.through[y as usize]);
            (size(&and(&both, live)), x, y)
        })
        .collect();
    next.sort_unstable_by_key(|&(covered, ..)| std::cmp::Reverse(covered));
    for (_, x, y) in next {
        let both = and(&lines.through[x as usize], &lines.through[y as usize]);
        if cover(
            lines,
            free & !(1 << x | 1 << y),
            &without(live, &both),
            &partners,
            tries,
        ) {
            return true;
        }
        partners[x as usize] &= !(1 << y);
        partners[y as usize] &= !(1 << x);
    }
    false
}
