//! Pawns on a board, as two sets of squares.

use serde::{Deserialize, Serialize};
use wits_game::Seat;

/// The rules of Hexapawn on one size of board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Hexapawn {
    rows: u8,
    cols: u8,
}

/// A board that Hexapawn is not played on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a board of {rows} rows and {cols} columns is not possible; take at least 3 rows and 1 column, and at most 64 squares"
)]
pub struct BadSize {
    /// The rows that were asked for.
    pub rows: u8,
    /// The columns that were asked for.
    pub cols: u8,
}

/// A position: where the pawns of each side stand, and who is to move.
///
/// Squares are numbered from `a1` to the right and then upwards; a set of squares is a mask.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Board {
    #[serde(with = "mask")]
    pub(super) white: u64,
    #[serde(with = "mask")]
    pub(super) black: u64,
    pub(super) turn: Seat,
}

/// One step of a pawn: straight ahead to an empty square, or slantwise onto an enemy pawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    pub(super) from: u8,
    pub(super) to: u8,
}

impl Step {
    /// The number of the square it leaves.
    pub const fn from(self) -> usize {
        self.from as usize
    }

    /// The number of the square it reaches.
    pub const fn to(self) -> usize {
        self.to as usize
    }
}

impl Board {
    /// The squares of a side's pawns, as a mask. White sits first.
    pub const fn pawns(&self, seat: Seat) -> u64 {
        if seat.index() == 0 {
            self.white
        } else {
            self.black
        }
    }

    /// Who is to move, were the game not over.
    pub const fn to_move(&self) -> Seat {
        self.turn
    }
}

impl Hexapawn {
    /// Gardner's board.
    pub const CLASSIC: Hexapawn = Hexapawn { rows: 3, cols: 3 };

    /// A board with that many rows and columns, if it is possible.
    pub fn new(rows: u8, cols: u8) -> Result<Hexapawn, BadSize> {
        let fits = rows >= 3 && cols >= 1 && u32::from(rows) * u32::from(cols) <= 64;
        if fits {
            Ok(Hexapawn { rows, cols })
        } else {
            Err(BadSize { rows, cols })
        }
    }

    /// How many rows.
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// How many columns.
    pub const fn cols(self) -> u8 {
        self.cols
    }

    /// How many squares.
    pub const fn squares(self) -> u8 {
        self.rows * self.cols
    }

    /// The squares of one row, counted from White's side.
    pub(super) const fn row(self, row: u8) -> u64 {
        (u64::MAX >> (64 - self.cols)) << (row * self.cols)
    }

    /// All squares.
    pub(super) const fn all(self) -> u64 {
        u64::MAX >> (64 - self.squares())
    }

    /// The squares of one column, counted from the left.
    pub(super) fn column(self, col: u8) -> u64 {
        (0..self.rows).fold(0, |mask, row| mask | 1 << (row * self.cols + col))
    }

    /// Pawns of both sides on their home rows, White to move.
    pub const fn opening(self) -> Board {
        Board {
            white: self.row(0),
            black: self.row(self.rows - 1),
            turn: Seat::FIRST,
        }
    }

    /// The same position seen in a mirror: left and right exchanged.
    pub fn mirror(self, board: &Board) -> Board {
        Board {
            white: self.mirror_mask(board.white),
            black: self.mirror_mask(board.black),
            ..*board
        }
    }

    /// The same squares seen in a mirror.
    pub(super) fn mirror_mask(self, mask: u64) -> u64 {
        let (mut out, line) = (0, self.row(0));
        for row in 0..self.rows {
            let shift = row * self.cols;
            let bits = ((mask >> shift) & line).reverse_bits() >> (64 - self.cols);
            out |= bits << shift;
        }
        out
    }

    /// The same square seen in a mirror.
    pub(super) const fn mirror_square(self, square: u8) -> u8 {
        let (row, col) = (square / self.cols, square % self.cols);
        row * self.cols + self.cols - 1 - col
    }

