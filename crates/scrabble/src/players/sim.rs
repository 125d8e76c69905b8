//! Monte Carlo: candidates tried against many draws of what is not known.
//!
//! Every round draws one order of the unseen tiles and plays it out from each candidate that is left: common
//! random numbers, so what is compared is the difference within a round, where the luck of the draw cancels. The opponent answers
//! and the own side answers back, each by points and leaves; then the difference in points counts, with what both racks are worth. After
//! every few rounds candidates that are clearly behind the leader are given up; when one is left, or none can catch up, it stops.

use std::sync::Arc;

use wits_game::Dice;
use wits_play::{Budget, Choice, Desk, Limits, Line, Player, Thought, Worth};

use super::bout::{Bout, Step};
use super::leaves::Leaves;
use super::race::{self, Race};
use super::rating::{Rated, best_step, candidates};
use super::sight::{Sight, answer, as_move, decide};
use crate::WORDS;
use crate::settings::RACK;
use crate::table::{Move, Scrabble, Table};

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
    /// A candidate is given up when it is this many standard errors behind the leader.
    pub confidence: f64,
    /// How many positions an ending may look at.
    pub ending: u64,
}

impl Default for SimOptions {
    fn default() -> SimOptions {
        SimOptions {
            candidates: 12,
            rollouts: 1_200,
            seconds: 0.0,
            plies: 2,
            confidence: 2.6,
            ending: 20_000,
        }
    }
}

/// A candidate with what its rollouts came to.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The candidate.
    pub rated: Rated,
    /// How many rollouts.
    pub count: u64,
    /// The mean result, in points.
    pub mean: f64,
    /// The standard error of the mean.
    pub error: f64,
    /// Whether it was given up.
    pub dropped: bool,
    results: Vec<f64>,
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

/// What winning is worth in points where games are played out; a point more or less still counts a little.
const WIN: f64 = 50.0;

/// How many rounds are played between two looks at who is behind.
const ROUNDS: u64 = 12;

/// A simulation that can be stopped after any round and gone on with: what is known of every candidate.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The candidates in the order given.
    pub tried: Vec<Tried>,
    unseen: Vec<u8>,
    rollouts: u64,
    round: u64,
}

impl Trial {
    /// Nothing has been tried yet.
    pub fn new(sight: &Sight<'_>, rated: &[Rated]) -> Trial {
        let untried = |&rated: &Rated| Tried {
            rated,
            count: 0,
            mean: f64::from(rated.worth) / 100.0,
            error: 0.0,
            dropped: false,
            results: Vec::new(),
        };
        Trial {
            tried: rated.iter().map(untried).collect(),
            unseen: sight.unseen(),
            rollouts: 0,
            round: 0,
        }
    }

    /// How many candidates are still in the race.
    pub fn alive(&self) -> usize {
        self.tried.iter().filter(|t| !t.dropped).count()
    }

    /// How many draws of what is not known were tried.
    pub fn rounds(&self) -> u64 {
        self.round
    }

    /// Whether it is settled, or the rollouts are spent.
    pub fn settled(&self, options: &SimOptions) -> bool {
        let most = options.rollouts;
        self.alive() <= 1 || (most > 0 && self.rollouts + self.alive() as u64 > most)
    }

    /// Works out where every candidate stands, between the looks at who is behind.
    pub fn sum_up(&mut self) {
        summarise(&mut self.tried);
    }

    /// Draws until it is settled or over, and says after each draw whether those behind were given up.
    fn run(
        &mut self,
        sight: &Sight<'_>,
        leaves: &Leaves,
        options: &SimOptions,
        dice: &mut Dice,
        over: &mut dyn FnMut(u64) -> bool,
        each: &mut dyn FnMut(&mut Trial, bool),
    ) {
        while !self.settled(options) && !over(self.rollouts) {
            let looked = self.round(sight, leaves, options, dice);
            each(self, looked);
        }
        self.sum_up();
    }

    /// One draw for every candidate that is left. True after every few draws, when those that are behind were given up.
    pub fn round(
        &mut self,
        sight: &Sight<'_>,
        leaves: &Leaves,
        options: &SimOptions,
        dice: &mut Dice,
    ) -> bool {
        dice.shuffle(&mut self.unseen);
        let start = sight.bout(&self.unseen);
        // Near the end a game is soon over: it is played out, and winning counts.
        let near = self.unseen.len() <= RACK * sight.view.racks.len();
        let plies = if near { u32::MAX } else { options.plies };
        for candidate in self.tried.iter_mut().filter(|t| !t.dropped) {
            let result = roll(&start, &candidate.rated.step, leaves, plies);
            candidate.results.push(result);
            self.rollouts += 1;
        }
        self.round += 1;
        let looks = self.round.is_multiple_of(ROUNDS);
        if looks {
            summarise(&mut self.tried);
            drop_behind(&mut self.tried, options.confidence);
        }
        looks
    }
}

/// Simulates the candidates. `each` is told after every few rounds; candidates are listed in the order given.
pub fn simulate(
    sight: &Sight<'_>,
    leaves: &Leaves,
    options: &SimOptions,
    rated: &[Rated],
    dice: &mut Dice,
    over: &mut dyn FnMut(u64) -> bool,
    each: &mut dyn FnMut(&[Tried]),
) -> Vec<Tried> {
    let mut trial = Trial::new(sight, rated);
    let mut after = |trial: &mut Trial, looked: bool| {
        if looked {
            each(&trial.tried);
        }
    };
    trial.run(sight, leaves, options, dice, over, &mut after);
    each(&trial.tried);
    trial.tried
}

