//! Trip-based search (Witt 2015): changes between trips are worked out beforehand, and a query
//! only follows trips from change to change.
//!
//! Preparing looks at every call of every run: whoever leaves there, into which runs can they
//! change? Changes back to where the run came from, and changes that reach nothing earlier than
//! staying aboard or another change, are dropped (Witt's reduction), which leaves a few per call.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use crate::algo::Follow;
use crate::day::Day;
use crate::journey::{Ends, Ride, Trail};
use crate::time::NEVER;

const NONE: u32 = u32::MAX;

/// A change into a run at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    run: u32,
    position: u32,
}

/// All changes of a day that a best journey may need.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// For each call (an index into the times of the day) where its changes begin.
    first: Vec<u32>,
    into: Vec<Change>,
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
        if day.watch.cut() {
            // Nobody may see half of the changes: there are none.
            return Changes {
                first: vec![0; day.times.len() + 1],
                ..Changes::default()
            };
        }
        let mut all = Changes {
            first: Vec::with_capacity(day.times.len() + 1),
            into: Vec::new(),
            least: Vec::new(),
        };
        for (counts, changes) in parts {
            for count in counts {
                all.first.push(all.first.last().map_or(0, |&f| f) + count);
            }
            all.into.extend(changes);
        }
        // Counts became ends; shift them to beginnings.
        all.first.insert(0, 0);
        if day.stops <= MOST_BOUNDED {
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

    fn at(&self, call: u32) -> &[Change] {
        let c = call as usize;
        &self.into[self.first[c] as usize..self.first[c + 1] as usize]
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
                            kept[position].push(Change {
                                run: into,
                                position: at,
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

/// A stretch of a run to be followed, and where it came from.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    run: u32,
    from: u32,
    until: u32,
    /// The stretch it was changed from, and the position where.
    parent: u32,
    left: u32,
}

/// What a query remembers, kept between queries.
#[derive(Clone, Debug, Default)]
pub struct TripBased {
    /// For each run the first position already followed.
    reached: Vec<u32>,
    touched: Vec<(u32, u32)>,
    queue: Vec<Stretch>,
    egress: Vec<i32>,
    /// Routes that call where the target can be walked to.
    ends_on: Vec<bool>,
    /// Least seconds from each stop to the target.
    left: Vec<i32>,
    /// Calls that were looked at in the last query.
    pub scanned: usize,
}

impl TripBased {
    /// All journeys that are best in arrival for their number of vehicles, fewest vehicles first.
    pub fn pareto<F: Follow>(
        &mut self,
        day: &Day,
        changes: &Changes,
        ends: &Ends,
        most: usize,
        follow: &mut F,
    ) -> Vec<Trail> {
        self.prepare(day, changes, ends);
        let mut found: Vec<Trail> = Trail::walked(ends).into_iter().collect();
        let mut best = found.first().map_or(NEVER, |t| t.arrival);
        for &(stop, walk, _) in &ends.access {
            for &(route, position) in day.routes_at(stop) {
                let route = &day.routes[route as usize];
                if day.boards(route, position)
                    && let Some(run) = day.board(route, position, ends.at + walk)
                {
                    self.enqueue(day, run, position, (NONE, 0));
                }
            }
            follow.visit(stop, ends.at + walk, 0);
        }
        let mut begin = 0;
        for k in 1..=most {
            let end = self.queue.len();
            if begin == end || day.watch.over() {
                break;
            }
            let mut last: Option<(u32, u32, i32)> = None;
            // First the arrivals of the whole round, so that they prune its changes.
            for index in begin..end {
                let s = self.queue[index];
                if !self.ends_on[day.runs[s.run as usize].route as usize] {
                    continue;
                }
                let calls = day.calls(s.run);
                let index_of = day.runs[s.run as usize].route;
                let (route, stops) = (&day.routes[index_of as usize], day.stops_of(index_of));
                for position in s.from + 1..=s.until {
                    let arrival = calls[position as usize].arrival;
                    let stop = stops[position as usize] as usize;
                    // Whoever is too far here is too far at every later stop of the same vehicle.
                    if arrival + self.left[stop] >= best {
                        break;
                    }
                    self.scanned += 1;
                    let walk = self.egress[stop];
                    if arrival + walk < best && day.leaves(route, position) {
                        best = arrival + walk;
                        last = Some((index as u32, position, best));
                        follow.improve(best, k as i64);
                    }
                }
            }
            for index in begin..end {
                if index.is_multiple_of(64) && day.watch.over() {
                    break;
                }
                let s = self.queue[index];
                let run = day.runs[s.run as usize];
                let route = &day.routes[run.route as usize];
                let base = route.first_time + (s.run - route.first_run) * route.len;
                let stops = day.stops_of(run.route);
                for position in s.from + 1..=s.until {
                    let arrival = day.times[(base + position) as usize].arrival;
                    // Too far from the target to beat what is known, as is every later stop of the
                    // vehicle: the bound counts staying aboard, too.
                    if arrival + self.left[stops[position as usize] as usize] >= best {
                        break;
                    }
                    follow.relax(
                        stops[s.from as usize],
                        stops[position as usize],
                        arrival,
                        k as i64,
                    );
                    for change in changes.at(base + position) {
                        self.enqueue(day, change.run, change.position, (index as u32, position));
                    }
                }
            }
            if let Some((index, position, arrival)) = last {
                found.push(Trail {
                    arrival,
                    rides: self.rides(index, position),
                });
            }
            begin = end;
        }
        self.finish(ends);
        follow.choose(found.last().map(|t| t.arrival));
        found
    }

    fn prepare(&mut self, day: &Day, changes: &Changes, ends: &Ends) {
        self.left.clear();
        self.left
            .resize(day.stops, if changes.least.is_empty() { 0 } else { NEVER });
        if !changes.least.is_empty() {
            for &target in &ends.to {
                let row = &changes.least[target as usize * day.stops..][..day.stops];
                for (left, &units) in self.left.iter_mut().zip(row) {
                    *left = (*left).min(i32::from(units) * UNIT);
                }
            }
        }
        self.scanned = 0;
        self.queue.clear();
        self.reached.resize(day.runs.len(), NONE);
        self.egress.resize(day.stops, NEVER);
        self.ends_on.clear();
        self.ends_on.resize(day.routes.len(), false);
        for &(stop, ..) in &ends.egress {
            for &(route, _) in day.routes_at(stop) {
                self.ends_on[route as usize] = true;
            }
        }
        for &(stop, seconds, _) in &ends.egress {
            self.egress[stop as usize] = seconds;
        }
    }

    fn finish(&mut self, ends: &Ends) {
        for &(stop, ..) in &ends.egress {
            self.egress[stop as usize] = NEVER;
        }
        for &(first, last) in &self.touched {
            self.reached[first as usize..last as usize].fill(NONE);
        }
        self.touched.clear();
    }

    /// Queues a run from a position on, unless it or an earlier run was followed from there.
    fn enqueue(&mut self, day: &Day, run: u32, position: u32, parent: (u32, u32)) {
        let known = self.reached[run as usize];
        if known <= position {
            return;
        }
        let route = &day.routes[day.runs[run as usize].route as usize];
        let until = if known == NONE { route.len - 1 } else { known };
        self.queue.push(Stretch {
            run,
            from: position,
            until,
            parent: parent.0,
            left: parent.1,
        });
        // Later runs of the route bring nobody anywhere sooner.
        let end = route.first_run + route.runs;
        let mut at = run;
        while at < end && self.reached[at as usize] > position {
            self.reached[at as usize] = position;
            at += 1;
        }
        self.touched.push((run, at));
    }

    fn rides(&self, index: u32, position: u32) -> Vec<Ride> {
        let mut rides = Vec::new();
        let (mut index, mut alight) = (index, position);
        while index != NONE {
            let s = self.queue[index as usize];
            rides.push(Ride {
                run: s.run,
                board: s.from,
                alight,
            });
            (index, alight) = (s.parent, s.left);
        }
        rides.reverse();
        rides
    }
}
