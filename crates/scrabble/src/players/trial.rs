//! Candidates tried against many draws of what is not known.
//!
//! The draws are numbered, and the same number is the same order of the unseen tiles for every candidate: common random numbers, so
//! what is compared is the difference on the same draws, where the luck cancels. At first all candidates try the same few draws. Then
//! the leader and those that it is least clearly ahead of get the next ones (top-two sampling, as in Russo 2016, with the
//! differences' standard errors in place of posteriors), so the work goes where the choice is not settled. A candidate that is
//! clearly behind is given up.
//!
//! What a batch holds depends on results alone and not on threads, so the same number of rollouts gives the same result on any number of
//! them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use wits_game::{Dice, Seed};

use super::bout::{Bout, Step};
use super::leaves::Leaves;
use super::rating::{Rated, best_step};
use super::sight::Sight;
use super::sim::SimOptions;
use super::wins::Wins;

/// What a simulation judges by.
#[derive(Clone, Copy, Debug)]
pub struct Yardsticks<'a> {
    /// What tiles in the hand are worth.
    pub leaves: &'a Leaves,
    /// How likely a lead wins.
    pub wins: &'a Wins,
}

/// A candidate with what its rollouts came to.
///
/// The numbers are those of the candidate with the most rollouts, less the mean difference on the draws that both tried.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The candidate.
    pub rated: Rated,
    /// How many rollouts.
    pub count: u64,
    /// The mean lead at the end of a rollout, in points, with what the racks are worth.
    pub mean: f64,
    /// The standard error of the mean.
    pub error: f64,
    /// The share of games won, where two play: its mean and the standard error.
    pub win: Option<(f64, f64)>,
    /// Whether it was given up.
    pub dropped: bool,
    aim: (f64, f64),
    results: Vec<Rolled>,
}

impl Tried {
    /// What candidates are compared by: games won in a hundred where two play, with a hundredth of one for every point; else points.
    pub fn aim(&self) -> f64 {
        self.aim.0
    }

    /// The standard error of that.
    pub fn aim_error(&self) -> f64 {
        self.aim.1
    }
}

/// What one rollout came to.
#[derive(Clone, Copy, Debug)]
struct Rolled {
    points: f64,
    win: f64,
}

impl Rolled {
    /// Where both win or both lose, points still count a little.
    fn aim(self, two: bool) -> f64 {
        if two {
            100.0 * self.win + 0.01 * self.points
        } else {
            self.points
        }
    }
}

/// How many draws every candidate tries before any is preferred.
const FIRST: u64 = 16;
/// How many draws a candidate gets at a time after that.
const BATCH: usize = 16;
/// How many challengers of the leader get draws at a time.
const CHALLENGERS: usize = 3;

/// A simulation that can be stopped after any batch and gone on with.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The candidates in the order given.
    pub tried: Vec<Tried>,
    unseen: Vec<u8>,
    seed: Seed,
    two: bool,
    rollouts: u64,
}

/// Mean and standard error of the mean.
fn moments(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let (mut n, mut sum) = (0.0, 0.0);
    for value in values.clone() {
        n += 1.0;
        sum += value;
    }
    let mean = if n > 0.0 { sum / n } else { 0.0 };
    let squares: f64 = values.map(|v| (v - mean) * (v - mean)).sum();
    let error = if n > 1.0 {
        (squares / (n - 1.0) / n).sqrt()
    } else {
        0.0
    };
    (mean, error)
}

impl Trial {
    /// Nothing has been tried yet. All draws come from these dice.
    pub fn new(sight: &Sight<'_>, rated: &[Rated], dice: &mut Dice) -> Trial {
        let two = sight.view.racks.len() == 2;
        let untried = |&rated: &Rated| Tried {
            rated,
            count: 0,
            mean: f64::from(rated.worth) / 100.0,
            error: 0.0,
            win: None,
            dropped: false,
            aim: (f64::from(rated.worth) / 100.0, 0.0),
            results: Vec::new(),
        };
        Trial {
            tried: rated.iter().map(untried).collect(),
            unseen: sight.unseen(),
            seed: Seed::new(dice.next() & Seed::MOST.number()),
            two,
            rollouts: 0,
        }
    }

    /// How many candidates are still in the race.
    pub fn alive(&self) -> usize {
        self.tried.iter().filter(|t| !t.dropped).count()
    }

    /// How many draws of what is not known were tried.
    pub fn rounds(&self) -> u64 {
        let counts = self.tried.iter().map(|t| t.results.len() as u64);
        counts.max().unwrap_or(0)
    }

    /// How many rollouts there were, over all candidates.
    pub fn rollouts(&self) -> u64 {
        self.rollouts
    }

