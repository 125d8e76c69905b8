//! Asking a program something, with steps and proofs if wanted.

use serde::Serialize;
use serde_json::{Map, Value};
use wits_game::Message;
use wits_logic::{
    Answer, Event, Fuel, Machine, Outcome, Proof, Question, Reason, Solution, Trouble, Verdict,
    reasons, verdict,
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
    /// Stop at the last solution wanted instead of looking for one more, so that [`more_each`] can
    /// go on from there.
    pub pause: bool,
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
            pause: false,
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
    /// Where in the output the part after the last solution begins.
    #[serde(skip)]
    pub rest: usize,
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
            // What directives wrote before.
            output: m.take_output(),
            ..Answers::default()
        };
    }
    ask_person(&mut m, goal, wish, &mut || true, person, &mut |_| ())
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
    ask_person(m, goal, wish, go_on, &mut |_, _| None, &mut |_| ())
}

/// A proof and what the independent checker says of it.
pub type Evidence<'a> = (&'a Proof, Option<&'a Verdict>);

/// A solution as it comes.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// Which one it is, from 1.
    pub number: usize,
    /// Its bindings.
    pub row: &'a Map<String, Value>,
    /// Its proof, if wanted.
    pub evidence: Option<Evidence<'a>>,
    /// What the program wrote since the solution before.
    pub output: &'a str,
}

/// Somebody who hears each solution as it comes.
pub type Listener<'a> = &'a mut dyn FnMut(Found<'_>);

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

/// Goes on with a query that paused at its last solution ([`Wish::pause`]).
pub fn more_each(m: &mut Machine, wish: &Wish, budget: &Budget, each: Listener<'_>) -> Answers {
    m.keep_to(Some(budget.clone()));
    m.refuel(wish.fuel);
    let mut run = Run {
        goal: "",
        wish,
        before: None,
        proof: wish.proof,
        skip: 0,
        out: Answers::default(),
    };
    let mut go_on = || !(budget.late() || budget.stopped());
    run.solve(m, &mut go_on, &mut |_, _| None, each);
    m.keep_to(None);
    run.out
}

/// Asks a machine one query, as long as `go_on` says so; a person answers its questions.
fn ask_person(
    m: &mut Machine,
    goal: &str,
    mut wish: Wish,
    go_on: &mut dyn FnMut() -> bool,
    person: Person<'_>,
    each: Listener<'_>,
) -> Answers {
    m.record_proofs(wish.proof);
    m.refuel(wish.fuel);
    m.forget_answers();
    if let Some(n) = wish.trace {
        m.watch(n);
    }
    let told = std::mem::take(&mut wish.said).into_iter();
    let begun = told
        .map(|(q, a)| m.foretell(&q, a))
        .collect::<Result<Vec<()>, Trouble>>();
    // Reasons are looked for from where the query began: it may change facts and fill tables.
    let before = wish.proof.then(|| m.clone());
    if let Err(t) = begun.and_then(|_| m.query(goal)) {
        return Answers {
            status: "error".into(),
            error: Some(t),
            ..Answers::default()
        };
    }
    m.refuel(wish.fuel);
    let mut run = Run {
        goal,
        wish: &wish,
        before,
        proof: wish.proof,
        skip: 0,
        out: Answers::default(),
    };
    run.solve(m, go_on, person, each);
    run.out
}

/// A query under way.
struct Run<'a> {
    goal: &'a str,
    wish: &'a Wish,
    /// The machine before the query, if proofs are wanted.
    before: Option<Machine>,
    /// Whether proofs are recorded.
    proof: bool,
    /// Solutions to come that were found before.
    skip: usize,
    out: Answers,
}

