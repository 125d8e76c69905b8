//! Certificates: kept, checked, and what they prove in words.

use serde_json::json;
use wits_desk::{Answer, Args, Block, File, Param, Refusal};
use wits_game::{Figure, Message};

use super::feed::needs;
use super::{given, whole};
use crate::algo::Price;
use crate::certificate::departures::{Departures, Leaving};
use crate::certificate::{Best, Certificate, Flaw};
use crate::journey::Ends;
use crate::planner::{MANY_DAYS, Planner};
use crate::proof::Proof;
use crate::thread::WORDS;
use crate::time::Time;

/// Whether an answer is proved.
pub(super) fn params() -> [Param; 2] {
    [
        Param::flag("certify", false, &WORDS, "param-certify"),
        Param::output("certificate", &WORDS, "param-certificate"),
    ]
}

/// Whether a proof is asked for.
pub(super) fn wanted(args: &Args) -> Result<bool, Refusal> {
    let wanted = args.flag("certify");
    if !wanted && !args.text("certificate").is_empty() {
        return Err(needs("certificate", "certify"));
    }
    Ok(wanted)
}

/// The same answer with its certificate, checked, and kept where that is asked for.
pub(super) fn checked(
    planner: &Planner,
    args: &Args,
    mut answer: Answer,
    proof: Option<&Proof>,
) -> Answer {
    let Some(proof) = proof else {
        return answer;
    };
    let checked = planner.verify_proof(proof);
    answer.data["certified"] = json!(checked.is_ok());
    if args.given("certificate") {
        answer = answer.with(Block::File(File {
            name: "certificate".to_owned(),
            file: "certificate.json".to_owned(),
            title: WORDS.say("file-certificate"),
            mime: "application/json".to_owned(),
            bytes: json!(proof).to_string().into_bytes(),
        }));
    }
    let said = match &checked {
        Ok(()) => WORDS.say("proved"),
        Err(wrong) => WORDS
            .say("not-proved")
            .with("why", flaw(planner, proof, wrong)),
    };
    given(answer.say(said), checked.is_ok())
}

/// A time of a certificate as one of the clock.
fn clock(planner: &Planner, certificate: &Certificate, time: i32) -> String {
    if certificate.mirrored {
        let layer = match certificate.days {
            MANY_DAYS => planner.week(),
            _ => planner.layer(),
        };
        return Time(layer.mirror().day.flip(time)).to_string();
    }
    Time(time).to_string()
}

/// What is wrong with a certificate, with names and times of day.
pub(super) fn flaw(planner: &Planner, proof: &Proof, flaw: &Flaw) -> Message {
    match proof {
        Proof::Journeys(certificate) => flaw_of_journeys(planner, certificate, flaw),
        Proof::Departures(departures) => flaw_of_departures(planner, departures, flaw),
    }
}

fn flaw_of_journeys(planner: &Planner, certificate: &Certificate, flaw: &Flaw) -> Message {
    let back = certificate.mirrored;
    let choose = |there, back_key| WORDS.say(if back { back_key } else { there });
    let paid = |price: i64| match certificate.price {
        Price::Vehicles => WORDS.say("vehicles").with("count", whole(price)),
        Price::Centimetres => {
            let km = Figure::Decimal(price as f64 / 100_000.0, 3);
            WORDS.say("km").with("count", km)
        }
    };
    let count = certificate.answers.len();
    match flaw {
        Flaw::Claim { stop, time, price } => choose("flaw-claim", "flaw-claim-back")
            .with("stop", planner.table.stop_name(*stop))
            .with("time", clock(planner, certificate, *time))
            .with("price", paid(*price)),
        Flaw::Target { time, price } => choose("flaw-target", "flaw-target-back")
            .with("time", clock(planner, certificate, *time))
            .with("price", paid(*price)),
        Flaw::Answer(index) => {
            let counted = match (certificate.price, certificate.best) {
                (_, Best::All) => choose("counted-all", "counted-all-back"),
                (Price::Vehicles, _) => choose("counted-vehicles", "counted-vehicles-back"),
                (Price::Centimetres, _) => choose("counted-length", "counted-length-back"),
            };
            WORDS
                .say("flaw-answer")
                .with("n", whole(index + 1))
                .with("count", whole(count))
                .with("counted", counted)
        }
        Flaw::Spare(index) => WORDS
            .say("flaw-spare")
            .with("n", whole(index + 1))
            .with("count", whole(count)),
        other => Message::plain(other.to_string()),
    }
}

