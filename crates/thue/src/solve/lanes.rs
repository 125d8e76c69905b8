//! Which symbols fit, for several words of one length at once.
//!
//! All words take the same steps, so every step is one loop over lanes, which the compiler turns into vector
//! instructions.

use super::small::Small;
use crate::fits;
use crate::words::Variant;

/// How many words are judged at once.
pub(super) const LANES: usize = 8;

/// A set of places or gaps for each word.
type Sets = [u32; LANES];

/// For one word, for each symbol, the gaps into which it does not fit.
pub(super) type Forbidden = [u32; Small::MOST_SYMBOLS];

/// Up to [`LANES`] words of one length.
pub(super) struct Lanes {
    length: usize,
    count: usize,
    places: [Sets; Small::MOST_SYMBOLS],
}

/// Where runs of agreement start, by their length; the rows after the last are empty.
struct Runs {
    rows: [Sets; Small::MOST / 2 + 2],
    longest: usize,
}

impl Lanes {
    /// No words yet, of so many letters each.
    pub(super) fn new(length: usize) -> Lanes {
        Lanes {
            length,
            count: 0,
            places: [[0; LANES]; Small::MOST_SYMBOLS],
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.count == LANES
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Takes one more word. The caller sees that there is room.
    pub(super) fn push(&mut self, word: &Small) {
        debug_assert_eq!(word.len(), self.length);
        for (sets, &set) in self.places.iter_mut().zip(&word.places) {
            sets[self.count] = set;
        }
        self.count += 1;
    }

    /// For each word and symbol the gaps into which it does not fit, and for each word the gaps into which nothing fits.
    ///
    /// The rule is that of `fits`: a symbol is forbidden by the letter one period to its right or left where the agreements
    /// on two diagonals, `p-1` and `p`, are long enough; here for all gaps of all words at once.
    pub(super) fn forbidden(&self, symbols: usize, variant: Variant) -> Judged {
        if !variant.is_plain() {
            return self.one_by_one(symbols, variant);
        }
        let n = self.length;
        let mut forbidden = [[0; LANES]; Small::MOST_SYMBOLS];
        let least = variant.least_period();
        let (mut near, mut far) = (Runs::NONE, Runs::NONE);
        far.find(&self.agree(least - 1), variant.pairs(least) - 1);
        for p in least..=variant.most_period(n + 1) {
            let need = variant.pairs(p) - 1;
            std::mem::swap(&mut near, &mut far);
            // As long as this period or, of the same letters, the next can use.
            far.find(&self.agree(p), need + 1);
            let middle = need == p && near.longest >= p - 1;
            if near.longest.min(p - 1) + far.longest < need && !middle {
                continue;
            }
            let (mut right, mut left) = ([0; LANES], [0; LANES]);
            for l in need.saturating_sub(far.longest)..=need.min(p - 1).min(near.longest) {
                let (close, wide) = (&near.rows[l], &far.rows[need - l]);
                for i in 0..LANES {
                    right[i] |= (close[i] << l) & wide[i];
                    left[i] |= (close[i] >> 1) & (wide[i] << (need - l));
                }
            }
            if middle {
                // An overlap with the symbol in its middle: a partner on both sides.
                let (between, ends) = (&near.rows[p - 1], self.agree(2 * p - 1));
                for i in 0..LANES {
                    left[i] |= (between[i] >> 1) & ends[i];
                }
            }
            for (places, out) in self.places.iter().zip(&mut forbidden).take(symbols) {
                for i in 0..LANES {
                    out[i] |= (right[i] & places[i] >> (p - 1)) | (left[i] & places[i]) << p;
                }
            }
        }
        let gaps = u32::MAX >> (31 - n);
        let mut dead = [gaps; LANES];
        for sets in &mut forbidden[..symbols] {
            for i in 0..LANES {
                sets[i] &= gaps;
                dead[i] &= sets[i];
            }
        }
        Judged { forbidden, dead }
    }

    /// The same, gap by gap, for kinds of repetitions that the shared steps do not know.
    fn one_by_one(&self, symbols: usize, variant: Variant) -> Judged {
        let mut judged = Judged {
            forbidden: [[0; LANES]; Small::MOST_SYMBOLS],
            dead: [0; LANES],
        };
        for lane in 0..self.count {
            let symbol = |t: usize| self.places.iter().position(|sets| sets[lane] >> t & 1 == 1);
            let word: Vec<u8> = (0..self.length)
                .map(|t| symbol(t).map_or(0, |c| c as u8))
                .collect();
            for gap in 0..=self.length {
                let fit = fits::at(&word, gap, symbols, variant);
                for (c, sets) in judged.forbidden.iter_mut().enumerate().take(symbols) {
                    sets[lane] |= u32::from(fit >> c & 1 == 0) << gap;
                }
                judged.dead[lane] |= u32::from(fit == 0) << gap;
            }
        }
        judged
    }

    /// Where letters `distance` apart agree.
    fn agree(&self, distance: usize) -> Sets {
        let mut agree = [0; LANES];
        for places in &self.places {
            for i in 0..LANES {
                agree[i] |= places[i] & places[i] >> distance;
            }
        }
        agree
    }
}

impl Runs {
    const NONE: Runs = Runs {
        rows: [[u32::MAX; LANES]; Small::MOST / 2 + 2],
        longest: 0,
    };

    /// The runs of places that agree, up to `most` of them.
    fn find(&mut self, agree: &Sets, most: usize) {
        self.longest = 0;
        while self.longest < most {
            let mut row = self.rows[self.longest];
            let mut any = 0;
            for i in 0..LANES {
                row[i] &= agree[i] >> self.longest;
                any |= row[i];
            }
            if any == 0 {
                break;
            }
            self.longest += 1;
            self.rows[self.longest] = row;
        }
    }
}

/// What was found about the words of [`Lanes`].
pub(super) struct Judged {
    forbidden: [Sets; Small::MOST_SYMBOLS],
    /// For each word the gaps into which nothing fits.
    pub(super) dead: Sets,
}

impl Judged {
    /// For one of the words, for each symbol, the gaps into which it does not fit.
    pub(super) fn of(&self, lane: usize) -> Forbidden {
        self.forbidden.map(|sets| sets[lane])
    }
}

/// The same for one word.
pub(super) fn forbidden(word: &Small, symbols: usize, variant: Variant) -> Forbidden {
    let mut lanes = Lanes::new(word.len());
    lanes.push(word);
    lanes.forbidden(symbols, variant).of(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A word without repetition of so many letters, or fewer where nothing fits any more.
    fn free_word(picks: &[(u16, u8)], symbols: usize, variant: Variant) -> Vec<u8> {
        let mut word = vec![0u8];
        for &(gap, symbol) in picks {
            let gap = usize::from(gap) % (word.len() + 1);
            let fit: Vec<u8> =
                fits::symbols(fits::at_naive(&word, gap, symbols, variant)).collect();
            if !fit.is_empty() {
                word.insert(gap, fit[usize::from(symbol) % fit.len()]);
            }
        }
        word
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

        #[test]
        fn the_slow_twin_agrees(
            words in prop::collection::vec(prop::collection::vec(any::<(u16, u8)>(), 30), LANES),
            length in 1usize..=31,
            symbols in 1usize..=8,
            v in 0usize..5,
        ) {
            let variant = Variant::ALL[v];
            let words = words.iter().map(|picks| free_word(&picks[..length - 1], symbols, variant));
            let words: Vec<Vec<u8>> = words.filter(|word| word.len() == length).collect();
            let mut lanes = Lanes::new(length);
            for word in &words {
                lanes.push(&Small::new(word).unwrap());
            }
            let judged = lanes.forbidden(symbols, variant);
            for (lane, word) in words.iter().enumerate() {
                let forbidden = judged.of(lane);
                for (gap, fit) in fits::all_naive(word, symbols, variant).into_iter().enumerate() {
                    for (symbol, set) in forbidden[..symbols].iter().enumerate() {
                        prop_assert_eq!(set >> gap & 1 == 0, fit >> symbol & 1 == 1, "{:?} {} {}", word, gap, symbol);
                    }
                    prop_assert_eq!(judged.dead[lane] >> gap & 1 == 1, fit == 0);
                }
            }
        }
    }
}
