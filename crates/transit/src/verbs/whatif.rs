//! `transit whatif`: a line is cancelled or late, a vehicle is late or missed.

use wits_desk::{Answer, Args, Block, Cell, Cost, Param, Refusal, Served, Table, Verb};
use wits_game::Message;

use super::{
    ask, at_param, ends, feed, heads, lasting, place, refusal, show, time, whole, with_feed,
};
use crate::ask::Objective;
use crate::day::Disruption;
use crate::planner::Planner;
use crate::route::Question;
use crate::thread::WORDS;
use crate::view::Journey;
use crate::whatif::{WhatIf, WhatIfFailed};

pub(super) fn verb() -> Verb {
    let [from, to] = ends();
    let own = [
        from,
        to,
        Param::text("cancel", &WORDS, "param-cancel")
            .many()
            .shown_as("LINE"),
        Param::text("delay", &WORDS, "param-delay")
            .many()
            .shown_as("LINE=MINUTES"),
        Param::text("late", &WORDS, "param-late").shown_as("N=MINUTES"),
        Param::int("miss", 1, 1000, 1, &WORDS, "param-miss").optional(),
        Param::int("vehicles", 1, 1000, 1, &WORDS, "param-vehicles").optional(),
        at_param(),
    ];
    Verb {
        id: "whatif",
        about: WORDS.say("verb-whatif"),
        params: with_feed(own),
        examples: &[
            "wits transit whatif Rynek Zoo --cancel 4 --feed city.zip --at 8:00",
            "wits transit whatif Rynek Zoo --delay 4=10 --feed city.zip --at 8:00",
            "wits transit whatif Rynek Zoo --late 1=5 --feed city.zip --at 8:00",
            "wits transit whatif Rynek Zoo --miss 1 --feed city.zip --at 8:00",
            "wits transit whatif Rynek Zoo --miss 1 --vehicles 2 --feed city.zip --at 8:00",
        ],
        served: Served::Everywhere,
        cost: Cost::READING,
        run: |args, shelf, work| ask(args, shelf, work, |planner| what_if(planner, args)),
    }
}

/// The question of these arguments: the earliest arrival.
pub(super) fn question(planner: &Planner, args: &Args) -> Result<Question, Refusal> {
    let from = place(planner, args.text("from"))?;
    let to = place(planner, args.text("to"))?;
    Ok(Question::new(from, to, time(args)?))
}

/// The lines of a name, or a refusal that names it.
pub(super) fn lines(planner: &Planner, name: &str) -> Result<Vec<u32>, Refusal> {
    let lines = planner.lines_named(name);
    if lines.is_empty() {
        let why = WORDS.say("unknown-line").with("line", name);
        return Err(Refusal::new(
            "unknown-line",
            why,
            WORDS.say("unknown-line-hint"),
        ));
    }
    Ok(lines)
}

/// `LINE=MINUTES`
fn delay(text: &str) -> Result<(&str, i32), Refusal> {
    text.rsplit_once('=')
        .and_then(|(line, minutes)| Some((line, minutes.parse().ok()?)))
        .filter(|(_, minutes)| (0..=1440).contains(minutes))
        .ok_or_else(|| refusal("bad-value", &WORDS.say("bad-delay").with("text", text)))
}

/// The best journey, and which of its legs is its vehicle of a number, counted from 1.
fn ridden(
    planner: &Planner,
    args: &Args,
    asked: &Question,
    number: &str,
) -> Result<(Journey, usize), Refusal> {
    // Of the journeys that no other beats the one with so many vehicles, if that is asked for.
    let vehicles = args.int_if("vehicles").map(|n| n as usize);
    let asked = Question {
        by: match vehicles {
            Some(_) => Objective::Pareto,
            None => asked.by,
        },
        ..asked.clone()
    };
    let best = planner.route(&asked).map_err(|e| failed(&e.into()))?;
    let mut fits = best.journeys.into_iter();
    let best = fits.find(|j| vehicles.is_none_or(|n| j.vehicles == n));
    let best = best.ok_or_else(|| {
        let hint = WORDS.say("no-journey-hint");
        Refusal::new("no-way", WORDS.say("no-journey"), hint)
    })?;
    let rides = (0..best.legs.len()).filter(|&leg| best.legs[leg].trip.is_some());
    let rides: Vec<usize> = rides.collect();
    let ride = number.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
    let Some(&leg) = ride.and_then(|ride| rides.get(ride)) else {
        let why = WORDS
            .say("no-ride")
            .with("n", whole(rides.len()))
            .with("number", number);
        return Err(Refusal::new("no-ride", why, WORDS.say("no-ride-hint")));
    };
    Ok((best, leg))
}

