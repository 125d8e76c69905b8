//! One step of a proof as a sentence.

use wits_game::Message;
use wits_logic::{Answer, Because, Node, Place, Term};

use crate::base::Base;
use crate::words::WORDS;

/// What the person said to a goal, as people say it.
fn said(base: Option<&Base>, goal: &Term, a: &Answer) -> Message {
    match (a, goal.parts()) {
        (Answer::Yes, _) => WORDS.say("yes"),
        (Answer::No, _) => WORDS.say("no"),
        (Answer::Option(_), Some((_, [q, _, x]))) => {
            let option = x.to_string();
            Message::plain(base.map_or(option.clone(), |b| b.label(&q.to_string(), &option)))
        }
        (Answer::Number(x), _) => Message::plain(x.to_string()),
        (Answer::Line(text), _) => Message::plain(text.clone()),
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

/// The goal that a negation denies.
fn denied(goal: &Term) -> Option<&Term> {
    match goal.parts()? {
        ("\\+" | "not" | "tnot", [inner]) => Some(inner),
        _ => None,
    }
}

/// A comparison: how it is told, how it is told the other way round, how its contrary is told.
const TESTS: [(&str, &str, &str, &str); 8] = [
    (">=", "test-at-least", "test-at-most", "test-below"),
    ("=<", "test-at-most", "test-at-least", "test-over"),
    (">", "test-over", "test-below", "test-at-most"),
    ("<", "test-below", "test-over", "test-at-least"),
    ("=:=", "test-equal", "test-equal", "test-other"),
    ("=\\=", "test-other", "test-other", "test-equal"),
    ("\\==", "test-other", "test-other", "test-equal"),
    ("\\=", "test-other", "test-other", "test-equal"),
];

/// A test that decided something, as a phrase; `numbers` were said by the person and come first.
pub(crate) fn test(goal: &Term, numbers: &[f64]) -> Option<Message> {
    let (goal, holds) = match denied(goal) {
        Some(inner) => (inner, false),
        None => (goal, true),
    };
    let was_said = |t: &Term| t.number().is_some_and(|n| numbers.contains(&n));
    let phrase = match goal.parts()? {
        ("between", [low, high, x]) if holds => {
            let says = WORDS.say("test-between").with("left", short(x));
            says.with("low", short(low)).with("high", short(high))
        }
        (name, [left, right]) => {
            let (_, same, turned, contrary) = TESTS.iter().find(|t| t.0 == name)?;
            let turn = was_said(right) && !was_said(left);
            let (left, right) = if turn { (right, left) } else { (left, right) };
            let turned_contrary = || {
                let other = TESTS.iter().find(|t| t.1 == *contrary);
                other.map_or(*contrary, |t| t.2)
            };
            let key = match (holds, turn) {
                (true, false) => *same,
                (true, true) => *turned,
                (false, false) => *contrary,
                (false, true) => turned_contrary(),
            };
            let says = WORDS.say(key).with("left", short(left));
            says.with("right", short(right))
        }
        _ => return None,
    };
    let mentioned = goal.parts()?.1.iter().find(|t| was_said(t));
    Some(match mentioned {
        Some(value) => WORDS
            .say("because-test-said")
            .with("value", short(value))
            .with("test", phrase),
        None => WORDS.say("because-test").with("test", phrase),
    })
}

/// Whether a step tells something about the matter, and not only about how it was worked out.
pub(crate) fn matters(node: &Node) -> bool {
    match node.because {
        Because::Clause(..) | Because::Said(_) | Because::NoProof => true,
        Because::Library | Because::Builtin => test(&node.goal, &[]).is_some(),
    }
}

/// One node of a proof as a sentence. Questions are told in the wording of the base, where there
/// is one.
pub fn because(base: Option<&Base>, node: &Node) -> Message {
    because_said(base, node, &[])
}

/// The same, where the person said these numbers.
pub(crate) fn because_said(base: Option<&Base>, node: &Node, numbers: &[f64]) -> Message {
    let goal = short(&node.goal);
    let wording = |q: &Term| {
        let id = q.to_string();
        base.map_or(id.clone(), |b| b.question(&id).text)
    };
    match (&node.because, asked(&node.goal)) {
        (Because::Said(a), Some(q)) => {
            let says = WORDS.say("because-said");
            let says = says.with("answer", said(base, &node.goal, a));
            return says.with("question", wording(q));
        }
        (Because::NoProof, Some(q)) => {
            return WORDS.say("because-not-yes").with("question", wording(q));
        }
        _ => {}
    }
    let told = base.and_then(|b| b.wording(&node.goal));
    match &node.because {
        Because::Clause(k, place) => clause(base, node, told, *k, place.as_ref()),
        _ if told.is_some() => Message::plain(told.unwrap_or_default()),
        Because::NoProof => {
            if let Some(says) = test(&node.goal, numbers) {
                return says;
            }
            let inner = denied(&node.goal).and_then(|g| base?.wording(g));
            match inner {
                Some(what) => WORDS.say("because-not").with("what", what),
                None => WORDS.say("because-no-proof").with("goal", goal),
            }
        }
        Because::Library | Because::Builtin | Because::Said(_) => test(&node.goal, numbers)
            .unwrap_or_else(|| {
                let library = matches!(node.because, Because::Library);
                let key = if library {
                    "because-library"
                } else {
                    "because-builtin"
                };
                WORDS.say(key).with("goal", goal)
            }),
    }
}

/// A goal that a clause proves.
fn clause(
    base: Option<&Base>,
    node: &Node,
    told: Option<String>,
    k: usize,
    place: Option<&Place>,
) -> Message {
    let fact = node.children.is_empty();
    let by_rule = |keys: [&'static str; 2]| match place {
        Some(place) => WORDS.say(keys[0]).with("line", place.line),
        None => WORDS.say(keys[1]),
    };
    let parts = node.goal.parts();
    if let (Some(base), Some(("fix", [problem, advice])), None) = (base, parts, &told) {
        let id = problem.to_string();
        let label = base.problem(&id).map_or(id, |p| p.label.clone());
        let step = base.advice(advice).steps.into_iter().next();
        let says = if fact {
            WORDS.say("because-advice-fact")
        } else {
            by_rule(["because-advice", "because-advice-bare"]).with("rule", k + 1)
        };
        let says = says.with("step", step.unwrap_or_default());
        return says.with("problem", label);
    }
    let part = |id: &Term| base?.part(&id.to_string()).map(|p| p.label.clone());
    if let (Some(("part", [child, _, _, parent])), None, true) = (parts, &told, fact)
        && let (Some(child), Some(parent)) = (part(child), part(parent))
    {
        let says = WORDS.say("because-part").with("part", child);
        return says.with("whole", parent);
    }
    let name = parts.map_or_else(
        || node.goal.to_string(),
        |(name, args)| format!("{name}/{}", args.len()),
    );
    match told {
        Some(what) if fact => Message::plain(what),
        Some(what) => by_rule(["because-worded", "because-worded-bare"])
            .with("what", what)
            .with("rule", k + 1)
            .with("name", name),
        None if fact => WORDS.say("because-fact").with("goal", short(&node.goal)),
        None => by_rule(["because-rule", "because-rule-bare"])
            .with("rule", k + 1)
            .with("name", name),
    }
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

/// A name as words: `turn_the_key` is “Turn the key”.
pub(crate) fn spelt(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => words,
    }
}
