//! The series of a short board as bit sets.

use crate::series::{Series, all_series};

/// How many words hold one bit for each series.
pub(super) const WORDS_OF_SERIES: usize = 3;

/// A set of series.
pub(super) type Set = [u64; WORDS_OF_SERIES];

/// Every series of a board as the mask of its numbers, and for every number the set of its series.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    pub(super) n: u32,
    pub(super) k: u32,
    /// By series: bit `x` is number `x + 1`.
    pub(super) numbers: Vec<u32>,
    /// By number: the series through it.
    pub(super) through: Vec<Set>,
}

impl Lines {
    /// The most series that fit.
    pub(super) const MOST: u64 = 64 * WORDS_OF_SERIES as u64;

    pub(super) fn new(n: u32, k: u32) -> Lines {
        let mask = |series: Series| series.numbers(k).fold(0, |mask, x| mask | 1 << (x - 1));
        Lines::of(n, k, all_series(n, k).map(mask).collect())
    }

    /// The lines of any board whose progressions stay progressions when it is read backwards.
    pub(super) fn of(n: u32, k: u32, numbers: Vec<u32>) -> Lines {
        let mut through = vec![[0; WORDS_OF_SERIES]; n as usize];
        for (i, mask) in numbers.iter().enumerate() {
            for (x, set) in through.iter_mut().enumerate() {
                set[i / 64] |= u64::from(mask >> x & 1) << (i % 64);
            }
        }
        Lines {
            n,
            k,
            numbers,
            through,
        }
    }
}

/// The elements of a set, in order.
pub(super) fn elements(set: &Set) -> impl Iterator<Item = usize> {
    set.iter().enumerate().flat_map(|(word, &bits)| {
        std::iter::successors(Some(bits), |&rest| Some(rest & rest.wrapping_sub(1)))
            .take_while(|&rest| rest != 0)
            .map(move |rest| word * 64 + rest.trailing_zeros() as usize)
    })
}

/// The positions of the ones of a mask, in order.
pub(crate) fn ones(mask: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(mask), |&rest| Some(rest & rest.wrapping_sub(1)))
        .take_while(|&rest| rest != 0)
        .map(u32::trailing_zeros)
}

pub(super) fn and(a: &Set, b: &Set) -> Set {
    std::array::from_fn(|i| a[i] & b[i])
}

pub(super) fn without(a: &Set, b: &Set) -> Set {
    std::array::from_fn(|i| a[i] & !b[i])
}

pub(super) fn or(a: &Set, b: &Set) -> Set {
    std::array::from_fn(|i| a[i] | b[i])
}

pub(super) fn is_empty(set: &Set) -> bool {
    set.iter().all(|&word| word == 0)
}
