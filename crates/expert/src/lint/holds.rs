//! Whether goals could ever hold together, as far as the text tells.

use std::collections::BTreeMap;

use wits_logic::{Bindings, Machine, Owner, Term};

use super::clauses::Clauses;

/// How many rules deep it is looked.
const DEEPEST: usize = 4;
/// Heads looked at for all clauses of a base together; beyond, everything is possible.
const PATIENCE: usize = 500_000;

/// What some goals need so far.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    bound: Bindings,
    /// Answers that must (not) be given: question and answer.
    answers: BTreeMap<(String, String), bool>,
    /// Numbers that a variable must lie between, and whether they are allowed themselves.
    ranges: BTreeMap<String, Range>,
}

#[derive(Clone, Copy, Debug)]
struct Range {
    low: (f64, bool),
    high: (f64, bool),
}

impl Default for Range {
    fn default() -> Range {
        Range {
            low: (f64::NEG_INFINITY, true),
            high: (f64::INFINITY, true),
        }
    }
}

impl State {
    /// Takes in that a question must (not) be answered like this; `false` if that cannot be.
    fn answer(&mut self, question: &Term, answer: &str, given: bool) -> bool {
        let question = question.to_string();
        let clash = |(q, a): &(String, String), g: bool| {
            *q == question
                && match (g, given) {
                    (true, true) => a != answer,
                    (false, false) => false,
                    _ => a == answer,
                }
        };
        if self.answers.iter().any(|(k, g)| clash(k, *g)) {
            return false;
        }
        self.answers.insert((question, answer.to_owned()), given);
        true
    }

    /// Takes in a comparison; `false` if nothing is left.
    fn compare(&mut self, name: &str, x: &Term, y: &Term) -> bool {
        let (variable, limit, name) = match (x, y) {
            (Term::Var(v), y) => (v, y.number(), name),
            (x, Term::Var(v)) => {
                let turned = match name {
                    "<" => ">",
                    ">" => "<",
                    "=<" => ">=",
                    ">=" => "=<",
                    same => same,
                };
                (v, x.number(), turned)
            }
            (x, y) => {
                return match (x.number(), y.number()) {
                    (Some(x), Some(y)) => match name {
                        "<" => x < y,
                        ">" => x > y,
                        "=<" => x <= y,
                        ">=" => x >= y,
                        _ => (x - y).abs() < f64::EPSILON,
                    },
                    _ => true,
                };
            }
        };
        let Some(limit) = limit else { return true };
        let range = self.ranges.entry(variable.clone()).or_default();
        let (low, high) = match name {
            "<" => (None, Some((limit, false))),
            "=<" => (None, Some((limit, true))),
            ">" => (Some((limit, false)), None),
            ">=" => (Some((limit, true)), None),
            _ => (Some((limit, true)), Some((limit, true))),
        };
        if let Some((l, with)) = low
            && (l > range.low.0 || (l >= range.low.0 && !with))
        {
            range.low = (l, with);
        }
        if let Some((h, with)) = high
            && (h < range.high.0 || (h <= range.high.0 && !with))
        {
            range.high = (h, with);
        }
        range.low.0 < range.high.0 || (range.low.0 <= range.high.0 && range.low.1 && range.high.1)
    }
}

/// The search for ways in which goals could hold.
pub(super) struct Search<'a> {
    machine: &'a Machine,
    clauses: &'a Clauses,
    patience: usize,
    fresh: usize,
}

impl<'a> Search<'a> {
    pub(super) fn new(machine: &'a Machine, clauses: &'a Clauses) -> Search<'a> {
        Search {
            machine,
            clauses,
            patience: PATIENCE,
            fresh: 0,
        }
    }

    /// Whether a goal could hold besides what is needed already; takes in what it needs.
    pub(super) fn holds(&mut self, goal: &Term, state: &mut State, depth: usize) -> bool {
        let Some(goal) = state.bound.filled(goal) else {
            return true;
        };
        let Some((name, args)) = goal.parts() else {
            return true;
        };
        match (name, args) {
            ("fail" | "false", []) => false,
            ("," | "->" | "*->", [x, y]) => {
                self.holds(x, state, depth) && self.holds(y, state, depth)
            }
            (";" | "|", [x, y]) => self.either(state, depth, &[x, y]),
            ("\\+" | "not", [g]) => match g.parts() {
                Some(("ask", [q])) if ground(q) => state.answer(q, "yes", false),
                _ => true,
            },
            ("call" | "once", [g]) => self.holds(g, state, depth),
            ("ask", [q]) if ground(q) => state.answer(q, "yes", true),
            ("ask", [q, Term::Atom(a)]) if ground(q) => state.answer(q, a, true),
            ("choose", [q, options, x]) if ground(q) && ground(x) => {
                let offered = options
                    .items()
                    .is_none_or(|o| o.contains(x) || o.iter().any(|o| !ground(o)));
                let unknown = matches!(x, Term::Atom(a) if a == "unknown");
                (offered || unknown) && state.answer(q, &x.to_string(), true)
            }
            ("=", [x, y]) => state.bound.unify(x, y),
            ("==", [x, y]) if ground(x) && ground(y) => x == y,
            ("\\==", [x, y]) => x != y,
            ("<" | ">" | "=<" | ">=" | "=:=", [x, y]) => state.compare(name, x, y),
            _ => self.by_clauses(&goal, name, args.len(), state, depth),
        }
    }

    /// Whether one of some ways could hold; then what all of those need is needed.
    fn either(&mut self, state: &mut State, depth: usize, ways: &[&Term]) -> bool {
        let mut found: Vec<State> = Vec::new();
        for way in ways {
            let mut own = state.clone();
            if self.holds(way, &mut own, depth) {
                found.push(own);
            }
        }
        settle(state, &found)
    }

    fn by_clauses(
        &mut self,
        goal: &Term,
        name: &str,
        arity: usize,
        state: &mut State,
        depth: usize,
    ) -> bool {
        let list = match self.machine.owner(name, arity) {
            Owner::Program => self.clauses.get(name, arity),
            _ => None,
        };
        let Some(list) = list else { return true };
        let mut found: Vec<State> = Vec::new();
        for clause in list {
            if self.patience == 0 {
                return true;
            }
            self.patience -= 1;
            self.fresh += 1;
            let n = self.fresh;
            let rename = |v: &str| Term::Var(format!("{v}:{n}"));
            let mut own = state.clone();
            if !own.bound.unify(&clause.head.with_variables(&rename), goal) {
                continue;
            }
            if depth == DEEPEST {
                return true;
            }
            if self.holds(&clause.body.with_variables(&rename), &mut own, depth + 1) {
                found.push(own);
            }
            if found.len() > 40 {
                // So many ways have nothing in common.
                return true;
            }
        }
        settle(state, &found)
    }
}

/// Keeps what all possible ways need; `false` if there is none.
fn settle(state: &mut State, found: &[State]) -> bool {
    let Some((first, rest)) = found.split_first() else {
        return false;
    };
    let common = first.answers.iter();
    let common = common.filter(|(k, g)| rest.iter().all(|s| s.answers.get(*k) == Some(*g)));
    state.answers = common.map(|(k, g)| (k.clone(), *g)).collect();
    true
}

fn ground(t: &Term) -> bool {
    super::vars(t).is_empty()
}
