//! Dijkstra's algorithm and A* on the time-dependent graph: stops are nodes, and how long an
//! edge takes depends on when the passenger comes to it.
//!
//! From a settled stop every route is boarded at its next run and followed to its end, or to the
//! first position where as early a run was already followed. Vehicles of a route do not overtake,
//! so nothing is lost by that.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::algo::Follow;
use crate::day::Day;
use crate::journey::{Ends, Ride, Trail};
use crate::time::NEVER;

const NONE: u32 = u32::MAX;
const NO_RIDE: Ride = Ride {
    run: NONE,
    board: 0,
    alight: 0,
};

/// What the search remembers, kept between queries.
#[derive(Clone, Debug, Default)]
pub struct TimeDependent {
    ready: Vec<i32>,
    there: Vec<i32>,
    came: Vec<Ride>,
    came_ready: Vec<Ride>,
    /// For each position of each route the earliest run that was followed from there.
    followed: Vec<u32>,
    queue: BinaryHeap<Reverse<(i64, i32, u32)>>,
    /// Stops settled in the last query.
    pub settled: usize,
}

impl TimeDependent {
    /// The earliest arrival. `left` estimates the seconds left from each stop; all zero gives
    /// Dijkstra's algorithm, an overestimate may miss the best journey.
    pub fn earliest<F: Follow>(
        &mut self,
        day: &Day,
        ends: &Ends,
        left: Option<&[i64]>,
        follow: &mut F,
    ) -> Option<Trail> {
        self.settled = 0;
        for (list, len) in [(&mut self.ready, day.stops), (&mut self.there, day.stops)] {
            list.clear();
            list.resize(len, NEVER);
        }
        self.came.resize(day.stops, NO_RIDE);
        self.came_ready.resize(day.stops, NO_RIDE);
        self.followed.clear();
        self.followed.resize(day.route_stops.len(), NONE);
        self.queue.clear();
        let estimate = |stop: u32| left.map_or(0, |l| l[stop as usize]);
        for &(stop, walk, _) in &ends.access {
            let (s, time) = (stop as usize, ends.at + walk);
            self.ready[s] = time;
            self.there[s] = time;
            self.came[s] = NO_RIDE;
            self.came_ready[s] = NO_RIDE;
            self.queue
                .push(Reverse((i64::from(time) + estimate(stop), time, stop)));
        }
        let mut best = ends.on_foot().map_or(NEVER, |w| ends.at + w.0);
        let mut end = None;
        while let Some(Reverse((priority, time, stop))) = self.queue.pop() {
            if priority >= i64::from(best) {
                break;
            }
            if time > self.ready[stop as usize] {
                continue;
            }
            self.settled += 1;
            if self.settled.is_multiple_of(16) && day.watch.over() {
                break;
            }
            follow.visit(stop, time, priority);
            for &(index, position) in day.routes_at(stop) {
                let route = &day.routes[index as usize];
                if !day.boards(route, position) {
                    continue;
                }
                let Some(run) = day.board(route, position, time) else {
                    continue;
                };
                for next in position + 1..route.len {
                    let at = (route.first_stop + next) as usize;
                    // Being aboard at `next` with this run is only news if no earlier run was.
                    if self.followed[at] <= run {
                        break;
                    }
                    self.followed[at] = run;
                    let to = day.route_stops[at];
                    let arrival = day.call(route, run, next).arrival;
                    if arrival >= best {
                        break;
                    }
                    if !day.leaves(route, next) {
                        continue;
                    }
                    let ride = Ride {
                        run,
                        board: position,
                        alight: next,
                    };
                    self.arrive(day, to, arrival, ride, &estimate, follow, stop);
                }
            }
            let (now, which) = ends
                .to
                .iter()
                .map(|&t| (self.there[t as usize], t))
                .min()
                .unwrap_or((NEVER, 0));
            if now < best {
                best = now;
                end = Some((which, self.came[which as usize]));
                follow.improve(best, 0);
            }
        }
        let trail = match end {
            None => Trail::walked(ends),
            Some((_, ride)) => Some(Trail {
                arrival: best,
                rides: self.rides(day, ride),
            }),
        };
        follow.choose(trail.as_ref().map(|t| t.arrival));
        trail
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one step of the loop above, split for reading"
    )]
    fn arrive<F: Follow>(
        &mut self,
        day: &Day,
        stop: u32,
        arrival: i32,
        ride: Ride,
        estimate: &impl Fn(u32) -> i64,
        follow: &mut F,
        from: u32,
    ) {
        let s = stop as usize;
        if arrival >= self.there[s] {
            return;
        }
        self.there[s] = arrival;
        self.came[s] = ride;
        follow.relax(from, stop, arrival, 0);
        let ready = arrival + day.walks.change(stop);
        if ready < self.ready[s] {
            self.ready[s] = ready;
            self.came_ready[s] = ride;
            self.queue
                .push(Reverse((i64::from(ready) + estimate(stop), ready, stop)));
        }
        for walk in day.walks.from(stop) {
            let (time, to) = (arrival + walk.seconds, walk.to as usize);
            if time < self.there[to] {
                self.there[to] = time;
                self.came[to] = ride;
            }
            if time < self.ready[to] {
                self.ready[to] = time;
                self.came_ready[to] = ride;
                self.queue.push(Reverse((
                    i64::from(time) + estimate(walk.to),
                    time,
                    walk.to,
                )));
                follow.relax(stop, walk.to, time, 0);
            }
        }
    }

    fn rides(&self, day: &Day, last: Ride) -> Vec<Ride> {
        let mut rides = Vec::new();
        let mut ride = last;
        while ride.run != NONE {
            rides.push(ride);
            let stops = day.stops_of(day.runs[ride.run as usize].route);
            ride = self.came_ready[stops[ride.board as usize] as usize];
        }
        rides.reverse();
        rides
    }
}
