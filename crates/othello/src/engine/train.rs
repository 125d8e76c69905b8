//! Fitting the patterns to games that the engine plays against itself.
//!
//! Games begin with random moves, go on with a shallow search and end with exact play, so that the final score is a
//! fair label for every position of the game after the random part. The weights are then fitted to what the counts miss, by stochastic
//! gradient descent on the squared error, with every position also seen in a random image. All chance comes
//! from the seed: the same seed, counts and starting judgement give the same weights.

use serde::Serialize;
use wits_game::{Dice, Seed};
use wits_search::{Budget, Limits};

use super::judge::counts;
use super::patterns::{LOOKUPS, PHASES, Patterns, WEIGHTS, lookups, phase};
use super::{DISC, Engine, Judgement};
use crate::endgame::final_score;
use crate::{Position, Square, bits};

/// How games are made.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
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
}

/// What a fit came to.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Fit {
    /// How many positions were fitted.
    pub fitted: usize,
    /// How many were held out.
    pub held_out: usize,
    /// The mean absolute error in discs on those fitted.
    pub error_fitted: f64,
    /// The mean absolute error in discs on those held out.
    pub error_held_out: f64,
}

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
        one(&mut engine, how, &mut dice, &mut samples);
    }
    samples
}

fn one(engine: &mut Engine, how: &Games, dice: &mut Dice, samples: &mut Vec<Sample>) {
    let budget = Budget::start(Limits::nodes(200_000));
    let mut p = Position::START;
    let random = dice.below(how.random as usize + 1) as u32;
    let mut seen: Vec<Position> = Vec::new();
    let mut moves = 0;
    while !p.over() {
        let open: Vec<Square> = Square::all(p.moves()).collect();
        // Now and then a random move later on, too: weights must know what bad moves look like.
        let roam = moves < random || (moves < 40 && dice.below(20) == 0);
        let square = if roam {
            seen.clear();
            dice.pick(&open).copied()
        } else {
            seen.push(p);
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
        });
    }
}

/// Fits patterns to samples; every eleventh is held out.
pub fn fit(
    samples: &[Sample],
    rounds: u32,
    seed: Seed,
    progress: &mut dyn FnMut(u32, f64) -> bool,
) -> (Patterns, Fit) {
    let mut weights = vec![0f32; PHASES * WEIGHTS];
    let held = |i: usize| i % 11 == 10;
    let mut order: Vec<usize> = (0..samples.len()).filter(|i| !held(*i)).collect();
    let mut dice = Dice::new(seed);
    for round in 0..rounds {
        dice.shuffle(&mut order);
        let rate = 0.012 / (1.0 + 0.35 * f64::from(round));
        let mut error = 0.0;
        for &i in &order {
            let s = &samples[i];
            let how = dice.below(8);
            let (own, other) = (bits::turned(s.own, how), bits::turned(s.other, how));
            let shown = lookups(own, other);
            // Neighbouring phases share what they learn.
            let here = phase(own, other);
            let guess = sum(&weights, here, &shown);
            let counted = counts(own, other).clamp(-6300, 6300) as f32 / DISC as f32;
            let miss = f32::from(s.score) - counted - guess;
            error += f64::from(miss.abs());
            let step = rate as f32 * miss;
            add(&mut weights, here, &shown, step);
            if here > 0 {
                add(&mut weights, here - 1, &shown, step * 0.25);
            }
            if here + 1 < PHASES {
                add(&mut weights, here + 1, &shown, step * 0.25);
            }
        }
        if !progress(round, error / order.len().max(1) as f64) {
            break;
        }
    }
    let rounded = weights
        .iter()
        .map(|w| (w * DISC as f32).round().clamp(-8000.0, 8000.0) as i16)
        .collect();
    let patterns = Patterns::new(rounded).expect("one weight for every pattern");
    let fit = Fit {
        fitted: order.len(),
        held_out: samples.len() - order.len(),
        error_fitted: error(&patterns, samples, |i| !held(i)),
        error_held_out: error(&patterns, samples, held),
    };
    (patterns, fit)
}

fn sum(weights: &[f32], phase: usize, shown: &[u32; LOOKUPS]) -> f32 {
    let weights = &weights[phase * WEIGHTS..(phase + 1) * WEIGHTS];
    shown.iter().map(|&i| weights[i as usize]).sum()
}

fn add(weights: &mut [f32], phase: usize, shown: &[u32; LOOKUPS], step: f32) {
    let weights = &mut weights[phase * WEIGHTS..(phase + 1) * WEIGHTS];
    for &i in shown {
        weights[i as usize] += step;
    }
}

/// The mean absolute error in discs.
fn error(patterns: &Patterns, samples: &[Sample], which: impl Fn(usize) -> bool) -> f64 {
    let (mut sum, mut count) = (0.0, 0u32);
    for (_, s) in samples.iter().enumerate().filter(|(i, _)| which(*i)) {
        let counted = counts(s.own, s.other).clamp(-6300, 6300);
        let value = f64::from(counted + patterns.value(s.own, s.other)) / f64::from(DISC);
        sum += (value - f64::from(s.score)).abs();
        count += 1;
    }
    sum / f64::from(count.max(1))
}
