//! Which symbols fit into the gaps of a short word, for whoever checks a proof.
//!
//! This is not the rule of the search. Every gap is opened by a hole that agrees with anything; a repetition through the
//! hole is a run of pairs of letters, one period apart, that agree; it forbids the symbol that the hole is paired with. All gaps take the
//! same steps, a few of them at once, which the compiler turns into vector instructions.

use crate::words::Variant;

/// The longest word: with a hole in it, its letters have a bit each.
pub(super) const MOST_LETTERS: usize = 31;
/// The symbols that fit into each gap, as bits.
pub(super) type Fits = [u8; MOST_LETTERS + 1];

/// How many gaps are judged at once.
const LANES: usize = 8;
type Lanes = [u32; LANES];

/// For so many pairs and each hole, where a run of them may start that has the hole as the first letter of a pair.
const STARTS: [[u32; MOST_LETTERS + 1]; MOST_LETTERS / 2 + 3] = {
    let mut starts = [[0; MOST_LETTERS + 1]; MOST_LETTERS / 2 + 3];
    let mut pairs = 1;
    while pairs < starts.len() {
        let mut hole = 0;
        while hole <= MOST_LETTERS {
            let run = (1u64 << pairs) - 1;
            starts[pairs][hole] = (run << hole >> (pairs - 1)) as u32;
            hole += 1;
        }
        pairs += 1;
    }
    starts
};

/// The symbols that fit into each gap of a word of at most [`MOST_LETTERS`] letters over at most eight symbols.
pub(super) fn fits(word: &[u8], symbols: usize, variant: Variant) -> Fits {
    let n = word.len();
    if !variant.is_plain() {
        let mut fits = [0; MOST_LETTERS + 1];
        let plain = crate::fits::all_naive(word, symbols, variant);
        for (fit, set) in fits.iter_mut().zip(plain) {
            *fit = set as u8;
        }
        return fits;
    }
    let mut planes = [0u32; 3];
    // Symbols as single bits, with room on both sides for partners that are not there.
    let mut letters = [0u32; 3 * (MOST_LETTERS + 1) + LANES];
    let middle = MOST_LETTERS + 1;
    for (i, &c) in word.iter().enumerate() {
        for (bit, plane) in planes.iter_mut().enumerate() {
            *plane |= u32::from(c >> bit & 1) << i;
        }
        letters[middle + i] = 1 << c;
    }
    let all = (1u32 << symbols) - 1;
    let mut fits = [0; MOST_LETTERS + 1];
    for first in (0..=n).step_by(LANES) {
        let hole: Lanes = std::array::from_fn(|i| 1 << (first + i));
        let with_hole = planes.map(|plane| -> Lanes {
            std::array::from_fn(|i| {
                let low = hole[i] - 1;
                (plane & low) | (plane & !low) << 1
            })
        });
        let mut forbidden = [0; LANES];
        for p in variant.least_period()..=variant.most_period(n + 1) {
            let pairs = variant.pairs(p);
            let room = (1u32 << (n + 1 - p)) - 1;
            let mut run: Lanes = std::array::from_fn(|i| {
                let differ = with_hole
                    .iter()
                    .fold(0, |differ, plane| differ | (plane[i] ^ plane[i] >> p));
                (!differ | hole[i] | hole[i] >> p) & room
            });
            let mut length = 1;
            while length < pairs {
                let more = length.min(pairs - length);
                for start in &mut run {
                    *start &= *start >> more;
                }
                length += more;
            }
            // Long repetitions are rare.
            if run.iter().all(|&start| start == 0) {
                continue;
            }
            let starts = &STARTS[pairs][first..first + LANES];
            let right = &letters[middle + first + p - 1..][..LANES];
            let left = &letters[middle + first - p..][..LANES];
            for i in 0..LANES {
                // In an overlap the hole may be the letter in the middle, paired on both sides.
                let both = if pairs > p { hole[i] >> p } else { 0 };
                let ahead = run[i] & starts[i] & !both;
                let behind = run[i] & starts[i] >> p & !both;
                let twice = run[i] & both;
                forbidden[i] |= if ahead != 0 { right[i] } else { 0 };
                forbidden[i] |= if behind != 0 { left[i] } else { 0 };
                forbidden[i] |= if twice != 0 { left[i] & right[i] } else { 0 };
            }
        }
        for (fit, forbidden) in fits[first..].iter_mut().zip(forbidden) {
            *fit = (all & !forbidden) as u8;
        }
    }
    fits[n + 1..].fill(0);
    fits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fits::{all_naive, at_naive, symbols};

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1500) })]

        #[test]
        fn the_slow_twin_agrees(picks in prop::collection::vec(any::<(u16, u8)>(), 0..30), k in 1usize..=8, v in 0usize..3) {
            let variant = Variant::ALL[v];
            let mut word = vec![0u8];
            for (gap, symbol) in picks {
                let gap = usize::from(gap) % (word.len() + 1);
                let fit: Vec<u8> = symbols(at_naive(&word, gap, k, variant)).collect();
                if !fit.is_empty() {
                    word.insert(gap, fit[usize::from(symbol) % fit.len()]);
                }
            }
            let slow: Vec<u64> = all_naive(&word, k, variant);
            let fast: Vec<u64> = fits(&word, k, variant)[..=word.len()].iter().map(|&fit| u64::from(fit)).collect();
            prop_assert_eq!(fast, slow, "{:?}", &word);
        }
    }
}
