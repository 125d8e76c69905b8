//! The mini-games for boxes: the symmetries that were found.

use super::game::{Cells, Position};
use super::rules::Mini;
use crate::boxed::Boxed;
use crate::subject::Subject;

impl Boxed for Mini {
    const FORCED: bool = false;

    fn subject(&self) -> Subject {
        Subject::Mini(*self)
    }

    fn spec(&self) -> String {
        format!("{}:rows={},cols={}", self.kind.id(), self.rows, self.cols)
    }

    fn board(&self, view: &Position) -> Position {
        *view
    }

    fn symmetries(&self) -> usize {
        usize::from(self.images)
    }

    fn turned(&self, how: usize, at: &Position) -> Position {
        at.through(&self.maps[how])
    }

    fn turned_move(&self, how: usize, cells: Cells) -> Cells {
        cells.through(&self.maps[how])
    }

    fn undone(&self, how: usize) -> usize {
        let undoes = |back: &usize| {
            (0..self.cells()).all(|cell| {
                let there = usize::from(self.maps[how][cell]);
                usize::from(self.maps[*back][there]) == cell
            })
        };
        (0..self.symmetries()).find(undoes).unwrap_or(0)
    }

    fn at_most(&self) -> u128 {
        // Three states a cell, and who moves.
        2 * 3u128.pow(self.cells() as u32)
    }
}
