//! One tile in the bag: every place of every tile, and the ending after each.
//!
//! The side to move does not know which of the unseen tiles is in the bag. Each candidate is followed by the exact
//! ending for each tile that it could be: after any word the bag is empty and both sides know everything, so the share of games
//! won is exact. After a pass the other side is taken to know the bag, which it does not: the value of passing is a
//! lower bound.

use wits_play::Budget;

use super::bout::{Rack, Step};
use super::ending::{Ending, Solver};
use super::rating::Rated;
use crate::generate::{Engine, Field};

/// What a candidate comes to.
#[derive(Clone, PartialEq, Debug)]
pub struct Prospect {
    /// The candidate.
    pub step: Step,
    /// How many of the places of the tile in the bag it was tried with.
    pub tried: u32,
    /// Twice the number of them that win, a draw being half.
    pub wins: u32,
    /// The sum of the final differences.
    pub spread: i64,
    /// Whether every ending was solved exactly.
    pub exact: bool,
}

impl Prospect {
    /// The share of places that win.
    pub fn share(&self) -> f64 {
        f64::from(self.wins) / f64::from(2 * self.tried.max(1))
    }

    /// The mean final difference.
    pub fn mean(&self) -> f64 {
        self.spread as f64 / f64::from(self.tried.max(1))
    }
}

/// The candidates with what they come to, the best first: by games won, then by points. `lead` is how far the side to
/// move is ahead. Those that cannot reach the best any more are given up and not listed.
#[allow(
    clippy::too_many_arguments,
    reason = "the parts of a position, each once"
)]
pub fn prospects(
    engine: &Engine,
    bingo: i32,
    field: &Field,
    rack: &Rack,
    unseen: &[u8],
    lead: i32,
    candidates: &[Rated],
    budget: &Budget,
    nodes_each: u64,
) -> Vec<Prospect> {
    let mut kinds: Vec<(u8, u32)> = Vec::new();
    for &tile in unseen {
        match kinds.iter_mut().find(|(kind, _)| *kind == tile) {
            Some((_, count)) => *count += 1,
            None => kinds.push((tile, 1)),
        }
    }
    let total = unseen.len() as u32;
    let mut found: Vec<Prospect> = Vec::new();
    let mut most = 0;
    for candidate in candidates {
        let mut prospect = Prospect {
            step: candidate.step,
            tried: 0,
            wins: 0,
            spread: 0,
            exact: true,
        };
        for &(tile, count) in &kinds {
            // Even if all that is left wins, the best is not reached.
            if prospect.wins + 2 * (total - prospect.tried) < most
                || budget.stopped()
                || budget.late()
            {
                break;
            }
            let mut others = unseen.to_vec();
            if let Some(at) = others.iter().position(|&t| t == tile) {
                others.remove(at);
            }
            let here = Ending {
                field: field.clone(),
                racks: [*rack, Rack::new(&others)],
                bag: Some(tile),
                passed: false,
            };
            let gain = here.gain(&candidate.step, engine);
            let value = match here.after(&candidate.step, engine) {
                None => gain,
                Some(next) => {
                    let mut solver = Solver::new(engine, bingo, budget, nodes_each);
                    let solution = solver.solve(&next, |_| {});
                    prospect.exact &= solution.exact;
                    gain - solution.value
                }
            };
            let end = lead + value;
            prospect.tried += count;
            prospect.spread += i64::from(end) * i64::from(count);
            prospect.wins += count * (1 + end.signum()) as u32;
        }
        if prospect.tried == total {
            most = most.max(prospect.wins);
            found.push(prospect);
        }
    }
    found.sort_by(|a, b| b.wins.cmp(&a.wins).then(b.spread.cmp(&a.spread)));
    found
}
