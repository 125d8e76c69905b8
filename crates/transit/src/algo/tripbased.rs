//! Trip-based search (Witt 2015): changes between trips are worked out beforehand ([`Changes`]), and
//! a query only follows trips from change to change.
//!
//! A vehicle is followed only as far as it can be better at the target: in cities the least time from
//! every stop to any other is known, and whoever would be no sooner there than a known journey of no
//! more vehicles is left out.

use crate::algo::Follow;
use crate::algo::changes::Changes;
use crate::day::Day;
use crate::journey::{Ends, Ride, Trail};
use crate::time::NEVER;

const NONE: u32 = u32::MAX;

/// A stretch of a run to be followed, and where it came from.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// The call where it is boarded, and the place of that among the stops of all routes.
    call: u32,
    slot: u32,
    /// How many of the next calls are worth looking at.
    count: u32,
    /// The stretch it was changed from, and after how many calls.
    parent: u32,
    left: u32,
}

/// What a query remembers, kept between queries.
#[derive(Clone, Debug, Default)]
pub struct TripBased {
    /// For each stop of a route the earliest call there of a run that was boarded there or before.
    reached: Vec<u32>,
    touched: Vec<(u32, u32)>,
    queue: Vec<Stretch>,
    /// For each stop of a route the first one from there on where one may leave for the target.
    exits: Vec<u32>,
    exits_of: Vec<(u32, u32)>,
    /// Seconds from each stop to the target on foot.
    egress: Vec<i32>,
    /// Seconds that the rest of the way takes at least, by stop.
    left: Vec<i32>,
    /// Where the first vehicle can be boarded.
    starts: Vec<(u32, u32)>,
    /// The earliest arrival that is known with at most so many vehicles.
    best: Vec<i32>,
    /// For each number of vehicles the stretch and call count that improved on it.
    ends: Vec<Option<(u32, u32)>>,
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
        let walked = found.first().map_or(NEVER, |t| t.arrival);
        self.best.clear();
        self.best.resize(most + 1, walked);
        for &(stop, walk, _) in &ends.access {
            follow.visit(stop, ends.at + walk, 0);
        }
        self.queue.clear();
        self.ends.clear();
        self.ends.resize(most + 1, None);
        for index in 0..self.starts.len() {
            self.enqueue(day, changes, self.starts[index], (NONE, 0), 1, follow);
        }
        let mut begin = 0;
        for k in 1..=most {
            let end = self.queue.len();
            if begin == end || day.watch.over() {
                break;
            }
            for index in begin..end {
                if index.is_multiple_of(64) && day.watch.over() {
                    break;
                }
                self.ride(day, changes, index, k, most, follow);
            }
            begin = end;
        }
        for (k, end) in self.ends.iter().enumerate() {
            if let Some((index, count)) = *end {
                found.push(Trail {
                    arrival: self.best[k],
                    rides: self.rides(day, index, count),
                });
            }
        }
        self.finish(ends);
        follow.choose(found.last().map(|t| t.arrival));
        found
    }

    /// Rides a queued stretch as vehicle number `k`, and queues the changes on its way.
    fn ride<F: Follow>(
        &mut self,
        day: &Day,
        changes: &Changes,
        index: usize,
        k: usize,
        most: usize,
        follow: &mut F,
    ) {
        let s = self.queue[index];
        let from = day.route_stops[s.slot as usize];
        let stops = &day.route_stops[s.slot as usize + 1..][..s.count as usize];
        for ((count, &stop), (arrival, into)) in
            (1..).zip(stops).zip(changes.after(s.call, s.count))
        {
            let soonest = arrival + self.left[stop as usize];
            self.scanned += 1;
            // Too far from the target to beat what is known, as is every later stop of the
            // vehicle: the bound counts staying aboard, too.
            if soonest >= self.best[k] {
                break;
            }
            // Whoever leaves here boards at least one more vehicle.
            if k == most || soonest >= self.best[k + 1] {
                continue;
            }
            follow.relax(from, stop, arrival, k as i64);
            for change in into {
                let parent = (index as u32, count);
                let call = (change.call, change.slot);
                self.enqueue(day, changes, call, parent, k + 1, follow);
            }
        }
    }

    /// Works out what a query needs.
    fn prepare(&mut self, day: &Day, changes: &Changes, ends: &Ends) {
        changes.bounds(day.stops, &ends.to, &mut self.left);
        let slots = day.route_stops.len();
        self.scanned = 0;
        self.reached.resize(slots, NONE);
        self.exits.resize(slots, NONE);
        self.egress.resize(day.stops, NEVER);
        for &(stop, seconds, _) in &ends.egress {
            self.egress[stop as usize] = seconds;
            for &(route, position) in day.routes_at(stop) {
                let route = &day.routes[route as usize];
                if day.leaves(route, position) {
                    let slot = route.first_stop + position;
                    let mut first = slot;
                    // Back to the exit before this one, or past one that lies behind it.
                    while first >= route.first_stop && self.exits[first as usize] > slot {
                        self.exits[first as usize] = slot;
                        if first == 0 {
                            break;
                        }
                        first -= 1;
                    }
                    self.exits_of.push((route.first_stop, slot + 1));
                }
            }
        }
        self.starts.clear();
        for &(stop, walk, _) in &ends.access {
            for &(index, position) in day.routes_at(stop) {
                let route = &day.routes[index as usize];
                if position + 1 < route.len
                    && day.boards(route, position)
                    && let Some(run) = day.board(route, position, ends.at + walk)
                {
                    let call = route.first_time + (run - route.first_run) * route.len + position;
                    self.starts.push((call, route.first_stop + position));
                }
            }
        }
    }

    fn finish(&mut self, ends: &Ends) {
        for &(first, last) in &self.touched {
            self.reached[first as usize..last as usize].fill(NONE);
        }
        self.touched.clear();
        for &(stop, ..) in &ends.egress {
            self.egress[stop as usize] = NEVER;
        }
        for &(first, last) in &self.exits_of {
            self.exits[first as usize..last as usize].fill(NONE);
        }
        self.exits_of.clear();
    }

    /// Queues a run from a call on, unless it or an earlier run was followed from there, and sees
    /// whether it comes to the target.
    #[inline]
    fn enqueue<F: Follow>(
        &mut self,
        day: &Day,
        changes: &Changes,
        (call, slot): (u32, u32),
        parent: (u32, u32),
        vehicles: usize,
        follow: &mut F,
    ) {
        if self.reached[slot as usize] <= call {
            return;
        }
        let rest = changes.rest[slot as usize];
        // Later runs of the route bring nobody anywhere sooner, and an earlier one was followed from
        // where it is known.
        let ahead = &mut self.reached[slot as usize..=(slot + rest) as usize];
        let mut count = 0;
        for (reached, now) in ahead.iter_mut().zip(call..) {
            if *reached <= now {
                break;
            }
            *reached = now;
            count += 1;
        }
        self.touched.push((slot, slot + count));
        let count = count.min(rest);
        let index = self.queue.len() as u32;
        self.queue.push(Stretch {
            call,
            slot,
            count,
            parent: parent.0,
            left: parent.1,
        });
        let mut exit = self.exits[slot as usize + 1];
        while exit <= slot + count {
            let arrival = changes.arrival(call + (exit - slot));
            let stop = day.route_stops[exit as usize];
            let there = arrival + self.egress[stop as usize];
            if there < self.best[vehicles] {
                for best in &mut self.best[vehicles..] {
                    *best = (*best).min(there);
                }
                self.ends[vehicles] = Some((index, exit - slot));
                follow.improve(there, vehicles as i64);
            }
            exit = if exit < slot + count {
                self.exits[exit as usize + 1]
            } else {
                NONE
            };
        }
    }

    fn rides(&self, day: &Day, index: u32, count: u32) -> Vec<Ride> {
        let mut rides = Vec::new();
        let (mut index, mut count) = (index, count);
        while index != NONE {
            let s = self.queue[index as usize];
            let route = day.routes.partition_point(|r| r.first_stop <= s.slot) - 1;
            let route = &day.routes[route];
            let board = s.slot - route.first_stop;
            rides.push(Ride {
                run: route.first_run + (s.call - board - route.first_time) / route.len,
                board,
                alight: board + count,
            });
            (index, count) = (s.parent, s.left);
        }
        rides.reverse();
        rides
    }
}
