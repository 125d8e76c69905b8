//! The player that does not err, as far as the solver reaches.

use wits_play::{Choice, Desk, Player, Worth};
use wits_search::{Kind, Limits, Step, Watch};

use super::live::Live;
use super::solved;
use super::strong::{Pick, Strong, won};
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
}

impl Player<Rainbow> for Perfect {
    fn choose(&mut self, _: &Rainbow, board: &Board, desk: &mut Desk<'_, Paint>) -> Choice<Paint> {
        let terms = *board.terms();
        let short =
            terms.n() <= ALWAYS && desk.budget.limits().nodes.is_none() && !desk.budget.stopped();
        let mut fresh;
        let (solver, budget) = if short {
            if self.kept.as_ref().is_none_or(|(kept, _)| *kept != terms) {
                self.kept = Solver::new(&terms).map(|solver| (terms, solver));
            }
            let kept = self.kept.as_mut().map(|(_, solver)| solver);
            (kept, desk.budget.clone())
        } else {
            fresh = Solver::new(&terms);
            let budget = desk.budget.within(Limits::nodes(self.nodes));
            (fresh.as_mut(), budget)
        };
        let mut live = Live::new(&mut *desk.tell);
        let me = board.to_move();
        let mut each = |paint, winner| live.hear(paint, won(winner == me), board.open());
        let too_large = solver.is_none();
        let solved = solver.and_then(|solver| {
            let solved = solver.solve_live(board, &budget, &mut each)?;
            Some((solved, solver))
        });
        if let Some((solved, solver)) = solved {
            return exact(board, solved, solver, self.nodes, desk);
        }
        let Some((mut pick, account)) = deputy(self.nodes).at(board, desk) else {
            return Choice::Resign;
        };
        let unknown = if too_large {
            WORDS.say("perfect-too-large").with("n", terms.n())
        } else {
            WORDS.say("perfect-unknown").with("nodes", self.nodes)
        };
        pick.why = unknown.with("why", pick.why);
        if let Some(watch) = desk.record.take() {
            let instead = Some(pick.why.clone());
            account.tell(board, &pick, instead, desk.budget, watch);
        }
        pick.play(desk)
    }
}

/// Who plays where nothing is proved, and where nothing helps.
fn deputy(nodes: u64) -> Strong {
    Strong::new(Strong::NODES.min(nodes))
}

/// Plays a solved position: a winning move, or the best try.
fn exact(
    board: &Board,
    solved: Solved,
    solver: &mut Solver,
    nodes: u64,
    desk: &mut Desk<'_, Paint>,
) -> Choice<Paint> {
    let who = board.to_move().name();
    let pick = if let Some(paint) = solved.best {
        let why = WORDS.say("perfect-wins").with("who", who);
        Pick {
            paint,
            worth: Worth::exact(1),
            nodes: solved.nodes,
            depth: board.open(),
            sure: true,
            why: why.with("nodes", solved.nodes),
        }
    } else {
        let Some((mut pick, _)) = deputy(nodes).at(board, desk) else {
            return Choice::Resign;
        };
        pick.worth = Worth::exact(-1);
        pick.nodes += solved.nodes;
        let lost = WORDS.say("perfect-lost").with("who", who);
        pick.why = lost.with("why", pick.why);
        pick
    };
    if let Some(watch) = desk.record.take() {
        watch.step(|| Step::new(Kind::Note, pick.why.clone()));
        solved::tell(board, pick.paint, solved.winner, solver, desk.budget, watch);
    }
    pick.play(desk)
}
