//! RAPTOR with a third wish (`McRAPTOR`; Delling, Pajor, Werneck 2012): arrival, vehicles and the way
//! on foot. A stop then has no single best label but a bag of them, none beaten by another.
//!
//! Invariant: after round `k` every bag holds, for each pair of arrival and walk that `k` vehicles
//! can reach and no fewer reach as well, a label that is as good in both.

use crate::algo::Follow;
use crate::day::Day;
use crate::journey::{Ends, Ride, Trail};

const NONE: u32 = u32::MAX;

/// A ride, and the one before it.
#[derive(Clone, Copy, Debug)]
struct Node {
    ride: Ride,
    before: u32,
}

/// Ready to board somewhere: when, how far walked so far, after which ride.
#[derive(Clone, Copy, Debug)]
struct Ready {
    time: i32,
    walked: u32,
    node: u32,
}

/// On a run: since which position, how far walked, after which ride.
#[derive(Clone, Copy, Debug)]
struct Aboard {
    run: u32,
    board: u32,
    walked: u32,
    node: u32,
}

/// What the search remembers, kept between queries.
#[derive(Clone, Debug, Default)]
pub struct WalkingRaptor {
    nodes: Vec<Node>,
    /// Arrivals by vehicle at each stop: time and walk, none beaten by another.
    there: Vec<Vec<(i32, u32)>>,
    /// Everything ready to board at each stop, and what is new since the last round.
    ready: Vec<Vec<Ready>>,
    fresh: Vec<Vec<Ready>>,
    marked: Vec<u32>,
    first: Vec<u32>,
    /// Calls that were looked at in the last query.
    pub scanned: usize,
}

/// Puts a pair into a bag unless it is beaten; false if it is.
fn put(bag: &mut Vec<(i32, u32)>, time: i32, walked: u32) -> bool {
    if bag.iter().any(|&(t, w)| t <= time && w <= walked) {
        return false;
    }
    bag.retain(|&(t, w)| !(time <= t && walked <= w));
    bag.push((time, walked));
    true
}

impl WalkingRaptor {
    /// All journeys that no other beats in arrival, vehicles and way on foot; fewest vehicles
    /// first, then earliest. At most `most` vehicles.
    pub fn pareto<F: Follow>(
        &mut self,
        day: &Day,
        ends: &Ends,
        most: usize,
        follow: &mut F,
    ) -> Vec<Trail> {
        self.clear(day);
        // Found so far: arrival, walk, vehicles, last ride.
        let mut found: Vec<(i32, u32, usize, u32)> = Vec::new();
        if let Some((seconds, cm)) = ends.on_foot() {
            found.push((ends.at + seconds, cm, 0, NONE));
        }
        for &(stop, seconds, cm) in &ends.access {
            follow.visit(stop, ends.at + seconds, 0);
            self.board(stop, ends.at + seconds, cm, NONE);
        }
        for k in 1..=most {
            let reached = self.ride(day, k, &found, follow);
            if reached.is_empty() || day.watch.over() {
                break;
            }
            for (done, &(stop, time, walked, node)) in reached.iter().enumerate() {
                if done.is_multiple_of(64) && day.watch.over() {
                    break;
                }
                follow.visit(stop, time, k as i64);
                let change = time + day.walks.change(stop);
                self.board(stop, change, walked, node);
                for walk in day.walks.from(stop) {
                    let (time, walked) = (time + walk.seconds, walked + walk.cm);
                    if self.board(walk.to, time, walked, node) {
                        follow.relax(stop, walk.to, time, k as i64);
                    }
                }
                if let Some(&(_, seconds, cm)) = ends.egress.iter().find(|e| e.0 == stop) {
                    let (time, walked) = (time + seconds, walked + cm);
                    if found.iter().all(|f| f.0 > time || f.1 > walked) {
                        found.retain(|f| f.2 < k || f.0 < time || f.1 < walked);
                        found.push((time, walked, k, node));
                        follow.improve(time, k as i64);
                    }
                }
            }
        }
        found.sort_unstable_by_key(|f| (f.2, f.0, f.1));
        follow.choose(found.iter().map(|f| f.0).min());
        let trail = |&(arrival, _, _, node): &(i32, u32, usize, u32)| Trail {
            arrival,
            rides: self.rides(node),
        };
        found.iter().map(trail).collect()
    }

