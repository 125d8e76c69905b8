//! An independent judge of proofs.
//!
//! It shares nothing with the machine but the reader: it has its own terms, its own unification and
//! its own (slow, bounded) search for what must *not* have a proof. It sees the program as a list of
//! clauses and a proof as a tree, and says whether each step follows.

mod search;
mod terms;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use serde::{Deserialize, Serialize};

pub use self::terms::Bindings;
use self::terms::{map_vars, resolve, unify};
use crate::ask::Answer;
use crate::machine::Machine;
use crate::program::{Body, Pred};
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
    /// A goal that is its own reason, or has a reason that is not there.
    #[error("`{0}` follows from itself, or from something that is not in the proof")]
    Circular(String),
    /// A proof without goals.
    #[error("the proof proves nothing")]
    Nothing,
    /// A goal said to have no proof has one, or looking for it took too long.
    #[error("`{0}` is not refuted")]
    NotRefuted(String),
}

/// Clauses as head and body.
type Clauses = Rc<[(Term, Term)]>;

/// The program as the judge sees it.
struct Judge<'a> {
    machine: &'a Machine,
    /// Clauses that were looked at.
    clauses: HashMap<(String, usize), Option<Clauses>>,
    /// What the person said.
    said: Vec<(String, Answer)>,
    fresh: usize,
    /// Steps left for refutations.
    patience: usize,
    sets: BTreeMap<String, search::Set>,
    /// Goals and answers in the sets: grows with every new one.
    found: usize,
    /// Cuts that a search has gone through as if they were not there.
    cuts: usize,
    /// The sets that each search inside another has asked.
    met: Vec<BTreeSet<String>>,
    /// Sets that are growing, and in which search inside another.
    growing: Vec<(String, usize)>,
    /// Whether a search used a set that only a search around it can complete.
    tangled: bool,
}

impl<'a> Judge<'a> {
    fn of(machine: &'a Machine) -> Judge<'a> {
        Judge {
            machine,
            clauses: HashMap::new(),
            said: machine.answers(),
            fresh: 0,
            patience: 200_000,
            sets: BTreeMap::new(),
            found: 0,
            cuts: 0,
            met: Vec::new(),
            growing: Vec::new(),
            tangled: false,
        }
    }

    fn pred(&self, goal: &Term) -> Option<&'a Pred> {
        let (name, args) = goal.parts()?;
        let name = self.machine.atoms.find(name)?;
        let found = self.machine.program.find(name, args.len())?;
        Some(&self.machine.program.preds[found as usize])
    }

    /// The clauses that may prove a goal, as they are written in the program; nothing for builtins.
    fn list(&mut self, goal: &Term) -> Option<Clauses> {
        let (name, args) = goal.parts()?;
        let key = (name.to_owned(), args.len());
        if let Some(known) = self.clauses.get(&key) {
            return known.clone();
        }
        let pred = self.pred(goal).filter(|p| p.body == Body::Clauses);
        let list = pred.map(|p| {
            let clauses = self.machine.clauses_of(p).into_iter();
            clauses.map(|(head, body, _)| (head, body)).collect()
        });
        self.clauses.insert(key, list.clone());
        list
    }

    /// Whether a goal may be taken on trust: nothing that the program itself defines is.
    fn trusts(&self, goal: &Term) -> bool {
        self.pred(goal).is_some_and(|p| p.library)
    }

    /// Whether the search keeps a set of answers for a goal.
    fn is_tabled(&self, goal: &Term) -> bool {
        self.pred(goal).is_some_and(|p| p.tabled)
    }

    /// Whether the person said what makes a goal true.
    fn was_said(&self, goal: &Term, answer: &Answer) -> bool {
        let Some((name, args @ [question, ..])) = goal.parts() else {
            return false;
        };
        let asked = self.machine.write_value(question);
        let said = self.said.iter().any(|(q, a)| *q == asked && a == answer);
        let word = |t: &Term, word: &str| matches!(t, Term::Atom(a) if a == word);
        said && match (name, args, answer) {
            ("ask", [_], answer) => *answer == Answer::Yes,
            ("ask", [_, a], Answer::Yes) => word(a, "yes"),
            ("ask", [_, a], Answer::No) => word(a, "no"),
            ("choose", [_, options, x], Answer::Option(n)) => {
                options.items().and_then(|o| o.get(*n)) == Some(x)
            }
            ("number", [_, x], Answer::Number(n)) => x.number() == Some(*n),
            ("ask" | "number", [_, a], _) | ("choose", [_, _, a], _) => word(a, "unknown"),
            _ => false,
        }
    }
}

/// What the judge says of a proof, for people and for programs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether every step follows.
    pub checked: bool,
    /// Builtins and library goals taken on trust.
    pub trusted: usize,
    /// Why it was not accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// Judges a proof as [`check`] does and says what came of it.
///
/// # Complexity
/// Linear in the size of the proof; refutations of negated goals take at most 200,000 steps in all.
pub fn verdict(machine: &Machine, proof: &Proof) -> Verdict {
    match check(machine, proof) {
        Ok(found) => Verdict {
            checked: true,
            trusted: found.trusted,
            why: None,
        },
        Err(e) => Verdict {
            why: Some(e.to_string()),
            ..Verdict::default()
        },
    }
}