fn failed(error: &WhatIfFailed) -> Refusal {
    refusal("cannot-ask", error)
}

fn what_if(planner: &Planner, args: &Args) -> Result<Answer, Refusal> {
    let asked = question(planner, args)?;
    let others = ["cancel", "delay", "late"];
    let other = others.into_iter().find(|name| args.given(name));
    let told = match (args.int_if("miss"), other) {
        (Some(_), Some(other)) => return Err(feed::not_both("miss", other)),
        (None, None) => {
            let (why, hint) = (WORDS.say("nothing-wrong"), WORDS.say("nothing-wrong-hint"));
            return Err(Refusal::new("missing-parameter", why, hint));
        }
        (Some(ride), None) => {
            let (best, leg) = ridden(planner, args, &asked, &ride.to_string())?;
            planner.what_if_missed(&best, leg, &asked.to)
        }
        (None, Some(_)) => planner.what_if(&asked, &disruption(planner, args, &asked)?),
    };
    told.map(|told| shown(&told))
        .map_err(|error| failed(&error))
}

fn disruption(planner: &Planner, args: &Args, asked: &Question) -> Result<Disruption, Refusal> {
    let mut disruption = Disruption::default();
    for name in args.list("cancel") {
        disruption.cancelled_lines.extend(lines(planner, &name)?);
    }
    for text in args.list("delay") {
        let (name, minutes) = delay(&text)?;
        let late = lines(planner, name)?;
        let table = &planner.table;
        let trips = (0u32..).zip(&table.trips);
        let trips = trips.filter(|(_, t)| late.contains(&table.patterns[t.pattern as usize].line));
        let delays = trips.map(|(trip, _)| (trip, 0, minutes * 60));
        disruption.delays.extend(delays);
    }
    if let Some(text) = args.text_if("late") {
        let (number, minutes) = delay(text)?;
        let (best, leg) = ridden(planner, args, asked, number)?;
        let trip = best.legs[leg].trip;
        let delay = trip.map(|trip| (trip, 0, minutes * 60));
        disruption.delays.extend(delay);
    }
    Ok(disruption)
}

/// A journey of a comparison, or that there is none.
pub(super) fn side(name: &str, title: Message, found: Option<&Journey>) -> Vec<Block> {
    match found {
        Some(one) => show::journey(name, title, one, Objective::Time, false).into(),
        None => vec![Block::Says(WORDS.say("no-way-named").with("name", title))],
    }
}

fn shown(told: &WhatIf) -> Answer {
    let mut answer = Answer::of(told).say(match told.loss_minutes {
        Some(lost) if lost < 60 => WORDS.say("lost").with("n", whole(lost)),
        Some(lost) => WORDS.say("lost-long").with("lasts", lasting(lost)),
        None => WORDS.say("no-way-more"),
    });
    let sides = [
        side("before", WORDS.say("before"), told.before.as_ref()),
        side("after", WORDS.say("after"), told.after.as_ref()),
    ];
    answer.blocks.extend(sides.into_iter().flatten());
    if told.stops_later + told.stops_lost > 0 {
        let losers = WORDS
            .say("losers")
            .with("later", whole(told.stops_later))
            .with("lost", whole(told.stops_lost));
        let table = Table::new(
            "losers",
            WORDS.say("title-losers"),
            heads(&["stop", "loss"]),
        );
        let table = told.losers.iter().take(10).fold(table, |table, loser| {
            let lost = match loser.loss_minutes {
                Some(minutes) => show::minutes(minutes),
                None => Cell::Says(WORDS.say("not-reached")),
            };
            table.row(vec![Cell::text(&loser.stop), lost])
        });
        answer = answer.say(losers).with(Block::Table(table));
    }
    answer
}
