//! Terms for callers: owned trees, away from any heap.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::atoms::known;
use crate::cell::*;
use crate::machine::Machine;
use crate::store::{Look, Store};
use crate::trouble::Trouble;
use crate::writer::{Style, show};

/// Deepest nesting a [`Term`] may have; lists count as one level however long they are.
const DEEPEST: usize = 400;

/// A term outside the machine.
#[derive(Clone, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Term {
    /// An unbound variable; equal names are the same variable.
    Var(String),
    /// An atom; the empty list is a [`Term::List`].
    Atom(String),
    /// An integer, in decimal digits so that its size does not matter.
    Int(String),
    /// A float.
    Float(f64),
    /// A string.
    Text(String),
    /// A list, with the tail if it is not the empty list.
    List(Vec<Term>, Option<Box<Term>>),
    /// A compound term.
    Compound(String, Vec<Term>),
}

impl Term {
    /// Name and arguments of an atom or compound term.
    pub fn parts(&self) -> Option<(&str, &[Term])> {
        match self {
            Term::Atom(n) => Some((n, &[])),
            Term::Compound(n, args) => Some((n, args)),
            _ => None,
        }
    }

    /// The items of a proper list.
    pub fn items(&self) -> Option<&[Term]> {
        match self {
            Term::List(items, None) => Some(items),
            _ => None,
        }
    }

    /// The text of an atom, string or number.
    pub fn text(&self) -> Option<String> {
        match self {
            Term::Atom(s) | Term::Text(s) | Term::Int(s) => Some(s.clone()),
            Term::Float(x) => Some(crate::writer::format_float(*x)),
            _ => None,
        }
    }

    /// The names of its variables in order of appearance, each as often as it occurs.
    pub fn variables(&self) -> Vec<&str> {
        let mut out = Vec::new();
        let mut stack = vec![self];
        while let Some(t) = stack.pop() {
            match t {
                Term::Var(v) => out.push(v.as_str()),
                Term::List(items, tail) => {
                    stack.extend(tail.iter().map(|t| &**t));
                    stack.extend(items.iter().rev());
                }
                Term::Compound(_, args) => stack.extend(args.iter().rev()),
                _ => {}
            }
        }
        out
    }

    /// The value of an integer that fits 64 bits.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Term::Int(s) => s.parse().ok(),
            _ => None,
        }
    }

    /// An atom.
    pub fn atom(name: &str) -> Term {
        Term::Atom(name.to_owned())
    }

    /// A compound term, or an atom if there are no arguments.
    pub fn compound(name: &str, args: Vec<Term>) -> Term {
        if args.is_empty() {
            Term::atom(name)
        } else {
            Term::Compound(name.to_owned(), args)
        }
    }

    /// The value of a number.
    pub fn number(&self) -> Option<f64> {
        match self {
            Term::Int(s) => s.parse().ok(),
            Term::Float(x) => Some(*x),
            _ => None,
        }
    }
}

impl From<i64> for Term {
    fn from(n: i64) -> Term {
        Term::Int(n.to_string())
    }
}

impl From<f64> for Term {
    fn from(x: f64) -> Term {
        Term::Float(x)
    }
}

impl From<&str> for Term {
    /// A string; see [`Term::atom`] for atoms.
    fn from(text: &str) -> Term {
        Term::Text(text.to_owned())
    }
}

impl From<Vec<Term>> for Term {
    fn from(items: Vec<Term>) -> Term {
        Term::List(items, None)
    }
}

impl std::fmt::Display for Term {
    /// As `writeq` with the standard operators.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let m = Machine::bare();
        f.write_str(&m.write_value(self))
    }
}

impl Machine {
    /// A term of the heap as an owned tree; `None` if it nests too deeply.
    pub(crate) fn take_term(&self, c: Cell) -> Option<Term> {
        let mut unlimited = usize::MAX;
        self.take_part(c, &mut unlimited)
    }

    /// A term of the heap as an owned tree; `None` if it nests too deeply, or takes more words than
    /// are left.
    pub(crate) fn take_part(&self, c: Cell, left: &mut usize) -> Option<Term> {
        take(&self.store, self, c, 0, left)
    }

    /// Builds an owned term on the heap; variables with equal names are shared.
    pub(crate) fn put_term_value(&mut self, t: &Term, vars: &mut Vec<(String, Cell)>) -> Cell {
        match t {
            Term::Var(n) => {
                if let Some((_, c)) = vars.iter().find(|(v, _)| v == n) {
                    return *c;
                }
                let c = self.store.var();
                vars.push((n.clone(), c));
                c
            }
            Term::Atom(n) => self.atom(n),
            Term::Int(s) => {
                let n: num_bigint::BigInt = s.parse().unwrap_or_default();
                self.store.big(&n)
            }
            Term::Float(x) => self.store.float(*x),
            Term::Text(s) => self.store.text(s),
            Term::List(items, tail) => {
                let cells: Vec<Cell> = items.iter().map(|i| self.put_term_value(i, vars)).collect();
                let end = match tail {
                    Some(t) => self.put_term_value(t, vars),
                    None => atom(known::NIL),
                };
                self.store.list(&cells, end)
            }
            Term::Compound(n, args) => {
                let cells: Vec<Cell> = args.iter().map(|a| self.put_term_value(a, vars)).collect();
                self.compound(n, &cells)
            }
        }
    }

