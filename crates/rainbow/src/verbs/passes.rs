//! `rainbow passes`: who wins where Breaker may pass, and so on every longer board.

use std::io::{BufReader, BufWriter, Write};

use serde_json::json;
use wits_desk::{Answer, Args, Cost, Param, Refusal, Served, Shelf, Verb, Work};
use wits_game::{Figure, Message};
use wits_search::{Budget, Limits};

use super::{decided, n_and_k, say};
use crate::pairing;
use crate::passes::{Fault, Outcome, Solver, check};
use crate::{Side, Terms, WORDS};

/// Bytes that a position takes in the table.
const POSITION: usize = 40;

pub(super) fn verb() -> Verb {
    let sides = Side::BOTH.map(|side| side.to_string());
    let mut params = n_and_k();
    params.extend([
        // A strategy against a Breaker who begins, perhaps with a pass, is one for Maker to begin, too.
        Param::choice(
            "first",
            &sides,
            &Side::Breaker.to_string(),
            &WORDS,
            "param-first",
        )
        .shown_as("SIDE"),
        Param::int(
            "positions",
            1,
            100_000_000_000,
            Solver::MOST_POSITIONS as i64,
            &WORDS,
            "param-positions",
        ),
        Param::flag("check", false, &WORDS, "param-check-strategy"),
        Param::kept("keep", &WORDS, "param-keep"),
    ]);
    Verb {
        id: "passes",
        about: say("verb-passes"),
        params,
        examples: &[
            "wits rainbow passes --n 17 --k 5 --check",
            "wits rainbow passes --n 16 --k 5",
            "wits rainbow passes --n 28 --k 6 --threads 16 --positions 500000000 --keep passes.kept",
        ],
        served: Served::Everywhere,
        cost: Cost::ALONE,
        run: |args, shelf, work| {
            let (n, k) = (args.int("n") as u64, args.int("k") as u64);
            let first = super::first(args);
            let terms = Terms::new(n, k, k, first)?;
            let (n, k) = (terms.n(), terms.k());
            let budget = work.budget().within(Limits::nodes(PAIRING_NODES));
            let pairing =
                pairing::known(n, k).or_else(|| pairing::find(n, k, &budget).pairing().cloned());
            if let Some(pairing) = pairing {
                let data = json!({
                    "n": n, "k": k, "first": first, "winner": Side::Breaker, "by": "pairing",
                    "pairing": pairing, "nodes": 0,
                });
                let says = say("passes-pairing").with("n", n).with("k", k);
                return Ok(Answer::yes(data).say(says));
            }
            let Some(mut solver) = sized(n, k, args, work) else {
                let data = json!({"n": n, "k": k, "first": first, "winner": null, "nodes": 0});
                let says = say("passes-too-long").with("most", Solver::LONGEST);
                return Ok(decided(Answer::yes(data).say(says), false));
            };
            let found = search(&mut solver, first, args, shelf, work)?;
            let check_with = args.flag("check").then(|| (work.threads(), work.budget()));
            answer(&solver, (n, k, first), found.as_ref(), check_with)
        },
    }
}

/// Positions of the search for a pairing: a second.
const PAIRING_NODES: u64 = 300_000;

fn sized(n: u32, k: u32, args: &Args, work: &Work<'_>) -> Option<Solver> {
    let positions = (args.int("positions") as usize).min((work.memory() << 20) / POSITION);
    Solver::sized(n, k, positions)
}

fn search(
    solver: &mut Solver,
    first: Side,
    args: &Args,
    shelf: &Shelf,
    work: &mut Work<'_>,
) -> Result<Option<Outcome>, Refusal> {
    let keep = args.text_if("keep");
    if let Some(name) = keep.filter(|name| shelf.has(name)) {
        let resumed = solver.resume(&mut BufReader::new(shelf.open(name)?));
        resumed.map_err(|error| wits_desk::unread(name, &error))?;
    }
    let (seen, threads) = (solver.counter(), work.threads());
    let found = work.counting(&seen, None, |budget| solver.solve(first, threads, budget));
    if let Some(name) = keep {
        shelf.keep(name, &mut |to: &mut dyn Write| {
            solver.save(&mut BufWriter::new(to))
        })?;
    }
    Ok(found)
}

fn answer(
    solver: &Solver,
    (n, k, first): (u32, u32, Side),
    found: Option<&Outcome>,
    check_with: Option<(usize, &Budget)>,
) -> Result<Answer, Refusal> {
    let Some(outcome) = found else {
        let nodes = solver.counter().load(std::sync::atomic::Ordering::Relaxed);
        let data = json!({
            "n": n, "k": k, "first": first, "winner": null, "nodes": nodes, "positions": solver.positions(),
        });
        let says = say("not-solved").with("nodes", Figure::whole(nodes));
        return Ok(decided(Answer::yes(data).say(says), false));
    };
    let mut data = json!({"by": "search", "checked": null});
    if let (Some(data), Ok(serde_json::Value::Object(more))) =
        (data.as_object_mut(), serde_json::to_value(outcome))
    {
        data.extend(more);
    }
    let mut says = vec![sentence(outcome)];
    if let Some((threads, budget)) = check_with.filter(|_| outcome.winner == Side::Maker) {
        says.push(match check(solver, first, threads, budget) {
            Ok(checked) => {
                data["checked"] = json!(checked);
                say("passes-checked")
                    .with("answers", Figure::whole(checked.answers))
                    .with("colours", checked.colours)
            }
            Err(Fault::Stopped) => say("passes-unchecked"),
            Err(fault) => {
                let why = say("passes-fault").with("why", fault.to_string());
                return Err(Refusal::new("bad-strategy", why, say("passes-fault-hint")));
            }
        });
    }
    Ok(says.into_iter().fold(Answer::yes(data), Answer::say))
}

fn sentence(outcome: &Outcome) -> Message {
    let key = match (outcome.winner, outcome.first) {
        (Side::Breaker, _) => "passes-breaker",
        (Side::Maker, Side::Breaker) => "passes-maker",
        (Side::Maker, Side::Maker) => "passes-maker-first",
    };
    say(key)
        .with("n", outcome.n)
        .with("k", outcome.k)
        .with("colours", outcome.colours.unwrap_or(0))
        .with("first", outcome.first.name())
        .with("opening", outcome.opening.unwrap_or(0))
        .with("nodes", Figure::whole(outcome.nodes))
}
