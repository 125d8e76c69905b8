//! Searches for a journey: places are reached from places, later than these, and settled as they were reached.

use std::collections::HashMap;

use wits_game::Message;
use wits_search::{Kind, Line};

use super::super::claim::{Known, number};
use super::super::{name, sentence};
use super::Laws;
use super::places::Places;
use crate::WORDS;

/// A search for a journey, as far as its thread has come.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says one thing of how the search works"
)]
pub(super) struct Journey {
    /// The order in which places are settled.
    order: Order,
    /// Only the earliest arrival at a place counts; others keep several that differ in changes.
    earliest: bool,
    /// Places are settled when somebody departs from there, at a time after they were reached.
    waits: bool,
    /// The most that a step adds to the cost: one change or round, or any length of a way.
    most: f64,
    /// The most that any step has cost so far. Steps that join trips come round by round.
    round: f64,
    /// Its steps join stretches of trips, not places.
    trips: bool,
    /// Nothing was left out of the thread.
    whole: bool,
    /// The times at which each place can be reached, as told so far.
    times: HashMap<String, Vec<f64>>,
    /// With how many changes or in which round, where the search counts them.
    costs: HashMap<String, Vec<f64>>,
    relaxed: bool,
    /// The greatest costs at which places were settled, from each of them on: how many places had been settled, and the cost.
    peaks: Vec<(usize, f64)>,
    /// How many places have been settled, in all and when each place was last reached.
    settled: usize,
    queued: HashMap<String, usize>,
    /// What every answer costs that was found, and its time.
    answers: Vec<(f64, f64)>,
    /// Whoever must be there by a time is looked for from the target backwards: all laws hold for the times with another sign.
    sign: f64,
    /// The way on foot counts, too, and no step tells it: what is later and costs more may be an answer of its own.
    walking: bool,
    places: Places,
    /// When it starts and arrives, and of how many stretches the journey that was found consists.
    start: Option<f64>,
    arrival: Option<f64>,
    stretches: usize,
}

/// The order in which a search settles places.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// By cost, which never falls.
    Cost,
    /// By cost and an estimate of the rest. Where it overrates the rest, the sum falls from one place to the next.
    Estimate,
    /// By something else.
    Other,
}

impl Journey {
    pub(super) fn new(by: &str, whole: bool) -> Journey {
        let is = |name: &str| by == name || by.starts_with(&format!("{name}:"));
        let order = if is("dijkstra") {
            Order::Cost
        } else if is("astar") {
            Order::Estimate
        } else {
            Order::Other
        };
        let sweeps = is("sweep") || is("bags");
        let waits = sweeps || (order != Order::Other && by.contains("graph=expanded"));
        Journey {
            order,
            earliest: !waits && !is("tripbased"),
            waits,
            most: 1.0,
            round: 0.0,
            trips: is("tripbased"),
            whole,
            times: HashMap::new(),
            costs: HashMap::new(),
            relaxed: false,
            peaks: Vec::new(),
            settled: 0,
            queued: HashMap::new(),
            answers: Vec::new(),
            sign: 1.0,
            walking: false,
            places: Places::default(),
            start: None,
            arrival: None,
            stretches: 0,
        }
    }

    /// Whether a place is settled in its turn. Until then it waits among others from when it was last reached, and none of
    /// these that was settled before it cost more.
    fn in_turn(&mut self, node: &str, cost: f64) -> bool {
        let since = match self.order {
            Order::Cost => 0,
            Order::Estimate => self.queued.get(node).copied().unwrap_or(0),
            Order::Other => return true,
        };
        let later = self.peaks.partition_point(|&(at, _)| at < since);
        let in_turn = self.peaks.get(later).is_none_or(|&(_, peak)| peak <= cost);
        while self.peaks.last().is_some_and(|&(_, peak)| peak <= cost) {
            self.peaks.pop();
        }
        self.peaks.push((self.settled, cost));
        self.settled += 1;
        in_turn
    }

