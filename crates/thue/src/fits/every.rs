//! All gaps at once: the letters that agree at each distance as bits.
//!
//! The rule is that of the single gap; what is new is that most periods can be skipped at a glance. A repetition of
//! period `p` through a gap needs `p-1` (for overlaps `p`) agreements in two runs, on
//! diagonals `p-1` and `p`; so one of the two diagonals has a run of at least half that, and on words
//! without repetition long runs are rare.

use super::diagonals::{Planes, Runs, has_run};
use super::full;
use crate::words::Variant;

/// The symbols that fit into each gap of a word without repetition.
///
/// # Complexity
/// `n^2/64` steps for the glance, and `n` for each of the few periods that are not skipped.
pub fn all(word: &[u8], symbols: usize, variant: Variant) -> Vec<u64> {
    let n = word.len();
    let mut fits = vec![full(symbols); n + 1];
    let planes = Planes::new(word);
    let (mut near, mut far, mut work) = (Vec::new(), Vec::new(), Vec::new());
    let (mut short, mut long) = (Runs::default(), Runs::default());
    // The diagonal whose runs are in `short`, to be used again when neighbouring periods are looked at.
    let mut measured = usize::MAX;
    planes.agree(variant.least_period() - 1, &mut near);
    for p in variant.least_period()..=variant.most_period(n + 1) {
        planes.agree(p, &mut far);
        let need = variant.pairs(p) - 1;
        let half = need.div_ceil(2);
        if has_run(&near, half, &mut work) || has_run(&far, half, &mut work) {
            if measured != p - 1 {
                short.measure(&near, n);
            }
            long.measure(&far, n);
            forbid(word, variant, p, &short, &long, &mut fits);
            std::mem::swap(&mut short, &mut long);
            measured = p;
        }
        std::mem::swap(&mut near, &mut far);
    }
    fits
}

/// Takes away what a period forbids, from the runs on diagonals `p-1` and `p`.
fn forbid(word: &[u8], variant: Variant, p: usize, short: &Runs, long: &Runs, fits: &mut [u64]) {
    let n = word.len();
    let need = (variant.pairs(p) - 1) as u32;
    let most = (p - 1) as u32;
    for gap in 0..=n.saturating_sub(p) {
        let left = short.before[gap].min(most);
        if left + long.after[gap] >= need && gap + p <= n {
            fits[gap] &= !(1 << word[gap + p - 1]);
        }
    }
    for gap in p..=n {
        let right = short.after[gap - p + 1].min(most);
        let x = word[gap - p];
        if right + long.before[gap - p] >= need {
            fits[gap] &= !(1 << x);
        } else if need == p as u32 && right == most && word.get(gap + p - 1) == Some(&x) {
            fits[gap] &= !(1 << x);
        }
    }
}
