//! A fixed number of bits that the compiler can keep in registers.

/// `64 * B` bits, the lowest first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Bits<const B: usize>([u64; B]);

impl<const B: usize> Bits<B> {
    pub(super) const NONE: Bits<B> = Bits([0; B]);
    pub(super) const ALL: Bits<B> = Bits([u64::MAX; B]);

    /// The lowest `count` bits.
    pub(super) fn lowest(count: usize) -> Bits<B> {
        let block = |b: usize| match count.saturating_sub(64 * b) {
            0 => 0,
            some @ 1..64 => (1 << some) - 1,
            _ => u64::MAX,
        };
        Bits(std::array::from_fn(block))
    }

    pub(super) fn set(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    #[inline]
    pub(super) fn and(self, other: Bits<B>) -> Bits<B> {
        Bits(std::array::from_fn(|b| self.0[b] & other.0[b]))
    }

    #[inline]
    pub(super) fn or(self, other: Bits<B>) -> Bits<B> {
        Bits(std::array::from_fn(|b| self.0[b] | other.0[b]))
    }

    #[inline]
    pub(super) fn differ(self, other: Bits<B>) -> Bits<B> {
        Bits(std::array::from_fn(|b| self.0[b] ^ other.0[b]))
    }

    #[inline]
    pub(super) fn without(self, other: Bits<B>) -> Bits<B> {
        Bits(std::array::from_fn(|b| self.0[b] & !other.0[b]))
    }

    /// Every bit one place higher; the lowest becomes zero.
    #[inline]
    pub(super) fn up(self) -> Bits<B> {
        Bits(std::array::from_fn(|b| {
            self.0[b] << 1 | if b == 0 { 0 } else { self.0[b - 1] >> 63 }
        }))
    }

    /// Every bit one place lower; the highest stays as it was.
    #[inline]
    pub(super) fn down(self) -> Bits<B> {
        let top = 1 << 63;
        Bits(std::array::from_fn(|b| {
            self.0[b] >> 1
                | if b + 1 == B {
                    self.0[b] & top
                } else {
                    self.0[b + 1] << 63
                }
        }))
    }

    /// Every bit `by` places lower; the highest become zero.
    #[inline]
    pub(super) fn down_by(self, by: usize) -> Bits<B> {
        let (skip, shift) = (by / 64, by % 64);
        let block = |b: usize| if b < B { self.0[b] } else { 0 };
        if shift == 0 {
            return Bits(std::array::from_fn(|b| block(b + skip)));
        }
        Bits(std::array::from_fn(|b| {
            block(b + skip) >> shift | block(b + skip + 1) << (64 - shift)
        }))
    }

    #[inline]
    pub(super) fn any(self) -> bool {
        self.0.iter().fold(0, |all, block| all | block) != 0
    }

    #[inline]
    pub(super) fn each(self, mut tell: impl FnMut(usize)) {
        for (b, &block) in self.0.iter().enumerate() {
            let mut rest = block;
            while rest != 0 {
                tell(64 * b + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
    }
}