    /// A place is reached from another, no earlier than that one.
    fn relax(&mut self, line: &Line, node: String, time: f64) -> Result<Known, Message> {
        self.relaxed = true;
        let from = name(&line.data, "from").and_then(|from| self.times.get(&from));
        let before = |times: &Vec<f64>| times.iter().any(|&from| from <= time);
        let follows = match from {
            Some(times) if !self.trips => before(times),
            None if !self.trips => false,
            // Somebody may walk to another post of the same name, which no step tells.
            _ => self.times.iter().any(|(other, times)| {
                let label = self.places.called(other);
                *other != node
                    && label.is_some_and(|label| line.text.contains(label))
                    && before(times)
            }),
        };
        self.times.entry(node.clone()).or_default().push(time);
        self.queued.insert(node.clone(), self.settled);
        if !self.counts(line, node) && self.whole {
            return Err(WORDS.say("desk-cost").with("step", line.text.as_str()));
        }
        if follows {
            Ok(Known::Checked)
        } else if self.trips || !self.whole {
            Ok(Known::Trusted)
        } else {
            Err(WORDS.say("desk-from").with("step", line.text.as_str()))
        }
    }

    /// A place is reached at the cost of another, or as much more as one step may add; by a trip in the round that is going on,
    /// or in the next.
    fn counts(&mut self, line: &Line, node: String) -> bool {
        let Some(cost) = number(line.data.get("cost")).filter(|_| self.order == Order::Other)
        else {
            return true;
        };
        let adds = |from: &f64| (0.0..=self.most).contains(&(cost - from));
        let from = name(&line.data, "from").and_then(|from| self.costs.get(&from));
        let follows = if self.trips {
            adds(&self.round)
        } else {
            from.is_none_or(|costs| costs.iter().any(adds))
        };
        self.round = self.round.max(cost);
        self.costs.entry(node).or_default().push(cost);
        follows && cost >= 0.0
    }

    /// A place is settled at a time at which it was reached; the sources are there from the start.
    fn visit(&mut self, line: &Line, node: String, time: f64) -> Result<Known, Message> {
        let cost = number(line.data.get("cost"));
        // The step that reached the place anew may have been left out.
        let skipped = self.order == Order::Estimate && !self.whole;
        if cost.is_some_and(|cost| !self.in_turn(&node, cost)) && !skipped {
            return Err(WORDS.say("desk-key").with("step", line.text.as_str()));
        }
        let known = self.times.get(&node);
        let told = known.is_some_and(|times| {
            let earliest = times.iter().copied().fold(f64::INFINITY, f64::min);
            same(earliest, time)
                || (self.waits && earliest <= time)
                || (!self.earliest && times.iter().any(|&t| same(t, time)))
        });
        let source = known.is_none();
        let cost = cost.filter(|_| self.order == Order::Other);
        let costs = self.costs.entry(node.clone()).or_default();
        if let Some(cost) = cost {
            if source {
                costs.push(cost);
            } else if told_before(costs, cost) && self.whole && !self.trips {
                return Err(WORDS.say("desk-cost").with("step", line.text.as_str()));
            }
        }
        if self.waits {
            // Whoever waits there for a departure may wait for the next.
            self.queued.insert(node.clone(), self.settled);
        }
        self.times.entry(node).or_default().push(time);
        if told || (source && !self.relaxed) {
            return Ok(Known::Checked);
        }
        // Another source, where one may also come by from elsewhere, or its step was left out.
        let sourced = self.order != Order::Other && (source || self.waits);
        if !self.whole || sourced || self.trips {
            return Ok(Known::Trusted);
        }
        Err(WORDS.say("desk-visit").with("step", line.text.as_str()))
    }

    /// The journey goes through places that were reached, and never back in time.
    fn choose(&self, line: &Line) -> Result<Known, Message> {
        if let Some(time) = number(line.data.get("time")) {
            return if self.answers.is_empty() {
                Ok(Known::Trusted)
            } else if self.best(self.sign * time) {
                Ok(Known::Checked)
            } else {
                Err(WORDS.say("desk-arrival").with("step", line.text.as_str()))
            };
        }
        let Some(places) = line.data.get("line").and_then(|line| line.as_array()) else {
            return Ok(Known::Trusted);
        };
        if self.trips || !self.whole {
            return Ok(Known::Trusted);
        }
        let wrong = || Err(WORDS.say("desk-line").with("step", line.text.as_str()));
        let backwards = self.sign < 0.0;
        let ends = if backwards {
            (places.last(), places.first())
        } else {
            (places.first(), places.last())
        };
        // A vehicle may pass a place later than it could be reached, never sooner.
        let (mut soonest, mut known) = (f64::NEG_INFINITY, Known::Checked);
        for place in places {
            let Some(times) = self.times.get(&place.to_string()) else {
                // Nobody gets off at some places that a vehicle passes, and some searches do not tell the walks at both ends.
                if self.earliest && (ends.0 == Some(place) || ends.1 == Some(place)) {
                    return wrong();
                }
                known = Known::Trusted;
                continue;
            };
            let first = times.iter().copied().fold(f64::INFINITY, f64::min);
            soonest = soonest.max(first);
        }
        // Nothing of a walk from start to end need be told; a way of several stretches goes through places that were.
        if soonest.is_infinite() && !matches!(places.len(), 0 | 2) {
            return wrong();
        }
        let name = if backwards { "departure" } else { "value" };
        let Some(end) = number(line.data.get(name)).map(|time| self.sign * time) else {
            return Ok(known);
        };
        let there = ends.1.and_then(|end| self.times.get(&end.to_string()));
        let told = there.is_some_and(|times| times.iter().any(|&t| same(t, end)));
        let told = told || !self.earliest;
        let answers = &self.answers;
        let found = answers.is_empty() || answers.iter().any(|answer| same(answer.1, end));
        match end >= soonest {
            true if told && found => Ok(known),
            // Only the earliest arrival bounds every way: another may pass a place sooner than this search came there.
            false if !self.earliest && found => Ok(Known::Trusted),
            _ => wrong(),
        }
    }

