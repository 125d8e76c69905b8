//! How many words there are without a repetition.

use wits_search::Budget;

use super::{Variant, find};

/// A number that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotCounted {
    /// It does not fit.
    #[error("the number is too large to hold")]
    TooLarge,
    /// The budget ended first.
    #[error("the time was over before all words were counted")]
    Stopped,
}

/// How many words of a length over an alphabet have no repetition of a kind.
///
/// Words are counted once for each way to rename their letters: a word that uses `m` letters in order of
/// first appearance stands for `k (k-1) … (k-m+1)` words.
///
/// # Complexity
/// The number of such words over an alphabet as large as the length, up to renaming.
pub fn count(
    variant: Variant,
    symbols: usize,
    length: usize,
    budget: &Budget,
) -> Result<u128, NotCounted> {
    let mut counter = Counter {
        variant,
        symbols,
        length,
        budget,
        seen: 0,
        classes: vec![0u128; symbols + 1],
    };
    if !counter.grow(&mut Vec::with_capacity(length), 0) {
        return Err(NotCounted::Stopped);
    }
    sum(&counter.classes, symbols).ok_or(NotCounted::TooLarge)
}

fn sum(classes: &[u128], symbols: usize) -> Option<u128> {
    let mut total = 0u128;
    for (used, &classes) in classes.iter().enumerate() {
        let mut names = classes;
        for m in 0..used {
            names = names.checked_mul((symbols - m) as u128)?;
        }
        total = total.checked_add(names)?;
    }
    Some(total)
}

struct Counter<'a> {
    variant: Variant,
    symbols: usize,
    length: usize,
    budget: &'a Budget,
    seen: u64,
    /// How many words use so many letters, up to renaming.
    classes: Vec<u128>,
}

impl Counter<'_> {
    /// Counts what grows from a word; whether it came to its end.
    fn grow(&mut self, word: &mut Vec<u8>, used: usize) -> bool {
        if word.len() == self.length {
            self.classes[used] += 1;
            return true;
        }
        self.seen += 1;
        if self.budget.spent(self.seen) {
            return false;
        }
        for c in 0..self.symbols.min(used + 1) {
            word.push(c as u8);
            let free = find::at_end(word, self.variant).is_none();
            let whole = !free || self.grow(word, used.max(c + 1));
            word.pop();
            if !whole {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(variant: Variant, symbols: usize, length: usize) -> u128 {
        count(variant, symbols, length, &Budget::endless()).unwrap()
    }

    #[test]
    fn known_counts() {
        // OEIS A006156 and A007777.
        let squares: Vec<u128> = (1..=20).map(|n| known(Variant::Square, 3, n)).collect();
        assert_eq!(
            squares,
            [
                3, 6, 12, 18, 30, 42, 60, 78, 108, 144, 204, 264, 342, 456, 618, 798, 1044, 1392,
                1830, 2388
            ]
        );
        let overlaps: Vec<u128> = (1..=12).map(|n| known(Variant::Overlap, 2, n)).collect();
        assert_eq!(overlaps, [2, 4, 6, 10, 14, 20, 24, 30, 36, 44, 48, 60]);
        assert_eq!(known(Variant::Square, 2, 4), 0);
        assert_eq!(known(Variant::Square, 64, 3), 64 * 63 * 63);
        let little = Budget::start(wits_search::Limits::nodes(100));
        let stopped = count(Variant::Square, 3, 200, &little);
        assert_eq!(stopped, Err(NotCounted::Stopped));
    }
}
