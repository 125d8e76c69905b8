//! The changes between trips that a best journey may need, worked out before anybody asks (Witt 2015).
//!
//! Preparing looks at every call of every run: whoever leaves there, into which runs can they
//! change? Changes back to where the run came from, and changes that reach nothing earlier than
//! staying aboard or another change, are dropped (Witt's reduction), which leaves a few per call.
//! For cities the least time between any two stops is kept beside them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use crate::day::Day;
use crate::time::NEVER;

const NONE: u32 = u32::MAX;

/// A change into a run: its call there (an index into the times of the day) and the place of that
/// call among the stops of all routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) call: u32,
    pub(super) slot: u32,
}

/// A call as a query looks at it: when the vehicle arrives, and where its changes begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage {
    pub(super) arrival: i32,
    first: u32,
}

/// All changes of a day that a best journey may need.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Each call of the day, and one more where the last changes end.
    calls: Vec<Stage>,
    into: Vec<Change>,
    /// For each stop of a route how many stops of it follow.
    pub(super) rest: Vec<u32>,
    /// For each target and stop the least time between them, in units of [`UNIT`] seconds; empty
    /// for very large cities.
    least: Vec<u16>,
}

/// Seconds per unit of a stored lower bound; bounds are rounded down.
const UNIT: i32 = 4;
/// Above this many stops the table of bounds would be too large.
const MOST_BOUNDED: usize = 6000;

impl Changes {
    /// Works out the changes of a day, on all cores.
    pub fn new(day: &Day) -> Changes {
        let parts: Vec<(Vec<u32>, Vec<Change>)> = (0..day.routes.len())
            .into_par_iter()
            .map_init(
                || Reducer::new(day),
                |reducer, route| reducer.route(day, route as u32),
            )
            .collect();
        let mut all = Changes {
            calls: Vec::with_capacity(day.times.len() + 1),
            rest: day.routes.iter().flat_map(|r| (0..r.len).rev()).collect(),
            ..Changes::default()
        };
        let arrivals = day.times.iter().map(|call| call.arrival);
        // Nobody may see half of the changes: where the watch cut it short there are none.
        let parts = if day.watch.cut() { Vec::new() } else { parts };
        let counts = parts.iter().flat_map(|part| &part.0).copied();
        let mut first = 0;
        for (arrival, count) in arrivals.zip(counts.chain(std::iter::repeat(0))) {
            all.calls.push(Stage { arrival, first });
            first += count;
        }
        all.calls.push(Stage {
            arrival: NEVER,
            first,
        });
        all.into = parts.into_iter().flat_map(|part| part.1).collect();
        if day.stops <= MOST_BOUNDED && !day.watch.cut() {
            all.least = least_times(day);
        }
        all
    }

    /// How many changes are kept.
    pub fn len(&self) -> usize {
        self.into.len()
    }

    /// Whether nobody ever changes.
    pub fn is_empty(&self) -> bool {
        self.into.is_empty()
    }

    /// When a vehicle arrives at a call.
    #[inline]
    pub(super) fn arrival(&self, call: u32) -> i32 {
        self.calls[call as usize].arrival
    }

    /// So many calls after a call, each with its arrival and changes.
    #[inline]
    pub(super) fn after(&self, call: u32, count: u32) -> impl Iterator<Item = (i32, &[Change])> {
        let calls = &self.calls[call as usize + 1..][..=count as usize];
        calls.windows(2).map(|pair| {
            let changes = pair[0].first as usize..pair[1].first as usize;
            (pair[0].arrival, &self.into[changes])
        })
    }

    /// For each stop the least seconds from there to the nearest of some targets; 0 where the table
    /// would be too large.
    pub(super) fn bounds(&self, stops: usize, targets: &[u32], left: &mut Vec<i32>) {
        left.clear();
        if self.least.is_empty() {
            left.resize(stops, 0);
            return;
        }
        left.resize(stops, NEVER);
        for &target in targets {
            let row = target as usize * stops..(target as usize + 1) * stops;
            for (left, &units) in left.iter_mut().zip(&self.least[row]) {
                *left = (*left).min(i32::from(units) * UNIT);
            }
        }
    }
}

/// The least time between any two stops: every hop as quick as it ever is, no waiting.
fn least_times(day: &Day) -> Vec<u16> {
    let mut into: Vec<Vec<(u32, i32)>> = vec![Vec::new(); day.stops];
    for (index, route) in (0u32..).zip(&day.routes) {
        let stops = day.stops_of(index);
        for at in 0..stops.len() - 1 {
            let quickest = (route.first_run..route.first_run + route.runs)
                .map(|run| day.calls(run))
                .map(|calls| calls[at + 1].arrival - calls[at].departure)
                .min();
            into[stops[at + 1] as usize].push((stops[at], quickest.unwrap_or(NEVER)));
        }
    }
    for (stop, list) in (0u32..).zip(&mut into) {
        list.extend(day.walks.towards(stop).iter().map(|w| (w.to, w.seconds)));
        list.sort_unstable();
        list.dedup_by_key(|e| e.0);
    }
    let rows: Vec<Vec<u16>> = (0..day.stops as u32)
        .into_par_iter()
        .map_init(BinaryHeap::new, |queue, target| {
            let mut left = vec![NEVER; day.stops];
            if day.watch.over() {
                return vec![0; day.stops];
            }
            left[target as usize] = 0;
            queue.push(Reverse((0, target)));
            while let Some(Reverse((time, at))) = queue.pop() {
                if time > left[at as usize] {
                    continue;
                }
                for &(from, more) in &into[at as usize] {
                    if time + more < left[from as usize] {
                        left[from as usize] = time + more;
                        queue.push(Reverse((time + more, from)));
                    }
                }
            }
            left.iter()
                .map(|&t| (t / UNIT).min(i32::from(u16::MAX)) as u16)
                .collect()
        })
        .collect();
    rows.concat()
}

