//! What the engine remembers of positions. Many threads may share one table without a lock.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// One remembered position: bounds on its worth from a search of some depth, and a good move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Memory {
    pub(crate) low: i16,
    pub(crate) high: i16,
    pub(crate) depth: u8,
    /// How selective the search was that found the bounds; 0 is not at all.
    pub(crate) trust: u8,
    /// The best square, or 64.
    pub(crate) best: u8,
}

impl Memory {
    const fn packed(self, age: u8) -> u64 {
        (self.low as u16 as u64)
            | (self.high as u16 as u64) << 16
            | (self.depth as u64) << 32
            | (self.best as u64) << 40
            | (self.trust as u64) << 48
            | (age as u64) << 56
    }

    const fn unpacked(word: u64) -> Memory {
        Memory {
            low: word as u16 as i16,
            high: (word >> 16) as u16 as i16,
            depth: (word >> 32) as u8,
            best: (word >> 40) as u8,
            trust: (word >> 48) as u8,
        }
    }
}

/// Each word is stored mixed with what it describes, so that halves written by two threads at once do not fit together
/// and are not believed (Hyatt's lockless hashing).
#[derive(Default)]
struct Slot {
    own: AtomicU64,
    other: AtomicU64,
    word: AtomicU64,
}

impl Slot {
    fn read(&self, own: u64, other: u64) -> Option<u64> {
        let word = self.word.load(Relaxed);
        let fits = self.own.load(Relaxed) ^ word == own
            && self.other.load(Relaxed) ^ word.rotate_left(32) == other;
        (fits && word != 0).then_some(word)
    }

    fn write(&self, own: u64, other: u64, word: u64) {
        self.own.store(own ^ word, Relaxed);
        self.other.store(other ^ word.rotate_left(32), Relaxed);
        self.word.store(word, Relaxed);
    }
}

/// A table of fixed size: each place holds two positions, the deeper of the present search first.
pub(crate) struct Table {
    slots: Vec<[Slot; 2]>,
}

impl Table {
    /// A table with two to the power of `bits` places of two positions each, 48 bytes a place.
    pub(crate) fn new(bits: u32) -> Table {
        let mut slots = Vec::new();
        slots.resize_with(1 << bits, Default::default);
        Table { slots }
    }

    #[inline]
    fn place(&self, own: u64, other: u64) -> usize {
        let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(31);
        (mixed.wrapping_mul(0xff51_afd7_ed55_8ccd) >> 32) as usize & (self.slots.len() - 1)
    }

    #[inline]
    pub(crate) fn find(&self, own: u64, other: u64) -> Option<Memory> {
        let place = &self.slots[self.place(own, other)];
        let word = place[0]
            .read(own, other)
            .or_else(|| place[1].read(own, other))?;
        Some(Memory::unpacked(word))
    }

    pub(crate) fn keep(&self, own: u64, other: u64, memory: Memory, age: u8) {
        let place = &self.slots[self.place(own, other)];
        let word = memory.packed(age);
        let first = place[0].word.load(Relaxed);
        let older = (first >> 56) as u8 != age;
        let mine = place[0].read(own, other).is_some();
        if older || mine || memory.depth >= Memory::unpacked(first).depth {
            place[0].write(own, other, word);
        } else {
            place[1].write(own, other, word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_and_nothing_else() {
        let table = Table::new(4);
        let memory = Memory {
            low: -300,
            high: 1200,
            depth: 9,
            trust: 2,
            best: 19,
        };
        assert_eq!(table.find(5, 10), None);
        table.keep(5, 10, memory, 3);
        assert_eq!(table.find(5, 10), Some(memory));
        assert_eq!(table.find(10, 5), None);
        assert_eq!(table.find(5, 8), None);
    }

    #[test]
    fn torn_words_are_not_believed() {
        let slot = Slot::default();
        slot.write(5, 10, 77);
        slot.word.store(78, Relaxed);
        assert_eq!(slot.read(5, 10), None);
    }
}
