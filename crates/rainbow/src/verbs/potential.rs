//! `rainbow potential`: the sum with which one colour is enough for Breaker.

use wits_desk::{Answer, Cost, Served, Verb};
use wits_game::Figure;

use super::{decided, first, first_param, n_and_k, say};
use crate::Terms;
use crate::potential::potential;

pub(super) fn verb() -> Verb {
    let mut params = n_and_k();
    params.push(first_param());
    Verb {
        id: "potential",
        about: say("verb-potential"),
        params,
        examples: &["wits rainbow potential --n 300 --k 30"],
        served: Served::Everywhere,
        cost: Cost::QUICK,
        run: |args, _, _| {
            let (n, k) = (args.int("n") as u64, args.int("k") as u64);
            let sum = potential(&Terms::new(n, k, k, first(args))?);
            let key = if sum.decides {
                "potential"
            } else {
                "potential-open"
            };
            let says = say(key)
                .with("progressions", Figure::whole(sum.progressions))
                .with("halves", Figure::whole(sum.halves))
                .with("half", sum.half)
                .with("numerator", sum.numerator.to_string())
                .with("power", sum.power)
                .with("sum", Figure::Decimal(sum.sum, 4))
                .with("bound", sum.bound.to_string());
            Ok(decided(Answer::of(&sum).say(says), sum.decides))
        },
    }
}
