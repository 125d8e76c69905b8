//! Moves and flips with vectors of four words, for x86-64 with AVX2: four directions and their opposites at once.

use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi64,
    _mm256_and_si256, _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi64,
    _mm256_extracti128_si256, _mm256_or_si256, _mm256_set_epi64x, _mm256_set1_epi64x,
    _mm256_setzero_si256, _mm256_slli_epi64, _mm256_sllv_epi64, _mm256_srlv_epi64,
    _mm256_sub_epi64,
};

/// The rays of a square in the four directions across, down left, down and down right.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Four([u64; 4]);

/// How far one step goes in each of the four directions.
const STEPS: [u32; 4] = [1, 7, 8, 9];

/// For every square the rays towards a1 and towards h8.
static RAYS: [[Four; 2]; 64] = {
    let mut rays = [[Four([0; 4]); 2]; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square as i32 / 8, square as i32 % 8);
        let mut way = 0;
        while way < 4 {
            // The way towards h8; the other one is its opposite.
            let (down, right) = [(0, 1), (1, -1), (1, 0), (1, 1)][way];
            let mut far = 1;
            while far < 8 {
                let mut sign = 0;
                while sign < 2 {
                    let far = if sign == 0 { -far } else { far };
                    let (r, c) = (row + far * down, column + far * right);
                    if r >= 0 && r < 8 && c >= 0 && c < 8 {
                        rays[square][sign].0[way] |= 1 << (8 * r + c);
                    }
                    sign += 1;
                }
                far += 1;
            }
            way += 1;
        }
        square += 1;
    }
    rays
};

#[inline]
#[target_feature(enable = "avx2")]
fn load(four: &Four) -> __m256i {
    let [a, b, c, d] = four.0;
    _mm256_set_epi64x(d as i64, c as i64, b as i64, a as i64)
}

#[inline]
#[target_feature(enable = "avx2")]
fn steps() -> __m256i {
    let [a, b, c, d] = STEPS;
    _mm256_set_epi64x(d.into(), c.into(), b.into(), a.into())
}

/// The union of the four words.
#[inline]
#[target_feature(enable = "avx2")]
fn union(four: __m256i) -> u64 {
    let two = _mm_or_si128(
        _mm256_castsi256_si128(four),
        _mm256_extracti128_si256::<1>(four),
    );
    _mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))) as u64
}

/// The squares where `own` may move, as [`crate::bits::moves`] finds them.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn moves(own: u64, other: u64) -> u64 {
    const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;
    let (step, twice) = (steps(), _mm256_slli_epi64::<1>(steps()));
    let discs = _mm256_set1_epi64x(own as i64);
    // Sideways directions leave out the outer columns, so that nothing wraps around.
    let runs = _mm256_and_si256(
        _mm256_set1_epi64x(other as i64),
        _mm256_set_epi64x(INNER, -1, INNER, INNER),
    );
    let mut up = _mm256_and_si256(runs, _mm256_sllv_epi64(discs, step));
    let mut down = _mm256_and_si256(runs, _mm256_srlv_epi64(discs, step));
    up = _mm256_or_si256(up, _mm256_and_si256(runs, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(runs, _mm256_srlv_epi64(down, step)));
    let pairs_up = _mm256_and_si256(runs, _mm256_sllv_epi64(runs, step));
    let pairs_down = _mm256_srlv_epi64(pairs_up, step);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
    down = _mm256_or_si256(
        down,
        _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)),
    );
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
    down = _mm256_or_si256(
        down,
        _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)),
    );
    let ends = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    union(ends) & !(own | other)
}

/// The discs that a disc of `own` on an empty square flips, as [`crate::bits::flips`] finds them.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn flips(square: usize, own: u64, other: u64) -> u64 {
    let [low, high] = &RAYS[square & 63];
    let (low, high) = (load(low), load(high));
    let discs = _mm256_set1_epi64x(own as i64);
    let others = _mm256_set1_epi64x(other as i64);
    let (zero, step) = (_mm256_setzero_si256(), steps());
    // Towards h8 the first square that is not the other side's is the lowest bit: if it is ours, all before it are flipped.
    let free = _mm256_andnot_si256(others, high);
    let first = _mm256_and_si256(free, _mm256_sub_epi64(zero, free));
    let flank = _mm256_and_si256(first, discs);
    let none = _mm256_cmpeq_epi64(flank, zero);
    let before = _mm256_add_epi64(_mm256_sub_epi64(flank, none), _mm256_set1_epi64x(-1));
    let up = _mm256_and_si256(before, high);
    // Towards a1 it is the highest bit: those further away are the ones that others reach by steps.
    let free = _mm256_andnot_si256(others, low);
    let mut behind = _mm256_srlv_epi64(free, step);
    behind = _mm256_or_si256(behind, _mm256_srlv_epi64(behind, step));
    let twice = _mm256_slli_epi64::<1>(step);
    behind = _mm256_or_si256(behind, _mm256_srlv_epi64(behind, twice));
    behind = _mm256_or_si256(
        behind,
        _mm256_srlv_epi64(behind, _mm256_slli_epi64::<2>(step)),
    );
    let flank = _mm256_andnot_si256(behind, _mm256_and_si256(free, discs));
    let above = _mm256_sub_epi64(zero, _mm256_slli_epi64::<1>(flank));
    union(_mm256_or_si256(up, _mm256_and_si256(above, low)))
}

#[cfg(test)]
mod tests {
    use wits_game::{Dice, Seed};

    use super::*;
    use crate::bits;

    /// By vectors; by the plain functions where this CPU has none, and there is nothing to compare.
    #[multiversion::multiversion(
        targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"),
        dispatcher = "direct"
    )]
    fn found(square: usize, own: u64, other: u64) -> (u64, u64) {
        multiversion::target::match_target! {
            "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt" => {
                (moves(own, other), flips(square, own, other))
            }
            _ => (bits::moves(own, other), bits::flips(square, own, other)),
        }
    }

    #[test]
    fn vectors_find_the_same_moves_and_flips() {
        let mut dice = Dice::new(Seed::new(7));
        for round in 0..20_000 {
            let (a, b, c) = (dice.next(), dice.next(), dice.next());
            let (own, other) = match round % 3 {
                0 => (a & !b, b & !a),
                1 => (a & b & c, !(a & b & c) & (a | c)),
                _ => (a & !(b & c), b & c),
            };
            for square in 0..64 {
                let (moves, flips) = found(square, own, other);
                assert_eq!(moves, bits::moves(own, other));
                if (own | other) >> square & 1 == 0 {
                    assert_eq!(flips, bits::flips(square, own, other), "{square}");
                }
            }
        }
    }
}
