//! All day and everywhere: profiles and isochrones.

use serde::Serialize;

use crate::algo::{Profiles, Raptor, Scan};
use crate::journey::{Ends, Trail};
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

impl DayProfile {
    /// Seconds all the way on foot, and departures with their journeys, of which those of the
    /// first day are told.
    pub(crate) fn new(foot: i32, found: &[(i32, Trail)]) -> DayProfile {
        let today = found.iter().filter(|found| found.0 < DAY);
        let told = today.map(|(departure, trail)| Departure {
            departure: Time(*departure),
            arrival: Time(trail.arrival),
            transfers: trail.rides.len().saturating_sub(1),
            minutes: crate::view::minutes(trail.arrival - departure),
        });
        DayProfile {
            departures: told.collect(),
            on_foot: (foot < NEVER).then(|| crate::view::minutes(foot)),
        }
    }
}

impl Planner {
    /// All departures of a day from some stops to others that no other beats.
    pub fn profile(&self, from: &[u32], to: &[u32]) -> DayProfile {
        let (foot, found) = self.departures(from, to, DAY);
        DayProfile::new(foot, &found)
    }

    /// Seconds all the way on foot, and the departures before a time that no other beats, be it
    /// on the next day, each with the journey of the fewest vehicles.
    pub(crate) fn departures(
        &self,
        from: &[u32],
        to: &[u32],
        before: i32,
    ) -> (i32, Vec<(i32, Trail)>) {
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
            .filter(|c| c.departure >= 0 && c.arrival - c.departure < foot)
            .map(|c| (c.departure, c.arrival))
            .collect();
        all.sort_unstable_by_key(|c| (std::cmp::Reverse(c.0), c.1));
        let mut kept: Vec<(i32, i32)> = Vec::new();
        for chance in all {
            if kept.last().is_none_or(|last| chance.1 < last.1) {
                kept.push(chance);
            }
        }
        kept.retain(|chance| chance.0 < before);
        kept.reverse();
        let mut raptor = Raptor::default();
        let journey = |(departure, arrival)| {
            let ends = Ends::new(day, from, to, departure);
            let found = raptor.pareto(day, &ends, MOST_VEHICLES, &mut ());
            let rides = found.into_iter().find(|t| t.arrival <= arrival);
            let rides = rides.map_or(Vec::new(), |t| t.rides);
            (departure, Trail { arrival, rides })
        };
        (foot, kept.into_iter().map(journey).collect())
    }

    /// Where one can be within so many minutes, leaving at a time, or at any minute of a window
    /// that begins then (`window` minutes long, 0 for the one moment).
    pub fn isochrone(&self, from: &[u32], at: Time, within: i32, window: i32) -> Isochrone {
        self.isochrone_followed(from, at, within, window, |_, _| ())
    }

    /// The same, while somebody looks at the scan of every departure, the last one first.
    pub(crate) fn isochrone_followed(
        &self,
        from: &[u32],
        at: Time,
        within: i32,
        window: i32,
        mut look: impl FnMut(i32, &Scan),
    ) -> Isochrone {
        let day = self.day();
        let mut scan = Scan::default();
        let limit = within * 60;
        let moments = window.max(0) + 1;
        let mut sum = vec![0i64; day.stops];
        let mut count = vec![0i32; day.stops];
        let mut best = vec![NEVER; day.stops];
        let mut worst = vec![0; day.stops];
        for moment in (0..moments).rev() {
            if day.watch.over() {
                break;
            }
            let start = at.0 + moment * 60;
            // One second more, so that an arrival exactly at the limit counts.
            scan.everywhere(day, from, start, start + limit + 1, &mut ());
            look(start, &scan);
            for (stop, &time) in scan.there().iter().enumerate() {
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
