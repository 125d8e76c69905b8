//! `rainbow check`: every rainbow in a colouring.

use wits_desk::{Answer, Block, Cell, Cost, Param, Refusal, Served, Table, Verb};
use wits_game::{Figure, Message};

use super::{heads, number, picture, say};
use crate::drawing::draw;
use crate::numbers::{BadColouring, Checked, Colouring, check};
use crate::{Series, WORDS};

pub(super) fn verb() -> Verb {
    let colouring = Param::text("colouring", &WORDS, "param-colouring").positional();
    Verb {
        id: "check",
        about: say("verb-check"),
        params: vec![
            colouring
                .with_hyphens()
                .shown_as("COLOURING")
                .offering(&["abacabad", "1 2 2 3 - 1"]),
            number("k", "param-k", 1_000_000, "K"),
            Param::int("limit", 0, 1_000_000, 100, &WORDS, "param-limit"),
            Param::output("svg", &WORDS, "param-svg-rainbows"),
        ],
        examples: &[
            "wits rainbow check abacabad --k 3",
            "wits rainbow check \"1 2 2 3 - 1\" --k 3 --svg rainbows.svg",
        ],
        served: Served::Everywhere,
        cost: Cost::QUICK,
        run: |args, _, _| {
            let colouring: Colouring = args
                .text("colouring")
                .parse()
                .map_err(|error| unread(&error))?;
            let (k, limit) = (args.int("k") as u32, args.int("limit") as usize);
            let found = check(&colouring, k, limit)?;
            let mut answer = Answer::of(&found);
            answer.blocks = checked_blocks(&found);
            if args.given("svg") {
                let svg = draw(colouring.colours(), k, &found.rainbows);
                answer = answer.with(picture(say("arcs"), svg));
            }
            Ok(answer)
        },
    }
}

/// A text that is no colouring, as every door says it.
fn unread(error: &BadColouring) -> Refusal {
    let why = Message::plain(error.to_string());
    Refusal::new("bad-colouring", why, say("colouring-hint"))
}

/// The rainbows of a colouring as people see them.
pub fn checked_blocks(found: &Checked) -> Vec<Block> {
    let key = if found.free {
        "checked-free"
    } else {
        "checked"
    };
    let says = say(key)
        .with("n", Figure::whole(found.n))
        .with("colours", found.colours)
        .with("k", found.k)
        .with("count", Figure::whole(found.count));
    let mut blocks = vec![Block::Says(says)];
    if found.longest.length > 1 {
        let (step, start) = (found.longest.step, found.longest.start);
        let series = Series { step, start }.text(found.longest.length);
        let says = say("longest").with("length", found.longest.length);
        blocks.push(Block::Says(says.with("series", series)));
    }
    let listed = found.rainbows.len();
    if listed > 0 {
        let mut table = Table::new("list", say("title-rainbows"), heads(&["numbers"]));
        for series in &found.rainbows {
            table = table.row(vec![Cell::text(series.text(found.k))]);
        }
        blocks.push(Block::Table(table));
    }
    if found.count > listed as u64 {
        let more = Figure::whole(found.count - listed as u64);
        blocks.push(Block::Says(say("more").with("count", more)));
    }
    blocks
}
