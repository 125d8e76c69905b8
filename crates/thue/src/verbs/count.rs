//! `thue count`: how many words there are without repetition.

use wits_desk::{Answer, Cost, Param, Refusal, Served, Verb};

use super::{say, stopped, symbols_param};
use crate::report::counted;
use crate::words::Variant;
use crate::words::count::NotCounted;
use crate::{WORDS, Word};

pub(super) fn verb() -> Verb {
    let kinds = [
        "square-free",
        "overlap-free",
        "cube-free",
        "abelian-square-free",
    ];
    Verb {
        id: "count",
        about: say("verb-count"),
        params: vec![
            Param::choice("kind", &kinds, kinds[0], &WORDS, "param-free").required(),
            symbols_param(Word::MOST_SYMBOLS).required(),
            Param::int("length", 0, 1000, 20, &WORDS, "param-length").required(),
        ],
        examples: &["wits thue count --kind square-free --symbols 3 --length 20"],
        served: Served::Everywhere,
        cost: Cost::QUICK,
        run: |args, _, work| {
            let variant = match args.text("kind") {
                "square-free" => Variant::Square,
                "overlap-free" => Variant::Overlap,
                "cube-free" => Variant::Cube,
                _ => Variant::AbelianSquare,
            };
            let (symbols, length) = (args.int("symbols") as usize, args.int("length") as usize);
            let found = counted(variant, symbols, length, work.budget());
            let found = found.map_err(|error| match error {
                NotCounted::TooLarge => {
                    Refusal::new("too-large", say("too-large"), say("too-large-hint"))
                }
                NotCounted::Stopped => stopped(),
            })?;
            let count = found.count.to_string();
            let says = say("counted")
                .with("count", count.trim_matches('"'))
                .with("length", length)
                .with("symbols", symbols)
                .with("kind", args.text("kind"));
            Ok(Answer::of(&found).say(says))
        },
    }
}
