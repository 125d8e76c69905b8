//! A game looked back on: every turn beside the best, by simulation and exact endings, and luck apart from skill.
//!
//! [`report::analyse`] says at first sight what each turn gave away. Here the turn and its rivals are tried on the same draws ([`Trial`]), or
//! solved where the bag is empty or holds one tile, so that each has a chance to win beside its points. Turns that the budget did not reach
//! stay as they are at first sight, and say so.

mod chart;
mod luck;

use std::sync::Arc;

use serde::Serialize;
use wits_game::{Dice, Seed};
use wits_play::Budget;

pub use self::chart::chart;
use crate::files::cgp::Position;
use crate::files::gcg::{Act, Sheet};
use crate::generate::Engine;
use crate::house;
use crate::players::before::{Before, Known, outlook};
use crate::players::ending::ending_of;
use crate::players::{Rack, Rated, Sight, SimOptions, Solver, Step, Trial, Yardsticks, contenders};
use crate::report::{self, Judgement};
use crate::settings::{RACK, Settings};
use crate::standing::Standing;

/// How a turn was judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// By points and leaves alone.
    FirstSight,
    /// On draws of what is not known.
    Simulation,
    /// Every draw was solved.
    Exact,
}

/// What the draw of the tiles before a turn was worth, against the mean of what could have been drawn.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Luck {
    /// In points.
    pub points: f64,
    /// In games won.
    pub win: f64,
}

/// A turn with its chances. All are those of who moved.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Review {
    /// The turn at first sight; the best move and the loss are replaced where it was looked at closer.
    #[serde(flatten)]
    pub turn: Judgement,
    /// How it was judged.
    pub by: By,
    /// The chance to win after what was done, where two play.
    pub win: Option<f64>,
    /// The chance to win after the best move.
    pub best_win: Option<f64>,
    /// How much of it was given away.
    pub lost_win: Option<f64>,
    /// The standard error of that.
    pub lost_error: Option<f64>,
    /// What the tiles drawn before it were worth.
    pub luck: Option<Luck>,
}

impl Review {
    /// Whether the loss is more than chance could make it.
    pub fn mistake(&self) -> bool {
        match (self.lost_win, self.lost_error) {
            (Some(lost), Some(error)) => lost > 0.001 && lost > 2.0 * error,
            _ => self.turn.loss >= 0.005,
        }
    }
}

/// How a game is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    /// Rollouts a turn; zero for first sight alone.
    pub rollouts: u64,
    /// How many moves are tried beside the one that was made.
    pub candidates: usize,
    /// How many threads; the result is the same for any.
    pub threads: usize,
    /// Where all chance comes from.
    pub seed: Seed,
}

/// A game that was looked at.
#[derive(Clone, Debug)]
pub struct Reviewed {
    /// Every turn whose rack is known.
    pub turns: Vec<Review>,
    /// Whether all were looked at as closely as asked for.
    pub complete: bool,
}

impl Reviewed {
    /// The dearest mistakes, at most so many, the dearest first.
    pub fn dearest(&self, most: usize) -> Vec<&Review> {
        let mut found: Vec<&Review> = self.turns.iter().filter(|turn| turn.mistake()).collect();
        let key = |turn: &Review| (turn.lost_win.unwrap_or(0.0), turn.turn.loss);
        found.sort_by(|a, b| {
            let (a, b) = (key(a), key(b));
            b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
        });
        found.truncate(most);
        found
    }
}

/// How many draws a move gets at least, where the rollouts allow it.
const DRAWS: u64 = 20;
/// How many positions an ending may cost.
const ENDING: u64 = 200_000;
/// How many positions each question about a draw may cost where one tile is in the bag.
const DRAW: u64 = 10_000;

/// Looks at every turn of a game. `each` is told how many are done, and of how many.
pub fn review(
    engine: &Arc<Engine>,
    settings: &Settings,
    sheet: &Sheet,
    depth: &Depth,
    budget: &Budget,
    each: &mut dyn FnMut(usize, usize),
) -> Reviewed {
    let leaves = house::leaves(engine.tiles());
    let wins = house::wins(engine.tiles());
    let by = Yardsticks {
        leaves: &leaves,
        wins: &wins,
    };
    let judged = report::analyse(engine, &leaves, settings, sheet);
    let total = judged.len();
    let mut complete = true;
    let mut turns = Vec::with_capacity(total);
    for (done, turn) in judged.into_iter().enumerate() {
        each(done, total);
        let mut review = Review {
            turn,
            by: By::FirstSight,
            win: None,
            best_win: None,
            lost_win: None,
            lost_error: None,
            luck: None,
        };
        let over = budget.stopped() || budget.late();
        complete &= !over;
        if depth.rollouts > 0 && !over && sheet.players.len() > 1 {
            let number = review.turn.turn;
            let standing = before(sheet, number, engine);
            let looked = Looked {
                sheet,
                standing: &standing,
                settings,
                by,
                depth,
                budget,
            };
            looked.judge(&mut review);
            review.luck = looked.luck(number);
            // What was cut short is not as close as asked for.
            complete &= !(budget.stopped() || budget.late());
        }
        turns.push(review);
    }
    each(total, total);
    Reviewed { turns, complete }
}

