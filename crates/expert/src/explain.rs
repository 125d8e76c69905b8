//! Why this question, how this conclusion, why not that one.

use wits_game::Message;
use wits_logic::{Answer, Because, Proof, Verdict, verdict};

use crate::answers::Case;
use crate::base::{Base, Problem};
use crate::choice::{Known, after_sign, agrees, answers, candidates, gain};
use crate::dialogue::{Session, Turn};
use crate::paths::{Advice, Path};
use crate::repairs::Repair;
pub use crate::sentences::because;
use crate::sentences::{because_said, matters};
use crate::words::{WORDS, quoted};

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

/// An answer as a word.
pub(crate) fn word(yes: bool) -> Message {
    WORDS.say(if yes { "yes" } else { "no" })
}

/// How a conclusion was reached: one sentence per rule, fact, answer and test with its depth,
/// outermost first. What was merely computed is left out.
pub fn how(base: &Base, proof: &Proof) -> Vec<(usize, Message)> {
    let numbers: Vec<f64> = (proof.nodes.iter())
        .filter_map(|node| match node.because {
            Because::Said(Answer::Number(n)) => Some(n),
            _ => None,
        })
        .collect();
    (proof.lines().into_iter())
        .filter(|line| matters(line.node))
        .map(|line| (line.depth, because_said(Some(base), line.node, &numbers)))
        .collect()
}

/// What the independent checker says of the proof of an advice.
pub fn checked(base: &Base, session: &Session, turn: &Turn) -> Option<Message> {
    let Turn::Advice { problem, proof, .. } = turn else {
        return None;
    };
    // The checker reads off the machine what was answered.
    let machine = session.machine(base, problem).ok()?;
    Some(verdict_says(&verdict(&machine, proof)))
}

/// A verdict as a sentence.
pub fn verdict_says(verdict: &Verdict) -> Message {
    match (&verdict.why, verdict.trusted) {
        (Some(why), _) => WORDS.say("proof-refused").with("why", why),
        (None, 0) => WORDS.say("proof-checked"),
        (None, n) => WORDS.say("proof-checked-trusted").with("count", n),
    }
}

/// The different pieces of advice on some paths, in the order of the paths.
pub(crate) fn pieces<'a>(paths: impl Iterator<Item = &'a Path>) -> Vec<&'a Advice> {
    let mut out: Vec<&Advice> = Vec::new();
    for advice in paths.filter_map(|p| p.advice.as_ref()) {
        if !out.contains(&advice) {
            out.push(advice);
        }
    }
    out
}

fn listed(texts: impl Iterator<Item = Message>) -> String {
    let all: Vec<String> = texts.map(|t| t.to_string()).collect();
    all.join("; ")
}

/// Why the question that is open is asked: what it is worth, and what each answer would leave.
pub fn why(base: &Base, session: &Session, turn: &Turn) -> Vec<Message> {
    match turn {
        Turn::Question {
            id,
            problem: Some(problem),
            ..
        } => why_about(base, problem, &session.known(), id),
        Turn::Question { id, bits, .. } => why_sign(base, session, id, *bits),
        _ => Vec::new(),
    }
}

fn worth(base: &Base, question: &str, bits: f64) -> Message {
    if bits < 0.005 {
        return WORDS.say("why-last");
    }
    let says = WORDS.say("why-bits").with("bits", format!("{bits:.2}"));
    says.with("cost", base.question(question).cost)
}

fn why_about(base: &Base, problem: &str, known: &Known, question: &str) -> Vec<Message> {
    let paths = base.paths(problem);
    let bits = gain(base, paths, known, question);
    let mut out = vec![worth(base, question, bits)];
    if let Some(p) = base.problem(problem) {
        out.push(WORDS.say("why-rules").with("problem", p.label.clone()));
    }
    for (reply, case, _) in answers(base, paths, question) {
        let mut then = known.clone();
        then.insert(question.to_owned(), reply);
        let left = pieces(paths.iter().filter(|p| agrees(p, &then)));
        let steps = left.iter().filter_map(|a| a.steps.first());
        let left = listed(steps.map(|s| quoted(s)));
        if !left.is_empty() {
            let says = WORDS.say("why-leaves");
            let says = says.with("answer", base.case(question, &case));
            out.push(says.with("advice", left));
        }
    }
    out
}

