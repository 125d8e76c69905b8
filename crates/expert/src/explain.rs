//! Why this question, how this conclusion, why not that one.

use wits_game::Message;
use wits_logic::{Answer, Because, Node, Proof, Term};

use crate::base::Base;
use crate::choice::{Known, after_sign, agrees, answers, gain};
use crate::dialogue::{Session, Turn};
use crate::paths::{Advice, Path};
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

/// What the person said to a goal, as people say it.
fn said(base: Option<&Base>, goal: &Term, a: &Answer) -> Message {
    let plain = |what: String| WORDS.say("wrong").with("what", what);
    match (a, goal.parts()) {
        (Answer::Yes, _) => WORDS.say("yes"),
        (Answer::No, _) => WORDS.say("no"),
        (Answer::Option(_), Some((_, [q, _, x]))) => {
            let option = x.to_string();
            plain(base.map_or(option.clone(), |b| b.label(&q.to_string(), &option)))
        }
        (Answer::Number(x), _) => plain(x.to_string()),
        (Answer::Line(text), _) => plain(text.clone()),
        _ => WORDS.say("unknown"),
    }
}

/// The question a goal like `ask(q)` or `\+ ask(q)` is about.
fn asked(goal: &Term) -> Option<&Term> {
    match goal.parts()? {
        ("ask" | "choose", [q, ..]) | ("number", [q, _]) => Some(q),
        ("\\+", [inner]) => match inner.parts()? {
            ("ask", args) if !args.is_empty() => Some(&args[0]),
            _ => None,
        },
        _ => None,
    }
}

/// One node of a proof as a sentence. Questions are told in the wording of the base, where there
/// is one.
pub fn because(base: Option<&Base>, node: &Node) -> Message {
    let goal = short(&node.goal);
    let wording = |q: &Term| {
        let id = q.to_string();
        base.map_or(id.clone(), |b| b.question(&id).text)
    };
    match (&node.because, asked(&node.goal)) {
        (Because::Said(a), Some(q)) => {
            let says = WORDS.say("because-said");
            let says = says.with("answer", said(base, &node.goal, a));
            says.with("question", wording(q))
        }
        (Because::NoProof, Some(q)) => {
            let says = WORDS.say("because-not-yes");
            says.with("question", wording(q))
        }
        (Because::Clause(k, place), _) => {
            if node.children.is_empty() {
                return WORDS.say("because-fact").with("goal", goal);
            }
            let name = (node.goal.parts()).map_or_else(
                || node.goal.to_string(),
                |(name, args)| format!("{name}/{}", args.len()),
            );
            match place {
                Some(place) => WORDS.say("because-rule").with("line", place.line),
                None => WORDS.say("because-rule-bare"),
            }
            .with("rule", k + 1)
            .with("name", name)
        }
        (Because::Library, _) => WORDS.say("because-library").with("goal", goal),
        (Because::NoProof, None) => WORDS.say("because-no-proof").with("goal", goal),
        (Because::Builtin | Because::Said(_), _) => WORDS.say("because-builtin").with("goal", goal),
    }
}

/// How a conclusion was reached: one sentence per rule, fact and answer with its depth, outermost
/// first. What was merely computed is left out.
pub fn how(base: &Base, proof: &Proof) -> Vec<(usize, Message)> {
    let told = |node: &Node| match node.because {
        Because::Clause(..) | Because::Said(_) => true,
        Because::NoProof => asked(&node.goal).is_some(),
        Because::Library | Because::Builtin => false,
    };
    (proof.lines().into_iter())
        .filter(|line| told(line.node))
        .map(|line| (line.depth, because(Some(base), line.node)))
        .collect()
}

/// The longest term inside a sentence.
const LONGEST: usize = 80;

fn short(t: &Term) -> String {
    let s = t.to_string();
    if s.chars().count() > LONGEST {
        s.chars().take(LONGEST - 1).chain(['…']).collect()
    } else {
        s
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
            if session.declined.contains(&a.name) {
                why.insert(0, WORDS.say("why-not-declined"));
            } else if why.is_empty() {
                why.push(WORDS.say("why-not-later"));
            }
            (a.clone(), why)
        })
        .collect()
}
