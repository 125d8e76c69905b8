//! Thue's own definition of 1906.

use serde::Serialize;

/// Two occurrences of one factor that stand too close.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct TooClose {
    /// Where the first occurrence starts.
    pub first: usize,
    /// Where the second one starts.
    pub second: usize,
    /// How long the factor is.
    pub length: usize,
}

/// The first pair of occurrences of a factor that are separated by fewer than `symbols - 2` letters:
/// what makes a word reducible in Thue's sense. On two letters that is an overlap, on three a square.
///
/// # Complexity
/// The square of the length.
pub fn reducible(word: &[u8], symbols: usize) -> Option<TooClose> {
    let apart = symbols.saturating_sub(2);
    for distance in 1..word.len() {
        // A factor of r letters leaves distance - r between its occurrences.
        let most = (distance + 1).saturating_sub(apart).max(1);
        let mut equal = 0;
        for t in 0..word.len() - distance {
            equal = if word[t] == word[t + distance] {
                equal + 1
            } else {
                0
            };
            if equal >= most {
                let first = t + 1 - most;
                return Some(TooClose {
                    first,
                    second: first + distance,
                    length: most,
                });
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::words::{Variant, find};

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

        #[test]
        fn two_letters_mean_overlaps_and_three_mean_squares(word in prop::collection::vec(0u8..3, 0..20)) {
            prop_assert_eq!(reducible(&word, 3).is_some(), find::first(&word, Variant::Square).is_some());
            prop_assert_eq!(reducible(&word, 2).is_some(), find::first(&word, Variant::Overlap).is_some());
        }
    }

    #[test]
    fn four_letters_keep_two_apart() {
        assert_eq!(reducible(&[0, 1, 2, 0], 4), None);
        assert_eq!(
            reducible(&[0, 1, 0], 4),
            Some(TooClose {
                first: 0,
                second: 2,
                length: 1
            })
        );
        assert_eq!(reducible(&[0, 1, 0], 3), None);
    }
}
