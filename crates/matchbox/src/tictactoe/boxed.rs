//! Tic-tac-toe for boxes: four turns of the board and their mirror images.

use wits_game::Seat;

use super::{Board, Square, TicTacToe};
use crate::boxed::Boxed;
use crate::subject::Subject;

/// Where each square goes under each of the eight symmetries: `how / 4` mirrors left and right
/// first, then `how % 4` quarter turns follow.
const MAPS: [[u8; 9]; 8] = {
    let mut maps = [[0; 9]; 8];
    let mut how = 0;
    while how < 8 {
        let mut square = 0;
        while square < 9 {
            let (mut row, mut col) = (square / 3, square % 3);
            if how >= 4 {
                col = 2 - col;
            }
            let mut turns = how % 4;
            while turns > 0 {
                (row, col) = (col, 2 - row);
                turns -= 1;
            }
            maps[how][square] = (row * 3 + col) as u8;
            square += 1;
        }
        how += 1;
    }
    maps
};

fn moved(how: usize, marks: u16) -> u16 {
    (0..9)
        .filter(|i| marks >> i & 1 == 1)
        .fold(0, |out, i| out | 1 << MAPS[how][i])
}

impl Boxed for TicTacToe {
    const FORCED: bool = false;

    fn subject(&self) -> Subject {
        Subject::TicTacToe(*self)
    }

    fn spec(&self) -> String {
        "tictactoe".to_owned()
    }

    fn board(&self, view: &Board) -> Board {
        *view
    }

    fn symmetries(&self) -> usize {
        MAPS.len()
    }

    fn turned(&self, how: usize, board: &Board) -> Board {
        Board {
            marks: [
                moved(how, board.marks(Seat::FIRST)),
                moved(how, board.marks(Seat::SECOND)),
            ],
        }
    }

    fn turned_move(&self, how: usize, square: Square) -> Square {
        Square::at(usize::from(MAPS[how][square.index()])).expect("maps stay on the board")
    }

    fn undone(&self, how: usize) -> usize {
        // Mirrored boards undo themselves; a quarter turn needs the other three.
        if how >= 4 { how } else { (4 - how) % 4 }
    }

    fn at_most(&self) -> u128 {
        // Three states a square.
        19_683
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_are_a_group() {
        for how in 0..8 {
            let back = TicTacToe.undone(how);
            for square in Square::all() {
                let there = TicTacToe.turned_move(how, square);
                assert_eq!(TicTacToe.turned_move(back, there), square, "{how}");
            }
        }
        let images: std::collections::BTreeSet<[u8; 9]> = MAPS.into_iter().collect();
        assert_eq!(images.len(), 8);
        for row in super::super::ROWS {
            for how in 0..8 {
                assert!(
                    super::super::ROWS.contains(&moved(how, row)),
                    "{how}: {row:b}"
                );
            }
        }
    }
}
