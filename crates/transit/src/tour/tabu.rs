//! Tabu search over orders (Glover 1989; Knox 1994): swap two stops, take the best swap even if
//! it is worse, and do not swap the same pair back for a while.
//!
//! The report's program keeps its order when no swap is better, so its tabu list never matters;
//! `accept_worse` off gives that behaviour.

use serde::Serialize;
use wits_game::{Dice, Seed};

use crate::tour::Found;
use crate::tour::matrix::Legs;
use crate::watch::Watch;

/// Which swaps are looked at in one iteration.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sampling {
    /// Each with this chance (the report skips a quarter, so 0.75).
    Random(f64),
    /// Those whose hash is not divisible by this number (the report's variant with 4).
    Hashed(u64),
}

/// Options of the tabu search.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Tabu {
    /// Most iterations; the report takes the square of the number of stops.
    pub iterations: Option<usize>,
    /// Stop after so many without improvement; the report takes the root of the above.
    pub patience: Option<usize>,
    /// How many swaps are forbidden at most; the report takes the number of stops.
    pub tenure: Option<usize>,
    /// A forbidden swap is allowed if the whole tour costs less than this share of the sum of
    /// all distances between places.
    pub aspiration: Option<f64>,
    /// Look at a part of the swaps only.
    pub sampling: Option<Sampling>,
    /// Begin with a shuffled order.
    pub shuffle: bool,
    /// Take the best allowed swap even if it is worse.
    pub accept_worse: bool,
    /// Where chance comes from.
    pub seed: Seed,
}

impl Default for Tabu {
    fn default() -> Tabu {
        Tabu {
            iterations: None,
            patience: None,
            tenure: None,
            aspiration: None,
            sampling: None,
            shuffle: true,
            accept_worse: true,
            seed: Seed::new(1),
        }
    }
}

/// One iteration of a tabu search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The order after it, stops from 0 on, without the start.
    pub order: Vec<usize>,
    /// Positions that were swapped; none if every swap was forbidden or left out.
    pub swapped: Option<(usize, usize)>,
    /// What the order costs; none if it cannot be travelled.
    pub cost: Option<i64>,
    /// The best cost so far.
    pub best: i64,
}

/// Stands for an order that cannot be travelled.
const NO_WAY: i64 = i64::MAX / 4;

pub(crate) fn solve(
    legs: &impl Legs,
    n: usize,
    open: bool,
    start: i64,
    options: &Tabu,
    watch: &Watch,
) -> Option<Found> {
    let mut dice = Dice::new(options.seed);
    let mut looked_at = 0;
    let mut cost_of = |order: &[usize]| {
        looked_at += 1;
        let mut at = 0;
        let mut cost = start;
        for &stop in order {
            if at != 0 {
                cost = legs.stay(cost);
            }
            match legs.leg(at, stop + 1, cost) {
                Some(after) => cost = after,
                None => return NO_WAY,
            }
            at = stop + 1;
        }
        if open {
            cost
        } else {
            legs.leg(at, 0, legs.stay(cost)).unwrap_or(NO_WAY)
        }
    };
    let mut order: Vec<usize> = (0..n).collect();
    if options.shuffle {
        dice.shuffle(&mut order);
    }
    let iterations = options.iterations.unwrap_or(n * n);
    let patience = options
        .patience
        .unwrap_or_else(|| libm::floor(libm::sqrt(iterations as f64)) as usize);
    let sum: i64 = (0..=n)
        .flat_map(|a| (0..=n).map(move |b| (a, b)))
        .filter(|(a, b)| a != b)
        .filter_map(|(a, b)| legs.leg(a, b, start))
        .map(|c| c - start)
        .sum();
    let aspiration = options
        .aspiration
        .map(|share| start + (sum as f64 * share) as i64);
    let mut forbidden: std::collections::VecDeque<(usize, usize)> =
        std::collections::VecDeque::new();
    let mut cost = cost_of(&order);
    let (mut best, mut best_cost) = (order.clone(), cost);
    let mut turns = Vec::new();
    let mut idle = 0;
    for _ in 0..iterations {
        if idle > patience || watch.over() {
            break;
        }
        let mut chosen: Option<(i64, usize, usize)> = None;
        for i in 0..n {
            for j in i + 1..n {
                let skipped = match options.sampling {
                    None => false,
                    Some(Sampling::Random(keep)) => dice.unit() >= keep,
                    Some(Sampling::Hashed(by)) => hash(i, j).is_multiple_of(by.max(1)),
                };
                if skipped {
                    continue;
                }
                order.swap(i, j);
                let swapped = cost_of(&order);
                order.swap(i, j);
                let allowed =
                    !forbidden.contains(&(i, j)) || aspiration.is_some_and(|a| swapped < a);
                let improves = options.accept_worse || swapped < cost;
                if allowed && improves && chosen.is_none_or(|c| swapped < c.0) {
                    chosen = Some((swapped, i, j));
                }
            }
        }
        if let Some((swapped, i, j)) = chosen {
            order.swap(i, j);
            cost = swapped;
            if options.tenure.is_some_and(|t| forbidden.len() >= t) {
                forbidden.pop_front();
            }
            forbidden.push_back((i, j));
        }
        if cost < best_cost {
            (best, best_cost) = (order.clone(), cost);
            idle = 0;
        } else {
            idle += 1;
        }
        turns.push(Turn {
            order: order.clone(),
            swapped: chosen.map(|c| (c.1, c.2)),
            cost: (cost < NO_WAY).then_some(cost),
            best: best_cost,
        });
    }
    (best_cost < NO_WAY).then_some(Found {
        order: best,
        cost: best_cost,
        proved: false,
        looked_at,
        turns,
    })
}

/// A fixed hash of a swap.
fn hash(i: usize, j: usize) -> u64 {
    let mut h = (i as u64) << 32 | j as u64;
    h = (h ^ h >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    h = (h ^ h >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    h ^ h >> 33
}
