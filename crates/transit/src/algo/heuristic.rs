//! What A* believes about the rest of the way.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde::{Deserialize, Serialize};

use crate::day::Day;
use crate::journey::Ends;
use crate::time::NEVER;
use crate::timetable::Timetable;

/// An estimate of the cost that is left.
///
/// The first five are the report's. `Speed` is its heuristic for time, the others are for the
/// number of vehicles; each may overrate the rest of the way, and then A* may miss the best
/// journey. `Bound` never does.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Heuristic {
    /// Nothing is believed: A* becomes Dijkstra's algorithm.
    Disabled,
    /// Time: straight to the target at this many kilometres an hour (the report settles on 20).
    Speed {
        /// Kilometres an hour.
        kmh: f64,
    },
    /// Vehicles: so many changes for each kilometre that is left (the report settles on 0.1).
    Distance {
        /// Changes for each kilometre.
        changes_per_km: f64,
    },
    /// Vehicles: stops with few departures are believed to be farther away by up to `weight`.
    StopNodes {
        /// What the quietest stop costs.
        weight: f64,
    },
    /// Vehicles: a penalty on every stop whose name is not written in capitals.
    PreferMajorStops {
        /// What a minor stop costs.
        penalty: u32,
    },
    /// Vehicles: a penalty while on a line named by letters, not by a number.
    AvoidExpressLines {
        /// What an express line costs.
        penalty: u32,
    },
    /// A lower bound that always holds: the quickest running time of every hop, with no waiting
    /// (for vehicles: the fewest routes that touch each other), counted back from the target.
    Bound,
}

/// The estimates of one heuristic for one target: for each stop, and what a line adds.
#[derive(Clone, Debug)]
pub struct Estimates {
    /// Seconds (or thousandths of a vehicle, or centimetres) left from each stop.
    pub stop: Vec<i64>,
    /// Added while on a line.
    pub line: Vec<i64>,
    /// Taken off while aboard, down to nothing: who sits in a vehicle may not need to board one.
    pub aboard: i64,
}

/// In which unit estimates are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Thousandths of a vehicle.
    Vehicles,
    /// Centimetres.
    Centimetres,
}

impl Heuristic {
    /// Works out the estimates towards a target.
    pub fn estimates(self, table: &Timetable, day: &Day, ends: &Ends, unit: Unit) -> Estimates {
        let none = || vec![0; day.stops];
        let km = |stop: u32| {
            let far = ends
                .to
                .iter()
                .map(|&t| table.distance_cm(stop, t))
                .min()
                .unwrap_or(0);
            f64::from(far) / 100_000.0
        };
        let each = |cost: &dyn Fn(u32) -> f64| -> Vec<i64> {
            (0..day.stops as u32).map(|s| cost(s) as i64).collect()
        };
        let mut line = vec![0; table.lines.len()];
        let stop = match self {
            Heuristic::Disabled => none(),
            Heuristic::Speed { kmh } => match unit {
                // The report rounds down to whole minutes.
                Unit::Seconds => each(&|s| (km(s) / (kmh / 60.0)).floor() * 60.0),
                Unit::Centimetres => each(&|s| km(s) * 100_000.0),
                Unit::Vehicles => none(),
            },
            Heuristic::Distance { changes_per_km } => each(&|s| km(s) * changes_per_km * 1000.0),
            Heuristic::StopNodes { weight } => {
                let count = |s: u32| -> f64 {
                    day.routes_at(s)
                        .iter()
                        .map(|r| f64::from(day.routes[r.0 as usize].runs))
                        .sum()
                };
                let most = (0..day.stops as u32).map(count).fold(1.0, f64::max);
                each(&|s| weight * (1.0 - count(s) / most) * 1000.0)
            }
            Heuristic::PreferMajorStops { penalty } => each(&|s| {
                let name = table.stop_name(s);
                let major = name == name.to_uppercase() && name.chars().any(char::is_alphabetic);
                if major {
                    0.0
                } else {
                    f64::from(penalty) * 1000.0
                }
            }),
            Heuristic::AvoidExpressLines { penalty } => {
                for (cost, line) in line.iter_mut().zip(&table.lines) {
                    let letters = !line.name.starts_with(|c: char| c.is_ascii_digit());
                    *cost = if letters {
                        i64::from(penalty) * 1000
                    } else {
                        0
                    };
                }
                none()
            }
            Heuristic::Bound => match unit {
                Unit::Seconds => seconds_left(day, ends),
                Unit::Vehicles => vehicles_left(day, ends),
                Unit::Centimetres => centimetres_left(day, ends),
            },
        };
        // At the target nothing is left, whatever a heuristic thinks of its name.
        let mut stop = stop;
        for &t in &ends.to {
            stop[t as usize] = 0;
        }
        let bound = self == Heuristic::Bound && unit == Unit::Vehicles;
        Estimates {
            stop,
            line,
            aboard: if bound { 1000 } else { 0 },
        }
    }
}

