//! Words into which nothing fits: every gap of an extremal word is dead.

use wits_search::Budget;

use super::{Variant, Word, find};
use crate::fits;

/// All extremal square-free words of a length, up to renaming, in the order of the letters.
///
/// An extremal word is free of squares, and no letter can be put into any gap without making one
/// (Grytczuk, Kordulewski and Niewiadomski 2019).
/// Nothing where the budget ends first.
pub fn extremal(symbols: usize, length: usize, budget: &Budget) -> Option<Vec<Word>> {
    let (mut found, mut seen) = (Vec::new(), 0);
    let whole = walk(Variant::Square, symbols, length, &mut |word| {
        seen += 1;
        if word.len() < length || budget.spent(seen) {
            return !budget.spent(seen);
        }
        if fits::all(word, symbols, Variant::Square)
            .iter()
            .all(|&fit| fit == 0)
        {
            found.push(Word::new(word.to_vec()).expect("the alphabet has at most 64 letters"));
        }
        true
    });
    whole.then_some(found)
}

/// The shortest square-free word that has a dead gap, if there is one of at most `most` letters: the
/// least the Builder can hope for.
pub fn shortest_with_dead_gap(symbols: usize, most: usize) -> Option<Word> {
    (1..=most).find_map(|length| {
        let mut found = None;
        walk(Variant::Square, symbols, length, &mut |word| {
            if word.len() == length && fits::all(word, symbols, Variant::Square).contains(&0) {
                found =
                    Some(Word::new(word.to_vec()).expect("the alphabet has at most 64 letters"));
            }
            found.is_none()
        });
        found
    })
}

/// Tells all words without a repetition up to a length and up to renaming, while `tell` says to go on; whether
/// it always did.
pub(super) fn walk(
    variant: Variant,
    symbols: usize,
    length: usize,
    tell: &mut impl FnMut(&[u8]) -> bool,
) -> bool {
    fn grow(
        word: &mut Vec<u8>,
        used: usize,
        (variant, symbols, length): (Variant, usize, usize),
        tell: &mut impl FnMut(&[u8]) -> bool,
    ) -> bool {
        let go_on = tell(word);
        if !go_on || word.len() == length {
            return go_on;
        }
        for c in 0..symbols.min(used + 1) {
            word.push(c as u8);
            let free = find::at_end(word, variant).is_none();
            let go_on = !free || grow(word, used.max(c + 1), (variant, symbols, length), tell);
            word.pop();
            if !go_on {
                return false;
            }
        }
        true
    }
    let mut word = Vec::with_capacity(length);
    grow(&mut word, 0, (variant, symbols, length), tell)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(symbols: usize, length: usize) -> Vec<Word> {
        extremal(symbols, length, &Budget::endless()).unwrap()
    }

    #[test]
    fn the_shortest_extremal_word() {
        let lengths: Vec<usize> = (1..=40).filter(|&n| !all(3, n).is_empty()).collect();
        assert_eq!(lengths, [25]);
        let shown: Vec<String> = all(3, 25).iter().map(|w| w.letters().unwrap()).collect();
        assert_eq!(shown[0], "abcabacbcabcbabcabacbcabc");
        let little = Budget::start(wits_search::Limits::nodes(100));
        assert_eq!(extremal(3, 25, &little), None);
    }

    #[test]
    fn the_least_dead_gaps() {
        let length = |k| shortest_with_dead_gap(k, 10).unwrap().len();
        assert_eq!([length(3), length(4), length(5)], [4, 6, 10]);
    }
}
