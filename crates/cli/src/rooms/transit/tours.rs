//! Tours: several stops in the best order.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use serde_json::json;
use wits_transit::Planner;
use wits_transit::tour::{Method, Sampling, Tabu, TourBy, TourQuestion};

use super::args::TourArgs;
use super::feed::problem;
use super::tell::ride_list;
use super::{STEPS, day_line, place};
use crate::Answer;
use crate::out::Out;
use crate::problem::Problem;
use crate::shelf::write_whole;

pub(super) fn tour_unproved() -> Problem {
    let message = "a tour carries no certificate";
    let hint = "leave out `--certify`; the exact method says `optimal` when no order is better";
    Problem::new("cannot-ask", message, hint)
}

/// Stops of a list, of which each entry may hold several separated by `;`.
pub(super) fn each(planner: &Planner, list: &[String]) -> Result<Vec<Vec<u32>>> {
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

/// `exact`, or `tabu` with its options.
pub(super) fn method(text: &str) -> Result<Method, String> {
    let wrong = || {
        format!(
            "`{text}` is no method; choose `exact` or `tabu:tenure=10,sample=0.75,aspiration=0.1`"
        )
    };
    let (name, options) = text.split_once(':').unwrap_or((text, ""));
    let mut tabu = Tabu::default();
    for option in options.split(',').filter(|o| !o.is_empty()) {
        let (key, value) = option.split_once('=').ok_or_else(wrong)?;
        let count = || value.parse::<usize>().map_err(|_| wrong());
        let share = || {
            value
                .parse::<f64>()
                .ok()
                .filter(|s| (0.0..=1.0).contains(s))
                .ok_or_else(wrong)
        };
        let flag = || value.parse::<bool>().map_err(|_| wrong());
        match key {
            "iterations" => tabu.iterations = Some(count()?),
            "patience" => tabu.patience = Some(count()?),
            "tenure" => tabu.tenure = Some(count()?),
            "aspiration" => tabu.aspiration = Some(share()?),
            "sample" => tabu.sampling = Some(Sampling::Random(share()?)),
            "hashed" => tabu.sampling = Some(Sampling::Hashed(count()?.max(2) as u64)),
            "shuffle" => tabu.shuffle = flag()?,
            "accept_worse" => tabu.accept_worse = flag()?,
            "seed" => tabu.seed = value.parse().map_err(|_| wrong())?,
            _ => return Err(wrong()),
        }
    }
    match name {
        "exact" if options.is_empty() => Ok(Method::Exact),
        "tabu" => Ok(Method::Tabu(tabu)),
        _ => Err(wrong()),
    }
}

/// What makes a tour best, in words or in the report's codes.
pub(super) fn tour_by(text: &str) -> Result<TourBy, String> {
    match text {
        "time" | "t" | "dt" => Ok(TourBy::Time),
        "transfers" | "p" | "dp" => Ok(TourBy::Transfers),
        "distance" | "d" | "dd" => Ok(TourBy::Distance),
        _ => Err("choose `time`, `transfers` or `distance`".to_owned()),
    }
}

fn no_tour(error: &wits_transit::tour::NoTour) -> anyhow::Error {
    problem("no-tour", &error.to_string())
}

pub(super) fn tour(args: &TourArgs, out: &Out) -> Result<Answer> {
    if args.certify {
        return Err(tour_unproved().into());
    }
    let planner = args.feed.planner()?;
    let question = TourQuestion {
        start: place(&planner, &args.start)?,
        stops: each(&planner, &args.via)?,
        at: args.at,
        by: args.by,
        open: args.open,
        dwell: args.dwell,
        method: args.method,
    };
    if args.compare {
        let tabu = match args.method {
            Method::Tabu(tabu) => tabu,
            Method::Exact => Tabu::default(),
        };
        let begin = Instant::now();
        let rows = planner
            .tour_compare_timed(&question, &tabu, &mut || begin.elapsed().as_micros() as u64)
            .map_err(|e| no_tour(&e))?;
        out.tell(&json!({ "methods": rows }), || {
            rows.iter().fold(
                format!(
                    "{:<16} {:>12} {:>10} {:>10} {:>8} {:>10}\n",
                    "method", "cost", "iterations", "looked at", "gap", "µs"
                ),
                |text, row| {
                    text + &format!(
                        "{:<16} {:>12} {:>10} {:>10} {:>7.2}% {:>10}\n",
                        row.method,
                        row.cost,
                        row.iterations,
                        row.looked_at,
                        row.gap_percent,
                        row.micros
                    )
                },
            )
        })?;
        return Ok(Answer::Yes);
    }
    let how = Showing {
        best_start: args.best_start,
        full: args.full,
        thread: args.thread.as_deref(),
    };
    tell_tour(&planner, &question, &how, out)
}

/// How a tour is looked for and shown.
pub(super) struct Showing<'a> {
    pub(super) best_start: bool,
    pub(super) full: bool,
    pub(super) thread: Option<&'a Path>,
}

pub(super) fn tell_tour(
    planner: &Planner,
    question: &TourQuestion,
    how: &Showing<'_>,
    out: &Out,
) -> Result<Answer> {
    let begin = Instant::now();
    let found = if how.best_start {
        planner.tour_best_start(question)
    } else {
        planner.tour(question)
    };
    let mut told = found.map_err(|e| no_tour(&e))?;
    told.millis = begin.elapsed().as_millis() as u64;
    if let Some(path) = how.thread {
        let thread = planner.tour_thread(question, &told, STEPS);
        write_whole(path, thread.text().as_bytes())?;
    }
    out.tell(&told, || {
        let mut text = day_line(planner);
        let _ = writeln!(
            text,
            "{}\n{} to {}, {} min, {} vehicles, {:.2} km; {}; {} ms",
            told.order.join(" → "),
            told.departure,
            told.arrival,
            told.minutes,
            told.vehicles,
            told.km,
            if told.optimal {
                "no order is better"
            } else {
                "there may be a better order"
            },
            told.millis
        );
        for leg in &told.legs {
            text += &ride_list(leg, how.full);
        }
        text
    })?;
    Ok(Answer::Yes)
}
