//! `rainbow hint`: what a level advises Breaker, any number of times.

use serde_json::json;
use wits_desk::{Answer, Block, Cell, Cost, Param, Refusal, Served, Table, Verb};
use wits_game::{Dice, Game, Message, Stream};

use super::{decided, heads, say, terms, terms_params};
use crate::players::Hint;
use crate::{Rainbow, WORDS};

pub(super) fn verb() -> Verb {
    let mut params = terms_params();
    params.extend([
        Param::text("moves", &WORDS, "param-moves").shown_as("MOVES"),
        Param::int("level", 0, 4, 4, &WORDS, "param-hint").shown_as("L"),
        Param::int("times", 1, 10_000, 1, &WORDS, "param-times"),
        Param::seed(&WORDS, "param-seed"),
    ]);
    Verb {
        id: "hint",
        about: say("verb-hint"),
        params,
        examples: &[
            "wits rainbow hint --n 30 --k 5 --c 10 --moves \"15=1 16=1 14=2\" --level 4 --times 3",
        ],
        served: Served::Everywhere,
        cost: Cost::QUICK,
        run: |args, _, _| {
            let game = Rainbow::new(terms(args)?);
            let mut board = game.start();
            let illegal = |error: wits_game::Illegal| {
                let why = Message::plain(error.to_string());
                Refusal::new("illegal", why, say("illegal-hint"))
            };
            for text in args.text("moves").split_whitespace() {
                let paint = game.read(&board, text).map_err(illegal)?;
                game.legal(&board, &paint).map_err(illegal)?;
                game.play(&mut board, &paint);
            }
            let (seed, over) = (args.seed(), board.winner().is_some());
            let kind = Hint::new(args.int("level") as u8).filter(|_| !over);
            let ask = |n: u64| {
                let mut dice = Dice::at(seed.nth(n), Stream::Aside, board.coloured());
                kind.and_then(|kind| kind.advise(&board, &mut dice))
            };
            let mut table = Table::new("hints", say("title-hints"), heads(&["move", "why"]));
            let mut list = Vec::new();
            for advice in (0..args.int("times") as u64).filter_map(ask) {
                let text = format!("{}={}", advice.paint.number, advice.paint.colour);
                list.push(json!({"move": text, "why": advice.why.to_string()}));
                table = table.row(vec![Cell::text(text), Cell::Says(advice.why)]);
            }
            let some = !list.is_empty();
            let data =
                json!({"level": args.int("level"), "seed": seed, "over": over, "hints": list});
            let block = if some {
                Block::Table(table)
            } else {
                Block::Says(say("no-hint"))
            };
            Ok(decided(Answer::yes(data).with(block), some))
        },
    }
}
