//! The game as the catalog lists it.

use wits_game::Seat;
use wits_play::{Args, Entry, Param, PlayerEntry, Refusal, SearchDefaults};
use wits_search::Worth;
use wits_search::tree::Judge;

use crate::WORDS;
use crate::board::Board;
use crate::game::Rainbow;
use crate::players::{ByPairing, ByPotential, Hint, Level, Perfect, Strong};
use crate::terms::{BadTerms, Side, Terms};

impl From<BadTerms> for Refusal {
    fn from(bad: BadTerms) -> Refusal {
        match bad {
            BadTerms::Range {
                name,
                value,
                least,
                most,
            } => Refusal::new(
                "bad-value",
                WORDS
                    .say("bad-value")
                    .with("value", value)
                    .with("name", name),
                WORDS
                    .say("bad-value-hint")
                    .with("name", name)
                    .with("least", least)
                    .with("most", most),
            ),
            BadTerms::First(word) => Refusal::new(
                "bad-value",
                WORDS
                    .say("bad-value")
                    .with("value", word)
                    .with("name", "first"),
                WORDS.say("first-hint"),
            ),
        }
    }
}

/// Judges a position by its live series: each weighs a third as much for every number it misses.
#[derive(Clone, Copy, Debug, Default)]
pub struct Weight;

impl Judge<Rainbow> for Weight {
    fn judge(&self, _: &Rainbow, board: &Board, seat: Seat) -> Worth {
        let k = board.terms().k();
        let mut weight = 0.0;
        for missing in 0..=k {
            // Horner: the fewer numbers missing, the fewer divisions by three remain.
            weight = weight / 3.0 + board.live(k - missing) as f64 / 3.0;
        }
        let share = weight / (1.0 + weight);
        Worth::heuristic(if seat == Side::Maker.seat() {
            share
        } else {
            -share
        })
    }
}

/// The game on the terms that a spec gives.
fn build(args: &Args) -> Result<Rainbow, Refusal> {
    let number = |name| args.int(name) as u64;
    let first: Side = args.text("first").parse()?;
    Ok(Rainbow::new(Terms::new(
        number("n"),
        number("k"),
        number("c"),
        first,
    )?))
}

/// The rainbow game as the catalog lists it.
pub fn entry() -> Entry<Rainbow> {
    let most_n = i64::from(Terms::MOST_NUMBERS);
    let most_c = i64::from(Terms::MOST_COLOURS);
    let words = ["rainbow-title", "rainbow-about", "rainbow-rules"];
    Entry::new("rainbow", &WORDS, words, |args, _| build(args))
        .param(Param::int("n", 2, most_n, 30, &WORDS, "param-n"))
        .param(Param::int("k", 2, most_n, 5, &WORDS, "param-k"))
        .param(Param::int("c", 1, most_c, 10, &WORDS, "param-c"))
        .param(Param::choice(
            "first",
            &["maker", "breaker"],
            "maker",
            &WORDS,
            "param-first",
        ))
        .player(
            PlayerEntry::new("level", &WORDS, "about-level", |_, args: &Args, _| {
                Ok(Level::new(args.int("level") as u8).expect("the parameter goes from 0 to 4"))
            })
            .param(Param::int("level", 0, 4, 4, &WORDS, "param-level"))
            .only(&[Side::Maker.seat()]),
        )
        .player(
            PlayerEntry::new("hint", &WORDS, "about-hint", |_, args: &Args, _| {
                Ok(Hint::new(args.int("level") as u8).expect("the parameter goes from 0 to 4"))
            })
            .param(Param::int("level", 0, 4, 4, &WORDS, "param-hint"))
            .only(&[Side::Breaker.seat()]),
        )
        .player(
            PlayerEntry::new("strong", &WORDS, "about-strong", |_, args: &Args, _| {
                Ok(Strong::new(args.int("nodes") as u64))
            })
            .param(Param::int(
                "nodes",
                1,
                1_000_000_000,
                Strong::NODES as i64,
                &WORDS,
                "param-nodes",
            )),
        )
        .player(
            PlayerEntry::new("perfect", &WORDS, "about-perfect", |_, args: &Args, _| {
                Ok(Perfect::new(args.int("nodes") as u64))
            })
            .param(Param::int(
                "nodes",
                1,
                1_000_000_000,
                1_000_000,
                &WORDS,
                "param-exact-nodes",
            )),
        )
        .player(
            PlayerEntry::new("pairing", &WORDS, "about-pairing", |_, args: &Args, _| {
                Ok(ByPairing::new(args.int("nodes") as u64))
            })
            .param(Param::int(
                "nodes",
                1,
                1_000_000_000,
                ByPairing::NODES as i64,
                &WORDS,
                "param-pairing-nodes",
            ))
            .only(&[Side::Breaker.seat()]),
        )
        .player(
            PlayerEntry::new("potential", &WORDS, "about-potential", |_, _: &Args, _| {
                Ok(ByPotential)
            })
            .only(&[Side::Breaker.seat()]),
        )
        .with_search(SearchDefaults::depth(2).judge("weight", Weight))
}
