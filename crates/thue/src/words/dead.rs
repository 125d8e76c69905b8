//! Dead gaps: how often nothing fits into a gap, over all words of a length.

use serde::Serialize;
use wits_search::Budget;

use super::Variant;
use super::extremal::walk;
use crate::fits;

/// The gaps of all words of one length without a repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct DeadGaps {
    /// How long the words are.
    pub length: usize,
    /// How many there are.
    pub words: u64,
    /// How many of them have a gap into which no symbol fits.
    pub with_dead: u64,
    /// How many such gaps all of them have together; each has one gap more than letters.
    pub dead: u64,
    /// The most in one word.
    pub most: usize,
}

impl DeadGaps {
    /// The share of words with a dead gap; nothing where there are no words.
    pub fn share_of_words(&self) -> Option<f64> {
        (self.words > 0).then(|| self.with_dead as f64 / self.words as f64)
    }

    /// The share of gaps that are dead.
    pub fn share_of_gaps(&self) -> Option<f64> {
        let gaps = self.words * (self.length as u64 + 1);
        (self.words > 0).then(|| self.dead as f64 / gaps as f64)
    }
}

/// The largest alphabet: its words up to renaming stand for few enough others to be counted.
pub const MOST_SYMBOLS: usize = 8;

/// Looks at all words without a repetition, length by length up to `most`; fewer lengths where the budget ends first.
///
/// A word that uses `m` letters in order of first appearance stands for `k (k-1) … (k-m+1)` words.
///
/// # Panics
/// With more than [`MOST_SYMBOLS`] symbols.
pub fn dead_gaps(variant: Variant, symbols: usize, most: usize, budget: &Budget) -> Vec<DeadGaps> {
    assert!(symbols <= MOST_SYMBOLS, "words of eight symbols at most");
    let mut seen = 0;
    let lengths = (1..=most).map_while(|length| {
        let mut found = DeadGaps {
            length,
            words: 0,
            with_dead: 0,
            dead: 0,
            most: 0,
        };
        let whole = walk(variant, symbols, length, &mut |word| {
            seen += 1;
            if word.len() == length {
                let used = word.iter().max().map_or(0, |&last| usize::from(last) + 1);
                let names: u64 = (0..used).map(|m| (symbols - m) as u64).product();
                let fits = fits::all(word, symbols, variant);
                let dead = fits.iter().filter(|&&fit| fit == 0).count();
                found.words += names;
                found.with_dead += names * u64::from(dead > 0);
                found.dead += names * dead as u64;
                found.most = found.most.max(dead);
            }
            !budget.spent(seen)
        });
        whole.then_some(found)
    });
    lengths.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{count, find};

    /// Every word of a few letters, with nothing left out and nothing renamed.
    #[test]
    fn a_plain_count_agrees() {
        for (variant, symbols, most) in [
            (Variant::Square, 3, 8),
            (Variant::Square, 4, 6),
            (Variant::Overlap, 2, 9),
            (Variant::AbelianSquare, 3, 7),
        ] {
            let found = dead_gaps(variant, symbols, most, &Budget::endless());
            assert_eq!(found.len(), most);
            for row in found {
                let mut plain = DeadGaps {
                    words: 0,
                    with_dead: 0,
                    dead: 0,
                    most: 0,
                    ..row
                };
                for number in 0..symbols.pow(row.length as u32) {
                    let letter = |i: usize| (number / symbols.pow(i as u32) % symbols) as u8;
                    let word: Vec<u8> = (0..row.length).map(letter).collect();
                    if find::first(&word, variant).is_some() {
                        continue;
                    }
                    let fits = fits::all_naive(&word, symbols, variant);
                    let dead = fits.iter().filter(|&&fit| fit == 0).count();
                    plain.words += 1;
                    plain.with_dead += u64::from(dead > 0);
                    plain.dead += dead as u64;
                    plain.most = plain.most.max(dead);
                }
                assert_eq!(row, plain);
            }
        }
    }

    #[test]
    fn numbers_of_words_are_those_of_the_count() {
        for row in dead_gaps(Variant::Square, 4, 10, &Budget::endless()) {
            let words = count::count(Variant::Square, 4, row.length, &Budget::endless());
            assert_eq!(Ok(u128::from(row.words)), words);
            // The shortest word with a dead gap has six letters.
            assert_eq!(row.with_dead > 0, row.length >= 6, "{row:?}");
        }
        let little = Budget::start(wits_search::Limits::nodes(1000));
        assert!(dead_gaps(Variant::Square, 4, 30, &little).len() < 10);
    }
}
