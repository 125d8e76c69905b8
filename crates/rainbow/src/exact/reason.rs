//! What settles a position without searching it.

use super::node::{Node, Seen};
use super::solver::Solver;
use crate::board::Board;
use crate::terms::Side;

/// An argument that settles a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reason {
    /// Maker is to move, and a series lacks one number.
    Threat,
    /// Two series lack different numbers, and Breaker can spoil one of them only.
    Threats,
    /// Every live series contains a pair of uncoloured numbers, and Maker is to move.
    Pairing,
}

impl Solver {
    /// The argument that settles a position that is not over, if one of the plain ones does.
    pub(crate) fn reason(&self, board: &Board) -> Option<Reason> {
        if board.winner().is_some() {
            return None;
        }
        let node = Node::of(board, &self.lines);
        match node.seen(&self.lines) {
            Seen::Won(Side::Maker) if node.turn == Side::Maker => Some(Reason::Threat),
            Seen::Won(Side::Maker) => Some(Reason::Threats),
            Seen::Won(Side::Breaker) => None,
            Seen::Open => {
                let paired = node.turn == Side::Maker && node.paired(&self.lines);
                paired.then_some(Reason::Pairing)
            }
        }
    }
}
