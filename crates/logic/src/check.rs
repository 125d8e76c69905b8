//! An independent judge of proofs.
//!
//! It shares nothing with the machine but the reader: it has its own terms, its own unification and
//! its own (slow, bounded) search for what must *not* have a proof. It sees the program as a list of
//! clauses and a proof as a tree, and says whether each step follows.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::machine::Machine;
use crate::program::Body;
use crate::proof::{Because, Proof};
use crate::term::Term;

/// A proof that was accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// Steps by clauses of the program.
    pub clauses: usize,
    /// Tests and calculations that were done again.
    pub tests: usize,
    /// Goals shown to have no proof.
    pub refutations: usize,
    /// Answers of the person.
    pub answers: usize,
    /// Builtins and library goals taken on trust.
    pub trusted: usize,
}

/// Why a proof was not accepted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unproved {
    /// No clause of that number.
    #[error("`{0}` is said to follow from a clause that does not exist")]
    NoClause(String),
    /// The clause does not say that.
    #[error("`{0}` does not follow from its clause")]
    DoesNotFollow(String),
    /// A test does not hold.
    #[error("`{0}` does not hold")]
    Untrue(String),
    /// A goal said to have no proof has one, or looking for it took too long.
    #[error("`{0}` is not refuted")]
    NotRefuted(String),
}

/// Terms nested deeper than this are not followed: the judge gives up rather than run out of stack.
const DEEPEST: usize = 1000;
/// Searches inside searches, for negations inside negations.
const NESTED: usize = 40;

/// What the judge's variables stand for.
#[derive(Clone, Debug, Default)]
struct Bindings {
    values: HashMap<String, Term>,
    /// A term was too deep, or would have contained itself.
    lost: bool,
}

impl Bindings {
    fn new() -> Bindings {
        Bindings::default()
    }
}

/// The program as the judge sees it.
struct Judge {
    clauses: HashMap<(String, usize), Vec<(Term, Term)>>,
    fresh: usize,
    /// Steps left for refutations.
    patience: usize,
}

/// Judges a proof against the program in the machine.
pub fn check(machine: &Machine, proof: &Proof) -> Result<Checked, Unproved> {
    let mut judge = Judge {
        clauses: HashMap::new(),
        fresh: 0,
        patience: 200_000,
    };
    for pred in &machine.program.preds {
        if pred.body != Body::Clauses {
            continue;
        }
        let mut list = Vec::new();
        for slot in &pred.slots {
            let clause = &machine.program.clauses[slot.id as usize];
            if clause.death != u64::MAX {
                continue;
            }
            let mut scratch = Machine::bare();
            scratch.atoms = machine.atoms.clone();
            let c = scratch.store.load(&clause.term.0);
            if let Some(Term::Compound(_, mut parts)) = scratch.take_term(c)
                && parts.len() == 2
            {
                let body = parts.pop();
                if let (Some(body), Some(head)) = (body, parts.pop()) {
                    list.push((head, body));
                }
            }
        }
        judge
            .clauses
            .insert((machine.atoms.name(pred.name).to_owned(), pred.arity), list);
    }
    let said: Vec<(String, crate::Answer)> = machine.answers();
    let mut result = Checked::default();
    for node in &proof.nodes {
        let shown = || node.goal.to_string();
        match &node.because {
            Because::Clause(position, _) => {
                let children: Vec<&Term> = node
                    .children
                    .iter()
                    .map(|&c| &proof.nodes[c].goal)
                    .collect();
                judge.follows(&node.goal, *position, &children)?;
                result.clauses += 1;
            }
            Because::Library => result.trusted += 1,
            Because::Builtin => match holds(&node.goal) {
                Some(true) => result.tests += 1,
                Some(false) => return Err(Unproved::Untrue(shown())),
                None => result.trusted += 1,
            },
            Because::Said(answer) => {
                let asked = match node.goal.parts() {
                    Some((_, args)) if !args.is_empty() => machine.write_value(&args[0]),
                    _ => return Err(Unproved::Untrue(shown())),
                };
                if !said.iter().any(|(q, a)| *q == asked && a == answer) {
                    return Err(Unproved::Untrue(shown()));
                }
                result.answers += 1;
            }
            Because::NoProof => {
                let inner = match node.goal.parts() {
                    Some(("\\+", [g])) => g.clone(),
                    _ => return Err(Unproved::NotRefuted(shown())),
                };
                if judge.provable(&inner, &said, 0) != Some(false) {
                    return Err(Unproved::NotRefuted(shown()));
                }
                result.refutations += 1;
            }
        }
    }
    Ok(result)
}

