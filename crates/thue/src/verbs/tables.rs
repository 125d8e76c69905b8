//! `thue tables`: the tables and figures of the thesis again.

use std::sync::atomic::{AtomicU64, Ordering};

use wits_desk::{Answer, Block, Cost, Param, Picture, Served, Verb};
use wits_game::Message;

use super::{on_threads, say};
use crate::WORDS;
use crate::thesis::{Experiment, tables};

/// How many parts are told of.
const PARTS: u64 = 5;

pub(super) fn verb() -> Verb {
    Verb {
        id: "tables",
        about: say("verb-tables"),
        params: vec![
            Param::int("games", 1, 1_000_000, 12, &WORDS, "param-games"),
            Param::int("unbeaten", 1, 10_000, 3, &WORDS, "param-unbeaten"),
            Param::output("figures", &WORDS, "param-figures")
                .folder()
                .shown_as("DIR"),
            Param::seed(&WORDS, "param-seed"),
        ],
        examples: &["wits thue tables --games 12 --figures figures/"],
        // A game of the thesis is played to its end; there is no stopping in between.
        served: Served::Terminal,
        cost: Cost::LONG,
        run: |args, _, work| {
            let experiment = Experiment {
                games: args.int("games") as u64,
                unbeaten: args.int("unbeaten") as u64,
                seed: args.seed(),
                ..Experiment::default()
            };
            let (threads, parts) = (work.threads(), AtomicU64::new(0));
            let found = work.counting(&parts, Some(PARTS), |_| {
                on_threads(threads, || {
                    tables(&experiment, |_| {
                        parts.fetch_add(1, Ordering::Relaxed);
                    })
                })
            })?;
            let mut answer = Answer::of(&found);
            answer.data["seed"] = experiment.seed.number().into();
            answer.data["seconds"] = work.seconds().into();
            answer = answer.say(Message::plain(found.text().trim_end().to_owned()));
            for figure in &found.figures {
                let drawings = [
                    ("", figure.chart()),
                    ("-fits", figure.cause(true)),
                    ("-positions", figure.cause(false)),
                ];
                for (suffix, chart) in drawings {
                    answer = answer.with(Block::Picture(Picture {
                        name: format!("figures/figure-{}{suffix}.svg", figure.number),
                        title: Message::plain(chart.title.clone()),
                        svg: chart.svg(),
                    }));
                }
            }
            Ok(answer)
        },
    }
}
