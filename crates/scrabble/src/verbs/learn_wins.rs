//! `scrabble learn-wins`: how likely a lead wins, from self-play.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;
use wits_desk::{Answer, Block, Cost, File, Param, Refusal, Served, Verb};
use wits_game::Figure;

use super::{engine, lexicon_param, say};
use crate::players::learn::Lessons;
use crate::players::wins::learn_wins;
use crate::{WORDS, house};

pub(super) fn verb() -> Verb {
    Verb {
        id: "learn-wins",
        about: say("verb-learn-wins"),
        params: vec![
            lexicon_param(),
            Param::int("games", 1, 100_000_000, 20_000, &WORDS, "param-learn-games"),
            Param::int("seed", 0, 1 << 53, 1, &WORDS, "param-seed"),
            Param::output("out", &WORDS, "param-out-wins").shown_as("FILE"),
        ],
        examples: &["wits scrabble learn-wins --lexicon english --out wins.txt"],
        served: Served::Terminal,
        cost: Cost::LONG,
        run: |args, shelf, work| {
            let engine = engine(args.text("lexicon"), shelf)?;
            let leaves = house::leaves(engine.tiles());
            let lessons = Lessons {
                games: args.int("games") as u64,
                generations: 1,
                threads: work.threads(),
                seed: wits_game::Seed::new(args.int("seed") as u64),
            };
            let done = AtomicU64::new(0);
            let learned = work.counting(&done, Some(lessons.games), |budget| {
                learn_wins(&engine, &leaves, &lessons, &budget.flag(), &|_| {
                    done.fetch_add(1, Ordering::Relaxed);
                })
            });
            let learned = learned
                .ok_or_else(|| Refusal::new("stopped", say("stopped"), say("stopped-hint")))?;
            let lexicon = engine.lexicon();
            let text = format!(
                "# How likely a lead wins: unseen tiles, what the move is worth and the scale, in hundredths of a point. Made by:\n\
                 # wits scrabble learn-wins --lexicon {} --games {} --seed {}\n# Lexicon {:016x}, {} words; {} turns.\n{}",
                args.text("lexicon"),
                lessons.games,
                lessons.seed,
                lexicon.hash(),
                lexicon.len(),
                learned.turns,
                learned.wins.write()
            );
            let chance = |lead: f64, unseen| learned.wins.chance(lead, unseen);
            let data = json!({"lexicon": args.text("lexicon"), "games": lessons.games, "turns": learned.turns,
                "bytes": text.len(), "file": args.text_if("out"),
                "examples": [{"lead": 0, "unseen": 86, "wins": chance(0.0, 86)}, {"lead": 20, "unseen": 14, "wins": chance(20.0, 14)}]});
            let says = say("learned-wins").with("turns", learned.turns);
            let says = says.with("even", Figure::Share(chance(0.0, 86)));
            let says = says.with("late", Figure::Share(chance(20.0, 14)));
            let file = File {
                name: "out".to_owned(),
                file: "wins.txt".to_owned(),
                title: say("file-wins"),
                mime: "text/plain; charset=utf-8".to_owned(),
                bytes: text.into_bytes(),
            };
            Ok(Answer::yes(data).say(says).with(Block::File(file)))
        },
    }
}
