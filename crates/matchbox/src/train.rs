//! Many machines at school at once: learning curves with bands.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde::Serialize;
use wits_game::Seed;

use crate::chart::Chart;
use crate::learner::{Learning, Method};
use crate::life::{Life, School};
use crate::machine::Machine;
use crate::opponent::Opponent;
use crate::stats::{Band, Summary, Sums};
use crate::teaching::Verdict;

/// What to do at school.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Course {
    /// How many machines.
    pub machines: u64,
    /// How many games each plays.
    pub games: u32,
    /// Where all chance comes from: each machine has dice of its own.
    pub seed: Seed,
    /// How many threads do the work. The result does not depend on it.
    pub threads: usize,
    /// How many games the losses of beginners are counted over.
    pub first: u32,
    /// How they learn: by beads, or by numbers in their place.
    pub learning: Learning,
}

impl Course {
    /// A course on one thread; beginners' losses are counted over 20 games.
    pub fn new(machines: u64, games: u32, seed: Seed) -> Course {
        Course {
            machines,
            games,
            seed,
            threads: 1,
            first: 20,
            learning: Learning::default(),
        }
    }
}

/// At most this many points make a curve; more games share a point.
const POINTS: u32 = 200;
/// The score of a machine is its mean over this many games.
const WINDOW: usize = 20;
/// At most this many bars count the losses at one point.
const BARS: u32 = 2000;
/// How many machines a worker takes at a time.
const BATCH: u64 = 64;

/// One point of a learning curve.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Point {
    /// The last game that counts for this point, from one; the first is after the point before.
    pub game: u32,
    /// Share of games won.
    pub win: f64,
    /// Share of games drawn.
    pub draw: f64,
    /// Share of games lost.
    pub loss: f64,
    /// Share of games lost before an empty box.
    pub resigned: f64,
    /// Share of machines that were perfect at the end.
    pub perfect: f64,
    /// Losses of a machine up to here.
    pub losses: Band,
    /// Score of a machine over its last games: a win 1, a draw 1/2.
    pub score: Band,
}

/// What came of a course, in the words that scripts read.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Trained {
    /// What people call the machine.
    pub machine: String,
    /// The spec of the game.
    pub game: String,
    /// The opponent.
    pub opponent: String,
    /// How they learnt.
    pub learner: Method,
    /// How many machines finished.
    pub machines: u64,
    /// How many games each played.
    pub games: u32,
    /// The seed.
    pub seed: Seed,
    /// Whether it was stopped early: then fewer machines count than were asked for.
    pub stopped: bool,
    /// The learning curve.
    pub curve: Vec<Point>,
    /// Losses of the machines that became perfect until they were.
    pub losses_to_perfect: Summary,
    /// Games of the machines that became perfect until they were.
    pub games_to_perfect: Summary,
    /// Losses in the first games.
    pub first_losses: Summary,
    /// How many first games that is.
    pub first: u32,
    /// How many machines became perfect.
    pub perfect: u64,
    /// How many machines resigned their last game before an empty box.
    pub resigned: u64,
    /// How often a machine needed so many losses to become perfect, from none.
    pub losses_histogram: Vec<u64>,
}

/// What a worker counts. Whole numbers only, so the order of adding does not matter.
#[derive(Clone, Debug)]
struct Counts {
    verdicts: Vec<[u64; 3]>,
    resigned: Vec<u64>,
    perfect: Vec<u64>,
    losses: Vec<u64>,
    score: Vec<u64>,
    to_perfect: Sums,
    games_to_perfect: Sums,
    first_losses: Sums,
    resigned_last: u64,
    histogram: Vec<u64>,
    machines: u64,
}

/// How games share points.
#[derive(Clone, Copy, Debug)]
struct Grid {
    per_point: u32,
    points: usize,
    bars: usize,
    per_bar: u32,
}

impl Grid {
    fn new(games: u32) -> Grid {
        let per_point = games.div_ceil(POINTS).max(1);
        let per_bar = (games / BARS).max(1);
        Grid {
            per_point,
            points: games.div_ceil(per_point) as usize,
            bars: (games / per_bar + 1) as usize,
            per_bar,
        }
    }
}

const SCORES: usize = 2 * WINDOW + 1;

impl Counts {
    fn new(grid: Grid) -> Counts {
        Counts {
            verdicts: vec![[0; 3]; grid.points],
            resigned: vec![0; grid.points],
            perfect: vec![0; grid.points],
            losses: vec![0; grid.points * grid.bars],
            score: vec![0; grid.points * SCORES],
            to_perfect: Sums::default(),
            games_to_perfect: Sums::default(),
            first_losses: Sums::default(),
            resigned_last: 0,
            histogram: Vec::new(),
            machines: 0,
        }
    }

    fn merge(&mut self, other: &Counts) {
        fn add(to: &mut [u64], from: &[u64]) {
            to.iter_mut().zip(from).for_each(|(a, b)| *a += b);
        }
        add(
            self.verdicts.as_flattened_mut(),
            other.verdicts.as_flattened(),
        );
        add(&mut self.resigned, &other.resigned);
        add(&mut self.perfect, &other.perfect);
        add(&mut self.losses, &other.losses);
        add(&mut self.score, &other.score);
        self.to_perfect.merge(&other.to_perfect);
        self.games_to_perfect.merge(&other.games_to_perfect);
        self.first_losses.merge(&other.first_losses);
        self.resigned_last += other.resigned_last;
        if self.histogram.len() < other.histogram.len() {
            self.histogram.resize(other.histogram.len(), 0);
        }
        add(&mut self.histogram, &other.histogram);
        self.machines += other.machines;
    }

