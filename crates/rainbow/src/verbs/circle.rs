//! `rainbow circle`: the same questions where the numbers run around.

use wits_desk::{Answer, Cost, Served, Verb};
use wits_game::{Figure, Message};

use super::{decided, n_and_k, say};
use crate::circle::{Circle, circle};

pub(super) fn verb() -> Verb {
    Verb {
        id: "circle",
        about: say("verb-circle"),
        params: n_and_k(),
        examples: &[
            "wits rainbow circle --n 12 --k 4",
            "wits rainbow circle --n 17 --k 3",
        ],
        served: Served::Everywhere,
        cost: Cost::ALONE,
        run: |args, _, work| {
            let (n, k) = (args.int("n") as u64, args.int("k") as u64);
            let found = circle(n, k, work.budget())?;
            let mut answer = Answer::of(&found);
            for says in sentences(&found) {
                answer = answer.say(says);
            }
            Ok(decided(answer, found.aw.is_some()))
        },
    }
}

fn sentences(found: &Circle) -> Vec<Message> {
    let count = Figure::whole(found.progressions as u64);
    let mut says = vec![match (found.aw, &found.witness) {
        (Some(aw), Some(witness)) => {
            let row: Vec<String> = witness.iter().map(ToString::to_string).collect();
            say("circle-aw")
                .with("aw", aw)
                .with("row", row.join(" "))
                .with("less", aw - 1)
                .with("conflicts", Figure::whole(found.conflicts))
        }
        _ => say("circle-open"),
    }];
    says.push(match (&found.pairs, found.pairing_proved) {
        (Some(pairs), _) => {
            let pairs: Vec<String> = pairs.iter().map(|(a, b)| format!("{a}-{b}")).collect();
            say("circle-pairing").with("pairs", pairs.join(" "))
        }
        (None, true) => say("circle-no-pairing"),
        (None, false) => say("circle-pairing-unknown"),
    });
    for winner in &found.winners {
        let proof = winner.proof.map_or(0, |proof| proof.positions);
        says.push(
            say("circle-winner")
                .with("first", winner.first.name())
                .with("winner", winner.winner.name())
                .with("positions", Figure::whole(proof)),
        );
    }
    let all = says.into_iter().map(|message| {
        message
            .with("n", found.n)
            .with("k", found.k)
            .with("count", count)
    });
    all.collect()
}