fn why_sign(base: &Base, session: &Session, question: &str, bits: f64) -> Vec<Message> {
    let mut out = vec![worth(base, question, bits)];
    let (known, _) = session.signs();
    for yes in [true, false] {
        let then = after_sign(base, &known, &session.tried, question, yes);
        let likely = then.iter().take(3).filter_map(|(id, chance)| {
            let label = &base.problem(id)?.label;
            let says = WORDS.say("chance").with("what", label.clone());
            Some(says.with("percent", format!("{:.0}", 100.0 * chance)))
        });
        let says = WORDS.say("why-likely").with("answer", word(yes));
        out.push(says.with("problems", listed(likely)));
    }
    out
}

/// How things stand: what each answer so far has ruled out.
pub fn standing(base: &Base, session: &Session, problem: &str) -> Vec<Message> {
    let paths = base.paths(problem);
    let all = pieces(paths.iter()).len();
    let mut known = Known::new();
    let mut out = Vec::new();
    for (q, reply) in &session.answers {
        if !paths.iter().any(|p| p.answers.iter().any(|a| a.0 == *q)) {
            continue;
        }
        known.insert(q.clone(), reply.clone());
        let left = pieces(paths.iter().filter(|p| agrees(p, &known))).len();
        let key = if left == 1 {
            "answer-settled"
        } else {
            "answer-left"
        };
        let says = WORDS.say(key).with("question", base.question(q).text);
        let says = says.with("answer", base.told(q, reply)).with("count", left);
        out.push(says.with("all", all));
    }
    out
}

/// Why an advice is not given: what would have to be different on each way to it.
pub fn why_not(base: &Base, problem: &str, known: &Known, advice: &str) -> Vec<Message> {
    let named = |p: &&Path| p.advice.as_ref().is_some_and(|a| a.name == advice);
    let out = differences(base, base.paths(problem).iter().filter(named), known);
    if !out.is_empty() {
        return out;
    }
    let exists = (base.paths.values().flatten())
        .any(|p| p.advice.as_ref().is_some_and(|a| a.name == advice));
    vec![WORDS.say(if exists {
        "why-not-elsewhere"
    } else {
        "why-not-nowhere"
    })]
}

fn differences<'a>(
    base: &Base,
    paths: impl Iterator<Item = &'a Path>,
    known: &Known,
) -> Vec<Message> {
    let mut out: Vec<Message> = Vec::new();
    for p in paths {
        for (q, case) in &p.answers {
            let says = match known.get(q) {
                Some(reply) if case.agrees(reply) => continue,
                Some(_) => WORDS
                    .say("why-not-differs")
                    .with("answer", base.case(q, case)),
                None => WORDS.say("why-not-open"),
            };
            let says = says.with("question", base.question(q).text);
            if !out.contains(&says) {
                out.push(says);
            }
        }
    }
    out
}

/// Every other piece of advice for the problem, with the reasons why it is not given.
pub fn others(base: &Base, session: &Session, turn: &Turn) -> Vec<(Advice, Vec<Message>)> {
    let (problem, given) = match turn {
        Turn::Question {
            problem: Some(p), ..
        } => (p, None),
        Turn::Advice {
            problem, advice, ..
        } => (problem, Some(advice)),
        _ => match &session.problem {
            Some(p) => (p, None),
            None => return Vec::new(),
        },
    };
    let (known, paths) = (session.known(), base.paths(problem));
    (pieces(paths.iter()).into_iter())
        .filter(|a| Some(*a) != given)
        .map(|a| {
            let mine = paths.iter().filter(|p| p.advice.as_ref() == Some(a));
            let mut why = differences(base, mine, &known);
            let said = |(q, case): &(String, Case)| known.get(q).is_some_and(|r| case.agrees(r));
            let also = |p: &Path| p.others.contains(a) && p.answers.iter().all(said);
            if paths.iter().any(also) {
                why.clear();
            }
            if session.declined.contains(&a.name) {
                why.insert(0, WORDS.say("why-not-declined"));
            } else if why.is_empty() {
                why.push(if base.weighs_repairs() {
                    effort("why-not-dearer", base, a)
                } else {
                    WORDS.say("why-not-later")
                });
            }
            (a.clone(), why)
        })
        .collect()
}

