//! A day (and the days after it) as searches need it: routes, trips and connections in flat arrays.

use std::collections::{HashMap, HashSet};
use std::ops::Deref;
use std::sync::Arc;

use wits_search::Budget;

use crate::calendar::NoService;
use crate::limits::{FeedLimits, Gate, Halt};
use crate::time::{DAY, Date};
use crate::timetable::Timetable;
use crate::walk::Walks;
use crate::watch::Watch;

/// One hop of a vehicle from a stop to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Connection {
    /// Departure, seconds of the asked day.
    pub departure: i32,
    /// Arrival.
    pub arrival: i32,
    /// From this stop.
    pub from: u32,
    /// To this stop.
    pub to: u32,
    /// On this run; see [`Day::runs`].
    pub run: u32,
}

/// Trips with the same stops of which none overtakes another (RAPTOR calls this a route).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Route {
    /// Its line.
    pub line: u32,
    /// Where its stops begin in [`Day::route_stops`].
    pub first_stop: u32,
    /// How many stops.
    pub len: u32,
    /// Its first run; the others follow in the order of time.
    pub first_run: u32,
    /// How many runs.
    pub runs: u32,
    /// Where its times begin in [`Day::times`], run by run.
    pub first_time: u32,
}

/// A trip on a particular day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The route it belongs to.
    pub route: u32,
    /// The trip of the timetable.
    pub trip: u32,
    /// On which day it started, 0 is the asked one.
    pub day: i32,
}

/// Arrival and departure of a run at a stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call {
    /// Arrival, seconds of the asked day; negative is the day before.
    pub arrival: i32,
    /// Departure.
    pub departure: i32,
}

/// What runs on a day and on the days after it, ready for searching. A copy shares the arrays.
#[derive(Clone, Debug)]
pub struct Day {
    arrays: Arc<Schedule>,
    pub(crate) watch: Watch,
}

impl Deref for Day {
    type Target = Schedule;

    fn deref(&self) -> &Schedule {
        &self.arrays
    }
}

/// The arrays of a day.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The asked day, where days have dates.
    pub date: Option<Date>,
    /// How many days are covered.
    pub days: i32,
    /// Number of stops.
    pub stops: usize,
    /// Routes.
    pub routes: Vec<Route>,
    /// Stops of all routes.
    pub route_stops: Vec<u32>,
    /// Centimetres from each stop of a route to the next.
    pub hops_cm: Vec<u32>,
    /// Runs, grouped by route.
    pub runs: Vec<Run>,
    /// Calls of all runs.
    pub times: Vec<Call>,
    /// All hops from midnight on, in the order of departure. Hops that take no time come before
    /// others of the same second, each before those it leads to; where they form a ring they are
    /// repeated, so that one pass over the list is always enough.
    pub connections: Vec<Connection>,
    /// For each connection its call, an index into [`Day::times`]; the next call is the arrival.
    pub calls_of: Vec<u32>,
    /// For each minute the first connection that departs in it or later.
    minute: Vec<u32>,
    stop_first: Vec<u32>,
    stop_routes: Vec<(u32, u32)>,
    /// Kilometres east and north of each stop (not a number where unknown).
    pub places: Vec<(f32, f32)>,
    /// Walks between stops.
    pub walks: Walks,
    /// Whether this is a mirrored day; see [`Day::mirrored`].
    mirror: Option<i32>,
}

/// Bytes that a call takes on a laid-out day, at most and while it is laid out: its time twice,
/// its hop, its stop and the routes at it.
const CALL: u64 = 56;
/// Bytes that a run takes.
const RUN: u64 = 64;

/// What to leave out or move when a day is laid out (for "what if" questions).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Disruption {
    /// Lines that do not run.
    pub cancelled_lines: Vec<u32>,
    /// Trips that do not run.
    pub cancelled_trips: Vec<u32>,
    /// Trips that run late: trip, first stop (position) that is late, seconds.
    pub delays: Vec<(u32, u32, i32)>,
}

