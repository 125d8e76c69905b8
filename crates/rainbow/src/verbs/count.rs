//! `rainbow count`: colourings without a rainbow.

use wits_desk::{Answer, Cost, Served, Verb};

use super::{decided, number, say};
use crate::numbers::{MOST_SEARCHED, count};

pub(super) fn verb() -> Verb {
    let most = i64::from(MOST_SEARCHED);
    Verb {
        id: "count",
        about: say("verb-count"),
        params: vec![
            number("n", "param-n", most, "N"),
            number("k", "param-k", most, "K"),
            number("r", "param-r", most, "R"),
        ],
        examples: &["wits rainbow count --n 9 --k 3 --r 3"],
        served: Served::Everywhere,
        cost: Cost::ALONE,
        run: |args, _, work| {
            let number = |name| args.int(name) as u32;
            let found = count(number("n"), number("k"), number("r"), work.budget())?;
            let key = if found.complete {
                "counted"
            } else {
                "counted-least"
            };
            let says = say(key)
                .with("count", found.count.to_string())
                .with("n", found.n)
                .with("r", found.r)
                .with("k", found.k);
            Ok(decided(Answer::of(&found).say(says), found.complete))
        },
    }
}
