//! From one stop to another.

use maud::{Markup, html};
use serde_json::{Value, json};
use wits_transit::names::resolve;
use wits_transit::thread::WORDS as ROOM;
use wits_transit::{Journey, Objective, Planner, Question, Time};

use super::asked::{Asked, Wrong};
use super::desk::{Parts, choice, examples, stop_field, when_fields};
use super::rides;
use super::timetables::Desk;
use crate::WORDS;
use crate::pages::say;

/// What can be best, and what it is called.
const BEST: [(&str, &str); 6] = [
    ("pareto", "transit-by-pareto"),
    ("pareto-walking", "transit-by-walking"),
    ("time", "transit-by-time"),
    ("transfers", "transit-by-transfers"),
    ("weighted:10", "transit-by-weighted"),
    ("distance", "transit-by-distance"),
];

/// The question that the fields ask, if both ends are there.
pub(super) fn question(planner: &Planner, asked: &Asked) -> Result<Option<Question>, Wrong> {
    let (from, to) = (asked.stops(planner, "from")?, asked.stops(planner, "to")?);
    let (Some(from), Some(to)) = (from, to) else {
        return Ok(None);
    };
    let by: Objective = asked
        .given("by")
        .unwrap_or("pareto")
        .parse()
        .map_err(|e| Wrong::of(&e))?;
    Ok(Some(Question {
        by,
        arrive_by: asked.given("when") == Some("arrive"),
        ..Question::new(from, to, asked.time()?)
    }))
}

/// `GET /transit`
pub(super) fn view(desk: &Desk, asked: &Asked) -> Parts {
    let planner = &desk.planner;
    let found =
        question(planner, asked).and_then(|q| q.map(|q| answer(planner, asked, &q)).transpose());
    let (answer, shown) = match found {
        Ok(Some((answer, shown))) => (Ok(answer), shown),
        Ok(None) => (Ok(first(planner)), json!({"kind": "none"})),
        Err(wrong) => (Err(wrong), json!({"kind": "none"})),
    };
    Parts {
        form: form(planner, asked),
        answer,
        wide: html! {},
        shown,
    }
}

fn form(planner: &Planner, asked: &Asked) -> Markup {
    html! {
        form.tr-form action="/transit" method="get" {
            (stop_field(asked, "from", "transit-from"))
            (stop_field(asked, "to", "transit-to"))
            button.button.quiet.small.tr-swap type="button" { (say("transit-swap")) }
            (choice("when", "transit-when", &[("depart", "transit-depart"), ("arrive", "transit-arrive")], asked.given("when").unwrap_or("depart")))
            (when_fields(planner, asked))
            (choice("by", "transit-by", &BEST, asked.given("by").unwrap_or("pareto")))
            button.button.primary type="submit" { (say("transit-find")) }
        }
    }
}

/// Three pairs of stops with the most to choose from at eight in the morning.
fn worth_trying(planner: &Planner) -> Vec<(String, String)> {
    let places = examples(planner);
    let choices = |from: &str, to: &str| {
        let ends = resolve(&planner.table, from)
            .ok()
            .zip(resolve(&planner.table, to).ok());
        let question = ends.map(|(from, to)| Question {
            by: Objective::Pareto,
            ..Question::new(from, to, Time::hm(8, 0))
        });
        question
            .and_then(|q| planner.route(&q).ok())
            .map_or(0, |a| a.journeys.len())
    };
    let mut pairs: Vec<(usize, String, String)> = Vec::new();
    for from in &places {
        for to in places.iter().filter(|to| *to != from) {
            pairs.push((choices(from, to), from.clone(), to.clone()));
        }
    }
    pairs.sort_by_key(|pair| std::cmp::Reverse(pair.0));
    pairs
        .into_iter()
        .map(|(_, from, to)| (from, to))
        .take(3)
        .collect()
}

/// What to try first.
fn first(planner: &Planner) -> Markup {
    let pairs = worth_trying(planner);
    html! {
        p { (say("transit-first")) }
        ul.tr-examples {
            @for (from, to) in &pairs {
                li {
                    a.button.quiet href=(Asked::default().link("/transit", &[], &[("from", from), ("to", to), ("at", "08:00")])) {
                        (from) " → " (to)
                    }
                }
            }
        }
    }
}

/// The lines of some journeys, each once.
fn lines_of(journeys: &[Journey]) -> Vec<&str> {
    let mut lines = Vec::new();
    let legs = journeys.iter().flat_map(|journey| &journey.legs);
    for leg in legs.filter(|leg| leg.trip.is_some()) {
        if !lines.contains(&leg.line.as_str()) {
            lines.push(leg.line.as_str());
        }
    }
    lines
}

fn answer(planner: &Planner, asked: &Asked, question: &Question) -> Result<(Markup, Value), Wrong> {
    let begin = std::time::Instant::now();
    let answer = planner.route(question).map_err(|e| Wrong::of(&e))?;
    let micros = begin.elapsed().as_micros() as u64;
    let journeys = &answer.journeys;
    let follow = asked.link("/transit/search", &["from", "to", "at", "date"], &[]);
    let arrive = if question.arrive_by { "true" } else { "false" };
    let at = question.at.to_string();
    let ask = |verb: &str, keep: &[&str], set: &[(&str, &str)]| {
        let keep = [&["from", "to", "date"], keep].concat();
        asked.link(&format!("/desk/transit/{verb}"), &keep, set)
    };
    let shown = json!({
        "kind": "journeys",
        "journeys": journeys.iter().map(|j| rides::lines(planner, j)).collect::<Vec<_>>(),
        "from": question.from, "to": question.to,
    });
    let markup = html! {
        @if journeys.is_empty() {
            p role="status" { (WORDS.say("transit-no-way").with("days", i64::from(answer.days))) }
        } @else if journeys.iter().all(|j| j.legs.is_empty()) {
            p role="status" { (say("transit-there-already")) }
        } @else {
            h2 { (WORDS.say("transit-found").with("count", journeys.len() as u64)) }
            @if journeys.len() > 1 { p.muted { (say("transit-alternatives")) } }
            @for (index, journey) in journeys.iter().enumerate() { (rides::card(planner, journey, index)) }
            p.row #next {
                a.button.quiet.small href=(ask("route", &["by"], &[("at", &at), ("certify", "true"), ("arrive-by", arrive)])) { (ROOM.say("next-prove")) }
                a.button.quiet.small href=(ask("profile", &[], &[])) { (ROOM.say("next-day")) }
                @for line in lines_of(journeys).iter().take(4) {
                    a.button.quiet.small href=(ask("whatif", &[], &[("at", &at), ("cancel", line)])) { (ROOM.say("next-cancel").with("line", *line)) }
                }
            }
        }
        p.muted {
            (WORDS.say("transit-work").with("by", answer.algorithm.to_string()).with("count", answer.settled as u64).with("micros", micros))
            " " a href=(follow) { (say("transit-follow")) }
        }
    };
    Ok((markup, shown))
}
