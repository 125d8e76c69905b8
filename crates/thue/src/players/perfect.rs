//! The player that knows, where the game is small enough to know.

use std::collections::HashMap;

use wits_game::{Game, Seat, Turn};
use wits_play::{Choice, Desk, Line, Player, Thought};
use wits_search::tree::{Oracle, StrategyOptions, strategy};
use wits_search::{Budget, Proof, Watch, Worth};

use super::account::Account;
use super::nested::ask;
use super::scores::Purse;
use crate::game::{Insertion, Move, Position};
use crate::solve::{Depth, Solver};
use crate::{WORDS, fits};

/// Plays exactly where the search reaches the end: shortest win for the Builder, longest defence
/// for the Painter. Elsewhere it plays as `nested:level=1`, and says so.
#[derive(Default)]
pub struct Perfect {
    solver: Option<Solver>,
}

/// How many positions one decision may take before it counts as not solved: below a second of work. Games of up to 4 symbols
/// take a fraction of that, and with more the end is seldom in reach at all.
const NODES: u64 = 500_000;
/// No end is looked for further than so many picks away.
const MOST: u32 = 20;
/// The table: enough for the games that are solved.
const BYTES: usize = 1 << 26;

impl Perfect {
    /// The best move and how many picks are left after it, the fatal one counted.
    fn solve(
        &mut self,
        game: &Insertion,
        position: &Position,
        desk: &mut Desk<'_, Move>,
    ) -> Option<(Move, u32)> {
        let fresh =
            |solver: &Solver| solver.variant() != game.variant || solver.symbols() != game.symbols;
        if self.solver.as_ref().is_none_or(fresh) {
            self.solver = Some(Solver::new(game.variant, game.symbols, BYTES).ok()?);
        }
        let solver = self.solver.as_ref()?;
        let nodes = desk.budget.limits().nodes.unwrap_or(u64::MAX).min(NODES);
        // The solver counts over all decisions, so the limit starts from where it stands.
        let budget = desk.budget.recount(solver.positions() + nodes);
        let word = &position.word;
        let before = position.points() as i32;
        let mut live = Thought::default();
        let Some(gap) = position.gap() else {
            let gaps = 0..=word.len() as u32;
            let picks = (1..=MOST).find_map(|depth| {
                match solver.at_depth(word, depth, &budget) {
                    Depth::Won => return Some(Some(depth)),
                    Depth::Unknown => return Some(None),
                    Depth::Refuted => {}
                }
                // No gap wins so soon: each leaves the Painter so many points or more.
                let worth = Worth::exact(-before - depth as i32).known(Proof::AtMost);
                live.depth = depth;
                let line = |gap| Line {
                    moves: vec![Move::Gap(gap)],
                    worth,
                };
                live.roots = gaps.clone().map(line).collect();
                (desk.tell)(&live);
                None
            });
            let picks = picks.flatten()?;
            let gap = solver.winning_gap(word, picks, &budget)?;
            return Some((Move::Gap(gap as u32), picks));
        };
        let mut best = None;
        for symbol in fits::symbols(game.fits(word, gap)) {
            let picks = solver.picks(&word.with(gap, symbol), MOST, &budget)?;
            live.depth = live.depth.max(picks);
            live.roots.push(Line {
                moves: vec![Move::Symbol(symbol)],
                worth: Worth::exact(before + picks as i32),
            });
            (desk.tell)(&live);
            if best.is_none_or(|(_, most)| picks > most) {
                best = Some((Move::Symbol(symbol), picks));
            }
        }
        best
    }
}

/// What a thread of a solved position may show: a solver of its own, so that being watched teaches the player nothing.
struct Known {
    solver: Solver,
    budget: Budget,
    /// The Painter's points at the end, by position, as far as they were asked for.
    points: HashMap<Position, Option<i32>>,
}

/// The table of that solver.
const TOLD_BYTES: usize = 1 << 22;
/// About so many positions of the strategy are shown.
const TOLD: usize = 800;

impl Known {
    fn points(&mut self, game: &Insertion, position: &Position) -> Option<i32> {
        if let Some(&points) = self.points.get(position) {
            return points;
        }
        let points = self.search(game, position);
        self.points.insert(position.clone(), points);
        points
    }

    fn search(&self, game: &Insertion, position: &Position) -> Option<i32> {
        let word = &position.word;
        // Every pick but the fatal one is a point, up to the limit of the round.
        let after = |word: &[u8], points: usize| {
            if points >= game.max_moves {
                return Some(game.max_moves);
            }
            let picks = self.solver.picks(word, MOST, &self.budget)? as usize;
            Some((points + picks - 1).min(game.max_moves))
        };
        let points = match position.gap() {
            None => after(word, position.points())?,
            Some(gap) => {
                let mut most = position.points();
                for symbol in fits::symbols(game.fits(word, gap)) {
                    most = most.max(after(&word.with(gap, symbol), position.points() + 1)?);
                }
                most
            }
        };
        i32::try_from(points).ok()
    }
}

impl Oracle<Insertion> for Known {
    fn worth(&mut self, game: &Insertion, position: &Position, seat: Seat) -> Option<i32> {
        let points = self.points(game, position)?;
        Some(if seat == Seat::FIRST { -points } else { points })
    }

    fn best(&mut self, game: &Insertion, position: &Position) -> Option<Move> {
        let Some(gap) = position.gap() else {
            let picks = self.solver.picks(&position.word, MOST, &self.budget)?;
            let gap = self
                .solver
                .winning_gap(&position.word, picks, &self.budget)?;
            return Some(Move::Gap(gap as u32));
        };
        let mut best = None;
        for symbol in fits::symbols(game.fits(&position.word, gap)) {
            let mut next = position.clone();
            game.play(&mut next, &Move::Symbol(symbol));
            let points = match game.turn(&next) {
                Turn::Over(outcome) => outcome.payoff(Seat::SECOND),
                _ => self.points(game, &next)?,
            };
            if best.is_none_or(|(_, most)| points > most) {
                best = Some((Move::Symbol(symbol), points));
            }
        }
        best.map(|(mv, _)| mv)
    }
}

/// Tells the strategy behind a solved position.
fn tell<W: Watch>(game: &Insertion, position: &Position, mv: Move, budget: &Budget, watch: &mut W) {
    let Ok(solver) = Solver::new(game.variant, game.symbols, TOLD_BYTES) else {
        return;
    };
    let mut known = Known {
        solver,
        budget: budget.recount(NODES),
        points: HashMap::new(),
    };
    let most = i32::try_from(game.max_moves).unwrap_or(i32::MAX);
    let options = StrategyOptions {
        nodes: TOLD,
        range: if position.gap().is_some() {
            (0, most)
        } else {
            (-most, 0)
        },
    };
    strategy(game, position, &mv, &mut known, &options, watch);
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
            if let Some(watch) = desk.record.take() {
                tell(game, position, mv, desk.budget, watch);
            }
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
            let asked = ask(game, position, 1, &mut dice, &mut Purse::new(desk.budget));
            let Some((mv, scores)) = asked else {
                return Choice::Resign;
            };
            if let Some(watch) = desk.record.take() {
                let account = Account {
                    game,
                    position,
                    level: 1,
                    mv,
                    scores: &scores,
                    instead: Some(WORDS.say("why-not-solved")),
                };
                account.tell(watch);
            }
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
