//! `rainbow forecast`: what is decided before the first move.

use wits_desk::{Answer, Cost, Served, Verb};

use super::{decided, say, terms, terms_params};
use crate::forecast::forecast;

pub(super) fn verb() -> Verb {
    Verb {
        id: "forecast",
        about: say("verb-forecast"),
        params: terms_params(),
        examples: &["wits rainbow forecast --n 1000 --k 3 --c 20"],
        served: Served::Everywhere,
        cost: Cost::QUICK,
        run: |args, _, work| {
            let found = forecast(&terms(args)?, work.budget());
            let answer = Answer::of(&found).say(found.why.clone());
            Ok(decided(answer, found.winner.is_some()))
        },
    }
}
