//! All day and everywhere: profiles and isochrones.

use serde::Serialize;

use crate::algo::{Profiles, Raptor, Scan};
use crate::journey::Ends;
use crate::planner::{MOST_VEHICLES, Planner};
use crate::time::{DAY, NEVER, Time};

/// All departures of a day that are worth knowing.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DayProfile {
    /// In the order of time; no departure is followed by one that arrives as early.
    pub departures: Vec<Departure>,
    /// Minutes of a walk all the way, if that is possible.
    pub on_foot: Option<i32>,
}

/// Leave at one time, arrive at another.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Departure {
    /// When to leave.
    pub departure: Time,
    /// When one is there.
    pub arrival: Time,
    /// Changes on the way, as few as possible.
    pub transfers: usize,
    /// Minutes on the way.
    pub minutes: i32,
}

/// Stops within reach.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Isochrone {
    /// Nearest first.
    pub reached: Vec<Reached>,
    /// How many stops there are in all.
    pub stops: usize,
}

/// A stop within reach.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reached {
    /// Its name.
    pub stop: String,
    /// Its index.
    pub index: u32,
    /// Minutes from the asked time (over a window: the mean).
    pub minutes: i32,
    /// Best departure of the window.
    pub best: i32,
    /// Worst departure of the window, none if the stop is out of reach for some.
    pub worst: Option<i32>,
    /// Kilometres east of the middle.
    pub x: f32,
    /// Kilometres north of the middle.
    pub y: f32,
}

impl Planner {
    /// All departures of a day from some stops to others that no other beats.
    pub fn profile(&self, from: &[u32], to: &[u32]) -> DayProfile {
        let day = self.day();
        let profiles = Profiles::new(day, to, 0);
        let foot = from
            .iter()
            .map(|&s| profiles.on_foot(s))
            .min()
            .unwrap_or(NEVER);
        let mut all: Vec<(i32, i32)> = from
            .iter()
            .flat_map(|&s| profiles.chances(s))
            .filter(|c| (0..DAY).contains(&c.departure) && c.arrival - c.departure < foot)
            .map(|c| (c.departure, c.arrival))
            .collect();
        all.sort_unstable_by_key(|c| (std::cmp::Reverse(c.0), c.1));
        let mut kept: Vec<(i32, i32)> = Vec::new();
        for chance in all {
            if kept.last().is_none_or(|last| chance.1 < last.1) {
                kept.push(chance);
            }
        }
        kept.reverse();
        let mut raptor = Raptor::default();
        let departures = kept
            .into_iter()
            .map(|(departure, arrival)| {
                let ends = Ends::new(day, from, to, departure);
                let found = raptor.pareto(day, &ends, MOST_VEHICLES, &mut ());
                let rides = found
                    .iter()
                    .find(|t| t.arrival <= arrival)
                    .map_or(0, |t| t.rides.len());
                Departure {
                    departure: Time(departure),
                    arrival: Time(arrival),
                    transfers: rides.saturating_sub(1),
                    minutes: crate::view::minutes(arrival - departure),
                }
            })
            .collect();
        DayProfile {
            departures,
            on_foot: (foot < NEVER).then(|| crate::view::minutes(foot)),
        }
    }

    /// Where one can be within so many minutes, leaving at a time, or at any minute of a window
    /// that begins then (`window` minutes long, 0 for the one moment).
    pub fn isochrone(&self, from: &[u32], at: Time, within: i32, window: i32) -> Isochrone {
        let day = self.day();
        let mut scan = Scan::default();
        let limit = within * 60;
        let moments = window.max(0) + 1;
        let mut sum = vec![0i64; day.stops];
        let mut count = vec![0i32; day.stops];
        let mut best = vec![NEVER; day.stops];
        let mut worst = vec![0; day.stops];
        for moment in 0..moments {
            let start = at.0 + moment * 60;
            // One second more, so that an arrival exactly at the limit counts.
            let there = scan.everywhere(day, from, start, start + limit + 1, &mut ());
            for (stop, &time) in there.iter().enumerate() {
                if time - start <= limit {
                    sum[stop] += i64::from(time - start);
                    count[stop] += 1;
                    best[stop] = best[stop].min(time - start);
                    worst[stop] = worst[stop].max(time - start);
                }
            }
        }
        let mut reached: Vec<Reached> = (0..day.stops)
            .filter(|&s| count[s] > 0)
            .map(|s| Reached {
                stop: self.table.stop_name(s as u32).to_owned(),
                index: s as u32,
                minutes: crate::view::minutes((sum[s] / i64::from(count[s])) as i32),
                best: crate::view::minutes(best[s]),
                worst: (count[s] == moments).then(|| crate::view::minutes(worst[s])),
                x: self.table.stops[s].x,
                y: self.table.stops[s].y,
            })
            .collect();
        reached.sort_by_key(|r| (r.minutes, r.index));
        Isochrone {
            reached,
            stops: day.stops,
        }
    }
}
