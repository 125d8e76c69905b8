//! Every way a conversation about a problem can go.

use serde::{Deserialize, Serialize};
use wits_logic::{Answer, Checked, Machine, Outcome, Term, Trouble, check};

use crate::base::{Base, RUN};

/// A piece of advice, as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Advice {
    /// Its name, as `writeq` writes it.
    pub name: String,
    /// What to do, step by step.
    pub steps: Vec<String>,
}

/// One complete answer path: the questions in the order the rules ask them, and the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Path {
    /// Question and whether the answer was yes.
    pub answers: Vec<(String, bool)>,
    /// The first advice reached.
    pub advice: Option<Advice>,
    /// What the judge says about its proof.
    pub judged: Result<Checked, String>,
    /// Clauses of `fix/2` used, by position.
    pub rules: Vec<usize>,
    /// Further advice that also fits.
    pub others: Vec<Advice>,
}

/// Most paths of one problem.
const MOST: usize = 4096;

/// All answer paths of a problem, yes before no.
pub(crate) fn enumerate(base: &Base, problem: &str) -> Result<Vec<Path>, Trouble> {
    let mut out = Vec::new();
    let mut m = base.machine.clone();
    m.record_proofs(true);
    m.forget_answers();
    m.query(&format!("fix({problem}, Advice)"))?;
    let mut stack: Vec<(Machine, Vec<(String, bool)>)> = vec![(m, Vec::new())];
    while let Some((mut m, answers)) = stack.pop() {
        m.refuel(RUN);
        match m.solve() {
            Outcome::Asked(q) => {
                for yes in [false, true] {
                    let mut n = m.clone();
                    // Menus and numbers inside rules are not enumerated: they count as unknown.
                    let reply = if yes { Answer::Yes } else { Answer::No };
                    if n.answer(reply).is_err() && n.answer(Answer::Unknown).is_err() {
                        continue;
                    }
                    let mut a = answers.clone();
                    a.push((q.term.clone(), yes));
                    stack.push((n, a));
                }
            }
            Outcome::Solution(_) => {
                let advice = advice_of(&m);
                let (judged, rules) = match m.proof() {
                    Some(p) => {
                        let rules = crate::explain::rules_used(&p);
                        (check(&m, &p).map_err(|e| e.to_string()), rules)
                    }
                    None => (Err("there is no proof".to_owned()), Vec::new()),
                };
                out.push(Path {
                    answers,
                    advice,
                    judged,
                    rules,
                    others: others(&mut m),
                });
            }
            Outcome::Error(t) => return Err(t),
            _ => out.push(Path {
                answers,
                advice: None,
                judged: Err("no advice".to_owned()),
                rules: Vec::new(),
                others: Vec::new(),
            }),
        }
        if out.len() > MOST {
            break;
        }
    }
    Ok(out)
}

/// Further solutions that need no further question.
fn others(m: &mut Machine) -> Vec<Advice> {
    let mut out = Vec::new();
    while out.len() < 16 {
        match m.solve() {
            Outcome::Solution(_) => out.extend(advice_of(m)),
            _ => break,
        }
    }
    out
}

/// The advice bound by the current solution.
pub(crate) fn advice_of(m: &Machine) -> Option<Advice> {
    let (_, t) = m
        .solution_terms()
        .into_iter()
        .find(|(n, _)| n == "Advice")?;
    match t.parts() {
        Some(("advice", [name, steps])) => {
            let steps = steps
                .items()?
                .iter()
                .map(|s| s.text().unwrap_or_else(|| s.to_string()))
                .collect();
            Some(Advice {
                name: name.to_string(),
                steps,
            })
        }
        _ => Some(Advice {
            name: t.to_string(),
            steps: vec![Term::to_string(&t)],
        }),
    }
}
