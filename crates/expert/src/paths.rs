//! Every way a conversation about a problem can go.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use wits_logic::{Answer, Checked, Machine, Outcome, Proof, Term, Wanted, check};

use crate::base::{Base, BaseError, RUN};

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
    /// Parts that the proof speaks of.
    pub parts: Vec<String>,
}

/// Most paths of one problem.
const MOST: usize = 4096;
/// Most questions in one conversation.
const LONGEST: usize = 40;

/// All answer paths of a problem, yes before no. `fuel` is what the whole base may still use.
pub(crate) fn enumerate(
    base: &Base,
    problem: &str,
    fuel: &mut u64,
    odd: &mut Vec<(String, &'static str)>,
) -> Result<Vec<Path>, BaseError> {
    let mut out = Vec::new();
    let mut m = base.machine.clone();
    m.record_proofs(true);
    m.forget_answers();
    (m.query(&format!("fix({problem}, Advice)"))).map_err(BaseError::Program)?;
    let mut stack: Vec<(Machine, Vec<(String, bool)>)> = vec![(m, Vec::new())];
    while let Some((mut m, answers)) = stack.pop() {
        m.refuel(RUN);
        let before = m.steps();
        let outcome = m.solve();
        match outcome {
            Outcome::Asked(q) => {
                if answers.len() == LONGEST {
                    return Err(BaseError::ManyQuestions(problem.to_owned(), LONGEST));
                }
                // Menus and numbers are not for conversations; the linter says so.
                match q.wanted {
                    Wanted::YesNo => {}
                    Wanted::Choice(_) => odd.push((q.term.clone(), "choose/3")),
                    Wanted::Number => odd.push((q.term.clone(), "number/2")),
                }
                for yes in [false, true] {
                    let mut n = m.clone();
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
                let proof = m.proof();
                let (judged, rules, parts) = match &proof {
                    Some(p) => (
                        check(&m, p).map_err(|e| e.to_string()),
                        crate::explain::rules_used(p),
                        parts_of(base, p),
                    ),
                    None => (Err("there is no proof".to_owned()), Vec::new(), Vec::new()),
                };
                out.push(Path {
                    answers,
                    advice,
                    judged,
                    rules,
                    others: others(&mut m),
                    parts,
                });
            }
            Outcome::Error(t) => return Err(BaseError::Program(t)),
            Outcome::OutOfSteps | Outcome::OutOfMemory => {
                return Err(BaseError::Endless(problem.to_owned()));
            }
            Outcome::Done | Outcome::Halted(_) => out.push(Path {
                answers,
                advice: None,
                judged: Err("no advice".to_owned()),
                rules: Vec::new(),
                others: Vec::new(),
                parts: Vec::new(),
            }),
        }
        *fuel = fuel.saturating_sub(m.steps() - before + 100);
        if *fuel == 0 {
            return Err(BaseError::Endless(problem.to_owned()));
        }
        if out.len() > MOST {
            return Err(BaseError::ManyPaths(problem.to_owned(), MOST));
        }
    }
    Ok(out)
}

/// The parts that a proof speaks of, in the order of the base.
pub(crate) fn parts_of(base: &Base, proof: &Proof) -> Vec<String> {
    let mut named = BTreeSet::new();
    for node in &proof.nodes {
        atoms(&node.goal, &mut named);
    }
    let parts = base.parts.iter().filter(|p| named.contains(p.id.as_str()));
    parts.map(|p| p.id.clone()).collect()
}

/// The atoms in a term.
pub(crate) fn atoms<'a>(term: &'a Term, out: &mut BTreeSet<&'a str>) {
    let mut stack = vec![term];
    while let Some(t) = stack.pop() {
        match t {
            Term::Atom(name) => {
                out.insert(name);
            }
            Term::List(items, tail) => {
                stack.extend(items);
                stack.extend(tail.iter().map(|b| &**b));
            }
            Term::Compound(_, args) => stack.extend(args),
            _ => {}
        }
    }
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
