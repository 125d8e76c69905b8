//! `thue find`: the repetitions of a word.

use wits_desk::{Answer, Block, Cell, Cost, Param, Served, Table, Verb};
use wits_game::Figure;

use super::{conventions, heads, say, text_file, variant, variant_param, word, word_param};
use crate::report::{Found, found};
use crate::{WORDS, Word, threads};

pub(super) fn verb() -> Verb {
    Verb {
        id: "find",
        about: say("verb-find"),
        params: vec![
            word_param(),
            variant_param("kind"),
            Param::int("limit", 0, 1_000_000, 1000, &WORDS, "param-limit"),
            Param::output("thread", &WORDS, "param-thread"),
        ],
        examples: &[
            "wits thue find abcabc",
            "wits thue find 0110100110010110 --kind overlap",
            "wits thue find abcacb --thread windows.thread",
        ],
        served: Served::Everywhere,
        cost: Cost::QUICK,
        run: |args, _, _| {
            let (word, kind) = (word(args)?, variant(args, "kind"));
            let found = found(&word, kind, args.int("limit") as usize);
            let mut answer = Answer::of(&found);
            answer.blocks = found_blocks(&word, &found);
            if args.given("thread") {
                let thread = threads::windows(&word, kind).text();
                let file = "windows.thread".to_owned();
                let file = text_file("thread".to_owned(), file, say("thread-windows"), thread);
                answer = answer.with(file);
            }
            Ok(answer.with(conventions()))
        },
    }
}

fn letters(word: &[u8], from: usize, count: usize) -> String {
    let part = word.get(from..from + count).unwrap_or_default();
    Word::new(part.to_vec()).map_or_else(|_| String::new(), |w| w.to_string())
}

/// The repetitions of a word as people see them.
pub fn found_blocks(word: &[u8], found: &Found) -> Vec<Block> {
    let kind = found.kind.name();
    let first = match (found.start, found.period, found.length) {
        (Some(start), Some(period), Some(length)) => say("found")
            .with("variant", kind)
            .with("count", Figure::whole(found.count))
            .with("start", start)
            .with("period", period)
            .with("left", letters(word, start, period))
            .with("right", letters(word, start + period, length - period)),
        _ => say("found-none")
            .with("variant", kind)
            .with("length", Figure::whole(word.len())),
    };
    let mut blocks = vec![Block::Says(first)];
    if !found.runs.is_empty() {
        let mut runs = Table::new(
            "runs",
            say("runs"),
            heads(&["start", "period", "length", "word"]),
        );
        for run in &found.runs {
            runs = runs.row(vec![
                Cell::whole(run.start),
                Cell::whole(run.period),
                Cell::whole(run.length),
                Cell::text(letters(word, run.start, run.length)),
            ]);
        }
        blocks.push(Block::Table(runs));
    }
    match &found.too_close {
        _ if found.irreducible == Some(true) => blocks.push(Block::Says(say("irreducible"))),
        Some(close) => blocks.push(Block::Says(
            say("reducible")
                .with("length", close.length)
                .with("first", close.first)
                .with("second", close.second),
        )),
        None => {}
    }
    blocks
}
