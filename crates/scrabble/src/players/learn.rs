//! Learning what tiles are worth in the hand, from nothing but self-play.
//!
//! What a handful is worth is how much better the best move is, on average, with it in the rack than without: so every
//! turn of a game, the worth of its best move is laid at the door of handfuls drawn from the rack, and the
//! numbers of [`Leaves`] are fitted to that by least squares with a small ridge. The first generation plays for points alone; each later one plays by
//! the numbers of the one before, so that a worth looks further and further ahead. Sums are whole numbers, so the
//! result does not depend on the number of threads.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use wits_game::{Dice, Seed};

use super::bout::{Bout, Step};
use super::leaves::{Leaves, Part};
use super::rating::best_step;
use crate::generate::Engine;
use crate::settings::{RACK, Settings};

/// How much to play.
#[derive(Clone, Copy, Debug)]
pub struct Lessons {
    /// Games in each generation.
    pub games: u64,
    /// Generations.
    pub generations: u32,
    /// Threads.
    pub threads: usize,
    /// Where all chance comes from.
    pub seed: Seed,
}

/// What was learned.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The table of the last generation.
    pub leaves: Leaves,
    /// For each generation, how many turns were seen and the mean points of a side's game.
    pub generations: Vec<(u64, f64)>,
}

/// How strongly numbers that were rarely seen are drawn to zero: as if each had been seen this often without effect.
const RIDGE: f64 = 40.0;

/// Learns a table. `each` is told generation and games as they pass; a raised flag ends it with what is known by then.
pub fn learn(
    engine: &Engine,
    lessons: &Lessons,
    stop: &AtomicBool,
    each: &(dyn Fn(u32, u64) + Sync),
) -> Learned {
    let mut learned = Learned {
        leaves: Leaves::nothing(engine.tiles()),
        generations: Vec::new(),
    };
    for generation in 0..lessons.generations {
        let mut sums = generation_of(engine, &learned.leaves, lessons, generation, stop, each);
        if stop.load(Ordering::Relaxed) {
            break;
        }
        learned.generations.push((
            sums.turns,
            sums.points as f64 / (2 * lessons.games.max(1)) as f64,
        ));
        learned.leaves = sums.fit(engine);
    }
    learned
}

fn generation_of(
    engine: &Engine,
    leaves: &Leaves,
    lessons: &Lessons,
    generation: u32,
    stop: &AtomicBool,
    each: &(dyn Fn(u32, u64) + Sync),
) -> Sums {
    let settings = Settings::usual(engine.tiles().language());
    let next = AtomicU64::new(0);
    let total = Mutex::new(Sums::new(engine, leaves));
    let seed = lessons.seed.nth(u64::from(generation));
    std::thread::scope(|scope| {
        for _ in 0..lessons.threads.max(1) {
            scope.spawn(|| {
                let mut sums = Sums::new(engine, leaves);
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= lessons.games || stop.load(Ordering::Relaxed) {
                        break;
                    }
                    play(engine, &settings, leaves, seed.nth(game), &mut sums);
                    if game.is_multiple_of(64) {
                        each(generation, game);
                    }
                }
                total
                    .lock()
                    .expect("no thread panics holding it")
                    .add(&sums);
            });
        }
    });
    total.into_inner().expect("no thread panics holding it")
}

/// Plays one game and takes notes.
fn play(engine: &Engine, settings: &Settings, leaves: &Leaves, seed: Seed, sums: &mut Sums) {
    let mut dice = Dice::new(seed);
    let mut bag: Vec<u8> = engine.tiles().bag().iter().map(|t| t.byte()).collect();
    dice.shuffle(&mut bag);
    let mut bout = Bout::new(engine, settings, bag);
    while !bout.over {
        let hand = bout.hand();
        let (step, worth) = best_step(&bout, leaves);
        // Near the end a rack is worth something else: there is nothing to draw to it.
        if hand.tiles().len() == RACK && bout.bag.len() >= RACK {
            sums.turns += 1;
            sums.worth += i64::from(worth);
            for size in 1..RACK {
                let mut picked = [0_u8; RACK];
                picked.copy_from_slice(hand.tiles());
                dice.shuffle(&mut picked);
                picked[..size].sort_unstable();
                sums.note(leaves, &picked[..size], worth);
            }
        }
        if let Step::Lay(_, score) = step {
            sums.points += i64::from(score);
        }
        bout.step(&step);
    }
}

