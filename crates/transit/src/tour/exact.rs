//! The best order by dynamic programming over sets (Bellman 1962; Held and Karp 1962).
//!
//! For every set of visited stops and every last one of them the least cost of having been there.
//! Arriving earlier is never worse, because one can wait, so nothing else about the past matters,
//! even though costs depend on the time.
//!
//! A state is given up when even the least that is left to do (the cheapest leg to each stop that
//! is still to be seen, and back) would reach the limit: a tour that is known already.

use crate::tour::matrix::Legs;
use crate::watch::Watch;

/// More stops would need too much memory.
pub const MOST_STOPS: usize = 21;

const FAR: i64 = i64::MAX;

/// The least cost of a tour, its order and the number of states looked at. Places are numbered
/// with the start as 0; stops in the answer from 0 on. Costs of `limit` and more are not wanted.
pub(crate) fn solve(
    legs: &impl Legs,
    n: usize,
    open: bool,
    start: i64,
    limit: i64,
    watch: &Watch,
) -> Option<(i64, Vec<usize>, u64)> {
    // Compact memory: costs fit 32 bits for times and vehicles; distances in a city as well.
    let narrow = |cost: i64| i32::try_from(cost).unwrap_or(i32::MAX);
    let wide = |cost: i32| {
        if cost == i32::MAX {
            FAR
        } else {
            i64::from(cost)
        }
    };
    let mut least = vec![i32::MAX; n << n];
    for stop in 0..n {
        if let Some(cost) = legs.leg(0, stop + 1, start).filter(|&c| c < limit) {
            least[(1 << stop) * n + stop] = narrow(cost);
        }
    }
    let least_to: Vec<i64> = (0..=n).map(|b| legs.least_to(b)).collect();
    let all_left: i64 = least_to[1..].iter().sum::<i64>() + if open { 0 } else { least_to[0] };
    let mut looked_at = 0;
    for set in 1usize..1 << n {
        if watch.over_at(set) {
            return None;
        }
        let seen = (0..n).filter(|s| set >> s & 1 == 1);
        let left = all_left - seen.map(|s| least_to[s + 1]).sum::<i64>();
        for last in 0..n {
            let here = least[set * n + last];
            if here == i32::MAX || set >> last & 1 == 0 || i64::from(here) + left >= limit {
                continue;
            }
            looked_at += 1;
            let leave = legs.stay(i64::from(here));
            let mut rest = !set & ((1 << n) - 1);
            while rest != 0 {
                let next = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                if let Some(cost) = legs.leg(last + 1, next + 1, leave) {
                    let cell = &mut least[(set | 1 << next) * n + next];
                    if cost < limit {
                        *cell = (*cell).min(narrow(cost));
                    }
                }
            }
        }
    }
    let all = (1usize << n) - 1;
    let end = |last: usize| {
        let here = wide(least[all * n + last]);
        if here == FAR {
            return None;
        }
        if open {
            Some(here)
        } else {
            legs.leg(last + 1, 0, legs.stay(here))
        }
    };
    let (cost, mut last) = (0..n).filter_map(|last| Some((end(last)?, last))).min()?;
    if cost >= limit {
        return None;
    }
    let mut order = vec![last];
    let mut set = all;
    while set.count_ones() > 1 {
        let before = set & !(1 << last);
        let here = i64::from(least[set * n + last]);
        last = (0..n)
            .filter(|&p| before >> p & 1 == 1 && least[before * n + p] != i32::MAX)
            .find(|&p| {
                let leave = legs.stay(i64::from(least[before * n + p]));
                legs.leg(p + 1, last + 1, leave) == Some(here)
            })
            .expect("every state was reached from another");
        order.push(last);
        set = before;
    }
    order.reverse();
    Some((cost, order, looked_at))
}