/// The position before a turn, for who moved in it; after the last turn that of the first player, whose rack nobody
/// wrote down.
pub fn before(sheet: &Sheet, turn: usize, engine: &Arc<Engine>) -> Standing {
    let seats = sheet.players.len().max(1);
    let mut scores = vec![0; seats];
    for earlier in sheet.turns.iter().take(turn) {
        scores[earlier.player] = earlier.total;
    }
    let mut racks = vec![Vec::new(); seats];
    if let Some(entry) = sheet.turns.get(turn) {
        scores.rotate_left(entry.player);
        racks[0].clone_from(&entry.rack);
    }
    let position = Position {
        board: sheet.board(turn),
        racks,
        scores,
        quiet: 0,
        lexicon: None,
    };
    Standing::new(Arc::clone(engine), position)
}

/// A turn that is looked at.
struct Looked<'a> {
    sheet: &'a Sheet,
    standing: &'a Standing,
    settings: &'a Settings,
    by: Yardsticks<'a>,
    depth: &'a Depth,
    budget: &'a Budget,
}

/// What a move comes to: the chance to win where two play, and points.
#[derive(Clone, Copy)]
struct Worth {
    win: Option<f64>,
    points: f64,
}

impl Looked<'_> {
    /// What was done: a word that was taken back is a pass.
    fn played(&self, review: &Review) -> Rated {
        let turn = &review.turn;
        let worth = (100.0 * turn.played.equity).round() as i32;
        let (step, score) = match &self.sheet.turns[turn.turn].act {
            Act::Play(play) if !turn.withdrawn => {
                (Step::Lay(*play, turn.played.score), turn.played.score)
            }
            Act::Exchange(given, _) => (Step::Swap(Rack::new(given)), 0),
            _ => (Step::Pass, 0),
        };
        let worth = if step == Step::Pass { 0 } else { worth };
        Rated { step, score, worth }
    }

    fn judge(&self, review: &mut Review) {
        let (game, table) = self.standing.table();
        let sight = Sight::new(&game, &table);
        let played = self.played(review);
        // With few rollouts few moves are compared: a handful of draws would say nothing.
        let rivals = (self.depth.rollouts / DRAWS).saturating_sub(1) as usize;
        let rivals = rivals.clamp(2, self.depth.candidates.max(2));
        let mut rated = contenders(&sight, self.by.leaves, rivals);
        let same = |a: &Step, b: &Step| match (a, b) {
            (Step::Lay(a, _), Step::Lay(b, _)) => a == b,
            _ => a == b,
        };
        let known = rated.iter().position(|r| same(&r.step, &played.step));
        let own = known.unwrap_or(rated.len());
        if known.is_none() {
            rated.push(played);
        }
        let found = self
            .solved(&sight, &mut rated, own)
            .or_else(|| self.one_in_the_bag(&sight, &mut rated, own));
        review.by = if found.is_some() {
            By::Exact
        } else {
            By::Simulation
        };
        let found = found
            .map(|(best, of_best, of_own)| (best, of_best, of_own, 0.0))
            .or_else(|| self.simulated(&sight, &rated, own, review.turn.turn));
        let Some((best, of_best, of_own, error)) = found else {
            review.by = By::FirstSight;
            return;
        };
        let tiles = self.standing.engine.tiles();
        let board = &self.standing.position.board;
        review.turn.best = report::listed(&rated[best], &self.standing.hand, board, tiles);
        review.turn.loss = (of_best.points - of_own.points).max(0.0);
        review.win = of_own.win;
        review.best_win = of_best.win;
        let lost = of_best.win.zip(of_own.win).map(|(a, b)| (a - b).max(0.0));
        review.lost_win = lost.map(|lost| if best == own { 0.0 } else { lost });
        review.lost_error = lost.map(|_| error);
        if best == own {
            review.turn.loss = 0.0;
        }
    }

    /// How far the side to move is ahead.
    fn lead(&self) -> i32 {
        let scores = &self.standing.position.scores;
        scores[0] - scores.get(1).copied().unwrap_or(0)
    }

    /// With an empty bag: the best move and what was done, solved.
    fn solved(
        &self,
        sight: &Sight<'_>,
        rated: &mut Vec<Rated>,
        own: usize,
    ) -> Option<(usize, Worth, Worth)> {
        let ending = ending_of(sight)?;
        let engine = &self.standing.engine;
        let mut solver = Solver::new(engine, self.settings.bingo, self.budget, ENDING);
        let best = solver.solve(&ending, |_| {});
        let first = best.line.first().copied().unwrap_or(Step::Pass);
        let step = rated[own].step;
        solver.allow(ENDING);
        let reply = ending
            .after(&step, engine)
            .map(|next| solver.solve(&next, |_| {}));
        let exact = best.exact && reply.as_ref().is_none_or(|reply| reply.exact);
        if !exact {
            return None;
        }
        let value = ending.gain(&step, engine) - reply.map_or(0, |reply| reply.value);
        let worth = |value: i32| {
            let end = self.lead() + value;
            Worth {
                win: Some(f64::from(1 + end.signum()) / 2.0),
                points: f64::from(end),
            }
        };
        // Another move that comes to as much is as good.
        if value >= best.value {
            return Some((own, worth(value), worth(value)));
        }
        Some((place(rated, first), worth(best.value), worth(value)))
    }

    /// With one tile in the bag: every draw, solved.
    fn one_in_the_bag(
        &self,
        sight: &Sight<'_>,
        rated: &mut Vec<Rated>,
        own: usize,
    ) -> Option<(usize, Worth, Worth)> {
        let unseen = sight.unseen();
        if sight.view.racks.len() != 2 || sight.bag != 1 || unseen.len() != RACK + 1 {
            return None;
        }
        let at = Before {
            engine: &self.standing.engine,
            bingo: self.settings.bingo,
            field: &sight.field,
            rack: &Rack::new(sight.view.rack()),
            unseen: &unseen,
            bag: 1,
            lead: self.lead(),
            threads: self.depth.threads,
        };
        let mut every = contenders(sight, self.by.leaves, usize::MAX);
        every.push(Rated {
            step: Step::Pass,
            score: 0,
            worth: 0,
        });
        let all = outlook(&at, &every, self.budget, DRAW);
        let alone = outlook(&at, &rated[own..=own], self.budget, DRAW);
        let (best, mine) = (all.found.first()?, alone.found.first()?);
        if !all.complete || best.known == Known::Estimate || mine.known == Known::Estimate {
            return None;
        }
        let worth = |p: &crate::players::before::Prospect| Worth {
            win: Some(p.share()),
            points: p.mean(),
        };
        if mine.wins >= best.wins {
            return Some((own, worth(mine), worth(mine)));
        }
        Some((place(rated, best.step), worth(best), worth(mine)))
    }

    /// The best move and what was done on many draws: which one is best, what both are worth, and the standard error of the difference
    /// in games won.
    fn simulated(
        &self,
        sight: &Sight<'_>,
        rated: &[Rated],
        own: usize,
        turn: usize,
    ) -> Option<(usize, Worth, Worth, f64)> {
        let options = SimOptions {
            rollouts: self.depth.rollouts,
            threads: self.depth.threads,
            ..SimOptions::default()
        };
        let mut dice = Dice::new(self.depth.seed.nth(turn as u64));
        let mut trial = Trial::new(sight, rated, &mut dice);
        let over = |_| self.budget.stopped() || self.budget.late();
        // A move without rivals has its chances, too; after these batches all have tried sixteen draws.
        for _ in 0..5 {
            if !over(0) {
                trial.batch(sight, self.by, &options, &over);
            }
        }
        trial.run(sight, self.by, &options, &over, &mut |_| {});
        let best = trial.leader()?;
        let worth = |at: usize| {
            let tried = &trial.tried[at];
            Worth {
                win: tried.win.map(|(win, _)| win),
                points: tried.mean,
            }
        };
        let tried = [best, own].iter().all(|&at| trial.tried[at].count > 0);
        let (_, error) = trial.gap(best, own);
        tried.then(|| (best, worth(best), worth(own), error / 100.0))
    }
}

/// The place of a step among moves; it is added where it is none of them.
fn place(rated: &mut Vec<Rated>, step: Step) -> usize {
    if let Some(at) = rated.iter().position(|r| r.step == step) {
        return at;
    }
    let score = match step {
        Step::Lay(_, score) => score,
        _ => 0,
    };
    rated.push(Rated {
        step,
        score,
        worth: 100 * score,
    });
    rated.len() - 1
}