impl Day {
    /// Lays out `days` days from a date on, and what still runs from the day before.
    pub fn new(
        table: &Timetable,
        date: Option<Date>,
        days: i32,
        walks: Walks,
        disruption: &Disruption,
    ) -> Result<Day, NoService> {
        let budget = Budget::endless();
        let mut gate = Gate::new(FeedLimits::TERMINAL, &budget);
        Day::within(table, date, days, walks, disruption, &mut gate)
    }

    /// The same, counted by a gate: what is laid out is known before it is.
    pub fn within(
        table: &Timetable,
        date: Option<Date>,
        days: i32,
        walks: Walks,
        disruption: &Disruption,
        gate: &mut Gate<'_>,
    ) -> Result<Day, NoService> {
        let date = match (date, table.calendar.bounds()) {
            (_, None) => match table.calendar.first_full_weekday(&[])? {
                None => None,
                Some(_) => return Err(NoService::Ever),
            },
            (None, Some(_)) => table
                .calendar
                .first_full_weekday(&table.trips_per_service())?,
            (date, Some(_)) => date,
        };
        let mut idle = vec![false; table.lines.len()];
        for &line in &disruption.cancelled_lines {
            if let Some(line) = idle.get_mut(line as usize) {
                *line = true;
            }
        }
        let cancelled = |trip: u32| {
            disruption.cancelled_trips.contains(&trip) || idle[table.line_of(trip) as usize]
        };
        // Which trips run, and on which day; grouped by pattern.
        let mut runs: Vec<(u32, i32, u32, i32)> = Vec::new();
        let mut today = false;
        let mut calls = 0;
        for offset in -2..days {
            let on = date.map(|d| Date(d.0 + offset));
            let services = table.trips_per_service().len() as u32;
            let active: Vec<bool> = (0..services).map(|s| table.calendar.runs(s, on)).collect();
            for (index, trip) in (0u32..).zip(&table.trips) {
                gate.work(1)?;
                if !active[trip.service as usize] {
                    continue;
                }
                today |= offset == 0;
                let len = table.patterns[trip.pattern as usize].len as usize;
                let end = trip.start + table.runs[trip.run as usize + len - 1].0 + offset * DAY;
                if end > 0 && !cancelled(index) {
                    calls += len as u64;
                    gate.hold(RUN)?;
                    runs.push((trip.pattern, trip.start + offset * DAY, index, offset));
                }
            }
        }
        if !today && let (Some(date), Some((first, last))) = (date, table.calendar.bounds()) {
            return Err(NoService::Day { date, first, last });
        }
        gate.hold(calls * CALL)?;
        runs.sort_unstable();
        let mut layout = Layout::default();
        for group in runs.chunk_by(|a, b| a.0 == b.0) {
            layout.pattern(table, group, &disruption.delays, gate)?;
        }
        let mut day = Schedule {
            date,
            days,
            stops: table.stops.len(),
            routes: layout.routes,
            route_stops: layout.route_stops,
            hops_cm: layout.hops_cm,
            runs: layout.runs,
            times: layout.times,
            connections: Vec::new(),
            calls_of: Vec::new(),
            minute: Vec::new(),
            stop_first: Vec::new(),
            stop_routes: Vec::new(),
            places: table.stops.iter().map(|s| (s.x, s.y)).collect(),
            walks,
            mirror: None,
        };
        day.index(true, gate)?;
        Ok(Day::of(day))
    }

    /// The day seen in a mirror: time runs backwards, vehicles too. The earliest arrival in the
    /// mirror is the latest departure here. A time `t` is [`Day::flip`]`(t)` in the mirror; run
    /// numbers are mirrored inside their route.
    ///
    /// Without `hops` the list of connections stays empty: RAPTOR does not need it.
    pub fn mirrored(&self, hops: bool) -> Day {
        let budget = Budget::endless();
        let mut gate = Gate::new(FeedLimits::TERMINAL, &budget);
        self.mirrored_within(hops, &mut gate)
            .expect("as large as the day itself, which was laid out")
    }

