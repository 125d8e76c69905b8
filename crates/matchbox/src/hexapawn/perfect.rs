//! The player that is never beaten where it need not be.

use std::collections::HashMap;

use wits_game::{Game, Seat};
use wits_play::{Budget, Choice, Desk, Line, Player, Proof, Thought, Worth};
use wits_search::tree::{Oracle, StrategyOptions, strategy};

use super::{Answer, Board, Counts, Hexapawn, Solver, Step, count};
use crate::WORDS;

/// Plays a winning step where there is one: the quickest on small boards, any on large ones. Where
/// all is lost it holds out as long as it can on small boards, and takes any step on large ones.
#[derive(Debug)]
pub struct Perfect {
    solver: Solver,
    most: u64,
    nodes: u64,
}

/// Up to this many positions the exact length of every line is known, too.
const COUNTED: u64 = 60_000;

impl Perfect {
    /// A player for one board that looks at up to `nodes` positions for a step, with a table of 2 to
    /// the `bits` entries.
    pub fn new(game: Hexapawn, bits: u32, nodes: u64) -> Perfect {
        Perfect {
            solver: Solver::new(game, bits),
            most: COUNTED,
            nodes,
        }
    }

    /// What each step leads to, for the side that makes it: won or not, and how long it then lasts.
    fn judge(
        &mut self,
        game: Hexapawn,
        board: &Board,
        desk: &Desk<'_, Step>,
    ) -> Vec<(Step, Answer, Option<u32>)> {
        let mut all = Vec::new();
        for step in game.options(board) {
            let next = game.after(board, step);
            let small = if game.squares() <= 16 {
                self.most
            } else {
                self.most / 10
            };
            let exact = if desk.budget.limits().nodes.is_some() || desk.budget.stopped() {
                None
            } else {
                count(game, &next, small, desk.budget)
            };
            let (answer, distance) = match exact {
                Some(Counts { wins, distance, .. }) => (
                    if wins { Answer::Loses } else { Answer::Wins },
                    Some(distance),
                ),
                None => (self.prove(&next, desk), None),
            };
            all.push((step, answer, distance));
        }
        all
    }

    /// Who wins after a step, seen by the one who made it.
    fn prove(&mut self, next: &Board, desk: &Desk<'_, Step>) -> Answer {
        let most = self.solver.nodes() + desk.budget.limits().nodes.unwrap_or(self.nodes);
        // The solver counts all it ever looked at, so the limit moves along.
        let inner = desk.budget.recount(most);
        match self.solver.ask(next, &inner) {
            Answer::Wins => Answer::Loses,
            Answer::Loses => Answer::Wins,
            Answer::Unknown => Answer::Unknown,
        }
    }
}

/// What the solver knows, for the strategy that a thread shows: a copy of it, so that being watched
/// teaches the player nothing.
struct Known {
    solver: Solver,
    budget: Budget,
    /// What the player found for its own steps, and what was asked since, for the side to move.
    asked: HashMap<Board, Option<i32>>,
}

impl Oracle<Hexapawn> for Known {
    fn worth(&mut self, _: &Hexapawn, board: &Board, seat: Seat) -> Option<i32> {
        let worth = *self.asked.entry(*board).or_insert_with(|| {
            match self.solver.ask(board, &self.budget) {
                Answer::Wins => Some(1),
                Answer::Loses => Some(-1),
                Answer::Unknown => None,
            }
        });
        worth.map(|worth| {
            if board.to_move() == seat {
                worth
            } else {
                -worth
            }
        })
    }
}

impl Perfect {
    fn known(
        &self,
        game: Hexapawn,
        board: &Board,
        judged: &[(Step, Answer, Option<u32>)],
        desk: &Desk<'_, Step>,
    ) -> Known {
        let asked = judged.iter().map(|&(step, answer, _)| {
            let worth = match answer {
                Answer::Wins => Some(-1),
                Answer::Loses => Some(1),
                Answer::Unknown => None,
            };
            (game.after(board, step), worth)
        });
        let nodes = self.solver.nodes() + self.nodes;
        Known {
            asked: asked.collect(),
            solver: self.solver.clone(),
            budget: desk.budget.recount(nodes),
        }
    }
}

/// How good a step is: more is better.
fn rank(answer: Answer, distance: Option<u32>) -> i64 {
    let plies = i64::from(distance.unwrap_or(0));
    match answer {
        Answer::Wins => 1_000 - plies,
        Answer::Unknown => 0,
        Answer::Loses => -1_000 + plies,
    }
}

impl Player<Hexapawn> for Perfect {
    fn choose(
        &mut self,
        game: &Hexapawn,
        board: &Board,
        desk: &mut Desk<'_, Step>,
    ) -> Choice<Step> {
        let before = self.solver.nodes();
        let judged = self.judge(*game, board, desk);
        let Some(best) = judged.iter().map(|(_, a, d)| rank(*a, *d)).max() else {
            return Choice::Resign;
        };
        let equal: Vec<_> = judged
            .iter()
            .filter(|(_, a, d)| rank(*a, *d) == best)
            .collect();
        let &&(step, answer, distance) = desk
            .dice
            .pick(&equal)
            .expect("the best step is among its equals");
        if desk.record.is_some() {
            let mut known = self.known(*game, board, &judged, desk);
            let options = StrategyOptions::default();
            if let Some(record) = desk.record.as_deref_mut() {
                strategy(game, board, &step, &mut known, &options, record);
            }
        }
        let worth = match answer {
            Answer::Wins => Worth::exact(1),
            Answer::Loses => Worth::exact(-1),
            Answer::Unknown => Worth::heuristic(0.0).known(Proof::Estimate),
        };
        let key = match answer {
            Answer::Wins => "perfect-wins",
            Answer::Loses => "perfect-loses",
            Answer::Unknown => "perfect-unknown",
        };
        let mut why = WORDS.say(key).with("move", game.write_step(step));
        why = match distance {
            Some(plies) => why.with("when", WORDS.say("in-plies").with("plies", plies + 1)),
            None => why.with("when", WORDS.say("in-some-plies")),
        };
        desk.say(Thought {
            lines: vec![Line {
                moves: vec![step],
                worth,
            }],
            nodes: self.solver.nodes() - before + judged.len() as u64,
            why: Some(why),
            ..Thought::default()
        });
        Choice::Move(step)
    }
}
