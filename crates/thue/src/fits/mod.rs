//! Which symbols fit into which gap.
//!
//! A symbol *fits* into a gap if putting it there makes no repetition. The answer for one gap is a set
//! of symbols in one machine word (bit `c` is symbol `c`). Four ways, each faster, each tested
//! against the one before:
//!
//! | file | idea | cost for all gaps of n letters |
//! | --- | --- | --- |
//! | `naive` | put it in and search | n^4 |
//! | `one` | only repetitions through the new symbol; it must equal the letter one period to its left or right | about n^2 |
//! | `every` | the letters that agree at each distance as bits; most periods are skipped at a glance | about n^2/64 |
//! | `abelian` | abelian squares: two windows slide over the gap, its symbol left out | n^3 |
//! | `children` | the totals of all words that are one symbol longer, from one pass over "two-hole" squares | – |

mod abelian;
mod bits;
mod children;
mod diagonals;
mod every;
mod naive;
mod one;

pub use children::{Children, children};
pub use every::all;
pub use naive::{all_naive, at_naive};
pub use one::at;

/// The set of all symbols of an alphabet.
pub const fn full(symbols: usize) -> u64 {
    if symbols >= 64 {
        u64::MAX
    } else {
        (1 << symbols) - 1
    }
}

/// How many symbols fit, over all gaps.
pub fn total(fits: &[u64]) -> u64 {
    fits.iter().map(|fit| u64::from(fit.count_ones())).sum()
}

/// The symbols of a set, from the smallest.
pub fn symbols(set: u64) -> impl Iterator<Item = u8> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let symbol = rest.trailing_zeros() as u8;
        let any = rest != 0;
        rest &= rest.wrapping_sub(1);
        any.then_some(symbol)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::words::{Variant, find};

    /// Words without repetition, made as a game makes them: random symbols into random gaps.
    fn free_word(variant: Variant, symbols: usize, picks: &[(u16, u8)]) -> Vec<u8> {
        let mut word = vec![0];
        for &(gap, symbol) in picks {
            let gap = usize::from(gap) % (word.len() + 1);
            let fits: Vec<u8> = super::symbols(at_naive(&word, gap, symbols, variant)).collect();
            if !fits.is_empty() {
                word.insert(gap, fits[usize::from(symbol) % fits.len()]);
            }
        }
        word
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1200) })]

        #[test]
        fn all_ways_agree(picks in prop::collection::vec(any::<(u16, u8)>(), 0..36), symbols in 1usize..7, v in 0usize..5) {
            let variant = Variant::ALL[v];
            let word = free_word(variant, symbols, &picks);
            prop_assert!(find::first(&word, variant).is_none());
            let slow = all_naive(&word, symbols, variant);
            let single: Vec<u64> = (0..=word.len()).map(|gap| at(&word, gap, symbols, variant)).collect();
            prop_assert_eq!(&single, &slow);
            prop_assert_eq!(&all(&word, symbols, variant), &slow);
        }

        #[test]
        fn long_words_agree(picks in prop::collection::vec(any::<(u16, u8)>(), 60..200), symbols in 5usize..9, v in 0usize..5) {
            let variant = Variant::ALL[v];
            let mut word = vec![0];
            for &(gap, symbol) in &picks {
                let gap = usize::from(gap) % (word.len() + 1);
                let fits: Vec<u8> = super::symbols(at(&word, gap, symbols, variant)).collect();
                if !fits.is_empty() {
                    word.insert(gap, fits[usize::from(symbol) % fits.len()]);
                }
            }
            let single: Vec<u64> = (0..=word.len()).map(|gap| at(&word, gap, symbols, variant)).collect();
            prop_assert_eq!(&all(&word, symbols, variant), &single);
        }

        #[test]
        fn totals_of_children_agree(picks in prop::collection::vec(any::<(u16, u8)>(), 0..60), symbols in 1usize..9) {
            let word = free_word(Variant::Square, symbols, &picks);
            let known = children(&word, symbols, Variant::Square);
            prop_assert_eq!(&known.fits, &all(&word, symbols, Variant::Square));
            for gap in 0..=word.len() {
                for symbol in super::symbols(known.fits[gap]) {
                    let mut longer = word.clone();
                    longer.insert(gap, symbol);
                    let total = total(&all(&longer, symbols, Variant::Square));
                    prop_assert_eq!(known.total(gap, symbol), total, "{:?} {} {}", &word, gap, symbol);
                }
            }
        }
    }
}