    /// A term as `writeq` writes it, with this machine's operators.
    pub fn write_value(&self, t: &Term) -> String {
        let mut scratch = Machine::bare();
        scratch.ops = Arc::clone(&self.ops);
        let mut vars = Vec::new();
        let c = scratch.put_term_value(t, &mut vars);
        let names = vars.into_iter().map(|(n, c)| (addr(c), n)).collect();
        let style = Style {
            names,
            ..Style::quoted()
        };
        show(&scratch.store, &scratch.atoms, &scratch.ops, &style, c)
    }

    /// Reads a term with this machine's operators.
    pub fn read_value(&self, text: &str) -> Result<Term, Trouble> {
        let mut scratch = Machine::bare();
        scratch.ops = Arc::clone(&self.ops);
        let (c, vars) = scratch.read_term(text)?;
        let names: Vec<(usize, String)> = vars
            .into_iter()
            .map(|v| (addr(scratch.store.deref(v.cell)), v.name))
            .collect();
        let t = scratch
            .take_term(c)
            .ok_or_else(|| Trouble::plain("the term nests too deeply"))?;
        Ok(rename(t, &|n| {
            let at: usize = n.trim_start_matches('_').parse().ok()?;
            names.iter().find(|(a, _)| *a == at).map(|(_, n)| n.clone())
        }))
    }

    /// The values of the query's named variables at the current solution, as terms.
    pub fn solution_terms(&self) -> Vec<(String, Term)> {
        let (_, cells) = self.query_cells();
        self.query
            .iter()
            .zip(cells)
            .filter_map(|(n, c)| Some((n.clone(), self.take_term(c)?)))
            .collect()
    }

    /// Runs a query to its end and gives the value of one variable in every solution.
    ///
    /// # Errors
    /// When the query is not one, throws, asks, or needs more fuel than there is.
    pub fn every(&mut self, query: &str, variable: &str) -> Result<Vec<Term>, Trouble> {
        use crate::engine::Outcome;
        self.query(query)?;
        let mut out = Vec::new();
        loop {
            match self.solve() {
                Outcome::Solution(_) => {
                    let found = self
                        .solution_terms()
                        .into_iter()
                        .find(|(n, _)| n == variable);
                    if let Some((_, t)) = found {
                        out.push(t);
                    }
                }
                Outcome::Done | Outcome::Halted(_) => return Ok(out),
                Outcome::Error(t) => return Err(t),
                Outcome::Asked(q) => {
                    return Err(Trouble::plain(&format!("`{}` is asked here", q.term)));
                }
                Outcome::OutOfSteps => return Err(Trouble::plain("out of steps")),
                Outcome::OutOfMemory => return Err(Trouble::plain("out of memory")),
            }
        }
    }
}

fn rename(t: Term, to: &dyn Fn(&str) -> Option<String>) -> Term {
    match t {
        Term::Var(n) => Term::Var(to(&n).unwrap_or(n)),
        Term::List(items, tail) => Term::List(
            items.into_iter().map(|i| rename(i, to)).collect(),
            tail.map(|t| Box::new(rename(*t, to))),
        ),
        Term::Compound(n, args) => {
            Term::Compound(n, args.into_iter().map(|a| rename(a, to)).collect())
        }
        other => other,
    }
}

/// Words that an owned term takes besides its text.
const TERM: usize = std::mem::size_of::<Term>() / 8 + 4;

fn take(store: &Store, m: &Machine, c: Cell, depth: usize, left: &mut usize) -> Option<Term> {
    if depth > DEEPEST {
        return None;
    }
    *left = left.checked_sub(TERM)?;
    Some(match store.look(c) {
        Look::Var(at) => Term::Var(format!("_{at}")),
        Look::Atom(known::NIL) => Term::List(Vec::new(), None),
        Look::Atom(n) => {
            let name = m.atoms.name(n);
            *left = left.checked_sub(name.len() / 8)?;
            Term::Atom(name.to_owned())
        }
        Look::Small(n) => Term::Int(n.to_string()),
        Look::Blob(at) => {
            *left = left.checked_sub(2 * blob_words(store.cells[at]))?;
            match store.kind(at) {
                FLOAT => Term::Float(store.float_at(at)),
                BIG => Term::Int(store.big_at(at).to_string()),
                _ => Term::Text(store.text_at(at)),
            }
        }
        Look::Pair(_) => {
            let (n, _) = store.walk_list(c)?;
            let mut items = Vec::with_capacity(n);
            let mut rest = store.deref(c);
            while let Look::Pair(a) = store.look(rest) {
                items.push(take(store, m, store.cells[a], depth + 1, left)?);
                rest = store.deref(store.cells[a + 1]);
            }
            let tail = if rest == atom(known::NIL) {
                None
            } else {
                Some(Box::new(take(store, m, rest, depth + 1, left)?))
            };
            Term::List(items, tail)
        }
        Look::Compound(f, a) => {
            let (n, arity) = m.atoms.functor_parts(f);
            let mut args = Vec::with_capacity(arity);
            for i in 0..arity {
                args.push(take(store, m, store.cells[a + i], depth + 1, left)?);
            }
            Term::Compound(m.atoms.name(n).to_owned(), args)
        }
    })
}
