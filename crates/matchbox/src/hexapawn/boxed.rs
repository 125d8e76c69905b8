//! Hexapawn for boxes: a board and its mirror image.

use super::{Board, Hexapawn, Step, placements};
use crate::boxed::Boxed;
use crate::subject::Subject;

impl Boxed for Hexapawn {
    const FORCED: bool = true;

    fn subject(&self) -> Subject {
        Subject::Hexapawn(*self)
    }

    fn spec(&self) -> String {
        format!("hexapawn:rows={},cols={}", self.rows(), self.cols())
    }

    fn board(&self, view: &Board) -> Board {
        *view
    }

    fn symmetries(&self) -> usize {
        2
    }

    fn turned(&self, how: usize, board: &Board) -> Board {
        if how == 0 { *board } else { self.mirror(board) }
    }

    fn turned_move(&self, how: usize, step: Step) -> Step {
        if how == 0 {
            return step;
        }
        Step {
            from: self.mirror_square(step.from),
            to: self.mirror_square(step.to),
        }
    }

    fn undone(&self, how: usize) -> usize {
        how
    }

    fn at_most(&self) -> u128 {
        placements(self.rows(), self.cols())
    }
}
