//! Asking a program something, with steps and proofs if wanted.

use serde::Serialize;
use serde_json::{Map, Value};
use wits_game::Message;
use wits_logic::{
    Answer, Event, Fuel, Machine, Outcome, Proof, Question, Reason, Trouble, Verdict, reasons,
    verdict,
};
use wits_search::Budget;

use crate::words::WORDS;

/// What one query may cost when nothing else is said.
pub const FUEL: Fuel = Fuel {
    steps: 200_000_000,
    cells: 64 << 20,
};

/// What to do besides finding solutions.
#[derive(Clone, Debug)]
pub struct Wish {
    /// Most solutions.
    pub limit: usize,
    /// Record the steps, at most this many.
    pub trace: Option<usize>,
    /// Record proofs; where there is none, find out why.
    pub proof: bool,
    /// Fuel for the whole query.
    pub fuel: Fuel,
    /// Answers to questions that the program may ask.
    pub said: Vec<(String, Answer)>,
}

impl Default for Wish {
    fn default() -> Self {
        Wish {
            limit: 50,
            trace: None,
            proof: false,
            fuel: FUEL,
            said: Vec::new(),
        }
    }
}

/// The answer to a query.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Answers {
    /// `true`, `false` or `error`.
    pub status: String,
    /// One object per solution: variable to value, as `writeq` writes it.
    pub solutions: Vec<Map<String, Value>>,
    /// What went wrong.
    pub error: Option<Trouble>,
    /// The limit that ended the query: `steps`, `memory` or `time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// The question that the program waits for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Question>,
    /// Whether the limit cut the list short.
    pub more: bool,
    /// What the program wrote.
    pub output: String,
    /// The steps, if wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Event>,
    /// Steps left out for lack of room.
    pub dropped: u64,
    /// One proof per solution, if wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proofs: Vec<Proof>,
    /// Solutions whose proof is too large to be shown.
    #[serde(skip_serializing_if = "is_zero")]
    pub unproved: usize,
    /// What the independent checker says of each proof; nothing where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Option<Verdict>>,
    /// Why there is no solution, if proofs are wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference.
fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// Loads a program and asks it one query.
pub fn query(name: &str, text: &str, goal: &str, wish: Wish) -> Answers {
    query_person(name, text, goal, wish, &mut |_, _| None)
}

/// Somebody who answers the program's questions, or does not; the text is what the program wrote
/// since it last asked.
pub type Person<'a> = &'a mut dyn FnMut(&Question, &str) -> Option<Answer>;

/// Loads a program and asks it one query; what the program asks goes to a person.
pub fn query_person(name: &str, text: &str, goal: &str, wish: Wish, person: Person<'_>) -> Answers {
    let mut m = Machine::new();
    m.refuel(wish.fuel);
    let loaded = m.load(name, text);
    if let Some(e) = loaded.errors.first() {
        return Answers {
            status: "error".into(),
            error: Some(e.clone()),
            ..Answers::default()
        };
    }
    ask_person(&mut m, goal, wish, &mut || true, person, &mut |_, _, _| ())
}

/// Asks a machine one query.
pub fn ask(m: &mut Machine, goal: &str, wish: Wish) -> Answers {
    ask_while(m, goal, wish, &mut || true)
}

/// Most reasons told for one goal.
const REASONS: usize = 12;

/// Steps between two looks at whether to go on.
const SLICE: u64 = 1_000_000;

/// Asks a machine one query, as long as `go_on` says so.
pub fn ask_while(
    m: &mut Machine,
    goal: &str,
    wish: Wish,
    go_on: &mut dyn FnMut() -> bool,
) -> Answers {
    ask_person(m, goal, wish, go_on, &mut |_, _| None, &mut |_, _, _| ())
}

/// A proof and what the independent checker says of it.
pub type Evidence<'a> = (&'a Proof, Option<&'a Verdict>);

