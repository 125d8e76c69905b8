//! Short codes for frequent symbols (Huffman, 1952), in their canonical order.
//!
//! Codes of one length are consecutive numbers, so a table needs only how many codes each length has
//! and the symbols in order.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::bits::{BitWriter, peek};

/// The longest code that is ever needed: lists of millions need about 24.
pub(super) const DEEPEST: usize = 31;

/// How many codes each length has, and where the first symbol stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    /// By length, from 0; a length of 0 means that there is only one symbol.
    pub(super) counts: Vec<u32>,
}

impl Shape {
    /// How many symbols there are.
    pub(super) fn symbols(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// Reads a code: the symbol's place in order, and the code's length. Nothing for no code.
    #[inline]
    pub(super) fn read(&self, bytes: &[u8], at: usize) -> Option<(u32, usize)> {
        let window = peek(bytes, at);
        let (mut first, mut before) = (0u32, 0u32);
        for (length, &count) in self.counts.iter().enumerate() {
            let code = if length == 0 {
                0
            } else {
                window >> (32 - length)
            };
            // Codes below `first` were shorter ones and have been seen.
            if let Some(place) = code.checked_sub(first)
                && place < count
            {
                return Some((before + place, length));
            }
            before += count;
            first = first.wrapping_add(count) << 1;
        }
        None
    }
}

/// A code with its symbols, for writing.
pub(super) struct Code {
    pub(super) shape: Shape,
    /// In canonical order.
    pub(super) symbols: Vec<u32>,
    codes: BTreeMap<u32, (u32, u32)>,
}

impl Code {
    /// The best code for symbols that come so often.
    pub(super) fn new(often: &BTreeMap<u32, u64>) -> Code {
        let lengths = lengths(often);
        let mut order: Vec<(u32, u32)> = lengths.iter().map(|(&s, &length)| (length, s)).collect();
        order.sort_unstable();
        let deepest = order.last().map_or(0, |&(length, _)| length as usize);
        assert!(
            deepest <= DEEPEST,
            "word lists are far too short for longer codes"
        );
        let mut shape = Shape {
            counts: vec![0; if order.is_empty() { 0 } else { deepest + 1 }],
        };
        let mut codes = BTreeMap::new();
        let (mut next, mut last) = (0u32, order.first().map_or(0, |o| o.0));
        for &(length, symbol) in &order {
            next <<= length - last;
            last = length;
            codes.insert(symbol, (next, length));
            next += 1;
            shape.counts[length as usize] += 1;
        }
        Code {
            shape,
            symbols: order.into_iter().map(|(_, symbol)| symbol).collect(),
            codes,
        }
    }

    /// Writes a symbol that the code was made for.
    pub(super) fn put(&self, symbol: u32, to: &mut BitWriter) {
        let &(code, length) = self
            .codes
            .get(&symbol)
            .expect("the code was made from the same edges that are written");
        to.put(code, length);
    }
}

/// The length of each symbol's code.
fn lengths(often: &BTreeMap<u32, u64>) -> BTreeMap<u32, u32> {
    // Trees by weight; the second number makes the choice among equals the same everywhere.
    let mut heap: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
    let mut parents: Vec<usize> = vec![0; often.len()];
    for (at, &weight) in often.values().enumerate() {
        heap.push(Reverse((weight, at)));
    }
    while heap.len() > 1 {
        let (Some(Reverse(a)), Some(Reverse(b))) = (heap.pop(), heap.pop()) else {
            break;
        };
        let joined = parents.len();
        parents.push(0);
        parents[a.1] = joined;
        parents[b.1] = joined;
        heap.push(Reverse((a.0 + b.0, joined)));
    }
    let root = parents.len() - usize::from(!parents.is_empty());
    let depth = |mut at: usize| {
        let mut depth = 0;
        while at != root {
            at = parents[at];
            depth += 1;
        }
        depth
    };
    often
        .keys()
        .enumerate()
        .map(|(at, &symbol)| (symbol, depth(at)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_symbols_get_short_codes_and_all_are_read_back() {
        let often: BTreeMap<u32, u64> = (0..40).map(|s| (s * 7, 1u64 << (s % 9))).collect();
        let code = Code::new(&often);
        let mut writer = BitWriter::default();
        for &symbol in often.keys() {
            code.put(symbol, &mut writer);
        }
        let mut at = 0;
        for &symbol in often.keys() {
            let (place, length) = code.shape.read(&writer.bytes, at).unwrap();
            assert_eq!(code.symbols[place as usize], symbol);
            at += length;
        }
        assert_eq!(at, writer.len());
        // Kraft: the code is complete.
        let filled: f64 = code
            .shape
            .counts
            .iter()
            .enumerate()
            .map(|(l, &c)| f64::from(c) / 2f64.powi(l as i32))
            .sum();
        assert!((filled - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_lonely_symbol_costs_nothing() {
        let code = Code::new(&BTreeMap::from([(9, 100)]));
        let mut writer = BitWriter::default();
        code.put(9, &mut writer);
        assert_eq!(writer.len(), 0);
        assert_eq!(code.shape.read(&[], 0), Some((0, 0)));
        assert_eq!(Code::new(&BTreeMap::new()).shape.read(&[0; 4], 0), None);
    }
}
