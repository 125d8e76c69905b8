//! An exact search for pairings.
//!
//! The progression with the fewest pairs that can still be chosen is covered next, by each of them in turn; a pair that failed is
//! forbidden from then on, so that no set of pairs is tried twice. Two bounds end a branch: a progression without a possible pair,
//! and a count. If `best(x)` is the most uncovered progressions that one pair with `x` covers, a pair `{x, y}` covers at
//! most `(best(x) + best(y)) / 2`, so half the sum of `best` over the free numbers must reach the uncovered ones.

use wits_search::Budget;

use super::Pairing;
use crate::series::{all_series, series_count};

/// The longest board that [`find`] takes.
pub const MOST_NUMBERS: u32 = 64;
/// The most progressions that [`find`] takes.
pub const MOST_SERIES: u64 = 256;

/// What a search for a pairing found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// A pairing.
    Pairing {
        /// The pairing.
        pairing: Pairing,
        /// Positions of the search.
        nodes: u64,
    },
    /// There is none.
    None {
        /// Positions of the search: the size of the proof.
        nodes: u64,
        /// The shortest board of the search: no pairing of it means none of a longer one.
        on: u32,
    },
    /// The budget ended first, or the board is too large.
    Unknown {
        /// Positions of the search.
        nodes: u64,
    },
}

impl Found {
    /// The pairing, if one was found.
    pub fn pairing(&self) -> Option<&Pairing> {
        match self {
            Found::Pairing { pairing, .. } => Some(pairing),
            _ => None,
        }
    }
}

type Set = [u64; 4];

fn and(a: &Set, b: &Set) -> Set {
    std::array::from_fn(|i| a[i] & b[i])
}

fn without(a: &Set, b: &Set) -> Set {
    std::array::from_fn(|i| a[i] & !b[i])
}

fn size(set: &Set) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

fn ones(mask: u64) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(mask), |&rest| Some(rest & rest.wrapping_sub(1)))
        .take_while(|&rest| rest != 0)
        .map(|rest| rest.trailing_zeros() as usize)
}

/// Finds a pairing of `1..=n` for progressions of `k >= 2`, or shows that there is none.
///
/// A pairing of a board is one of every shorter board, so where a board is too long for the search a shorter one
/// may still show that there is none.
pub fn find(n: u32, k: u32, budget: &Budget) -> Found {
    if n < k {
        let pairing = Pairing::complete(n, k, Vec::new());
        return Found::Pairing { pairing, nodes: 0 };
    }
    let fits = |n: u32| n <= MOST_NUMBERS && series_count(n, k) <= MOST_SERIES;
    let mut on = n.min(MOST_NUMBERS);
    while on > k && !fits(on) {
        on -= 1;
    }
    if !fits(on) {
        return Found::Unknown { nodes: 0 };
    }
    let progressions: Vec<Vec<u32>> = all_series(on, k)
        .map(|series| series.numbers(k).collect())
        .collect();
    match find_among(on, k, &progressions, budget) {
        Found::Pairing { nodes, .. } if on < n => Found::Unknown { nodes },
        found => found,
    }
}

/// Finds a pairing of `1..=n` that these progressions of `k` all contain a pair of, or shows that there is none.
pub fn find_among(n: u32, k: u32, progressions: &[Vec<u32>], budget: &Budget) -> Found {
    if n > MOST_NUMBERS || progressions.len() as u64 > MOST_SERIES {
        return Found::Unknown { nodes: 0 };
    }
    let on = n;
    let mut search = Search::new(progressions, budget);
    let free = u64::MAX >> (64 - on);
    let allowed = std::array::from_fn(|x| free & !(1 << x));
    match search.cover(free, &search.all(), &allowed) {
        Some(true) => {
            let pairs = search
                .pairs
                .iter()
                .map(|&(a, b)| (a as u32 + 1, b as u32 + 1));
            Found::Pairing {
                pairing: Pairing::complete(n, k, pairs.collect()),
                nodes: search.nodes,
            }
        }
        Some(false) => Found::None {
            nodes: search.nodes,
            on,
        },
        None => Found::Unknown {
            nodes: search.nodes,
        },
    }
}

