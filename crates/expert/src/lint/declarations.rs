//! Declarations that do not fit each other: names that nobody declared, and numbers out of range.

use std::collections::{BTreeMap, BTreeSet};

use wits_desk::nearest;
use wits_game::Message;
use wits_logic::{Term, Written};

use super::clauses::{Clauses, goals};
use super::{Finding, Report, finding};
use crate::answers::Kind;
use crate::base::Base;
use crate::words::WORDS;

/// A finding about a clause, with its place.
fn found(rule: &str, clause: &Written, message: Message) -> Finding {
    Finding {
        line: clause.place.as_ref().map(|p| p.line),
        column: clause.place.as_ref().map(|p| p.column),
        ..finding(rule, message)
    }
}

/// `; did you mean …?`, or nothing.
fn meant<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Message {
    match nearest(word, names) {
        Some(name) => WORDS.say("lint-meant").with("name", name),
        None => Message::plain(""),
    }
}

fn facts<'a>(clauses: &'a Clauses, name: &str, arity: usize) -> Vec<(&'a Written, &'a [Term])> {
    let all = clauses.get(name, arity).unwrap_or_default().iter();
    all.filter_map(|c| Some((c, c.head.parts()?.1))).collect()
}

/// What was declared twice. It is looked for before the base is read: of two questions with one name
/// the first would win unsaid.
pub(super) fn doubled(clauses: &Clauses, out: &mut Report) {
    for (name, arity) in [
        ("question", 4),
        ("part", 4),
        ("category", 2),
        ("problem", 3),
    ] {
        let mut first: BTreeMap<String, &Written> = BTreeMap::new();
        for (clause, args) in facts(clauses, name, arity) {
            if !args[0].variables().is_empty() {
                continue;
            }
            let id = args[0].to_string();
            let Some(before) = first.get(&id) else {
                first.insert(id, clause);
                continue;
            };
            let line = before.place.as_ref().map_or(0, |p| p.line);
            let message = WORDS.say("lint-doubled").with("what", name);
            let message = message.with("name", id).with("line", line);
            out.errors.push(found("doubled", clause, message));
        }
    }
}

/// Chances that are none.
pub(super) fn rates(clauses: &Clauses, out: &mut Report) {
    let chance = |t: &Term| t.number().is_none_or(|n| (0.0..=1.0).contains(&n));
    let questions = facts(clauses, "question", 4).into_iter();
    let questions = questions.map(|(c, args)| (c, "question", args, &args[3]));
    let repairs = facts(clauses, "repair", 3).into_iter();
    let repairs = repairs.map(|(c, args)| (c, "repair", args, &args[2]));
    for (clause, what, args, rate) in questions.chain(repairs) {
        if !chance(rate) {
            let message = WORDS.say("lint-rate").with("what", what);
            let message = message.with("name", args[0].to_string());
            let message = message.with("rate", rate.to_string());
            out.errors.push(found("rate", clause, message));
        }
    }
}

/// Signs of problems or by questions that nobody declared.
pub(super) fn signs(base: &Base, clauses: &Clauses, out: &mut Report) {
    for (clause, args) in facts(clauses, "sign", 2) {
        let (problem, question) = (args[0].to_string(), args[1].to_string());
        let ids = || base.questions.iter().map(|q| q.id.as_str());
        if args[1].variables().is_empty() && !ids().any(|id| id == question) {
            let message = WORDS.say("lint-sign-question").with("problem", problem);
            let message = message.with("meant", meant(&question, ids()));
            let message = message.with("question", question);
            out.errors.push(found("sign", clause, message));
            continue;
        }
        let known = |p: &crate::base::Problem| {
            let id = base.machine.read_value(&p.id).ok();
            id.is_some_and(|id| crate::base::matches_term(&args[0], &id))
        };
        if clause.body == Term::Atom("true".to_owned()) && !base.problems.iter().any(known) {
            let ids = base.problems.iter().map(|p| p.id.as_str());
            let message = WORDS.say("lint-sign-problem");
            let message = message.with("meant", meant(&problem, ids));
            out.errors
                .push(found("sign", clause, message.with("problem", problem)));
        }
    }
}

