//! `transit agree`: all exact searches on random queries.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;
use wits_desk::{Answer, Block, Cell, Cost, Param, Served, Table, Verb};

use super::{day, given, heads, planner, whole, with_feed};
use crate::study::with_threads;
use crate::thread::WORDS;

pub(super) fn verb() -> Verb {
    let count = |name, usual, about| Param::int(name, 1, 10_000_000, usual, &WORDS, about);
    let own = [
        count("queries", 1000, "param-queries"),
        Param::int("slow", 0, 10_000_000, 100, &WORDS, "param-slow").optional(),
        Param::seed(&WORDS, "param-seed"),
    ];
    Verb {
        id: "agree",
        about: WORDS.say("verb-agree"),
        params: with_feed(own),
        examples: &["wits transit agree --feed city.zip --queries 1000 --slow 100 --seed 1"],
        served: Served::Everywhere,
        cost: Cost::LONG,
        run: |args, shelf, work| {
            let planner = planner(args, shelf, work)?;
            let queries = args.int("queries") as usize;
            let slow = args.int_if("slow").unwrap_or(100) as usize;
            let seed = args.seed();
            let begin = work.seconds();
            let (threads, done) = (work.threads(), AtomicU64::new(0));
            let told = work.counting(&done, Some(queries as u64), |budget| {
                let going = |at: usize| {
                    done.store(at as u64, Ordering::Relaxed);
                    !(budget.stopped() || budget.late())
                };
                let slow = slow.min(queries);
                let compare = || planner.agree_watched(queries, slow, seed, &going);
                with_threads(threads, compare)
            });
            let mut answer = Answer::of(&told).say(day(&planner));
            answer.data["seed"] = json!(seed);
            answer.data["seconds"] = json!(work.seconds() - begin);
            answer.data["stopped"] = json!(told.queries < queries);
            let said = WORDS
                .say("agreed")
                .with("queries", whole(told.queries))
                .with("slow", whole(told.slow_queries))
                .with("answered", whole(told.answered))
                .with("seed", seed.to_string())
                .with("n", whole(told.disagreements));
            let all = wits_game::Message::plain(told.algorithms.join(", "));
            answer = answer.say(said).say(all);
            if !told.examples.is_empty() {
                let columns = heads(&["from", "to", "departs", "algorithm"]);
                let table = Table::new("examples", WORDS.say("title-differ"), columns);
                let name = |stop| Cell::text(planner.table.stop_name(stop));
                let table = told.examples.iter().fold(table, |table, one| {
                    let at = Cell::text(one.at.to_string());
                    table.row(vec![name(one.from), name(one.to), at, Cell::text(one.who)])
                });
                answer = answer.with(Block::Table(table));
            }
            Ok(given(answer, told.disagreements == 0))
        },
    }
}
