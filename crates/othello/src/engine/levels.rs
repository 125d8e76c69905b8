//! Levels for people: from a beginner to full strength.
//!
//! A weaker level looks less far ahead and is content with any move that loses at most so many discs by its own account: it
//! plays loosely, but it does not blunder on purpose.

use wits_game::Dice;
use wits_search::{Budget, Limits};

use super::log::Log;
use super::plan::Ends;
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
            0 | 1 => (2, 4, 3.8),
            2 => (3, 8, 4.3),
            3 => (4, 8, 4.25),
            4 => (5, 10, 4.0),
            5 => (6, 10, 3.5),
            6 => (7, 11, 2.9),
            7 => (8, 12, 2.4),
            8 => (8, 13, 1.0),
            9 => (10, 14, 0.0),
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
        self.follow(engine, position, budget, dice, tell, &mut ())
    }

    /// [Picks](Level::pick) a move, and lets somebody follow.
    pub(crate) fn follow<L: Log>(
        self,
        engine: &mut Engine,
        position: &Position,
        budget: &Budget,
        dice: &mut Dice,
        tell: &mut dyn FnMut(&Analysis),
        log: &mut L,
    ) -> (Option<Square>, Analysis) {
        if self == Level::of(10)
            && let Some(analysis) = engine.looked_up(position)
        {
            tell(&analysis);
            let idea = analysis.ideas.first();
            return (idea.and_then(|i| i.line.first().copied()), analysis);
        }
        let ends = self.ends(position, budget.limits());
        let loose = self.loss > 0.0;
        let count = if loose {
            position.moves().count_ones() as usize
        } else {
            1
        };
        let analysis = engine.follow(position, (self.depth, ends), count, budget, tell, log);
        let good = self.good(&analysis);
        let square = if loose {
            dice.pick(&good).copied()
        } else {
            good.first().copied()
        };
        (square, analysis)
    }

    /// From how many empty squares on the level plays out to the end within these limits.
    fn ends(self, position: &Position, limits: Limits) -> Ends {
        let ends = Ends::within(position, limits);
        if self == Level::of(10) {
            return ends;
        }
        // Weaker levels know no more of the end than they are meant to.
        Ends::exact(self.exact.min(ends.exact))
    }

    /// The moves that lose no more than the level may lose, best first.
    pub(crate) fn good(self, analysis: &Analysis) -> Vec<Square> {
        let best = analysis.ideas.first().map_or(0.0, |idea| idea.discs);
        let good = analysis.ideas.iter();
        good.filter(|idea| idea.discs >= best - self.loss)
            .filter_map(|idea| idea.line.first().copied())
            .collect()
    }
}
