//! The board as an array of squares, the way everybody writes it first: slow and plain to see.
//!
//! Nothing plays with it. It is the baseline that words of 64 bits are measured against, and the
//! twin that they are tested against.

use wits_game::Seat;

use crate::{Position, Square};

const STEPS: [(i32, i32); 8] = [
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (0, -1),
    (0, 1),
    (1, -1),
    (1, 0),
    (1, 1),
];

/// A board of eight rows of eight squares, and who is to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    squares: [[Option<Seat>; 8]; 8],
    turn: Seat,
}

impl From<&Position> for Board {
    fn from(position: &Position) -> Board {
        let mut squares = [[None; 8]; 8];
        for square in Square::all(u64::MAX) {
            squares[square.row()][square.column()] = position.disc(square);
        }
        Board {
            squares,
            turn: position.turn,
        }
    }
}

impl From<&Board> for Position {
    fn from(board: &Board) -> Position {
        let mut position = Position {
            black: 0,
            white: 0,
            turn: board.turn,
        };
        for square in Square::all(u64::MAX) {
            match board.squares[square.row()][square.column()] {
                Some(Seat::FIRST) => position.black |= square.bit(),
                Some(_) => position.white |= square.bit(),
                None => {}
            }
        }
        position
    }
}

impl Board {
    fn at(&self, row: i32, column: i32) -> Option<Seat> {
        let on = |n: i32| (0..8).contains(&n);
        if on(row) && on(column) {
            self.squares[row as usize][column as usize]
        } else {
            None
        }
    }

    /// How many discs a move would turn over in one direction.
    fn run(&self, row: i32, column: i32, (down, right): (i32, i32)) -> i32 {
        let mut length = 0;
        loop {
            let far = length + 1;
            match self.at(row + far * down, column + far * right) {
                Some(seat) if seat != self.turn => length = far,
                Some(_) => return length,
                None => return 0,
            }
        }
    }

    /// The squares where the side to move may play.
    pub fn moves(&self) -> Vec<Square> {
        let legal = |square: &Square| {
            let (row, column) = (square.row() as i32, square.column() as i32);
            self.squares[square.row()][square.column()].is_none()
                && STEPS.iter().any(|step| self.run(row, column, *step) > 0)
        };
        Square::all(u64::MAX).filter(legal).collect()
    }

    /// The board after a legal move, the turn with the other side; no pass is made.
    pub fn after(&self, square: Square) -> Board {
        let (row, column) = (square.row() as i32, square.column() as i32);
        let mut next = self.clone();
        next.squares[square.row()][square.column()] = Some(self.turn);
        for (down, right) in STEPS {
            for step in 1..=self.run(row, column, (down, right)) {
                let (r, c) = (row + step * down, column + step * right);
                next.squares[r as usize][c as usize] = Some(self.turn);
            }
        }
        next.turn = self.turn.other();
        next
    }

    /// The leaves of the tree below, a pass counting as a ply.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves();
        if moves.is_empty() {
            let passed = Board {
                turn: self.turn.other(),
                ..self.clone()
            };
            return if passed.moves().is_empty() {
                1
            } else {
                passed.perft(depth - 1)
            };
        }
        moves
            .into_iter()
            .map(|square| self.after(square).perft(depth - 1))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use wits_game::{Dice, Seed};

    use super::*;

    #[test]
    fn words_of_bits_do_what_the_array_does() {
        let mut dice = Dice::new(Seed::new(7));
        for _ in 0..30 {
            let mut p = Position::START;
            loop {
                let board = Board::from(&p);
                assert_eq!(Position::from(&board), p);
                let moves = board.moves();
                assert!(moves.iter().copied().eq(Square::all(p.moves())), "{p:?}");
                let Some(&square) = dice.pick(&moves) else {
                    break;
                };
                let next = p.after(square);
                assert_eq!(Position::from(&board.after(square)), next);
                p = p.played(square);
            }
        }
        assert_eq!(Board::from(&Position::START).perft(5), 1396);
    }
}
