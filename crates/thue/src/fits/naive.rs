//! The slow twin: put every symbol in and search the whole word.

use crate::words::{Variant, find};

/// The symbols that fit into one gap, by trying them.
pub fn at_naive(word: &[u8], gap: usize, symbols: usize, variant: Variant) -> u64 {
    let mut longer = word.to_vec();
    longer.insert(gap, 0);
    (0..symbols).fold(0, |fit, symbol| {
        longer[gap] = symbol as u8;
        fit | u64::from(find::first(&longer, variant).is_none()) << symbol
    })
}

/// The symbols that fit into each gap, by trying them.
pub fn all_naive(word: &[u8], symbols: usize, variant: Variant) -> Vec<u64> {
    (0..=word.len())
        .map(|gap| at_naive(word, gap, symbols, variant))
        .collect()
}
