//! `thue survival`: how long games of two levels last, with games that were cut counted for what they are.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;
use wits_desk::{Answer, Block, Cell, Cost, Param, Served, Table, Verb};
use wits_game::Figure;

use super::{conventions, heads, on_threads, say, stopped, symbols_param, variant, variant_param};
use crate::game::Insertion;
use crate::survival::{Played, Survival, play};
use crate::{WORDS, Word};

/// About so many steps of the curve are shown to people; programs get all.
const SHOWN: usize = 20;

pub(super) fn verb() -> Verb {
    Verb {
        id: "survival",
        about: say("verb-survival"),
        params: vec![
            Param::int("builder", 0, 4, 0, &WORDS, "param-builder-level").shown_as("L"),
            Param::int("painter", 0, 4, 1, &WORDS, "param-painter-level").shown_as("L"),
            variant_param("variant"),
            Param {
                default: Some("5".to_owned()),
                ..symbols_param(Word::MOST_SYMBOLS)
            },
            Param::int("games", 1, 1_000_000, 100, &WORDS, "param-games-of"),
            Param::int("max-moves", 2, 100_000, 380, &WORDS, "param-longest").shown_as("M"),
            Param::seed(&WORDS, "param-seed"),
        ],
        examples: &["wits thue survival --builder 0 --painter 1 --games 3000 --max-moves 1000"],
        served: Served::Everywhere,
        cost: Cost::LONG,
        run: |args, _, work| {
            let level = |name| args.int(name) as u32;
            let (builder, painter) = (level("builder"), level("painter"));
            let variant = variant(args, "variant");
            let game = Insertion {
                max_moves: args.int("max-moves") as usize - 1,
                ..Insertion::new(variant, args.int("symbols") as usize)
            };
            let (games, seed, threads) = (args.int("games") as u64, args.seed(), work.threads());
            let done = AtomicU64::new(0);
            let played = work.counting(&done, Some(games), |budget| {
                on_threads(threads, || {
                    play(&game, (builder, painter), games, seed, budget, || {
                        done.fetch_add(1, Ordering::Relaxed);
                    })
                })
            })?;
            if played.games.is_empty() {
                return Err(stopped());
            }
            let found = Survival::of(&played.games);
            let mut answer = Answer::yes(json!({
                "builder": builder, "painter": painter, "variant": variant, "symbols": game.symbols,
                "max_moves": game.max_moves + 1, "survival": found, "gaps": played.gaps,
                "dead_gaps": { "mean": played.dead.0, "most": played.dead.1 },
                "seed": seed.number(), "seconds": work.seconds(),
            }));
            answer = answer.with(Block::Table(curve(&found)));
            for says in sentences(&found, &played) {
                answer = answer.say(says);
            }
            Ok(answer.with(conventions()))
        },
    }
}

fn curve(found: &Survival) -> Table {
    let keys = [
        "survival-moves",
        "at-risk",
        "games-ended",
        "longer",
        "interval",
    ];
    let mut table = Table::new("curve", say("survival-curve"), heads(&keys));
    let every = found.steps.len().div_ceil(SHOWN).max(1);
    let last = found.steps.len().saturating_sub(1);
    for (at, step) in found.steps.iter().enumerate() {
        if at % every == 0 || at == last {
            table = table.row(vec![
                Cell::whole(step.moves),
                Cell::whole(step.at_risk),
                Cell::whole(step.ended),
                Cell::share(step.share),
                Cell::shares(step.between),
            ]);
        }
    }
    table
}

fn sentences(found: &Survival, played: &Played) -> Vec<wits_game::Message> {
    let mut says = vec![
        say("survival-games")
            .with("games", Figure::whole(found.games))
            .with("ended", Figure::whole(found.ended)),
    ];
    says.push(match (found.median, found.median_between) {
        (Some(median), [Some(low), Some(high)]) => say("survival-median")
            .with("median", median)
            .with("low", low)
            .with("high", high),
        (Some(median), [low, _]) => say("survival-median-open")
            .with("median", median)
            .with("low", low.unwrap_or(median)),
        (None, _) => say("survival-no-median"),
    });
    says.push(match found.law {
        Some(law) if law.holds => say("survival-law")
            .with("from", law.from)
            .with("rate", Figure::Decimal(law.rate, 5))
            .with("low", Figure::Decimal(law.between[0], 5))
            .with("high", Figure::Decimal(law.between[1], 5)),
        Some(law) => say("survival-no-law")
            .with("low", Figure::Decimal(law.halves[0][0], 5))
            .with("high", Figure::Decimal(law.halves[0][1], 5))
            .with("late-low", Figure::Decimal(law.halves[1][0], 5))
            .with("late-high", Figure::Decimal(law.halves[1][1], 5)),
        None => say("survival-few"),
    });
    if found.ended > 0 {
        says.push(
            say("dead-gaps")
                .with("mean", Figure::Decimal(played.dead.0, 2))
                .with("most", played.dead.1)
                .with("share", Figure::Share(played.gaps[0])),
        );
    }
    says
}
