//! Lists of stored terms in one piece of memory, with an index that tells which are there.

use serde::{Deserialize, Serialize};

use crate::cell::Cell;

/// Blocks of cells one after the other, by number.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Blocks {
    cells: Vec<Cell>,
    /// Where each block ends.
    ends: Vec<usize>,
}

impl Blocks {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, number: usize) -> &[Cell] {
        let start = number.checked_sub(1).map_or(0, |n| self.ends[n]);
        &self.cells[start..self.ends[number]]
    }

    pub(crate) fn push(&mut self, block: &[Cell]) {
        self.cells.extend_from_slice(block);
        self.ends.push(self.cells.len());
    }

    /// Words of memory.
    pub(crate) fn words(&self) -> usize {
        self.cells.len() + self.ends.len()
    }
}

/// Finds the number of a block: open addressing, a slot holds half of the hash and the number + 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    slots: Vec<u64>,
    used: usize,
}

fn hash(block: &[Cell]) -> u64 {
    let mut h = block.len() as u64;
    for &w in block {
        h = (h.rotate_left(5) ^ w).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        h ^= h >> 32;
    }
    h
}

impl Index {
    /// An index of all blocks.
    pub(crate) fn of(blocks: &Blocks) -> Index {
        let mut index = Index::default();
        for n in 0..blocks.len() {
            index.insert(blocks, n);
        }
        index
    }

    pub(crate) fn words(&self) -> usize {
        self.slots.len()
    }

    /// The number of an equal block.
    pub(crate) fn find(&self, blocks: &Blocks, block: &[Cell]) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        let (h, mask) = (hash(block), self.slots.len() - 1);
        let mut at = h as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            if slot >> 32 == h >> 32 {
                let number = (slot as u32 - 1) as usize;
                if blocks.get(number) == block {
                    return Some(number);
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a block that is not there yet.
    pub(crate) fn insert(&mut self, blocks: &Blocks, number: usize) {
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![0; (old.len() * 2).max(8)];
            for slot in old.into_iter().filter(|s| *s != 0) {
                let number = (slot as u32 - 1) as usize;
                self.put(hash(blocks.get(number)), number);
            }
        }
        self.put(hash(blocks.get(number)), number);
        self.used += 1;
    }

    fn put(&mut self, h: u64, number: usize) {
        let mask = self.slots.len() - 1;
        let mut at = h as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = (h >> 32 << 32) | (number as u64 + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_again() {
        let (mut blocks, mut index) = (Blocks::default(), Index::default());
        let block = |n: u64| -> Vec<u64> { (0..n % 4).map(|k| n * 7 + k).collect() };
        let mut distinct = Vec::new();
        for n in 0..1000 {
            let b = block(n);
            let before = distinct.iter().position(|d| *d == b);
            assert_eq!(index.find(&blocks, &b), before);
            if before.is_none() {
                blocks.push(&b);
                index.insert(&blocks, blocks.len() - 1);
                distinct.push(b);
            }
        }
        assert_eq!(blocks.len(), distinct.len());
        let again = Index::of(&blocks);
        for (n, b) in distinct.iter().enumerate() {
            assert_eq!(again.find(&blocks, b), Some(n));
            assert_eq!(blocks.get(n), &b[..]);
        }
    }
}
