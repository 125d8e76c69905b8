//! `thue marathon`: millions of moves against the Painter that never loses with 12 symbols.

use wits_desk::{Answer, Cost, Param, Progress, Served, Verb, Verdict};
use wits_game::Figure;

use super::say;
use crate::WORDS;
use crate::marathon::marathon;

pub(super) fn verb() -> Verb {
    let builders = ["random", "ends", "greedy"];
    Verb {
        id: "marathon",
        about: say("verb-marathon"),
        params: vec![
            Param::int("moves", 1, 200_000_000, 1, &WORDS, "param-moves").required(),
            Param::choice("builder", &builders, "random", &WORDS, "param-builder").shown_as("B"),
            Param::seed(&WORDS, "param-seed"),
        ],
        examples: &["wits thue marathon --moves 10000000 --builder random"],
        served: Served::Everywhere,
        cost: Cost::LONG,
        run: |args, _, work| {
            let (moves, seed) = (args.int("moves") as u64, args.seed());
            let builder = args.text("builder").parse();
            let builder = builder.expect("the parameter takes the names of builders only");
            let budget = work.budget().clone();
            let end = marathon(moves as usize, builder, seed, &budget, |done| {
                work.tell(Progress {
                    done: done as u64,
                    total: Some(moves),
                    ..Progress::default()
                });
            });
            let mut answer = Answer::of(&end);
            answer.data["seconds"] = work.seconds().into();
            answer.data["seed"] = seed.number().into();
            if !end.square_free {
                answer.verdict = Verdict::No;
            }
            let free = if end.square_free {
                "run-free"
            } else {
                "run-not-free"
            };
            let says = say("run")
                .with("moves", Figure::whole(end.moves))
                .with("length", Figure::whole(end.length))
                .with("hash", end.word_hash)
                .with("free", say(free));
            let more = say("run-more")
                .with("symbols", end.symbols_used)
                .with("levels", end.deepest)
                .with("seconds", Figure::Decimal(work.seconds(), 1))
                .with("seed", seed.to_string());
            Ok(answer.say(says).say(more))
        },
    }
}