/// Finds and thins out the changes of one run at a time.
struct Reducer {
    /// Earliest arrival at and readiness to board at each stop, by the run itself or a change.
    there: Vec<i32>,
    ready: Vec<i32>,
    touched: Vec<u32>,
    /// For each run the first position from which its arrivals are noted already.
    noted: Vec<u32>,
    noted_runs: Vec<u32>,
}

impl Reducer {
    fn new(day: &Day) -> Reducer {
        Reducer {
            there: vec![NEVER; day.stops],
            ready: vec![NEVER; day.stops],
            touched: Vec::new(),
            noted: vec![NONE; day.runs.len()],
            noted_runs: Vec::new(),
        }
    }

    /// Counts of changes per call, and the changes, of all runs of a route.
    fn route(&mut self, day: &Day, index: u32) -> (Vec<u32>, Vec<Change>) {
        let route = &day.routes[index as usize];
        let stops = day.stops_of(index);
        let (mut counts, mut out) = (Vec::new(), Vec::new());
        let mut kept: Vec<Vec<Change>> = vec![Vec::new(); stops.len()];
        for run in route.first_run..route.first_run + route.runs {
            if day.watch.over() {
                break;
            }
            let calls = day.calls(run);
            // From the last call backwards: later changes of the same run are known.
            for position in (1..stops.len()).rev() {
                kept[position].clear();
                if day.watch.over_at(position) {
                    break;
                }
                let (stop, arrival) = (stops[position], calls[position].arrival);
                if arrival < 0 || !day.leaves(route, position as u32) {
                    continue;
                }
                self.arrive(day, stop, arrival);
                let walks = day.walks.from(stop).iter().map(|w| (w.to, w.seconds));
                let here = std::iter::once((stop, day.walks.change(stop)));
                for (to, seconds) in here.chain(walks) {
                    for &(other, at) in day.routes_at(to) {
                        let next = &day.routes[other as usize];
                        if at + 1 >= next.len || !day.boards(next, at) {
                            continue;
                        }
                        let Some(into) = day.board(next, at, arrival + seconds) else {
                            continue;
                        };
                        // Staying aboard is as good as changing into the same or a later run.
                        if other == index && into >= run && at as usize >= position {
                            continue;
                        }
                        if uturn(day, run, position, into, at) {
                            continue;
                        }
                        if self.useful(day, into, at) {
                            let run = next.first_time + (into - next.first_run) * next.len;
                            kept[position].push(Change {
                                call: run + at,
                                slot: next.first_stop + at,
                            });
                        }
                    }
                }
            }
            for list in &kept {
                counts.push(list.len() as u32);
                out.extend_from_slice(list);
            }
            kept.iter_mut().for_each(Vec::clear);
            for run in self.noted_runs.drain(..) {
                self.noted[run as usize] = NONE;
            }
            for stop in self.touched.drain(..) {
                self.there[stop as usize] = NEVER;
                self.ready[stop as usize] = NEVER;
            }
        }
        (counts, out)
    }

    /// Notes an arrival; true if it is news anywhere.
    fn arrive(&mut self, day: &Day, stop: u32, arrival: i32) -> bool {
        let mut news = self.note(stop, arrival, arrival + day.walks.change(stop));
        for walk in day.walks.from(stop) {
            news |= self.note(walk.to, arrival + walk.seconds, arrival + walk.seconds);
        }
        news
    }

    fn note(&mut self, stop: u32, arrival: i32, ready: i32) -> bool {
        let s = stop as usize;
        if self.there[s] == NEVER {
            self.touched.push(stop);
        }
        let news = arrival < self.there[s] || ready < self.ready[s];
        self.there[s] = self.there[s].min(arrival);
        self.ready[s] = self.ready[s].min(ready);
        news
    }

    /// Whether a change brings anybody anywhere earlier.
    fn useful(&mut self, day: &Day, run: u32, position: u32) -> bool {
        let index = day.runs[run as usize].route;
        let (route, stops) = (&day.routes[index as usize], day.stops_of(index));
        let calls = day.calls(run);
        // What lies behind a position from which this run was followed before is known.
        let known = std::mem::replace(&mut self.noted[run as usize], position);
        if known == NONE {
            self.noted_runs.push(run);
        } else if known <= position {
            self.noted[run as usize] = known;
            return false;
        }
        let end = if known == NONE {
            stops.len()
        } else {
            known as usize + 1
        };
        let mut news = false;
        for at in position as usize + 1..end {
            if day.leaves(route, at as u32) {
                news |= self.arrive(day, stops[at], calls[at].arrival);
            }
        }
        news
    }
}

/// Whether a change only takes the passenger back to the stop before, where they could have
/// changed into the same vehicle already.
fn uturn(day: &Day, run: u32, position: usize, into: u32, at: u32) -> bool {
    let stops = day.stops_of(day.runs[run as usize].route);
    let back = day.stops_of(day.runs[into as usize].route);
    let (Some(&before), Some(&next)) = (
        stops.get(position.wrapping_sub(1)),
        back.get(at as usize + 1),
    ) else {
        return false;
    };
    let of = |run: u32| &day.routes[day.runs[run as usize].route as usize];
    position >= 2
        && before == next
        && day.leaves(of(run), position as u32 - 1)
        && day.boards(of(into), at + 1)
        && day.calls(run)[position - 1].arrival + day.walks.change(before)
            <= day.calls(into)[at as usize + 1].departure
        && at as usize + 2 < back.len()
}