fn flaw_of_departures(planner: &Planner, proof: &Departures, flaw: &Flaw) -> Message {
    let named = |index: usize| {
        let told = match proof.answers.get(index) {
            Some((stop, ..)) if (*stop as usize) < planner.day().stops => WORDS
                .say("journey-of-to")
                .with("stop", planner.table.stop_name(*stop)),
            _ => WORDS.say("journey-of"),
        };
        told.with("n", whole(index + 1))
            .with("count", whole(proof.answers.len()))
    };
    match flaw {
        Flaw::Missed {
            stop,
            departure,
            time,
        } => WORDS
            .say("flaw-missed")
            .with("departure", Time(*departure).to_string())
            .with("stop", planner.table.stop_name(*stop))
            .with("time", Time(*time).to_string()),
        Flaw::Answer(index) => WORDS.say("flaw-departure").with("journey", named(*index)),
        Flaw::Spare(index) => {
            let key = match proof.leaving {
                Leaving::Any => "flaw-no-better",
                Leaving::Minutes { .. } => "flaw-no-better-or-long",
            };
            WORDS.say(key).with("journey", named(*index))
        }
        other => Message::plain(other.to_string()),
    }
}

/// The name of the first of some stops.
fn first_name(planner: &Planner, stops: &[u32]) -> String {
    let first = stops.first().copied();
    first.map_or_else(String::new, |s| planner.table.stop_name(s).to_owned())
}

/// What a certificate of many departures proves.
fn proved_departures(planner: &Planner, proof: &Departures) -> Message {
    let from = first_name(planner, &proof.from);
    match proof.leaving {
        Leaving::Any => WORDS
            .say("valid-day")
            .with("to", first_name(planner, &proof.to))
            .with("days", i64::from(proof.days))
            .with("n", whole(proof.answers.len())),
        Leaving::Minutes { at, window, within } => {
            let access = Ends::new(planner.day(), &proof.from, &[], at).access;
            let near = access.iter().filter(|a| a.1 <= within * 60).map(|a| a.0);
            let mut stops: Vec<u32> = proof.answers.iter().map(|a| a.0).chain(near).collect();
            stops.sort_unstable();
            stops.dedup();
            let until = match window {
                0 => Message::plain(""),
                _ => WORDS
                    .say("every-minute-to")
                    .with("until", Time(at + window * 60).to_string()),
            };
            WORDS
                .say("valid-reach")
                .with("at", Time(at).to_string())
                .with("until", until)
                .with("n", whole(stops.len()))
                .with("within", i64::from(within))
        }
    }
    .with("from", from)
}

/// What a certificate proves.
pub(super) fn proved(planner: &Planner, proof: &Proof) -> Message {
    let certificate = match proof {
        Proof::Journeys(certificate) => certificate,
        Proof::Departures(departures) => return proved_departures(planner, departures),
    };
    let name = |stops: &[u32]| first_name(planner, stops);
    let (mut from, mut to) = (name(&certificate.from), name(&certificate.to));
    let mut key = "valid";
    if certificate.mirrored {
        std::mem::swap(&mut from, &mut to);
        key = "valid-back";
    }
    let best = match certificate.best {
        Best::Arrival if certificate.mirrored => WORDS.say("best-departure"),
        Best::Arrival => WORDS.say("best-arrival"),
        Best::Price if certificate.price == Price::Centimetres => WORDS.say("best-way"),
        Best::Price | Best::Least => WORDS.say("best-vehicles"),
        Best::Sum(w) => WORDS.say("best-sum").with("minutes", w / 60),
        Best::Both => WORDS.say("best-both"),
        Best::All => WORDS.say("best-all"),
    };
    let answers = match certificate.answers.len() {
        0 => WORDS
            .say("no-way")
            .with("days", i64::from(certificate.days)),
        1 => WORDS.say("one-has").with("best", best),
        n => WORDS.say("some-are").with("n", whole(n)).with("best", best),
    };
    WORDS
        .say(key)
        .with("from", from)
        .with("to", to)
        .with("at", clock(planner, certificate, certificate.at))
        .with("answers", answers)
}