impl Run<'_> {
    fn solve(
        &mut self,
        m: &mut Machine,
        go_on: &mut dyn FnMut() -> bool,
        person: Person<'_>,
        each: Listener<'_>,
    ) {
        self.out.status = "false".into();
        let error = self.collect(m, go_on, person, each);
        if error.is_some() {
            self.out.status = "error".into();
            self.out.error = error;
        }
        self.out.output.push_str(&m.take_output());
        (self.out.steps, self.out.dropped) = m.events();
    }

    /// Collects solutions; gives what ended the query early.
    fn collect(
        &mut self,
        m: &mut Machine,
        go_on: &mut dyn FnMut() -> bool,
        person: Person<'_>,
        each: Listener<'_>,
    ) -> Option<Trouble> {
        let wish = self.wish;
        loop {
            m.pause_after(SLICE);
            match m.solve() {
                Outcome::Solution(_) if self.skip > 0 => self.skip -= 1,
                Outcome::Solution(s) => {
                    self.out.status = "true".into();
                    if self.out.solutions.len() == wish.limit {
                        self.out.more = true;
                        return None;
                    }
                    self.found(m, s, each);
                    if wish.pause && self.out.solutions.len() == wish.limit {
                        self.out.more = m.has_choices();
                        return None;
                    }
                }
                Outcome::Done => {
                    if self.out.solutions.is_empty()
                        && let Some(before) = self.before.take()
                    {
                        self.out.reasons = why(before, self.goal, m.answers());
                    }
                    return None;
                }
                Outcome::Halted(_) => return None,
                Outcome::Error(t) => return Some(t),
                Outcome::Asked(q) => {
                    let written = m.take_output();
                    self.out.output.push_str(&written);
                    if person(&q, &written).is_some_and(|a| m.answer(a).is_ok()) {
                        continue;
                    }
                    let says = WORDS.say("query-asks").with("question", &q.term);
                    self.out.asked = Some(q);
                    return Some(trouble(&says, "query-asks-hint"));
                }
                Outcome::OutOfSteps if !go_on() => {
                    self.out.code = Some("time");
                    let says = WORDS.say("query-stopped");
                    return Some(ended(
                        &says,
                        m,
                        ["query-stopped-hint", "query-stopped-deep"],
                    ));
                }
                Outcome::OutOfSteps if m.steps_left() > 0 => {}
                Outcome::OutOfSteps => {
                    self.out.code = Some("steps");
                    return Some(out_of_steps(m, wish.fuel.steps));
                }
                // Proofs take memory of their own: answers without them are better than none.
                Outcome::OutOfMemory if self.proof && self.again_without_proofs(m) => {}
                Outcome::OutOfMemory => {
                    self.out.code = Some("memory");
                    return Some(out_of_memory(m));
                }
            }
        }
    }

    fn found(&mut self, m: &mut Machine, solution: Solution, each: Listener<'_>) {
        let bindings = solution.bindings.into_iter();
        let row: Map<_, _> = bindings.map(|b| (b.name, Value::String(b.value))).collect();
        let out = &mut self.out;
        out.output.push_str(&m.take_output());
        let proof = self.proof.then(|| m.proof()).flatten();
        let verdict = proof.as_ref().map(|p| verdict(m, p));
        // Where there is no proof, an empty one keeps the place.
        out.unproved += usize::from(self.wish.proof && proof.is_none());
        let proof = self.wish.proof.then(|| proof.unwrap_or_default());
        each(Found {
            number: out.solutions.len() + 1,
            row: &row,
            evidence: proof.as_ref().map(|p| (p, verdict.as_ref())),
            output: &out.output[out.rest..],
        });
        out.rest = out.output.len();
        out.solutions.push(row);
        if let Some(proof) = proof {
            out.proofs.push(proof);
            out.checks.push(verdict);
        }
    }

    /// Begins the query anew without proofs; solutions that were found are passed over.
    fn again_without_proofs(&mut self, m: &mut Machine) -> bool {
        let Some(before) = self.before.clone() else {
            return false;
        };
        let said = m.answers();
        *m = before;
        m.record_proofs(false);
        let mut told = said.into_iter();
        let begun = told.try_for_each(|(q, a)| m.foretell(&q, a));
        if begun.and_then(|()| m.query(self.goal)).is_err() {
            return false;
        }
        m.refuel(self.wish.fuel);
        self.proof = false;
        self.skip = self.out.solutions.len();
        self.out.output.clear();
        self.out.rest = 0;
        true
    }
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

/// A run that used up its steps.
pub fn out_of_steps(m: &Machine, steps: u64) -> Trouble {
    let says = WORDS.say("query-steps").with("steps", steps);
    ended(&says, m, ["query-steps-hint", "query-steps-deep"])
}

/// A run that used up its memory.
pub fn out_of_memory(m: &Machine) -> Trouble {
    let says = WORDS.say("query-memory");
    ended(&says, m, ["query-memory-hint", "query-memory-deep"])
}

/// A run that reached a limit. Only calls that pile up speak of an endless recursion: a loop that
/// fails and tries again may end yet.
fn ended(says: &Message, m: &Machine, [hint, deep]: [&'static str; 2]) -> Trouble {
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

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Fuel = Fuel {
        steps: 3_000_000,
        cells: 1 << 17,
    };

    fn machine(text: &str) -> Machine {
        let mut m = Machine::new();
        m.consult("t.pl", text).unwrap();
        m
    }

    fn wish() -> Wish {
        Wish {
            proof: true,
            fuel: SMALL,
            ..Wish::default()
        }
    }

    #[test]
    fn answers_without_proofs_where_proofs_do_not_fit() {
        let mut m = machine(
            "n(0). n(N) :- N > 0, M is N - 1, n(M). a(1). a(X) :- write(w), n(500000), X = 2.",
        );
        let found = ask(&mut m, "a(X).", wish());
        assert_eq!(found.status, "true", "{:?}", found.error);
        let values: Vec<&Value> = found.solutions.iter().map(|s| &s["X"]).collect();
        assert_eq!(values, ["1", "2"]);
        assert!(found.checks[0].is_some() && found.checks[1].is_none());
        assert_eq!((found.unproved, found.output.as_str()), (1, "w"));
    }

    #[test]
    fn only_deep_calls_are_blamed_on_recursion() {
        let mut m = machine("deep(X) :- deep(Y), X = Y. wide(L) :- wide([a, b, c|L]).");
        let hint = |found: Answers| found.error.unwrap().hint.unwrap();
        let found = ask(&mut m, "deep(X).", wish());
        assert_eq!(found.code, Some("memory"));
        assert!(hint(found).contains("recursion"));
        let found = ask(&mut m, "wide([]).", wish());
        assert_eq!(found.code, Some("memory"));
        assert!(!hint(found).contains("recursion"));
    }

    #[test]
    fn a_paused_query_goes_on() {
        let mut m = machine("p(X) :- member(X, [1, 2, 3]), write(X).");
        let wish = Wish {
            limit: 1,
            pause: true,
            ..wish()
        };
        let budget = Budget::endless();
        let first = ask_each(&mut m, "p(X).", wish.clone(), &budget, &mut |_| ());
        assert!(first.more && first.output == "1");
        let mut heard = Vec::new();
        let next = more_each(&mut m, &wish, &budget, &mut |f| {
            heard.push(f.row["X"].clone());
        });
        assert!(next.more && next.output == "2" && heard == ["2"]);
        assert!(next.checks[0].is_some());
        let last = more_each(&mut m, &wish, &budget, &mut |_| ());
        assert!(!last.more && last.solutions.len() == 1);
        assert_eq!(
            more_each(&mut m, &wish, &budget, &mut |_| ()).status,
            "false"
        );
    }
}
