//! `transit tour`: several stops in the best order.

use serde_json::json;
use wits_desk::{Answer, Args, Block, Cell, Cost, Param, Refusal, Served, Table, Verb, Work};
use wits_game::Figure;

use super::route::{keeps_thread, thread_file, thread_params};
use super::{ask, at_param, day, feed, heads, lasting, place, refusal, show, time, whole};
use super::{with_feed, word};
use crate::planner::Planner;
use crate::thread::WORDS;
use crate::tour::{Compared, Method, NoTour, Tabu, TourQuestion};

pub(super) fn verb() -> Verb {
    let own = [
        Param::text("start", &WORDS, "param-start")
            .positional()
            .shown_as("START"),
        Param::text("via", &WORDS, "param-via")
            .required()
            .listed()
            .shown_as("STOP"),
        at_param(),
        Param::text("by", &WORDS, "param-tour-by")
            .shown_as("OBJECTIVE")
            .offering(&["time", "transfers", "distance"]),
        Param::text("method", &WORDS, "param-method")
            .shown_as("METHOD")
            .offering(&["exact", "tabu", "tabu:tenure=5,sample=0.75"]),
        Param::flag("open", false, &WORDS, "param-open"),
        Param::int("dwell", 0, 1440, 0, &WORDS, "param-dwell").shown_as("MINUTES"),
        Param::flag("best-start", false, &WORDS, "param-best-start"),
        Param::flag("compare", false, &WORDS, "param-compare"),
        Param::flag("certify", false, &WORDS, "param-tour-certify"),
        Param::flag("full", false, &WORDS, "param-full"),
    ];
    Verb {
        id: "tour",
        about: WORDS.say("verb-tour"),
        params: with_feed(own.into_iter().chain(thread_params())),
        examples: &[
            "wits transit tour Rynek --via Zoo --via Dworzec --feed city.zip --at 8:00",
            "wits transit tour Rynek --via \"Zoo;Dworzec;Hala\" --feed city.zip --at 8:00 --method tabu:tenure=5,sample=0.75 --compare",
        ],
        served: Served::Everywhere,
        cost: Cost::READING,
        run: |args, shelf, work| ask(args, shelf, work, |planner| tour(planner, args, work)),
    }
}

pub(super) fn unproved() -> Refusal {
    let (why, hint) = (WORDS.say("tour-unproved"), WORDS.say("tour-unproved-hint"));
    Refusal::new("cannot-ask", why, hint)
}

/// Stops of a list, of which each entry may hold several separated by `;`.
pub(super) fn each(planner: &Planner, list: &[String]) -> Result<Vec<Vec<u32>>, Refusal> {
    list.iter()
        .flat_map(|text| {
            // A `;` too many is forgiven, nothing at all is not.
            let nothing = text.trim().is_empty();
            let parts = text.split(';');
            parts.filter(move |part| nothing || !part.trim().is_empty())
        })
        .map(|text| place(planner, text))
        .collect()
}

fn no_tour(error: &NoTour) -> Refusal {
    refusal("no-tour", error)
}

fn tour(planner: &Planner, args: &Args, work: &Work<'_>) -> Result<Answer, Refusal> {
    if args.flag("certify") {
        return Err(unproved());
    }
    let (best_start, compare) = (args.flag("best-start"), args.flag("compare"));
    if compare && best_start {
        return Err(feed::not_both("compare", "best-start"));
    }
    if compare && keeps_thread(args) {
        return Err(feed::not_both("compare", "thread"));
    }
    let question = TourQuestion {
        start: place(planner, args.text("start"))?,
        stops: each(planner, &args.list("via"))?,
        at: time(args)?,
        by: word(args.text_if("by").unwrap_or("time"))?,
        open: args.flag("open"),
        dwell: args.int("dwell") as i32,
        method: word(args.text_if("method").unwrap_or("exact"))?,
    };
    if !compare {
        return told(planner, args, &question, best_start, work);
    }
    let tabu = match question.method {
        Method::Tabu(tabu) => tabu,
        Method::Exact => Tabu::default(),
    };
    let mut clock = || (work.seconds() * 1e6) as u64;
    let rows = planner.tour_compare_timed(&question, &tabu, &mut clock);
    let rows = rows.map_err(|error| no_tour(&error))?;
    let answer = Answer::yes(json!({ "methods": rows })).say(day(planner));
    Ok(answer.with(Block::Table(comparison_table(&question, &rows))))
}

/// Tabu searches beside the optimum.
pub fn comparison_table(question: &TourQuestion, rows: &[Compared]) -> Table {
    let columns = ["method", "cost", "iterations", "looked-at", "gap", "micros"];
    let table = Table::new("methods", WORDS.say("title-methods"), heads(&columns));
    rows.iter().fold(table, |table, row| {
        table.row(vec![
            Cell::text(&row.method),
            Cell::Says(crate::tour::said(question, row.cost)),
            Cell::whole(row.iterations),
            Cell::whole(row.looked_at),
            Cell::share(row.gap_percent / 100.0),
            Cell::whole(row.micros),
        ])
    })
}

/// Looks for a tour and tells it.
pub(super) fn told(
    planner: &Planner,
    args: &Args,
    question: &TourQuestion,
    best_start: bool,
    work: &Work<'_>,
) -> Result<Answer, Refusal> {
    let begin = work.seconds();
    let found = if best_start {
        planner.tour_best_start(question)
    } else {
        planner.tour(question)
    };
    let mut told = found.map_err(|error| no_tour(&error))?;
    told.millis = ((work.seconds() - begin) * 1e3) as u64;
    let optimal = ["order-perhaps", "tour-optimal"][usize::from(told.optimal)];
    let sum = WORDS
        .say("tour-sum")
        .with("departure", told.departure.to_string())
        .with("arrival", told.arrival.to_string())
        .with("lasts", lasting(told.minutes))
        .with("vehicles", whole(told.vehicles))
        .with("km", Figure::Decimal(told.km, 2))
        .with("optimal", WORDS.say(optimal))
        .with("millis", whole(told.millis));
    let title = wits_game::Message::plain(told.order.join(" → "));
    let rides = show::rides("tour", title, &told.legs, args.flag("full"));
    let mut answer = Answer::of(&told).say(day(planner));
    answer = answer.with(Block::Table(rides)).say(sum);
    if keeps_thread(args) {
        let thread = planner.tour_thread(question, &told, args.int("steps") as usize);
        answer = answer.with(thread_file(&thread));
    }
    Ok(answer)
}
