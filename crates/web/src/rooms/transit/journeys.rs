//! From one stop to another.

use maud::{Markup, html};
use serde_json::{Value, json};
use wits_transit::thread::WORDS as ROOM;
use wits_transit::{Journey, Objective, Planner, Question, Searches, Time, verbs};

use super::asked::{Asked, Wrong};
use super::desk::{Parts, choice, stop_field, when_fields};
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

/// Journeys are shown for so many minutes, and at most so many.
const WINDOW: i32 = 60;
const MOST: usize = 8;
/// At most so many lines are offered to be asked about.
const OFFERED: usize = 500;
/// What a question about journeys is made of, beside its time.
const FIELDS: &[&str] = &["from", "to", "when", "by", "date"];

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
        Ok(None) => (Ok(first(desk, asked)), json!({"kind": "none"})),
        Err(wrong) => (Err(wrong), json!({"kind": "none"})),
    };
    let found = answer.is_ok() && shown["kind"] == "journeys";
    Parts {
        form: form(planner, asked),
        answer,
        lead: html! {},
        wide: if found {
            whole_day(asked)
        } else {
            html! {}
        },
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

/// What to try first: journeys of usual length.
fn first(desk: &Desk, asked: &Asked) -> Markup {
    let pairs = desk.pairs();
    html! {
        p { (say("transit-first")) }
        ul.tr-examples {
            @for (from, to) in &pairs {
                li {
                    a.button.quiet href=(asked.link("/transit", &["date"], &[("from", from), ("to", to), ("at", "08:00")])) {
                        (from) " → " (to)
                    }
                }
            }
        }
    }
}

/// The whole day as a plot: when one leaves, and how long it takes then.
fn whole_day(asked: &Asked) -> Markup {
    let ends = ["from", "to", "date"];
    let plot = asked.link("/desk/transit/profile", &ends, &[("keep", "plot")]);
    let table = asked.link("/desk/transit/profile", &ends, &[]);
    html! {
        section #day {
            h2 { (ROOM.say("next-day")) }
            div.tr-scroll { img.tr-plot src=(plot) alt=(say("transit-day-plot")) width="760" height="260"; }
            p { a href=(table) { (say("transit-day-table")) } }
        }
    }
}

/// Earlier and later journeys, on the day before or after where midnight is between.
fn around(planner: &Planner, asked: &Asked, question: &Question, journeys: &[Journey]) -> Markup {
    let moved = |time: Time, minutes: i32| {
        let to = Time((time.0.div_euclid(60) + minutes) * 60);
        asked.at("/transit", FIELDS, planner, to)
    };
    let (first, last) = (journeys.first(), journeys.last());
    let (earlier, later) = if question.arrive_by {
        let before = first.map(|j| j.arrival);
        (
            moved(before.unwrap_or(question.at), -1),
            moved(question.at, WINDOW),
        )
    } else {
        let after = last.map(|j| j.departure);
        (
            moved(question.at, -WINDOW),
            moved(after.unwrap_or(question.at), 1),
        )
    };
    html! {
        p.row.tr-around {
            a.button.quiet.small #earlier href=(earlier) { (say("transit-earlier-journeys")) }
            a.button.quiet.small #later href=(later) { (say("transit-later-journeys")) }
        }
    }
}

/// Names of lines, as many as a field can offer.
fn lines_of(planner: &Planner) -> Vec<&str> {
    let lines = planner.table.lines.iter();
    let mut names: Vec<&str> = lines.map(|line| line.name.as_str()).collect();
    names.sort_unstable_by_key(|name| (name.len(), *name));
    names.dedup();
    names.truncate(OFFERED);
    names
}

fn answer(planner: &Planner, asked: &Asked, question: &Question) -> Result<(Markup, Value), Wrong> {
    let begin = std::time::Instant::now();
    let mut searches = Searches::default();
    let answer = planner.journeys_over(question, WINDOW, MOST, &mut searches);
    let answer = answer.map_err(|e| Wrong::of(&e))?;
    let micros = begin.elapsed().as_micros() as u64;
    let journeys = &answer.journeys;
    let follow = asked.link("/transit/search", &["from", "to", "at", "date"], &[]);
    // Lines that one might have thought of, for each journey those that it does not use.
    let passed = |journey: &Journey| {
        let used: Vec<&str> = journey.legs.iter().map(|l| l.line.as_str()).collect();
        let mut lines = verbs::passed_over(planner, question, &used);
        lines.truncate(2);
        lines
    };
    let lang = wits_game::Lang::spoken().code();
    let shown = json!({
        "kind": "journeys",
        "journeys": journeys.iter().map(|j| rides::lines(planner, j)).collect::<Vec<_>>(),
        "from": question.from, "to": question.to,
    });
    let markup = html! {
        @for alert in &answer.alerts { p.note.tr-alert { (alert.told(lang)) } }
        @if journeys.is_empty() {
            p role="status" { (WORDS.say("transit-no-way").with("days", i64::from(answer.days))) }
        } @else if journeys.iter().all(|j| j.legs.is_empty()) {
            p role="status" { (say("transit-there-already")) }
        } @else {
            h2 { (WORDS.say("transit-found").with("count", journeys.len() as u64)) }
            @if journeys.len() > 1 { p.muted { (say("transit-alternatives")) } }
            (around(planner, asked, question, journeys))
            datalist #tr-lines { @for line in lines_of(planner) { option value=(line) {} } }
            @for (index, journey) in journeys.iter().enumerate() { (rides::card(planner, asked, journey, index, &passed(journey))) }
        }
        p.muted {
            (WORDS.say("transit-work").with("by", answer.algorithm.to_string()).with("count", answer.settled as u64).with("micros", micros))
            " " a href=(follow) { (say("transit-follow")) }
        }
    };
    Ok((markup, shown))
}
