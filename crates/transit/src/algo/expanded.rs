//! Dijkstra's algorithm and A* on the time-expanded graph, as in the report: a node is a
//! passenger waiting at a stop for a departure, or sitting in a vehicle during a hop.
//!
//! The graph is far larger than the city and is never written down: nodes are numbered by the
//! calls of the day, and edges (wait, enter, ride, leave) follow from the arrays.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::algo::Follow;
use crate::algo::heuristic::Estimates;
use crate::day::Day;
use crate::journey::{Ends, Ride, Trail};
use crate::time::NEVER;

const NONE: u32 = u32::MAX;

/// What the time-expanded search makes as small as possible, first and then among equals.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Aim {
    /// Arrival, then vehicles.
    Time,
    /// Vehicles, then arrival.
    Vehicles,
    /// Vehicles alone, however long it takes: the report's own criterion.
    VehiclesOnly,
    /// Centimetres, then arrival.
    Distance,
    /// Seconds plus this many for each vehicle.
    Weighted(i64),
}

/// The nodes of a day: for each stop its departures, in order.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The stop of each call.
    stop: Vec<u32>,
    /// For each call the next departure from the same stop.
    next: Vec<u32>,
    first: Vec<u32>,
    /// Calls by stop and departure.
    departures: Vec<u32>,
    /// Whether a call is the last of its run.
    last: Vec<bool>,
    /// Whether nobody may leave at a call; empty where everybody may everywhere.
    stays: Vec<bool>,
}

impl Expanded {
    /// Numbers the nodes of a day.
    pub fn new(day: &Day) -> Expanded {
        let n = day.times.len();
        let mut stop = vec![0; n];
        let mut last = vec![false; n];
        let ruled = !day.route_rules.is_empty();
        let mut stays = vec![false; if ruled { n } else { 0 }];
        // Nobody waits for the last call of a run, or where nobody may board.
        let mut unawaited = vec![false; n];
        let mut count = vec![0u32; day.stops + 1];
        for route in &day.routes {
            let stops = &day.route_stops[route.first_stop as usize..][..route.len as usize];
            for run in 0..route.runs {
                let base = (route.first_time + run * route.len) as usize;
                for (i, &s) in stops.iter().enumerate() {
                    stop[base + i] = s;
                    let boards = i + 1 < stops.len() && day.boards(route, i as u32);
                    unawaited[base + i] = !boards;
                    count[s as usize + 1] += u32::from(boards);
                    if ruled {
                        stays[base + i] = !day.leaves(route, i as u32);
                    }
                }
                last[base + stops.len() - 1] = true;
            }
        }
        for s in 0..day.stops {
            count[s + 1] += count[s];
        }
        let first = count.clone();
        let mut departures = vec![0; count[day.stops] as usize];
        for call in 0..n {
            if !unawaited[call] {
                let at = &mut count[stop[call] as usize];
                departures[*at as usize] = call as u32;
                *at += 1;
            }
        }
        let mut next = vec![NONE; n];
        for s in 0..day.stops {
            if s.is_multiple_of(64) && day.watch.over() {
                break;
            }
            let list = &mut departures[first[s] as usize..first[s + 1] as usize];
            list.sort_unstable_by_key(|&c| (day.times[c as usize].departure, c));
            for pair in list.windows(2) {
                next[pair[0] as usize] = pair[1];
            }
        }
        Expanded {
            stop,
            next,
            first,
            departures,
            last,
            stays,
        }
    }

    /// Nodes of the graph: one for waiting and one for riding, per departure.
    pub fn nodes(&self) -> usize {
        2 * self.departures.len()
    }

    fn departure_after(&self, day: &Day, stop: u32, time: i32) -> Option<u32> {
        let s = stop as usize;
        let list = &self.departures[self.first[s] as usize..self.first[s + 1] as usize];
        list.get(list.partition_point(|&c| day.times[c as usize].departure < time))
            .copied()
    }
}

