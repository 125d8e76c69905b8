//! The player that simulates: its best moves at first sight against many draws of what is not known, and exact endings.

use std::sync::Arc;

use wits_play::{Budget, Choice, Desk, Limits, Line, Player, Thought, Worth};

use super::before::{Before, outlook};
use super::bout::Step;
use super::leaves::Leaves;
use super::race::{self, Race};
use super::rating::{Rated, candidates};
use super::sight::{Sight, answer, as_move, decide};
use super::trial::{Trial, Yardsticks};
use crate::board::Direction;
use crate::settings::RACK;
use crate::table::{Move, Scrabble, Table};
use crate::{WORDS, house};

/// How a simulation runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SimOptions {
    /// How many candidates are tried.
    pub candidates: usize,
    /// At most so many rollouts, over all candidates; zero for no limit.
    pub rollouts: u64,
    /// At most so many seconds; zero for no limit.
    pub seconds: f64,
    /// How many moves follow a candidate.
    pub plies: u32,
    /// Games with so many unseen tiles or fewer are played out.
    pub playout: usize,
    /// A candidate is given up when it is this many standard errors behind the leader.
    pub confidence: f64,
    /// How many threads a simulation takes; the result is the same for any.
    pub threads: usize,
    /// How many positions an ending may look at.
    pub ending: u64,
}

impl Default for SimOptions {
    fn default() -> SimOptions {
        SimOptions {
            candidates: 15,
            rollouts: 1_200,
            seconds: 0.0,
            plies: 2,
            playout: 2 * RACK,
            confidence: 3.5,
            threads: 1,
            ending: 20_000,
        }
    }
}

/// The player.
#[derive(Clone, Debug)]
pub struct Sim {
    leaves: Arc<Leaves>,
    options: SimOptions,
}

impl Sim {
    /// A player with a table of leaves.
    pub fn new(leaves: Arc<Leaves>, options: SimOptions) -> Sim {
        Sim { leaves, options }
    }
}

impl Player<Scrabble> for Sim {
    fn choose(&mut self, game: &Scrabble, view: &Table, desk: &mut Desk<'_, Move>) -> Choice<Move> {
        if let Some(choice) = answer(game, view, desk) {
            return choice;
        }
        let sight = Sight::new(game, view);
        let limit = if self.options.seconds > 0.0 && self.options.seconds.is_finite() {
            Limits::time(std::time::Duration::from_secs_f64(self.options.seconds))
        } else {
            Limits::NONE
        };
        let budget = desk.budget.within(limit);
        if let Some(choice) = super::ending::choose(&sight, self.options.ending, &budget, desk) {
            return choice;
        }
        let rated = contenders(&sight, &self.leaves, self.options.candidates);
        let Some(first) = rated.first() else {
            race::alone(desk, &sight, &Move::Pass, 0);
            return decide(desk, Move::Pass, 0.0, "why-nothing");
        };
        if rated.len() == 1 {
            let mv = as_move(&first.step);
            race::alone(desk, &sight, &mv, first.worth);
            return decide(desk, mv, f64::from(first.worth) / 100.0, "why-leave");
        }
        if let Some(choice) = self.one_in_the_bag(&sight, &rated, &budget, desk) {
            return choice;
        }
        let over = |rollouts: u64| {
            budget.stopped()
                || budget.late()
                || budget.limits().nodes.is_some_and(|n| rollouts >= n)
        };
        let mut trial = Trial::new(&sight, &rated, &mut desk.dice.clone());
        let mut race = desk
            .record
            .take()
            .map(|watch| Race::open(watch, &sight, &rated));
        let wins = house::wins(game.engine().tiles());
        let by = Yardsticks {
            leaves: &self.leaves,
            wins: &wins,
        };
        let mut told = 0;
        let mut each = |trial: &Trial| {
            // A race of many batches is told as it grows by a half.
            let due = trial.settled(&self.options) || 2 * trial.rollouts() >= 3 * told;
            if due {
                told = trial.rollouts();
                tell_bars(trial, desk);
            }
            if let Some(race) = race.as_mut().filter(|_| due) {
                race.grown(trial);
            }
        };
        trial.run(&sight, by, &self.options, &over, &mut each);
        tell_bars(&trial, desk);
        let best = trial.leader().unwrap_or(0);
        if let Some(race) = race {
            race.finish(&trial, best);
        }
        Choice::Move(as_move(&trial.tried[best].rated.step))
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}

impl Sim {
    /// With one tile in the bag the candidates' endings are solved.
    fn one_in_the_bag(
        &self,
        sight: &Sight<'_>,
        rated: &[Rated],
        budget: &Budget,
        desk: &mut Desk<'_, Move>,
    ) -> Option<Choice<Move>> {
        let unseen = sight.unseen();
        let full = sight.view.racks.len() == 2 && sight.bag == 1 && unseen.len() == RACK + 1;
        if !full || self.options.ending == 0 {
            return None;
        }
        let scores = &sight.view.scores;
        let me = usize::from(sight.view.turn);
        let nodes = desk.budget.limits().nodes.unwrap_or(u64::MAX);
        let each = (self.options.ending / 40).clamp(20, 500).min(nodes);
        let before = Before {
            engine: sight.game.engine(),
            bingo: sight.game.settings().bingo,
            field: &sight.field,
            rack: &super::bout::Rack::new(sight.view.rack()),
            unseen: &unseen,
            bag: 1,
            lead: scores[me] - scores[1 - me],
            threads: self.options.threads,
        };
        let found = outlook(&before, rated, budget, each).found;
        let best = found.first()?;
        if let Some(watch) = desk.record.take() {
            race::tell_prospects(watch, sight, rated, &found);
        }
        Some(decide(desk, as_move(&best.step), best.mean(), "why-before"))
    }
}

/// Says where every candidate stands, as a thought.
fn tell_bars(trial: &Trial, desk: &mut Desk<'_, Move>) {
    let best = trial.leader();
    let mut order: Vec<usize> = (0..trial.tried.len()).collect();
    let key = |at: usize| (Some(at) != best, trial.tried[at].dropped);
    order.sort_by(|&a, &b| {
        let aim = |at: usize| trial.tried[at].aim();
        key(a).cmp(&key(b)).then(aim(b).total_cmp(&aim(a)))
    });
    desk.say(Thought {
        lines: order
            .iter()
            .map(|&at| Line {
                moves: vec![as_move(&trial.tried[at].rated.step)],
                worth: Worth::mean(trial.tried[at].aim()),
            })
            .collect(),
        depth: 2,
        nodes: trial.rollouts(),
        why: Some(WORDS.say("why-sim").with("rounds", trial.rounds())),
        ..Thought::default()
    });
}

/// The best moves at first sight that a simulation tries. The first word of a game is tried across alone: the board is the
/// same when it is turned.
pub fn contenders(sight: &Sight<'_>, leaves: &Leaves, most: usize) -> Vec<Rated> {
    let mut rated = candidates(
        sight.game.engine(),
        &sight.field,
        &sight.hand,
        sight.game.settings().bingo,
        &sight.kept(leaves),
        sight.may_swap,
        usize::MAX,
    );
    if sight.field.is_empty() {
        let down = |r: &Rated| matches!(&r.step, Step::Lay(p, _) if p.direction == Direction::Down);
        rated.retain(|r| !down(r));
    }
    rated.truncate(most);
    rated
}
