//! The verbs of the transit room: journeys, tours and studies on a timetable.

mod args;
pub(crate) mod bench;
mod feed;
mod tell;

use std::fmt::Write;
use std::io::{IsTerminal, stdin};
use std::path::Path;
use std::str::FromStr;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::Result;
use serde_json::{Value, json};
use wits_transit::tour::{Method, Sampling, Tabu, TourBy, TourQuestion};
use wits_transit::{
    Algorithm, CityPlan, Disruption, Objective, Planner, Proof, Question, Searches, Time,
    Unreadable, generate, names, pack,
};

use self::args::{
    AgreeArgs, CheckArgs, DescribeArgs, FeedArgs, GenerateArgs, IsochroneArgs, PackArgs,
    ProfileArgs, ProofArgs, RouteArgs, SpeedsArgs, StopsArgs, TourArgs, VerifyArgs, WhatIfArgs,
    WhyNotArgs,
};
use self::feed::{open, problem};
use self::tell::{journey, ride_list};
use crate::out::{Out, Progress};
use crate::problem::Problem;
use crate::shelf::write_whole;
use crate::{Answer, matches, stop};

pub(crate) use self::args::Verb;

/// Does what a verb of this room asks.
pub(crate) fn run(verb: Verb, out: &Out) -> Result<Answer> {
    match verb {
        Verb::Route(args) => route(&args, out),
        Verb::Tour(args) => tour(&args, out),
        Verb::Verify(args) => verify(&args, out),
        Verb::Isochrone(args) => isochrone(&args, out),
        Verb::Profile(args) => profile(&args, out),
        Verb::Whatif(args) => what_if(&args, out),
        Verb::Whynot(args) => why_not(&args, out),
        Verb::Agree(args) => agree(&args, out),
        Verb::Stops(args) => stops(&args, out),
        Verb::Check(args) => check(&args, out),
        Verb::Describe(args) => describe(&args, out),
        Verb::Generate(args) => make(&args, out),
        Verb::Pack(args) => packed(&args, out),
        Verb::Speeds(args) => speeds(&args, out),
        Verb::Report(args) => report(&args, out),
        Verb::Bench(args) => bench::show(&args, out),
    }
}

/// The stops that a text names.
fn place(planner: &Planner, text: &str) -> Result<Vec<u32>> {
    names::resolve(&planner.table, text).map_err(|e| problem("unknown-stop", &e.to_string()))
}

/// What was given, or what is answered on a terminal; there, what cannot be understood is said
/// and asked again.
fn asked<T>(
    given: Option<&String>,
    what: &str,
    option: &str,
    out: &Out,
    read: impl Fn(&str) -> Result<T>,
) -> Result<T> {
    if let Some(given) = given {
        return read(given);
    }
    let missing = || {
        let message = format!("{what} is missing");
        let hint = format!("give {option}; on a terminal it is asked for");
        Problem::new("missing", message, hint)
    };
    if !asks(out) {
        return Err(missing().into());
    }
    loop {
        out.prompt(&format!("{what}: "))?;
        let mut line = String::new();
        if stdin().read_line(&mut line)? == 0 {
            return Err(missing().into());
        }
        match read(line.trim()) {
            Ok(answer) => return Ok(answer),
            Err(error) => out.say(format!("{error}\n"))?,
        }
    }
}

/// Whether there is somebody to ask.
fn asks(out: &Out) -> bool {
    !out.json && stdin().is_terminal()
}

/// Reads a word of an option as the command line would.
fn word<T: FromStr>(text: &str) -> Result<T>
where
    T::Err: std::fmt::Display,
{
    text.parse()
        .map_err(|e: T::Err| problem("usage", &e.to_string()))
}

/// Says which day is planned for, for people.
fn day_line(planner: &Planner) -> String {
    match planner.date() {
        Some(date) => format!("{}, {date}\n", planner.table.title),
        None => format!("{}\n", planner.table.title),
    }
}

/// Where a journey goes: to one stop, or to several and back.
enum Target {
    Stop(Vec<u32>),
    Tour(Vec<Vec<u32>>),
}

