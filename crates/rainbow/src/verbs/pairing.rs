//! `rainbow pairing`: partners for all numbers, so that every progression contains a pair.

use serde_json::{Value, json};
use wits_desk::{Answer, Cost, Param, Refusal, Served, Verb};
use wits_game::{Figure, Message};

use super::{decided, n_and_k, say};
use crate::pairing::{Found, Pairing, find};
use crate::{Side, Terms, WORDS};

pub(super) fn verb() -> Verb {
    let mut params = n_and_k();
    params.push(Param::text("pairs", &WORDS, "param-pairs").shown_as("PAIRS"));
    Verb {
        id: "pairing",
        about: say("verb-pairing"),
        params,
        examples: &[
            "wits rainbow pairing --n 27 --k 6",
            "wits rainbow pairing --k 6 --pairs \"1-2 3-4 5-6\" --n 6",
        ],
        served: Served::Everywhere,
        cost: Cost::ALONE,
        run: |args, _, work| {
            let (n, k) = (args.int("n") as u64, args.int("k") as u64);
            let terms = Terms::new(n, k, k, Side::Maker)?;
            let (n, k) = (terms.n(), terms.k());
            let found = match args.text_if("pairs") {
                Some(text) => Found::Pairing {
                    pairing: Pairing::complete(n, k, read(text)?),
                    nodes: 0,
                },
                None => find(n, k, work.budget()),
            };
            let mut data = json!({
                "n": n, "k": k, "pairs": null, "spare": null,
                "progressions": crate::series_count(n, k), "checked": false,
            });
            let mut put = |more: Value| {
                if let (Value::Object(data), Value::Object(more)) = (&mut data, more) {
                    data.extend(more);
                }
            };
            let (says, yes) = match found {
                Found::Pairing { pairing, nodes } => {
                    let covered = pairing.check();
                    put(json!({
                        "pairs": pairing.pairs, "spare": pairing.spare, "checked": covered.is_ok(),
                        "why": covered.as_ref().err().map(ToString::to_string), "nodes": nodes,
                    }));
                    let yes = covered.is_ok();
                    let says = match covered {
                        Ok(count) => vec![written(&pairing), partners(n, k, count)],
                        Err(why) => vec![say("no-pairing").with("why", why.to_string())],
                    };
                    (says, yes)
                }
                Found::None { nodes, on } => {
                    put(json!({"proved": true, "on": on, "nodes": nodes}));
                    let says = say("no-pairing-on").with("on", on).with("k", k);
                    (vec![says.with("nodes", Figure::whole(nodes))], false)
                }
                Found::Unknown { nodes } => {
                    put(json!({"proved": false, "nodes": nodes}));
                    (
                        vec![say("pairing-unknown").with("nodes", Figure::whole(nodes))],
                        false,
                    )
                }
            };
            let answer = says.into_iter().fold(Answer::yes(data), Answer::say);
            Ok(decided(answer, yes))
        },
    }
}

/// `1-2 3-4` as pairs.
fn read(text: &str) -> Result<Vec<(u32, u32)>, Refusal> {
    let pair = |word: &str| -> Result<(u32, u32), Refusal> {
        let numbers = word.split_once('-');
        let numbers = numbers.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        numbers.ok_or_else(|| {
            let why = say("bad-pair").with("text", word.to_owned());
            Refusal::new("bad-pair", why, say("bad-pair-hint"))
        })
    };
    let words = text.split([' ', ',']).filter(|word| !word.is_empty());
    words.map(pair).collect()
}

fn written(pairing: &Pairing) -> Message {
    let pairs: Vec<String> = pairing
        .pairs
        .iter()
        .map(|(a, b)| format!("{a}-{b}"))
        .collect();
    let pairs = pairs.join(" ");
    match pairing.spare {
        Some(spare) => say("pairs-spare").with("pairs", pairs).with("spare", spare),
        None => Message::plain(pairs),
    }
}

/// What follows from a pairing that was checked.
fn partners(n: u32, k: u32, count: u64) -> Message {
    let first = if n.is_multiple_of(2) {
        Side::Maker
    } else {
        Side::Breaker
    };
    let says = say("pairing")
        .with("count", Figure::whole(count))
        .with("k", k);
    says.with("first", first.name())
}
