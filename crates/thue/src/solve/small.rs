//! A short word as sets of places, one per symbol: all gaps are judged with a few machine words.

use crate::words::Variant;

/// A word of at most [`Small::MOST`] letters over at most eight symbols.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Small {
    length: u32,
    places: [u64; 8],
    letters: [u8; Small::MOST],
}

impl Small {
    /// Three bits a letter and a leading one must fit into 128 bits.
    pub(crate) const MOST: usize = 42;
    /// Three bits hold a symbol.
    pub(crate) const MOST_SYMBOLS: usize = 8;

    /// The word, if it is short and its alphabet small.
    pub(crate) fn new(word: &[u8]) -> Option<Small> {
        if word.len() > Self::MOST || word.iter().any(|&c| usize::from(c) >= Self::MOST_SYMBOLS) {
            return None;
        }
        let mut small = Small {
            length: word.len() as u32,
            places: [0; 8],
            letters: [0; Self::MOST],
        };
        for (i, &c) in word.iter().enumerate() {
            small.places[usize::from(c)] |= 1 << i;
            small.letters[i] = c;
        }
        Some(small)
    }

    pub(crate) fn letters(&self) -> &[u8] {
        &self.letters[..self.length as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.length as usize
    }

    /// The word with one more symbol. The caller sees that there is room.
    pub(crate) fn with(&self, gap: usize, symbol: u8) -> Small {
        let low = (1u64 << gap) - 1;
        let mut longer = *self;
        for set in &mut longer.places {
            *set = (*set & low) | (*set & !low) << 1;
        }
        longer.places[usize::from(symbol)] |= 1 << gap;
        longer.letters.copy_within(gap..self.len(), gap + 1);
        longer.letters[gap] = symbol;
        longer.length += 1;
        longer
    }

    /// Where letters `distance` apart agree.
    fn agree(&self, distance: usize) -> u64 {
        self.places
            .iter()
            .fold(0, |all, set| all | (set & set >> distance))
    }

    /// For each symbol the gaps into which it does not fit.
    ///
    /// The rule is that of `fits`: a symbol is forbidden by the letter one period to its right or left where
    /// the agreements on two diagonals are long enough; here for all gaps at once.
    pub(crate) fn forbidden(&self, variant: Variant) -> [u64; 8] {
        let n = self.len();
        let gaps = (1u64 << (n + 1)) - 1;
        let mut forbidden = [0u64; 8];
        let mut far = if variant.least_period() == 1 {
            (1u64 << n) - 1
        } else {
            self.agree(1)
        };
        for p in variant.least_period()..=variant.most_period(n + 1) {
            let near = far;
            far = self.agree(p);
            let need = variant.pairs(p) - 1;
            let right = right_partner(near, far, p, need);
            let mut left = left_partner(near, far, p, need);
            if need == p {
                // An overlap with the symbol in its middle: a partner on both sides.
                let between = (1..p).fold(u64::MAX, |all, r| all & near >> r);
                left |= between & self.agree(2 * p - 1);
            }
            for (set, out) in self.places.iter().zip(&mut forbidden) {
                *out |= (right & set >> (p - 1)) | (left & set) << p;
            }
        }
        forbidden.map(|set| set & gaps)
    }

    /// The key that all words share that are the same up to renaming and reading backwards.
    pub(crate) fn key(&self) -> u128 {
        let letters = self.letters();
        renamed(letters.iter()).min(renamed(letters.iter().rev()))
    }

    /// The word of a key.
    pub(crate) fn of_key(key: u128) -> Small {
        let length = (127 - key.leading_zeros() as usize) / 3;
        let letters: Vec<u8> = (0..length)
            .rev()
            .map(|i| (key >> (3 * i)) as u8 & 7)
            .collect();
        Small::new(&letters).expect("a key holds a short word")
    }

    /// How many symbols the word uses, if it is renamed by first occurrence or a child of such a word.
    pub(crate) fn used(&self) -> usize {
        self.places.iter().filter(|&&set| set != 0).count()
    }
}

/// Gaps where the letter `p` to the right is forbidden: runs of `near` before, of `far` after, `need` in all.
fn right_partner(near: u64, far: u64, p: usize, need: usize) -> u64 {
    let mut after = [u64::MAX; Small::MOST];
    for r in 1..=need {
        after[r] = after[r - 1] & far >> (r - 1);
    }
    let (mut before, mut hits) = (u64::MAX, 0);
    for l in 0..=need.min(p - 1) {
        hits |= before & after[need - l];
        before &= near << (l + 1);
        if before == 0 {
            break;
        }
    }
    hits
}

/// Letters that are forbidden `p` to their right: runs of `far` before, of `near` after, `need` in all.
fn left_partner(near: u64, far: u64, p: usize, need: usize) -> u64 {
    let mut before = [u64::MAX; Small::MOST];
    for l in 1..=need {
        before[l] = before[l - 1] & far << l;
    }
    let (mut after, mut hits) = (u64::MAX, 0);
    for r in 0..=need.min(p - 1) {
        hits |= after & before[need - r];
        after &= near >> (r + 1);
        if after == 0 {
            break;
        }
    }
    hits
}

fn renamed<'a>(letters: impl Iterator<Item = &'a u8>) -> u128 {
    let mut names = [u8::MAX; 8];
    let mut next = 0;
    letters.fold(1u128, |key, &c| {
        let name = &mut names[usize::from(c)];
        if *name == u8::MAX {
            *name = next;
            next += 1;
        }
        key << 3 | u128::from(*name)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fits;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1500) })]

        #[test]
        fn the_slow_twin_agrees(picks in prop::collection::vec(any::<(u16, u8)>(), 0..30), symbols in 1usize..=8, v in 0usize..3) {
            let variant = Variant::ALL[v];
            let mut word = vec![0u8];
            for (gap, symbol) in picks {
                let gap = usize::from(gap) % (word.len() + 1);
                let fit: Vec<u8> = fits::symbols(fits::at_naive(&word, gap, symbols, variant)).collect();
                if !fit.is_empty() {
                    let symbol = fit[usize::from(symbol) % fit.len()];
                    let small = Small::new(&word).unwrap().with(gap, symbol);
                    word.insert(gap, symbol);
                    prop_assert_eq!(small.letters(), &word[..]);
                    prop_assert_eq!(small.places, Small::new(&word).unwrap().places);
                }
            }
            let small = Small::new(&word).unwrap();
            let forbidden = small.forbidden(variant);
            for (gap, fit) in fits::all_naive(&word, symbols, variant).into_iter().enumerate() {
                for (symbol, set) in forbidden[..symbols].iter().enumerate() {
                    prop_assert_eq!(set >> gap & 1 == 0, fit >> symbol & 1 == 1, "{:?} {} {}", &word, gap, symbol);
                }
            }
            let mirrored: Vec<u8> = word.iter().rev().map(|c| 7 - c).collect();
            prop_assert_eq!(Small::new(&mirrored).unwrap().key(), small.key());
            prop_assert_eq!(Small::of_key(small.key()).key(), small.key());
        }
    }
}
