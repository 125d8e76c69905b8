//! The player that knows, where the game is small enough to know.

use wits_play::{Choice, Desk, Line, Player, Thought};
use wits_search::{Budget, Limits, Worth};

use super::nested::ask;
use super::scores::Purse;
use crate::game::{Insertion, Move, Position};
use crate::solve::Solver;
use crate::{WORDS, fits};

/// Plays exactly where the search reaches the end: shortest win for the Builder, longest defence
/// for the Painter. Elsewhere it plays as `nested:level=1`, and says so.
#[derive(Default)]
pub struct Perfect {
    solver: Option<Solver>,
}

/// How many positions one decision may take before it counts as not solved.
const NODES: u64 = 2_000_000;
/// The table: enough for the games that are solved.
const BYTES: usize = 1 << 26;

impl Perfect {
    /// The best move and how many picks are left after it, the fatal one counted.
    fn solve(
        &mut self,
        game: &Insertion,
        position: &Position,
        desk: &Desk<'_, Move>,
    ) -> Option<(Move, u32)> {
        let fresh =
            |solver: &Solver| solver.variant() != game.variant || solver.symbols() != game.symbols;
        if self.solver.as_ref().is_none_or(fresh) {
            self.solver = Some(Solver::new(game.variant, game.symbols, BYTES).ok()?);
        }
        let solver = self.solver.as_ref()?;
        let nodes = desk.budget.limits().nodes.unwrap_or(u64::MAX).min(NODES);
        // The solver counts over all decisions, so the limit starts from where it stands.
        let limits = Limits {
            nodes: Some(solver.positions() + nodes),
            ..desk.budget.limits()
        };
        let budget = Budget::with_stop(limits, desk.budget.flag());
        let most = 20;
        let word = &position.word;
        let Some(gap) = position.gap() else {
            let picks = solver.picks(word, most, &budget)?;
            let gap = solver.winning_gap(word, picks, &budget)?;
            return Some((Move::Gap(gap as u32), picks));
        };
        let mut best = None;
        for symbol in fits::symbols(game.fits(word, gap)) {
            let picks = solver.picks(&word.with(gap, symbol), most, &budget)?;
            if best.is_none_or(|(_, most)| picks > most) {
                best = Some((Move::Symbol(symbol), picks));
            }
        }
        best
    }
}

impl Player<Insertion> for Perfect {
    fn choose(
        &mut self,
        game: &Insertion,
        position: &Position,
        desk: &mut Desk<'_, Move>,
    ) -> Choice<Move> {
        let solved = self.solve(game, position, desk);
        let (mv, worth, why) = if let Some((mv, picks)) = solved {
            // Every pick but the fatal one is a point for the Painter.
            let points =
                (position.points() as u32 + picks - 1 + u32::from(position.gap().is_some())) as i32;
            let worth = Worth::exact(if position.gap().is_some() {
                points
            } else {
                -points
            });
            (mv, worth, WORDS.say("why-perfect").with("picks", picks))
        } else {
            let mut dice = desk.dice.clone();
            let Some((mv, _)) = ask(game, position, 1, &mut dice, &mut Purse::new(desk.budget))
            else {
                return Choice::Resign;
            };
            (mv, Worth::heuristic(0.0), WORDS.say("why-not-solved"))
        };
        let line = Line {
            moves: vec![mv],
            worth,
        };
        let nodes = self.solver.as_ref().map_or(1, Solver::positions);
        desk.say(Thought {
            lines: vec![line],
            nodes,
            why: Some(why),
            ..Thought::default()
        });
        Choice::Move(mv)
    }
}
