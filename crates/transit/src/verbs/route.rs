//! `transit route`: the best journeys, or a tour where several stops are named.

use serde_json::json;
use wits_desk::{Answer, Args, Block, Cost, File, Param, Refusal, Served, Verb, Work};
use wits_game::{Lang, Message};
use wits_search::Thread;

use super::{ask, call, day, ends, given, place, proof, refusal, show, time, tour};
use super::{whole, with_feed, word};
use crate::ask::{Algorithm, Objective};
use crate::planner::Planner;
use crate::proof::Proof;
use crate::route::{CannotAsk, Question, Searches};
use crate::thread::WORDS;
use crate::tour::{Method, TourBy, TourQuestion};

pub(super) fn verb() -> Verb {
    let [from, to] = ends();
    let own = [
        from.prompted(),
        to.prompted(),
        super::at_param().prompted(),
        Param::flag("arrive-by", false, &WORDS, "param-arrive-by"),
        Param::text("by", &WORDS, "param-by")
            .shown_as("OBJECTIVE")
            .offering(&[
                "time",
                "transfers",
                "distance",
                "weighted:10",
                "pareto",
                "pareto-walking",
            ]),
        Param::text("algorithm", &WORDS, "param-algorithm")
            .shown_as("ALGORITHM")
            .offering(&[
                "csa",
                "raptor",
                "tripbased",
                "sweep",
                "dijkstra",
                "astar:speed=20",
            ]),
        Param::int("window", 0, 1440, 0, &WORDS, "param-journeys-window").shown_as("MINUTES"),
        Param::flag("full", false, &WORDS, "param-full"),
    ];
    let own = own.into_iter().chain(thread_params());
    Verb {
        id: "route",
        about: WORDS.say("verb-route"),
        params: with_feed(own.chain(proof::params())),
        examples: &[
            "wits transit route Rynek Zoo --feed city.zip --at 12:34",
            "wits transit route Rynek Zoo --feed city.zip --at 12:34 --by pareto --algorithm raptor --full",
            "wits transit route Rynek Zoo --feed city.zip --at 12:34 --by pareto --window 60",
            "wits transit route Rynek Zoo --feed city.zip --at 12:34 --realtime trips.pb",
            "wits transit route",
        ],
        served: Served::Everywhere,
        cost: Cost::READING,
        run: |args, shelf, work| ask(args, shelf, work, |planner| route(planner, args, work)),
    }
}

/// The most journeys of a window.
const MOST_SHOWN: usize = 60;

/// Where a search is kept step by step, and the most steps of it.
pub(super) fn thread_params() -> [Param; 2] {
    [
        Param::output("thread", &WORDS, "param-thread"),
        Param::int("steps", 1, 1_000_000, 20_000, &WORDS, "param-steps"),
    ]
}

/// Whether somebody keeps the thread, which is large.
pub(super) fn keeps_thread(args: &Args) -> bool {
    !args.text("thread").is_empty()
}

pub(super) fn thread_file(thread: &Thread) -> Block {
    Block::File(File {
        name: "thread".to_owned(),
        file: "search.thread".to_owned(),
        title: WORDS.say("file-thread"),
        mime: "application/jsonl".to_owned(),
        bytes: thread.text().into_bytes(),
    })
}

/// What is best and how it is looked for; the report's codes `dt`, `dp` and `dd` ask for Dijkstra's
/// algorithm.
fn wanted(args: &Args) -> Result<(Objective, Algorithm), Refusal> {
    let by = args.text_if("by").unwrap_or("time");
    let named: Option<Algorithm> = args.text_if("algorithm").map(word).transpose()?;
    let coded = Algorithm::of_code(by);
    if let (Some(coded), Some(named)) = (coded, named)
        && std::mem::discriminant(&coded) != std::mem::discriminant(&named)
    {
        let why = WORDS.say("code-and-algorithm").with("code", by);
        let why = why.with("algorithm", named.to_string());
        return Err(refusal("cannot-ask", &why));
    }
    let algorithm = named.or(coded).unwrap_or(Algorithm::Auto);
    Ok((word(by)?, algorithm))
}

