//! The verbs of the room: each reads its arguments, asks the planner, and lays out what it found.

mod agree;
mod check;
mod describe;
mod feed;
mod isochrone;
mod make;
mod profile;
mod proof;
mod report;
mod route;
mod show;
mod speeds;
mod stops;
mod tour;
mod verify;
mod whatif;
mod whynot;

use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

use wits_desk::{Answer, Args, Call, Param, Refusal, Room, Shelf, Verdict, Work};
use wits_game::{Figure, Message};

use crate::calendar::NoService;
use crate::feed::Unreadable;
use crate::limits::Halt;
use crate::names;
use crate::planner::Planner;
use crate::thread::WORDS;
use crate::time::Time;

pub use feed::{LENT, LENT_LIVE, params as feed_params, planner, table};
pub use isochrone::isochrone_table;
pub use route::passed_over;
pub use speeds::boldness_plot;
pub use tour::comparison_table;

/// The room with everything that can be asked at every door.
pub fn room() -> Room {
    Room {
        id: "transit",
        about: WORDS.say("room"),
        verbs: vec![
            route::verb(),
            tour::verb(),
            verify::verb(),
            isochrone::verb(),
            profile::verb(),
            whatif::verb(),
            whynot::verb(),
            agree::verb(),
            stops::verb(),
            check::verb(),
            describe::verb(),
            make::generate_verb(),
            make::pack_verb(),
            speeds::verb(),
            report::verb(),
        ],
    }
}

fn heads(keys: &[&'static str]) -> Vec<Message> {
    keys.iter().map(|key| WORDS.say(key)).collect()
}

fn whole(n: impl TryInto<i64>) -> Figure {
    Figure::whole(n)
}

/// Minutes as people say them: 75 are 1 h 15 min.
fn lasting(minutes: i32) -> Message {
    if minutes < 60 {
        return WORDS.say("minutes").with("count", whole(minutes));
    }
    let said = WORDS.say("hours").with("hours", whole(minutes / 60));
    said.with("count", whole(minutes % 60))
}

/// What the library could not do, as every door says it: what comes after the first semicolon of
/// its sentence is the hint.
pub fn refusal(code: &'static str, error: &impl Display) -> Refusal {
    let text = error.to_string();
    match text.split_once("; ") {
        Some((why, hint)) => Refusal::new(code, Message::plain(why), Message::plain(hint)),
        None => Refusal::new(code, Message::plain(text), WORDS.say("usual-hint")),
    }
}

/// Work that was ended, or that needs too much.
pub fn halted(halt: &Halt) -> Refusal {
    refusal(halt.code(), halt)
}

/// Why no day can be planned with.
pub fn unplanned(error: &NoService) -> Refusal {
    match error {
        NoService::Halt(halt) => halted(halt),
        other => refusal("no-service", other),
    }
}

/// Why a feed cannot be read, with its name.
fn unreadable(name: &str, error: &Unreadable) -> Refusal {
    let code = match error {
        Unreadable::Halt(halt) => halt.code(),
        _ => "bad-feed",
    };
    refusal(code, &format!("`{name}`: {error}"))
}

/// The stops that a text names.
pub fn place(planner: &Planner, text: &str) -> Result<Vec<u32>, Refusal> {
    names::resolve(&planner.table, text).map_err(|error| refusal("unknown-stop", &error))
}

/// Reads a word of a parameter.
pub fn word<T: FromStr<Err: Display>>(text: &str) -> Result<T, Refusal> {
    text.parse().map_err(|error| refusal("bad-value", &error))
}

/// The time that is asked about.
fn time(args: &Args) -> Result<Time, Refusal> {
    word(args.text("at"))
}

fn at_param() -> Param {
    Param::text("at", &WORDS, "param-at")
        .required()
        .shown_as("HH:MM")
}

/// Two stops in their places.
fn ends() -> [Param; 2] {
    let stop = |name, about| Param::text(name, &WORDS, about).positional();
    [
        stop("from", "param-from").shown_as("FROM"),
        stop("to", "param-to").shown_as("TO"),
    ]
}

/// What a verb takes: its own parameters, and the timetable.
fn with_feed(own: impl IntoIterator<Item = Param>) -> Vec<Param> {
    own.into_iter().chain(feed_params()).collect()
}

/// Asks a planner something that ends when the budget is spent.
fn ask<T>(
    args: &Args,
    shelf: &Shelf,
    work: &Work<'_>,
    question: impl FnOnce(&Planner) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let planner: Arc<Planner> = planner(args, shelf, work)?;
    let found = planner.ask(work.budget(), |planner| question(&planner));
    found.map_err(|halt| halted(&halt))?
}

/// Says which timetable and day is planned for.
fn day(planner: &Planner) -> Message {
    let title = planner.table.title.clone();
    match planner.date() {
        Some(date) => Message::plain(format!("{title}, {date}")),
        None => Message::plain(title),
    }
}

/// The same answer; it is a yes where something holds.
fn given(mut answer: Answer, so: bool) -> Answer {
    if !so {
        answer.verdict = Verdict::No;
    }
    answer
}

/// A question about the same timetable, with the named arguments of this one and some others.
fn call(args: &Args, verb: &str, says: Message, keep: &[&str], own: &[(&str, &str)]) -> Call {
    let feed = ["feed", "size", "date", "walk"];
    let kept = keep.iter().chain(&feed).filter(|name| args.given(name));
    let mut pairs: Vec<(String, String)> = kept
        .map(|name| ((*name).to_owned(), args.text(name).to_owned()))
        .collect();
    pairs.extend(own.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())));
    Call {
        says,
        room: "transit".to_owned(),
        verb: verb.to_owned(),
        args: pairs,
    }
}
