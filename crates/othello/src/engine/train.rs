//! Fitting the patterns to games that the engine plays against itself.
//!
//! Games begin with random moves, go on with a shallow search and end with exact play, so that the final score is a
//! fair label for every position of the game after the random part. The weights of each phase are then fitted by stochastic
//! gradient descent on the squared error; neighbouring phases share their border positions. All chance comes
//! from the seed: the same seed, counts and starting judgement give the same weights, whatever the number of threads.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use wits_game::{Dice, Seed};
use wits_search::{Budget, Limits};

use super::patterns::{Folding, PHASES, Patterns, folding, lookups};
use super::{DISC, Engine, Judgement};
use crate::endgame::final_score;
use crate::{Position, Square};

/// How games are made.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Games {
    /// How many games.
    pub games: u32,
    /// At most this many random moves first.
    pub random: u32,
    /// How deep the search looks after them.
    pub depth: u32,
    /// From how many empty squares on play is exact.
    pub exact: u32,
    /// Where all chance comes from.
    pub seed: Seed,
}

/// One position with the final score of its game for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The discs of the side to move.
    pub own: u64,
    /// The discs of the other side.
    pub other: u64,
    /// The final difference, the winner taking the empty squares.
    pub score: i8,
    /// Whether the position's game is held out of the fit.
    pub held_out: bool,
}

impl Sample {
    /// The number of bytes of one sample in a file.
    pub const BYTES: usize = 18;

    /// The sample as bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.own.to_le_bytes());
        out.extend(self.other.to_le_bytes());
        out.push(self.score as u8);
        out.push(u8::from(self.held_out));
    }

    /// The sample that [`Sample::write`] wrote; nothing if the bytes are no position.
    pub fn read(bytes: &[u8]) -> Option<Sample> {
        let (own, rest) = bytes.split_first_chunk::<8>()?;
        let (other, rest) = rest.split_first_chunk::<8>()?;
        let &[score, held_out] = rest else {
            return None;
        };
        let sample = Sample {
            own: u64::from_le_bytes(*own),
            other: u64::from_le_bytes(*other),
            score: score as i8,
            held_out: held_out != 0,
        };
        (sample.own & sample.other == 0 && sample.score.abs() <= 64).then_some(sample)
    }
}

/// What a fit came to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Fit {
    /// How many positions were fitted.
    pub fitted: usize,
    /// How many were held out; their games took no part in the fit.
    pub held_out: usize,
    /// The mean absolute error in discs on those fitted.
    pub error_fitted: f64,
    /// The mean absolute error in discs on those held out.
    pub error_held_out: f64,
    /// The same by phase of four discs each.
    pub by_phase: Vec<f64>,
}

/// One game in sixteen is held out.
const HOLD_OUT: u32 = 16;

/// Plays games and keeps their positions. `progress` hears how many are done and may end it by false.
pub fn play(
    judgement: &Judgement,
    how: &Games,
    progress: &mut dyn FnMut(u32) -> bool,
) -> Vec<Sample> {
    let mut engine = Engine::with(judgement.clone(), 14);
    let mut samples = Vec::new();
    for number in 0..how.games {
        if !progress(number) {
            break;
        }
        let mut dice = Dice::new(how.seed.nth(u64::from(number)));
        let held_out = number % HOLD_OUT == HOLD_OUT - 1;
        one(&mut engine, how, &mut dice, held_out, &mut samples);
    }
    samples
}

fn one(
    engine: &mut Engine,
    how: &Games,
    dice: &mut Dice,
    held_out: bool,
    samples: &mut Vec<Sample>,
) {
    let mut p = Position::START;
    let random = dice.below(how.random as usize + 1) as u32;
    let mut seen: Vec<Position> = Vec::new();
    let mut moves = 0;
    while !p.over() {
        let open: Vec<Square> = Square::all(p.moves()).collect();
        // Now and then a random move later on, too: weights must know what bad moves look like.
        let roam = moves < random || (moves < 44 && dice.below(40) == 0);
        let square = if roam {
            seen.clear();
            dice.pick(&open).copied()
        } else {
            seen.push(p);
            let budget = Budget::start(Limits::nodes(4_000_000));
            let found = engine.think(&p, (how.depth, how.exact), 1, &budget, &mut |_| ());
            found
                .ideas
                .first()
                .and_then(|idea| idea.line.first().copied())
        };
        let Some(square) = square else { break };
        p = p.played(square);
        moves += 1;
    }
    let black = final_score(p.black, p.white, 64) as i8;
    for q in seen {
        let score = if q.turn.index() == 0 { black } else { -black };
        samples.push(Sample {
            own: q.own(),
            other: q.other(),
            score,
            held_out,
        });
    }
}

