//! Levels for people: from a beginner to full strength.
//!
//! A weaker level looks less far ahead and is content with any move that loses at most so many discs by its own account: it
//! plays loosely, but it does not blunder on purpose.

use wits_game::Dice;
use wits_search::{Budget, Limits};

use super::{Analysis, Engine};
use crate::{Position, Square};

/// What a level may do.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// Moves ahead.
    pub depth: u32,
    /// Empty squares from which it plays out to the end.
    pub exact: u32,
    /// Discs a move may lose at most by its own account; among those moves it takes any.
    pub loss: f64,
}

impl Level {
    /// Level 1 is a beginner, level 10 full strength.
    pub const fn of(level: u32) -> Level {
        let (depth, exact, loss) = match level {
            0 | 1 => (1, 2, 3.5),
            2 => (2, 4, 5.7),
            3 => (2, 6, 2.6),
            4 => (3, 8, 2.8),
            5 => (4, 8, 2.4),
            6 => (5, 10, 1.7),
            7 => (6, 10, 1.0),
            8 => (7, 11, 0.5),
            9 => (8, 13, 0.0),
            _ => (60, 24, 0.0),
        };
        Level { depth, exact, loss }
    }

    /// Thinks and picks a move; none where there is none.
    pub fn pick(
        self,
        engine: &mut Engine,
        position: &Position,
        budget: &Budget,
        dice: &mut Dice,
        tell: &mut dyn FnMut(&Analysis),
    ) -> (Option<Square>, Analysis) {
        let exact = self.exact.min(lasts(budget.limits()));
        let loose = self.loss > 0.0;
        let count = if loose {
            position.moves().count_ones() as usize
        } else {
            1
        };
        let analysis = engine.think(position, (self.depth, exact), count, budget, tell);
        let best = analysis.ideas.first().map_or(0.0, |idea| idea.discs);
        let good: Vec<Square> = analysis
            .ideas
            .iter()
            .filter(|idea| idea.discs >= best - self.loss)
            .filter_map(|idea| idea.line.first().copied())
            .collect();
        let square = if loose {
            dice.pick(&good).copied()
        } else {
            good.first().copied()
        };
        (square, analysis)
    }
}

/// From how many empty squares a budget lasts to the end, roughly.
fn lasts(limits: Limits) -> u32 {
    let by_time = limits.time.map(|t| (t.as_secs_f64() * 1e7) as u64);
    match limits.nodes.into_iter().chain(by_time).min() {
        None => 24,
        Some(0..1_000) => 7,
        Some(..3_000) => 8,
        Some(..10_000) => 10,
        Some(..50_000) => 11,
        Some(..200_000) => 12,
        Some(..1_500_000) => 14,
        Some(..10_000_000) => 17,
        Some(..60_000_000) => 19,
        Some(..300_000_000) => 21,
        Some(_) => 23,
    }
}
