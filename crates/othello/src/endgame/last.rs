//! The last four empty squares.

use super::final_score;
use crate::bits;

/// The squares around each square.
const BESIDE: [u64; 64] = {
    let mut beside = [0; 64];
    let mut i = 0;
    while i < 64 {
        beside[i] = bits::around(1 << i);
        i += 1;
    }
    beside
};

/// The quarter of the board a square lies in, as one of four bits.
#[inline]
pub(super) const fn quarter(square: u8) -> u8 {
    1 << ((square >> 5 & 1) << 1 | square >> 2 & 1)
}

/// What the last squares need to know of the whole.
pub(super) struct Last<'a> {
    pub(super) squares: i32,
    pub(super) nodes: &'a mut u64,
}

impl Last<'_> {
    /// One empty square.
    #[inline]
    fn one(&mut self, own: u64, other: u64, x: u8) -> i32 {
        *self.nodes += 1;
        let diff = 2 * own.count_ones() as i32 - (self.squares - 1);
        let flips = bits::flips(usize::from(x), own, other).count_ones() as i32;
        if flips > 0 {
            return diff + 2 * flips + 1;
        }
        let flips = bits::flips(usize::from(x), other, own).count_ones() as i32;
        if flips > 0 {
            return diff - 2 * flips - 1;
        }
        if diff > 0 { diff + 1 } else { diff - 1 }
    }

    /// Two empty squares.
    #[inline]
    fn two(&mut self, own: u64, other: u64, alpha: i32, beta: i32, [a, b]: [u8; 2]) -> i32 {
        *self.nodes += 1;
        let mut best = -100;
        for (x, y) in [(a, b), (b, a)] {
            if BESIDE[usize::from(x & 63)] & other != 0 {
                let flips = bits::flips(usize::from(x), own, other);
                if flips != 0 {
                    let score = -self.one(other & !flips, own | flips | 1 << x, y);
                    best = best.max(score);
                    if best >= beta {
                        return best;
                    }
                }
            }
        }
        if best > -100 {
            return best;
        }
        // A pass: now the other side tries.
        for (x, y) in [(a, b), (b, a)] {
            if BESIDE[usize::from(x & 63)] & own != 0 {
                let flips = bits::flips(usize::from(x), other, own);
                if flips != 0 {
                    let score = -self.one(own & !flips, other | flips | 1 << x, y);
                    best = best.max(score);
                    if -best <= alpha {
                        return -best;
                    }
                }
            }
        }
        if best > -100 {
            -best
        } else {
            final_score(own, other, self.squares)
        }
    }

    /// Three empty squares; one alone in its quarter first.
    fn three(
        &mut self,
        own: u64,
        other: u64,
        alpha: i32,
        beta: i32,
        list: [u8; 3],
        passed: bool,
    ) -> i32 {
        *self.nodes += 1;
        let [a, b, c] = list;
        let (qa, qb, qc) = (quarter(a), quarter(b), quarter(c));
        let [a, b, c] = if qa == qb && qb != qc {
            [c, a, b]
        } else if qa == qc && qb != qc {
            [b, a, c]
        } else {
            list
        };
        let mut best = -100;
        let mut low = alpha;
        for (x, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            if BESIDE[usize::from(x & 63)] & other == 0 {
                continue;
            }
            let flips = bits::flips(usize::from(x), own, other);
            if flips == 0 {
                continue;
            }
            let score = -self.two(other & !flips, own | flips | 1 << x, -beta, -low, rest);
            if score > best {
                best = score;
                if best >= beta {
                    return best;
                }
                low = low.max(best);
            }
        }
        if best > -100 {
            best
        } else if passed {
            final_score(own, other, self.squares)
        } else {
            -self.three(other, own, -beta, -alpha, [a, b, c], true)
        }
    }

    /// Four empty squares; those alone in their quarter first.
    pub(super) fn four(
        &mut self,
        own: u64,
        other: u64,
        alpha: i32,
        beta: i32,
        list: [u8; 4],
        passed: bool,
    ) -> i32 {
        *self.nodes += 1;
        let odd = list.iter().fold(0, |odd, &x| odd ^ quarter(x));
        let mut sorted = list;
        let mut at = 0;
        for want in [true, false] {
            for &x in &list {
                if (odd & quarter(x) != 0) == want {
                    sorted[at] = x;
                    at += 1;
                }
            }
        }
        let [a, b, c, d] = sorted;
        let mut best = -100;
        let mut low = alpha;
        for (x, rest) in [
            (a, [b, c, d]),
            (b, [a, c, d]),
            (c, [a, b, d]),
            (d, [a, b, c]),
        ] {
            if BESIDE[usize::from(x & 63)] & other == 0 {
                continue;
            }
            let flips = bits::flips(usize::from(x), own, other);
            if flips == 0 {
                continue;
            }
            let score = -self.three(
                other & !flips,
                own | flips | 1 << x,
                -beta,
                -low,
                rest,
                false,
            );
            if score > best {
                best = score;
                if best >= beta {
                    return best;
                }
                low = low.max(best);
            }
        }
        if best > -100 {
            best
        } else if passed {
            final_score(own, other, self.squares)
        } else {
            -self.four(other, own, -beta, -alpha, sorted, true)
        }
    }
}
