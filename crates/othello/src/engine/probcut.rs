//! Cutting branches that a shallow search already shows to be hopeless (Buro's multi-ProbCut, 1995).
//!
//! What a shallow search says of a position foretells what a deep one will say, with an error that can be measured. Where the
//! foretold worth lies so many standard deviations outside the window, the deep search is left out. The errors are measured by
//! [`measure`] on positions of the engine's own games and kept in `data/probcut.txt`.

use std::fmt::Write as _;
use std::sync::OnceLock;

use wits_search::Budget;

use super::patterns::PHASES;
use super::train::Sample;
use super::{DISC, Engine, Judgement};
use crate::Position;

/// The deepest search whose error was measured; deeper ones take the error of the deepest of their parity.
pub const DEEPEST: usize = 10;

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
        let mut of = vec![[(0, 100_000); DEEPEST + 1]; PHASES];
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
        Errors { of }
    }

    /// The lines that [`Errors::read`] reads.
    pub fn write(&self) -> String {
        let mut text = String::from("# phase deep mean sigma, hundredths of a disc\n");
        for (phase, depths) in self.of.iter().enumerate() {
            for (deep, (mean, sigma)) in depths.iter().enumerate() {
                if *sigma < 100_000 {
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

/// Measures the errors on samples: each is searched to every depth up to [`DEEPEST`]. Phases with few samples borrow from their neighbours.
pub fn measure(
    judgement: &Judgement,
    samples: &[Sample],
    progress: &mut dyn FnMut(usize) -> bool,
) -> Errors {
    let mut misses: Vec<Vec<Vec<f64>>> = vec![vec![Vec::new(); DEEPEST + 1]; PHASES];
    let mut engine = Engine::with(judgement.clone(), 16);
    engine.select(None);
    for (i, sample) in samples.iter().enumerate() {
        if !progress(i) {
            break;
        }
        let p = Position::of(sample.own, sample.other, wits_game::Seat::FIRST);
        let empties = 64 - p.taken().count_ones() as usize;
        if p.moves() == 0 || empties <= DEEPEST {
            continue;
        }
        let mut values = [0.0; DEEPEST + 1];
        let mut hear = |a: &super::Analysis| {
            if let Some(idea) = a.ideas.first() {
                values[a.depth as usize] = idea.discs * f64::from(DISC);
            }
        };
        engine.think(&p, (DEEPEST as u32, 0), 1, &Budget::endless(), &mut hear);
        let phase = super::patterns::phase(sample.own, sample.other);
        for deep in 3..=DEEPEST {
            let miss = values[deep] - values[shallow(deep as u32) as usize];
            let near = phase.saturating_sub(1)..=(phase + 1).min(PHASES - 1);
            for depths in &mut misses[near] {
                depths[deep].push(miss);
            }
        }
    }
    let mut of = vec![[(0, 100_000); DEEPEST + 1]; PHASES];
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
        assert_eq!(errors.of(4, 5).1, 100_000);
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
