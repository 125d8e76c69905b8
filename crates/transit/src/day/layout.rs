//! Runs of a day as routes: groups of which none overtakes another.

use std::collections::HashMap;

use super::{Call, Disruption, LiveRun, Route, Run};
use crate::limits::{Gate, Halt};
use crate::rules::Rules;
use crate::time::Date;
use crate::timetable::Timetable;

/// Runs (trip and day) that do not overtake each other, their calls, and who may board and leave.
struct Chain {
    runs: Vec<(u32, i32)>,
    times: Vec<Call>,
    rules: Vec<Rules>,
}

/// A run that is to be laid out: pattern, start, trip, day.
pub(super) type Planned = (u32, i32, u32, i32);

/// What does not run as it should, ready to be looked up.
pub(super) struct Changed<'d> {
    /// By trip: from which position on how many seconds late.
    delays: HashMap<u32, Vec<(u32, i32)>>,
    /// By trip and day.
    live: HashMap<(u32, i32), &'d LiveRun>,
}

impl<'d> Changed<'d> {
    /// What changes on the days around a date.
    pub(super) fn new(disruption: &'d Disruption, date: Option<Date>) -> Changed<'d> {
        let mut delays: HashMap<u32, Vec<(u32, i32)>> = HashMap::new();
        for &(trip, from, seconds) in &disruption.delays {
            delays.entry(trip).or_default().push((from, seconds));
        }
        let day = |run: &LiveRun| match (run.date, date) {
            (Some(on), Some(date)) => on.0 - date.0,
            _ => 0,
        };
        let live = disruption.live.iter();
        let live = live.map(|run| ((run.trip, day(run)), run)).collect();
        Changed { delays, live }
    }

    /// Whether a run is called off.
    pub(super) fn cancelled(&self, trip: u32, day: i32) -> bool {
        self.live.get(&(trip, day)).is_some_and(|run| run.cancelled)
    }

    fn is_empty(&self) -> bool {
        self.delays.is_empty() && self.live.is_empty()
    }

    /// Moves the calls of a run, and says which of them the vehicle passes.
    fn apply(&self, trip: u32, day: i32, calls: &mut [Call]) -> &'d [u32] {
        for &(from, seconds) in self
            .delays
            .get(&trip)
            .filter(|_| day == 0)
            .into_iter()
            .flatten()
        {
            for (position, call) in calls.iter_mut().enumerate() {
                if position >= from as usize {
                    call.departure += seconds;
                }
                if position > from as usize {
                    call.arrival += seconds;
                }
            }
        }
        let Some(run) = self.live.get(&(trip, day)) else {
            return &[];
        };
        let mut before = i32::MIN;
        for (call, late) in calls.iter_mut().zip(&run.late) {
            // A vehicle is never ahead of itself, whatever the feed says.
            call.arrival = (call.arrival + late.0).max(before);
            call.departure = (call.departure + late.1).max(call.arrival);
            before = call.departure;
        }
        &run.passed
    }
}

/// The arrays of routes, growing pattern by pattern.
#[derive(Default)]
pub(super) struct Layout {
    pub(super) routes: Vec<Route>,
    pub(super) route_stops: Vec<u32>,
    pub(super) route_rules: Vec<Rules>,
    pub(super) hops_cm: Vec<u32>,
    pub(super) runs: Vec<Run>,
    pub(super) times: Vec<Call>,
}

impl Layout {
    /// Splits the runs of one pattern into routes without overtaking. `group` is sorted by start.
    pub(super) fn pattern(
        &mut self,
        table: &Timetable,
        group: &[Planned],
        changed: &Changed<'_>,
        gate: &mut Gate<'_>,
    ) -> Result<(), Halt> {
        let pattern = group[0].0;
        let len = table.patterns[pattern as usize].len as usize;
        let usual = table.rules_of(pattern);
        let mut chains: Vec<Chain> = Vec::new();
        let mut calls: Vec<Call> = Vec::with_capacity(len);
        let timed = |&(_, start, trip, day): &Planned, calls: &mut Vec<Call>| {
            let run = table.trips[trip as usize].run as usize;
            calls.clear();
            calls.extend(table.runs[run..run + len].iter().map(|&(a, d)| Call {
                arrival: start + a,
                departure: start + d,
            }));
            changed.apply(trip, day, calls)
        };
        let mut order: Vec<usize> = (0..group.len()).collect();
        if !changed.is_empty() {
            // By when they really leave, so that few late runs need routes of their own.
            let leaves = |&i: &usize| {
                timed(&group[i], &mut calls);
                (calls[0].departure, i)
            };
            order.sort_by_cached_key(leaves);
        }
        for i in order {
            let (_, _, trip, day) = group[i];
            gate.work(len as u64)?;
            let passed = timed(&group[i], &mut calls);
            let mut rules = usual.to_vec();
            if !passed.is_empty() {
                rules.resize(len, Rules::OPEN);
                for &position in passed {
                    if let Some(rule) = rules.get_mut(position as usize) {
                        *rule = Rules::PASSED;
                    }
                }
            }
            let follows = |chain: &Chain| {
                let last = &chain.times[chain.times.len() - len..];
                let mut pairs = last.iter().zip(&calls);
                chain.rules == rules
                    && pairs.all(|(a, b)| a.arrival <= b.arrival && a.departure <= b.departure)
            };
            let mut free = None;
            for (at, chain) in chains.iter().enumerate() {
                gate.work(1 + len as u64 / 8)?;
                if follows(chain) {
                    free = Some(at);
                    break;
                }
            }
            match free {
                Some(at) => {
                    chains[at].runs.push((trip, day));
                    chains[at].times.extend_from_slice(&calls);
                }
                None => chains.push(Chain {
                    runs: vec![(trip, day)],
                    times: calls.clone(),
                    rules,
                }),
            }
        }
        let stops = table.stops_of(pattern);
        for Chain { runs, times, rules } in chains {
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
            self.route_rules.extend(rules);
            self.route_rules.resize(self.route_stops.len(), Rules::OPEN);
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
