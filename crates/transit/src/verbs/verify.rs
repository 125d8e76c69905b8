//! `transit verify`: a certificate checked with code that shares nothing with the searches.

use serde_json::json;
use wits_desk::{Answer, Cost, Param, Refusal, Served, Verb};
use wits_game::Lang;

use super::{ask, day, given, proof, with_feed};
use crate::proof::Proof;
use crate::thread::WORDS;

pub(super) fn verb() -> Verb {
    let file = Param::file("file", &WORDS, "param-proof");
    Verb {
        id: "verify",
        about: WORDS.say("verb-verify"),
        params: with_feed([file.positional().shown_as("FILE")]),
        examples: &[
            "wits transit route Rynek Zoo --feed city.zip --at 8:00 --certify --certificate zoo.json",
            "wits transit verify zoo.json --feed city.zip",
        ],
        served: Served::Everywhere,
        cost: Cost::READING,
        run: |args, shelf, work| {
            let name = args.text("file");
            let proof = Proof::read(&shelf.text(name)?).map_err(|error| {
                let why = WORDS.say("no-certificate").with("file", name);
                let why = why.with("why", error.to_string());
                Refusal::new("bad-certificate", why, WORDS.say("no-certificate-hint"))
            })?;
            ask(args, shelf, work, |planner| {
                let flaw = planner.verify_proof(&proof).err();
                let flaw = flaw.map(|flaw| proof::flaw(planner, &proof, &flaw));
                let (answers, claims) = proof.size();
                // Scripts read English, whatever the asker speaks.
                let told = flaw.as_ref().map(|flaw| flaw.to(Lang::En));
                let data = json!({
                    "valid": flaw.is_none(), "answers": answers, "claims": claims, "flaw": told,
                });
                let holds = flaw.is_none();
                let said = match flaw {
                    None => proof::proved(planner, &proof),
                    Some(flaw) => WORDS.say("invalid").with("why", flaw),
                };
                Ok(given(Answer::yes(data).say(day(planner)).say(said), holds))
            })
        },
    }
}
