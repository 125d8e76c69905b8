//! `rainbow passes`: who wins where Breaker may pass, and so on every longer board.

use std::sync::atomic::Ordering;

use serde_json::json;
use wits_desk::{Answer, Cost, Param, Refusal, Served, Verb};
use wits_game::{Figure, Message};
use wits_search::{Budget, Limits};

use super::{decided, keep, n_and_k, say};
use crate::pairing;
use crate::passes::{Fault, Outcome, Solver, check};
use crate::{Side, Terms, WORDS};

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
            let room = keep::room(args, work);
            let Some(mut solver) = Solver::sized(n, k, room) else {
                let data = json!({"n": n, "k": k, "first": first, "winner": null, "nodes": 0});
                let says = say("passes-too-long").with("most", Solver::LONGEST);
                return Ok(decided(Answer::yes(data).say(says), false));
            };
            let threads = work.threads();
            let (found, standing) =
                keep::search(&mut solver, (args, shelf), work, |solver, budget| {
                    let found = solver.solve(first, threads, budget);
                    (found, found.is_some())
                })?;
            let check_with = args.flag("check").then(|| (threads, work.budget()));
            let told = match &found {
                Some(outcome) => answer(&solver, first, outcome, check_with)?,
                None => unsolved(&solver, (n, k, first), room),
            };
            Ok(keep::told(told, standing, found.is_some()))
        },
    }
}

/// Positions of the search for a pairing: a second.
const PAIRING_NODES: u64 = 300_000;

fn unsolved(solver: &Solver, (n, k, first): (u32, u32, Side), room: usize) -> Answer {
    let nodes = solver.counter().load(Ordering::Relaxed);
    let data = json!({
        "n": n, "k": k, "first": first, "winner": null, "nodes": nodes, "positions": solver.positions(),
    });
    let says = keep::unsolved(nodes, solver.positions(), room);
    decided(Answer::yes(data).say(says), false)
}

fn answer(
    solver: &Solver,
    first: Side,
    outcome: &Outcome,
    check_with: Option<(usize, &Budget)>,
) -> Result<Answer, Refusal> {
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