    /// Whether it is settled, or the rollouts are spent.
    pub fn settled(&self, options: &SimOptions) -> bool {
        self.alive() <= 1 || (options.rollouts > 0 && self.rollouts >= options.rollouts)
    }

    /// Draws until it is settled or over; `each` is told after every batch.
    pub fn run(
        &mut self,
        sight: &Sight<'_>,
        by: Yardsticks<'_>,
        options: &SimOptions,
        over: &(dyn Fn(u64) -> bool + Sync),
        each: &mut dyn FnMut(&Trial),
    ) {
        while !self.settled(options) && !over(self.rollouts) {
            self.batch(sight, by, options, over);
            each(self);
        }
    }

    /// Some draws for those candidates that the choice depends on; then those that are clearly behind are given up. What is not done
    /// when it is over is left out.
    pub fn batch(
        &mut self,
        sight: &Sight<'_>,
        by: Yardsticks<'_>,
        options: &SimOptions,
        over: &(dyn Fn(u64) -> bool + Sync),
    ) {
        let mut jobs = self.jobs();
        if options.rollouts > 0 {
            jobs.truncate((options.rollouts - self.rollouts.min(options.rollouts)) as usize);
        }
        let before = self.rollouts;
        let done = AtomicUsize::new(0);
        let next = AtomicUsize::new(0);
        let found = Mutex::new(vec![None; jobs.len()]);
        // Near the end a game is soon over: it is played out.
        let near = self.unseen.len() <= options.playout;
        let plies = if near { u32::MAX } else { options.plies };
        let work = || {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(&(candidate, draw)) = jobs.get(at) else {
                    return;
                };
                if over(before + done.load(Ordering::Relaxed) as u64) {
                    return;
                }
                let mut unseen = self.unseen.clone();
                Dice::new(self.seed.nth(draw)).shuffle(&mut unseen);
                let rated = &self.tried[candidate].rated;
                let result = roll(sight.bout(&unseen), rated, by, plies);
                let mut found = found.lock().expect("no thread panics holding it");
                found[at] = Some(result);
                done.fetch_add(1, Ordering::Relaxed);
            }
        };
        let threads = options.threads.clamp(1, jobs.len().max(1));
        if threads == 1 {
            work();
        } else {
            std::thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(work);
                }
            });
        }
        let found = found.into_inner().expect("no thread panics holding it");
        for ((candidate, draw), result) in jobs.into_iter().zip(found) {
            let results = &mut self.tried[candidate].results;
            // After one that is missing the numbers of the draws would be wrong.
            if let Some(result) = result.filter(|_| results.len() as u64 == draw) {
                results.push(result);
                self.rollouts += 1;
            }
        }
        self.drop_behind(options.confidence);
        self.sum_up();
    }

    /// Which candidates try which draws next.
    fn jobs(&self) -> Vec<(usize, u64)> {
        let count = |at: usize| self.tried[at].results.len() as u64;
        let alive: Vec<usize> = (0..self.tried.len())
            .filter(|&at| !self.tried[at].dropped)
            .collect();
        let least = alive.iter().map(|&at| count(at)).min().unwrap_or(0);
        let next = |at: usize, to: u64| (count(at)..to).map(move |draw| (at, draw));
        let Some(leader) = self.leader().filter(|_| least >= FIRST) else {
            // One draw, two, four, eight, sixteen.
            let to = (2 * least).clamp(1, FIRST);
            return alive.iter().flat_map(|&at| next(at, to)).collect();
        };
        let others = alive.into_iter().filter(|&at| at != leader);
        let mut closest: Vec<(f64, usize)> = others
            .map(|at| {
                let (gap, error) = self.gap(leader, at);
                (gap / error.max(1e-9), at)
            })
            .collect();
        closest.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        closest.truncate(CHALLENGERS);
        let to = |at: usize| count(at) + BATCH as u64;
        let most = closest.iter().map(|&(_, at)| to(at)).max().unwrap_or(0);
        // The leader has tried every draw that a challenger has.
        let mut jobs: Vec<(usize, u64)> = next(leader, most.max(count(leader))).collect();
        for (_, at) in closest {
            jobs.extend(next(at, to(at)));
        }
        jobs
    }

    /// How far one candidate is ahead of another on the draws that both tried, and the standard error of that.
    pub fn gap(&self, ahead: usize, behind: usize) -> (f64, f64) {
        let (a, b) = (&self.tried[ahead].results, &self.tried[behind].results);
        let two = self.two;
        moments(a.iter().zip(b).map(|(a, b)| a.aim(two) - b.aim(two)))
    }

    /// The candidate that is best now among those in the race.
    pub fn leader(&self) -> Option<usize> {
        let reference = self.reference()?;
        let ahead = |at: usize| -self.gap(reference, at).0;
        (0..self.tried.len())
            .filter(|&at| !self.tried[at].dropped)
            .max_by(|&a, &b| ahead(a).total_cmp(&ahead(b)).then(b.cmp(&a)))
    }

    /// The candidate that has tried the most draws: all others have tried some of the same.
    fn reference(&self) -> Option<usize> {
        let count = |at: usize| self.tried[at].results.len();
        (0..self.tried.len()).max_by_key(|&at| (count(at), std::cmp::Reverse(at)))
    }

    /// Gives up those that are clearly behind the leader.
    fn drop_behind(&mut self, confidence: f64) {
        let Some(leader) = self.leader() else { return };
        for at in 0..self.tried.len() {
            let (tried, enough) = (&self.tried[at], FIRST as usize);
            if at == leader || tried.dropped || tried.results.len() < enough {
                continue;
            }
            let (gap, error) = self.gap(leader, at);
            // Two moves that never differ are settled, too.
            self.tried[at].dropped = gap > confidence * error || (error == 0.0 && gap >= 0.0);
        }
    }

    /// Works out where every candidate stands. Who was given up stays as far behind the leader as on the draws that both tried.
    fn sum_up(&mut self) {
        let (Some(reference), Some(leader)) = (self.reference(), self.leader()) else {
            return;
        };
        let two = self.two;
        let all: Vec<Standing> = (0..self.tried.len())
            .map(|at| Standing {
                points: self.stands(reference, at, |r| r.points),
                win: self.stands(reference, at, |r| r.win),
                aim: self.stands(reference, at, move |r| r.aim(two)),
            })
            .collect();
        let first = all[leader];
        for (at, Standing { points, win, aim }) in all.into_iter().enumerate() {
            let behind = self.gap(leader, at).0.max(0.0);
            let tried = &mut self.tried[at];
            tried.count = tried.results.len() as u64;
            if tried.results.is_empty() {
                continue;
            }
            (tried.mean, tried.error) = points;
            // Equal moves differ by rounding; none of them stands above the leader.
            let most = if tried.dropped {
                first.aim.0 - behind
            } else {
                first.aim.0
            };
            tried.aim = (aim.0.min(most), aim.1);
            if two {
                // What is told of wins follows from that. A mean that rests on another candidate's may leave its range.
                let share = ((tried.aim.0 - 0.01 * points.0) / 100.0).clamp(0.0, 1.0);
                tried.win = Some((share, win.1));
                tried.aim.0 = (100.0 * share + 0.01 * points.0).min(first.aim.0);
            }
        }
    }

    /// The mean of a number over a candidate's rollouts and its standard error, by way of the candidate that has the most.
    fn stands(&self, reference: usize, at: usize, pick: impl Fn(&Rolled) -> f64) -> (f64, f64) {
        let (base, own) = (&self.tried[reference].results, &self.tried[at].results);
        if own.len() >= base.len() {
            return moments(own.iter().map(&pick));
        }
        let (mean, error) = moments(base.iter().map(&pick));
        let pairs = base.iter().zip(own);
        let (gap, gap_error) = moments(pairs.map(|(a, b)| pick(b) - pick(a)));
        (mean + gap, error.hypot(gap_error))
    }
}