    /// Every step of the side to move, by the square it leaves: straight, then to the left, then to
    /// the right. Does not ask whether the game is over.
    pub(super) fn steps(self, board: &Board) -> impl Iterator<Item = Step> + use<> {
        let game = self;
        let (mine, theirs) = (board.pawns(board.turn), board.pawns(board.turn.other()));
        let free = !(mine | theirs);
        let up = board.turn == Seat::FIRST;
        let mut left = mine;
        let pawns = std::iter::from_fn(move || {
            (left != 0).then(|| {
                let from = left.trailing_zeros() as u8;
                left &= left - 1;
                from
            })
        });
        pawns.flat_map(move |from| {
            let (row, col) = (from / game.cols, from % game.cols);
            let next = if up {
                (row + 1 < game.rows).then(|| row + 1)
            } else {
                row.checked_sub(1)
            };
            let ahead = next.map(|row| row * game.cols + col);
            let on = |to: &u8, mask: u64| mask >> to & 1 == 1;
            let straight = ahead.filter(|to| on(to, free));
            let slant_left = ahead
                .filter(|_| col > 0)
                .map(|to| to - 1)
                .filter(|to| on(to, theirs));
            let slant_right = ahead
                .filter(|_| col + 1 < game.cols)
                .map(|to| to + 1)
                .filter(|to| on(to, theirs));
            [straight, slant_left, slant_right]
                .into_iter()
                .flatten()
                .map(move |to| Step { from, to })
        })
    }

    /// The side that has won, if the game is over: a pawn on the far side, or nothing left to move.
    pub fn winner(self, board: &Board) -> Option<Seat> {
        if board.white & self.row(self.rows - 1) != 0 {
            Some(Seat::FIRST)
        } else if board.black & self.row(0) != 0 {
            Some(Seat::SECOND)
        } else if self.steps(board).next().is_none() {
            Some(board.turn.other())
        } else {
            None
        }
    }

    /// The position after a step.
    pub fn after(self, board: &Board, step: Step) -> Board {
        let (from, to) = (1u64 << step.from, 1u64 << step.to);
        let move_pawn = |pawns: u64| pawns & !from | to;
        let turn = board.turn.other();
        match board.turn {
            Seat::FIRST => Board {
                white: move_pawn(board.white),
                black: board.black & !to,
                turn,
            },
            _ => Board {
                white: board.white & !to,
                black: move_pawn(board.black),
                turn,
            },
        }
    }
}

/// Masks travel as hexadecimal text: numbers of 64 bits do not survive every reader of JSON.
mod mask {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "the shape that serde asks for"
    )]
    pub(super) fn serialize<S: Serializer>(mask: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("{mask:x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        u64::from_str_radix(&text, 16).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (rows, cols) in [(3, 1), (3, 21), (8, 8), (64, 1), (16, 4)] {
            assert!(Hexapawn::new(rows, cols).is_ok(), "{rows}x{cols}");
        }
        for (rows, cols) in [(2, 3), (0, 0), (3, 0), (3, 22), (8, 9), (65, 1), (255, 255)] {
            assert!(Hexapawn::new(rows, cols).is_err(), "{rows}x{cols}");
        }
    }

    #[test]
    fn mirrors_undo_themselves() {
        for (rows, cols) in [(3, 3), (4, 5), (8, 8), (3, 21), (64, 1)] {
            let game = Hexapawn::new(rows, cols).unwrap();
            for square in 0..game.squares() {
                assert_eq!(game.mirror_square(game.mirror_square(square)), square);
                assert_eq!(
                    game.mirror_mask(1 << square),
                    1 << game.mirror_square(square)
                );
            }
            assert_eq!(game.mirror_mask(game.all()), game.all());
            assert_eq!(game.mirror(&game.opening()), game.opening());
        }
    }

    #[test]
    fn pawns_step_and_take() {
        let game = Hexapawn::CLASSIC;
        let start = game.opening();
        assert_eq!(game.steps(&start).count(), 3);
        let board = game.after(&start, Step { from: 1, to: 4 });
        assert_eq!(
            game.steps(&board).count(),
            4,
            "two captures and two steps of the outer pawns"
        );
        let taken = game.after(&board, Step { from: 6, to: 4 });
        assert_eq!((taken.white.count_ones(), taken.black.count_ones()), (2, 3));
        assert_eq!(game.winner(&taken), None);
    }
}
