//! Profile connection scan (Dibbelt et al. 2013): for every stop and every departure of the day
//! the earliest arrival at one target, in one pass over the hops from the last to the first.
//!
//! Invariant: when a hop is looked at, all journeys that depart later are known.

use crate::day::Day;
use crate::time::NEVER;

/// Leave a stop at or before `departure` and be at the target at `arrival`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chance {
    /// Latest moment to be at the stop.
    pub departure: i32,
    /// Arrival at the target.
    pub arrival: i32,
}

/// For every stop its chances, departures falling and arrivals falling.
#[derive(Clone, Debug, Default)]
pub struct Profiles {
    /// For someone who leaves a vehicle at the stop.
    leaving: Vec<Vec<Chance>>,
    /// For someone who starts there, where that differs (changing takes time somewhere).
    starting: Option<Vec<Vec<Chance>>>,
    /// Seconds to walk to the target.
    foot: Vec<i32>,
    aboard: Vec<i32>,
}

impl Profiles {
    /// The chances of all stops to reach a target, for departures from `from` on.
    pub fn new(day: &Day, to: &[u32], from: i32) -> Profiles {
        let mut profiles = Profiles::default();
        profiles.fill(day, to, from, NEVER);
        profiles
    }

    /// The same, reusing memory, with hops that depart before `until` only: arrivals up to that
    /// time are right, later ones may be missed.
    pub fn fill(&mut self, day: &Day, to: &[u32], from: i32, until: i32) {
        let ends = crate::journey::Ends::new(day, &[], to, from);
        self.foot.clear();
        self.foot.resize(day.stops, NEVER);
        for &(stop, seconds, _) in &ends.egress {
            self.foot[stop as usize] = seconds;
        }
        self.leaving.iter_mut().for_each(Vec::clear);
        self.leaving.resize(day.stops, Vec::new());
        let changes = (0..day.stops as u32).any(|s| day.walks.change(s) > 0);
        self.starting = changes.then(|| vec![Vec::new(); day.stops]);
        self.aboard.clear();
        self.aboard.resize(day.runs.len(), NEVER);
        let start = day.first_connection(from);
        let end = day.first_connection(until).max(start);
        for (scanned, hop) in day.connections[start..end].iter().rev().enumerate() {
            if day.watch.over_at(scanned) {
                break;
            }
            let rules = day.hop_rules(end - 1 - scanned);
            let to = hop.to as usize;
            let mut arrival = self.aboard[hop.run as usize];
            if rules.leaves() {
                let change = seek(&self.leaving[to], hop.arrival);
                arrival = arrival.min(hop.arrival + self.foot[to]).min(change);
            }
            if arrival >= NEVER {
                continue;
            }
            self.aboard[hop.run as usize] = arrival;
            if !rules.boards() {
                continue;
            }
            let own = Chance {
                departure: hop.departure,
                arrival,
            };
            if let Some(starting) = &mut self.starting {
                let known = add(&mut starting[hop.from as usize], own);
                if known {
                    for walk in day.walks.towards(hop.from) {
                        let departure = hop.departure - walk.seconds;
                        add(
                            &mut starting[walk.to as usize],
                            Chance { departure, arrival },
                        );
                    }
                }
            }
            let departure = hop.departure - day.walks.change(hop.from);
            if !add(
                &mut self.leaving[hop.from as usize],
                Chance { departure, arrival },
            ) && !changes
            {
                continue;
            }
            for walk in day.walks.towards(hop.from) {
                let departure = hop.departure - walk.seconds;
                add(
                    &mut self.leaving[walk.to as usize],
                    Chance { departure, arrival },
                );
            }
        }
    }

    /// The earliest arrival for someone who starts at a stop at a time.
    pub fn arrival(&self, stop: u32, time: i32) -> i32 {
        let s = stop as usize;
        let list = self
            .starting
            .as_ref()
            .map_or(&self.leaving[s], |starting| &starting[s]);
        seek_far(list, time).min(time.saturating_add(self.foot[s]))
    }

    /// The chances of someone who starts at a stop, first departure first, walks excluded.
    pub fn chances(&self, stop: u32) -> impl Iterator<Item = Chance> + '_ {
        let s = stop as usize;
        self.starting
            .as_ref()
            .map_or(&self.leaving[s], |starting| &starting[s])
            .iter()
            .rev()
            .copied()
    }

    /// The chances of someone who leaves a vehicle at a stop, last departure first.
    pub fn leaving(&self, stop: u32) -> &[Chance] {
        &self.leaving[stop as usize]
    }

    /// Seconds to walk from a stop to the target ([`NEVER`] if nobody can).
    pub fn on_foot(&self, stop: u32) -> i32 {
        self.foot[stop as usize]
    }

    /// How many chances all stops have.
    pub fn len(&self) -> usize {
        self.leaving.iter().map(Vec::len).sum()
    }

    /// Whether no stop can reach the target by vehicle.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The arrival of the chance with the earliest departure not before a time; the list is scanned
/// from its end, where times near the current hop are.
#[inline]
fn seek(list: &[Chance], time: i32) -> i32 {
    list.iter()
        .rev()
        .find(|c| c.departure >= time)
        .map_or(NEVER, |c| c.arrival)
}

fn seek_far(list: &[Chance], time: i32) -> i32 {
    let count = list.partition_point(|c| c.departure >= time);
    list[..count].last().map_or(NEVER, |c| c.arrival)
}

/// Adds a chance unless a later departure arrives no later; false if it was useless.
#[inline]
fn add(list: &mut Vec<Chance>, new: Chance) -> bool {
    // Behind it in the list are earlier departures; those that arrive no earlier are useless now.
    let mut at = list.len();
    while at > 0 && list[at - 1].departure < new.departure {
        at -= 1;
    }
    if at > 0 && list[at - 1].arrival <= new.arrival {
        return false;
    }
    let same = usize::from(at > 0 && list[at - 1].departure == new.departure);
    let useless = list[at..]
        .iter()
        .take_while(|c| c.arrival >= new.arrival)
        .count();
    if useless == 0 && same == 0 && at == list.len() {
        list.push(new);
    } else {
        list.splice(at - same..at + useless, [new]);
    }
    true
}