struct Search<'a> {
    budget: &'a Budget,
    /// By progression: bit `x` is number `x + 1`.
    numbers: Vec<u64>,
    /// By pair, `64 x + y`: the progressions that contain both.
    covers: Vec<Set>,
    pairs: Vec<(usize, usize)>,
    nodes: u64,
}

impl<'a> Search<'a> {
    fn new(progressions: &[Vec<u32>], budget: &'a Budget) -> Search<'a> {
        let mask = |numbers: &Vec<u32>| numbers.iter().fold(0, |mask, x| mask | 1 << (x - 1));
        let numbers: Vec<u64> = progressions.iter().map(mask).collect();
        let mut covers = vec![[0; 4]; 64 * 64];
        for (i, &mask) in numbers.iter().enumerate() {
            for x in ones(mask) {
                for y in ones(mask & !(1 << x)) {
                    covers[64 * x + y][i / 64] |= 1 << (i % 64);
                }
            }
        }
        Search {
            budget,
            numbers,
            covers,
            pairs: Vec::new(),
            nodes: 0,
        }
    }

    fn all(&self) -> Set {
        let mut all = [0; 4];
        for i in 0..self.numbers.len() {
            all[i / 64] |= 1 << (i % 64);
        }
        all
    }

    /// Whether pairs of free numbers can cover what is uncovered; `allowed[x]` are the partners of `x` that
    /// were not tried. Nothing when the budget has ended.
    fn cover(&mut self, free: u64, uncovered: &Set, allowed: &[u64; 64]) -> Option<bool> {
        self.nodes += 1;
        if self.budget.spent(self.nodes) {
            return None;
        }
        let left = size(uncovered);
        if left == 0 {
            return Some(true);
        }
        let mut allowed = *allowed;
        let mut reach = 0;
        for x in ones(free) {
            let mut best = 0;
            let mut useful = 0;
            for y in ones(allowed[x] & free) {
                let covered = size(&and(&self.covers[64 * x + y], uncovered));
                best = best.max(covered);
                useful |= u64::from(covered > 0) << y;
            }
            allowed[x] = useful;
            reach += best;
        }
        if reach / 2 < left {
            return Some(false);
        }
        let mut next = self.narrowest(free, uncovered, &allowed);
        next.sort_by_key(|&(covered, ..)| std::cmp::Reverse(covered));
        for (_, x, y) in next {
            self.pairs.push((x, y));
            let rest = without(uncovered, &self.covers[64 * x + y]);
            if self.cover(free & !(1 << x | 1 << y), &rest, &allowed)? {
                return Some(true);
            }
            self.pairs.pop();
            allowed[x] &= !(1 << y);
            allowed[y] &= !(1 << x);
        }
        Some(false)
    }

    /// The possible pairs of the uncovered progression that has the fewest, each with what it covers.
    fn narrowest(
        &self,
        free: u64,
        uncovered: &Set,
        allowed: &[u64; 64],
    ) -> Vec<(u32, usize, usize)> {
        let mut fewest = u32::MAX;
        let mut inside = 0;
        for i in (0..self.numbers.len()).filter(|i| uncovered[i / 64] >> (i % 64) & 1 == 1) {
            let mask = self.numbers[i] & free;
            // Each pair is counted from both ends.
            let pairs = ones(mask).map(|x| (allowed[x] & mask).count_ones()).sum();
            if pairs < fewest {
                (fewest, inside) = (pairs, mask);
                if pairs <= 2 {
                    break;
                }
            }
        }
        let from = |x: usize| ones(allowed[x] & inside & (u64::MAX << x)).map(move |y| (x, y));
        ones(inside)
            .flat_map(from)
            .map(|(x, y)| (size(&and(&self.covers[64 * x + y], uncovered)), x, y))
            .collect()
    }
}