    /// Whether an answer of this time was found, and none both sooner and cheaper.
    fn best(&self, time: f64) -> bool {
        let mut at = self.answers.iter().filter(|answer| same(answer.1, time));
        let beaten = |&(cost, _): &(f64, f64)| {
            let mut others = self.answers.iter();
            others.any(|other| other.0 <= cost && other.1 < time - 0.5)
        };
        at.any(|answer| !beaten(answer))
    }
}

impl Laws for Journey {
    fn step(&mut self, line: &Line) -> Result<Known, Message> {
        if line.data.get("backwards").is_some() {
            self.sign = -1.0;
        }
        let told = number(line.data.get("time"));
        let time = told.map(|time| self.sign * time);
        let at = name(&line.data, "node").zip(time);
        self.places.meet(line)?;
        match line.kind {
            // The first remark says when; without it, the first place that was reached.
            Kind::Note | Kind::Visit => self.start = self.start.or(told),
            Kind::Choose => {
                // The way that was found says its arrival, and when one leaves who had to be there by a time.
                let way = line.data.contains_key("line");
                let arrival = number(line.data.get("value")).filter(|_| way);
                self.arrival = told.or(arrival).or(self.arrival);
                self.start = number(line.data.get("departure")).or(self.start);
                let times = line.text.match_indices(':').count();
                self.stretches = self.stretches.max(times);
            }
            _ => {}
        }
        if line.data.get("shortest").is_some() {
            // Costs are lengths.
            self.most = f64::INFINITY;
        }
        if line.data.get("walking").is_some() {
            self.walking = true;
            self.earliest = false;
        }
        let known = match (line.kind, at) {
            (Kind::Relax, Some((node, time))) => self.relax(line, node, time),
            (Kind::Visit, Some((node, time))) => self.visit(line, node, time),
            (Kind::Improve, _) => {
                let cost = number(line.data.get("value")).unwrap_or(0.0);
                let beaten = |time: f64| {
                    let mut answers = self.answers.iter();
                    answers.any(|answer| answer.0 <= cost && answer.1 <= time)
                };
                if !self.walking && time.is_some_and(beaten) {
                    return Err(WORDS.say("desk-improve").with("step", line.text.as_str()));
                }
                self.answers.extend(time.map(|time| (cost, time)));
                Ok(Known::Trusted)
            }
            (Kind::Choose, _) => self.choose(line),
            _ => Ok(Known::Trusted),
        }?;
        if told.is_some_and(|time| !sentence::holds_time(&line.text, time)) {
            return Err(sentence::wrong(line));
        }
        Ok(known)
    }

    /// How long the journey takes, and how often one may change on it.
    fn told(&self) -> Vec<f64> {
        let mut told: Vec<f64> = (0..self.stretches).map(|n| n as f64).collect();
        if let (Some(start), Some(arrival)) = (self.start, self.arrival) {
            // Begun minutes may count as whole ones.
            for minutes in [
                ((arrival - start) / 60.0).floor(),
                ((arrival - start) / 60.0).ceil(),
            ] {
                told.extend([minutes, (minutes / 60.0).floor(), minutes.rem_euclid(60.0)]);
            }
        }
        told
    }
}

/// Whether a place was reached before, and never at this cost.
fn told_before(costs: &[f64], cost: f64) -> bool {
    !costs.is_empty() && !costs.iter().any(|&told| same(told, cost))
}

/// Times are whole seconds.
fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < 0.5
}
