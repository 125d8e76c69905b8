//! A small filter that knows which handfuls of letters make a word in some order.
//!
//! It answers "perhaps" or "certainly not": a Bloom filter (1970) with two probes over sums of random numbers, one for
//! each letter, so that a handful's number is the sum of its parts. "Certainly not" is all that a bound needs.

use crate::Lexicon;

use super::hand::KINDS;

/// Which handfuls make a word, perhaps.
#[derive(Clone, Debug)]
pub struct Anagrams {
    bits: Vec<u64>,
    mask: u64,
    letters: u8,
}

/// The number of a handful of letters: a sum, so order does not matter and parts can be added.
#[inline]
pub(crate) const fn key(letter: u8) -> u64 {
    KEYS[letter as usize & (KINDS - 1)]
}

static KEYS: [u64; KINDS] = keys();

/// Splitmix64 (Steele, Lea and Flood, 2014), one step for each letter.
const fn keys() -> [u64; KINDS] {
    let mut keys = [0; KINDS];
    let mut state: u64 = 0x5eed;
    let mut at = 0;
    while at < KINDS {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        keys[at] = z ^ (z >> 31);
        at += 1;
    }
    keys
}

impl Anagrams {
    /// The filter of a lexicon: two bytes a word.
    pub fn of(lexicon: &Lexicon) -> Anagrams {
        let size = (lexicon.len() as u64 * 16).next_power_of_two().max(64);
        let mut anagrams = Anagrams {
            bits: vec![0; size as usize / 64],
            mask: size - 1,
            letters: lexicon.tiles().len() as u8,
        };
        for word in lexicon.words() {
            let sum = word
                .iter()
                .fold(0, |sum: u64, letter| sum.wrapping_add(key(letter.code())));
            for probe in anagrams.probes(sum) {
                anagrams.bits[(probe / 64) as usize] |= 1 << (probe % 64);
            }
        }
        anagrams
    }

    #[inline]
    fn probes(&self, sum: u64) -> [u64; 2] {
        [sum & self.mask, (sum >> 32) & self.mask]
    }

    /// Whether the letters with this sum of [`key`]s may make a word.
    #[inline]
    pub(crate) fn perhaps(&self, sum: u64) -> bool {
        self.probes(sum)
            .iter()
            .all(|p| self.bits[(p / 64) as usize] >> (p % 64) & 1 == 1)
    }

    /// How many letters there are.
    pub(crate) fn letters(&self) -> u8 {
        self.letters
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.bits.len() * 8
    }
}
