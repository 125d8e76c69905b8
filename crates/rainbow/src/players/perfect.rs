//! The player that does not err, as far as the solver reaches.

use wits_play::{Choice, Desk, Player, Worth};
use wits_search::{Budget, Limits, Watch};

use super::strong::{Pick, Strong};
use crate::WORDS;
use crate::board::{Board, Paint};
use crate::exact::{Solved, Solver};
use crate::game::Rainbow;
use crate::terms::Terms;

/// Plays from the solution where the board is short enough to solve inside its nodes, and says so
/// where it is not: there it plays as [`Strong`] does.
pub struct Perfect {
    nodes: u64,
    /// What was proved in earlier moves of boards that are always solved to the end, so that keeping it
    /// cannot change an answer.
    kept: Option<(Terms, Solver)>,
}

/// Boards up to here are solved from the first move.
pub(crate) const ALWAYS: u32 = 18;

impl Perfect {
    /// A player that looks at most at this many positions for a move on boards longer than 18 numbers.
    pub fn new(nodes: u64) -> Perfect {
        Perfect { nodes, kept: None }
    }

    fn solve<W: Watch>(&mut self, board: &Board, budget: &Budget, watch: &mut W) -> Option<Solved> {
        let terms = *board.terms();
        let short = terms.n() <= ALWAYS && budget.limits().nodes.is_none() && !budget.stopped();
        if !short {
            let budget = budget.within(Limits::nodes(self.nodes));
            return Solver::new(&terms)?.solve(board, &budget, watch);
        }
        if self.kept.as_ref().is_none_or(|(kept, _)| *kept != terms) {
            self.kept = Some((terms, Solver::new(&terms)?));
        }
        let (_, solver) = self.kept.as_mut()?;
        solver.solve(board, budget, watch)
    }
}

impl Player<Rainbow> for Perfect {
    fn choose(&mut self, _: &Rainbow, board: &Board, desk: &mut Desk<'_, Paint>) -> Choice<Paint> {
        let budget = desk.budget.clone();
        let solved = match desk.record.take() {
            Some(watch) => self.solve(board, &budget, watch),
            None => self.solve(board, &budget, &mut ()),
        };
        if let Some(Solved {
            best: Some(paint),
            nodes,
            ..
        }) = solved
        {
            let why = WORDS
                .say("perfect-wins")
                .with("who", board.to_move().name())
                .with("nodes", nodes);
            return Pick {
                paint,
                worth: Worth::exact(1),
                nodes,
                depth: board.open(),
                sure: true,
                why,
            }
            .play(desk);
        }
        let mut dice = desk.dice.clone();
        let Some(mut pick) =
            Strong::new(Strong::NODES.min(self.nodes)).pick(board, &mut dice, &budget)
        else {
            return Choice::Resign;
        };
        if let Some(solved) = solved {
            pick.worth = Worth::exact(-1);
            pick.nodes += solved.nodes;
            pick.why = WORDS
                .say("perfect-lost")
                .with("who", board.to_move().name())
                .with("why", pick.why);
        } else {
            pick.why = WORDS
                .say("perfect-unknown")
                .with("nodes", self.nodes)
                .with("why", pick.why);
        }
        pick.play(desk)
    }
}
