//! One gap: only repetitions that run through it are looked for.
//!
//! A symbol `x` in gap `i` closes a repetition of period `p` only if it equals the letter `p` to
//! its right or to its left. On the right that is `word[i+p-1]`; the other pairs of the repetition lie on two
//! diagonals: to the left of the gap letters `p-1` apart must agree, to the right letters `p` apart.
//! So for each period and side one symbol at most is forbidden, and whether it is says the length of
//! two runs of agreement.

use super::full;
use crate::words::Variant;

/// The symbols that fit into one gap of a word without repetition.
///
/// # Complexity
/// The square of the length at worst; on words without repetition runs are short, and it is about
/// the length.
pub fn at(word: &[u8], gap: usize, symbols: usize, variant: Variant) -> u64 {
    if variant == Variant::AbelianSquare {
        return super::abelian::at(word, gap, symbols);
    }
    let n = word.len();
    let mut forbidden = 0u64;
    for p in variant.least_period()..=variant.most_period(n + 1) {
        let need = variant.pairs(p) - 1;
        if let Some(&x) = word.get(gap + p - 1) {
            let left = agree_back(word, gap, p - 1, (p - 1).min(need));
            if left + agree_ahead(word, gap, p, need - left) >= need {
                forbidden |= 1 << x;
            }
        }
        if gap >= p {
            let x = word[gap - p];
            let right = agree_ahead(word, gap - p + 1, p - 1, (p - 1).min(need));
            if right + agree_back(word, gap - p, p, need - right) >= need {
                forbidden |= 1 << x;
            }
            // In the middle of an overlap or a cube the symbol has a partner on both sides: two pairs, the `p - 1` between them,
            // and those outside.
            if need >= p && word.get(gap + p - 1) == Some(&x) && right == p - 1 {
                let outside = need - p;
                let before = agree_back(word, gap - p, p, outside);
                if before + agree_ahead(word, gap, p, outside - before) >= outside {
                    forbidden |= 1 << x;
                }
            }
        }
    }
    full(symbols) & !forbidden
}

/// How many letters before `from` agree with the letter `distance` further on, at most `most`.
fn agree_back(word: &[u8], from: usize, distance: usize, most: usize) -> usize {
    (0..from.min(most))
        .take_while(|back| {
            let t = from - 1 - back;
            t + distance < word.len() && word[t] == word[t + distance]
        })
        .count()
}

/// How many letters from `from` on agree with the letter `distance` further on, at most `most`.
fn agree_ahead(word: &[u8], from: usize, distance: usize, most: usize) -> usize {
    let room = word.len().saturating_sub(from + distance);
    (from..from + room.min(most))
        .take_while(|&t| word[t] == word[t + distance])
        .count()
}
