//! A day (and the days after it) as searches need it: routes, trips and connections in flat arrays.

mod hops;
mod layout;

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use wits_search::Budget;

use self::hops::connections;
use self::layout::{Changed, Layout, Planned};
use crate::calendar::NoService;
use crate::limits::{FeedLimits, Gate, Halt};
use crate::rules::Rules;
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
    /// Who may board and leave at each stop of a route; empty where everybody may everywhere.
    pub route_rules: Vec<Rules>,
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
    /// For each connection whether one may board where it begins and leave where it ends; empty
    /// where everybody may everywhere.
    pub hop_rules: Vec<Rules>,
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
    /// What a realtime feed says of single runs.
    pub live: Vec<LiveRun>,
}

/// One trip on one day, as it really runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveRun {
    /// The trip.
    pub trip: u32,
    /// The day on which it starts; the asked one if nobody says.
    pub date: Option<Date>,
    /// Whether it does not run.
    pub cancelled: bool,
    /// Seconds that it arrives and departs late at each of its calls; empty if it is on time.
    pub late: Vec<(i32, i32)>,
    /// Positions of calls at which it does not stop.
    pub passed: Vec<u32>,
}

impl Disruption {
    /// Both at once.
    #[must_use]
    pub fn and(&self, other: &Disruption) -> Disruption {
        let mut both = self.clone();
        both.cancelled_lines.extend(&other.cancelled_lines);
        both.cancelled_trips.extend(&other.cancelled_trips);
        both.delays.extend(&other.delays);
        both.live.extend(other.live.iter().cloned());
        both
    }
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
        let changed = Changed::new(disruption, date);
        // Which trips run, and on which day; grouped by pattern.
        let mut runs: Vec<Planned> = Vec::new();
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
                if end > 0 && !cancelled(index) && !changed.cancelled(index, offset) {
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
            layout.pattern(table, group, &changed, gate)?;
        }
        if layout.route_rules.iter().all(|&r| r == Rules::OPEN) {
            layout.route_rules = Vec::new();
        }
        let mut day = Schedule {
            date,
            days,
            stops: table.stops.len(),
            routes: layout.routes,
            route_stops: layout.route_stops,
            route_rules: layout.route_rules,
            hops_cm: layout.hops_cm,
            runs: layout.runs,
            times: layout.times,
            connections: Vec::new(),
            calls_of: Vec::new(),
            hop_rules: Vec::new(),
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
            route_rules: Vec::with_capacity(self.route_rules.len()),
            hops_cm: Vec::with_capacity(self.hops_cm.len()),
            runs: Vec::with_capacity(self.runs.len()),
            times: Vec::with_capacity(self.times.len()),
            connections: Vec::new(),
            calls_of: Vec::new(),
            hop_rules: Vec::new(),
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
            let rules = self.route_rules.get(span.clone()).unwrap_or_default();
            day.route_rules
                .extend(rules.iter().rev().map(|r| r.mirrored()));
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
            route_rules: Vec::new(),
            hops_cm: Vec::new(),
            runs: Vec::new(),
            times: Vec::new(),
            connections: Vec::new(),
            calls_of: Vec::new(),
            hop_rules: Vec::new(),
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

    /// Whether passengers may board a route at a position.
    #[inline]
    pub fn boards(&self, route: &Route, position: u32) -> bool {
        let rules = self.route_rules.get((route.first_stop + position) as usize);
        rules.is_none_or(|r| r.boards())
    }

    /// Whether passengers may leave a route at a position.
    #[inline]
    pub fn leaves(&self, route: &Route, position: u32) -> bool {
        let rules = self.route_rules.get((route.first_stop + position) as usize);
        rules.is_none_or(|r| r.leaves())
    }

    /// Whether one may board where a connection begins and leave where it ends.
    #[inline]
    pub fn hop_rules(&self, connection: usize) -> Rules {
        self.hop_rules
            .get(connection)
            .copied()
            .unwrap_or(Rules::OPEN)
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

    fn rules_of_hops(&self) -> Vec<Rules> {
        let hops = self.connections.iter().zip(&self.calls_of);
        let rules = hops.map(|(hop, &call)| {
            let route = &self.routes[self.runs[hop.run as usize].route as usize];
            let run = route.first_time + (hop.run - route.first_run) * route.len;
            let position = call - run;
            let (boards, leaves) = (
                self.boards(route, position),
                self.leaves(route, position + 1),
            );
            Rules::new(!boards, !leaves)
        });
        rules.collect()
    }

    fn index(&mut self, hops: bool, gate: &mut Gate<'_>) -> Result<(), Halt> {
        if hops {
            (self.connections, self.calls_of) = connections(self, gate)?;
            if !self.route_rules.is_empty() {
                gate.hold(self.connections.len() as u64)?;
                self.hop_rules = self.rules_of_hops();
            }
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
