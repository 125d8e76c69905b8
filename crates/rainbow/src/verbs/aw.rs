//! `rainbow aw`: how many colours force a rainbow.

use wits_desk::{Answer, Block, Cost, Param, Served, Verb};
use wits_game::Figure;

use super::{decided, n_and_k, picture, say};
use crate::WORDS;
use crate::drawing::draw;
use crate::numbers::{Aw, Method, aw};

/// Longer witnesses are not written out.
const SHOWN: usize = 2_000;

pub(super) fn verb() -> Verb {
    let mut params = n_and_k();
    params.push(Param::flag("search", false, &WORDS, "param-search"));
    params.push(Param::output("svg", &WORDS, "param-svg-witness"));
    Verb {
        id: "aw",
        about: say("verb-aw"),
        params,
        examples: &[
            "wits rainbow aw --n 20 --k 4",
            "wits rainbow aw --n 1000000000000000000 --k 3",
            "wits rainbow aw --n 27 --k 3 --search --svg witness.svg",
        ],
        served: Served::Everywhere,
        cost: Cost::ALONE,
        run: |args, _, work| {
            let (n, k) = (args.int("n") as u64, args.int("k") as u64);
            let found = aw(n, k, args.flag("search"), work.budget())?;
            let mut answer = Answer::of(&found);
            answer.blocks = aw_blocks(&found);
            if let Some(witness) = found.witness.as_ref().filter(|_| args.given("svg")) {
                let colours: Vec<u16> = witness.iter().map(|&colour| colour as u16).collect();
                answer = answer.with(picture(
                    colours_without(&found),
                    draw(&colours, k as u32, &[]),
                ));
            }
            Ok(decided(answer, found.aw.is_some()))
        },
    }
}

fn colours_without(found: &Aw) -> wits_game::Message {
    say("witness")
        .with("colours", found.at_least.saturating_sub(1))
        .with("k", found.k)
}

/// A number as people see it: what it is, how it is known, and a colouring that avoids a rainbow.
pub fn aw_blocks(found: &Aw) -> Vec<Block> {
    let value = match (found.aw, found.method) {
        (Some(aw), Method::Formula) => say("aw-formula").with("aw", aw),
        (Some(aw), _) => say("aw-search").with("aw", aw),
        (None, _) => say("aw-bounds")
            .with("least", found.at_least)
            .with("most", found.at_most),
    };
    let value = value.with("n", found.n).with("k", found.k);
    let nodes = Figure::whole(found.nodes);
    let mut blocks = vec![Block::Says(value.with("nodes", nodes))];
    if let Some(witness) = found.witness.as_ref().filter(|w| w.len() <= SHOWN) {
        let row: Vec<String> = witness.iter().map(ToString::to_string).collect();
        let says = say("witness-row").with("witness", colours_without(found));
        blocks.push(Block::Says(says.with("row", row.join(" "))));
    }
    blocks
}
