//! Who wins on a board, from every position of the game.

use serde::Serialize;
use wits_game::Seat;

use super::rules::{Kind, Mini, THREE};
use crate::boxed::Boxed;
use crate::survey::Survey;

/// Who wins a mini-game on a board when both play best.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Solved {
    /// The spec of the game.
    pub spec: String,
    /// The name of the game.
    pub game: &'static str,
    /// Rows of the board.
    pub rows: u8,
    /// Columns of the board.
    pub cols: u8,
    /// How many in a row win, where that is agreed on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u8>,
    /// Who wins; nothing where nobody does.
    pub winner: Option<Seat>,
    /// Moves of both sides until the end, when the better side hurries and the other holds out.
    pub plies: u16,
    /// Positions that can come up, images under the symmetries of the game counted once.
    pub positions: usize,
}

impl Mini {
    /// Solves the game from its beginning.
    pub fn solved(&self) -> Solved {
        let survey = Survey::take(self, true, usize::MAX).expect("there is no limit to exceed");
        let outlook = survey.outlook(self, &self.opening(), Seat::FIRST);
        let (worth, plies) = outlook.expect("a survey holds the opening");
        Solved {
            spec: self.spec(),
            game: self.kind.id(),
            rows: self.rows,
            cols: self.cols,
            line: (self.kind == Kind::Mnk).then_some(self.line),
            winner: match worth {
                1.. => Some(Seat::FIRST),
                0 => None,
                _ => Some(Seat::SECOND),
            },
            plies,
            positions: survey.len(),
        }
    }
}

/// The boards of a game with at least two rows and two columns and at most so many cells, and for [`Kind::Mnk`] every length of a row.
pub fn boards(kind: Kind, cells: u8) -> Vec<Mini> {
    let sizes = (2..=cells / 2).flat_map(|rows| (2..=cells / rows).map(move |cols| (rows, cols)));
    let longest = |(rows, cols): (u8, u8)| match kind {
        Kind::Mnk => rows.max(cols).max(THREE),
        _ => THREE,
    };
    let lines = sizes.flat_map(|size| (THREE..=longest(size)).map(move |line| (size, line)));
    lines
        .filter_map(|((rows, cols), line)| Mini::of(kind, rows, cols, line).ok())
        .collect()
}
