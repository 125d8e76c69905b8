//! Hill climbing: always the better, until nothing is.

use super::{Improved, Problem, Walk};
use crate::{Budget, Watch};

/// Which of several better moves is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pace {
    /// The best of all, after looking at all; of equals, the first.
    #[default]
    Steepest,
    /// The first that is better.
    First,
}

/// Makes better moves until there is none: a valley that no single move leads out of.
///
/// Source: as old as searching; for computers Croes (1958) on tours.
///
/// # Invariant
/// Every solution on the way costs less than the one before.
///
/// # Complexity
/// One look at the neighbourhood per step. Steps are bounded only by how many costs there are.
///
/// # Example
/// ```
/// # #[path = "../../tests/all/toys/valleys.rs"] mod valleys;
/// use wits_search::{Budget, local::{Pace, hill_climbing}};
/// // A row of heights; one may step left or right. From the left end, the first valley catches it.
/// let row = valleys::Row(vec![5.0, 3.0, 4.0, 1.0, 2.0]);
/// let found = hill_climbing(&row, &0, Pace::Steepest, &Budget::endless(), &mut ());
/// assert_eq!((found.solution, found.cost), (1, 3.0));
/// ```
pub fn hill_climbing<P: Problem, W: Watch>(
    problem: &P,
    start: &P::Solution,
    pace: Pace,
    budget: &Budget,
    watch: &mut W,
) -> Improved<P::Solution> {
    let mut walk = Walk::new(problem, start, watch);
    loop {
        let mut best: Option<(P::Move, f64)> = None;
        for mv in problem.moves(&walk.here) {
            if budget.spent(walk.best.looked) {
                return walk.end(false);
            }
            let cost = walk.look(&mv);
            if cost < best.as_ref().map_or(walk.cost, |(_, least)| *least) {
                best = Some((mv, cost));
                if pace == Pace::First {
                    break;
                }
            }
        }
        match best {
            Some((mv, cost)) => walk.go(&mv, cost),
            None => return walk.end(true),
        }
    }
}
