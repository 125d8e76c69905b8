//! The judge's search for what must *not* have a proof: depth first, slow and bounded.
//!
//! Goals of tabled predicates are answered from sets of the judge's own, which grow round by round
//! until nothing new is found; so left recursion comes to an end here, too.

use std::collections::BTreeSet;

use super::terms::{Bindings, canonical, resolve, unify};
use super::{Judge, holds, value};
use crate::term::Term;

/// Searches inside searches, for negations inside negations.
const NESTED: usize = 40;
/// Goals waiting in one branch.
const LONGEST: usize = 2000;
/// Bound variables whose copying costs as much patience as a step.
const COPIED: usize = 64;

/// What the judge itself found out about a goal of a tabled predicate.
#[derive(Clone, Debug)]
pub(super) struct Set {
    goal: Term,
    answers: Vec<Term>,
}

/// Goals still to be proved, the next one last, and what is bound so far.
type Branch = (Vec<Term>, Bindings);

impl Judge<'_> {
    /// Whether a goal has a proof: `None` when patience runs out or something unknown is met.
    /// "Yes" may be wrong where a cut would have had a say; "no" is not.
    pub(super) fn provable(&mut self, goal: &Term, nested: usize) -> Option<bool> {
        if nested > NESTED {
            return None;
        }
        let around = std::mem::replace(&mut self.tangled, false);
        self.met.push(BTreeSet::new());
        let found = self.by_rounds(goal, nested);
        self.met.pop();
        // What follows from answers is so; that there are none may still change.
        let inside = std::mem::replace(&mut self.tangled, around);
        found.filter(|yes| *yes || !inside)
    }

    fn by_rounds(&mut self, goal: &Term, nested: usize) -> Option<bool> {
        loop {
            let before = self.found;
            let start = vec![(vec![goal.clone()], Bindings::new())];
            if !self.search(goal, start, nested, true)?.is_empty() {
                return Some(true);
            }
            let met = self.met.last()?.clone();
            for key in &met {
                // A set that grows around this search is not for this search to complete.
                if !self.growing.iter().any(|(k, _)| k == key) {
                    self.growing.push((key.clone(), nested));
                    let grown = self.grow(key, nested);
                    self.growing.pop();
                    grown?;
                }
            }
            // A set that was met only now may have to grow further, too.
            if self.found == before && self.met.last()?.len() == met.len() {
                return Some(false);
            }
        }
    }

    /// Whether a goal has a proof, where both answers matter.
    fn settled(&mut self, goal: &Term, nested: usize) -> Option<bool> {
        let before = self.cuts;
        let yes = self.provable(goal, nested)?;
        (!yes || self.cuts == before).then_some(yes)
    }

    /// One more round for a set: what its clauses give with the answers known so far.
    fn grow(&mut self, key: &str, nested: usize) -> Option<()> {
        let goal = self.sets.get(key)?.goal.clone();
        let start = self.by_clauses(&goal, &[], &Bindings::new())?;
        for answer in self.search(&goal, start, nested, false)? {
            let answer = canonical(&answer);
            let set = self.sets.get_mut(key)?;
            if !set.answers.contains(&answer) {
                set.answers.push(answer);
                self.found += 1;
            }
        }
        Some(())
    }

    /// The branches that the clauses of a goal open, the first clause last.
    fn by_clauses(&mut self, goal: &Term, rest: &[Term], b: &Bindings) -> Option<Vec<Branch>> {
        let list = self.list(goal)?;
        let mut out = Vec::new();
        for (head, body) in list.iter().rev() {
            let (head, body) = self.renamed(head, body);
            let mut b = b.clone();
            if unify(&head, goal, &mut b) || b.lost {
                let mut goals = rest.to_vec();
                goals.push(body);
                out.push((goals, b));
            }
        }
        Some(out)
    }

    /// The answers found so far for a goal of a tabled predicate, with fresh variables; a goal that
    /// is met for the first time has none yet.
    fn answers_to(&mut self, goal: &Term, nested: usize) -> Vec<Term> {
        let goal = canonical(goal);
        let key = format!("{goal:?}");
        if let Some(met) = self.met.last_mut() {
            met.insert(key.clone());
        }
        self.tangled |= self.growing.iter().any(|(k, n)| *k == key && *n < nested);
        let Some(set) = self.sets.get(&key) else {
            self.found += 1;
            let answers = Vec::new();
            self.sets.insert(key, Set { goal, answers });
            return Vec::new();
        };
        let answers = set.answers.clone();
        answers.iter().map(|a| self.renamed(a, a).0).collect()
    }

    /// What a goal comes to in each branch that ends.
    fn search(
        &mut self,
        wanted: &Term,
        mut stack: Vec<Branch>,
        nested: usize,
        first: bool,
    ) -> Option<Vec<Term>> {
        let mut out = Vec::new();
        while let Some((mut goals, b)) = stack.pop() {
            // Every branch copies what is bound, so a long way down costs more than its steps.
            self.patience = self.patience.checked_sub(1 + b.size() / COPIED)?;
            if goals.len() > LONGEST || b.lost {
                return None;
            }
            let Some(goal) = goals.pop() else {
                out.push(resolve(wanted, &b, 0)?);
                if first {
                    break;
                }
                continue;
            };
            let goal = resolve(&goal, &b, 0)?;
            let (name, args) = goal.parts()?;
            match (name, args) {
                ("true", []) => stack.push((goals, b)),
                ("!", []) => {
                    self.cuts += 1;
                    stack.push((goals, b));
                }
                ("fail" | "false", []) => {}
                (",", [x, y]) => {
                    goals.push(y.clone());
                    goals.push(x.clone());
                    stack.push((goals, b));
                }
                (";", [x, y]) => {
                    if let Some((arrow @ ("->" | "*->"), [c, t])) = x.parts() {
                        // The condition is settled on its own.
                        if self.settled(c, nested + 1)? {
                            // Only its first solution counts after `->`; all of them are tried.
                            self.cuts += usize::from(arrow == "->");
                            goals.push(t.clone());
                            goals.push(c.clone());
                        } else {
                            goals.push(y.clone());
                        }
                        stack.push((goals, b));
                        continue;
                    }
                    let mut other = goals.clone();
                    other.push(y.clone());
                    goals.push(x.clone());
                    stack.push((other, b.clone()));
                    stack.push((goals, b));
                }
                ("->" | "*->", [c, t]) => {
                    self.cuts += usize::from(name == "->");
                    goals.push(t.clone());
                    goals.push(c.clone());
                    stack.push((goals, b));
                }
                ("call", [g]) => {
                    goals.push(g.clone());
                    stack.push((goals, b));
                }
                ("\\+" | "tnot", [g]) => {
                    if !self.settled(g, nested + 1)? {
                        stack.push((goals, b));
                    }
                }
                ("=", [x, y]) => {
                    let mut b = b;
                    if unify(x, y, &mut b) || b.lost {
                        stack.push((goals, b));
                    }
                }
                ("is", [x, e]) => {
                    let v = value(e)?;
                    let v = if v.fract() == 0.0 && v.abs() < 1e15 {
                        Term::Int(format!("{v:.0}"))
                    } else {
                        Term::Float(v)
                    };
                    let mut b = b;
                    if unify(x, &v, &mut b) {
                        stack.push((goals, b));
                    }
                }
                ("ask", [q]) => {
                    let q = q.to_string();
                    match self.said.iter().find(|(s, _)| *s == q) {
                        Some((_, crate::Answer::Yes)) => stack.push((goals, b)),
                        Some(_) => {}
                        None => return None,
                    }
                }
                _ => {
                    if let Some(t) = holds(&goal) {
                        if t {
                            stack.push((goals, b));
                        }
                        continue;
                    }
                    if self.is_tabled(&goal) {
                        for answer in self.answers_to(&goal, nested) {
                            let mut b = b.clone();
                            if unify(&answer, &goal, &mut b) || b.lost {
                                stack.push((goals.clone(), b));
                            }
                        }
                    } else {
                        stack.extend(self.by_clauses(&goal, &goals, &b)?);
                    }
                }
            }
        }
        Some(out)
    }
}
