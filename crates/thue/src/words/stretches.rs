//! Every repetition of a word at once, in near-linear time.
//!
//! Main and Lorentz (1984): cut the word in two; a square is in one half, or it crosses the cut.
//! For each period the squares that cross are found from four tables of common extensions, in
//! time proportional to the length. What is found are not single squares but *stretches*: a
//! stretch of period `p` is a longest factor of at least `2p` letters in which every letter equals
//! the one `p` further on. A stretch whose period is its shortest one is a *run*.

use serde::Serialize;

use super::{Repetition, Variant, abelian};

/// A longest factor with a period, at least twice the period long.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Stretch {
    /// How far apart equal letters are.
    pub period: usize,
    /// The place of its first letter.
    pub start: usize,
    /// How many letters it has.
    pub length: usize,
}

impl Stretch {
    /// The repetitions of a kind that lie in it, from the left.
    pub fn repetitions(self, variant: Variant) -> impl Iterator<Item = Repetition> {
        let counts = self.period >= variant.least_period();
        let starts = if counts {
            (self.length + 1).saturating_sub(variant.length(self.period))
        } else {
            0
        };
        (0..starts).map(move |i| Repetition::new(variant, self.start + i, self.period))
    }
}

/// All stretches, by period and then by place; also those whose period is not their shortest.
///
/// # Complexity
/// `n log n` and the number of stretches.
pub fn stretches(word: &[u8]) -> Vec<Stretch> {
    let mut found: Vec<(usize, usize, usize)> = Vec::new();
    crossings(word, 0, &mut |period, first, last| {
        found.push((period, first, last));
        true
    });
    found.sort_unstable();
    let mut merged: Vec<(usize, usize, usize)> = Vec::new();
    for (period, first, last) in found {
        match merged.last_mut() {
            // Starts that touch belong to one stretch: the cut went through it.
            Some((p, _, end)) if *p == period && first <= *end + 1 => *end = last.max(*end),
            _ => merged.push((period, first, last)),
        }
    }
    let stretch = |(period, first, last)| Stretch {
        period,
        start: first,
        length: last - first + 2 * period,
    };
    merged.into_iter().map(stretch).collect()
}

/// All runs, by place and then by length: stretches whose period is their shortest.
pub fn runs(word: &[u8]) -> Vec<Stretch> {
    let mut all = stretches(word);
    // A stretch whose period is a multiple of a shorter one is the same factor as the shorter one's.
    all.sort_unstable_by_key(|s| (s.start, s.length, s.period));
    all.dedup_by_key(|s| (s.start, s.length));
    all
}

/// Whether a word has no square. Ends at the first one.
///
/// # Complexity
/// `n log n`.
pub fn square_free(word: &[u8]) -> bool {
    crossings(word, 0, &mut |_, _, _| false)
}

/// Whether a word has no repetition of a kind.
pub fn free_of(word: &[u8], variant: Variant) -> bool {
    match variant {
        Variant::Square => square_free(word),
        Variant::AbelianSquare => abelian::all(word).next().is_none(),
        _ => !stretches(word)
            .into_iter()
            .any(|s| s.repetitions(variant).next().is_some()),
    }
}

/// The repetition with the shortest period, and of those the leftmost.
pub fn first(word: &[u8], variant: Variant) -> Option<Repetition> {
    if variant == Variant::AbelianSquare {
        return abelian::all(word).next();
    }
    stretches(word)
        .into_iter()
        .find_map(|s| s.repetitions(variant).next())
}

/// Every repetition of a kind, by period and then by place.
pub fn all(word: &[u8], variant: Variant) -> Box<dyn Iterator<Item = Repetition> + '_> {
    if variant == Variant::AbelianSquare {
        return Box::new(abelian::all(word));
    }
    let found = stretches(word).into_iter();
    Box::new(found.flat_map(move |s| s.repetitions(variant)))
}

/// Tells all groups of squares: period, first and last start. Goes on while `tell` says so; says
/// whether it was never stopped.
fn crossings(
    word: &[u8],
    offset: usize,
    tell: &mut impl FnMut(usize, usize, usize) -> bool,
) -> bool {
    // Below this length looking at every pair is quicker than the tables.
    const SMALL: usize = 16;
    let n = word.len();
    if n <= SMALL {
        return small(word, offset, tell);
    }
    let middle = n / 2;
    let (left, right) = word.split_at(middle);
    crossings(left, offset, tell)
        && crossings(right, offset + middle, tell)
        && across(left, right, offset, tell)
}

fn small(word: &[u8], offset: usize, tell: &mut impl FnMut(usize, usize, usize) -> bool) -> bool {
    let n = word.len();
    for period in 1..=n / 2 {
        let mut equal = 0;
        for t in 0..n - period {
            equal = if word[t] == word[t + period] {
                equal + 1
            } else {
                0
            };
            if equal >= period {
                let start = offset + t + 1 - period;
                if !tell(period, start, start) {
                    return false;
                }
            }
        }
    }
    true
}

