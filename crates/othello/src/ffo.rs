//! The FFO endgame suite, numbers 40 to 49: hard positions with known scores.
//!
//! Collected by the French Othello federation; the positions and scores circulate with most engines.

use serde::Serialize;

use crate::notation::read_board;
use crate::{Position, Square};

/// One position of the suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Its number in the suite.
    pub number: u32,
    /// The position.
    pub position: Position,
    /// The score of every legal move, best first.
    pub moves: Vec<(Square, i32)>,
}

impl Problem {
    /// The score for the side to move.
    pub fn score(&self) -> i32 {
        self.moves.first().map_or(0, |m| m.1)
    }
}

/// What a run of the suite gave for one position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer {
    /// The number in the suite.
    pub number: u32,
    /// The score that was found.
    pub score: i32,
    /// The score that is known.
    pub expected: i32,
    /// A best move.
    pub best: Option<Square>,
    /// How many positions were looked at.
    pub nodes: u64,
    /// How long it took; filled in by who holds a clock.
    pub seconds: f64,
}

/// The whole suite.
pub fn suite() -> Vec<Problem> {
    let lines = include_str!("../data/ffo.txt")
        .lines()
        .filter(|l| !l.starts_with('#'));
    lines.filter_map(problem).collect()
}

fn problem(line: &str) -> Option<Problem> {
    let mut words = line.split_whitespace();
    let number = words.next()?.parse().ok()?;
    let board = format!("{} {}", words.next()?, words.next()?);
    let position = read_board(8, &board).ok()?.position;
    let moves = words
        .map(|word| Some((word.get(..2)?.parse().ok()?, word.get(2..)?.parse().ok()?)))
        .collect::<Option<Vec<(Square, i32)>>>()?;
    Some(Problem {
        number,
        position,
        moves,
    })
}
