//! What if: a line is cancelled, a trip is late, a vehicle is missed; and why not another line.

use std::collections::HashSet;

use serde::Serialize;

use crate::algo::{Profiles, Scan};
use crate::calendar::NoService;
use crate::day::Disruption;
use crate::journey::{Ends, Ride, Trail};
use crate::planner::Planner;
use crate::route::{CannotAsk, Question};
use crate::time::{DAY, NEVER, Time};
use crate::view::{Journey, tell};

/// A journey before and after something went wrong.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WhatIf {
    /// The journey as it would have been.
    pub before: Option<Journey>,
    /// The journey as it is.
    pub after: Option<Journey>,
    /// Minutes lost; none if there is no way any more.
    pub loss_minutes: Option<i32>,
    /// Stops that are reached later from the same start, worst first.
    pub losers: Vec<Loser>,
    /// How many stops are reached later.
    pub stops_later: usize,
    /// How many are not reached at all any more.
    pub stops_lost: usize,
}

/// A stop that is reached later than before.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Loser {
    /// Its name.
    pub stop: String,
    /// Minutes lost; none if it is not reached any more.
    pub loss_minutes: Option<i32>,
}

/// Why not this line: the best journey that uses it, beside the best one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WhyNot {
    /// The line that was asked about.
    pub line: String,
    /// The best journey.
    pub best: Option<Journey>,
    /// The best journey with the line.
    pub with: Option<Journey>,
    /// Minutes that the line costs.
    pub loss_minutes: Option<i32>,
    /// The reason in one word: `used`, `slower`, `unreachable`, `not-running`, `unknown-line`.
    pub reason: &'static str,
}

impl Planner {
    /// Lines of a name (several companies may use the same one).
    pub fn lines_named(&self, name: &str) -> Vec<u32> {
        (0u32..)
            .zip(&self.table.lines)
            .filter(|(_, l)| l.name.eq_ignore_ascii_case(name))
            .map(|(i, _)| i)
            .collect()
    }

    /// The same question with a disruption: who loses how much.
    pub fn what_if(
        &self,
        question: &Question,
        disruption: &Disruption,
    ) -> Result<WhatIf, WhatIfFailed> {
        let other = self.with_disruption(disruption)?;
        let before = self.route(question)?.journeys.into_iter().next();
        let after = other.route(question)?.journeys.into_iter().next();
        let (mut old, mut new) = (Scan::default(), Scan::default());
        let limit = question.at.0 + DAY;
        let old = old.everywhere(self.day(), &question.from, question.at.0, limit, &mut ());
        let new = new.everywhere(other.day(), &question.from, question.at.0, limit, &mut ());
        let mut later: Vec<(i32, u32)> = (0u32..)
            .zip(old.iter().zip(new))
            .filter(|(_, (old, new))| new > old && **old < limit)
            .map(|(stop, (old, new))| (if *new < NEVER { new - old } else { NEVER }, stop))
            .collect();
        later.sort_unstable_by_key(|&(loss, stop)| (std::cmp::Reverse(loss), stop));
        let losers: Vec<Loser> = later
            .iter()
            .map(|&(loss, stop)| Loser {
                stop: self.table.stop_name(stop).to_owned(),
                loss_minutes: (loss < NEVER).then(|| crate::view::minutes(loss)),
            })
            .collect();
        let loss = before
            .as_ref()
            .zip(after.as_ref())
            .map(|(b, a)| crate::view::minutes(a.arrival.0 - b.arrival.0));
        let stops_lost = losers.iter().filter(|l| l.loss_minutes.is_none()).count();
        let stops_later = losers.len();
        // A place with several posts is told once, by the post that loses most.
        let mut told = HashSet::new();
        let places = losers.into_iter().filter(|l| told.insert(l.stop.clone()));
        Ok(WhatIf {
            before,
            after,
            loss_minutes: loss,
            stops_lost,
            stops_later,
            losers: places.take(20).collect(),
        })
    }

    /// The journey after missing one of its vehicles: the passenger stands where they wanted to
    /// board it, and it has just left.
    pub fn what_if_missed(
        &self,
        journey: &Journey,
        leg: usize,
        to: &[u32],
    ) -> Result<WhatIf, WhatIfFailed> {
        let missed = journey
            .legs
            .get(leg)
            .filter(|l| l.trip.is_some())
            .ok_or(WhatIfFailed::NoSuchLeg(leg))?;
        let here = missed.stops[0].stop;
        let question = Question::new(vec![here], to.to_vec(), Time(missed.departure.0 + 1));
        let after = self.route(&question)?.journeys.into_iter().next();
        let loss = after
            .as_ref()
            .map(|a| crate::view::minutes(a.arrival.0 - journey.arrival.0));
        Ok(WhatIf {
            before: Some(journey.clone()),
            after,
            loss_minutes: loss,
            losers: Vec::new(),
            stops_later: 0,
            stops_lost: 0,
        })
    }

