//! Searches for a journey: places are reached from places, later than these, and settled as they were reached.

use std::collections::HashMap;

use wits_game::Message;
use wits_search::{Kind, Line};

use super::super::claim::{Known, number};
use super::super::{name, sentence};
use super::Laws;
use crate::WORDS;

/// A search for a journey, as far as its thread has come.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says one thing of how the search works"
)]
pub(super) struct Journey {
    /// Nearest first, so what is settled is never nearer than what was settled before.
    nearest_first: bool,
    /// Only the earliest arrival at a place counts; others keep several that differ in changes.
    earliest: bool,
    /// Its steps join stretches of trips, not places.
    trips: bool,
    /// Nothing was left out of the thread.
    whole: bool,
    /// The times at which each place can be reached, as told so far.
    times: HashMap<String, Vec<f64>>,
    /// With how many changes or in which round, where the search counts them.
    costs: HashMap<String, Vec<f64>>,
    relaxed: bool,
    key: f64,
    improved: Option<f64>,
}

impl Journey {
    pub(super) fn new(by: &str, whole: bool) -> Journey {
        let is = |name: &str| by == name || by.starts_with(&format!("{name}:"));
        Journey {
            nearest_first: is("dijkstra") || is("astar"),
            earliest: !is("sweep") && !is("tripbased") && !is("bags"),
            trips: is("tripbased"),
            whole,
            times: HashMap::new(),
            costs: HashMap::new(),
            relaxed: false,
            key: f64::NEG_INFINITY,
            improved: None,
        }
    }

    /// A place is reached from another, no earlier than that one.
    fn relax(&mut self, line: &Line, node: String, time: f64) -> Result<Known, Message> {
        self.relaxed = true;
        let from = name(&line.data, "from").and_then(|from| self.times.get(&from));
        let follows = from.is_some_and(|times| times.iter().any(|&from| from <= time));
        self.times.entry(node.clone()).or_default().push(time);
        if !self.counts(line, node) {
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

    /// A place is reached with as many changes as another, or one more.
    fn counts(&mut self, line: &Line, node: String) -> bool {
        let Some(cost) = number(line.data.get("cost")).filter(|_| !self.nearest_first) else {
            return true;
        };
        let from = name(&line.data, "from").and_then(|from| self.costs.get(&from));
        let follows = from.is_none_or(|costs| {
            let mut steps = costs.iter().map(|from| cost - from);
            steps.any(|more| (0.0..=1.0).contains(&more))
        });
        self.costs.entry(node).or_default().push(cost);
        follows && cost >= 0.0
    }

    /// A place is settled at a time at which it was reached; the sources are there from the start.
    fn visit(&mut self, line: &Line, node: String, time: f64) -> Result<Known, Message> {
        let key = number(line.data.get("cost")).filter(|_| self.nearest_first);
        if let Some(key) = key {
            if key < self.key {
                return Err(WORDS.say("desk-key").with("step", line.text.as_str()));
            }
            self.key = key;
        }
        let known = self.times.get(&node);
        let told = known.is_some_and(|times| {
            let earliest = times.iter().copied().fold(f64::INFINITY, f64::min);
            same(earliest, time) || (!self.earliest && times.iter().any(|&t| same(t, time)))
        });
        let source = known.is_none();
        let cost = number(line.data.get("cost")).filter(|_| !self.nearest_first);
        let costs = self.costs.entry(node.clone()).or_default();
        if let Some(cost) = cost {
            if source {
                costs.push(cost);
            } else if told_before(costs, cost) {
                return Err(WORDS.say("desk-cost").with("step", line.text.as_str()));
            }
        }
        self.times.entry(node).or_default().push(time);
        if told || (source && !self.relaxed) {
            return Ok(Known::Checked);
        }
        if !self.whole || (source && self.nearest_first) || self.trips {
            // Another source, or its step was left out.
            return Ok(Known::Trusted);
        }
        Err(WORDS.say("desk-visit").with("step", line.text.as_str()))
    }

    /// The journey goes through places that were reached, and never back in time.
    fn choose(&self, line: &Line) -> Result<Known, Message> {
        let time = number(line.data.get("time"));
        if let (Some(time), Some(improved)) = (time, self.improved) {
            return if same(time, improved) {
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
        let mut now = f64::NEG_INFINITY;
        for place in places {
            let times = self.times.get(&place.to_string()).into_iter().flatten();
            let next = times.copied().filter(|&t| t >= now);
            now = next.fold(f64::INFINITY, f64::min);
        }
        let arrival = number(line.data.get("value"));
        if now.is_finite() && arrival.is_none_or(|arrival| same(arrival, now) || !self.earliest) {
            Ok(Known::Checked)
        } else {
            Err(WORDS.say("desk-line").with("step", line.text.as_str()))
        }
    }
}

impl Laws for Journey {
    fn step(&mut self, line: &Line) -> Result<Known, Message> {
        let time = number(line.data.get("time"));
        let at = name(&line.data, "node").zip(time);
        let known = match (line.kind, at) {
            (Kind::Relax, Some((node, time))) => self.relax(line, node, time),
            (Kind::Visit, Some((node, time))) => self.visit(line, node, time),
            (Kind::Improve, _) => {
                let time = number(line.data.get("time"));
                if let (Some(time), Some(before)) = (time, self.improved)
                    && time >= before
                {
                    return Err(WORDS.say("desk-improve").with("step", line.text.as_str()));
                }
                self.improved = time.or(self.improved);
                Ok(Known::Trusted)
            }
            (Kind::Choose, _) => self.choose(line),
            _ => Ok(Known::Trusted),
        }?;
        if time.is_some_and(|time| !sentence::holds_time(&line.text, time)) {
            return Err(sentence::wrong(line));
        }
        Ok(known)
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
