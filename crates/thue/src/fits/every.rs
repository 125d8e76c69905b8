//! All gaps at once: the letters that agree at each distance as bits.
//!
//! The rule is that of the single gap, for all gaps of a word in a few machine words. A repetition of period `p`
//! through a gap needs `p-1` (for overlaps `p`) agreements in two runs, on diagonals `p-1` and `p`: for each way to
//! share them out, one bit per gap says whether the runs are there. Long periods are mostly skipped: one of the two runs
//! would have half the agreements, and a run of six means that a factor of six letters comes again at that
//! distance; one pass over the word lists those distances.

use super::bits::Bits;
use super::diagonals::{Echoes, Planes, Runs};
use super::full;
use crate::words::Variant;

/// The symbols that fit into each gap of a word without repetition.
///
/// # Complexity
/// About `n` for the echoes, and `n/64` times the longest runs for each of the few periods that are not skipped.
pub fn all(word: &[u8], symbols: usize, variant: Variant) -> Vec<u64> {
    if !variant.is_plain() {
        let gaps = 0..=word.len();
        return gaps
            .map(|gap| super::at(word, gap, symbols, variant))
            .collect();
    }
    // Gaps 0..=n and one bit more, so that shifting never loses a gap.
    match word.len() + 2 {
        0..=64 => Sheet::<1>::new(word, variant).fits(symbols),
        65..=128 => Sheet::<2>::new(word, variant).fits(symbols),
        129..=256 => Sheet::<4>::new(word, variant).fits(symbols),
        257..=512 => Sheet::<8>::new(word, variant).fits(symbols),
        513..=1024 => Sheet::<16>::new(word, variant).fits(symbols),
        1025..=2048 => Sheet::<32>::new(word, variant).fits(symbols),
        _ => by_runs(word, symbols, variant),
    }
}

/// The periods that cannot be skipped at a glance.
fn periods<'a>(
    word: &[u8],
    variant: Variant,
    echoes: &'a Echoes,
) -> impl Iterator<Item = usize> + use<'a> {
    (variant.least_period()..=variant.most_period(word.len() + 1)).filter(move |&p| {
        let half = (variant.pairs(p) - 1).div_ceil(2);
        echoes.may_have(p - 1, half) || echoes.may_have(p, half)
    })
}

/// A word of at most `64 B - 2` letters in bit planes.
struct Sheet<'a, const B: usize> {
    word: &'a [u8],
    variant: Variant,
    planes: [Bits<B>; 6],
    count: usize,
}

impl<'a, const B: usize> Sheet<'a, B> {
    fn new(word: &'a [u8], variant: Variant) -> Self {
        let mut planes = [Bits::NONE; 6];
        let top = word.iter().copied().max().unwrap_or(0);
        let count = (8 - top.leading_zeros()) as usize;
        for (i, &c) in word.iter().enumerate() {
            for (b, plane) in planes[..count].iter_mut().enumerate() {
                if c >> b & 1 == 1 {
                    plane.set(i);
                }
            }
        }
        Sheet {
            word,
            variant,
            planes,
            count,
        }
    }

    /// Where letters `distance` apart agree.
    fn agree(&self, distance: usize) -> Bits<B> {
        let planes = &self.planes[..self.count];
        let differ = planes.iter().fold(Bits::NONE, |all, plane| {
            all.or(plane.differ(plane.down_by(distance)))
        });
        Bits::lowest(self.word.len().saturating_sub(distance)).without(differ)
    }

    fn fits(&self, symbols: usize) -> Vec<u64> {
        let n = self.word.len();
        let mut fits = vec![full(symbols); n + 1];
        let echoes = Echoes::new(self.word);
        let mut rows = Vec::with_capacity(16);
        for p in periods(self.word, self.variant, &echoes) {
            let (near, far) = (self.agree(p - 1), self.agree(p));
            self.right_partner(p, near, far, &mut rows).each(|gap| {
                if let Some(x) = self.word.get(gap + p - 1) {
                    fits[gap] &= !(1 << x);
                }
            });
            self.left_partner(p, near, far, &mut rows).each(|letter| {
                if let (Some(x), Some(fit)) = (self.word.get(letter), fits.get_mut(letter + p)) {
                    *fit &= !(1 << x);
                }
            });
        }
        fits
    }

