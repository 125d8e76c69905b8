//! Discs that can never be turned over again.
#![expect(
    clippy::inline_always,
    reason = "called from searches that are compiled for several CPUs; measured"
)]

use crate::bits;

/// The squares on full lines, one set for each of the four directions: across, down, and the
/// two slants.
#[inline(always)]
pub(crate) fn full_lines(taken: u64) -> [u64; 4] {
    // Across: a row is full when all its eight bits are set.
    let mut rows = taken & (taken >> 1);
    rows &= rows >> 2;
    rows &= rows >> 4;
    let across = (rows & 0x0101_0101_0101_0101) * 0xff;
    // Down: fold the rows onto the first.
    let mut columns = taken & taken.rotate_right(8);
    columns &= columns.rotate_right(16);
    columns &= columns.rotate_right(32);
    // Slanting: spread every empty square along its slant (parallel prefix, borders not wrapped).
    let empty = !taken;
    let mut up_right = empty;
    let mut down_right = empty;
    let (h1, h2, h4) = (
        0xfefe_fefe_fefe_fefe,
        0xfcfc_fcfc_fcfc_fcfc,
        0xf0f0_f0f0_f0f0_f0f0,
    );
    let (a1, a2, a4) = (
        0x7f7f_7f7f_7f7f_7f7f,
        0x3f3f_3f3f_3f3f_3f3f,
        0x0f0f_0f0f_0f0f_0f0f,
    );
    let mut back = down_right;
    down_right |= (down_right << 9) & h1;
    down_right |= (down_right << 18) & h2;
    down_right |= (down_right << 36) & h4;
    back |= (back >> 9) & a1;
    back |= (back >> 18) & a2;
    back |= (back >> 36) & a4;
    let slant = !(down_right | back);
    let mut down_left = up_right;
    up_right |= (up_right >> 7) & h1;
    up_right |= (up_right >> 14) & h2;
    up_right |= (up_right >> 28) & h4;
    down_left |= (down_left << 7) & a1;
    down_left |= (down_left << 14) & a2;
    down_left |= (down_left << 28) & a4;
    [across, columns, slant, !(up_right | down_left)]
}

const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = 0x8080_8080_8080_8080;
const TOP: u64 = 0x0000_0000_0000_00ff;
const BOTTOM: u64 = 0xff00_0000_0000_0000;

/// The stable discs of one side by the classical rule: a disc is stable if on each of its four lines it
/// is at the border, next to a stable disc of its own colour, or the line is full. Corners come first, and the rule is applied until
/// nothing changes; all squares at once.
#[inline(always)]
fn side(own: u64, full: &[u64; 4]) -> u64 {
    let sides = [
        full[0] | LEFT | RIGHT,
        full[1] | TOP | BOTTOM,
        full[2] | bits::BORDER,
        full[3] | bits::BORDER,
    ];
    grown(own, &sides)
}

/// The stable discs of one side, where the squares are known that are safe along each of the four lines by themselves.
#[inline(always)]
fn grown(own: u64, sides: &[u64; 4]) -> u64 {
    let mut stable = own & sides[0] & sides[1] & sides[2] & sides[3];
    if stable == 0 {
        return 0;
    }
    loop {
        let across = sides[0] | ((stable << 1) & !LEFT) | ((stable >> 1) & !RIGHT);
        let down = sides[1] | (stable << 8) | (stable >> 8);
        let slant = sides[2] | ((stable << 9) & !LEFT) | ((stable >> 9) & !RIGHT);
        let other = sides[3] | ((stable << 7) & !RIGHT) | ((stable >> 7) & !LEFT);
        let more = own & across & down & slant & other;
        if more == stable {
            return stable;
        }
        stable = more;
    }
}

/// The stable discs of both sides.
///
/// Sound but not complete: every disc it names can never be turned over, but some that cannot are
/// not named. It starts from corners and from squares whose every line is full.
#[inline(always)]
pub fn stable(black: u64, white: u64) -> u64 {
    let taken = black | white;
    if taken & bits::CORNERS == 0 {
        // No full line through the border is possible without corners on both edges' ends; discs
        // inside full lines may still be stable.
        let full = full_lines(taken);
        if full[0] & full[1] & full[2] & full[3] == 0 {
            return 0;
        }
        return side(black, &full) | side(white, &full);
    }
    let full = full_lines(taken);
    side(black, &full) | side(white, &full)
}