fn route(planner: &Planner, args: &Args, work: &Work<'_>) -> Result<Answer, Refusal> {
    let (from, at) = (place(planner, args.text("from"))?, time(args)?);
    let (by, algorithm) = wanted(args)?;
    let certify = proof::wanted(args)?;
    // Several stops make a tour, as in the report's prompts.
    if args.text("to").contains(';') {
        if certify {
            return Err(tour::unproved());
        }
        let question = TourQuestion {
            start: from,
            stops: tour::each(planner, &args.list("to"))?,
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
        return tour::told(planner, args, &question, false, work);
    }
    let question = Question {
        from,
        to: place(planner, args.text("to"))?,
        at,
        arrive_by: args.flag("arrive-by"),
        by,
        algorithm,
    };
    let failed = |error: CannotAsk| refusal("cannot-ask", &error);
    let (mut thread, mut certificate) = (None, None);
    let window = args.int("window") as i32;
    if window > 0 && (certify || keeps_thread(args)) {
        let other = if certify { "certify" } else { "thread" };
        return Err(super::feed::not_both("window", other));
    }
    planner.prepare(&question);
    let begin = work.seconds();
    let mut found = if keeps_thread(args) {
        let (found, steps) = planner
            .route_thread(&question, args.int("steps") as usize)
            .map_err(failed)?;
        thread = Some(steps);
        found
    } else if certify {
        let proved = planner.prove(&question, &mut Searches::default());
        let (found, proof) = proved.map_err(failed)?;
        certificate = Some(Proof::Journeys(proof));
        found
    } else if window > 0 {
        let mut searches = Searches::default();
        let found = planner.journeys_over(&question, window, MOST_SHOWN, &mut searches);
        found.map_err(failed)?
    } else {
        planner.route(&question).map_err(failed)?
    };
    found.micros = ((work.seconds() - begin) * 1e6) as u64;
    if certify && certificate.is_none() {
        let proved = planner.prove(&question, &mut Searches::default());
        certificate = Some(Proof::Journeys(proved.map_err(failed)?.1));
    }
    let answer = shown(planner, args, &question, &found);
    let answer = thread.iter().fold(answer, |a, t| a.with(thread_file(t)));
    Ok(proof::checked(planner, args, answer, certificate.as_ref()))
}

fn shown(
    planner: &Planner,
    args: &Args,
    question: &Question,
    found: &crate::route::Answer,
) -> Answer {
    let mut answer = Answer::of(found).say(day(planner));
    for (n, one) in (1..).zip(&found.journeys) {
        let title = WORDS.say("journey-number").with("n", n);
        let name = format!("journey-{n}");
        let by = question.by;
        let blocks = show::journey(&name, title, one, by, args.flag("full"));
        answer.blocks.extend(blocks);
    }
    for alert in &found.alerts {
        let told = alert.told(Lang::spoken().code()).to_owned();
        answer = answer.with(Block::Note(Message::plain(told)));
    }
    if found.journeys.is_empty() {
        let no = WORDS.say("no-way").with("days", i64::from(found.days));
        answer = answer.say(no);
        let ends = [&question.from, &question.to].into_iter();
        let unserved = ends
            .filter(|stops| !planner.calls_at(stops))
            .filter_map(|stops| Some(planner.table.stop_name(*stops.first()?)));
        let unserved: Vec<&str> = unserved.collect();
        answer.data["without_service"] = json!(unserved);
        for stop in unserved {
            answer = answer.say(WORDS.say("nothing-calls").with("stop", stop));
        }
    }
    let work = WORDS
        .say("searched")
        .with("by", found.by.to_string())
        .with("algorithm", found.algorithm.to_string())
        .with("settled", whole(found.settled))
        .with("micros", whole(found.micros));
    let answer = answer
        .say(work)
        .with(Block::Next(next(planner, args, question, found)));
    given(answer, !found.journeys.is_empty())
}

/// Lines that call at the start and that the journeys do not use.
pub fn passed_over<'a>(planner: &'a Planner, question: &Question, used: &[&str]) -> Vec<&'a str> {
    let table = &planner.table;
    let mut lines: Vec<&str> = Vec::new();
    for (index, pattern) in (0u32..).zip(&table.patterns) {
        let name = table.lines[pattern.line as usize].name.as_str();
        let here = || {
            let stops = table.stops_of(index);
            stops.iter().any(|stop| question.from.contains(stop))
        };
        if !used.contains(&name) && !lines.contains(&name) && here() {
            lines.push(name);
        }
    }
    lines
}

/// What one would ask now: a proof, the whole day, what happens without a line, and why not another one.
fn next(
    planner: &Planner,
    args: &Args,
    question: &Question,
    found: &crate::route::Answer,
) -> Vec<wits_desk::Call> {
    let keep = ["from", "to", "at"];
    let mut calls = Vec::new();
    let mut push = |verb, says: Message, keep: &[&str], own: &[(&str, &str)]| {
        calls.push(call(args, verb, says, keep, own));
    };
    if !args.flag("certify") {
        let keep = ["from", "to", "at", "arrive-by", "by", "algorithm"];
        push(
            "route",
            WORDS.say("next-prove"),
            &keep,
            &[("certify", "true")],
        );
    }
    push("profile", WORDS.say("next-day"), &["from", "to"], &[]);
    let legs = found.journeys.iter().flat_map(|one| &one.legs);
    let mut lines: Vec<&str> = Vec::new();
    for leg in legs.filter(|leg| leg.trip.is_some()) {
        if !lines.contains(&leg.line.as_str()) {
            lines.push(&leg.line);
        }
    }
    for line in lines.iter().take(3) {
        let says = WORDS.say("next-cancel").with("line", *line);
        push("whatif", says, &keep, &[("cancel", line)]);
    }
    if !question.arrive_by && !lines.is_empty() {
        for line in passed_over(planner, question, &lines).into_iter().take(2) {
            let says = WORDS.say("next-why-not").with("line", line);
            push("whynot", says, &keep, &[("line", line)]);
        }
    }
    calls
}
