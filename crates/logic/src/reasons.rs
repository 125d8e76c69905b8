//! Why a goal failed: where every way to prove it came to an end.
//!
//! The failed search is gone through again, goal by goal. In every clause that fits, the goals that
//! can be proved are proved, by the machine itself; the first that cannot is a reason, or has reasons
//! of its own further down.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::ask::Answer;
use crate::atoms::known;
use crate::cell::atom;
use crate::check::Bindings;
use crate::engine::Outcome;
use crate::machine::{Fuel, Machine};
use crate::steps::letter;
use crate::term::Term;
use crate::thread::WORDS;
use crate::trouble::Trouble;
use crate::written::Owner;

/// What kind of end it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// No clause of the program fits the goal.
    NoClause,
    /// A goal of the engine's own does not hold.
    Untrue,
    /// A goal holds that must not.
    Holds,
    /// A person answered differently.
    Said,
    /// Nobody defines the goal.
    Undefined,
    /// It was not looked further.
    NoWay,
}

impl Ended {
    fn key(self) -> &'static str {
        match self {
            Ended::NoClause => "no-clause",
            Ended::Untrue => "untrue",
            Ended::Holds => "holds",
            Ended::Said => "said",
            Ended::Undefined => "undefined",
            Ended::NoWay => "no-way",
        }
    }
}

/// One place where a way to prove the goal ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// What happened to it.
    pub ended: Ended,
    /// The goal that could not be proved; its variables are called A, B, …
    pub goal: String,
    /// The goals above it, the query's own goal first.
    pub path: Vec<String>,
    /// A sentence.
    pub text: String,
}

/// Calls that all of the looking may cost, and what one more look costs besides them.
const STEPS: u64 = 5_000_000;
const LOOK: u64 = 200;
/// Words of memory for one look.
const CELLS: usize = 16 << 20;
/// Goals and rules inside each other that are looked into.
const DEEPEST: usize = 150;
/// Solutions of one goal after which it is seen how the rule goes on.
const SOLUTIONS: usize = 32;
/// Clauses of one goal that are looked at.
const CLAUSES: usize = 2000;
/// Goals are cut off at this length.
const LONGEST: usize = 400;

/// The reasons why a query has no solution, at least one; none if it has a solution. At most `most`,
/// in the order the search met them. What a person said must be known to the machine.
///
/// # Errors
/// When the query is not one, or throws.
pub fn reasons(machine: &Machine, query: &str, most: usize) -> Result<Vec<Reason>, Trouble> {
    let mut m = machine.clone();
    m.record_proofs(false);
    m.watching = None;
    let mut first = m.clone();
    first.refuel(Fuel {
        steps: STEPS,
        cells: CELLS,
    });
    first.query(query)?;
    match first.solve() {
        Outcome::Solution(_) => return Ok(Vec::new()),
        Outcome::Error(t) => return Err(t),
        _ => {}
    }
    let goal = m.read_value(query)?;
    let mut search = Search {
        out: Vec::new(),
        most,
        left: STEPS,
        seen: BTreeSet::new(),
        path: Vec::new(),
        depth: 0,
        clauses: 0,
    };
    search.conjunction(&m, &conjunction(&goal));
    if search.out.is_empty() {
        search.add(&m, Ended::NoWay, &goal, "");
    }
    Ok(search.out)
}

/// A goal and what follows it, after a solution of the goal.
struct Found {
    /// The machine, if the goal changed the program.
    changed: Option<Machine>,
    goals: Vec<Term>,
}

struct Search {
    out: Vec<Reason>,
    most: usize,
    /// Steps that may still be used.
    left: u64,
    /// Goals that have been looked into; a program that changes meanwhile makes no difference.
    seen: BTreeSet<String>,
    path: Vec<String>,
    depth: usize,
    /// Clauses used so far: each gets variables of its own.
    clauses: usize,
}

impl Search {
    fn over(&self) -> bool {
        self.left == 0 || self.out.len() >= self.most
    }

    fn add(&mut self, m: &Machine, ended: Ended, goal: &Term, answer: &str) {
        let goal = shown(m, goal);
        let known = |r: &Reason| r.ended == ended && r.goal == goal;
        if self.out.len() >= self.most || self.out.iter().any(known) {
            return;
        }
        let text = WORDS.say(ended.key()).with("goal", goal.clone());
        let text = text.with("answer", answer).to_string();
        self.out.push(Reason {
            ended,
            goal,
            path: self.path.clone(),
            text,
        });
    }