    /// The same, counted by a gate.
    pub fn mirrored_within(&self, hops: bool, gate: &mut Gate<'_>) -> Result<Day, Halt> {
        gate.hold(self.times.len() as u64 * CALL)?;
        let end = self.times.iter().map(|c| c.departure).max().unwrap_or(0);
        let mut day = Schedule {
            date: self.date,
            days: self.days,
            stops: self.stops,
            routes: self.routes.clone(),
            route_stops: Vec::with_capacity(self.route_stops.len()),
            hops_cm: Vec::with_capacity(self.hops_cm.len()),
            runs: Vec::with_capacity(self.runs.len()),
            times: Vec::with_capacity(self.times.len()),
            connections: Vec::new(),
            calls_of: Vec::new(),
            minute: Vec::new(),
            stop_first: Vec::new(),
            stop_routes: Vec::new(),
            places: self.places.clone(),
            walks: self.walks.reversed(),
            mirror: Some(end),
        };
        for (index, route) in (0u32..).zip(&self.routes) {
            let span = route.first_stop as usize..(route.first_stop + route.len) as usize;
            day.route_stops
                .extend(self.route_stops[span.clone()].iter().rev());
            let hops = &self.hops_cm[span];
            day.hops_cm.extend(hops[..hops.len() - 1].iter().rev());
            day.hops_cm.push(0);
            for run in (route.first_run..route.first_run + route.runs).rev() {
                gate.work(u64::from(route.len))?;
                day.runs.push(Run {
                    route: index,
                    ..self.runs[run as usize]
                });
                day.times.extend(self.calls(run).iter().rev().map(|c| Call {
                    arrival: end - c.departure,
                    departure: end - c.arrival,
                }));
            }
        }
        day.index(hops, gate)?;
        Ok(Day::of(day))
    }

    /// A day on which nothing runs, with the stops of another.
    pub(crate) fn empty(&self) -> Day {
        let nothing = Schedule {
            date: self.date,
            days: self.days,
            stops: self.stops,
            routes: Vec::new(),
            route_stops: Vec::new(),
            hops_cm: Vec::new(),
            runs: Vec::new(),
            times: Vec::new(),
            connections: Vec::new(),
            calls_of: Vec::new(),
            minute: Vec::new(),
            stop_first: vec![0; self.stops + 1],
            stop_routes: Vec::new(),
            places: self.places.clone(),
            walks: self.walks.clone(),
            mirror: Some(0),
        };
        Day::of(nothing).under(&self.watch)
    }

    fn of(arrays: Schedule) -> Day {
        Day {
            arrays: Arc::new(arrays),
            watch: Watch::default(),
        }
    }

    /// The same day; searches on it end when the watch says so.
    pub(crate) fn under(&self, watch: &Watch) -> Day {
        Day {
            arrays: Arc::clone(&self.arrays),
            watch: watch.clone(),
        }
    }
}

impl Schedule {
    /// Whether times here run backwards, and from which time they count.
    pub fn flip(&self, time: i32) -> i32 {
        self.mirror.map_or(time, |end| end - time)
    }

    /// Whether this is a day seen in a mirror.
    pub fn is_mirror(&self) -> bool {
        self.mirror.is_some()
    }

    /// The run of the unmirrored day, given one of the mirrored one (and the other way round).
    pub fn twin(&self, run: u32) -> u32 {
        let route = &self.routes[self.runs[run as usize].route as usize];
        route.first_run + (route.first_run + route.runs - 1 - run)
    }

    /// The stops of a route.
    pub fn stops_of(&self, route: u32) -> &[u32] {
        let r = &self.routes[route as usize];
        &self.route_stops[r.first_stop as usize..(r.first_stop + r.len) as usize]
    }

    /// The calls of a run.
    pub fn calls(&self, run: u32) -> &[Call] {
        let route = &self.routes[self.runs[run as usize].route as usize];
        let first = (route.first_time + (run - route.first_run) * route.len) as usize;
        &self.times[first..first + route.len as usize]
    }

    /// One call of a run.
    #[inline]
    pub(crate) fn call(&self, route: &Route, run: u32, position: u32) -> Call {
        self.times[(route.first_time + (run - route.first_run) * route.len + position) as usize]
    }

