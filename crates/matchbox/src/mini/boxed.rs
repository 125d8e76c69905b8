//! The mini-games for boxes: the symmetries that were found.

use super::game::{Cells, Position};
use super::rules::{Kind, Mini};
use crate::boxed::Boxed;
use crate::subject::Subject;

impl Boxed for Mini {
    const FORCED: bool = false;

    fn subject(&self) -> Subject {
        Subject::Mini(*self)
    }

    fn spec(&self) -> String {
        let line = if self.kind == Kind::Mnk {
            format!(",line={}", self.line)
        } else {
            String::new()
        };
        let (id, rows, cols) = (self.kind.id(), self.rows, self.cols);
        format!("{id}:rows={rows},cols={cols}{line}")
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
