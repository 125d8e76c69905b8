//! How large a proof is: the winner's strategy, written out.

use std::collections::HashMap;

use serde::Serialize;
use wits_search::Budget;

use super::node::{Node, Seen};
use super::solver::Solver;
use crate::board::Board;
use crate::terms::Side;

/// The size of a winning strategy: one answer for each of the winner's positions, and every reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ProofSize {
    /// Different positions in it, up to renaming and reading backwards, the decided ones not counted.
    pub positions: u64,
    /// Of these, the ones in which the winner is to move: the lines of a book that plays perfectly.
    pub answers: u64,
    /// The longest game against it until the result is plain to see, in moves.
    pub longest: u32,
}

impl Solver {
    /// The size of the strategy that proves who wins; nothing if the budget ends first.
    pub fn proof(&mut self, board: &Board, budget: &Budget) -> Option<ProofSize> {
        let node = Node::of(board, &self.lines);
        self.proof_of(&node, budget).map(|(_, proof)| proof)
    }

    /// Who wins from the empty board, and the size of the strategy; nothing if the budget ends first.
    pub(crate) fn solve_start(
        &mut self,
        first: Side,
        budget: &Budget,
    ) -> Option<(Side, Option<ProofSize>)> {
        let node = Node::start(&self.lines, first);
        let (winner, _) = self.decide(&node, budget)?;
        let proof = self.proof_of(&node, budget).map(|(_, proof)| proof);
        Some((winner, proof))
    }

    fn proof_of(&mut self, node: &Node, budget: &Budget) -> Option<(Side, ProofSize)> {
        let (winner, colours) = self.decide(node, budget)?;
        let mut walk = Walk {
            winner,
            colours,
            budget,
            met: HashMap::new(),
            answers: 0,
        };
        let longest = walk.walk(self, node)?;
        let proof = ProofSize {
            positions: walk.met.len() as u64,
            answers: walk.answers,
            longest,
        };
        Some((winner, proof))
    }
}

struct Walk<'a> {
    winner: Side,
    /// The colours of the search that decided.
    colours: u32,
    budget: &'a Budget,
    /// How many moves deep the strategy goes below each position.
    met: HashMap<u128, u32>,
    answers: u64,
}

impl Walk<'_> {
    /// Walks the strategy below a position; how many moves deep it goes from here.
    fn walk(&mut self, solver: &mut Solver, node: &Node) -> Option<u32> {
        if let Seen::Won(side) = node.seen(&solver.lines) {
            debug_assert_eq!(side, self.winner);
            return Some(0);
        }
        let key = node.key(&solver.lines);
        if let Some(&deep) = self.met.get(&key) {
            return Some(deep);
        }
        if self.budget.spent(self.met.len() as u64) {
            return None;
        }
        let mut deepest = 0;
        if node.turn == self.winner {
            self.answers += 1;
            let step = solver.winning(node, self.colours, self.budget)?;
            deepest = self.walk(solver, &node.after(&solver.lines, step))? + 1;
        } else {
            for step in node.steps(&solver.lines, self.colours) {
                deepest = deepest.max(self.walk(solver, &node.after(&solver.lines, step))? + 1);
            }
        }
        self.met.insert(key, deepest);
        Some(deepest)
    }
}