/// Somebody who hears each solution as it comes: its number, its bindings, its proof if wanted.
pub type Listener<'a> = &'a mut dyn FnMut(usize, &Map<String, Value>, Option<Evidence<'_>>);

/// Tells the last solution.
fn tell(out: &Answers, each: Listener<'_>, evidence: Option<Evidence<'_>>) {
    if let Some(row) = out.solutions.last() {
        each(out.solutions.len(), row, evidence);
    }
}

/// Asks a machine one query within a budget, whose deadline and stop flag end it within some
/// hundredths of a second whatever the program does; `each` hears the solutions one by one.
pub fn ask_each(
    m: &mut Machine,
    goal: &str,
    wish: Wish,
    budget: &Budget,
    each: Listener<'_>,
) -> Answers {
    m.keep_to(Some(budget.clone()));
    let mut go_on = || !(budget.late() || budget.stopped());
    let answers = ask_person(m, goal, wish, &mut go_on, &mut |_, _| None, each);
    m.keep_to(None);
    answers
}

/// Asks a machine one query, as long as `go_on` says so; a person answers its questions.
fn ask_person(
    m: &mut Machine,
    goal: &str,
    wish: Wish,
    go_on: &mut dyn FnMut() -> bool,
    person: Person<'_>,
    each: Listener<'_>,
) -> Answers {
    let mut out = Answers {
        status: "false".into(),
        ..Answers::default()
    };
    m.record_proofs(wish.proof);
    m.refuel(wish.fuel);
    m.forget_answers();
    if let Some(n) = wish.trace {
        m.watch(n);
    }
    let told = wish.said.into_iter();
    let begun = told
        .map(|(q, a)| m.foretell(&q, a))
        .collect::<Result<Vec<()>, Trouble>>();
    // Reasons are looked for from where the query began: it may change facts and fill tables.
    let before = wish.proof.then(|| m.clone());
    if let Err(t) = begun.and_then(|_| m.query(goal)) {
        return Answers {
            status: "error".into(),
            error: Some(t),
            ..out
        };
    }
    m.refuel(wish.fuel);
    let error = loop {
        m.pause_after(SLICE);
        match m.solve() {
            Outcome::Solution(s) => {
                out.status = "true".into();
                if out.solutions.len() == wish.limit {
                    out.more = true;
                    break None;
                }
                let row = s
                    .bindings
                    .into_iter()
                    .map(|b| (b.name, Value::String(b.value)));
                out.solutions.push(row.collect());
                if !wish.proof {
                    tell(&out, each, None);
                    continue;
                }
                let proof = m.proof();
                out.unproved += usize::from(proof.is_none());
                // Where there is no proof, an empty one keeps the place.
                let found = proof.as_ref().map(|p| verdict(m, p));
                let proof = proof.unwrap_or_default();
                tell(&out, each, Some((&proof, found.as_ref())));
                out.checks.push(found);
                out.proofs.push(proof);
            }
            Outcome::Done => {
                if let Some(before) = before.filter(|_| out.solutions.is_empty()) {
                    out.reasons = why(before, goal, m.answers());
                }
                break None;
            }
            Outcome::Halted(_) => break None,
            Outcome::Error(t) => break Some(t),
            Outcome::Asked(q) => {
                let written = m.take_output();
                out.output.push_str(&written);
                if person(&q, &written).is_some_and(|a| m.answer(a).is_ok()) {
                    continue;
                }
                let says = WORDS.say("query-asks").with("question", &q.term);
                out.asked = Some(q);
                break Some(trouble(&says, "query-asks-hint"));
            }
            Outcome::OutOfSteps if !go_on() => {
                out.code = Some("time");
                let says = WORDS.say("query-stopped");
                break Some(late(&says, m, ["query-stopped-hint", "query-stopped-deep"]));
            }
            Outcome::OutOfSteps if m.steps_left() > 0 => {}
            Outcome::OutOfSteps => {
                out.code = Some("steps");
                let says = WORDS.say("query-steps").with("steps", wish.fuel.steps);
                break Some(late(&says, m, ["query-steps-hint", "query-steps-deep"]));
            }
            Outcome::OutOfMemory => {
                out.code = Some("memory");
                break Some(trouble(&WORDS.say("query-memory"), "query-memory-hint"));
            }
        }
    };
    if error.is_some() {
        out.status = "error".into();
        out.error = error;
    }
    out.output.push_str(&m.take_output());
    (out.steps, out.dropped) = m.events();
    out
}

/// Why a goal has no solution: the machine is as it was before the goal was asked, and a person said
/// this meanwhile.
pub fn why(mut m: Machine, goal: &str, said: Vec<(String, Answer)>) -> Vec<Reason> {
    let mut told = said.into_iter();
    told.try_for_each(|(q, a)| m.foretell(&q, a))
        .and_then(|()| reasons(&m, goal, REASONS))
        .unwrap_or_default()
}

/// Calls inside each other that look like a recursion without an end.
const DEEP: usize = 10_000;

/// A run that did not end in time. Only calls that pile up speak of an endless recursion: a loop that
/// fails and tries again may end yet.
fn late(says: &Message, m: &Machine, [hint, deep]: [&'static str; 2]) -> Trouble {
    let is_deep = m.depth(DEEP) >= DEEP;
    trouble(says, if is_deep { deep } else { hint })
}

fn trouble(says: &Message, hint: &'static str) -> Trouble {
    Trouble {
        term: String::new(),
        message: says.to_string(),
        place: None,
        hint: Some(WORDS.say(hint).to_string()),
    }
}
