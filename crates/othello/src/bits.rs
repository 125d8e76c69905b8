//! Sets of squares in one machine word, and the moves of the game on them.
//!
//! Bit 0 is a1, bit 7 is h1, bit 63 is h8. A smaller board lies in the top left corner; the squares
//! outside it are never occupied, so the same functions serve all sizes once moves are masked.
#![expect(
    clippy::inline_always,
    reason = "the innermost loops of every search; measured"
)]

/// The whole board.
pub const ALL: u64 = !0;
/// The four corners of the large board.
pub const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The border of the large board.
pub const BORDER: u64 = 0xff81_8181_8181_81ff;
/// Every column but the first and the last.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;
const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The squares of a board with `size` rows and columns.
pub const fn area(size: usize) -> u64 {
    let mut area = 0;
    let mut row = 0;
    while row < size {
        area |= ((1u64 << size) - 1) << (8 * row);
        row += 1;
    }
    area
}

/// Runs of `other` beside `own` in one direction and its opposite, and the squares behind them.
#[inline(always)]
const fn behind(own: u64, other: u64, step: u32) -> u64 {
    let mut up = other & (own << step);
    let mut down = other & (own >> step);
    up |= other & (up << step);
    down |= other & (down >> step);
    let pairs_up = other & (other << step);
    let pairs_down = pairs_up >> step;
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    (up << step) | (down >> step)
}

/// The squares where `own` may move: those that flank a run of `other`.
///
/// Parallel prefix fill over the eight directions (after Kogge and Stone 1973); sideways
/// directions leave out the outer columns of the runs so that nothing wraps around.
#[inline(always)]
pub const fn moves(own: u64, other: u64) -> u64 {
    let inner = other & INNER;
    (behind(own, inner, 1) | behind(own, other, 8) | behind(own, inner, 7) | behind(own, inner, 9))
        & !(own | other)
}

/// For every square, the rays towards h8: down, down left, down right.
const RAYS: [[u64; 3]; 64] = {
    let mut rays = [[0; 3]; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let mut far = 1;
        while far < 8 {
            if row + far < 8 {
                rays[square][0] |= 1 << (square + 8 * far);
                if column >= far {
                    rays[square][1] |= 1 << (square + 7 * far);
                }
                if column + far < 8 {
                    rays[square][2] |= 1 << (square + 9 * far);
                }
            }
            far += 1;
        }
        square += 1;
    }
    rays
};

/// For a column and the six inner discs of the other side in a row: the two squares that could flank.
const FLANKS: [[u8; 64]; 8] = {
    let mut flanks = [[0; 64]; 8];
    let mut column: usize = 0;
    while column < 8 {
        let mut inner = 0;
        while inner < 64 {
            let row = inner << 1;
            let mut flank = 0;
            let mut at = column + 1;
            while at < 8 && row >> at & 1 == 1 {
                at += 1;
            }
            if at < 8 && at > column + 1 {
                flank |= 1 << at;
            }
            let mut at = column as isize - 1;
            while at >= 0 && row >> at & 1 == 1 {
                at -= 1;
            }
            if at >= 0 && at < column as isize - 1 {
                flank |= 1 << at;
            }
            flanks[column][inner] = flank as u8;
            inner += 1;
        }
        column += 1;
    }
    flanks
};

/// For a column and the flanking discs of its row: the discs between.
const BETWEEN: [[u8; 256]; 8] = {
    let mut between = [[0; 256]; 8];
    let mut column: usize = 0;
    while column < 8 {
        let mut flank: usize = 0;
        while flank < 256 {
            let mut set = 0;
            let mut at = column + 1;
            while at < 8 {
                if flank >> at & 1 == 1 {
                    let mut i = column + 1;
                    while i < at {
                        set |= 1 << i;
                        i += 1;
                    }
                    break;
                }
                at += 1;
            }
            let mut at = column as isize - 1;
            while at >= 0 {
                if flank >> at & 1 == 1 {
                    let mut i = at + 1;
                    while i < column as isize {
                        set |= 1 << i;
                        i += 1;
                    }
                    break;
                }
                at -= 1;
            }
            between[column][flank] = set;
            flank += 1;
        }
        column += 1;
    }
    between
};

/// The discs flipped along one ray towards h8: a carry runs through the run of `other`.
#[inline(always)]
const fn along(own: u64, other: u64, ray: u64) -> u64 {
    let flank = (other | !ray).wrapping_add(1) & ray & own;
    flank.wrapping_sub((flank != 0) as u64) & ray
}

/// The discs of `other` that a disc of `own` on an empty square flips; none if it may not move there.
#[inline(always)]
pub const fn flips(square: usize, own: u64, other: u64) -> u64 {
    let square = square & 63;
    let (row, column) = (square & 0x38, square & 7);
    let inner = (other >> (row + 1)) as usize & 63;
    let flank = FLANKS[column][inner] & (own >> row) as u8;
    let sideways = (BETWEEN[column][flank as usize] as u64) << row;
    let rays = &RAYS[square];
    let down = along(own, other, rays[0]) | along(own, other, rays[1]) | along(own, other, rays[2]);
    // Upside down, the three rays upwards run downwards too.
    let (own, other) = (own.swap_bytes(), other.swap_bytes());
    let rays = &RAYS[square ^ 0x38];
    let up = along(own, other, rays[0]) | along(own, other, rays[1]) | along(own, other, rays[2]);
    sideways | down | up.swap_bytes()
}

