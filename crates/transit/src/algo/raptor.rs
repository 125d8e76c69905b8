//! RAPTOR (Delling, Pajor, Werneck 2012): round `k` finds the earliest arrival everywhere with
//! `k` vehicles, by following every route that could be boarded after round `k - 1`.
//!
//! Invariant: after round `k` the label of each stop is the earliest arrival with at most `k`
//! vehicles, unless the target is reached no later with as few.

use crate::algo::Follow;
use crate::day::{Call, Day};
use crate::journey::{Ends, Ride, Trail};
use crate::time::NEVER;

const NONE: u32 = u32::MAX;
const NO_RIDE: Ride = Ride {
    run: NONE,
    board: 0,
    alight: 0,
};

/// The labels of one round.
#[derive(Clone, Debug, Default)]
struct Round {
    /// When a vehicle can be boarded, with this many rides before it.
    ready: Vec<i32>,
    came_ready: Vec<Ride>,
    /// When the passenger can stay, and by which ride.
    there: Vec<i32>,
    came: Vec<Ride>,
    /// Stops with a label in this round, so that clearing is cheap.
    touched: Vec<u32>,
}

impl Round {
    fn clear(&mut self, stops: usize) {
        if self.ready.len() == stops {
            for &stop in &self.touched {
                self.ready[stop as usize] = NEVER;
                self.there[stop as usize] = NEVER;
            }
        } else {
            self.ready = vec![NEVER; stops];
            self.there = vec![NEVER; stops];
            self.came = vec![NO_RIDE; stops];
            self.came_ready = vec![NO_RIDE; stops];
        }
        self.touched.clear();
    }
}

/// What RAPTOR remembers, kept between queries.
#[derive(Clone, Debug, Default)]
pub struct Raptor {
    rounds: Vec<Round>,
    /// Best arrival and readiness over all rounds.
    best_there: Vec<i32>,
    best_ready: Vec<i32>,
    /// Stops whose readiness improved in the last round.
    marked: Vec<u32>,
    is_marked: Vec<bool>,
    /// For each route the first position worth boarding in this round.
    first: Vec<u32>,
    queue: Vec<u32>,
    reached: Vec<u32>,
    /// In a corridor the least seconds from each stop to the target, and when one must be there.
    left: Vec<i32>,
    by: i32,
    /// Calls that were looked at in the last query.
    pub scanned: usize,
    /// Rounds of the last query.
    pub rounds_run: usize,
}

impl Raptor {
    /// All journeys that are best in arrival for their number of vehicles, fewest vehicles first.
    /// At most `most` vehicles.
    pub fn pareto<F: Follow>(
        &mut self,
        day: &Day,
        ends: &Ends,
        most: usize,
        follow: &mut F,
    ) -> Vec<Trail> {
        let mut found: Vec<Trail> = Trail::walked(ends).into_iter().collect();
        self.start(day, ends, follow);
        let mut best = found.first().map_or(NEVER, |t| t.arrival);
        for k in 1..=most {
            if !self.round(day, k, best, follow) {
                break;
            }
            self.rounds_run = k;
            let round = &self.rounds[k];
            let end = ends.to.iter().map(|&t| (round.there[t as usize], t)).min();
            if let Some((arrival, stop)) = end.filter(|e| e.0 < best) {
                best = arrival;
                follow.improve(arrival, k as i64);
                found.push(Trail {
                    arrival,
                    rides: self.rides(day, k, stop),
                });
            }
        }
        follow.choose(found.last().map(|t| t.arrival));
        found
    }

    /// The same where nothing counts that cannot be at the target before a time: `left` are the
    /// least seconds from each stop to the target. The last journey is then the earliest; those
    /// with fewer vehicles that arrive later may be missing.
    pub(crate) fn within(
        &mut self,
        day: &Day,
        ends: &Ends,
        most: usize,
        left: &[i32],
        by: i32,
    ) -> Vec<Trail> {
        self.left.clear();
        self.left.extend_from_slice(left);
        self.by = by;
        let found = self.pareto(day, ends, most, &mut ());
        self.left.clear();
        found
    }

    /// The earliest time at every stop with at most `most` vehicles, up to a time limit.
    pub fn everywhere(
        &mut self,
        day: &Day,
        from: &[u32],
        at: i32,
        limit: i32,
        most: usize,
    ) -> &[i32] {
        let ends = Ends::new(day, from, &[], at);
        self.start(day, &ends, &mut ());
        for k in 1..=most {
            if !self.round(day, k, limit, &mut ()) {
                break;
            }
        }
        &self.best_there
    }

    fn start<F: Follow>(&mut self, day: &Day, ends: &Ends, follow: &mut F) {
        self.scanned = 0;
        self.rounds_run = 0;
        if self.rounds.is_empty() {
            self.rounds.push(Round::default());
        }
        self.rounds[0].clear(day.stops);
        self.best_there.clear();
        self.best_there.resize(day.stops, NEVER);
        self.best_ready.clear();
        self.best_ready.resize(day.stops, NEVER);
        self.is_marked.clear();
        self.is_marked.resize(day.stops, false);
        self.first.clear();
        self.first.resize(day.routes.len(), NONE);
        self.marked.clear();
        for &(stop, walk, _) in &ends.access {
            let (s, time) = (stop as usize, ends.at + walk);
            self.rounds[0].ready[s] = time;
            self.rounds[0].there[s] = time;
            self.rounds[0].came[s] = NO_RIDE;
            self.rounds[0].came_ready[s] = NO_RIDE;
            self.rounds[0].touched.push(stop);
            self.best_ready[s] = time;
            self.best_there[s] = time;
            self.marked.push(stop);
            follow.visit(stop, time, 0);
        }
    }

