//! The mini-games as the catalog lists them.

use wits_play::{Entry, Param, PlayerEntry, Refusal, SearchDefaults};

use super::rules::{Kind, Mini, THREE};
use crate::WORDS;
use crate::perfect::Perfect;

fn entry(kind: Kind, words: [&'static str; 3]) -> Entry<Mini> {
    let (rows, cols) = kind.usual();
    let entry = Entry::new(kind.id(), &WORDS, words, move |args, _| {
        let (rows, cols) = (args.int("rows"), args.int("cols"));
        let line = if kind == Kind::Mnk {
            args.int("line") as u8
        } else {
            THREE
        };
        Mini::of(kind, rows as u8, cols as u8, line).map_err(|_| {
            let why = WORDS.say("bad-size").with("rows", rows).with("cols", cols);
            Refusal::new("bad-size", why, WORDS.say("mini-bad-size-hint"))
        })
    })
    .param(Param::int("rows", 1, 16, rows.into(), &WORDS, "param-rows"))
    .param(Param::int(
        "cols",
        1,
        16,
        cols.into(),
        &WORDS,
        "mini-param-cols",
    ))
    // Twelve free cells have half a million ways of six plies.
    .with_search(SearchDefaults::depth(if kind == Kind::Mnk { 4 } else { 6 }))
    .player(PlayerEntry::new(
        "perfect",
        &WORDS,
        "about-perfect",
        |game: &Mini, _, _| Ok(Perfect::new(game)),
    ))
    .player(crate::player::entry());
    if kind == Kind::Mnk {
        let line = Param::int("line", 3, 12, THREE.into(), &WORDS, "mini-param-line");
        return entry.param(line);
    }
    entry
}

/// Chomp as the catalog lists it.
pub fn chomp() -> Entry<Mini> {
    entry(Kind::Chomp, ["chomp-title", "chomp-about", "chomp-rules"])
}

/// Nim as the catalog lists it.
pub fn nim() -> Entry<Mini> {
    entry(Kind::Nim, ["nim-title", "nim-about", "nim-rules"])
}

/// Tac Tix as the catalog lists it.
pub fn tactix() -> Entry<Mini> {
    entry(
        Kind::TacTix,
        ["tactix-title", "tactix-about", "tactix-rules"],
    )
}

/// Domineering as the catalog lists it.
pub fn domineering() -> Entry<Mini> {
    let words = [
        "domineering-title",
        "domineering-about",
        "domineering-rules",
    ];
    entry(Kind::Domineering, words)
}

/// Notakto as the catalog lists it.
pub fn notakto() -> Entry<Mini> {
    entry(
        Kind::Notakto,
        ["notakto-title", "notakto-about", "notakto-rules"],
    )
}

/// Connect-3 as the catalog lists it.
pub fn connect3() -> Entry<Mini> {
    entry(
        Kind::Connect3,
        ["connect3-title", "connect3-about", "connect3-rules"],
    )
}

/// Tic-tac-toe on other boards as the catalog lists it.
pub fn mnk() -> Entry<Mini> {
    entry(Kind::Mnk, ["mnk-title", "mnk-about", "mnk-rules"])
}
