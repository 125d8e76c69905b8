//! The judge's own terms: bindings by name and unification with the occurs check.

use std::collections::HashMap;

use crate::term::Term;

/// Terms nested deeper than this are not followed: the judge gives up rather than run out of stack.
const DEEPEST: usize = 1000;
/// What variables stand for; they are told apart by name.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    values: HashMap<String, Term>,
    /// A term was too deep, or would have contained itself.
    pub(super) lost: bool,
}

impl Bindings {
    /// Nothing is bound.
    pub fn new() -> Bindings {
        Bindings::default()
    }

    /// How many variables are bound.
    pub(super) fn size(&self) -> usize {
        self.values.len()
    }

    /// Makes two terms the same, if they can be; otherwise some variables may be bound all the
    /// same. Terms that nest too deeply count as different.
    pub fn unify(&mut self, x: &Term, y: &Term) -> bool {
        unify(x, y, self)
    }

    /// The term with what is bound filled in; `None` if that nests too deeply.
    pub fn filled(&self, t: &Term) -> Option<Term> {
        resolve(t, self, 0)
    }
}

impl Term {
    /// The term with every variable replaced.
    #[must_use]
    pub fn with_variables(&self, by: &dyn Fn(&str) -> Term) -> Term {
        map_vars(self, by)
    }
}

pub(super) fn map_vars(t: &Term, f: &dyn Fn(&str) -> Term) -> Term {
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
pub(super) fn resolve(t: &Term, b: &Bindings, depth: usize) -> Option<Term> {
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
pub(super) fn unify(x: &Term, y: &Term, b: &mut Bindings) -> bool {
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

/// The term with its variables numbered in the order in which they appear.
pub(super) fn canonical(t: &Term) -> Term {
    let mut names: Vec<String> = Vec::new();
    let mut stack = vec![t];
    while let Some(t) = stack.pop() {
        match t {
            Term::Var(n) if !names.contains(n) => names.push(n.clone()),
            Term::List(items, tail) => {
                stack.extend(tail.iter().map(|t| &**t));
                stack.extend(items.iter().rev());
            }
            Term::Compound(_, args) => stack.extend(args.iter().rev()),
            _ => {}
        }
    }
    let number = |v: &str| names.iter().position(|n| n == v).unwrap_or(0);
    map_vars(t, &|v| Term::Var(format!("_{}", number(v))))
}