/// One rollout: the difference in points after some moves, with what the racks are worth.
fn roll(start: &Bout<'_>, step: &Step, leaves: &Leaves, plies: u32) -> f64 {
    let mut bout = start.clone();
    let me = bout.turn;
    bout.step(step);
    let mut held = vec![0; bout.racks.len()];
    for _ in 0..plies {
        if bout.over {
            break;
        }
        let turn = bout.turn;
        let (step, worth) = best_step(&bout, leaves);
        let score = match step {
            Step::Lay(_, score) => score,
            _ => 0,
        };
        held[turn] = worth - score * 100;
        bout.step(&step);
    }
    let spread = f64::from(bout.spread(me));
    if plies == u32::MAX {
        return spread * 0.25 + WIN * f64::from(bout.spread(me).signum());
    }
    if bout.over {
        return spread;
    }
    let others = (0..held.len())
        .filter(|&s| s != me)
        .map(|s| held[s])
        .max()
        .unwrap_or(0);
    spread + f64::from(held[me] - others) / 100.0
}

fn summarise(tried: &mut [Tried]) {
    for candidate in tried {
        let n = candidate.results.len() as f64;
        candidate.count = candidate.results.len() as u64;
        if candidate.results.is_empty() {
            candidate.mean = f64::from(candidate.rated.worth) / 100.0;
            continue;
        }
        candidate.mean = candidate.results.iter().sum::<f64>() / n;
        let squares: f64 = candidate
            .results
            .iter()
            .map(|r| (r - candidate.mean) * (r - candidate.mean))
            .sum();
        candidate.error = (squares / (n - 1.0).max(1.0) / n).sqrt();
    }
}

/// Gives up those that are clearly behind the leader, by the differences within rounds.
fn drop_behind(tried: &mut [Tried], confidence: f64) {
    let Some(leader) = leader(tried) else { return };
    let best = tried[leader].results.clone();
    for (at, candidate) in tried.iter_mut().enumerate() {
        if at == leader || candidate.dropped || candidate.results.len() < 2 {
            continue;
        }
        let gaps: Vec<f64> = best
            .iter()
            .zip(&candidate.results)
            .map(|(b, c)| b - c)
            .collect();
        let n = gaps.len() as f64;
        let mean = gaps.iter().sum::<f64>() / n;
        let squares: f64 = gaps.iter().map(|g| (g - mean) * (g - mean)).sum();
        let error = (squares / (n - 1.0) / n).sqrt();
        // Two moves that never differ (the same word elsewhere) are settled, too.
        if mean > confidence * error || (error == 0.0 && mean >= 0.0) {
            candidate.dropped = true;
        }
    }
}

/// The candidate that is best now: the greatest mean among those with the most rollouts.
pub fn leader(tried: &[Tried]) -> Option<usize> {
    (0..tried.len())
        .filter(|&at| !tried[at].dropped)
        .max_by(|&a, &b| tried[a].mean.total_cmp(&tried[b].mean).then(b.cmp(&a)))
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
        let kept = sight.kept(&self.leaves);
        let rated = candidates(
            game.engine(),
            &sight.field,
            &sight.hand,
            game.settings().bingo,
            &kept,
            sight.may_swap,
            self.options.candidates,
        );
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
        let mut over = |rollouts: u64| {
            budget.stopped()
                || budget.late()
                || budget.limits().nodes.is_some_and(|n| rollouts >= n)
        };
        let mut dice = desk.dice.clone();
        let mut trial = Trial::new(&sight, &rated);
        let mut race = desk
            .record
            .take()
            .map(|watch| Race::open(watch, &sight, &rated));
        let (leaves, options) = (&self.leaves, &self.options);
        let mut each = |trial: &mut Trial, looked: bool| {
            if looked {
                tell_bars(&trial.tried, desk);
            }
            if let Some(race) = &mut race
                && (looked || trial.rounds().is_power_of_two())
            {
                trial.sum_up();
                race.grown(trial);
            }
        };
        trial.run(&sight, leaves, options, &mut dice, &mut over, &mut each);
        tell_bars(&trial.tried, desk);
        let best = leader(&trial.tried).unwrap_or(0);
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
        let found = super::before::prospects(
            sight.game.engine(),
            sight.game.settings().bingo,
            &sight.field,
            &super::bout::Rack::new(sight.view.rack()),
            &unseen,
            scores[me] - scores[1 - me],
            rated,
            budget,
            each,
        );
        let best = found.first()?;
        if let Some(watch) = desk.record.take() {
            race::tell_prospects(watch, sight, rated, &found);
        }
        Some(decide(desk, as_move(&best.step), best.mean(), "why-before"))
    }
}

/// Says where every candidate stands, as a thought.
fn tell_bars(tried: &[Tried], desk: &mut Desk<'_, Move>) {
    let mut order: Vec<&Tried> = tried.iter().collect();
    order.sort_by(|a, b| a.dropped.cmp(&b.dropped).then(b.mean.total_cmp(&a.mean)));
    let rounds = order.first().map_or(0, |t| t.count);
    let nodes = tried.iter().map(|t| t.count).sum();
    desk.say(Thought {
        lines: order
            .iter()
            .map(|t| Line {
                moves: vec![as_move(&t.rated.step)],
                worth: Worth::mean(t.mean),
            })
            .collect(),
        depth: 2,
        nodes,
        why: Some(WORDS.say("why-sim").with("rounds", rounds)),
        ..Thought::default()
    });
}
