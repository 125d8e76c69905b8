//! Annealing: uphill by chance, ever more seldom.

use wits_game::Dice;

use super::{Improved, Problem, Walk};
use crate::{Budget, Watch};

/// What [`annealing`] can be told.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AnnealingOptions {
    /// How hot it is at first: a move that costs this much more is made about once in three times.
    pub hot: f64,
    /// How hot it is at last; small against the smallest difference of costs.
    pub cold: f64,
    /// How many moves are tried in all.
    pub steps: u64,
}

impl Default for AnnealingOptions {
    fn default() -> Self {
        AnnealingOptions {
            hot: 10.0,
            cold: 0.01,
            steps: 100_000,
        }
    }
}

/// Tries moves at random; takes the better ones, and the worse ones with a chance that falls as it cools.
///
/// Source: Kirkpatrick, Gelatt and Vecchi (1983), Černý (1985); the rule of acceptance is that of
/// Metropolis and others (1953). The heat falls by the same factor at every step.
///
/// # Invariant
/// A move that costs `d` more is made with probability `exp(-d / heat)`.
///
/// # Complexity
/// `steps` looks at one neighbour each.
///
/// # Example
/// ```
/// # #[path = "../../tests/all/toys/valleys.rs"] mod valleys;
/// use wits_game::{Dice, Seed};
/// use wits_search::{Budget, local::{AnnealingOptions, annealing}};
/// let row = valleys::Row(vec![5.0, 3.0, 4.0, 1.0, 2.0]);
/// let options = AnnealingOptions { hot: 3.0, cold: 0.1, steps: 500 };
/// let mut dice = Dice::new(Seed::new(1));
/// let found = annealing(&row, &0, &options, &mut dice, &Budget::endless(), &mut ());
/// assert_eq!(found.cost, 1.0);
/// ```
pub fn annealing<P: Problem, W: Watch>(
    problem: &P,
    start: &P::Solution,
    options: &AnnealingOptions,
    dice: &mut Dice,
    budget: &Budget,
    watch: &mut W,
) -> Improved<P::Solution> {
    let mut walk = Walk::new(problem, start, watch);
    let hot = options.hot.max(f64::MIN_POSITIVE);
    let cold = options.cold.clamp(f64::MIN_POSITIVE, hot);
    for step in 0..options.steps {
        if budget.spent(walk.best.looked) {
            return walk.end(false);
        }
        let Some(mv) = problem.any_move(&walk.here, dice) else {
            break;
        };
        let cost = walk.look(&mv);
        let gone = step as f64 / options.steps as f64;
        let heat = hot * libm::pow(cold / hot, gone);
        let rise = cost - walk.cost;
        if rise <= 0.0 || dice.unit() < libm::exp(-rise / heat) {
            walk.go(&mv, cost);
        }
    }
    walk.end(true)
}