fn route(args: &RouteArgs, out: &Out) -> Result<Answer> {
    let planner = args.feed.planner()?;
    let stop = |text: &str| place(&planner, text);
    let from = asked(args.from.as_ref(), "the first stop", "FROM", out, stop)?;
    // Several stops make a tour, as in the report's prompts.
    let to = asked(args.to.as_ref(), "the last stop", "TO", out, |text| {
        if text.contains(';') {
            let stops = each(&planner, &[text.to_owned()])?;
            return Ok(Target::Tour(stops));
        }
        stop(text).map(Target::Stop)
    })?;
    let alone = args.from.is_some() && args.to.is_some();
    let by = match args.by {
        Some(by) => by,
        None if alone || !asks(out) => Objective::Time,
        None => {
            let what = "what is best: time (t), transfers (p) or distance (d)";
            asked(None, what, "--by", out, word)?
        }
    };
    let at = match args.at {
        Some(at) => at,
        None => asked(None, "the time (HH:MM)", "--at HH:MM", out, word)?,
    };
    let to = match to {
        Target::Stop(to) => to,
        Target::Tour(_) if args.proof.certify => return Err(tour_unproved().into()),
        Target::Tour(stops) => {
            let question = TourQuestion {
                start: from,
                stops,
                at,
                by: match by {
                    Objective::Transfers | Objective::TransfersOnly => TourBy::Transfers,
                    Objective::Distance => TourBy::Distance,
                    _ => TourBy::Time,
                },
                open: false,
                dwell: 0,
                method: Method::Exact,
            };
            let how = Showing {
                best_start: false,
                full: args.full,
                thread: args.thread.as_deref(),
            };
            return tell_tour(&planner, &question, &how, out);
        }
    };
    let question = Question {
        from,
        to,
        at,
        arrive_by: args.arrive_by,
        by,
        algorithm: args.algorithm.unwrap_or(Algorithm::Auto),
    };
    let mut searches = Searches::default();
    let mut search = || {
        let begin = Instant::now();
        let found = planner.route_followed(&question, &mut searches, &mut ());
        found.map(|answer| (answer, begin.elapsed().as_micros() as u64))
    };
    let failed = |e: wits_transit::CannotAsk| problem("cannot-ask", &e.to_string());
    // The first search also lays out what all later ones share; the second shows the search.
    search().map_err(failed)?;
    let (mut answer, micros) = search().map_err(failed)?;
    answer.micros = micros;
    if let Some(path) = &args.thread {
        let (_, thread) = planner.route_thread(&question, STEPS).map_err(failed)?;
        write_whole(path, thread.text().as_bytes())?;
    }
    let mut value = serde_json::to_value(&answer)?;
    let unserved: Vec<&str> = [&question.from, &question.to]
        .into_iter()
        .filter(|stops| !planner.calls_at(stops))
        .filter_map(|stops| Some(planner.table.stop_name(*stops.first()?)))
        .collect();
    if answer.journeys.is_empty() {
        value["without_service"] = json!(unserved);
    }
    value["resident_bytes"] = json!(bench::resident_bytes());
    let mut proof = String::new();
    if args.proof.certify {
        let (_, certificate) = planner.prove(&question, &mut searches).map_err(failed)?;
        let certificate = Proof::Journeys(certificate);
        proof = checked(&planner, &certificate, &args.proof, &mut value)?;
    }
    out.tell(&value, || {
        let mut text = day_line(&planner);
        for one in &answer.journeys {
            text += &journey(one, args.full);
        }
        if answer.journeys.is_empty() {
            let _ = writeln!(text, "there is no way within {} days", answer.days);
            for typed in &unserved {
                let _ = writeln!(text, "nothing calls at `{typed}` on this day");
            }
        }
        let _ = writeln!(
            text,
            "by {} with {}: {} settled, {} µs",
            answer.by, answer.algorithm, answer.settled, answer.micros
        );
        text + &proof
    })?;
    let certified = value["certified"] != json!(false);
    Ok(yes(!answer.journeys.is_empty() && certified))
}

fn verify(args: &VerifyArgs, out: &Out) -> Result<Answer> {
    let planner = args.feed.planner()?;
    let text = std::fs::read_to_string(&args.file).map_err(|e| Problem::file(&args.file, &e))?;
    let proof = Proof::read(&text).map_err(|e| {
        let message = format!("`{}` is no certificate: {e}", args.file.display());
        let hint = "make one with `wits transit route FROM TO --certify --certificate FILE`";
        Problem::new("bad-certificate", message, hint)
    })?;
    let checked = planner.verify_proof(&proof);
    let (answers, claims) = proof.size();
    let flaw = checked.as_ref().err();
    let flaw = flaw.map(|flaw| tell::flaw(&planner, &proof, flaw));
    let value =
        json!({ "valid": flaw.is_none(), "answers": answers, "claims": claims, "flaw": flaw });
    out.tell(&value, || {
        day_line(&planner)
            + &match &flaw {
                None => tell::proved(&planner, &proof),
                Some(flaw) => format!("invalid: {flaw}\n"),
            }
    })?;
    Ok(yes(flaw.is_none()))
}