    /// The solutions of the first goal, each with all goals as they are after it.
    fn solutions(&mut self, m: &Machine, goals: &[Term], most: usize) -> Vec<Found> {
        let mut n = m.clone();
        n.reset();
        n.refuel(Fuel {
            steps: self.left,
            cells: CELLS,
        });
        let before = n.steps();
        let mut vars = Vec::new();
        let cells = goals.iter();
        let cells: Vec<_> = cells.map(|g| n.put_term_value(g, &mut vars)).collect();
        let list = n.store.list(&cells, atom(known::NIL));
        let keep = n.compound_of(known::MINUS, &[cells[0], list]);
        n.prepare(cells[0], keep);
        let mut out = Vec::new();
        while out.len() < most {
            match n.solve() {
                Outcome::Solution(_) => {
                    let (_, cells) = n.query_cells();
                    let goals: Option<Vec<Term>> = cells.iter().map(|c| n.take_term(*c)).collect();
                    let same = Arc::ptr_eq(&n.program, &m.program);
                    out.extend(goals.map(|goals| Found {
                        changed: (!same).then(|| n.clone()),
                        goals,
                    }));
                }
                Outcome::Done | Outcome::Halted(_) | Outcome::Error(_) => break,
                // A question that was not answered, or no fuel: what lies further is not known.
                Outcome::Asked(_) | Outcome::OutOfSteps | Outcome::OutOfMemory => {
                    self.left = 0;
                    break;
                }
            }
        }
        self.left = self.left.saturating_sub(n.steps() - before + LOOK);
        out
    }

    /// Goes through goals one after the other; whether a cut was passed on the way.
    fn conjunction(&mut self, m: &Machine, goals: &[Term]) -> bool {
        let Some((first, rest)) = goals.split_first().filter(|_| !self.over()) else {
            return false;
        };
        if *first == Term::Atom("!".to_owned()) {
            self.conjunction(m, rest);
            return true;
        }
        if self.depth >= DEEPEST {
            self.add(m, Ended::NoWay, first, "");
            return false;
        }
        self.depth += 1;
        let cuts = cuts(first);
        let most = if cuts { 1 } else { SOLUTIONS };
        let found = self.solutions(m, goals, most);
        let mut passed = cuts && !found.is_empty();
        if found.is_empty() && !self.over() {
            self.goal(m, first);
        }
        for one in &found {
            let n = one.changed.as_ref().unwrap_or(m);
            if self.conjunction(n, &one.goals[1..]) {
                passed = true;
                break;
            }
        }
        self.depth -= 1;
        passed
    }

    /// Looks into a goal that has no solution.
    fn goal(&mut self, m: &Machine, goal: &Term) {
        let Some((name, args)) = goal.parts() else {
            return;
        };
        match (name, args) {
            (",", _) => {
                self.conjunction(m, &conjunction(goal));
            }
            (";" | "|", [either, or]) => self.either(m, either, or),
            ("->" | "*->", [condition, then]) => self.when(m, condition, then, name, None),
            ("\\+" | "not" | "tnot", [inner]) => {
                for one in self.solutions(m, std::slice::from_ref(inner), 1) {
                    self.add(m, Ended::Holds, &one.goals[0], "");
                }
            }
            (":", [_, inner]) => self.goal(m, inner),
            _ => match m.owner(name, args.len()) {
                Owner::Engine => self.engine(m, goal, name, args),
                Owner::Program | Owner::Dynamic => self.clauses(m, goal, name, args),
                Owner::Nobody => self.add(m, Ended::Undefined, goal, ""),
            },
        }
    }

    fn either(&mut self, m: &Machine, either: &Term, or: &Term) {
        if let Some((arrow @ ("->" | "*->"), [condition, then])) = either.parts() {
            self.when(m, condition, then, arrow, Some(or));
        } else if !self.conjunction(m, &conjunction(either)) {
            self.conjunction(m, &conjunction(or));
        }
    }

    fn when(&mut self, m: &Machine, condition: &Term, then: &Term, arrow: &str, or: Option<&Term>) {
        let most = if arrow == "->" { 1 } else { SOLUTIONS };
        let found = self.solutions(m, &[condition.clone(), then.clone()], most);
        for one in &found {
            let n = one.changed.as_ref().unwrap_or(m);
            self.conjunction(n, &conjunction(&one.goals[1]));
        }
        if found.is_empty() {
            self.conjunction(m, &conjunction(or.unwrap_or(condition)));
        }
    }

    /// A goal of the engine's own: some of them call others.
    fn engine(&mut self, m: &Machine, goal: &Term, name: &str, args: &[Term]) {
        match (name, args) {
            ("call", [inner, more @ ..]) => match inner.parts() {
                Some((name, given)) if !more.is_empty() => {
                    let all = given.iter().chain(more).cloned().collect();
                    self.goal(m, &Term::Compound(name.to_owned(), all));
                }
                _ => self.goal(m, inner),
            },
            ("once", [inner]) | ("catch", [inner, ..]) => {
                self.goal(m, inner);
            }
            ("forall", [each, holds]) => {
                let pair = [each.clone(), holds.clone()];
                for one in self.solutions(m, &pair, SOLUTIONS) {
                    let n = one.changed.as_ref().unwrap_or(m);
                    let then = &one.goals[1..];
                    if !self.over() && self.solutions(n, then, 1).is_empty() {
                        self.goal(n, &then[0]);
                        break;
                    }
                }
            }
            ("ask" | "choose" | "number", [question, more @ ..]) => {
                let told = m.write_value(question);
                let answers = m.answers().into_iter();
                match answers.rev().find(|(q, _)| *q == told) {
                    Some((_, answer)) => {
                        let answer = answered(m, &answer, more);
                        self.add(m, Ended::Said, question, &answer);
                    }
                    None => self.add(m, Ended::Untrue, goal, ""),
                }
            }
            _ => self.add(m, Ended::Untrue, goal, ""),
        }
    }