    /// Why the best journey does not use a line.
    pub fn why_not(&self, question: &Question, line: &str) -> Result<WhyNot, WhatIfFailed> {
        let best = self.route(question)?.journeys.into_iter().next();
        let lines = self.lines_named(line);
        let day = self.day();
        let mut answer = WhyNot {
            line: line.to_owned(),
            best,
            with: None,
            loss_minutes: None,
            reason: "slower",
        };
        if lines.is_empty() {
            answer.reason = "unknown-line";
            return Ok(answer);
        }
        if !day.routes.iter().any(|r| lines.contains(&r.line)) {
            answer.reason = "not-running";
            return Ok(answer);
        }
        let ends = Ends::new(day, &question.from, &question.to, question.at.0);
        let Some(trail) = self.with_line(&ends, &lines) else {
            answer.reason = "unreachable";
            return Ok(answer);
        };
        let mut with = tell(&self.table, day, &ends, &trail);
        with.cost = f64::from(with.total_minutes);
        answer.loss_minutes = answer
            .best
            .as_ref()
            .map(|b| crate::view::minutes(with.arrival.0 - b.arrival.0));
        if answer.loss_minutes == Some(0) {
            answer.reason = "used";
        }
        answer.with = Some(with);
        Ok(answer)
    }

    /// The earliest arrival of a journey that rides one of some lines: to every boarding of the
    /// line as early as possible, then by profile to the target from every stop it goes to.
    fn with_line(&self, ends: &Ends, lines: &[u32]) -> Option<Trail> {
        let day = self.day();
        let mut scan = Scan::default();
        let there = scan
            .everywhere(day, &ends.from, ends.at, NEVER, &mut ())
            .to_vec();
        let profiles = Profiles::new(day, &ends.to, ends.at);
        let mut best: Option<(i32, Ride)> = None;
        for (index, route) in (0u32..)
            .zip(&day.routes)
            .filter(|(_, r)| lines.contains(&r.line))
        {
            let stops = day.stops_of(index);
            for board in 0..stops.len() - 1 {
                if day.watch.over() {
                    return None;
                }
                if !day.boards(route, board as u32) {
                    continue;
                }
                // Readiness may be a little later than presence where changing takes time.
                let stop = stops[board];
                let ready = if ends.access.iter().any(|a| a.0 == stop) {
                    there[stop as usize]
                } else {
                    there[stop as usize].saturating_add(day.walks.change(stop))
                };
                let Some(run) = (ready < NEVER)
                    .then(|| day.board(route, board as u32, ready))
                    .flatten()
                else {
                    continue;
                };
                let calls = day.calls(run);
                for alight in (board + 1..stops.len()).filter(|&a| day.leaves(route, a as u32)) {
                    let arrival = calls[alight].arrival;
                    let leave = arrival
                        + if ends.to.contains(&stops[alight]) {
                            0
                        } else {
                            day.walks.change(stops[alight])
                        };
                    let end = profiles
                        .arrival(stops[alight], leave)
                        .min(arrival.saturating_add(profiles.on_foot(stops[alight])));
                    if end < NEVER && best.is_none_or(|b| end < b.0) {
                        best = Some((
                            end,
                            Ride {
                                run,
                                board: board as u32,
                                alight: alight as u32,
                            },
                        ));
                    }
                }
            }
        }
        let (arrival, ride) = best?;
        let stops = day.stops_of(day.runs[ride.run as usize].route);
        let to_line = Ends::new(day, &ends.from, &[stops[ride.board as usize]], ends.at);
        let mut rides = scan.earliest(day, &to_line, &mut ())?.rides;
        rides.push(ride);
        let left = day.calls(ride.run)[ride.alight as usize].arrival;
        let onwards = Ends::new(day, &[stops[ride.alight as usize]], &ends.to, left);
        if !ends
            .egress
            .iter()
            .any(|e| e.0 == stops[ride.alight as usize] && left + e.1 == arrival)
        {
            let after = Ends {
                at: left + day.walks.change(stops[ride.alight as usize]),
                ..onwards
            };
            rides.extend(scan.earliest(day, &after, &mut ())?.rides);
        }
        Some(Trail {
            arrival,
            rides: joined(rides),
        })
    }
}

/// Rides on from where one left the same vehicle are one ride.
fn joined(rides: Vec<Ride>) -> Vec<Ride> {
    let mut whole: Vec<Ride> = Vec::new();
    for ride in rides {
        match whole.last_mut() {
            Some(last) if last.run == ride.run && last.alight == ride.board => {
                last.alight = ride.alight;
            }
            _ => whole.push(ride),
        }
    }
    whole
}

/// Why a "what if" could not be answered.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WhatIfFailed {
    /// Nothing is left to run.
    #[error(transparent)]
    NoService(#[from] NoService),
    /// The question itself is wrong.
    #[error(transparent)]
    CannotAsk(#[from] CannotAsk),
    /// The journey has no such ride.
    #[error("the journey has no ride number {0}")]
    NoSuchLeg(usize),
}