/// Checks a certificate and keeps it where that is asked for; adds `certified` to the answer and
/// says the same for people.
fn checked(
    planner: &Planner,
    proof: &Proof,
    args: &ProofArgs,
    value: &mut Value,
) -> Result<String> {
    let checked = planner.verify_proof(proof);
    if let Some(path) = &args.certificate {
        write_whole(path, serde_json::to_string(proof)?.as_bytes())?;
    }
    value["certified"] = json!(checked.is_ok());
    Ok(match checked {
        Ok(()) => "proved: the certificate holds\n".to_owned(),
        Err(flaw) => format!("not proved: {}\n", tell::flaw(planner, proof, &flaw)),
    })
}

fn tour_unproved() -> Problem {
    let message = "a tour carries no certificate";
    let hint = "leave out `--certify`; the exact method says `optimal` when no order is better";
    Problem::new("cannot-ask", message, hint)
}

/// The most steps of a thread that are kept.
const STEPS: usize = 20_000;

fn yes(so: bool) -> Answer {
    if so { Answer::Yes } else { Answer::No }
}

/// Stops of a list, of which each entry may hold several separated by `;`.
fn each(planner: &Planner, list: &[String]) -> Result<Vec<Vec<u32>>> {
    list.iter()
        .flat_map(|text| text.split(';'))
        .filter(|text| !text.trim().is_empty())
        .map(|text| place(planner, text))
        .collect()
}

