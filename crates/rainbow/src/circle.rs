//! The same questions on a circle: the numbers 1 to n with n + 1 = 1, so that progressions run around (the group `Z_n`).
//!
//! A progression is a set of `k` different numbers `x, x + d, …, x + (k - 1)d` modulo `n`. There are more of them than on the strip,
//! so fewer colours force a rainbow and pairings end sooner. Nothing is known here in closed form but for `k = 3`.

use std::collections::BTreeSet;

use serde::Serialize;
use wits_search::Budget;

use crate::exact::{ProofSize, Solver};
use crate::numbers::sat;
use crate::pairing::{self, Found};
use crate::terms::{BadTerms, Side, range};

/// The largest circle that is asked about.
pub const MOST_NUMBERS: u32 = 64;

/// Every progression of `k` on a circle of `n` numbers, each set once, its numbers in order.
///
/// ```
/// // Steps 1 and 3 give the same four sets on four numbers, step 2 runs into itself.
/// assert_eq!(wits_rainbow::circle::progressions(4, 3).len(), 4);
/// ```
pub fn progressions(n: u32, k: u32) -> Vec<Vec<u32>> {
    let around = |start: u32, step: u32| -> BTreeSet<u32> {
        (0..k).map(|i| (start + i * step) % n + 1).collect()
    };
    let starts = |step: u32| (0..n).map(move |start| (start, step));
    let sets: BTreeSet<Vec<u32>> = (1..=n / 2)
        .flat_map(starts)
        .map(|(start, step)| around(start, step))
        .filter(|set| set.len() == k as usize)
        .map(|set| set.into_iter().collect())
        .collect();
    sets.into_iter().collect()
}

/// What is known about a circle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Circle {
    /// How many numbers.
    pub n: u32,
    /// How long a rainbow is.
    pub k: u32,
    /// How many progressions there are.
    pub progressions: usize,
    /// The least number of colours that forces a rainbow; nothing if the budget ended first.
    pub aw: Option<u32>,
    /// A colouring with one colour less and no rainbow.
    pub witness: Option<Vec<u32>>,
    /// Conflicts of the SAT solver.
    pub conflicts: u64,
    /// Pairs such that every progression contains one; nothing where there are none or the budget ended first.
    pub pairs: Option<Vec<(u32, u32)>>,
    /// The number without a partner, where there is one.
    pub spare: Option<u32>,
    /// Whether it is proved that there is, or that there is not, a pairing.
    pub pairing_proved: bool,
    /// Who wins the game with `n` colours, by who moves first; nothing where the circle is too large to search.
    pub winners: Vec<Winner>,
}

/// Who wins the game on a circle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Winner {
    /// Who moves first.
    pub first: Side,
    /// Who wins under perfect play.
    pub winner: Side,
    /// The size of the winner's strategy.
    pub proof: Option<ProofSize>,
}

/// Answers all questions about a circle, as far as the budget goes.
///
/// # Errors
/// When `n` is below 3 or above [`MOST_NUMBERS`], or `k` is not from 3 to `n`.
pub fn circle(n: u64, k: u64, budget: &Budget) -> Result<Circle, BadTerms> {
    range("n", n, 3, MOST_NUMBERS.into())?;
    range("k", k, 3, n)?;
    let (n, k) = (n as u32, k as u32);
    let all = progressions(n, k);
    let mut found = Circle {
        n,
        k,
        progressions: all.len(),
        aw: None,
        witness: None,
        conflicts: 0,
        pairs: None,
        spare: None,
        pairing_proved: false,
        winners: Vec::new(),
    };
    match pairing::find_among(n, k, &all, budget) {
        Found::Pairing { pairing, .. } => {
            found.pairing_proved = pairing.covers(&all).is_ok();
            (found.pairs, found.spare) = (Some(pairing.pairs), pairing.spare);
        }
        Found::None { .. } => found.pairing_proved = true,
        Found::Unknown { .. } => {}
    }
    for first in Side::BOTH {
        let Some(mut solver) = Solver::on_circle(n, k, first) else {
            break;
        };
        let Some((winner, proof)) = solver.solve_start(first, budget) else {
            break;
        };
        found.winners.push(Winner {
            first,
            winner,
            proof,
        });
    }
    found.force(&all, budget);
    Ok(found)
}

impl Circle {
    /// Asks for one colour more until there is no colouring without a rainbow. Fewer than `k` colours never have one.
    fn force(&mut self, all: &[Vec<u32>], budget: &Budget) {
        let mut best: Vec<u32> = (1..=self.n).map(|x| x.min(self.k - 1)).collect();
        let mut spent = 0;
        loop {
            let colours = best.iter().max().copied().unwrap_or(0) as usize + 1;
            let Some(search) = sat::colours(self.n as usize, all, colours, &[], spent, budget)
            else {
                return;
            };
            self.conflicts += search.conflicts;
            spent += sat::CELLS * search.conflicts;
            let Some(more) = search.found else {
                self.aw = Some(colours as u32);
                self.witness = Some(best);
                return;
            };
            best = more;
        }
    }
}