    /// One life from its first game to its last.
    fn live(&mut self, life: &mut Life<'_>, course: &Course, grid: Grid) {
        let (mut losses, mut first_losses) = (0u32, 0u32);
        let mut window = [0u8; WINDOW];
        let mut score = 0usize;
        let mut resigned = false;
        let mut known = life.is_perfect();
        if known {
            self.became_perfect(0, 0);
        }
        let (mut point, mut left) = (0, grid.per_point);
        for game in 0..course.games {
            let played = life.game();
            resigned = played.resigned;
            self.verdicts[point][played.verdict.index()] += 1;
            self.resigned[point] += u64::from(resigned);
            let half_points = 2 - played.verdict.index() as u8;
            let at = game as usize % WINDOW;
            score = score + usize::from(half_points)
                - usize::from(std::mem::replace(&mut window[at], half_points));
            if played.verdict == Verdict::Loss {
                losses += 1;
                first_losses += u32::from(game < course.first);
            }
            if !known && life.is_perfect() {
                known = true;
                self.became_perfect(losses, game + 1);
            }
            left -= 1;
            if left == 0 || game + 1 == course.games {
                self.losses[point * grid.bars + (losses / grid.per_bar) as usize] += 1;
                // Before the window is full the score is the mean of what there is.
                let full = (game as usize + 1).min(WINDOW);
                self.score[point * SCORES + score * WINDOW / full] += 1;
                self.perfect[point] += u64::from(known);
                point += 1;
                left = grid.per_point;
            }
        }
        self.first_losses.add(u64::from(first_losses));
        self.resigned_last += u64::from(resigned);
        self.machines += 1;
    }

    fn became_perfect(&mut self, losses: u32, games: u32) {
        self.to_perfect.add(u64::from(losses));
        self.games_to_perfect.add(u64::from(games));
        if self.histogram.len() <= losses as usize {
            self.histogram.resize(losses as usize + 1, 0);
        }
        self.histogram[losses as usize] += 1;
    }

    fn curve(&self, course: &Course, grid: Grid) -> Vec<Point> {
        let machines = self.machines.max(1) as f64;
        (0..grid.points)
            .map(|point| {
                let [win, draw, loss] = self.verdicts[point];
                let games = (win + draw + loss).max(1) as f64;
                let bars = &self.losses[point * grid.bars..(point + 1) * grid.bars];
                let scores = &self.score[point * SCORES..(point + 1) * SCORES];
                Point {
                    game: ((point as u32 + 1) * grid.per_point).min(course.games),
                    win: win as f64 / games,
                    draw: draw as f64 / games,
                    loss: loss as f64 / games,
                    resigned: self.resigned[point] as f64 / games,
                    perfect: self.perfect[point] as f64 / machines,
                    losses: Band::of(bars, f64::from(grid.per_bar)),
                    score: Band::of(scores, 1.0 / (2 * WINDOW) as f64),
                }
            })
            .collect()
    }
}

/// Sends many copies of a machine to school, each with dice of its own.
///
/// `report` hears now and then how many machines are done, from any thread; `stop` ends it early.
/// The same course gives the same result on any number of threads.
pub fn train(
    chart: &Chart,
    machine: &Machine,
    opponent: &Opponent,
    course: &Course,
    report: &(dyn Fn(u64) + Sync),
    stop: &AtomicBool,
) -> Trained {
    let school = School::new(chart, machine, opponent, course.learning);
    let grid = Grid::new(course.games);
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let work = || {
        let mut counts = Counts::new(grid);
        let mut life = Life::new(&school);
        loop {
            let from = next.fetch_add(BATCH, Ordering::Relaxed);
            if from >= course.machines || stop.load(Ordering::Relaxed) {
                return counts;
            }
            let to = (from + BATCH).min(course.machines);
            for n in from..to {
                life.begin(course.seed.nth(n));
                counts.live(&mut life, course, grid);
            }
            report(done.fetch_add(to - from, Ordering::Relaxed) + to - from);
        }
    };
    let mut all = Counts::new(grid);
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..course.threads.max(1))
            .map(|_| scope.spawn(work))
            .collect();
        all.merge(&work());
        for other in others {
            match other.join() {
                Ok(counts) => all.merge(&counts),
                Err(cause) => std::panic::resume_unwind(cause),
            }
        }
    });
    Trained {
        machine: machine.name().to_owned(),
        game: machine.cabinet().game().to_owned(),
        opponent: opponent.to_string(),
        learner: course.learning.method,
        machines: all.machines,
        games: course.games,
        seed: course.seed,
        stopped: all.machines < course.machines,
        curve: all.curve(course, grid),
        losses_to_perfect: all.to_perfect.summary(),
        games_to_perfect: all.games_to_perfect.summary(),
        first_losses: all.first_losses.summary(),
        first: course.first.min(course.games),
        perfect: all.to_perfect.count,
        resigned: all.resigned_last,
        losses_histogram: all.histogram,
    }
}

/// Sends one machine to school and gives it back as it is afterwards.
pub fn school(
    chart: &Chart,
    machine: &Machine,
    opponent: &Opponent,
    games: u32,
    seed: Seed,
) -> Machine {
    let school = School::new(chart, machine, opponent, Learning::default());
    let mut life = Life::new(&school);
    life.begin(seed);
    let mut after = machine.clone();
    for _ in 0..games {
        match life.game().verdict {
            Verdict::Win => after.taught.wins += 1,
            Verdict::Draw => after.taught.draws += 1,
            Verdict::Loss => after.taught.losses += 1,
        }
    }
    after.beads.copy_from_slice(life.beads());
    after
}