/// `exact`, or `tabu` with its options.
fn method(text: &str) -> Result<Method, String> {
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
fn tour_by(text: &str) -> Result<TourBy, String> {
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

fn tour(args: &TourArgs, out: &Out) -> Result<Answer> {
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
struct Showing<'a> {
    best_start: bool,
    full: bool,
    thread: Option<&'a Path>,
}

fn tell_tour(
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

fn isochrone(args: &IsochroneArgs, out: &Out) -> Result<Answer> {
    let planner = args.feed.planner()?;
    let from = place(&planner, &args.stop)?;
    let (at, minutes, window) = (args.at, args.minutes, args.window);
    let (told, proof) = if args.proof.certify {
        let (told, proof) = planner.prove_isochrone(&from, at, minutes, window);
        (told, Some(Proof::Departures(proof)))
    } else {
        (planner.isochrone(&from, at, minutes, window), None)
    };
    let (value, proof) = with_proof(&planner, &told, proof.as_ref(), &args.proof)?;
    out.tell(&value, || {
        let head = format!(
            "{}{} of {} stops within {} minutes\n",
            day_line(&planner),
            told.reached.len(),
            told.stops,
            args.minutes
        );
        told.reached.iter().fold(head, |text, one| {
            text + &format!("{:>4} min  {}\n", one.minutes, one.stop)
        }) + &proof
    })?;
    Ok(yes(value["certified"] != json!(false)))
}

/// An answer as JSON, with what its certificate says where there is one.
fn with_proof(
    planner: &Planner,
    told: &impl serde::Serialize,
    proof: Option<&Proof>,
    args: &ProofArgs,
) -> Result<(Value, String)> {
    let mut value = serde_json::to_value(told)?;
    let said = match proof {
        None => String::new(),
        Some(proof) => checked(planner, proof, args, &mut value)?,
    };
    Ok((value, said))
}

fn profile(args: &ProfileArgs, out: &Out) -> Result<Answer> {
    let planner = args.feed.planner()?;
    let (from, to) = (place(&planner, &args.from)?, place(&planner, &args.to)?);
    let (told, proof) = if args.proof.certify {
        let (told, proof) = planner.prove_profile(&from, &to);
        (told, Some(Proof::Departures(proof)))
    } else {
        (planner.profile(&from, &to), None)
    };
    let (value, proof) = with_proof(&planner, &told, proof.as_ref(), &args.proof)?;
    out.tell(&value, || {
        let foot = told
            .on_foot
            .map_or(String::new(), |m| format!("{m} minutes on foot\n"));
        told.departures
            .iter()
            .fold(day_line(&planner) + &foot, |text, one| {
                text + &format!(
                    "{} → {}  {:>4} min  {} transfers\n",
                    one.departure, one.arrival, one.minutes, one.transfers
                )
            })
            + &proof
    })?;
    let found = !told.departures.is_empty() || told.on_foot.is_some();
    Ok(yes(found && value["certified"] != json!(false)))
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

fn what_if(args: &WhatIfArgs, out: &Out) -> Result<Answer> {
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

fn why_not(args: &WhyNotArgs, out: &Out) -> Result<Answer> {
    let planner = args.feed.planner()?;
    let (from, to) = (place(&planner, &args.from)?, place(&planner, &args.to)?);
    let told = planner
        .why_not(&Question::new(from, to, args.at), &args.line)
        .map_err(|e| problem("cannot-ask", &e.to_string()))?;
    out.tell(&told, || {
        let why = match (told.reason, told.loss_minutes) {
            ("used", _) => "the best journey uses it".to_owned(),
            ("slower", Some(lost)) => format!("it costs {lost} minutes more"),
            ("unknown-line", _) => "there is no such line".to_owned(),
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

fn agree(args: &AgreeArgs, out: &Out) -> Result<Answer> {
    let planner = args.feed.planner()?;
    let seed = args.seed.or_fresh();
    let begin = Instant::now();
    let slow = args.slow.unwrap_or(100).min(args.queries);
    let (progress, stop) = (Progress::start(), stop::flag());
    let going = |done: usize| {
        if done.is_multiple_of(100) {
            progress.show(done as u64, args.queries as u64, "queries");
        }
        !stop.load(Ordering::Relaxed)
    };
    let told = wits_transit::with_threads(matches::threads(args.threads), || {
        planner.agree_watched(args.queries, slow, seed, &going)
    });
    progress.done();
    let mut value = serde_json::to_value(&told)?;
    value["seed"] = json!(seed);
    value["seconds"] = json!(begin.elapsed().as_secs_f64());
    value["stopped"] = json!(told.queries < args.queries);
    out.tell(&value, || {
        let head = format!(
            "{}{} queries ({} of them for the slow searches too), {} answered, seed {seed}: {} disagreements\n{}\n",
            day_line(&planner),
            told.queries,
            told.slow_queries,
            told.answered,
            told.disagreements,
            told.algorithms.join(", ")
        );
        told.examples.iter().fold(head, |text, one| {
            let name = |stop| planner.table.stop_name(stop);
            text + &format!("{} → {} at {}: {}\n", name(one.from), name(one.to), one.at, one.who)
        })
    })?;
    Ok(yes(told.disagreements == 0))
}

fn stops(args: &StopsArgs, out: &Out) -> Result<Answer> {
    let (table, _) = args.feed.table()?;
    let found = match &args.name {
        Some(name) => names::find(&table, name, args.limit),
        None => table
            .names
            .iter()
            .take(args.limit)
            .flat_map(|name| names::find(&table, name, 1))
            .collect(),
    };
    out.tell(&json!({"stops": found, "names": table.names.len()}), || {
        let mut text = String::new();
        for one in &found {
            let _ = writeln!(text, "{}", one.name);
            for post in &one.posts {
                let at = post.lat.zip(post.lon);
                let at = at.map_or(String::new(), |(lat, lon)| format!("{lat:.5}, {lon:.5}"));
                let _ = writeln!(
                    text,
                    "  #{:<10} {at:<22} lines {}",
                    post.code,
                    post.lines.join(" ")
                );
            }
        }
        if table.names.len() > found.len() {
            let _ = writeln!(text, "{} of {} names", found.len(), table.names.len());
        }
        text
    })?;
    Ok(yes(!found.is_empty()))
}

fn check(args: &CheckArgs, out: &Out) -> Result<Answer> {
    let read = feed::read(&args.feed, args.projection);
    let (table, diagnosis) = match read? {
        Ok((table, diagnosis)) => (Some(table), diagnosis),
        // A feed without a usable trip still says why, row by row.
        Err(Unreadable::Feed(wits_transit::BadFeed::Empty(diagnosis))) => (None, diagnosis),
        Err(other) => return Err(feed::unreadable(&args.feed, &other)),
    };
    let counts = table
        .as_ref()
        .map(|t| (t.stops.len(), t.lines.len(), t.trips.len()));
    let (stops, lines, trips) = counts.unwrap_or_default();
    let value = json!({
        "file": args.feed, "usable": table.is_some(), "rows": diagnosis.rows, "dropped": diagnosis.dropped(),
        "stops": stops, "lines": lines, "trips": trips, "findings": diagnosis.findings,
    });
    out.tell(&value, || {
        let head = format!(
            "{}: {} rows, {} dropped; {stops} stops, {lines} lines, {trips} trips\n",
            args.feed.display(),
            diagnosis.rows,
            diagnosis.dropped()
        );
        diagnosis.findings.iter().fold(head, |text, one| {
            let remedy = format!("{:?}", one.remedy).to_lowercase();
            text + &format!(
                "{}:{}: {} ({} rows {remedy}), such as `{}`\n",
                one.file, one.first_line, one.what, one.rows, one.example
            )
        })
    })?;
    Ok(yes(table.is_some()))
}

fn describe(args: &DescribeArgs, out: &Out) -> Result<Answer> {
    let planner = args.planner()?;
    let told = planner.describe();
    out.tell(&told, || tell::description(&told))?;
    Ok(Answer::Yes)
}

fn make(args: &GenerateArgs, out: &Out) -> Result<Answer> {
    let plan = CityPlan {
        seed: args.seed.seed.unwrap_or(CityPlan::default().seed),
        size: args.size,
    };
    let begin = Instant::now();
    let table = generate(&plan);
    keep_packed(&table, &args.out, &begin, out)
}

fn packed(args: &PackArgs, out: &Out) -> Result<Answer> {
    let begin = Instant::now();
    let (table, _) = open(&args.feed, args.projection)?;
    keep_packed(&table, &args.out, &begin, out)
}

fn keep_packed(
    table: &wits_transit::Timetable,
    path: &Path,
    begin: &Instant,
    out: &Out,
) -> Result<Answer> {
    let bytes = pack::write(table);
    write_whole(path, &bytes)?;
    let connections: usize = table
        .trips
        .iter()
        .map(|trip| table.stops_of(trip.pattern).len().saturating_sub(1))
        .sum();
    let value = json!({
        "file": path, "bytes": bytes.len(), "title": table.title, "stops": table.stops.len(), "lines": table.lines.len(),
        "trips": table.trips.len(), "connections": connections, "millis": begin.elapsed().as_millis() as u64,
    });
    out.tell(&value, || {
        format!(
            "{}: {} stops, {} lines, {} trips, {connections} hops in {} bytes",
            path.display(),
            table.stops.len(),
            table.lines.len(),
            table.trips.len(),
            bytes.len()
        )
    })?;
    Ok(Answer::Yes)
}

fn speeds(args: &SpeedsArgs, out: &Out) -> Result<Answer> {
    let planner = args.feed.planner()?;
    let seed = args.seed.or_fresh();
    let told = planner.speeds(args.queries, seed, &args.speeds);
    let mut value = serde_json::to_value(&told)?;
    value["seed"] = json!(seed);
    out.tell(&value, || tell::boldness(&told))?;
    Ok(Answer::Yes)
}

fn report(args: &FeedArgs, out: &Out) -> Result<Answer> {
    let planner = args.planner()?;
    let told = planner.report();
    out.tell(&json!({"date": planner.date(), "printed": told}), || {
        told.iter().fold(day_line(&planner), |text, one| {
            text + &format!(
                "figure {}: {}\n  report: {}\n  ours:   {}\n",
                one.figure, one.asked, one.report, one.ours
            )
        })
    })?;
    Ok(yes(told.iter().any(|one| one.ours_value.is_some())))
}

/// `LINE=MINUTES`
fn delay(text: &str) -> Result<(String, i32), String> {
    text.rsplit_once('=')
        .and_then(|(line, minutes)| Some((line.to_owned(), minutes.parse().ok()?)))
        .filter(|(_, minutes)| (0..=1440).contains(minutes))
        .ok_or_else(|| "write a line and minutes, such as 4=10".to_owned())
}

/// A time of day for clap: with a sentence that says what is wrong.
fn time(text: &str) -> Result<Time, String> {
    text.parse::<Time>().map_err(|e| e.to_string())
}
