//! Playing a position out to the end, exactly.
//!
//! Scores are the final difference of discs for the side to move, the winner taking the empty
//! squares. A search with null windows (Pearl's scout, 1980) over a table of bounds; moves that leave the
//! opponent few replies come first ("fastest first"), squares alone in their quarter before others
//! (parity); discs that can never be flipped bound the score; the last four squares have
//! code of their own. The fitted patterns only say which moves and which scores to try first: a score is proved or not given.

mod guess;
mod last;
mod search;
mod table;
mod walk;

use wits_search::Budget;

pub use search::Solver;

use crate::{Position, Square};

/// The final difference for `own` when nobody moves any more: the winner takes the empty squares.
#[inline]
pub(crate) const fn final_score(own: u64, other: u64, squares: i32) -> i32 {
    let (own, other) = (own.count_ones() as i32, other.count_ones() as i32);
    let diff = own - other;
    let empty = squares - own - other;
    if diff > 0 {
        diff + empty
    } else if diff < 0 {
        diff - empty
    } else {
        0
    }
}

/// A position solved: its score and the score of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solved {
    /// The final difference for the side to move, the winner taking the empty squares.
    pub score: i32,
    /// The moves that reach it; empty when the game is over.
    pub best: Vec<Square>,
    /// The exact score of every legal move, best first; squares in order among equals.
    pub moves: Vec<(Square, i32)>,
    /// How many positions were looked at.
    pub nodes: u64,
}

/// Solves a position of the large board with the score of every legal move. Nothing if the budget ends before.
pub fn exact(position: &Position, budget: &Budget) -> Option<Solved> {
    let empties = 64 - position.taken().count_ones();
    let mut solver = Solver::new((empties + 3).clamp(8, 20));
    let mut p = *position;
    let mut sign = 1;
    if p.moves() == 0 && p.passed().moves() != 0 {
        p = p.passed();
        sign = -1;
    }
    if p.moves() == 0 {
        let score = sign * final_score(p.own(), p.other(), 64);
        return Some(Solved {
            score,
            best: Vec::new(),
            moves: Vec::new(),
            nodes: 1,
        });
    }
    let mut moves = Vec::new();
    for square in Square::all(p.moves()) {
        let next = p.after(square);
        let score = solver.score(next.own(), next.other(), budget)?;
        moves.push((square, -score * sign));
    }
    moves.sort_by_key(|&(square, score)| (std::cmp::Reverse(score * sign), square));
    let score = moves.first().map(|m| m.1)?;
    let best = moves.iter().filter(|m| m.1 == score).map(|m| m.0).collect();
    Some(Solved {
        score,
        best,
        moves,
        nodes: solver.nodes(),
    })
}