/// The sums of least squares: how often parts came together, and what the turns were worth.
struct Sums {
    /// Where each part stands in the matrix.
    index: BTreeMap<Part, usize>,
    parts: Vec<Part>,
    /// How often two parts came together, row by row.
    together: Vec<i64>,
    /// The sum of worths for each part.
    with: Vec<i64>,
    /// How many handfuls, and the sum of their turns' worths.
    worth: i64,
    turns: u64,
    points: i64,
}

impl Sums {
    fn new(engine: &Engine, leaves: &Leaves) -> Sums {
        let tiles = engine.tiles();
        let counts: Vec<u8> = (0..=tiles.len() as u8)
            .map(|kind| tiles.count(crate::play::tile(kind)))
            .collect();
        let mut parts = Vec::new();
        let live: Vec<u8> = (0..=tiles.len() as u8)
            .filter(|&k| counts[usize::from(k)] > 0)
            .collect();
        for &kind in &live {
            for count in 1..=counts[usize::from(kind)].min(super::leaves::MOST as u8) {
                parts.push(Part::One(kind, count));
            }
        }
        for (at, &a) in live.iter().enumerate() {
            for &b in &live[at + 1..] {
                parts.push(Part::Pair(a, b));
            }
        }
        for vowels in 0..RACK as u8 {
            for consonants in 0..RACK as u8 - vowels {
                if vowels + consonants > 0 {
                    parts.push(Part::Balance(vowels, consonants));
                }
            }
        }
        let _ = leaves;
        let index = parts
            .iter()
            .enumerate()
            .map(|(at, &part)| (part, at))
            .collect();
        let size = parts.len();
        Sums {
            index,
            parts,
            together: vec![0; size * size],
            with: vec![0; size],
            worth: 0,
            turns: 0,
            points: 0,
        }
    }

    fn note(&mut self, leaves: &Leaves, kinds: &[u8], worth: i32) {
        let mut found = [0_usize; 32];
        let mut count = 0;
        leaves.parts(kinds, |part| {
            if let (Some(&at), Some(slot)) = (self.index.get(&part), found.get_mut(count)) {
                *slot = at;
                count += 1;
            }
        });
        let size = self.parts.len();
        for &a in &found[..count] {
            self.with[a] += i64::from(worth);
            for &b in &found[..count] {
                self.together[a * size + b] += 1;
            }
        }
    }

    fn add(&mut self, other: &Sums) {
        for (a, b) in self.together.iter_mut().zip(&other.together) {
            *a += b;
        }
        for (a, b) in self.with.iter_mut().zip(&other.with) {
            *a += b;
        }
        self.worth += other.worth;
        self.turns += other.turns;
        self.points += other.points;
    }

    /// The numbers that fit best.
    fn fit(&mut self, engine: &Engine) -> Leaves {
        let size = self.parts.len();
        let mean = self.worth as f64 / self.turns.max(1) as f64;
        let mut matrix: Vec<f64> = self.together.iter().map(|&n| n as f64).collect();
        let mut right: Vec<f64> = (0..size)
            .map(|at| self.with[at] as f64 - mean * self.together[at * size + at] as f64)
            .collect();
        for at in 0..size {
            matrix[at * size + at] += RIDGE;
        }
        solve(&mut matrix, &mut right, size);
        let mut leaves = Leaves::nothing(engine.tiles());
        for (&part, worth) in self.parts.iter().zip(right) {
            leaves.set(part, worth.round() as i32);
        }
        leaves
    }
}

/// Solves a symmetric positive system in place (Cholesky): the right side becomes the answer.
fn solve(matrix: &mut [f64], right: &mut [f64], size: usize) {
    for row in 0..size {
        for column in 0..=row {
            let dot: f64 = (0..column)
                .map(|k| matrix[row * size + k] * matrix[column * size + k])
                .sum();
            let rest = matrix[row * size + column] - dot;
            matrix[row * size + column] = if row == column {
                rest.max(1e-9).sqrt()
            } else {
                rest / matrix[column * size + column]
            };
        }
    }
    for row in 0..size {
        let dot: f64 = (0..row).map(|k| matrix[row * size + k] * right[k]).sum();
        right[row] = (right[row] - dot) / matrix[row * size + row];
    }
    for row in (0..size).rev() {
        let dot: f64 = (row + 1..size)
            .map(|k| matrix[k * size + row] * right[k])
            .sum();
        right[row] = (right[row] - dot) / matrix[row * size + row];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_system_is_solved() {
        let mut matrix = vec![4.0, 2.0, 0.0, 2.0, 5.0, 1.0, 0.0, 1.0, 3.0];
        let mut right = vec![8.0, 15.0, 11.0];
        solve(&mut matrix, &mut right, 3);
        for (found, wanted) in right.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - wanted).abs() < 1e-12, "{right:?}");
        }
    }
}
