//! Hexapawn as the catalog lists it.

use wits_play::{Entry, Param, PlayerEntry, Refusal, SearchDefaults};

use super::{Hexapawn, Perfect};
use crate::WORDS;

/// Hexapawn as the catalog lists it: `hexapawn:rows=3,cols=3`.
pub fn entry() -> Entry<Hexapawn> {
    let words = ["hexapawn-title", "hexapawn-about", "hexapawn-rules"];
    Entry::new("hexapawn", &WORDS, words, |args, _| {
        let (rows, cols) = (args.int("rows"), args.int("cols"));
        Hexapawn::new(rows as u8, cols as u8).map_err(|_| {
            let why = WORDS.say("bad-size").with("rows", rows).with("cols", cols);
            Refusal::new("bad-size", why, WORDS.say("bad-size-hint"))
        })
    })
    .param(Param::int("rows", 3, 64, 3, &WORDS, "param-rows"))
    .param(Param::int("cols", 1, 21, 3, &WORDS, "param-cols"))
    .with_search(SearchDefaults::depth(8))
    .player(crate::player::entry())
    .player(
        PlayerEntry::new(
            "perfect",
            &WORDS,
            "about-perfect-hexapawn",
            |game: &Hexapawn, args, _| {
                let bits = if game.squares() <= 16 { 14 } else { 20 };
                Ok(Perfect::new(*game, bits, args.int("nodes") as u64))
            },
        )
        .param(Param::int(
            "nodes",
            100,
            1_000_000_000,
            2_000_000,
            &WORDS,
            "param-perfect-nodes",
        )),
    )
}