/// The stable discs of both sides on a board of so many rows in the upper left corner.
pub(crate) fn stable_on(size: usize, black: u64, white: u64) -> u64 {
    // A line that leaves the board goes on over squares that nobody can take.
    let full = full_lines(black | white | !bits::area(size));
    let last = size - 1;
    let columns = LEFT | LEFT << last;
    let rows = TOP | TOP << (8 * last);
    let sides = [
        full[0] | columns,
        full[1] | rows,
        full[2] | columns | rows,
        full[3] | columns | rows,
    ];
    grown(black, &sides) | grown(white, &sides)
}

/// The stable discs of one side, for cutoffs in the endgame.
#[inline(always)]
pub(crate) fn stable_of(own: u64, other: u64) -> u64 {
    let full = full_lines(own | other);
    side(own, &full)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wits_game::{Dice, Seed};

    const WAYS: [[(i32, i32); 2]; 4] = [
        [(0, 1), (0, -1)],
        [(1, 0), (-1, 0)],
        [(1, 1), (-1, -1)],
        [(1, -1), (-1, 1)],
    ];

    fn on(size: i32, r: i32, c: i32) -> Option<u64> {
        ((0..size).contains(&r) && (0..size).contains(&c)).then(|| 1 << (r * 8 + c))
    }

    /// The rule square by square.
    fn slow(size: i32, own: u64, taken: u64) -> u64 {
        let mut stable = 0;
        loop {
            let mut more = stable;
            for square in 0..64 {
                let (r, c) = (square / 8, square % 8);
                if own >> square & 1 == 0 {
                    continue;
                }
                let good = WAYS.iter().all(|way| {
                    let beside = way
                        .iter()
                        .any(|(dr, dc)| on(size, r + dr, c + dc).is_none_or(|b| stable & b != 0));
                    let full = way.iter().all(|(dr, dc)| {
                        (1..8).all(|k| {
                            on(size, r + k * dr, c + k * dc).is_none_or(|b| taken & b != 0)
                        })
                    });
                    beside || full
                });
                if good {
                    more |= 1u64 << square;
                }
            }
            if more == stable {
                return stable;
            }
            stable = more;
        }
    }

    #[test]
    fn agrees_with_the_slow_twin_and_names_only_what_stays() {
        let mut dice = Dice::new(Seed::new(3));
        for round in 0..400u64 {
            let mut p = crate::Position::START;
            let mut seen = Vec::new();
            while !p.over() {
                let stable = stable(p.black, p.white);
                let twin = slow(8, p.black, p.taken()) | slow(8, p.white, p.taken());
                assert_eq!(stable, twin, "{round} {p:?}");
                assert_eq!(stable_of(p.black, p.white), slow(8, p.black, p.taken()));
                seen.push((p, stable));
                let moves: Vec<_> = crate::Square::all(p.moves()).collect();
                let Some(mv) = dice.pick(&moves) else { break };
                p = p.played(*mv);
            }
            for (before, stable) in seen {
                assert_eq!(before.black & stable & p.white, 0);
                assert_eq!(before.white & stable & p.black, 0);
            }
        }
    }

    #[test]
    fn on_small_boards_it_agrees_with_the_slow_twin() {
        let mut dice = Dice::new(Seed::new(4));
        for size in [4, 6, 8] {
            let area = bits::area(size);
            for round in 0..2_000 {
                // From thin to full: each mask halves what is empty.
                let empty = (0..round % 6).fold(area, |set, _| set & dice.next());
                let taken = area & !empty;
                let black = dice.next() & taken;
                let white = taken & !black;
                let twin = slow(size as i32, black, taken) | slow(size as i32, white, taken);
                assert_eq!(
                    stable_on(size, black, white),
                    twin,
                    "{size} {black:x} {white:x}"
                );
            }
        }
    }
}