    /// One round; false if nothing improved in the round before.
    fn round<F: Follow>(&mut self, day: &Day, k: usize, mut limit: i32, follow: &mut F) -> bool {
        if self.marked.is_empty() || day.watch.over() {
            return false;
        }
        if self.rounds.len() <= k {
            self.rounds.push(Round::default());
        }
        self.rounds[k].clear(day.stops);
        self.queue.clear();
        for &stop in &self.marked {
            self.is_marked[stop as usize] = false;
            for &(route, position) in day.routes_at(stop) {
                let first = &mut self.first[route as usize];
                if *first == NONE {
                    self.queue.push(route);
                }
                *first = (*first).min(position);
            }
        }
        self.marked.clear();
        self.reached.clear();
        let mut now = std::mem::take(&mut self.rounds[k]);
        let before = &self.rounds[k - 1];
        limit = limit.min(NEVER);
        for (done, &index) in self.queue.iter().enumerate() {
            if done.is_multiple_of(64) && day.watch.over() {
                break;
            }
            let start = std::mem::replace(&mut self.first[index as usize], NONE);
            let route = &day.routes[index as usize];
            let stops = &day.route_stops[route.first_stop as usize..][..route.len as usize];
            let mut on: Option<(u32, u32)> = None;
            let mut calls: &[Call] = &[];
            for position in start..route.len {
                let stop = stops[position as usize] as usize;
                if let Some((run, board)) = on {
                    let arrival = calls[position as usize].arrival;
                    let known = self.best_there[stop].min(limit);
                    if arrival < known && day.leaves(route, position) && self.inside(stop, arrival)
                    {
                        if now.there[stop] == NEVER {
                            now.touched.push(stop as u32);
                        }
                        if !self.is_marked[stop] {
                            self.is_marked[stop] = true;
                            self.reached.push(stop as u32);
                        }
                        self.best_there[stop] = arrival;
                        now.there[stop] = arrival;
                        now.came[stop] = Ride {
                            run,
                            board,
                            alight: position,
                        };
                        follow.relax(stops[board as usize], stop as u32, arrival, k as i64);
                    }
                }
                let ready = before.ready[stop];
                if ready >= limit || !day.boards(route, position) {
                    continue;
                }
                let caught = match on {
                    None => day.board(route, position, ready),
                    // An earlier run is seldom more than one or two before the current one.
                    Some((run, _)) => {
                        let mut earlier = run;
                        while earlier > route.first_run
                            && day.call(route, earlier - 1, position).departure >= ready
                        {
                            earlier -= 1;
                        }
                        (earlier < run).then_some(earlier)
                    }
                };
                if let Some(run) = caught {
                    on = Some((run, position));
                    calls = day.calls(run);
                }
            }
            self.scanned += (route.len - start) as usize;
        }
        // Readiness at the stops themselves, then at those that can be walked to.
        for &stop in &self.reached {
            let s = stop as usize;
            self.is_marked[s] = false;
            follow.visit(stop, now.there[s], k as i64);
        }
        for i in 0..self.reached.len() {
            let stop = self.reached[i];
            let (arrival, ride) = (now.there[stop as usize], now.came[stop as usize]);
            self.set_ready(&mut now, stop, arrival + day.walks.change(stop), ride);
        }
        for i in 0..self.reached.len() {
            let stop = self.reached[i];
            let ride = now.came[stop as usize];
            // A walk may have overwritten the arrival by now; the ride knows its own.
            let arrival = day.calls(ride.run)[ride.alight as usize].arrival;
            if day.stops_of(day.runs[ride.run as usize].route)[ride.alight as usize] != stop {
                continue;
            }
            for walk in day.walks.from(stop) {
                let (time, to) = (arrival + walk.seconds, walk.to as usize);
                if time < self.best_there[to].min(limit) && self.inside(to, time) {
                    if now.there[to] == NEVER {
                        now.touched.push(walk.to);
                    }
                    self.best_there[to] = time;
                    now.there[to] = time;
                    now.came[to] = ride;
                    follow.relax(stop, walk.to, time, k as i64);
                }
                if time < limit && self.inside(to, time) {
                    self.set_ready(&mut now, walk.to, time, ride);
                }
            }
        }
        self.rounds[k] = now;
        true
    }

    /// Whether somebody who is at a stop at a time may still be at the target early enough.
    #[inline]
    fn inside(&self, stop: usize, time: i32) -> bool {
        self.left
            .get(stop)
            .is_none_or(|&left| time.saturating_add(left) < self.by)
    }

    fn set_ready(&mut self, now: &mut Round, stop: u32, time: i32, ride: Ride) {
        let s = stop as usize;
        if time >= self.best_ready[s] {
            return;
        }
        if now.ready[s] == NEVER && now.there[s] == NEVER {
            now.touched.push(stop);
        }
        self.best_ready[s] = time;
        now.ready[s] = time;
        now.came_ready[s] = ride;
        if !self.is_marked[s] {
            self.is_marked[s] = true;
            self.marked.push(stop);
        }
    }

    /// Follows the rides back from a stop.
    fn rides(&self, day: &Day, k: usize, stop: u32) -> Vec<Ride> {
        let mut rides = Vec::with_capacity(k);
        let mut ride = self.rounds[k].came[stop as usize];
        for round in self.rounds[..k].iter().rev() {
            rides.push(ride);
            let at = day.stops_of(day.runs[ride.run as usize].route)[ride.board as usize] as usize;
            ride = round.came_ready[at];
        }
        rides.reverse();
        rides
    }
}