    /// A goal of the program: every clause that fits it has reasons of its own.
    fn clauses(&mut self, m: &Machine, goal: &Term, name: &str, args: &[Term]) {
        let text = shown(m, goal);
        if !self.seen.insert(text.clone()) {
            return;
        }
        let bodies = self.bodies(m, name, args);
        if bodies.is_empty() {
            return self.add(m, Ended::NoClause, goal, "");
        }
        self.path.push(text);
        for body in bodies {
            if self.conjunction(m, &conjunction(&body)) {
                break;
            }
        }
        self.path.pop();
    }

    /// The bodies of the clauses that fit a goal.
    fn bodies(&mut self, m: &Machine, name: &str, args: &[Term]) -> Vec<Term> {
        let find = |name: &str| m.program.find(m.atoms.find(name)?, args.len());
        // The clauses of a tabled predicate are inside.
        let inside = format!("{name} tabled");
        let tabled = find(name).is_some_and(|p| m.program.preds[p as usize].tabled);
        let name = if tabled { &inside } else { name };
        let head = match args.len() {
            0 => Term::Atom(name.to_owned()),
            _ => Term::Compound(name.to_owned(), args.to_vec()),
        };
        let refs = Term::Var("refs".to_owned());
        let look = Term::Compound("$clauses".to_owned(), vec![head.clone(), refs]);
        let found = self.solutions(m, &[look], 1);
        let list = found.first().and_then(|f| f.goals[0].parts());
        let list = list
            .and_then(|(_, args)| args[1].items())
            .unwrap_or_default();
        let mut scratch = Machine::bare();
        scratch.atoms = Arc::clone(&m.atoms);
        let mut out = Vec::new();
        for id in list.iter().take(CLAUSES).filter_map(Term::number) {
            let Some(clause) = m.program.clauses.get(id as usize) else {
                continue;
            };
            scratch.store.cells.truncate(1);
            let whole = scratch.store.load(&clause.term.0);
            self.clauses += 1;
            let own = |v: &str| Term::Var(format!("{}{v}", self.clauses));
            let whole = scratch.take_term(whole).map(|t| t.with_variables(&own));
            let Some((_, [theirs, body])) = whole.as_ref().and_then(Term::parts) else {
                continue;
            };
            let mut bound = Bindings::new();
            if bound.unify(theirs, &head) {
                out.extend(bound.filled(body));
            }
        }
        out
    }
}

/// An answer as a person reads it.
fn answered(m: &Machine, answer: &Answer, more: &[Term]) -> String {
    let say = |key| WORDS.say(key).to_string();
    match answer {
        Answer::Yes => say("said-yes"),
        Answer::No => say("said-no"),
        Answer::Unknown => say("said-unknown"),
        Answer::Number(x) => x.to_string(),
        Answer::Line(text) => text.clone(),
        Answer::End => String::new(),
        Answer::Option(n) => {
            let options = more.first().and_then(Term::items).unwrap_or_default();
            options.get(*n).map_or_else(String::new, |o| shown(m, o))
        }
    }
}

/// The goals of a conjunction.
fn conjunction(goal: &Term) -> Vec<Term> {
    let mut out = Vec::new();
    let mut stack = vec![goal];
    while let Some(t) = stack.pop() {
        match t.parts() {
            Some((",", [a, b])) => stack.extend([b, a]),
            Some(("true", [])) => {}
            _ => out.push(t.clone()),
        }
    }
    out
}

/// Whether a goal has a cut that reaches the clause it stands in.
fn cuts(goal: &Term) -> bool {
    let mut stack = vec![goal];
    while let Some(t) = stack.pop() {
        match t.parts() {
            Some(("!", [])) => return true,
            Some(("," | ";" | "|", [a, b])) => stack.extend([a, b]),
            // A cut in a condition stays there.
            Some(("->" | "*->", [_, then])) => stack.push(then),
            _ => {}
        }
    }
    false
}

/// A goal as text, its variables by letters.
fn shown(m: &Machine, goal: &Term) -> String {
    let mut names = goal.variables();
    let mut seen = BTreeSet::new();
    names.retain(|n| seen.insert(*n));
    let place = |v: &str| names.iter().position(|n| *n == v).unwrap_or(0);
    let named = goal.with_variables(&|v| Term::Var(letter(place(v))));
    let text = m.write_value(&named);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
