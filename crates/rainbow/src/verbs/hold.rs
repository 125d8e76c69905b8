//! `rainbow hold`: the best chance to hold level 4.

use std::sync::atomic::{AtomicU64, Ordering};

use wits_desk::{Answer, Cost, Refusal, Served, Verb};
use wits_game::Figure;

use super::{decided, say, terms, terms_params};
use crate::forecast::By;
use crate::hold::hold;

pub(super) fn verb() -> Verb {
    Verb {
        id: "hold",
        about: say("verb-hold"),
        params: terms_params(),
        examples: &[
            "wits rainbow hold --n 21 --k 5 --c 10 --first maker",
            "wits rainbow hold --n 24 --k 5 --c 10 --first breaker --threads 2",
        ],
        served: Served::Everywhere,
        cost: Cost::ALONE,
        run: |args, _, work| {
            let (terms, threads) = (terms(args)?, work.threads());
            // The first moves, in thousandths.
            let done = AtomicU64::new(0);
            let each = |share: f64| done.store((1000.0 * share) as u64, Ordering::Relaxed);
            let found = work.counting(&done, Some(1000), |budget| {
                hold(&terms, budget, threads, &each)
            });
            let too_large = || Refusal::new("too-long", say("too-large"), say("too-large-hint"));
            let found = found.ok_or_else(too_large)?;
            let chance = Figure::Decimal(found.chance, 4);
            let size = Figure::whole(found.positions);
            let says = match (found.by, found.exact) {
                (By::Search, false) => say("hold-least"),
                (By::Search, true) if found.line.is_empty() => say("hold-never"),
                (By::Search, true) => say("hold"),
                (by, _) => say("hold-by").with("by", by.to_string()),
            };
            let says = says.with("chance", chance).with("positions", size);
            let mut answer = Answer::of(&found).say(says);
            if found.exact && !found.line.is_empty() {
                let moves = found
                    .line
                    .iter()
                    .map(|p| format!("{}={}", p.number, p.colour));
                let moves: Vec<String> = moves.collect();
                answer = answer.say(say("hold-line").with("moves", moves.join(" ")));
            }
            Ok(decided(answer, found.exact))
        },
    }
}
