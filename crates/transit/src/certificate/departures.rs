//! Proof about many departures at once: the best of a whole day ([`crate::Planner::profile`]), and
//! all that can be reached within a time ([`crate::Planner::isochrone`]).
//!
//! Here a claim about a stop reads "whoever is ready here at this time has left the start no later
//! than that". Leaving later and being there earlier are both better, so the claims of a stop are
//! a front, both times rising, and aboard a vehicle only the latest departure matters. [`check`]
//! goes once over the hops and sees that none leads from one claim to something that no other
//! allows for, and that whatever comes to the target is no better than an answer. It shares no
//! code with the searches.

use serde::{Deserialize, Serialize};

use super::Flaw;
use crate::algo::Profiles;
use crate::day::Day;
use crate::journey::{Ends, Ride, Trail};
use crate::time::NEVER;

/// The longest window, and the longest way, that is proved: a week.
const MOST_MINUTES: i32 = 7 * 24 * 60;

/// When the passenger may leave.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Leaving {
    /// At any second from midnight on; there is one target, `to`.
    Any,
    /// At a time, and every minute of a window that begins then; every stop is a target of its
    /// own, if it can be reached soon enough.
    Minutes {
        /// The first departure, seconds of the day.
        at: i32,
        /// Minutes from the first departure to the last.
        window: i32,
        /// Minutes on the way that are still of interest.
        within: i32,
    },
}

/// The question, the claims, and the answers they prove.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Departures {
    /// Where the journeys start.
    pub from: Vec<u32>,
    /// Where they end; empty where every stop is a target.
    pub to: Vec<u32>,
    /// When they start.
    pub leaving: Leaving,
    /// How many days were laid out.
    pub days: i32,
    /// For each stop: ready to board here at the first time, one has left no later than the
    /// second. Both rise.
    pub claims: Vec<Vec<(i32, i32)>>,
    /// By target and departure, all that no other journey beats and that is faster than on foot.
    pub answers: Vec<Way>,
}

/// Target, departure, arrival, and rides (run, board, alight) of an answer.
pub type Way = (u32, i32, i32, Vec<(u32, u32, u32)>);

/// What was asked, ready to be looked up.
struct Frame<'c> {
    of: &'c Departures,
    /// Seconds to walk from the start to each stop.
    foot: Vec<i32>,
    /// Seconds to walk all the way to each target.
    walked: Vec<i32>,
    /// For each target the answers as (departure, arrival), both rising.
    fronts: Vec<Vec<(i32, i32)>>,
    /// First departure.
    first: i32,
    /// The longest way of interest, seconds.
    limit: i32,
}

impl<'c> Frame<'c> {
    fn new(day: &Day, of: &'c Departures) -> Result<Frame<'c>, Flaw> {
        let known = |stops: &[u32]| stops.iter().all(|&s| (s as usize) < day.stops);
        let time = |t: i32| (0..=NEVER).contains(&t);
        let minutes = |m: i32| (0..=MOST_MINUTES).contains(&m);
        let (first, limit) = match of.leaving {
            Leaving::Any => (0, NEVER),
            Leaving::Minutes { at, window, within }
                if time(at) && minutes(window) && minutes(within) =>
            {
                (at, within * 60)
            }
            Leaving::Minutes { .. } => return Err(Flaw::Shape),
        };
        let fits = (of.claims.len(), of.days) == (day.stops, day.days) && !day.is_mirror();
        let sane = of.claims.iter().all(|claims| {
            claims.iter().all(|c| time(c.0) && time(c.1))
                && claims.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1)
        });
        if !fits || !sane || !known(&of.from) || !known(&of.to) {
            return Err(Flaw::Shape);
        }
        let mut foot = vec![NEVER; day.stops];
        for &(stop, seconds, _) in &Ends::new(day, &of.from, &[], first).access {
            foot[stop as usize] = seconds;
        }
        let mut walked = foot.clone();
        let least = of.to.iter().map(|&s| foot[s as usize]).min();
        for &stop in &of.to {
            walked[stop as usize] = least.unwrap_or(NEVER);
        }
        let mut frame = Frame {
            of,
            foot,
            walked,
            fronts: vec![Vec::new(); day.stops],
            first,
            limit,
        };
        for (index, &(stop, departure, arrival, _)) in of.answers.iter().enumerate() {
            let goal = frame.goal(stop).filter(|&g| g == stop as usize);
            let Some(goal) =
                goal.filter(|_| frame.start(departure) == Some(departure) && time(arrival))
            else {
                return Err(Flaw::Answer(index));
            };
            let last = frame.fronts[goal].last();
            if last.is_some_and(|l| l.0 >= departure || l.1 >= arrival)
                || arrival - departure >= frame.walked[goal]
                || arrival - departure > frame.limit
            {
                return Err(Flaw::Spare(index));
            }
            frame.fronts[goal].push((departure, arrival));
        }
        Ok(frame)
    }

    /// The target that a stop belongs to: itself, or the first of those asked for.
    fn goal(&self, stop: u32) -> Option<usize> {
        match self.of.leaving {
            Leaving::Minutes { .. } => {
                ((stop as usize) < self.fronts.len()).then_some(stop as usize)
            }
            Leaving::Any if self.of.to.contains(&stop) => Some(self.of.to[0] as usize),
            Leaving::Any => None,
        }
    }

    /// The latest departure up to a time.
    fn start(&self, time: i32) -> Option<i32> {
        if time < self.first {
            return None;
        }
        Some(match self.of.leaving {
            Leaving::Any => time,
            Leaving::Minutes { window, .. } => {
                self.first + ((time - self.first) / 60).min(window) * 60
            }
        })
    }