    fn clear(&mut self, day: &Day) {
        self.scanned = 0;
        self.nodes.clear();
        self.marked.clear();
        self.there.resize(day.stops, Vec::new());
        self.there.iter_mut().for_each(Vec::clear);
        for bags in [&mut self.ready, &mut self.fresh] {
            bags.resize(day.stops, Vec::new());
            bags.iter_mut().for_each(Vec::clear);
        }
        self.first.clear();
        self.first.resize(day.routes.len(), NONE);
    }

    /// Ready to board at a stop; false if that is no news.
    fn board(&mut self, stop: u32, time: i32, walked: u32, node: u32) -> bool {
        let bag = &mut self.ready[stop as usize];
        if bag.iter().any(|r| r.time <= time && r.walked <= walked) {
            return false;
        }
        bag.retain(|r| !(time <= r.time && walked <= r.walked));
        let label = Ready { time, walked, node };
        bag.push(label);
        let fresh = &mut self.fresh[stop as usize];
        if fresh.is_empty() {
            self.marked.push(stop);
        }
        fresh.retain(|r| !(time <= r.time && walked <= r.walked));
        fresh.push(label);
        true
    }

    /// One more vehicle: every stop that is reached anew, with arrival, walk and ride.
    fn ride<F: Follow>(
        &mut self,
        day: &Day,
        k: usize,
        found: &[(i32, u32, usize, u32)],
        follow: &mut F,
    ) -> Vec<(u32, i32, u32, u32)> {
        let mut queue = Vec::new();
        for &stop in &self.marked {
            for &(route, position) in day.routes_at(stop) {
                let first = &mut self.first[route as usize];
                if *first == NONE {
                    queue.push(route);
                }
                *first = (*first).min(position);
            }
        }
        let mut reached = Vec::new();
        let mut aboard: Vec<Aboard> = Vec::new();
        for index in queue {
            let start = std::mem::replace(&mut self.first[index as usize], NONE);
            let route = &day.routes[index as usize];
            aboard.clear();
            for position in start..route.len {
                if day.watch.over() {
                    break;
                }
                let stop = day.route_stops[(route.first_stop + position) as usize];
                let leaving = if day.leaves(route, position) {
                    &aboard[..]
                } else {
                    &[]
                };
                for on in leaving {
                    let arrival = day.call(route, on.run, position).arrival;
                    let beaten = found.iter().any(|f| f.0 <= arrival && f.1 <= on.walked);
                    if beaten || !put(&mut self.there[stop as usize], arrival, on.walked) {
                        continue;
                    }
                    let ride = Ride {
                        run: on.run,
                        board: on.board,
                        alight: position,
                    };
                    self.nodes.push(Node {
                        ride,
                        before: on.node,
                    });
                    let node = self.nodes.len() as u32 - 1;
                    let from = day.route_stops[(route.first_stop + on.board) as usize];
                    follow.relax(from, stop, arrival, k as i64);
                    reached.push((stop, arrival, on.walked, node));
                }
                if !day.boards(route, position) {
                    continue;
                }
                for r in &self.fresh[stop as usize] {
                    let Some(run) = day.board(route, position, r.time) else {
                        continue;
                    };
                    if aboard.iter().any(|a| a.run <= run && a.walked <= r.walked) {
                        continue;
                    }
                    aboard.retain(|a| !(run <= a.run && r.walked <= a.walked));
                    aboard.push(Aboard {
                        run,
                        board: position,
                        walked: r.walked,
                        node: r.node,
                    });
                }
            }
            self.scanned += (route.len - start) as usize;
        }
        for stop in self.marked.drain(..) {
            self.fresh[stop as usize].clear();
        }
        reached
    }

    fn rides(&self, last: u32) -> Vec<Ride> {
        let mut rides = Vec::new();
        let mut at = last;
        while let Some(node) = self.nodes.get(at as usize) {
            rides.push(node.ride);
            at = node.before;
        }
        rides.reverse();
        rides
    }
}