    /// The routes that call at a stop, with the position of the stop in them.
    pub fn routes_at(&self, stop: u32) -> &[(u32, u32)] {
        let at = stop as usize;
        &self.stop_routes[self.stop_first[at] as usize..self.stop_first[at + 1] as usize]
    }

    /// Straight distance between two stops in centimetres.
    #[inline]
    pub fn distance_cm(&self, a: u32, b: u32) -> u32 {
        crate::timetable::straight_cm(self.places[a as usize], self.places[b as usize])
    }

    /// The first connection that departs at a time or later.
    pub fn first_connection(&self, time: i32) -> usize {
        let minute = (time.max(0) / 60) as usize;
        let Some(&low) = self.minute.get(minute) else {
            return self.connections.len();
        };
        let low = low as usize;
        low + self.connections[low..]
            .iter()
            .take_while(|c| c.departure < time)
            .count()
    }

    /// The earliest run of a route that departs from a position at a time or later.
    #[inline]
    pub(crate) fn board(&self, route: &Route, position: u32, time: i32) -> Option<u32> {
        let (mut low, mut high) = (0, route.runs);
        while low < high {
            let middle = u32::midpoint(low, high);
            if self
                .call(route, route.first_run + middle, position)
                .departure
                < time
            {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low < route.runs).then_some(route.first_run + low)
    }

    /// Bytes held by the arrays.
    pub fn bytes(&self) -> usize {
        self.connections.len() * size_of::<Connection>()
            + self.times.len() * size_of::<Call>()
            + self.runs.len() * size_of::<Run>()
            + (self.route_stops.len() + self.hops_cm.len() + self.minute.len()) * 4
            + self.calls_of.len() * 4
            + self.stop_routes.len() * 8
    }

    fn index(&mut self, hops: bool, gate: &mut Gate<'_>) -> Result<(), Halt> {
        if hops {
            (self.connections, self.calls_of) = connections(self, gate)?;
        }
        let last = self.connections.last().map_or(0, |c| c.departure);
        let mut minute = Vec::with_capacity(last as usize / 60 + 2);
        let mut at = 0;
        for m in 0..=last / 60 {
            while self.connections[at..]
                .first()
                .is_some_and(|c| c.departure < m * 60)
            {
                at += 1;
            }
            minute.push(at as u32);
        }
        self.minute = minute;
        let mut count = vec![0u32; self.stops + 1];
        for &stop in &self.route_stops {
            count[stop as usize + 1] += 1;
        }
        for i in 0..self.stops {
            count[i + 1] += count[i];
        }
        self.stop_first.clone_from(&count);
        self.stop_routes = vec![(0, 0); self.route_stops.len()];
        for (index, route) in (0u32..).zip(&self.routes) {
            gate.work(u64::from(route.len))?;
            for position in 0..route.len {
                let stop = self.route_stops[(route.first_stop + position) as usize] as usize;
                self.stop_routes[count[stop] as usize] = (index, position);
                count[stop] += 1;
            }
        }
        Ok(())
    }
}

/// Hops in order, and the call of each.
type Hops = (Vec<Connection>, Vec<u32>);

/// Runs (trip and day) that do not overtake each other, and their calls.
type Chain = (Vec<(u32, i32)>, Vec<Call>);

#[derive(Default)]
struct Layout {
    routes: Vec<Route>,
    route_stops: Vec<u32>,
    hops_cm: Vec<u32>,
    runs: Vec<Run>,
    times: Vec<Call>,
}

impl Layout {
    /// Splits the runs of one pattern into routes without overtaking. `group` is sorted by start.
    fn pattern(
        &mut self,
        table: &Timetable,
        group: &[(u32, i32, u32, i32)],
        delays: &[(u32, u32, i32)],
        gate: &mut Gate<'_>,
    ) -> Result<(), Halt> {
        let pattern = group[0].0;
        let len = table.patterns[pattern as usize].len as usize;
        let mut chains: Vec<Chain> = Vec::new();
        let mut calls: Vec<Call> = Vec::with_capacity(len);
        let mut late: Vec<usize> = Vec::new();
        let order = {
            let mut order: Vec<usize> = (0..group.len()).collect();
            if !delays.is_empty() {
                late.extend(order.extract_if(.., |i| {
                    delays
                        .iter()
                        .any(|d| d.0 == group[*i].2 && group[*i].3 == 0)
                }));
            }
            // Delayed runs come last, so that they never displace the punctual ones.
            order.extend(late);
            order
        };
        for i in order {
            let (_, start, trip, offset) = group[i];
            gate.work(len as u64)?;
            let run = table.trips[trip as usize].run as usize;
            calls.clear();
            calls.extend(table.runs[run..run + len].iter().map(|&(a, d)| Call {
                arrival: start + a,
                departure: start + d,
            }));
            for &(_, from, seconds) in delays.iter().filter(|d| d.0 == trip && offset == 0) {
                for (position, call) in calls.iter_mut().enumerate() {
                    if position >= from as usize {
                        call.departure += seconds;
                    }
                    if position > from as usize {
                        call.arrival += seconds;
                    }
                }
            }
            let follows = |times: &Vec<Call>| {
                times[times.len() - len..]
                    .iter()
                    .zip(&calls)
                    .all(|(a, b)| a.arrival <= b.arrival && a.departure <= b.departure)
            };
            let mut free = None;
            for (at, chain) in chains.iter().enumerate() {
                gate.work(1 + len as u64 / 8)?;
                if follows(&chain.1) {
                    free = Some(at);
                    break;
                }
            }
            match free {
                Some(at) => {
                    chains[at].0.push((trip, offset));
                    chains[at].1.extend_from_slice(&calls);
                }
                None => chains.push((vec![(trip, offset)], calls.clone())),
            }
        }
        let stops = table.stops_of(pattern);
        for (runs, times) in chains {
            let route = self.routes.len() as u32;
            self.routes.push(Route {
                line: table.patterns[pattern as usize].line,
                first_stop: self.route_stops.len() as u32,
                len: len as u32,
                first_run: self.runs.len() as u32,
                runs: runs.len() as u32,
                first_time: self.times.len() as u32,
            });
            self.route_stops.extend_from_slice(stops);
            self.hops_cm
                .extend(stops.windows(2).map(|w| table.distance_cm(w[0], w[1])));
            self.hops_cm.push(0);
            self.runs
                .extend(runs.into_iter().map(|(trip, day)| Run { route, trip, day }));
            self.times.extend(times);
        }
        Ok(())
    }
}

/// All hops that depart from midnight on, sorted by departure (a counting sort by second).
fn connections(day: &Schedule, gate: &mut Gate<'_>) -> Result<Hops, Halt> {
    let last = day
        .times
        .iter()
        .map(|c| c.departure)
        .max()
        .unwrap_or(0)
        .max(0) as usize;
    gate.hold(4 * last as u64)?;
    let mut count = vec![0u32; last + 2];
    let each = |gate: &mut Gate<'_>, visit: &mut dyn FnMut(Connection, u32)| {
        for route in &day.routes {
            let stops = &day.route_stops[route.first_stop as usize..];
            for run in route.first_run..route.first_run + route.runs {
                gate.work(u64::from(route.len))?;
                let first = route.first_time + (run - route.first_run) * route.len;
                for (i, w) in day.calls(run).windows(2).enumerate() {
                    if w[0].departure >= 0 {
                        let hop = Connection {
                            departure: w[0].departure,
                            arrival: w[1].arrival,
                            from: stops[i],
                            to: stops[i + 1],
                            run,
                        };
                        visit(hop, first + i as u32);
                    }
                }
            }
        }
        Ok(())
    };
    let mut instant = false;
    each(gate, &mut |c, _| {
        count[c.departure as usize + 1] += 1;
        instant |= c.arrival == c.departure;
    })?;
    for i in 0..=last {
        count[i + 1] += count[i];
    }
    let nothing = Connection {
        departure: 0,
        arrival: 0,
        from: 0,
        to: 0,
        run: 0,
    };
    let mut sorted = vec![nothing; count[last + 1] as usize];
    let mut calls = vec![0; sorted.len()];
    each(gate, &mut |c, call| {
        let at = &mut count[c.departure as usize];
        sorted[*at as usize] = c;
        calls[*at as usize] = call;
        *at += 1;
    })?;
    gate.release(4 * last as u64);
    if instant && !order_in_place(&mut sorted, &mut calls, gate)? {
        return order_instant_hops(&sorted, &calls, gate);
    }
    Ok((sorted, calls))
}