    /// Gaps where the letter `p` to the right forbids its symbol: `near` before the gap, `far` after it.
    fn right_partner(
        &self,
        p: usize,
        near: Bits<B>,
        far: Bits<B>,
        rows: &mut Vec<Bits<B>>,
    ) -> Bits<B> {
        let need = self.variant.pairs(p) - 1;
        fill(rows, need, |run| far.and(run.down()));
        let (mut run, mut hits) = (Bits::ALL, Bits::NONE);
        for l in 0..=need.min(p - 1) {
            if let Some(row) = rows.get(need - l) {
                hits = hits.or(run.and(*row));
            }
            run = run.and(near).up();
            if !run.any() {
                break;
            }
        }
        hits
    }

    /// Letters that forbid their symbol `p` to their right: `far` before the letter, `near` after it. In an overlap the
    /// symbol may also stand in the middle, with a partner on both sides.
    fn left_partner(
        &self,
        p: usize,
        near: Bits<B>,
        far: Bits<B>,
        rows: &mut Vec<Bits<B>>,
    ) -> Bits<B> {
        let need = self.variant.pairs(p) - 1;
        fill(rows, need, |run| run.and(far).up());
        let (mut run, mut hits) = (Bits::ALL, Bits::NONE);
        for r in 0..=need.min(p - 1) {
            if let Some(row) = rows.get(need - r) {
                hits = hits.or(run.down().and(*row));
            }
            if r == p - 1 && need == p {
                hits = hits.or(run.down().and(self.agree(2 * p - 1)));
            }
            run = near.and(run.down());
            if !run.any() {
                break;
            }
        }
        hits
    }
}

/// Rows of runs: row `r` says where a run of `r` is. Empty rows at the end are left out.
fn fill<const B: usize>(rows: &mut Vec<Bits<B>>, need: usize, next: impl Fn(Bits<B>) -> Bits<B>) {
    rows.clear();
    let mut row = Bits::ALL;
    rows.push(row);
    for _ in 0..need {
        row = next(row);
        if !row.any() {
            break;
        }
        rows.push(row);
    }
}

/// The same for words of any length, from the lengths of the runs at each gap.
fn by_runs(word: &[u8], symbols: usize, variant: Variant) -> Vec<u64> {
    let n = word.len();
    let mut fits = vec![full(symbols); n + 1];
    let planes = Planes::new(word);
    let echoes = Echoes::new(word);
    let (mut near, mut far, mut bits) = (Runs::default(), Runs::default(), Vec::new());
    let mut known = usize::MAX;
    for p in periods(word, variant, &echoes) {
        std::mem::swap(&mut near, &mut far);
        if known != p - 1 {
            planes.agree(p - 1, &mut bits);
            near.measure(&bits, n);
        }
        planes.agree(p, &mut bits);
        far.measure(&bits, n);
        known = p;
        forbid(word, variant, p, &near, &far, &mut fits);
    }
    fits
}

/// Takes away what a period forbids, from the runs on diagonals `p-1` and `p`.
fn forbid(word: &[u8], variant: Variant, p: usize, near: &Runs, far: &Runs, fits: &mut [u64]) {
    let n = word.len();
    let need = (variant.pairs(p) - 1) as u32;
    let most = (p - 1) as u32;
    for gap in 0..=n.saturating_sub(p) {
        let left = near.before[gap].min(most);
        if left + far.after[gap] >= need && gap + p <= n {
            fits[gap] &= !(1 << word[gap + p - 1]);
        }
    }
    for gap in p..=n {
        let right = near.after[gap - p + 1].min(most);
        let x = word[gap - p];
        let middle = need == p as u32 && right == most && word.get(gap + p - 1) == Some(&x);
        if middle || right + far.before[gap - p] >= need {
            fits[gap] &= !(1 << x);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fits::{at, symbols};

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

        #[test]
        fn every_width_agrees(picks in prop::collection::vec(any::<(u16, u8)>(), 40..560), k in 4usize..9, v in 0usize..3) {
            let variant = Variant::ALL[v];
            let mut word = vec![0];
            for &(gap, symbol) in &picks {
                let gap = usize::from(gap) % (word.len() + 1);
                let fits: Vec<u8> = symbols(at(&word, gap, k, variant)).collect();
                if !fits.is_empty() {
                    word.insert(gap, fits[usize::from(symbol) % fits.len()]);
                }
            }
            prop_assert_eq!(all(&word, k, variant), by_runs(&word, k, variant));
        }
    }
}
