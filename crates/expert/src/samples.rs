//! Sample conversations: recorded answers that must reach the recorded advice.

use wits_logic::{Answer, Outcome};

use crate::base::{Base, RUN, Sample};
use crate::paths::advice_of;

/// Runs a sample; the error says what came instead.
pub fn run(base: &Base, sample: &Sample) -> Result<(), String> {
    if base.problem(&sample.problem).is_none() {
        return Err(format!("there is no problem `{}`", sample.problem));
    }
    let mut m = base.machine.clone();
    m.refuel(RUN);
    m.forget_answers();
    m.query(&format!("fix({}, Advice)", sample.problem))
        .map_err(|t| t.to_string())?;
    let mut rest = sample.answers.iter();
    loop {
        match m.solve() {
            Outcome::Asked(q) => {
                let Some((expected, word)) = rest.next() else {
                    return Err(format!(
                        "`{}` is asked, but the conversation is over",
                        q.term
                    ));
                };
                if *expected != q.term {
                    return Err(format!("`{}` is asked instead of `{expected}`", q.term));
                }
                let answer = match word.as_str() {
                    "yes" => Answer::Yes,
                    "no" => Answer::No,
                    "unknown" => Answer::Unknown,
                    other => return Err(format!("`{other}` is not yes, no or unknown")),
                };
                m.answer(answer).map_err(|e| e.to_string())?;
            }
            Outcome::Solution(_) => {
                let name = advice_of(&m).map(|a| a.name).unwrap_or_default();
                if let Some((q, _)) = rest.next() {
                    return Err(format!("`{q}` is never asked: advice `{name}` came before"));
                }
                return if name == sample.advice {
                    Ok(())
                } else {
                    Err(format!(
                        "the advice is `{name}` instead of `{}`",
                        sample.advice
                    ))
                };
            }
            Outcome::Error(t) => return Err(t.to_string()),
            _ => return Err("there is no advice".to_owned()),
        }
    }
}
