//! OBF, the format of problem files: a board, the side to move, moves with scores, one line each.
//!
//! `-…-X…O X; d3:+4; c4:-2; % a comment`

use std::fmt::Write;

use crate::notation::{board_text, read_board};
use crate::{Position, Square};
use wits_game::Seat;

/// One line of a problem file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The position.
    pub position: Position,
    /// Moves with their scores, as written.
    pub moves: Vec<(Square, i32)>,
    /// What follows the percent sign.
    pub comment: String,
}

/// A line that is no problem.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadObf {
    /// The board cannot be read.
    #[error("the line begins with no board; write 64 squares and the side to move")]
    Board,
    /// A move with its score cannot be read.
    #[error("`{0}` is not a move with a score; write it like `d3:+4`")]
    Move(String),
}

/// Reads one line.
pub fn read(line: &str) -> Result<Problem, BadObf> {
    let (body, comment) = line.split_once('%').unwrap_or((line, ""));
    let mut parts = body.split(';');
    let board = parts.next().unwrap_or_default();
    let position = read_board(8, board).map_err(|_| BadObf::Board)?.position;
    let mut moves = Vec::new();
    for part in parts.map(str::trim).filter(|p| !p.is_empty()) {
        let wrong = || BadObf::Move(part.chars().take(20).collect());
        let (square, score) = part.split_once(':').ok_or_else(wrong)?;
        let square = square.trim().parse().map_err(|_| wrong())?;
        let score = score
            .trim()
            .trim_start_matches('+')
            .parse()
            .map_err(|_| wrong())?;
        moves.push((square, score));
    }
    Ok(Problem {
        position,
        moves,
        comment: comment.trim().to_owned(),
    })
}

impl Problem {
    /// Writes the line.
    pub fn write(&self) -> String {
        let side = if self.position.turn == Seat::FIRST {
            'X'
        } else {
            'O'
        };
        let mut out = format!("{} {side};", board_text(8, &self.position));
        for (square, score) in &self.moves {
            let _ = write!(out, " {square}:{score:+};");
        }
        if !self.comment.is_empty() {
            let _ = write!(out, " % {}", self.comment);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_written_and_read_back() {
        for problem in crate::ffo::suite() {
            let comment = format!("FFO #{}", problem.number);
            let line = Problem {
                position: problem.position,
                moves: problem.moves,
                comment,
            };
            assert_eq!(read(&line.write()), Ok(line));
        }
        assert_eq!(read("x"), Err(BadObf::Board));
        let start = board_text(8, &Position::START);
        assert!(read(&format!("{start} X; d3")).is_err());
        assert!(read(&format!("{start} X; d3:+x")).is_err());
    }
}
