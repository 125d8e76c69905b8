//! The connection scan (Dibbelt, Pajor, Strasser, Wagner 2013): one pass over all hops in the
//! order of departure. A hop can be taken if its run was boarded before or its stop was reached
//! in time; nothing else is needed for the earliest arrival.
//!
//! Invariant: when a hop is looked at, every arrival before its departure is known.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::algo::{Follow, TimeDependent};
use crate::day::Day;
use crate::journey::{Ends, Ride, Trail};
use crate::rules::Rules;
use crate::time::NEVER;

const NONE: u32 = u32::MAX;

/// What a scan needs to remember, kept between queries so that nothing is allocated.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    /// When a vehicle can be boarded at each stop.
    ready: Vec<i32>,
    /// When the passenger can be at each stop, to stay there.
    there: Vec<i32>,
    /// Whether each run was boarded; bytes, because this table is looked into for every hop.
    boarded: Vec<u8>,
    /// The last hop by which the passenger came to each stop.
    came: Vec<u32>,
    /// The same for being ready to board, which may be another way where changing takes time.
    came_ready: Vec<u32>,
    /// Hops that were looked at in the last query.
    pub scanned: usize,
}

impl Scan {
    fn clear(&mut self, day: &Day) {
        self.ready.clear();
        self.ready.resize(day.stops, NEVER);
        self.there.clear();
        self.there.resize(day.stops, NEVER);
        self.boarded.clear();
        self.boarded.resize(day.runs.len(), 0);
        self.came.resize(day.stops, NONE);
        self.came_ready.resize(day.stops, NONE);
        self.scanned = 0;
    }

    /// The earliest arrival at the target.
    pub fn earliest<F: Follow>(&mut self, day: &Day, ends: &Ends, follow: &mut F) -> Option<Trail> {
        self.scan(day, ends, NEVER, follow);
        let trail = self.trail(day, ends);
        follow.choose(trail.as_ref().map(|t| t.arrival));
        trail
    }

    /// The earliest time at every stop, up to a time limit ([`NEVER`] where none is found).
    pub fn everywhere<F: Follow>(
        &mut self,
        day: &Day,
        from: &[u32],
        at: i32,
        limit: i32,
        follow: &mut F,
    ) -> &[i32] {
        let ends = Ends::new(day, from, &[], at);
        self.scan(day, &ends, limit, follow);
        self.there()
    }

    /// The times of the last query.
    pub(crate) fn there(&self) -> &[i32] {
        &self.there
    }

    fn scan<F: Follow>(&mut self, day: &Day, ends: &Ends, limit: i32, follow: &mut F) {
        // Most feeds let everybody board and leave everywhere, and need not look.
        if day.hop_rules.is_empty() {
            self.run::<F, false>(day, ends, limit, follow);
        } else {
            self.run::<F, true>(day, ends, limit, follow);
        }
    }

