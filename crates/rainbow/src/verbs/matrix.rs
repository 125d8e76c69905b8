//! `rainbow matrix`: every machine level against every hint level.

use std::sync::atomic::{AtomicU64, Ordering};

use wits_desk::{Answer, Args, Block, Cell, Cost, Param, Refusal, Served, Table, Verb};
use wits_game::{Figure, Message};

use super::{heads, say, terms, terms_params};
use crate::WORDS;
use crate::matrix::{Machine, MatrixPlan};
use crate::players::Strong;

pub(super) fn verb() -> Verb {
    let mut params = terms_params();
    params.extend([
        Param::int("games", 1, 1_000_000, 60, &WORDS, "param-games"),
        Param::text("makers", &WORDS, "param-makers").shown_as("LIST"),
        Param::text("breakers", &WORDS, "param-breakers").shown_as("LIST"),
        Param::int("strong", 1, 1_000_000_000, 3_000, &WORDS, "param-strong")
            .optional()
            .shown_as("NODES"),
        Param::seed(&WORDS, "param-seed"),
    ]);
    Verb {
        id: "matrix",
        about: say("verb-matrix"),
        params,
        examples: &[
            "wits rainbow matrix --n 30 --k 5 --c 10 --first breaker --games 60 --strong 1000",
            "wits rainbow matrix --n 20 --k 5 --c 10 --games 1000 --makers 4 --breakers 4,strong",
        ],
        served: Served::Everywhere,
        cost: Cost::LONG,
        run: |args, _, work| {
            let plan = MatrixPlan {
                terms: terms(args)?,
                makers: machines(args, "makers")?,
                breakers: machines(args, "breakers")?,
                games: args.int("games") as u64,
                seed: args.seed(),
            };
            let total = plan.games * (plan.makers.len() * plan.breakers.len()) as u64;
            let (done, threads) = (AtomicU64::new(0), work.threads());
            let found = work.counting(&done, Some(total), |budget| {
                plan.play(threads, &budget.flag(), &|games| {
                    if budget.late() {
                        budget.stop();
                    }
                    done.store(games, Ordering::Relaxed);
                })
            });
            let stopped = || Refusal::new("stopped", say("stopped"), say("stopped-hint"));
            let found = found.ok_or_else(stopped)?;
            let title = say("title-matrix")
                .with("games", Figure::whole(found.games))
                .with("seed", found.seed.to_string());
            let mut table = Table::new("matrix", title, heads(&["machine"]));
            table
                .columns
                .extend(found.breakers.iter().map(Message::plain));
            for (maker, cells) in found.makers.iter().zip(&found.cells) {
                let mut row = vec![Cell::text(maker)];
                row.extend(cells.iter().map(|cell| Cell::decimal(cell.share, 3)));
                table = table.row(row);
            }
            Ok(Answer::of(&found).with(Block::Table(table)))
        },
    }
}

/// `0` to `4` and `strong`, with commas; all levels where none is named.
fn machines(args: &Args, name: &'static str) -> Result<Vec<Machine>, Refusal> {
    let nodes = args.int_if("strong").map(|nodes| nodes as u64);
    let Some(text) = args.text_if(name) else {
        let strong = nodes.map(Machine::Strong);
        return Ok(Machine::levels().into_iter().chain(strong).collect());
    };
    let one = |word: &str| match (word.trim(), word.trim().parse()) {
        ("strong", _) => Ok(Machine::Strong(nodes.unwrap_or(Strong::NODES))),
        (_, Ok(level @ 0..=4)) => Ok(Machine::Level(level)),
        _ => {
            let why = say("bad-value").with("value", word.to_owned());
            let why = why.with("name", name);
            Err(Refusal::new("bad-value", why, say("machines-hint")))
        }
    };
    text.split(',').map(one).collect()
}
