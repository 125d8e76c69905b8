//! The last four empty squares.

use super::final_score;
use crate::bits;
use crate::cpu::on_every_cpu;

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

/// For a place on a line of eight and the discs of one side on it: how many discs a disc on that place flips when every other square
/// is taken. Squares beyond a short line or a small board count as the other side's: nothing lies behind them.
static TURNED: [[u8; 256]; 8] = {
    let mut turned = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own: usize = 0;
        while own < 256 {
            let mut at = place + 1;
            while at < 8 && own >> at & 1 == 0 {
                at += 1;
            }
            if at < 8 {
                turned[place][own] += (at - place - 1) as u8;
            }
            let mut at = place;
            while at > 0 && own >> (at - 1) & 1 == 0 {
                at -= 1;
            }
            if at > 0 {
                turned[place][own] += (place - at) as u8;
            }
            own += 1;
        }
        place += 1;
    }
    turned
};

/// For every square the two diagonals through it.
static SLANTS: [[u64; 2]; 64] = {
    let mut slants = [[0; 2]; 64];
    let mut square: i32 = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let (down, right) = (other / 8 - square / 8, other % 8 - square % 8);
            if down == right {
                slants[square as usize][0] |= 1 << other;
            }
            if down == -right {
                slants[square as usize][1] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    slants
};

/// How many discs a disc of `own` on the only empty square flips. The lines through it are folded into bytes by
/// multiplications.
#[inline(always)]
pub(super) const fn last_flips(square: u8, own: u64) -> i32 {
    const COLUMN: u64 = 0x0101_0101_0101_0101;
    let square = (square & 63) as usize;
    let (row, column) = (square >> 3, square & 7);
    let [falling, rising] = SLANTS[square];
    let across = (own >> (8 * row)) as u8;
    let down = ((own >> column & COLUMN).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
    let falling = ((own & falling).wrapping_mul(COLUMN) >> 56) as u8;
    let rising = ((own & rising).wrapping_mul(COLUMN) >> 56) as u8;
    let line = &TURNED[column];
    line[across as usize] as i32
        + TURNED[row][down as usize] as i32
        + line[falling as usize] as i32
        + line[rising as usize] as i32
}

/// One empty square: the score for the side to move.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "the innermost function of the solver; measured"
)]
const fn one(own: u64, square: u8, squares: i32) -> i32 {
    let taken = squares - 1;
    let diff = 2 * own.count_ones() as i32 - taken;
    let flips = last_flips(square, own);
    if flips > 0 {
        return diff + 2 * flips + 1;
    }
    let area = if squares == 64 {
        bits::ALL
    } else {
        bits::area(if squares == 16 { 4 } else { 6 })
    };
    let flips = last_flips(square, area & !(own | 1 << square));
    if flips > 0 {
        return diff - 2 * flips - 1;
    }
    if diff > 0 { diff + 1 } else { diff - 1 }
}

/// Places of a list with those first that are alone in their quarter.
#[inline]
fn alone_first([a, b, c]: [u8; 3]) -> [u8; 3] {
    let (qa, qb, qc) = (quarter(a), quarter(b), quarter(c));
    if qa == qb && qb != qc {
        [c, a, b]
    } else if qa == qc && qb != qc {
        [b, a, c]
    } else {
        [a, b, c]
    }
}

/// A list with those first that are alone in their quarter.
#[inline]
fn lone_first(list: [u8; 4]) -> [u8; 4] {
    let [a, b, c, d] = list;
    let [qa, qb, qc, qd] = list.map(quarter);
    // The quarters with an odd number of squares: two where the list has squares alone and others.
    let odd = qa ^ qb ^ qc ^ qd;
    if odd & odd.wrapping_sub(1) == 0 || odd == 15 {
        return list;
    }
    let alone = |q: u8| [qa, qb, qc, qd].into_iter().filter(|x| *x == q).count() == 1;
    match (alone(qa), alone(qb), alone(qc), alone(qd)) {
        (false, true, _, _) if alone(qc) => [b, c, a, d],
        (false, true, _, _) if alone(qd) => [b, d, a, c],
        (false, true, _, _) => [b, a, c, d],
        (false, false, true, true) => [c, d, a, b],
        (false, false, true, false) => [c, a, b, d],
        (false, false, false, true) => [d, a, b, c],
        (true, false, true, _) => [a, c, b, d],
        (true, false, false, true) => [a, d, b, c],
        _ => list,
    }
}