/// As [`order_instant_hops`], without a copy of the whole list; false (and unfinished) if there is
/// a ring.
fn order_in_place(
    sorted: &mut [Connection],
    calls: &mut [u32],
    gate: &mut Gate<'_>,
) -> Result<bool, Halt> {
    let mut first = 0;
    while first < sorted.len() {
        let second = sorted[first].departure;
        let len = sorted[first..]
            .iter()
            .take_while(|c| c.departure == second)
            .count();
        let span = first..first + len;
        first += len;
        if sorted[span.clone()].iter().any(|c| c.arrival == second) {
            let (ordered, their_calls) =
                order_instant_hops(&sorted[span.clone()], &calls[span.clone()], gate)?;
            if ordered.len() != len {
                return Ok(false);
            }
            sorted[span.clone()].copy_from_slice(&ordered);
            calls[span].copy_from_slice(&their_calls);
        }
        gate.work(len as u64)?;
    }
    Ok(true)
}

/// Puts hops that take no time first within their second, each before the hops it leads to.
fn order_instant_hops(
    sorted: &[Connection],
    calls: &[u32],
    gate: &mut Gate<'_>,
) -> Result<Hops, Halt> {
    let mut order: Vec<u32> = Vec::with_capacity(sorted.len());
    let mut first = 0u32;
    // Waiting hops that lead to each stop, and those that begin there.
    let mut into: HashMap<u32, u32> = HashMap::new();
    let mut out: HashMap<u32, Vec<u32>> = HashMap::new();
    for second in sorted.chunk_by(|a, b| a.departure == b.departure) {
        let hop = |i: &u32| &sorted[*i as usize];
        let all = first..first + second.len() as u32;
        first = all.end;
        let instant: Vec<u32> = all
            .clone()
            .filter(|i| hop(i).arrival == hop(i).departure)
            .collect();
        gate.work(second.len() as u64)?;
        into.clear();
        out.clear();
        for i in &instant {
            *into.entry(hop(i).to).or_default() += 1;
            out.entry(hop(i).from).or_default().push(*i);
        }
        // Take hops whose beginning no other waiting hop leads to, round by round (Kahn 1962).
        let mut free: Vec<u32> = instant
            .iter()
            .copied()
            .filter(|i| !into.contains_key(&hop(i).from))
            .collect();
        let begin = order.len();
        while !free.is_empty() {
            gate.work(4 * free.len() as u64)?;
            let mut next = Vec::new();
            for i in &free {
                let to = hop(i).to;
                let waiting = into.get_mut(&to).expect("counted above");
                *waiting -= 1;
                if *waiting == 0 {
                    next.extend(out.get(&to).into_iter().flatten().copied());
                }
            }
            order.append(&mut free);
            next.sort_unstable();
            free = next;
        }
        // The rest runs in rings or hangs on one: as many rounds as hops reach everything.
        if order.len() - begin < instant.len() {
            let done: HashSet<u32> = order[begin..].iter().copied().collect();
            let rest: Vec<u32> = instant.into_iter().filter(|i| !done.contains(i)).collect();
            let rounds = rest.len() as u64;
            gate.hold(rounds * rounds * (CALL + 4))?;
            for _ in 0..rounds {
                gate.work(rounds)?;
                order.extend_from_slice(&rest);
            }
        }
        order.extend(all.filter(|i| hop(i).arrival > hop(i).departure));
    }
    Ok((
        order.iter().map(|&i| sorted[i as usize]).collect(),
        order.iter().map(|&i| calls[i as usize]).collect(),
    ))
}