/// Shortest way back from the target over hops whose cost is given per route position.
fn way_back(
    day: &Day,
    ends: &Ends,
    hop: &dyn Fn(usize) -> i64,
    walk: &dyn Fn(i32, u32) -> i64,
) -> Vec<i64> {
    let mut into: Vec<Vec<(u32, i64)>> = vec![Vec::new(); day.stops];
    for route in &day.routes {
        let first = route.first_stop as usize;
        for at in first..first + route.len as usize - 1 {
            into[day.route_stops[at + 1] as usize].push((day.route_stops[at], hop(at)));
        }
    }
    for list in &mut into {
        list.sort_unstable();
        list.dedup_by_key(|e| e.0);
    }
    let far = i64::from(NEVER);
    let mut left = vec![far; day.stops];
    let mut queue = BinaryHeap::new();
    for &t in &ends.to {
        left[t as usize] = 0;
        queue.push(Reverse((0, t)));
    }
    let mut settled = 0;
    while let Some(Reverse((cost, at))) = queue.pop() {
        if cost > left[at as usize] {
            continue;
        }
        settled += 1;
        if day.watch.over_at(settled) {
            break;
        }
        let walks = day
            .walks
            .towards(at)
            .iter()
            .map(|w| (w.to, walk(w.seconds, w.cm)));
        for (from, more) in into[at as usize].iter().copied().chain(walks) {
            if cost + more < left[from as usize] {
                left[from as usize] = cost + more;
                queue.push(Reverse((cost + more, from)));
            }
        }
    }
    left
}

fn seconds_left(day: &Day, ends: &Ends) -> Vec<i64> {
    let mut quickest = vec![i64::from(NEVER); day.route_stops.len()];
    for route in &day.routes {
        for run in route.first_run..route.first_run + route.runs {
            if run.is_multiple_of(64) && day.watch.over() {
                break;
            }
            for (i, pair) in day.calls(run).windows(2).enumerate() {
                let hop = &mut quickest[route.first_stop as usize + i];
                *hop = (*hop).min(i64::from(pair[1].arrival - pair[0].departure));
            }
        }
    }
    way_back(day, ends, &|at| quickest[at], &|seconds, _| {
        i64::from(seconds)
    })
}

fn centimetres_left(day: &Day, ends: &Ends) -> Vec<i64> {
    way_back(day, ends, &|at| i64::from(day.hops_cm[at]), &|_, cm| {
        i64::from(cm)
    })
}

/// Fewest vehicles still to board, whatever the time: a search by rounds over routes.
fn vehicles_left(day: &Day, ends: &Ends) -> Vec<i64> {
    let far = i64::from(NEVER);
    let mut left = vec![far; day.stops];
    let mut now: Vec<u32> = ends.egress.iter().map(|e| e.0).collect();
    for &s in &now {
        left[s as usize] = 0;
    }
    let mut done = vec![0u32; day.routes.len()];
    let mut k = 0;
    while !now.is_empty() {
        k += 1000;
        let mut next = Vec::new();
        for &stop in &now {
            if day.watch.over() {
                return left;
            }
            for &(route, position) in day.routes_at(stop) {
                let stops = day.stops_of(route);
                let from = done[route as usize];
                done[route as usize] = from.max(position);
                for &before in stops.get(from as usize..position as usize).unwrap_or(&[]) {
                    let walks = day.walks.towards(before).iter().map(|w| w.to);
                    for reached in std::iter::once(before).chain(walks) {
                        if left[reached as usize] == far {
                            left[reached as usize] = k;
                            next.push(reached);
                        }
                    }
                }
            }
        }
        now = next;
    }
    left
}
