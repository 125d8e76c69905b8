//! Fitting the patterns to games that the engine plays against itself.
//!
//! Games begin with random moves, go on with a shallow search and end with exact play. A position's label is what its own
//! search found, mixed with what the searches after it found along the moves that were played as best, down to the
//! exact ending: later searches know more, nearer ones have less behind them that may have gone wrong. Now and then a move that was not chosen is looked at, too, because a
//! search meets many positions that no good player would. The weights of each phase are then fitted by stochastic
//! gradient descent on the squared error; neighbouring phases share their border positions. All chance comes
//! from the seed: the same seed, counts and starting judgement give the same weights, whatever the number of threads.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use wits_game::{Dice, Seed};
use wits_search::{Budget, Limits};

use super::patterns::{Folding, PHASES, Patterns, folding, lookups, tempo};
use super::{DISC, Engine, Judgement, Known};
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
    /// How much the searches of later positions count in a label, from 0 (nothing) to 1 (only the end of the game counts).
    pub trace: f32,
    /// In how many percent of positions a move that was not chosen is looked at.
    pub aside: u32,
    /// Where all chance comes from.
    pub seed: Seed,
}

/// One position with its label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The discs of the side to move.
    pub own: u64,
    /// The discs of the other side.
    pub other: u64,
    /// What it is worth to the side to move, in hundredths of a disc.
    pub worth: i16,
    /// Whether the position's game is held out of the fit.
    pub held_out: bool,
}

impl Sample {
    /// The number of bytes of one sample in a file.
    pub const BYTES: usize = 19;

    /// The sample as bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.own.to_le_bytes());
        out.extend(self.other.to_le_bytes());
        out.extend(self.worth.to_le_bytes());
        out.push(u8::from(self.held_out));
    }

    /// The sample that [`Sample::write`] wrote; nothing if the bytes are no position.
    pub fn read(bytes: &[u8]) -> Option<Sample> {
        let (own, rest) = bytes.split_first_chunk::<8>()?;
        let (other, rest) = rest.split_first_chunk::<8>()?;
        let (worth, rest) = rest.split_first_chunk::<2>()?;
        let &[held_out] = rest else {
            return None;
        };
        let sample = Sample {
            own: u64::from_le_bytes(*own),
            other: u64::from_le_bytes(*other),
            worth: i16::from_le_bytes(*worth),
            held_out: held_out != 0,
        };
        let fits = sample.own & sample.other == 0 && i32::from(sample.worth).abs() <= 64 * DISC;
        fits.then_some(sample)
    }

    /// The label in discs.
    fn discs(&self) -> f32 {
        f32::from(self.worth) / DISC as f32
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
    // A label must not depend on what a shallow look believes.
    engine.select(None);
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

/// A position of a game, with what a search said of it.
struct Met {
    position: Position,
    /// In discs, for its mover.
    worth: f32,
    exact: bool,
    /// Whether the move that was made is the one that the search found.
    best: bool,
}

/// What a look ahead finds: the move and its worth in discs, and whether that is exact.
fn look(engine: &mut Engine, p: &Position, depth: u32, exact: u32) -> Option<(Square, f32, bool)> {
    let budget = Budget::start(Limits::nodes(4_000_000));
    let found = engine.think(p, (depth, exact), 1, &budget, &mut |_| ());
    let idea = found.ideas.first()?;
    let square = *idea.line.first()?;
    Some((square, idea.discs as f32, idea.known == Known::Exact))
}

fn one(
    engine: &mut Engine,
    how: &Games,
    dice: &mut Dice,
    held_out: bool,
    samples: &mut Vec<Sample>,
) {
    let mut keep = |p: &Position, worth: f32| {
        samples.push(Sample {
            own: p.own(),
            other: p.other(),
            worth: (worth.clamp(-64.0, 64.0) * DISC as f32).round() as i16,
            held_out,
        });
    };
    let mut p = Position::START;
    let random = dice.below(how.random as usize + 1);
    let mut met: Vec<Met> = Vec::new();
    let mut moves = 0;
    while !p.over() {
        let open: Vec<Square> = Square::all(p.moves()).collect();
        let Some(&chance) = dice.pick(&open) else {
            break;
        };
        if moves < random {
            p = p.played(chance);
            moves += 1;
            continue;
        }
        // Now and then a random move later on, too: weights must know what bad moves look like.
        let roam = dice.below(40) == 0;
        let aside = dice.below(100) < how.aside as usize;
        let Some((best, worth, exact)) = look(engine, &p, how.depth, how.exact) else {
            break;
        };
        let square = if roam { chance } else { best };
        if aside && chance != square {
            let q = p.played(chance);
            if !q.over()
                && let Some((_, worth, _)) = look(engine, &q, how.depth - 1, how.exact)
            {
                keep(&q, worth);
            }
        }
        let best = square == best;
        let position = p;
        met.push(Met {
            position,
            worth,
            exact,
            best,
        });
        p = p.played(square);
        moves += 1;
    }
    let black = final_score(p.black, p.white, 64) as f32;
    // Backwards, so that each label knows what came of it; in Black's view, because passes break the turn about.
    let mut after = black;
    for m in met.iter().rev() {
        let sign = if m.position.turn.index() == 0 {
            1.0
        } else {
            -1.0
        };
        let own = sign * m.worth;
        after = if m.exact || !m.best {
            own
        } else {
            how.trace * after + (1.0 - how.trace) * own
        };
        keep(&m.position, sign * after);
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
            let tempo = folding.of[tempo(s.own, s.other)] as usize;
            let mut guess = weights[tempo];
            for at in &mut shown {
                *at = folding.of[*at as usize];
                guess += weights[*at as usize];
            }
            let step = rate * (s.discs() - guess);
            for at in shown {
                weights[at as usize] += step;
            }
            weights[tempo] += step;
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
            .sum::<f32>()
            + weights[folding.of[tempo(s.own, s.other)] as usize];
        sum += f64::from((value.clamp(-64.0, 64.0) - s.discs()).abs());
        count += 1;
    }
    (sum / f64::from(count.max(1) as u32), count)
}
