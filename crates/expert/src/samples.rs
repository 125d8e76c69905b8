//! Sample conversations: recorded answers that must reach the recorded advice.

use wits_game::Message;
use wits_logic::{Outcome, Trouble};

use crate::base::{Base, RUN, Sample};
use crate::repairs::MOST_REMEDIES;
use crate::words::WORDS;

/// Runs a sample; the error says what came instead.
pub fn run(base: &Base, sample: &Sample) -> Result<(), Message> {
    let rules = |t: Trouble| WORDS.say("wrong").with("what", t.to_string());
    if base.problem(&sample.problem).is_none() {
        return Err(WORDS
            .say("sample-no-problem")
            .with("problem", &sample.problem));
    }
    let mut m = base.machine.clone();
    m.refuel(RUN);
    m.forget_answers();
    m.query(&format!("fix({}, Advice)", sample.problem))
        .map_err(rules)?;
    let mut rest = sample.answers.iter();
    loop {
        match m.solve() {
            Outcome::Asked(q) => {
                let Some((expected, word)) = rest.next() else {
                    return Err(WORDS.say("sample-too-short").with("question", q.term));
                };
                if *expected != q.term {
                    let says = WORDS.say("sample-other").with("question", q.term);
                    return Err(says.with("wanted", expected));
                }
                let reply = base.read_reply(expected, word).map_err(|e| e.says())?;
                let answer = base.answer(expected, &reply);
                if answer.is_none_or(|a| m.answer(a).is_err()) {
                    return Err(WORDS.say("sample-word").with("word", word));
                }
            }
            Outcome::Solution(_) => {
                let fits = base.remedies(&mut m, &[], MOST_REMEDIES);
                let first = base.cheapest(fits.iter().map(|f| &f.advice));
                let name = fits.get(first).map_or("", |f| f.advice.name.as_str());
                if let Some((q, _)) = rest.next() {
                    let says = WORDS.say("sample-too-long").with("question", q);
                    return Err(says.with("advice", name));
                }
                if name == sample.advice {
                    return Ok(());
                }
                let says = WORDS.say("sample-advice").with("advice", name);
                return Err(says.with("wanted", &sample.advice));
            }
            Outcome::Error(t) => return Err(rules(t)),
            _ => return Err(WORDS.say("sample-none")),
        }
    }
}
