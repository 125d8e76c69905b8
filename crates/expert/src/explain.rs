//! Why this question, how this conclusion, why not that one.

use wits_logic::{Answer, Because, Proof, Term};

use crate::base::Base;
use crate::choice::Known;

/// Positions of the `fix/2` clauses a proof uses.
pub(crate) fn rules_used(proof: &Proof) -> Vec<usize> {
    proof
        .nodes
        .iter()
        .filter(|n| matches!(n.goal.parts(), Some(("fix", args)) if args.len() == 2))
        .filter_map(|n| match n.because {
            Because::Clause(k, _) => Some(k),
            _ => None,
        })
        .collect()
}

fn said(a: &Answer) -> &'static str {
    match a {
        Answer::Yes => "yes",
        Answer::No => "no",
        Answer::Unknown => "don't know",
        Answer::Option(_) | Answer::Number(_) => "this",
    }
}

/// The question a goal like `ask(q)` or `\+ ask(q)` is about.
fn asked(goal: &Term) -> Option<(&Term, bool)> {
    match goal.parts()? {
        ("ask", args) if !args.is_empty() => Some((&args[0], true)),
        ("\\+", [inner]) => match inner.parts()? {
            ("ask", args) if !args.is_empty() => Some((&args[0], false)),
            _ => None,
        },
        _ => None,
    }
}

/// How a conclusion was reached: one sentence per rule and answer, outermost first.
pub fn how(base: &Base, proof: &Proof) -> Vec<String> {
    let mut out = Vec::new();
    for (depth, node) in proof.lines() {
        let lead = "  ".repeat(depth);
        let wording = |q: &Term| base.question(&q.to_string()).text;
        let line = match (&node.because, asked(&node.goal)) {
            (Because::Said(a), Some((q, _))) => {
                format!("you answered \"{}\" to: {}", said(a), wording(q))
            }
            (Because::NoProof, Some((q, false))) => {
                format!("you did not answer \"yes\" to: {}", wording(q))
            }
            (Because::Clause(k, place), _) => {
                let line = place
                    .as_ref()
                    .map_or(String::new(), |p| format!(", line {}", p.line));
                let Some((name, args)) = node.goal.parts() else {
                    continue;
                };
                if node.children.is_empty() {
                    format!("known fact: {}", short(&node.goal))
                } else {
                    format!("rule {} of {name}/{}{line} applies", k + 1, args.len())
                }
            }
            _ => continue,
        };
        out.push(format!("{lead}{line}"));
    }
    out
}

fn short(t: &Term) -> String {
    let s = t.to_string();
    if s.chars().count() > 80 {
        s.chars().take(79).chain(['…']).collect()
    } else {
        s
    }
}

/// Why a question is asked: what each answer would lead to.
pub fn why(base: &Base, problem: &str, known: &Known, question: &str) -> Vec<String> {
    let mut out = Vec::new();
    let bits = crate::choice::gain(base, base.paths(problem), known, question);
    let cost = base.question(question).cost;
    out.push(format!(
        "the answer is expected to settle {bits:.2} bits at cost {cost}: no other open question settles more for its cost"
    ));
    for (word, yes) in [("yes", true), ("no", false)] {
        let mut names: Vec<String> = Vec::new();
        for p in base.paths(problem) {
            let fits = p.answers.iter().all(|(q, v)| {
                if q == question {
                    *v == yes
                } else {
                    known.get(q).is_none_or(|k| k == v)
                }
            });
            if let (true, Some(a)) = (fits, &p.advice)
                && let Some(first) = a.steps.first()
            {
                let text = format!("\"{first}\"");
                if !names.contains(&text) {
                    names.push(text);
                }
            }
        }
        if !names.is_empty() {
            out.push(format!("{word} leaves: {}", names.join("; ")));
        }
    }
    out
}

/// Why an advice is not given: what would have to be different.
pub fn why_not(base: &Base, problem: &str, known: &Known, advice: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for p in base.paths(problem) {
        if p.advice.as_ref().is_none_or(|a| a.name != advice) {
            continue;
        }
        let differ: Vec<String> = p
            .answers
            .iter()
            .filter(|(q, yes)| known.get(q).is_some_and(|k| k != yes))
            .map(|(q, yes)| {
                format!(
                    "\"{}\" would need the answer {}",
                    base.question(q).text,
                    if *yes { "yes" } else { "no" }
                )
            })
            .collect();
        let open: Vec<String> = p
            .answers
            .iter()
            .filter(|(q, _)| !known.contains_key(q))
            .map(|(q, _)| format!("\"{}\" is not answered yet", base.question(q).text))
            .collect();
        let line = [differ, open].concat().join("; ");
        if !line.is_empty() && !out.contains(&line) {
            out.push(line);
        }
    }
    if out.is_empty() {
        let exists = base
            .paths
            .values()
            .flatten()
            .any(|p| p.advice.as_ref().is_some_and(|a| a.name == advice));
        out.push(if exists {
            "it belongs to another problem".to_owned()
        } else {
            "no rule of the base gives this advice".to_owned()
        });
    }
    out
}