/// Fits patterns to samples; `progress` hears of every phase that is done, with its error on what was held out.
pub fn fit(
    samples: &[Sample],
    rounds: u32,
    seed: Seed,
    progress: &(dyn Fn(usize, f64) + Sync),
) -> (Patterns, Fit) {
    let folding = folding();
    let phases: Vec<Vec<f32>> = (0..PHASES)
        .into_par_iter()
        .map(|phase| {
            let weights = fit_phase(samples, phase, rounds, Dice::new(seed.nth(phase as u64)));
            let held = |s: &Sample| s.held_out && in_phase(s, phase, 0);
            progress(phase, error(&weights, folding, samples, held).0);
            weights
        })
        .collect();
    let mut by_phase = Vec::new();
    let (mut all, mut apart) = ((0.0, 0), (0.0, 0));
    for (phase, weights) in phases.iter().enumerate() {
        let of = |out: bool| move |s: &Sample| s.held_out == out && in_phase(s, phase, 0);
        let (mean, count) = error(weights, folding, samples, of(false));
        all = (all.0 + mean * count as f64, all.1 + count);
        let (mean, count) = error(weights, folding, samples, of(true));
        apart = (apart.0 + mean * count as f64, apart.1 + count);
        by_phase.push(mean);
    }
    let rounded: Vec<i16> = phases
        .iter()
        .flatten()
        .map(|w| (w * DISC as f32).round().clamp(-8000.0, 8000.0) as i16)
        .collect();
    let patterns = Patterns::new(&rounded).expect("one weight for every pattern");
    let fit = Fit {
        fitted: all.1,
        held_out: apart.1,
        error_fitted: all.0 / all.1.max(1) as f64,
        error_held_out: apart.0 / apart.1.max(1) as f64,
        by_phase,
    };
    (patterns, fit)
}

/// Whether a position belongs to a phase, or to the `margin` of discs around it.
fn in_phase(sample: &Sample, phase: usize, margin: usize) -> bool {
    let discs = (sample.own | sample.other).count_ones() as usize;
    let first = 4 + 4 * phase;
    let last = if phase + 1 == PHASES {
        64
    } else {
        first + 3 + margin
    };
    (first.saturating_sub(margin)..=last).contains(&discs)
}

/// The weights of one phase, in discs.
fn fit_phase(samples: &[Sample], phase: usize, rounds: u32, mut dice: Dice) -> Vec<f32> {
    let folding = folding();
    let mut weights = vec![0f32; folding.count];
    let mut order: Vec<u32> = (0..samples.len() as u32)
        .filter(|&i| !samples[i as usize].held_out && in_phase(&samples[i as usize], phase, 2))
        .collect();
    for round in 0..rounds {
        dice.shuffle(&mut order);
        // Large steps first, so that all weights get near; then small ones, so that noise averages out.
        let left = f64::from(rounds - round) / f64::from(rounds);
        let rate = (0.01 * left * left + 0.000_3) as f32;
        for &i in &order {
            let s = &samples[i as usize];
            let mut shown = lookups(s.own, s.other);
            let mut guess = 0.0;
            for at in &mut shown {
                *at = folding.of[*at as usize];
                guess += weights[*at as usize];
            }
            let step = rate * (f32::from(s.score) - guess);
            for at in shown {
                weights[at as usize] += step;
            }
        }
    }
    weights
}

/// The mean absolute error in discs, and over how many.
fn error(
    weights: &[f32],
    folding: &Folding,
    samples: &[Sample],
    which: impl Fn(&Sample) -> bool,
) -> (f64, usize) {
    let (mut sum, mut count) = (0.0, 0);
    for s in samples.iter().filter(|s| which(s)) {
        let shown = lookups(s.own, s.other);
        let value: f32 = shown
            .iter()
            .map(|&at| weights[folding.of[at as usize] as usize])
            .sum();
        sum += f64::from((value.clamp(-64.0, 64.0) - f32::from(s.score)).abs());
        count += 1;
    }
    (sum / f64::from(count.max(1) as u32), count)
}