/// Options that a question does not offer.
pub(super) fn options(base: &Base, clauses: &Clauses, out: &mut Report) {
    let mut offered: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (question, asks) in &base.asks {
        if let Kind::Choice(entries) = &asks.kind {
            let ids = entries.iter().map(|e| e.id.clone());
            offered.insert(question.clone(), ids.collect());
        }
    }
    let mut wrong = |clause: &Written, question: &str, option: &Term, near: bool| {
        let (Some(ids), false) = (offered.get(question), option.to_string() == "unknown") else {
            return;
        };
        let id = option.to_string();
        let names = || ids.iter().map(String::as_str);
        if ids.contains(&id) || (near && nearest(&id, names()).is_none()) {
            return;
        }
        let message = WORDS.say("lint-option").with("question", question);
        let message = message.with("meant", meant(&id, names()));
        let message = message.with("options", ids.join(", "));
        out.errors
            .push(found("option", clause, message.with("option", id)));
    };
    for (clause, args) in facts(clauses, "question", 4) {
        for item in args[3].items().unwrap_or_default() {
            if let Some(("-", [option, _])) = item.parts() {
                wrong(clause, &args[0].to_string(), option, false);
            }
        }
    }
    for (clause, args) in facts(clauses, "answer", 3) {
        if args[1].variables().is_empty() {
            wrong(clause, &args[0].to_string(), &args[1], false);
        }
    }
    for clause in clauses.list.iter().flat_map(|(_, list)| list) {
        let mut inside = Vec::new();
        goals(&clause.body, &mut inside);
        for goal in &inside {
            let Some(("choose", [question, _, chosen])) = goal.parts() else {
                continue;
            };
            let question = question.to_string();
            let Term::Var(chosen) = chosen else {
                wrong(clause, &question, chosen, false);
                continue;
            };
            for (other, option) in compared(&inside, chosen, clauses) {
                // Facts may be about more than this question.
                wrong(other.unwrap_or(clause), &question, option, other.is_some());
            }
        }
    }
}

/// What the value of a variable is compared with: in the same clause, or in the heads of the clauses
/// that it is handed to.
fn compared<'a>(
    inside: &[&'a Term],
    chosen: &str,
    clauses: &'a Clauses,
) -> Vec<(Option<&'a Written>, &'a Term)> {
    let is_chosen = |t: &Term| matches!(t, Term::Var(v) if v == chosen);
    let mut out = Vec::new();
    for goal in inside {
        match goal.parts() {
            Some(("=" | "==" | "\\==" | "\\=", [x, atom @ Term::Atom(_)])) if is_chosen(x) => {
                out.push((None, atom));
            }
            Some(("=" | "==" | "\\==" | "\\=", [atom @ Term::Atom(_), x])) if is_chosen(x) => {
                out.push((None, atom));
            }
            Some((name, args)) => {
                let Some(at) = args.iter().position(is_chosen) else {
                    continue;
                };
                for clause in clauses.get(name, args.len()).unwrap_or_default() {
                    let arg = clause.head.parts().and_then(|(_, args)| args.get(at));
                    out.extend(
                        arg.filter(|a| matches!(a, Term::Atom(_)))
                            .map(|a| (Some(clause), a)),
                    );
                }
            }
            None => {}
        }
    }
    out
}

/// Wordings of goals that nobody defines.
pub(super) fn wordings(base: &Base, clauses: &Clauses, out: &mut Report) {
    let named = |t: &Term| -> Option<(String, usize)> {
        let (name, args) = t.parts()?;
        Some((name.to_owned(), args.len()))
    };
    // Advice that is no text is told by its wording, too.
    let advice: BTreeSet<(String, usize)> = (base.paths.values().flatten())
        .flat_map(|p| p.advice.iter().chain(&p.others))
        .filter_map(|a| named(&base.machine.read_value(&a.name).ok()?))
        .collect();
    for (clause, args) in facts(clauses, "wording", 3) {
        let goal = match args[0].parts() {
            Some(("\\+", [inner])) => inner,
            _ => &args[0],
        };
        let Some((name, arity)) = named(goal) else {
            continue;
        };
        let nobody = base.machine.owner(&name, arity) == wits_logic::Owner::Nobody;
        if nobody && !advice.contains(&(name.clone(), arity)) {
            let says = WORDS.say("lint-wording");
            let message = says.with("goal", format!("{name}/{arity}"));
            out.warnings.push(found("wording", clause, message));
        }
    }
}