    fn run<F: Follow, const RULES: bool>(
        &mut self,
        day: &Day,
        ends: &Ends,
        limit: i32,
        follow: &mut F,
    ) {
        self.clear(day);
        for &(stop, walk, _) in &ends.access {
            self.ready[stop as usize] = ends.at + walk;
            self.there[stop as usize] = ends.at + walk;
            self.came[stop as usize] = NONE;
            self.came_ready[stop as usize] = NONE;
            follow.visit(stop, ends.at + walk, 0);
        }
        let mut best = ends.on_foot().map_or(limit, |w| (ends.at + w.0).min(limit));
        let start = day.first_connection(ends.at);
        let mut scanned = 0;
        // Only who follows wants to know when a stop is settled: once the scan has passed it.
        let mut waiting: BinaryHeap<Reverse<(i32, u32)>> = BinaryHeap::new();
        for (index, hop) in (start as u32..).zip(&day.connections[start..]) {
            if hop.departure >= best {
                break;
            }
            scanned += 1;
            if day.watch.over_at(scanned) {
                break;
            }
            if F::ON {
                self.settle(&mut waiting, hop.departure, follow);
            }
            // No branches on what is hard to predict: nearly all hops end here.
            let run = hop.run as usize;
            let rules = if RULES {
                day.hop_rules[index as usize]
            } else {
                Rules::OPEN
            };
            let boarded = (self.boarded[run] != 0)
                | ((self.ready[hop.from as usize] <= hop.departure) & rules.boards());
            self.boarded[run] = u8::from(boarded);
            let to = hop.to as usize;
            if !(boarded & (hop.arrival < self.there[to].min(best)) & rules.leaves()) {
                continue;
            }
            follow.relax(hop.from, hop.to, hop.arrival, 0);
            if F::ON {
                waiting.push(Reverse((hop.arrival, hop.to)));
            }
            self.there[to] = hop.arrival;
            self.came[to] = index;
            let ready = hop.arrival + day.walks.change(hop.to);
            if ready < self.ready[to] {
                self.ready[to] = ready;
                self.came_ready[to] = index;
            }
            for walk in day.walks.from(hop.to) {
                let time = hop.arrival + walk.seconds;
                let at = walk.to as usize;
                if time < self.there[at] {
                    self.there[at] = time;
                    self.came[at] = index;
                    follow.relax(hop.to, walk.to, time, 0);
                    if F::ON {
                        waiting.push(Reverse((time, walk.to)));
                    }
                }
                if time < self.ready[at] {
                    self.ready[at] = time;
                    self.came_ready[at] = index;
                }
            }
            let end = ends
                .to
                .iter()
                .map(|&t| self.there[t as usize])
                .min()
                .unwrap_or(NEVER);
            if end < best {
                best = end;
                follow.improve(best, 0);
            }
        }
        self.scanned = scanned;
        if F::ON {
            self.settle(&mut waiting, best, follow);
        }
    }

    /// Tells which stops nobody can reach sooner any more, now that the scan is at a time.
    fn settle<F: Follow>(
        &self,
        waiting: &mut BinaryHeap<Reverse<(i32, u32)>>,
        now: i32,
        follow: &mut F,
    ) {
        while let Some(&Reverse((time, stop))) = waiting.peek().filter(|next| next.0.0 <= now) {
            waiting.pop();
            if self.there[stop as usize] == time {
                follow.visit(stop, time, 0);
            }
        }
    }

    /// Follows the hops back from the target. Where a run was boarded is found only now: at the
    /// last of its stops before the hop where the passenger was ready in time.
    pub(crate) fn trail(&self, day: &Day, ends: &Ends) -> Option<Trail> {
        let &end = ends.to.iter().min_by_key(|&&t| self.there[t as usize])?;
        let arrival = self.there[end as usize];
        if arrival >= NEVER {
            return None;
        }
        let mut rides: Vec<Ride> = Vec::new();
        let mut exit = self.came[end as usize];
        while exit != NONE {
            let run = day.connections[exit as usize].run;
            let route = &day.routes[day.runs[run as usize].route as usize];
            let first = route.first_time + (run - route.first_run) * route.len;
            let alight = day.calls_of[exit as usize] - first + 1;
            let stops = &day.route_stops[route.first_stop as usize..][..alight as usize];
            let calls = &day.times[first as usize..];
            let board = (0..alight as usize).rev().find(|&i| {
                self.ready[stops[i] as usize] <= calls[i].departure && day.boards(route, i as u32)
            });
            let (Some(board), true) = (board, rides.len() < day.stops) else {
                // Only rings of hops that take no time can lead here; ask somebody slower.
                return TimeDependent::default().earliest(day, ends, None, &mut ());
            };
            rides.push(Ride {
                run,
                board: board as u32,
                alight,
            });
            exit = self.came_ready[stops[board] as usize];
        }
        rides.reverse();
        Some(Trail { arrival, rides })
    }
}

/// The ride from one hop of a run to another.
pub(crate) fn ride(day: &Day, enter: u32, exit: u32) -> Ride {
    let run = day.connections[enter as usize].run;
    let route = &day.routes[day.runs[run as usize].route as usize];
    let first = route.first_time + (run - route.first_run) * route.len;
    Ride {
        run,
        board: day.calls_of[enter as usize] - first,
        alight: day.calls_of[exit as usize] - first + 1,
    }
}
