//! The verbs of the transit room: journeys here, everything else in files of its own.

mod args;
pub(crate) mod bench;
mod feed;
mod feeds;
mod studies;
mod tell;
mod tours;
mod what_if;

use std::fmt::Write;
use std::io::{IsTerminal, stdin};
use std::str::FromStr;
use std::time::Instant;

use anyhow::Result;
use serde_json::{Value, json};
use wits_transit::tour::{Method, TourBy, TourQuestion};
use wits_transit::{Algorithm, Objective, Planner, Proof, Question, Searches, Time, names};

use self::args::{IsochroneArgs, ProfileArgs, ProofArgs, RouteArgs, VerifyArgs};
use self::feed::problem;
use self::tell::journey;
use self::tours::{Showing, each, tell_tour, tour_unproved};
use crate::out::Out;
use crate::problem::Problem;
use crate::shelf::write_whole;
use crate::{Answer, input};

pub(crate) use self::args::Verb;

/// Does what a verb of this room asks.
pub(crate) fn run(verb: Verb, out: &Out) -> Result<Answer> {
    match verb {
        Verb::Route(args) => route(&args, out),
        Verb::Tour(args) => tours::tour(&args, out),
        Verb::Verify(args) => verify(&args, out),
        Verb::Isochrone(args) => isochrone(&args, out),
        Verb::Profile(args) => profile(&args, out),
        Verb::Whatif(args) => what_if::what_if(&args, out),
        Verb::Whynot(args) => what_if::why_not(&args, out),
        Verb::Agree(args) => studies::agree(&args, out),
        Verb::Stops(args) => feeds::stops(&args, out),
        Verb::Check(args) => feeds::check(&args, out),
        Verb::Describe(args) => studies::describe(&args, out),
        Verb::Generate(args) => feeds::make(&args, out),
        Verb::Pack(args) => feeds::packed(&args, out),
        Verb::Speeds(args) => studies::speeds(&args, out),
        Verb::Report(args) => studies::report(&args, out),
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
        let Some(line) = input::line(&mut stdin().lock())? else {
            return Err(missing().into());
        };
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

/// The most steps of a thread that are kept.
const STEPS: usize = 20_000;

fn yes(so: bool) -> Answer {
    if so { Answer::Yes } else { Answer::No }
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

/// A time of day for clap: with a sentence that says what is wrong.
fn time(text: &str) -> Result<Time, String> {
    text.parse::<Time>().map_err(|e| e.to_string())
}
