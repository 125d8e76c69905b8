//! Which letters agree at a distance, as bits.

/// A word in bit planes: plane `b` holds bit `b` of every letter.
pub(super) struct Planes {
    by_bit: Vec<Vec<u64>>,
    length: usize,
    blocks: usize,
}

impl Planes {
    pub(super) fn new(word: &[u8]) -> Planes {
        let length = word.len();
        let blocks = length.div_ceil(64);
        let top = word.iter().copied().max().unwrap_or(0);
        let count = (8 - top.leading_zeros()).max(1) as usize;
        let mut planes = vec![vec![0u64; blocks + 1]; count];
        for (i, &c) in word.iter().enumerate() {
            for (b, plane) in planes.iter_mut().enumerate() {
                plane[i / 64] |= u64::from((c >> b) & 1) << (i % 64);
            }
        }
        Planes {
            by_bit: planes,
            length,
            blocks,
        }
    }

    /// Sets bit `t` where letter `t` equals letter `t + distance`; bits beyond the word are zero.
    pub(super) fn agree(&self, distance: usize, out: &mut Vec<u64>) {
        let room = self.length.saturating_sub(distance);
        let blocks = room.div_ceil(64);
        out.clear();
        out.resize(self.blocks + 1, 0);
        let (skip, shift) = (distance / 64, distance % 64);
        for plane in &self.by_bit {
            for (b, cell) in out[..blocks].iter_mut().enumerate() {
                let low = plane[b + skip] >> shift;
                let high = if shift == 0 {
                    0
                } else {
                    plane
                        .get(b + skip + 1)
                        .map_or(0, |next| next << (64 - shift))
                };
                *cell |= plane[b] ^ (low | high);
            }
        }
        for cell in &mut out[..blocks] {
            *cell = !*cell;
        }
        if let Some(last) = out[..blocks].last_mut()
            && !room.is_multiple_of(64)
        {
            *last &= (1 << (room % 64)) - 1;
        }
    }
}

/// The distances at which some factor of [`Echoes::LENGTH`] letters comes again: only diagonals with such an echo
/// can have a run of that length, and on words without repetition echoes are few.
pub(super) struct Echoes {
    at: Vec<bool>,
}

impl Echoes {
    /// How long an echo is. Shorter ones are too frequent to help, longer ones leave more periods unfiltered.
    pub(super) const LENGTH: usize = 6;

    pub(super) fn new(word: &[u8]) -> Echoes {
        let n = word.len();
        let mut at = vec![false; n + 2];
        let size = (2 * n).next_power_of_two();
        let shift = 64 - size.trailing_zeros();
        // Places by the hash of the factor that ends there, newest first.
        let mut heads = vec![u32::MAX; size];
        let mut older = vec![u32::MAX; n];
        let mut codes = vec![0u64; n];
        let mut code = 0u64;
        for (i, &c) in word.iter().enumerate() {
            code = (code << 6 | u64::from(c)) & ((1 << (6 * Self::LENGTH)) - 1);
            codes[i] = code;
            if i + 1 < Self::LENGTH {
                continue;
            }
            let slot = &mut heads[(code.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift) as usize];
            let mut j = *slot;
            while j != u32::MAX {
                if codes[j as usize] == code {
                    at[i - j as usize] = true;
                }
                j = older[j as usize];
            }
            older[i] = std::mem::replace(slot, i as u32);
        }
        Echoes { at }
    }

    /// Whether a diagonal may have a run of at least `least`.
    pub(super) fn may_have(&self, distance: usize, least: usize) -> bool {
        least < Self::LENGTH || distance == 0 || self.at.get(distance).copied().unwrap_or(false)
    }
}

/// Runs of ones, seen from every gap.
#[derive(Default)]
pub(super) struct Runs {
    /// `before[g]`: how many ones end just before gap `g`.
    pub(super) before: Vec<u32>,
    /// `after[g]`: how many ones start just after gap `g`.
    pub(super) after: Vec<u32>,
}

impl Runs {
    /// Measures the runs in the first `length` bits; both tables get `length + 2` places.
    pub(super) fn measure(&mut self, bits: &[u64], length: usize) {
        self.before.clear();
        self.before.resize(length + 2, 0);
        self.after.clear();
        self.after.resize(length + 2, 0);
        for (b, &block) in bits.iter().enumerate() {
            let mut rest = block;
            while rest != 0 {
                let t = b * 64 + rest.trailing_zeros() as usize;
                self.before[t + 1] = self.before[t] + 1;
                rest &= rest - 1;
            }
        }
        for (b, &block) in bits.iter().enumerate().rev() {
            let mut rest = block;
            while rest != 0 {
                let top = 63 - rest.leading_zeros() as usize;
                let t = b * 64 + top;
                self.after[t] = self.after[t + 1] + 1;
                rest &= !(1 << top);
            }
        }
    }
}
