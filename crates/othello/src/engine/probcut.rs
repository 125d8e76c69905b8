//! Cutting branches that a shallow search already shows to be hopeless (Buro's multi-ProbCut, 1995).
//!
//! What a shallow search says of a position foretells what a deep one will say, with an error that can be measured. Where the
//! foretold worth lies so many standard deviations outside the window, the deep search is left out. The errors are measured by
//! [`measure`] on positions of the engine's own games and kept in `data/probcut.txt`.

use std::fmt::Write as _;
use std::sync::OnceLock;

use rayon::prelude::*;
use wits_search::{Budget, Limits};

use super::patterns::PHASES;
use super::train::Sample;
use super::{DISC, Engine, Judgement};
use crate::Position;

/// The deepest search whose error was measured; deeper ones take the error of the deepest of their parity.
pub const DEEPEST: usize = 14;

/// How deep the shallow search is that foretells a deep one; 0 for none.
pub const fn shallow(depth: u32) -> u32 {
    match depth {
        0..3 => 0,
        3 | 5 => 1,
        4 | 6 => 2,
        7 | 9 => 3,
        8 | 10 | 12 => 4,
        11 | 13 => 5,
        _ => 4 + depth % 2 + 2 * ((depth - 12) / 4),
    }
}

/// A standard deviation that no cut is made by.
const UNKNOWN: i32 = 100_000;
/// A position is given up after so many nodes.
const MOST: u64 = 12_000_000;

/// How far a shallow search is off: mean and standard deviation in hundredths of a disc, by phase and depth.
#[derive(Clone, PartialEq, Debug)]
pub struct Errors {
    of: Vec<[(i32, i32); DEEPEST + 1]>,
}

impl Errors {
    /// The errors that come with this crate.
    pub fn shipped() -> &'static Errors {
        static SHIPPED: OnceLock<Errors> = OnceLock::new();
        SHIPPED.get_or_init(|| Errors::read(include_str!("../../data/probcut.txt")))
    }

    /// Reads lines `phase deep mean sigma`; what is not given is too uncertain to cut by.
    pub fn read(text: &str) -> Errors {
        let mut of = vec![[(0, UNKNOWN); DEEPEST + 1]; PHASES];
        for line in text.lines().filter(|l| !l.starts_with('#')) {
            let numbers: Vec<i32> = line
                .split_whitespace()
                .filter_map(|w| w.parse().ok())
                .collect();
            if let [phase, deep, mean, sigma] = numbers[..]
                && let Some(place) = of
                    .get_mut(phase as usize)
                    .and_then(|p| p.get_mut(deep as usize))
            {
                *place = (mean, sigma);
            }
        }
        // Where a depth was not measured, the one two plies before it stands in.
        for depths in &mut of {
            for deep in 5..=DEEPEST {
                if depths[deep].1 == UNKNOWN {
                    depths[deep] = depths[deep - 2];
                }
            }
        }
        Errors { of }
    }

    /// The lines that [`Errors::read`] reads.
    pub fn write(&self) -> String {
        let mut text = String::from("# phase deep mean sigma, hundredths of a disc\n");
        for (phase, depths) in self.of.iter().enumerate() {
            for (deep, (mean, sigma)) in depths.iter().enumerate() {
                if *sigma < UNKNOWN {
                    let _ = writeln!(text, "{phase} {deep} {mean} {sigma}");
                }
            }
        }
        text
    }

    /// Mean and standard deviation of what a search of this depth finds beyond its shallow one.
    #[inline]
    pub fn of(&self, phase: usize, depth: u32) -> (i32, i32) {
        let mut depth = depth as usize;
        if depth > DEEPEST {
            depth = DEEPEST - (depth - DEEPEST) % 2;
        }
        self.of[phase][depth]
    }
}

/// What searches of every depth say of a position, as far as they get; every branch is looked at.
fn values(engine: &mut Engine, position: &Position) -> [Option<f64>; DEEPEST + 1] {
    let mut values = [None; DEEPEST + 1];
    let empties = 64 - position.taken().count_ones();
    let deepest = (DEEPEST as u32).min(empties.saturating_sub(1));
    let mut hear = |a: &super::Analysis| {
        // The last round may have ended in the middle.
        if let Some(idea) = a.ideas.first().filter(|_| a.nodes < MOST) {
            values[a.depth as usize] = Some(idea.discs * f64::from(DISC));
        }
    };
    let budget = Budget::start(Limits::nodes(MOST));
    engine.think(position, (deepest, 0), 1, &budget, &mut hear);
    values
}

/// Measures the errors on samples, on all cores: each is searched to every depth up to [`DEEPEST`]. Phases borrow from their neighbours.
pub fn measure(judgement: &Judgement, samples: &[Sample]) -> Errors {
    let engine = || {
        let mut engine = Engine::with(judgement.clone(), 18);
        engine.select(None);
        engine
    };
    let look = |engine: &mut Engine, sample: &Sample| {
        let p = Position::of(sample.own, sample.other, wits_game::Seat::FIRST);
        let phase = super::patterns::phase(sample.own, sample.other);
        (p.moves() != 0).then(|| (phase, values(engine, &p)))
    };
    let found: Vec<_> = samples
        .par_iter()
        .map_init(engine, look)
        .flatten_iter()
        .collect();
    let mut misses: Vec<Vec<Vec<f64>>> = vec![vec![Vec::new(); DEEPEST + 1]; PHASES];
    for (phase, values) in found {
        for deep in 3..=DEEPEST {
            if let (Some(far), Some(near)) = (values[deep], values[shallow(deep as u32) as usize]) {
                let around = phase.saturating_sub(1)..=(phase + 1).min(PHASES - 1);
                for depths in &mut misses[around] {
                    depths[deep].push(far - near);
                }
            }
        }
    }
    let mut of = vec![[(0, UNKNOWN); DEEPEST + 1]; PHASES];
    for (phase, depths) in misses.iter().enumerate() {
        for (deep, all) in depths.iter().enumerate() {
            if all.len() >= 30 {
                let n = all.len() as f64;
                let mean = all.iter().sum::<f64>() / n;
                let variance = all.iter().map(|m| (m - mean) * (m - mean)).sum::<f64>() / n;
                of[phase][deep] = (mean.round() as i32, variance.sqrt().round() as i32);
            }
        }
    }
    Errors { of }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shallow_searches_are_shallower_and_of_the_same_parity() {
        for depth in 3..60 {
            let shallow = shallow(depth);
            assert!(shallow < depth && shallow > 0, "{depth}");
            assert_eq!(shallow % 2, depth % 2, "{depth}");
        }
    }

    #[test]
    fn errors_survive_their_text() {
        let text = "# a comment\n3 5 -20 410\n3 6 10 380\n";
        let errors = Errors::read(text);
        assert_eq!(errors.of(3, 5), (-20, 410));
        assert_eq!(errors.of(4, 5).1, UNKNOWN);
        assert_eq!(errors.of(3, 9), (-20, 410), "the nearest of its parity");
        assert_eq!(Errors::read(&errors.write()), errors);
    }

    #[test]
    fn the_shipped_errors_cover_the_middle_of_the_game() {
        for phase in 2..12 {
            for depth in 3..20 {
                let (_, sigma) = Errors::shipped().of(phase, depth);
                assert!((50..3000).contains(&sigma), "{phase} {depth}: {sigma}");
            }
        }
    }
}
