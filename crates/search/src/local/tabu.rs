//! Tabu search: the best move that is not the way back.

use std::collections::HashMap;

use wits_game::Dice;

use super::{Improved, Problem, Walk};
use crate::{Budget, Watch};

/// What [`tabu_search`] can be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TabuOptions {
    /// For how many steps the mark of a move stays tabu; zero forbids nothing.
    pub tenure: u64,
    /// Whether a tabu move is allowed all the same when it leads to less than anything met so far.
    pub aspiration: bool,
    /// How many neighbours are looked at in each step, drawn at random; none for all.
    pub sample: Option<usize>,
    /// It ends after this many steps.
    pub steps: u64,
    /// It ends after this many steps without anything better; none to go on.
    pub patience: Option<u64>,
}

impl Default for TabuOptions {
    fn default() -> Self {
        TabuOptions {
            tenure: 7,
            aspiration: true,
            sample: None,
            steps: 1_000,
            patience: None,
        }
    }
}

/// Makes the best move that is not tabu at every step, even if it is worse than staying.
///
/// Source: Glover (1986, 1989). The mark of each move made is tabu for `tenure` steps, so the walk
/// cannot fall back into the valley it has just left. Aspiration lifts that for a move that beats the best so far. With a
/// sample, only so many neighbours are looked at in a step.
///
/// A step in which every move looked at is tabu makes no move; the tabus grow older, so it goes on.
///
/// # Invariant
/// No move is made within `tenure` steps of another with the same mark, unless it led to a new best.
///
/// # Complexity
/// Each step looks at the neighbourhood or the sample once. Memory for the marks of the last `tenure` steps, and the best solution.
///
/// # Example
/// ```
/// # #[path = "../../tests/all/toys/valleys.rs"] mod valleys;
/// use wits_game::{Dice, Seed};
/// use wits_search::{Budget, local::{TabuOptions, tabu_search}};
/// // Hill climbing stays in the valley at 3; tabu search walks over the hill, because the way back is tabu.
/// let row = valleys::Row(vec![5.0, 3.0, 4.0, 1.0, 2.0]);
/// let mut dice = Dice::new(Seed::new(1));
/// let budget = Budget::endless();
/// let found = tabu_search(&row, &0, &TabuOptions::default(), &mut dice, &budget, &mut ());
/// assert_eq!((found.solution, found.cost), (3, 1.0));
/// ```
pub fn tabu_search<P: Problem, W: Watch>(
    problem: &P,
    start: &P::Solution,
    options: &TabuOptions,
    dice: &mut Dice,
    budget: &Budget,
    watch: &mut W,
) -> Improved<P::Solution> {
    let mut walk = Walk::new(problem, start, watch);
    // The last step at which a mark is still tabu. Looked up and swept, never walked in an order that matters.
    let mut tabu: HashMap<P::Mark, u64> = HashMap::new();
    let mut better_at = 0;
    for step in 1..=options.steps {
        if options.patience.is_some_and(|most| step - better_at > most) {
            break;
        }
        let mut moves = problem.moves(&walk.here);
        if moves.is_empty() {
            break;
        }
        if let Some(count) = options.sample {
            draw(&mut moves, count, dice);
        }
        let mut best: Option<(P::Move, f64, P::Mark)> = None;
        for mv in moves {
            if budget.spent(walk.best.looked) {
                return walk.end(false);
            }
            let cost = walk.look(&mv);
            let mark = problem.mark(&walk.here, &mv);
            let until = tabu.get(&mark).copied().unwrap_or(0);
            if until >= step && !(options.aspiration && cost < walk.best.cost) {
                walk.refuse(&mv, cost, until - step + 1);
                continue;
            }
            if best.as_ref().is_none_or(|(_, least, _)| cost < *least) {
                best = Some((mv, cost, mark));
            }
        }
        if let Some((mv, cost, mark)) = best {
            if cost < walk.best.cost {
                better_at = step;
            }
            walk.go(&mv, cost);
            tabu.insert(mark, step.saturating_add(options.tenure));
        }
        // Now and then the marks that are free again are swept out.
        if tabu.len() as u64 > 2 * options.tenure.min(1 << 20) + 16 {
            tabu.retain(|_, until| *until > step);
        }
    }
    walk.end(true)
}

/// Leaves `count` of the moves, drawn at random without putting back, in their old order.
fn draw<M>(moves: &mut Vec<M>, count: usize, dice: &mut Dice) {
    let count = count.max(1);
    if count >= moves.len() {
        return;
    }
    let mut left = count;
    let mut seen = 0;
    let all = moves.len();
    // Selection sampling (Fan, Muller and Rezucha 1962): each subset of this size is equally likely.
    moves.retain(|_| {
        let take = dice.below(all - seen) < left;
        seen += 1;
        left -= usize::from(take);
        take
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use wits_game::Seed;

    #[test]
    fn a_draw_has_the_right_size_and_is_fair() {
        let mut dice = Dice::new(Seed::new(4));
        let mut seen = [0u32; 6];
        for _ in 0..6_000 {
            let mut moves: Vec<usize> = (0..6).collect();
            draw(&mut moves, 2, &mut dice);
            assert_eq!(moves.len(), 2);
            for mv in moves {
                seen[mv] += 1;
            }
        }
        assert!(seen.iter().all(|n| (1_850..2_150).contains(n)), "{seen:?}");
        let mut few = vec![1, 2];
        draw(&mut few, 9, &mut dice);
        assert_eq!(few, [1, 2]);
    }
}
