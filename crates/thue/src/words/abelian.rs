//! Abelian squares: two neighbouring factors with the same letters in any order (Erdős 1961).
//!
//! For each period the counts of the letters in two neighbouring windows are kept as differences; sliding by one place changes three of
//! them, and how many are not zero says whether the windows are an abelian square.

use super::{Repetition, Variant};

/// The differences of the letters' counts in two windows, and how many of them are not zero.
#[derive(Clone)]
pub(crate) struct Balance {
    counts: [i32; 256],
    off: usize,
}

impl Balance {
    pub(crate) const EVEN: Balance = Balance {
        counts: [0; 256],
        off: 0,
    };

    pub(crate) fn add(&mut self, letter: u8, change: i32) {
        let count = &mut self.counts[usize::from(letter)];
        self.off -= usize::from(*count != 0);
        *count += change;
        self.off += usize::from(*count != 0);
    }

    /// Whether both windows have the same letters.
    pub(crate) const fn even(&self) -> bool {
        self.off == 0
    }

    /// The letter that would even the windows if the first had it once more, or less for `-1`; nothing if there is no such letter.
    pub(crate) fn lacks(&self, change: i32) -> Option<u8> {
        let mut letters = (0..=u8::MAX).filter(|&c| self.counts[usize::from(c)] != 0);
        let letter = letters.next()?;
        let only = letters.next().is_none() && self.counts[usize::from(letter)] == -change;
        only.then_some(letter)
    }
}

/// Every abelian square, by period and then by place.
///
/// # Complexity
/// The square of the length.
pub fn all(word: &[u8]) -> impl Iterator<Item = Repetition> {
    (1..=word.len() / 2).flat_map(move |p| {
        let mut balance = Balance::EVEN;
        for t in 0..p {
            balance.add(word[t], 1);
            balance.add(word[t + p], -1);
        }
        (0..=word.len() - 2 * p).filter_map(move |start| {
            if start > 0 {
                // The letter that leaves, the one that crosses the middle, and the one that comes.
                balance.add(word[start - 1], -1);
                balance.add(word[start + p - 1], 2);
                balance.add(word[start + 2 * p - 1], -1);
            }
            let even = balance.even();
            even.then(|| Repetition::new(Variant::AbelianSquare, start, p))
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::words::find;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

        #[test]
        fn the_slow_twin_agrees(word in prop::collection::vec(0u8..5, 0..40)) {
            let fast: Vec<Repetition> = all(&word).collect();
            prop_assert_eq!(fast, find::all(&word, Variant::AbelianSquare));
        }
    }
}