on_every_cpu! {
    /// Two empty squares.
    #[inline]
    fn two(
        nodes: &mut u64,
        squares: i32,
        (own, other): (u64, u64),
        (alpha, beta): (i32, i32),
        [a, b]: [u8; 2],
    ) -> i32 {
        *nodes += 1;
        let mut best = -100;
        for (x, y) in [(a, b), (b, a)] {
            if BESIDE[usize::from(x & 63)] & other != 0 {
                let flips = board::flips(usize::from(x), own, other);
                if flips != 0 {
                    *nodes += 1;
                    best = best.max(-one(other & !flips, y, squares));
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
                let flips = board::flips(usize::from(x), other, own);
                if flips != 0 {
                    *nodes += 1;
                    best = best.max(-one(own & !flips, y, squares));
                    if -best <= alpha {
                        return -best;
                    }
                }
            }
        }
        if best > -100 {
            -best
        } else {
            final_score(own, other, squares)
        }
    }

    /// Three empty squares; one alone in its quarter first.
    fn three(
        nodes: &mut u64,
        squares: i32,
        (own, other): (u64, u64),
        (alpha, beta): (i32, i32),
        list: [u8; 3],
        passed: bool,
    ) -> i32 {
        *nodes += 1;
        let [a, b, c] = alone_first(list);
        let mut best = -100;
        let mut low = alpha;
        for (x, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            if BESIDE[usize::from(x & 63)] & other == 0 {
                continue;
            }
            let flips = board::flips(usize::from(x), own, other);
            if flips == 0 {
                continue;
            }
            let next = (other & !flips, own | flips | 1 << x);
            let score = -two(nodes, squares, next, (-beta, -low), rest);
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
            final_score(own, other, squares)
        } else {
            -three(nodes, squares, (other, own), (-beta, -alpha), list, true)
        }
    }

    /// Four empty squares; those alone in their quarter first.
    pub(in crate::endgame) fn four(
        nodes: &mut u64,
        squares: i32,
        (own, other): (u64, u64),
        (alpha, beta): (i32, i32),
        list: [u8; 4],
        passed: bool,
    ) -> i32 {
        *nodes += 1;
        let [a, b, c, d] = lone_first(list);
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
            let flips = board::flips(usize::from(x), own, other);
            if flips == 0 {
                continue;
            }
            let next = (other & !flips, own | flips | 1 << x);
            let score = -three(nodes, squares, next, (-beta, -low), rest, false);
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
            final_score(own, other, squares)
        } else {
            -four(nodes, squares, (other, own), (-beta, -alpha), list, true)
        }
    }
}

#[cfg(test)]
mod tests {
    use wits_game::{Dice, Seed};

    use super::*;

    #[test]
    fn the_last_flips_are_counted_as_they_are_made() {
        let mut dice = Dice::new(Seed::new(5));
        for size in [4, 6, 8] {
            let area = bits::area(size);
            for _ in 0..3_000 {
                let board = dice.next() | dice.next() & dice.next();
                for square in (0..64u8).filter(|s| area >> s & 1 == 1) {
                    let own = board & area & !(1 << square);
                    let other = area & !own & !(1 << square);
                    let made = bits::flips(usize::from(square), own, other).count_ones();
                    assert_eq!(last_flips(square, own), made as i32, "{square} {own:x}");
                }
            }
        }
    }

    #[test]
    fn squares_alone_in_their_quarter_come_first() {
        let mut dice = Dice::new(Seed::new(6));
        for _ in 0..5_000 {
            let mut list = [0u8; 4];
            for i in 0..4 {
                list[i] = loop {
                    let square = dice.below(64) as u8;
                    if !list[..i].contains(&square) {
                        break square;
                    }
                };
            }
            let sorted = lone_first(list);
            let alone = |x: &u8| list.iter().filter(|y| quarter(**y) == quarter(*x)).count() == 1;
            let count = list.iter().filter(|x| alone(x)).count();
            assert!(sorted[..count].iter().all(alone), "{list:?} {sorted:?}");
            let (mut a, mut b) = (list, sorted);
            a.sort_unstable();
            b.sort_unstable();
            assert_eq!(a, b);
        }
    }
}
