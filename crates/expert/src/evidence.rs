//! Ranked candidates, with what speaks for and against each.

use wits_game::Message;

use crate::answers::Case;
use crate::base::Base;
use crate::choice::{candidates, chance, is_sign};
use crate::dialogue::{Session, Turn};
use crate::explain::{pieces, word};
use crate::words::WORDS;

/// Something that may be the matter, or may help.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// What it says: the label of a problem, or the first step of an advice.
    pub label: String,
    /// How likely it is now, from 0 to 1.
    pub chance: f64,
    /// Answers that speak for it.
    pub supports: Vec<Message>,
    /// Answers that speak against it.
    pub against: Vec<Message>,
}

/// Most candidates listed.
const MOST: usize = 6;

/// The candidates at this point, the likeliest first: problems while the problem is looked for,
/// then pieces of advice.
pub fn ranked(base: &Base, session: &Session, turn: &Turn) -> Vec<Candidate> {
    match turn {
        Turn::Question {
            problem: Some(p), ..
        }
        | Turn::Advice { problem: p, .. } => advices(base, session, p),
        Turn::Question { .. } | Turn::Problem(_) | Turn::Nothing(_) => problems(base, session),
        Turn::Category(_) | Turn::Solved(_) => Vec::new(),
    }
}

fn problems(base: &Base, session: &Session) -> Vec<Candidate> {
    let (known, _) = session.signs();
    if known.is_empty() {
        return Vec::new();
    }
    let found = candidates(base, &known, &session.tried);
    let all = found.into_iter().take(MOST).filter_map(|(id, chance)| {
        let problem = base.problem(&id)?;
        let mut one = Candidate {
            label: problem.label.clone(),
            chance,
            supports: Vec::new(),
            against: Vec::new(),
        };
        for (q, yes) in known.iter().filter(|(q, _)| is_sign(base, q)) {
            let expected = problem.signs.contains(q);
            let key = if expected == *yes {
                "sign-for"
            } else {
                "sign-against"
            };
            let says = WORDS.say(key).with("question", base.question(q).text);
            let says = says.with("answer", word(*yes));
            if expected == *yes {
                one.supports.push(says);
            } else {
                one.against.push(says.with("wanted", word(expected)));
            }
        }
        Some(one)
    });
    all.collect()
}

fn advices(base: &Base, session: &Session, problem: &str) -> Vec<Candidate> {
    let (known, paths) = (session.known(), base.paths(problem));
    let mut out: Vec<Candidate> = Vec::new();
    for advice in pieces(paths.iter()) {
        if session.declined.contains(&advice.name) {
            continue;
        }
        let mine = || paths.iter().filter(|p| p.advice.as_ref() == Some(advice));
        let total: f64 = mine().map(|p| chance(base, p, &known)).sum();
        if total <= 0.0 {
            continue;
        }
        let mut supports = Vec::new();
        for (q, reply) in &session.answers {
            let speaks = |(other, case): &(String, Case)| other == q && case.agrees(reply);
            if mine().any(|p| p.answers.iter().any(speaks)) {
                let says = WORDS
                    .say("sign-for")
                    .with("question", base.question(q).text);
                supports.push(says.with("answer", base.told(q, reply)));
            }
        }
        out.push(Candidate {
            label: advice.steps.first().unwrap_or(&advice.name).clone(),
            chance: total,
            supports,
            against: Vec::new(),
        });
    }
    let all: f64 = out.iter().map(|c| c.chance).sum();
    for c in &mut out {
        c.chance /= all.max(f64::MIN_POSITIVE);
    }
    out.sort_by(|a, b| b.chance.total_cmp(&a.chance));
    out.truncate(MOST);
    out
}