    /// Whether an answer, or walking all the way, is as good.
    fn beaten(&self, goal: usize, time: i32, departure: i32) -> bool {
        let front = &self.fronts[goal];
        let later = front.partition_point(|a| a.0 < departure);
        time - departure >= self.walked[goal] || front.get(later).is_some_and(|a| a.1 <= time)
    }

    /// Whether nothing of interest comes of having left then and being on the way still.
    fn idle(&self, time: i32, departure: i32) -> bool {
        let one = match self.of.leaving {
            Leaving::Any => self.of.to.first(),
            Leaving::Minutes { .. } => None,
        };
        time - departure > self.limit
            || one.is_some_and(|&goal| self.beaten(goal as usize, time, departure))
    }

    /// Whether being ready at a stop needs no claim: idle, or one can leave as late and walk there.
    fn needless(&self, stop: usize, time: i32, departure: i32) -> bool {
        self.idle(time, departure) || self.start(time - self.foot[stop]) >= Some(departure)
    }

    /// The latest departure that the claims of a stop allow for.
    fn claimed(&self, stop: usize, time: i32) -> Option<i32> {
        let claims = &self.of.claims[stop];
        let begun = claims.partition_point(|c| c.0 <= time);
        claims[..begun].last().map(|c| c.1)
    }
}

/// Writes the certificate of some answers. They are proved if [`check`] says so.
///
/// The claims come from a profile scan of the mirrored day, in which the start is the target.
pub fn certify(day: &Day, mirror: &Day, mut asked: Departures) -> Departures {
    asked.days = day.days;
    asked.claims = vec![Vec::new(); day.stops];
    let mut claims = asked.claims.clone();
    // What makes no sense gets no claims, and does not hold.
    if let Ok(frame) = Frame::new(day, &asked) {
        let end = match asked.leaving {
            Leaving::Any => 0,
            Leaving::Minutes { at, window, within } => mirror.flip(at + (window + within) * 60),
        };
        let mut profiles = Profiles::default();
        profiles.fill(
            mirror,
            &asked.from,
            end.max(0),
            mirror.flip(frame.first) + 1,
        );
        for (stop, claims) in claims.iter_mut().enumerate() {
            for chance in profiles.leaving(stop as u32) {
                let time = mirror.flip(chance.departure);
                let left = frame.start(mirror.flip(chance.arrival));
                let last: Option<i32> = claims.last().map(|c: &(i32, i32)| c.1);
                if let Some(left) = left.filter(|_| left > last)
                    && !frame.needless(stop, time, left)
                {
                    claims.push((time, left));
                }
            }
        }
    }
    asked.claims = claims;
    asked
}

/// Checks a certificate against the day it is about.
///
/// # Complexity
/// One pass over the hops from the first departure on; each looks into the claims of a few stops.
pub fn check(day: &Day, c: &Departures) -> Result<(), Flaw> {
    let frame = Frame::new(day, c)?;
    // Ready to board, and at a target: what a hop leads to must be allowed for.
    let reach = |stop: u32, time: i32, departure: i32| {
        if frame.claimed(stop as usize, time) >= Some(departure)
            || frame.needless(stop as usize, time, departure)
        {
            return Ok(());
        }
        Err(Flaw::Missed {
            stop,
            departure,
            time,
        })
    };
    let end = |stop: u32, time: i32, departure: i32| match frame.goal(stop) {
        Some(goal) if time - departure <= frame.limit && !frame.beaten(goal, time, departure) => {
            Err(Flaw::Missed {
                stop,
                departure,
                time,
            })
        }
        _ => Ok(()),
    };
    // By call: the latest departure of those aboard when the vehicle comes to it.
    let mut aboard: Vec<Option<i32>> = vec![None; day.times.len()];
    let first = day.first_connection(frame.first);
    let hops = day.connections.iter().zip(&day.calls_of).enumerate();
    for (index, (hop, &call)) in hops.skip(first) {
        let from = hop.from as usize;
        let rules = day.hop_rules(index);
        let boarded = || {
            let started = frame.start(hop.departure - frame.foot[from]);
            started.max(frame.claimed(from, hop.departure))
        };
        let on = aboard[call as usize].max(rules.boards().then(boarded).flatten());
        let Some(left) = on.filter(|&left| !frame.idle(hop.arrival, left)) else {
            continue;
        };
        aboard[call as usize + 1] = on;
        if !rules.leaves() {
            continue;
        }
        end(hop.to, hop.arrival, left)?;
        reach(hop.to, hop.arrival + day.walks.change(hop.to), left)?;
        for walk in day.walks.from(hop.to) {
            end(walk.to, hop.arrival + walk.seconds, left)?;
            reach(walk.to, hop.arrival + walk.seconds, left)?;
        }
    }
    for (index, (stop, departure, arrival, rides)) in c.answers.iter().enumerate() {
        let to = match c.leaving {
            Leaving::Any => &c.to,
            Leaving::Minutes { .. } => &vec![*stop],
        };
        let ride = |&(run, board, alight): &(u32, u32, u32)| Ride { run, board, alight };
        let trail = Trail {
            arrival: *arrival,
            rides: rides.iter().map(ride).collect(),
        };
        if !trail.holds(day, &Ends::new(day, &c.from, to, *departure)) {
            return Err(Flaw::Answer(index));
        }
    }
    Ok(())
}