impl Judge {
    fn renamed(&mut self, head: &Term, body: &Term) -> (Term, Term) {
        self.fresh += 1;
        let n = self.fresh;
        let name = |v: &str| Term::Var(format!("{v}#{n}"));
        (map_vars(head, &name), map_vars(body, &name))
    }

    /// Whether a goal follows from a clause whose body is made of the children.
    fn follows(
        &mut self,
        goal: &Term,
        position: usize,
        children: &[&Term],
    ) -> Result<(), Unproved> {
        let Some((name, args)) = goal.parts() else {
            return Err(Unproved::NoClause(goal.to_string()));
        };
        let key = (name.to_owned(), args.len());
        let Some((head, body)) = self
            .clauses
            .get(&key)
            .and_then(|c| c.get(position))
            .cloned()
        else {
            return Err(Unproved::NoClause(goal.to_string()));
        };
        let (head, body) = self.renamed(&head, &body);
        let mut b = Bindings::new();
        if unify(&head, goal, &mut b) && body_fits(&[&body], children, b) {
            return Ok(());
        }
        Err(Unproved::DoesNotFollow(goal.to_string()))
    }

    /// Searches for a proof, depth first and bounded: `None` when patience runs out or something
    /// unknown is met.
    fn provable(
        &mut self,
        goal: &Term,
        said: &[(String, crate::Answer)],
        nested: usize,
    ) -> Option<bool> {
        if nested > NESTED {
            return None;
        }
        let mut stack: Vec<(Vec<Term>, Bindings)> = vec![(vec![goal.clone()], Bindings::new())];
        while let Some((mut goals, b)) = stack.pop() {
            self.patience = self.patience.checked_sub(1)?;
            if goals.len() > 2000 {
                return None;
            }
            let Some(goal) = goals.pop() else {
                return Some(true);
            };
            if b.lost {
                return None;
            }
            let goal = resolve(&goal, &b, 0)?;
            let (name, args) = goal.parts()?;
            match (name, args) {
                ("true" | "!", []) => stack.push((goals, b)),
                ("fail" | "false", []) => {}
                (",", [x, y]) => {
                    goals.push(y.clone());
                    goals.push(x.clone());
                    stack.push((goals, b));
                }
                (";", [x, y]) => {
                    if let Some(("->" | "*->", [c, t])) = x.parts() {
                        // The condition is settled on its own.
                        if self.provable(c, said, nested + 1)? {
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
                ("->", [c, t]) => {
                    goals.push(t.clone());
                    goals.push(c.clone());
                    stack.push((goals, b));
                }
                ("\\+", [g]) => {
                    if !self.provable(g, said, nested + 1)? {
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
                    let yes = said
                        .iter()
                        .any(|(s, a)| *s == q && *a == crate::Answer::Yes);
                    if yes {
                        stack.push((goals, b));
                    } else if !said.iter().any(|(s, _)| *s == q) {
                        return None;
                    }
                }
                _ => {
                    if let Some(t) = holds(&goal) {
                        if t {
                            stack.push((goals, b));
                        }
                        continue;
                    }
                    let list = self.clauses.get(&(name.to_owned(), args.len()))?.clone();
                    for (head, body) in list.iter().rev() {
                        let (head, body) = self.renamed(head, body);
                        let mut b = b.clone();
                        if unify(&head, &goal, &mut b) || b.lost {
                            let mut goals = goals.clone();
                            goals.push(body);
                            stack.push((goals, b));
                        }
                    }
                }
            }
        }
        Some(false)
    }
}

/// Whether the goals of a body, in order, are exactly the children; branches are tried in turn.
fn body_fits(goals: &[&Term], children: &[&Term], mut b: Bindings) -> bool {
    let mut goals: Vec<&Term> = goals.iter().rev().copied().collect();
    let mut children = children;
    while let Some(goal) = goals.pop() {
        let with = |extra: &[&Term], goals: &[&Term], children: &[&Term], b: &Bindings| {
            let mut list: Vec<&Term> = extra.to_vec();
            list.extend(goals.iter().rev());
            body_fits(&list, children, b.clone())
        };
        match goal.parts() {
            Some(("true" | "!", [])) => {}
            Some((",", [x, y])) => {
                goals.push(y);
                goals.push(x);
            }
            Some((";" | "|", [x, y])) => {
                let first = match x.parts() {
                    Some(("->" | "*->", [c, t])) => with(&[c, t], &goals, children, &b),
                    _ => with(&[x], &goals, children, &b),
                };
                return first || with(&[y], &goals, children, &b);
            }
            Some(("->" | "*->", [c, t])) => {
                goals.push(t);
                goals.push(c);
            }
            Some(("call" | "once" | "ignore" | "catch" | "not", _)) if children.is_empty() => {}
            Some(("call" | "catch", _)) => {
                // What is called shows as itself; it was checked against its own clause.
                children = &children[1..];
            }
            _ => {
                let Some((first, rest)) = children.split_first() else {
                    return false;
                };
                if !unify(goal, first, &mut b) {
                    return false;
                }
                children = rest;
            }
        }
    }
    children.is_empty()
}

// Both sides went through the same arithmetic, so equal means equal.
#[allow(clippy::float_cmp)]
/// A test done again; `None` if it is not one the judge knows.
fn holds(goal: &Term) -> Option<bool> {
    let (name, args) = goal.parts()?;
    Some(match (name, args) {
        ("is", [x, e]) => x.number()? == value(e)?,
        ("=:=", [x, y]) => value(x)? == value(y)?,
        ("=\\=", [x, y]) => value(x)? != value(y)?,
        ("<", [x, y]) => value(x)? < value(y)?,
        (">", [x, y]) => value(x)? > value(y)?,
        ("=<", [x, y]) => value(x)? <= value(y)?,
        (">=", [x, y]) => value(x)? >= value(y)?,
        ("=" | "==", [x, y]) => x == y,
        ("\\==", [x, y]) => x != y,
        ("\\=", [x, y]) => !unify(x, y, &mut Bindings::new()),
        ("var", [x]) => matches!(x, Term::Var(_)),
        ("nonvar", [x]) => !matches!(x, Term::Var(_)),
        ("atom", [x]) => matches!(x, Term::Atom(_)) || x.items().is_some_and(<[Term]>::is_empty),
        ("integer", [x]) => matches!(x, Term::Int(_)),
        ("number", [x]) => x.number().is_some(),
        ("string", [x]) => matches!(x, Term::Text(_)),
        _ => return None,
    })
}

/// The value of simple arithmetic.
fn value(e: &Term) -> Option<f64> {
    if let Some(n) = e.number() {
        return Some(n);
    }
    let (name, args) = e.parts()?;
    Some(match (name, args) {
        ("+", [x, y]) => value(x)? + value(y)?,
        ("-", [x, y]) => value(x)? - value(y)?,
        ("*", [x, y]) => value(x)? * value(y)?,
        ("-", [x]) => -value(x)?,
        ("//", [x, y]) => (value(x)? / value(y)?).trunc(),
        ("/", [x, y]) => value(x)? / value(y)?,
        ("mod", [x, y]) => {
            let (x, y) = (value(x)?, value(y)?);
            x - (x / y).floor() * y
        }
        ("max", [x, y]) => value(x)?.max(value(y)?),
        ("min", [x, y]) => value(x)?.min(value(y)?),
        ("abs", [x]) => value(x)?.abs(),
        _ => return None,
    })
}

fn map_vars(t: &Term, f: &dyn Fn(&str) -> Term) -> Term {
    match t {
        Term::Var(n) => f(n),
        Term::List(items, tail) => Term::List(
            items.iter().map(|i| map_vars(i, f)).collect(),
            tail.as_ref().map(|t| Box::new(map_vars(t, f))),
        ),
        Term::Compound(n, args) => {
            Term::Compound(n.clone(), args.iter().map(|a| map_vars(a, f)).collect())
        }
        other => other.clone(),
    }
}

fn walk<'a>(t: &'a Term, b: &'a Bindings) -> &'a Term {
    let mut t = t;
    while let Term::Var(n) = t
        && let Some(next) = b.values.get(n)
    {
        t = next;
    }
    t
}

/// A term with its bindings filled in; `None` if that nests too deeply.
fn resolve(t: &Term, b: &Bindings, depth: usize) -> Option<Term> {
    if depth > DEEPEST {
        return None;
    }
    let inside = |items: &[Term]| -> Option<Vec<Term>> {
        items.iter().map(|i| resolve(i, b, depth + 1)).collect()
    };
    Some(match walk(t, b) {
        Term::List(items, tail) => {
            let mut all = inside(items)?;
            match tail {
                None => Term::List(all, None),
                Some(t) => match resolve(t, b, depth + 1)? {
                    Term::List(more, end) => {
                        all.extend(more);
                        Term::List(all, end)
                    }
                    other => Term::List(all, Some(Box::new(other))),
                },
            }
        }
        Term::Compound(n, args) => Term::Compound(n.clone(), inside(args)?),
        other => other.clone(),
    })
}

/// Whether a variable occurs in a term; too deep counts as yes.
fn occurs(v: &str, t: &Term, b: &Bindings, depth: usize) -> bool {
    if depth > DEEPEST {
        return true;
    }
    match walk(t, b) {
        Term::Var(w) => w == v,
        Term::List(items, tail) => {
            items.iter().any(|i| occurs(v, i, b, depth + 1))
                || tail.as_ref().is_some_and(|t| occurs(v, t, b, depth + 1))
        }
        Term::Compound(_, args) => args.iter().any(|a| occurs(v, a, b, depth + 1)),
        _ => false,
    }
}

fn bind(v: &str, t: Term, b: &mut Bindings) -> bool {
    if occurs(v, &t, b, 0) {
        b.lost = true;
        return false;
    }
    b.values.insert(v.to_owned(), t);
    true
}

/// The judge's own unification.
fn unify(x: &Term, y: &Term, b: &mut Bindings) -> bool {
    unify_at(x, y, b, 0)
}

fn unify_at(x: &Term, y: &Term, b: &mut Bindings, depth: usize) -> bool {
    if depth > DEEPEST {
        b.lost = true;
        return false;
    }
    let (x, y) = (walk(x, b).clone(), walk(y, b).clone());
    let d = depth + 1;
    match (&x, &y) {
        (Term::Var(p), Term::Var(q)) if p == q => true,
        (Term::Var(p), _) => bind(p, y, b),
        (_, Term::Var(q)) => bind(q, x, b),
        (Term::Compound(n, p), Term::Compound(m, q)) => {
            n == m && p.len() == q.len() && p.iter().zip(q).all(|(s, t)| unify_at(s, t, b, d))
        }
        (Term::List(p, pt), Term::List(q, qt)) => {
            let k = p.len().min(q.len());
            if !p[..k]
                .iter()
                .zip(&q[..k])
                .all(|(s, t)| unify_at(s, t, b, d))
            {
                return false;
            }
            let rest = |items: &[Term], tail: &Option<Box<Term>>| match (items, tail) {
                ([], Some(t)) => (**t).clone(),
                (items, tail) => Term::List(items.to_vec(), tail.clone()),
            };
            let (s, t) = (rest(&p[k..], pt), rest(&q[k..], qt));
            match (&s, &t) {
                (Term::List(a, None), Term::List(c, None)) => a.is_empty() && c.is_empty(),
                // Both tails open and nothing left: only the tails can differ.
                _ => unify_at(&s, &t, b, d),
            }
        }
        _ => x == y,
    }
}