/// Where a candidate stands: means with their standard errors.
#[derive(Clone, Copy)]
struct Standing {
    points: (f64, f64),
    win: (f64, f64),
    aim: (f64, f64),
}

/// One rollout: the lead after some moves, with what the racks are worth, and how often that wins.
fn roll(mut bout: Bout<'_>, rated: &Rated, by: Yardsticks<'_>, plies: u32) -> Rolled {
    let me = bout.turn;
    let mut held = [0; 4];
    held[me] = rated.worth - 100 * rated.score;
    bout.step(&rated.step);
    for _ in 0..plies {
        if bout.over {
            break;
        }
        let turn = bout.turn;
        let (step, worth) = best_step(&bout, by.leaves);
        let score = match step {
            Step::Lay(_, score) => score,
            _ => 0,
        };
        held[turn] = worth - score * 100;
        bout.step(&step);
    }
    let spread = f64::from(bout.spread(me));
    if bout.over {
        let win = f64::from(1 + bout.spread(me).signum()) / 2.0;
        return Rolled {
            points: spread,
            win,
        };
    }
    let seats = bout.racks.len();
    let others = (0..seats).filter(|&s| s != me).map(|s| held[s]);
    let points = spread + f64::from(held[me] - others.max().unwrap_or(0)) / 100.0;
    let turn = bout.turn;
    let racks = (0..seats).filter(|&s| s != turn);
    let unseen = bout.bag.len() + racks.map(|s| bout.racks[s].len()).sum::<usize>();
    let win = if turn == me {
        by.wins.chance(points, unseen)
    } else {
        1.0 - by.wins.chance(-points, unseen)
    };
    Rolled { points, win }
}