/// The squares that cross the cut between two halves.
fn across(
    left: &[u8],
    right: &[u8],
    offset: usize,
    tell: &mut impl FnMut(usize, usize, usize) -> bool,
) -> bool {
    let cut = offset + left.len();
    let turned: Vec<u8> = left.iter().rev().copied().collect();
    let right_turned: Vec<u8> = right.iter().rev().copied().collect();
    // How far right[p..] agrees with right, and how far the end of right[..p] agrees with the end of left.
    let right_self = agreements(right, right);
    let right_left = agreements(&turned, &right_turned);
    // The same from the other side.
    let left_self = agreements(&turned, &turned);
    let left_right = agreements(right, left);
    for p in 1..=right.len() {
        // Squares whose middle is at the cut or after it: pairs (t, t+p) agree for t from
        // cut - back up to cut + ahead.
        let ahead = if p < right.len() {
            right_self[p] as usize
        } else {
            0
        };
        let back = right_left[right.len() - p] as usize;
        if back > 0 && back + ahead >= p {
            let last = (cut + ahead - p).min(cut - 1);
            if !tell(p, cut - back, last) {
                return false;
            }
        }
    }
    for p in 1..left.len() {
        // Squares whose middle is before the cut: pairs agree from cut - p - back up to cut - p + ahead.
        let back = left_self[p] as usize;
        let ahead = left_right[left.len() - p] as usize;
        let first = (cut - p - back).max((cut + 1).saturating_sub(2 * p));
        let last = (cut + ahead)
            .checked_sub(2 * p)
            .map(|last| last.min(cut - p - 1));
        if let Some(last) = last
            && ahead > 0
            && first <= last
            && !tell(p, first, last)
        {
            return false;
        }
    }
    true
}

/// For each place of `text`, how many letters from there agree with the beginning of `pattern`.
fn agreements(pattern: &[u8], text: &[u8]) -> Vec<u32> {
    let own = own_agreements(pattern);
    if std::ptr::eq(pattern, text) {
        return own;
    }
    let mut out = vec![0u32; text.len()];
    let (mut from, mut to) = (0, 0);
    for i in 0..text.len() {
        let mut k = 0;
        if i < to {
            k = (own.get(i - from).copied().unwrap_or(0) as usize).min(to - i);
        }
        while i + k < text.len() && k < pattern.len() && text[i + k] == pattern[k] {
            k += 1;
        }
        if i + k > to {
            (from, to) = (i, i + k);
        }
        out[i] = k as u32;
    }
    out
}

/// The Z table: for each place, how many letters from there agree with the beginning.
fn own_agreements(word: &[u8]) -> Vec<u32> {
    let n = word.len();
    let mut z = vec![0u32; n];
    if n > 0 {
        z[0] = n as u32;
    }
    let (mut from, mut to) = (0, 0);
    for i in 1..n {
        let mut k = if i < to {
            (z[i - from] as usize).min(to - i)
        } else {
            0
        };
        while i + k < n && word[i + k] == word[k] {
            k += 1;
        }
        if i + k > to {
            (from, to) = (i, i + k);
        }
        z[i] = k as u32;
    }
    z
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::words::find;

    /// The slow twin: every period, every place.
    fn plain(word: &[u8]) -> Vec<Stretch> {
        let n = word.len();
        let mut out = Vec::new();
        for period in 1..=n / 2 {
            let mut t = 0;
            while t + period < n {
                let equal = (t..n - period)
                    .take_while(|&u| word[u] == word[u + period])
                    .count();
                if equal >= period {
                    out.push(Stretch {
                        period,
                        start: t,
                        length: equal + period,
                    });
                }
                t += equal + 1;
            }
        }
        out
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1500) })]

        #[test]
        fn the_slow_twin_agrees(word in (1u8..5).prop_flat_map(|k| prop::collection::vec(0..k, 0..90))) {
            prop_assert_eq!(stretches(&word), plain(&word));
            for variant in Variant::ALL {
                prop_assert_eq!(first(&word, variant), find::first(&word, variant));
                let fast: Vec<_> = all(&word, variant).collect();
                prop_assert_eq!(fast, find::all(&word, variant));
                prop_assert_eq!(free_of(&word, variant), find::first(&word, variant).is_none());
            }
        }
    }

    #[test]
    fn runs_have_their_shortest_period() {
        // The three runs of a textbook word, and one run in a word of one letter.
        let word: crate::Word = "aabaabaaacaac".parse().unwrap();
        let shown: Vec<_> = runs(&word)
            .iter()
            .map(|r| (r.start, r.period, r.length))
            .collect();
        assert_eq!(
            shown,
            [
                (0, 1, 2),
                (0, 3, 8),
                (3, 1, 2),
                (6, 1, 3),
                (7, 3, 6),
                (10, 1, 2)
            ]
        );
        assert_eq!(
            runs(&[0; 200]),
            [Stretch {
                period: 1,
                start: 0,
                length: 200
            }]
        );
    }
}
