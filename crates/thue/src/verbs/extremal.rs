//! `thue extremal`: square-free words into which nothing fits.

use serde_json::json;
use wits_desk::{Answer, Block, Cell, Cost, Param, Served, Table, Verb, Verdict};

use super::{heads, say, stopped, symbols_param};
use crate::words::extremal::extremal;
use crate::{WORDS, Word};

pub(super) fn verb() -> Verb {
    Verb {
        id: "extremal",
        about: say("verb-extremal"),
        params: vec![
            symbols_param(Word::MOST_SYMBOLS),
            Param::int("length", 1, 100, 25, &WORDS, "param-length"),
        ],
        examples: &["wits thue extremal --symbols 3 --length 25"],
        served: Served::Everywhere,
        cost: Cost::QUICK,
        run: |args, _, work| {
            let (symbols, length) = (args.int("symbols") as usize, args.int("length") as usize);
            let words = extremal(symbols, length, work.budget()).ok_or_else(stopped)?;
            let shown: Vec<String> = words
                .iter()
                .map(|w| w.letters().unwrap_or_else(|| w.to_string()))
                .collect();
            let mut answer = Answer::yes(json!({"words": shown, "count": shown.len()}));
            if shown.is_empty() {
                answer.verdict = Verdict::No;
                return Ok(answer.say(say("extremal-none")));
            }
            let mut table = Table::new("words", say("extremal"), heads(&["word"]));
            for word in &shown {
                table = table.row(vec![Cell::text(word)]);
            }
            Ok(answer.with(Block::Table(table)))
        },
    }
}
