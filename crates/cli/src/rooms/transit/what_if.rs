//! What if a line is cancelled or late, or a vehicle missed; and why not another line.

use std::fmt::Write;

use anyhow::Result;
use wits_transit::{Disruption, Planner, Question};

use super::args::{WhatIfArgs, WhyNotArgs};
use super::feed::problem;
use super::place;
use super::tell::journey;
use crate::Answer;
use crate::out::Out;
use crate::problem::Problem;

/// `LINE=MINUTES`
pub(super) fn delay(text: &str) -> Result<(String, i32), String> {
    text.rsplit_once('=')
        .and_then(|(line, minutes)| Some((line.to_owned(), minutes.parse().ok()?)))
        .filter(|(_, minutes)| (0..=1440).contains(minutes))
        .ok_or_else(|| "write a line and minutes, such as 4=10".to_owned())
}

/// The lines of a name, or a problem that names it.
fn lines(planner: &Planner, name: &str) -> Result<Vec<u32>> {
    let lines = planner.lines_named(name);
    if lines.is_empty() {
        let hint = "`wits transit stops NAME` shows which lines call there";
        let message = format!("there is no line `{name}`");
        return Err(Problem::new("unknown-line", message, hint).into());
    }
    Ok(lines)
}

pub(super) fn what_if(args: &WhatIfArgs, out: &Out) -> Result<Answer> {
    let planner = args.feed.planner()?;
    let question = Question::new(
        place(&planner, &args.from)?,
        place(&planner, &args.to)?,
        args.at,
    );
    let failed = |e: wits_transit::WhatIfFailed| problem("cannot-ask", &e.to_string());
    // The vehicles of the best journey: its legs, and those of them that are rides.
    let ridden = || -> Result<(wits_transit::Journey, Vec<usize>)> {
        let best = planner.route(&question).map_err(|e| failed(e.into()))?;
        let Some(best) = best.journeys.into_iter().next() else {
            let hint = "ask `wits transit route` first";
            return Err(Problem::new("no-way", "there is no journey to miss", hint).into());
        };
        let rides = (0..best.legs.len()).filter(|&leg| best.legs[leg].trip.is_some());
        let rides = rides.collect();
        Ok((best, rides))
    };
    let no_ride = |rides: usize, number: &str| -> anyhow::Error {
        let message = format!("the journey has {rides} vehicles, no number {number}");
        Problem::new("no-ride", message, "count from 1").into()
    };
    let told = if let Some(ride) = args.miss {
        let (best, rides) = ridden()?;
        let leg = ride.checked_sub(1).and_then(|ride| rides.get(ride));
        let leg = *leg.ok_or_else(|| no_ride(rides.len(), &ride.to_string()))?;
        planner
            .what_if_missed(&best, leg, &question.to)
            .map_err(failed)?
    } else {
        let mut disruption = Disruption::default();
        for name in &args.cancel {
            disruption.cancelled_lines.extend(lines(&planner, name)?);
        }
        for (name, minutes) in &args.delay {
            let late = lines(&planner, name)?;
            let table = &planner.table;
            let trips = (0u32..).zip(&table.trips);
            disruption.delays.extend(
                trips
                    .filter(|(_, t)| late.contains(&table.patterns[t.pattern as usize].line))
                    .map(|(trip, _)| (trip, 0, minutes * 60)),
            );
        }
        if let Some((number, minutes)) = &args.late {
            let (best, rides) = ridden()?;
            let ride = number.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
            let leg = ride.and_then(|ride| rides.get(ride));
            let leg = *leg.ok_or_else(|| no_ride(rides.len(), number))?;
            let trip = best.legs[leg].trip;
            disruption
                .delays
                .extend(trip.map(|trip| (trip, 0, minutes * 60)));
        }
        planner.what_if(&question, &disruption).map_err(failed)?
    };
    out.tell(&told, || {
        let one = |name: &str, found: Option<&wits_transit::Journey>| {
            format!(
                "{name}: {}",
                found.map_or("no way\n".to_owned(), |j| journey(j, false))
            )
        };
        let mut text = one("before", told.before.as_ref()) + &one("after", told.after.as_ref());
        let _ = match told.loss_minutes {
            Some(lost) => writeln!(text, "{lost} minutes lost"),
            None => writeln!(text, "there is no way any more"),
        };
        if told.stops_later + told.stops_lost > 0 {
            let _ = writeln!(
                text,
                "from the same start {} stops are reached later, {} not at all; worst:",
                told.stops_later, told.stops_lost
            );
        }
        told.losers.iter().take(10).fold(text, |text, loser| {
            let lost = loser
                .loss_minutes
                .map_or("not reached".to_owned(), |m| format!("{m} min"));
            text + &format!("  {lost:>12}  {}\n", loser.stop)
        })
    })?;
    Ok(Answer::Yes)
}

pub(super) fn why_not(args: &WhyNotArgs, out: &Out) -> Result<Answer> {
    let planner = args.feed.planner()?;
    let (from, to) = (place(&planner, &args.from)?, place(&planner, &args.to)?);
    lines(&planner, &args.line)?;
    let told = planner
        .why_not(&Question::new(from, to, args.at), &args.line)
        .map_err(|e| problem("cannot-ask", &e.to_string()))?;
    out.tell(&told, || {
        let why = match (told.reason, told.loss_minutes) {
            ("used", _) => "the best journey uses it".to_owned(),
            ("slower", Some(lost)) => format!("it costs {lost} minutes more"),
            ("not-running", _) => "it does not run on this day".to_owned(),
            _ => "nobody gets there with it".to_owned(),
        };
        let mut text = format!("line {}: {why}\n", told.line);
        for (name, found) in [("best", &told.best), ("with it", &told.with)] {
            if let Some(found) = found {
                let _ = write!(text, "{name}: {}", journey(found, false));
            }
        }
        text
    })?;
    Ok(Answer::Yes)
}