/// The squares that touch a set, the set itself left out.
#[inline]
pub const fn around(set: u64) -> u64 {
    let rows = set | (set << 8) | (set >> 8);
    (rows | ((rows & NOT_H) << 1) | ((rows & NOT_A) >> 1)) & !set
}

/// Mirrors top and bottom.
#[inline]
pub const fn upside_down(set: u64) -> u64 {
    set.swap_bytes()
}

/// Mirrors left and right.
#[inline]
pub const fn mirrored(set: u64) -> u64 {
    set.swap_bytes().reverse_bits()
}

/// Mirrors along the diagonal from a1 to h8 (Warren, *Hacker's Delight*: transposing bits).
#[inline]
pub const fn transposed(set: u64) -> u64 {
    let mut x = set;
    let mut t = 0x0f0f_0f0f_0000_0000 & (x ^ (x << 28));
    x ^= t ^ (t >> 28);
    t = 0x3333_0000_3333_0000 & (x ^ (x << 14));
    x ^= t ^ (t >> 14);
    t = 0x5500_5500_5500_5500 & (x ^ (x << 7));
    x ^ t ^ (t >> 7)
}

/// One of the eight symmetries of the large board: bit 0 mirrors left and right, bit 1 top and
/// bottom, bit 2 along the diagonal, in that order.
pub const fn turned(set: u64, how: usize) -> u64 {
    let mut set = set;
    if how & 1 != 0 {
        set = mirrored(set);
    }
    if how & 2 != 0 {
        set = upside_down(set);
    }
    if how & 4 != 0 {
        set = transposed(set);
    }
    set
}

/// The least of the eight images of a pair of sets: equal for positions that look the same.
pub fn canonical(own: u64, other: u64) -> (u64, u64) {
    let image = |how| (turned(own, how), turned(other, how));
    (1..8).map(image).fold((own, other), Ord::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wits_game::{Dice, Seed};

    /// The rules square by square, as a child would apply them.
    fn slow_flips(square: usize, own: u64, other: u64) -> u64 {
        let mut all = 0;
        for (dr, dc) in [
            (-1, -1),
            (-1, 0),
            (-1, 1),
            (0, -1),
            (0, 1),
            (1, -1),
            (1, 0),
            (1, 1),
        ] {
            let (mut r, mut c) = ((square / 8) as i32, (square % 8) as i32);
            let mut run = 0;
            loop {
                r += dr;
                c += dc;
                if !(0..8).contains(&r) || !(0..8).contains(&c) {
                    break;
                }
                let bit = 1u64 << (r * 8 + c);
                if other & bit != 0 {
                    run |= bit;
                } else {
                    if own & bit != 0 {
                        all |= run;
                    }
                    break;
                }
            }
        }
        all
    }

    #[test]
    fn moves_and_flips_agree_with_the_slow_twin() {
        let mut dice = Dice::new(Seed::new(1));
        for round in 0..20_000 {
            let (a, b, c) = (dice.next(), dice.next(), dice.next());
            let (own, other) = match round % 3 {
                0 => (a & !b, b & !a),
                1 => (a & b & c, !(a & b & c) & (a | c)),
                _ => (a & !(b & c), b & c),
            };
            let empty = !(own | other);
            let mut legal = 0;
            for square in 0..64 {
                if empty >> square & 1 == 1 {
                    let slow = slow_flips(square, own, other);
                    assert_eq!(
                        flips(square, own, other),
                        slow,
                        "{square} {own:x} {other:x}"
                    );
                    if slow != 0 {
                        legal |= 1 << square;
                    }
                }
            }
            assert_eq!(moves(own, other), legal, "{own:x} {other:x}");
        }
    }

    #[test]
    fn symmetries_are_eight_and_undo_themselves() {
        let odd = 0x0000_0000_0000_0402;
        let mut images: Vec<u64> = (0..8).map(|how| turned(odd, how)).collect();
        for image in &images {
            assert_eq!(canonical(*image, 0), canonical(odd, 0));
        }
        images.sort_unstable();
        images.dedup();
        assert_eq!(images.len(), 8);
        assert_eq!(transposed(1 << 1), 1 << 8);
        assert_eq!(mirrored(1), 1 << 7);
    }

    #[test]
    fn neighbours_do_not_wrap() {
        assert_eq!(around(1), 0b10 | 0x300);
        assert_eq!(around(1 << 7).count_ones(), 3);
        assert_eq!(around(1 << 27).count_ones(), 8);
        assert_eq!(area(8), ALL);
        assert_eq!(area(4), 0x0f0f_0f0f);
    }
}
