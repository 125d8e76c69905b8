//! A short word as sets of places, one per symbol.

/// A word of at most [`Small::MOST`] letters over at most eight symbols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Small {
    length: u32,
    /// Where each symbol stands.
    pub(super) places: [u32; Small::MOST_SYMBOLS],
}

impl Small {
    /// Every gap of the word has a bit.
    pub(super) const MOST: usize = 31;
    /// Three bits hold a symbol.
    pub(super) const MOST_SYMBOLS: usize = 8;

    /// The word, if it is short and its alphabet small.
    pub(super) fn new(word: &[u8]) -> Option<Small> {
        if word.len() > Self::MOST || word.iter().any(|&c| usize::from(c) >= Self::MOST_SYMBOLS) {
            return None;
        }
        let mut small = Small {
            length: word.len() as u32,
            places: [0; Self::MOST_SYMBOLS],
        };
        for (i, &c) in word.iter().enumerate() {
            small.places[usize::from(c)] |= 1 << i;
        }
        Some(small)
    }

    pub(super) fn len(&self) -> usize {
        self.length as usize
    }

    /// The word with a hole in a gap, to be filled by [`Small::filled`]. The caller sees that there is room.
    pub(super) fn opened(&self, gap: usize) -> Small {
        let low = (1u32 << gap) - 1;
        Small {
            length: self.length + 1,
            places: self.places.map(|set| (set & low) | (set & !low) << 1),
        }
    }

    /// The word with this symbol in the hole.
    pub(super) fn filled(mut self, gap: usize, symbol: usize) -> Small {
        self.places[symbol] |= 1 << gap;
        self
    }

    /// The word with one more symbol.
    pub(super) fn with(&self, gap: usize, symbol: usize) -> Small {
        self.opened(gap).filled(gap, symbol)
    }

    /// How many symbols the word uses.
    pub(super) fn used(&self) -> usize {
        self.places.iter().filter(|&&set| set != 0).count()
    }

    /// A number that all words of a game share that are the same up to renaming and reading backwards, and no others: the
    /// bits of the renamed symbols, plane by plane, and a bit that tells the length: the one above the first plane or, where the
    /// planes leave no room, the last. Nothing where that is more than 64 bits: above 21 letters of five symbols or more.
    pub(super) fn key(&self, symbols: usize) -> Option<u64> {
        let n = self.length;
        let few = symbols <= 4;
        if n > 21 && !few {
            return None;
        }
        let width = if few { 32 } else { 21 };
        let length = 1u64 << if n == width { 63 } else { n };
        let packed = |planes: [u32; 3]| {
            length
                | u64::from(planes[0])
                | u64::from(planes[1]) << width
                | u64::from(planes[2]) << (2 * width % 64)
        };
        let ahead = self.renamed(u32::trailing_zeros);
        let back = self.renamed(u32::leading_zeros);
        let back = back.map(|plane| plane.reverse_bits() >> (32 - n));
        Some(packed(ahead).min(packed(back)))
    }

    /// The bits of the symbols' names, given in the order in which `first` meets them.
    fn renamed(&self, first: impl Fn(u32) -> u32) -> [u32; 3] {
        let met = self.places.map(first);
        let mut planes = [0; 3];
        for (&set, &own) in self.places.iter().zip(&met) {
            let name = met.iter().filter(|&&other| other < own).count() as u32;
            for (bit, plane) in planes.iter_mut().enumerate() {
                *plane |= set & (name >> bit & 1).wrapping_neg();
            }
        }
        planes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::solve::verify::standard;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

        /// Random words of few letters are often alike, so both directions of "exactly those" are tried.
        #[test]
        fn a_key_is_shared_by_exactly_the_words_that_are_alike(
            one in prop::collection::vec(0u8..3, 1..5),
            other in prop::collection::vec(0u8..3, 1..5),
            long in prop::collection::vec(0u8..8, 1..=21),
        ) {
            let key = |word: &[u8]| Small::new(word).unwrap().key(8).unwrap();
            let few = |word: &[u8]| Small::new(word).unwrap().key(3).unwrap();
            prop_assert_eq!(few(&one) == few(&other), standard(&one) == standard(&other), "{:?} {:?}", &one, &other);
            prop_assert_eq!(key(&one) == key(&other), standard(&one) == standard(&other), "{:?} {:?}", &one, &other);
            let mirrored: Vec<u8> = long.iter().rev().map(|c| 7 - c).collect();
            prop_assert_eq!(key(&long), key(&mirrored));
            let mut changed = long.clone();
            changed[0] ^= 1;
            prop_assert_eq!(key(&long) == key(&changed), standard(&long) == standard(&changed));
        }
    }

    #[test]
    fn longer_words_have_keys_where_symbols_are_few() {
        let word = |n: usize, k: u8| -> Vec<u8> { (0..n).map(|i| i as u8 % k).collect() };
        assert!(Small::new(&word(31, 4)).unwrap().key(4).is_some());
        assert!(Small::new(&word(21, 5)).unwrap().key(5).is_some());
        assert!(Small::new(&word(22, 5)).unwrap().key(5).is_none());
        assert_eq!(Small::new(&word(32, 4)), None);
    }
}