/// What following a piece of advice takes.
fn effort(key: &'static str, base: &Base, advice: &Advice) -> Message {
    let Repair { cost, chance } = base.repair(&advice.name);
    let step = advice.steps.first().unwrap_or(&advice.name);
    let says = WORDS.say(key).with("step", step).with("cost", cost);
    says.with("percent", format!("{:.0}", 100.0 * chance))
}

/// What following the advice costs and how often it helps. Where others fit as well, also what those
/// cost, why this one comes first, and what trying them in this order costs on average.
pub fn order(base: &Base, session: &Session, turn: &Turn) -> Vec<Message> {
    let Turn::Advice {
        problem, advice, ..
    } = turn
    else {
        return Vec::new();
    };
    let known = session.known();
    let mut paths = base.paths(problem).iter().filter(|p| agrees(p, &known));
    let all = |p: &Path| -> Vec<Advice> {
        let all = p.advice.iter().chain(&p.others);
        let open = all.filter(|a| !session.declined.contains(&a.name));
        open.cloned().collect()
    };
    let fits = paths.find_map(|p| Some(all(p)).filter(|all| all.first() == Some(advice)));
    let fits = fits.unwrap_or_default();
    // Where nothing is declared, there is nothing to weigh.
    let declared = fits.iter().any(|a| base.declares_repair(&a.name));
    if !declared {
        return Vec::new();
    }
    let mut out: Vec<Message> = fits.iter().map(|a| effort("order-one", base, a)).collect();
    if fits.len() < 2 {
        return out;
    }
    let total = base.expected_cost(fits.iter());
    out.push(WORDS.say("order-all").with("cost", format!("{total:.2}")));
    out
}

/// Most problems that are compared with the likeliest.
const RIVALS: usize = 5;

/// Before a problem is chosen: the likeliest one first, then others with what speaks for the first
/// rather than for them.
pub fn rivals(base: &Base, session: &Session) -> Vec<(String, Vec<Message>)> {
    let (known, _) = session.signs();
    let found = candidates(base, &known, &session.tried);
    let mut problems = found
        .iter()
        .filter_map(|(id, chance)| Some((base.problem(id)?, *chance)));
    let Some((first, chance)) = problems.next() else {
        return Vec::new();
    };
    let named = |p: &Problem, chance: f64| {
        let says = WORDS.say("chance").with("what", &p.label);
        let says = says.with("percent", format!("{:.0}", 100.0 * chance));
        says.to_string()
    };
    let mut out = vec![(named(first, chance), vec![WORDS.say("rival-first")])];
    for (p, chance) in problems.take(RIVALS) {
        let mut why = Vec::new();
        let differ = |q: &String| first.signs.contains(q) != p.signs.contains(q);
        for (q, yes) in known.iter().filter(|(q, _)| differ(q)) {
            let expected = p.signs.contains(q);
            let text = base.question(q).text;
            let key = if expected == *yes {
                "sign-for"
            } else {
                "sign-against"
            };
            let says = WORDS.say(key).with("question", text);
            let says = says.with("answer", word(*yes));
            why.push(says.with("wanted", word(expected)));
        }
        if p.weight < first.weight {
            let times = format!("{:.1}", first.weight / p.weight.max(f64::MIN_POSITIVE));
            let says = WORDS.say("rival-rarer").with("times", times);
            why.push(says.with("other", &first.label));
        }
        let open = |q: &&String| differ(q) && !known.contains_key(*q);
        let open = first.signs.iter().chain(&p.signs).find(open);
        why.extend(open.map(|q| {
            let says = WORDS.say("rival-open");
            says.with("question", base.question(q).text)
        }));
        if why.is_empty() {
            why.push(WORDS.say("rival-alike").with("other", &first.label));
        }
        out.push((named(p, chance), why));
    }
    out
}