/// What the search remembers, kept between queries.
#[derive(Clone, Debug, Default)]
pub struct ExpandedSearch {
    cost: Vec<(i64, i32)>,
    parent: Vec<u32>,
    seen: Vec<u32>,
    query: u32,
    queue: BinaryHeap<Reverse<(i64, i32, u32)>>,
    /// Nodes settled in the last query.
    pub settled: usize,
}

impl ExpandedSearch {
    /// The best journey for an aim. Estimates that overrate the rest of the way may miss it.
    pub fn best<F: Follow>(
        &mut self,
        day: &Day,
        graph: &Expanded,
        ends: &Ends,
        aim: Aim,
        estimates: Option<&Estimates>,
        follow: &mut F,
    ) -> Option<Trail> {
        // Node numbers: a call means waiting for it, call + n riding away from it.
        let n = day.times.len() as u32;
        let goal = 2 * n;
        self.cost.resize(goal as usize + 1, (0, 0));
        self.parent.resize(goal as usize + 1, NONE);
        self.seen.resize(goal as usize + 1, 0);
        self.query += 1;
        self.queue.clear();
        self.settled = 0;
        let mut egress = vec![NONE; day.stops];
        for (index, e) in (0u32..).zip(&ends.egress) {
            egress[e.0 as usize] = index;
        }
        let line_of = |call: u32| {
            let route = day.routes.partition_point(|r| r.first_time <= call) - 1;
            day.routes[route].line as usize
        };
        let lines_matter = estimates.is_some_and(|e| e.line.iter().any(|&l| l != 0));
        let left = |node: u32| -> i64 {
            let Some(e) = estimates else { return 0 };
            match node {
                _ if node == goal => 0,
                _ if node < n => e.stop[graph.stop[node as usize] as usize],
                _ => {
                    let call = node - n;
                    let line = if lines_matter {
                        e.line[line_of(call)]
                    } else {
                        0
                    };
                    (e.stop[graph.stop[call as usize + 1] as usize] - e.aboard).max(0) + line
                }
            }
        };
        for &(stop, walk, cm) in &ends.access {
            if let Some(call) = graph.departure_after(day, stop, ends.at + walk) {
                let time = day.times[call as usize].departure;
                let start = aim.add((0, 0), time - ends.at, 0, cm);
                self.push(start, call, NONE, &left);
            }
        }
        if let Some((seconds, cm)) = ends.on_foot() {
            self.push(aim.add((0, 0), seconds, 0, cm), goal, NONE, &left);
        }
        while let Some(Reverse((priority, second, node))) = self.queue.pop() {
            let cost = self.cost[node as usize];
            // A better way to this node was queued after this one.
            if (priority - left(node), second) != cost {
                continue;
            }
            self.settled += 1;
            if day.watch.over_at(self.settled) {
                break;
            }
            if node == goal {
                let trail = self.trail(day, ends, n, goal);
                follow.choose(Some(trail.arrival));
                return Some(trail);
            }
            if node < n {
                let (stop, time) = (
                    graph.stop[node as usize],
                    day.times[node as usize].departure,
                );
                follow.visit(stop, time, priority);
                let later = graph.next[node as usize];
                if later != NONE {
                    let wait = day.times[later as usize].departure - time;
                    self.push(aim.add(cost, wait, 0, 0), later, node, &left);
                }
                let ride = day.times[node as usize + 1].arrival - time;
                let cm = day.distance_cm(stop, graph.stop[node as usize + 1]);
                self.push(aim.add(cost, ride, 1, cm), node + n, node, &left);
                continue;
            }
            let call = node - n + 1;
            let (stop, time) = (graph.stop[call as usize], day.times[call as usize].arrival);
            if !graph.last[call as usize] {
                let ride = day.times[call as usize + 1].arrival - time;
                let cm = day.distance_cm(stop, graph.stop[call as usize + 1]);
                self.push(aim.add(cost, ride, 0, cm), call + n, node, &left);
            }
            if graph.stays.get(call as usize) == Some(&true) {
                continue;
            }
            let walks = day.walks.from(stop).iter().map(|w| (w.to, w.seconds, w.cm));
            let here = std::iter::once((stop, day.walks.change(stop), 0));
            let mut told = !F::ON;
            let mut get_off = |search: &Self, follow: &mut F| {
                if !std::mem::replace(&mut told, true) {
                    let from = graph.stop[search.boarded(node, n) as usize];
                    follow.relax(from, stop, time, cost.0);
                }
            };
            for (to, seconds, cm) in here.chain(walks) {
                if let Some(next) = graph.departure_after(day, to, time + seconds) {
                    let wait = day.times[next as usize].departure - time;
                    if self.push(aim.add(cost, wait, 0, cm), next, node, &left) {
                        get_off(self, follow);
                        if seconds > 0 {
                            follow.relax(stop, to, time + seconds, cost.0);
                        }
                    }
                }
            }
            if let Some(e) = ends.egress.get(egress[stop as usize] as usize) {
                let cost = aim.add(cost, e.1, 0, e.2);
                if self.push(cost, goal, node, &left) {
                    get_off(self, follow);
                    follow.improve(time + e.1, cost.0);
                }
            }
        }
        follow.choose(None);
        None
    }

