//! What is known of positions: bounds and a good move.

/// One remembered position.
#[derive(Clone, Copy)]
pub(super) struct Memory {
    own: u64,
    other: u64,
    pub(super) low: i8,
    pub(super) high: i8,
    pub(super) best: u8,
    empties: u8,
}

const NOTHING: Memory = Memory {
    own: 0,
    other: 0,
    low: -64,
    high: 64,
    best: 64,
    empties: 0,
};

/// A table of fixed size: each place holds the larger of two trees and the latest.
pub(super) struct Table {
    slots: Vec<[Memory; 2]>,
    mask: usize,
}

impl Table {
    /// A table with two to the power of `bits` places of two positions each.
    pub(super) fn new(bits: u32) -> Table {
        let places = 1usize << bits;
        Table {
            slots: vec![[NOTHING; 2]; places],
            mask: places - 1,
        }
    }

    #[inline]
    fn place(&self, own: u64, other: u64) -> usize {
        let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(31);
        (mixed.wrapping_mul(0xff51_afd7_ed55_8ccd) >> 32) as usize & self.mask
    }

    #[inline]
    pub(super) fn find(&self, own: u64, other: u64) -> Option<&Memory> {
        self.slots[self.place(own, other)]
            .iter()
            .find(|m| m.own == own && m.other == other)
    }

    pub(super) fn keep(&mut self, own: u64, other: u64, empties: u8, bounds: (i32, i32), best: u8) {
        let place = self.place(own, other);
        let slot = &mut self.slots[place];
        let (low, high) = (bounds.0 as i8, bounds.1 as i8);
        let new = Memory {
            own,
            other,
            low,
            high,
            best,
            empties,
        };
        for memory in slot.iter_mut() {
            if memory.own == own && memory.other == other {
                let (low, high) = (new.low.max(memory.low), new.high.min(memory.high));
                *memory = Memory { low, high, ..new };
                return;
            }
        }
        if empties >= slot[0].empties {
            slot[1] = slot[0];
            slot[0] = new;
        } else {
            slot[1] = new;
        }
    }
}
