//! Which letters agree at a distance, as bits.

/// A word in bit planes: plane `b` holds bit `b` of every letter.
pub(super) struct Planes {
    planes: Vec<Vec<u64>>,
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
        Planes { planes, length, blocks }
    }

    /// Sets bit `t` where letter `t` equals letter `t + distance`; bits beyond the word are zero.
    pub(super) fn agree(&self, distance: usize, out: &mut Vec<u64>) {
        let room = self.length.saturating_sub(distance);
        let blocks = room.div_ceil(64);
        out.clear();
        out.resize(self.blocks + 1, 0);
        let (skip, shift) = (distance / 64, distance % 64);
        for plane in &self.planes {
            for (b, cell) in out[..blocks].iter_mut().enumerate() {
                let low = plane[b + skip] >> shift;
                let high = if shift == 0 { 0 } else { plane.get(b + skip + 1).map_or(0, |next| next << (64 - shift)) };
                *cell |= plane[b] ^ (low | high);
            }
        }
        for cell in &mut out[..blocks] {
            *cell = !*cell;
        }
        if let Some(last) = out[..blocks].last_mut()
            && room % 64 != 0
        {
            *last &= (1 << (room % 64)) - 1;
        }
    }
}

/// Whether bits have a run of at least `least` ones.
pub(super) fn has_run(bits: &[u64], least: usize, work: &mut Vec<u64>) -> bool {
    if least == 0 {
        return true;
    }
    work.clear();
    work.extend_from_slice(bits);
    let mut have = 1;
    while have < least {
        let step = have.min(least - have);
        let (skip, shift) = (step / 64, step % 64);
        let mut any = 0;
        for b in 0..work.len() {
            let low = work.get(b + skip).copied().unwrap_or(0) >> shift;
            let high = if shift == 0 { 0 } else { work.get(b + skip + 1).map_or(0, |next| next << (64 - shift)) };
            work[b] &= low | high;
            any |= work[b];
        }
        if any == 0 {
            return false;
        }
        have += step;
    }
    work.iter().any(|&block| block != 0)
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