    /// The call at which whoever rides in a node got on.
    fn boarded(&self, node: u32, n: u32) -> u32 {
        let mut at = node;
        while at >= n && at != NONE {
            at = self.parent[at as usize];
        }
        at
    }

    fn push(&mut self, cost: (i64, i32), node: u32, from: u32, left: &impl Fn(u32) -> i64) -> bool {
        let i = node as usize;
        if self.seen[i] == self.query && self.cost[i] <= cost {
            return false;
        }
        self.seen[i] = self.query;
        self.cost[i] = cost;
        self.parent[i] = from;
        self.queue
            .push(Reverse((cost.0 + left(node), cost.1, node)));
        true
    }

    fn trail(&self, day: &Day, ends: &Ends, n: u32, goal: u32) -> Trail {
        let mut calls = Vec::new();
        let mut at = self.parent[goal as usize];
        if at == NONE {
            return Trail::walked(ends).expect("the goal was reached without a vehicle");
        }
        while at != NONE {
            let before = self.parent[at as usize];
            if at >= n {
                // Boarded here if the passenger was waiting for exactly this departure.
                calls.push((at - n, before == at - n));
            }
            at = before;
        }
        calls.reverse();
        let mut rides: Vec<Ride> = Vec::new();
        for (call, boarded) in calls {
            let route = day.routes.partition_point(|r| r.first_time <= call) - 1;
            let r = &day.routes[route];
            let run = r.first_run + (call - r.first_time) / r.len;
            let position = (call - r.first_time) % r.len;
            if boarded {
                rides.push(Ride {
                    run,
                    board: position,
                    alight: position + 1,
                });
            } else if let Some(ride) = rides.last_mut() {
                ride.alight = position + 1;
            }
        }
        let last = rides.last().expect("a vehicle was taken");
        let stop = day.stops_of(day.runs[last.run as usize].route)[last.alight as usize];
        let walk = ends
            .egress
            .iter()
            .find(|e| e.0 == stop)
            .map_or(NEVER, |e| e.1);
        Trail {
            arrival: day.calls(last.run)[last.alight as usize].arrival + walk,
            rides,
        }
    }
}

impl Aim {
    /// Vehicles count in thousandths, so that estimates may be fractions.
    fn add(self, cost: (i64, i32), seconds: i32, vehicles: i32, cm: u32) -> (i64, i32) {
        let v = i64::from(vehicles);
        match self {
            Aim::Time => (cost.0 + i64::from(seconds), cost.1 + vehicles),
            Aim::Vehicles => (cost.0 + 1000 * v, cost.1 + seconds),
            Aim::VehiclesOnly => (cost.0 + 1000 * v, 0),
            Aim::Distance => (cost.0 + i64::from(cm), cost.1 + seconds),
            Aim::Weighted(w) => (cost.0 + i64::from(seconds) + w * v, cost.1 + vehicles),
        }
    }
}
