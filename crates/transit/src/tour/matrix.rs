//! What it costs to go from one place of a tour to another.

use rayon::prelude::*;

use crate::algo::{Heuristic, Profiles, Unit};
use crate::day::Day;
use crate::journey::Ends;
use crate::time::NEVER;
use crate::timetable::Timetable;
use crate::tour::TourBy;

/// The cost after a leg, given the cost before it; more before is never less after.
pub(crate) trait Legs: Sync {
    /// Goes from place `a` to place `b`; `None` if there is no way.
    fn leg(&self, a: usize, b: usize, before: i64) -> Option<i64>;

    /// Stays at a stop.
    fn stay(&self, cost: i64) -> i64;

    /// What a leg to place `b` adds at least, wherever and whenever it begins.
    fn least_to(&self, b: usize) -> i64;
}

/// Arrival times: how long a leg takes depends on when it begins.
pub(crate) struct Moving {
    places: usize,
    stairs: Vec<Stairs>,
    dwell: i32,
}

/// Departures and the arrivals they lead to, both rising, and a table of minutes to find one.
#[derive(Default)]
struct Stairs {
    steps: Vec<(i32, i32)>,
    minute: Vec<u32>,
    first: i32,
    foot: i32,
}

impl Stairs {
    fn new(profiles: &Profiles, posts: &[u32], from: i32) -> Stairs {
        let mut all: Vec<(i32, i32)> = posts
            .iter()
            .flat_map(|&p| profiles.chances(p))
            .filter(|c| c.departure >= from)
            .map(|c| (c.departure, c.arrival))
            .collect();
        all.sort_unstable_by_key(|c| (std::cmp::Reverse(c.0), c.1));
        // From the last departure backwards keep what arrives earlier than all later ones.
        let mut steps: Vec<(i32, i32)> = Vec::with_capacity(all.len());
        for step in all {
            if steps.last().is_none_or(|last| step.1 < last.1) {
                steps.push(step);
            }
        }
        steps.reverse();
        let first = from.div_euclid(60);
        let last = steps.last().map_or(first, |s| s.0.div_euclid(60));
        let mut minute = Vec::with_capacity((last - first + 2) as usize);
        let mut at = 0;
        for m in first..=last {
            while at < steps.len() && steps[at].0 < m * 60 {
                at += 1;
            }
            minute.push(at as u32);
        }
        let foot = posts
            .iter()
            .map(|&p| profiles.on_foot(p))
            .min()
            .unwrap_or(NEVER);
        Stairs {
            steps,
            minute,
            first,
            foot,
        }
    }

    #[inline]
    fn arrival(&self, time: i32) -> i32 {
        let walked = time.saturating_add(self.foot);
        let index = (time.div_euclid(60) - self.first).max(0) as usize;
        let Some(&low) = self.minute.get(index) else {
            return walked;
        };
        let mut at = low as usize;
        while at < self.steps.len() && self.steps[at].0 < time {
            at += 1;
        }
        self.steps.get(at).map_or(walked, |s| s.1.min(walked))
    }
}

impl Moving {
    /// Works out all arrival tables for arrivals up to `until`, one profile scan for each place, on all cores.
    pub(crate) fn new(day: &Day, places: &[Vec<u32>], from: i32, until: i32, dwell: i32) -> Moving {
        let columns: Vec<Vec<Stairs>> = places
            .par_iter()
            .map_init(Profiles::default, |profiles, to| {
                profiles.fill(day, to, from, until);
                places
                    .iter()
                    .map(|posts| Stairs::new(profiles, posts, from))
                    .collect()
            })
            .collect();
        let n = places.len();
        let mut stairs: Vec<Stairs> = Vec::with_capacity(n * n);
        let mut columns: Vec<std::vec::IntoIter<Stairs>> =
            columns.into_iter().map(Vec::into_iter).collect();
        for _ in 0..n {
            stairs.extend(
                columns
                    .iter_mut()
                    .map(|c| c.next().expect("one for each place")),
            );
        }
        Moving {
            places: n,
            stairs,
            dwell,
        }
    }

    pub(crate) fn reachable(&self, a: usize, b: usize) -> bool {
        let stairs = &self.stairs[a * self.places + b];
        !stairs.steps.is_empty() || stairs.foot < NEVER
    }

    /// Moments in a span of time at which it may be worth leaving the start.
    pub(crate) fn departures(&self, from: i32, until: i32) -> Vec<i32> {
        let mut all: Vec<i32> = (1..self.places)
            .flat_map(|b| self.stairs[b].steps.iter().map(|s| s.0))
            .filter(|t| (from..until).contains(t))
            .collect();
        all.push(from);
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl Legs for Moving {
    #[inline]
    fn leg(&self, a: usize, b: usize, before: i64) -> Option<i64> {
        let arrival = self.stairs[a * self.places + b].arrival(before as i32);
        (arrival < NEVER).then_some(i64::from(arrival))
    }

    #[inline]
    fn stay(&self, cost: i64) -> i64 {
        cost + i64::from(self.dwell)
    }

    fn least_to(&self, b: usize) -> i64 {
        let others = (0..self.places).filter(|&a| a != b);
        let least = others.map(|a| {
            let stairs = &self.stairs[a * self.places + b];
            let ride = stairs.steps.iter().map(|s| s.1 - s.0).min();
            ride.unwrap_or(NEVER).min(stairs.foot)
        });
        i64::from(least.min().unwrap_or(0))
    }
}

/// Vehicles or centimetres: a leg costs the least it ever costs, whatever the time.
pub(crate) struct Still {
    places: usize,
    cost: Vec<Option<i64>>,
}

impl Still {
    pub(crate) fn new(table: &Timetable, day: &Day, places: &[Vec<u32>], by: TourBy) -> Still {
        let unit = if by == TourBy::Distance {
            Unit::Centimetres
        } else {
            Unit::Vehicles
        };
        let scale = if by == TourBy::Distance { 1 } else { 1000 };
        let n = places.len();
        let mut cost = vec![None; n * n];
        for (b, to) in places.iter().enumerate() {
            let ends = Ends::new(day, &[], to, 0);
            let left = Heuristic::Bound.estimates(table, day, &ends, unit);
            for (a, from) in places.iter().enumerate() {
                let least = from.iter().map(|&s| left.stop[s as usize]).min();
                cost[a * n + b] = least.filter(|&c| c < i64::from(NEVER)).map(|c| c / scale);
            }
        }
        Still { places: n, cost }
    }
}

impl Legs for Still {
    fn leg(&self, a: usize, b: usize, before: i64) -> Option<i64> {
        self.cost[a * self.places + b].map(|c| before + c)
    }

    fn stay(&self, cost: i64) -> i64 {
        cost
    }

    fn least_to(&self, b: usize) -> i64 {
        let others = (0..self.places).filter(|&a| a != b);
        let known = others.filter_map(|a| self.cost[a * self.places + b]);
        known.min().unwrap_or(0)
    }
}