/// Judges a proof against the program in the machine. Every node must follow from nodes that come
/// after it, so that nothing is its own reason.
///
/// # Errors
/// Names the first goal that does not follow.
pub fn check(machine: &Machine, proof: &Proof) -> Result<Checked, Unproved> {
    let mut judge = Judge::of(machine);
    let mut result = Checked::default();
    if proof.roots.is_empty() || proof.roots.iter().any(|&r| r >= proof.nodes.len()) {
        return Err(Unproved::Nothing);
    }
    for (at, node) in proof.nodes.iter().enumerate() {
        let shown = || node.goal.to_string();
        let below = |c: &usize| *c > at && *c < proof.nodes.len();
        if !node.children.iter().all(below) {
            return Err(Unproved::Circular(shown()));
        }
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
            Because::Builtin => match holds(&node.goal) {
                Some(true) => result.tests += 1,
                None if judge.trusts(&node.goal) => result.trusted += 1,
                _ => return Err(Unproved::Untrue(shown())),
            },
            Because::Said(answer) => {
                if !judge.was_said(&node.goal, answer) {
                    return Err(Unproved::Untrue(shown()));
                }
                result.answers += 1;
            }
            Because::NoProof | Because::Library => match node.goal.parts() {
                Some(("\\+" | "not" | "tnot", [inner])) => {
                    if judge.provable(inner, 0) != Some(false) {
                        return Err(Unproved::NotRefuted(shown()));
                    }
                    result.refutations += 1;
                }
                _ if node.because == Because::NoProof => {
                    return Err(Unproved::NotRefuted(shown()));
                }
                _ if judge.trusts(&node.goal) => result.trusted += 1,
                _ => return Err(Unproved::Untrue(shown())),
            },
        }
    }
    Ok(result)
}

impl Judge<'_> {
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
        let list = self.list(goal);
        let Some((head, body)) = list.as_ref().and_then(|c| c.get(position)) else {
            return Err(Unproved::NoClause(goal.to_string()));
        };
        let (head, body) = self.renamed(head, body);
        let mut b = Bindings::new();
        let children: Vec<Term> = children.iter().map(|c| fixed(c)).collect();
        if unify(&head, &fixed(goal), &mut b) && body_fits(vec![body], &children, b) {
            return Ok(());
        }
        Err(Unproved::DoesNotFollow(goal.to_string()))
    }
}

/// A goal with its variables made constants: a proof speaks of all their values, so a clause may not
/// choose one.
fn fixed(goal: &Term) -> Term {
    map_vars(goal, &|v| {
        Term::Compound("$variable".to_owned(), vec![Term::Atom(v.to_owned())])
    })
}

/// Whether the goals of a body (the next one last) are, in order, exactly the children; branches
/// are tried in turn.
fn body_fits(mut goals: Vec<Term>, children: &[Term], mut b: Bindings) -> bool {
    let mut children = children;
    while let Some(goal) = goals.pop() {
        let with = |extra: &[&Term]| {
            let mut list = goals.clone();
            list.extend(extra.iter().rev().map(|t| (*t).clone()));
            body_fits(list, children, b.clone())
        };
        match goal.parts() {
            // Written in a clause these leave no trace; called, they show as themselves.
            Some(("true" | "!", [])) => {
                children = children.split_first().map_or(children, |(c, rest)| {
                    if *c == goal { rest } else { children }
                });
            }
            Some((",", [x, y])) => goals.extend([y.clone(), x.clone()]),
            Some((";" | "|", [x, y])) => {
                let first = match x.parts() {
                    Some(("->" | "*->", [c, t])) => with(&[c, t]),
                    _ => with(&[x]),
                };
                return first || with(&[y]);
            }
            Some(("->" | "*->", [c, t])) => goals.extend([t.clone(), c.clone()]),
            Some((":", [_, g])) => goals.push(g.clone()),
            // What is called shows as itself.
            Some(("call", [g, more @ ..])) => match called(g, more, &b) {
                Some(g) => goals.push(g),
                None => return false,
            },
            Some(("catch", [g, _, recovery])) => {
                let ways = [called(g, &[], &b), called(recovery, &[], &b)];
                return ways.iter().flatten().any(|g| with(&[g]));
            }
            _ => {
                let Some((first, rest)) = children.split_first() else {
                    return false;
                };
                if !unify(&goal, first, &mut b) {
                    return false;
                }
                children = rest;
            }
        }
    }
    children.is_empty()
}

/// The goal that `call/N` calls.
fn called(goal: &Term, more: &[Term], b: &Bindings) -> Option<Term> {
    let goal = resolve(goal, b, 0)?;
    if more.is_empty() {
        return goal.parts().is_some().then_some(goal);
    }
    let (name, args) = goal.parts()?;
    let args = args.iter().chain(more).cloned().collect();
    Some(Term::Compound(name.to_owned(), args))
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
