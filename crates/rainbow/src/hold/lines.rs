//! The series of a short board as sets in machine words.

use super::{MOST_C, MOST_K, MOST_N, MOST_SERIES};
use crate::series::all_series;
use crate::terms::Terms;

/// A set of series, one bit each.
pub(super) type Set = u128;

const _: () = assert!(MOST_SERIES <= Set::BITS as usize && MOST_N <= u32::BITS as usize);
const _: () = assert!(
    MOST_K <= MOST_N && MOST_C <= 14,
    "colours have four bits in a key"
);

/// The series as masks of numbers, and for each number the set of its series.
pub(super) struct Lines {
    pub(super) n: usize,
    pub(super) k: usize,
    pub(super) c: usize,
    pub(super) numbers: Vec<u32>,
    pub(super) through: Vec<Set>,
}

impl Lines {
    /// The series of a board that fits. None with fewer colours than a rainbow needs.
    pub(super) fn new(terms: &Terms) -> Lines {
        let (n, k, c) = (terms.n(), terms.k(), terms.c());
        let numbers: Vec<u32> = all_series(n, k)
            .filter(|_| u32::from(c) >= k)
            .map(|series| series.numbers(k).fold(0, |mask, x| mask | 1 << (x - 1)))
            .collect();
        let through = (0..n)
            .map(|x| {
                let holds = |&(_, mask): &(usize, &u32)| mask >> x & 1 == 1;
                let series = numbers.iter().enumerate().filter(holds);
                series.fold(0, |set, (i, _)| set | 1 << i)
            })
            .collect();
        Lines {
            n: n as usize,
            k: k as usize,
            c: usize::from(c),
            numbers,
            through,
        }
    }

    /// The numbers of a mask that all of these series hold.
    pub(super) fn common(&self, set: Set, mask: u32) -> u32 {
        members(set).fold(mask, |mask, series| mask & self.numbers[series])
    }
}

/// The numbers in a mask, from zero, in order.
pub(super) fn ones(mask: u32) -> impl Iterator<Item = usize> {
    crate::exact::ones(mask).map(|x| x as usize)
}

/// The series in a set, in order.
pub(super) fn members(set: Set) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(set), |&rest| Some(rest & rest.wrapping_sub(1)))
        .take_while(|&rest| rest != 0)
        .map(|rest| rest.trailing_zeros() as usize)
}
