//! Answer subsumption: tables that keep the best answer instead of every one.

use serde::{Deserialize, Serialize};

use crate::atoms::known;
use crate::cell::*;
use crate::machine::Machine;
use crate::program::Program;
use crate::run::{Flow, Res, Thrown};
use crate::store::Look;

/// How the values of an argument are brought together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Mode {
    /// An argument like any other: each value is an answer of its own.
    Index,
    First,
    Last,
    /// The smallest in the standard order of terms.
    Min,
    Max,
    Sum,
    /// The least upper bound by a predicate with three arguments (its name).
    Lattice(u32),
    /// The new one, if a predicate with two arguments prefers it.
    Prefer(u32),
}

/// A predicate to be tabled: name, arguments, their modes if any has one.
pub(crate) type Declaration = (u32, usize, Vec<Mode>);

impl Machine {
    /// Reads `name/2`, `name//2` or `name(_, min)`.
    pub(crate) fn table_declaration(&mut self, spec: Cell) -> Result<Declaration, Thrown> {
        let (name, args) = match self.store.look(spec) {
            Look::Var(_) => return Err(self.instantiation()),
            Look::Atom(n) => (n, Vec::new()),
            Look::Compound(f, _) => (self.atoms.functor_parts(f).0, self.store.args(spec)),
            _ => return Err(self.type_error("table_declaration", spec)),
        };
        let more = match self.atoms.name(name) {
            "/" => Some(0),
            "//" => Some(2),
            _ => None,
        };
        if let (Some(more), &[n, arity]) = (more, &args[..]) {
            return match (self.store.look(n), self.store.look(arity)) {
                (Look::Atom(n), Look::Small(a @ 0..=200)) => Ok((n, a as usize + more, Vec::new())),
                (Look::Var(_), _) | (_, Look::Var(_)) => Err(self.instantiation()),
                _ => Err(self.type_error("predicate_indicator", spec)),
            };
        }
        let mut modes = Vec::new();
        for &arg in &args {
            modes.push(self.mode(arg)?);
        }
        if modes.iter().all(|m| *m == Mode::Index) {
            modes.clear();
        }
        Ok((name, args.len(), modes))
    }

    fn mode(&mut self, c: Cell) -> Result<Mode, Thrown> {
        let found = match self.store.look(c) {
            Look::Var(_) => Some(Mode::Index),
            Look::Atom(n) => match self.atoms.name(n) {
                "index" | "+" => Some(Mode::Index),
                "-" | "first" => Some(Mode::First),
                "last" => Some(Mode::Last),
                "min" => Some(Mode::Min),
                "max" => Some(Mode::Max),
                "sum" => Some(Mode::Sum),
                _ => None,
            },
            Look::Compound(f, a) => {
                let (n, arity) = self.atoms.functor_parts(f);
                let by = self.store.cells[a];
                match (self.atoms.name(n), arity) {
                    ("lattice", 1) => self.named(by, 3).map(Mode::Lattice),
                    ("po", 1) => self.named(by, 2).map(Mode::Prefer),
                    _ => None,
                }
            }
            _ => None,
        };
        found.ok_or_else(|| self.domain_error("tabled_mode", c))
    }

    /// The name in `name`, `name/3` or `name(_, _, _)`.
    fn named(&self, c: Cell, wanted: usize) -> Option<u32> {
        match self.store.look(c) {
            Look::Atom(n) => Some(n),
            Look::Compound(f, a) => match self.atoms.functor_parts(f) {
                (known::SLASH, 2) => {
                    let (n, arity) = (self.store.cells[a], self.store.cells[a + 1]);
                    match (self.store.look(n), self.store.look(arity)) {
                        (Look::Atom(n), Look::Small(k)) if k == wanted as i64 => Some(n),
                        _ => None,
                    }
                }
                (n, arity) if arity == wanted => Some(n),
                _ => None,
            },
            _ => None,
        }
    }

    /// What becomes of an argument's value when another answer comes; `None` where a predicate has
    /// to say so.
    pub(crate) fn bring_together(
        &mut self,
        mode: Mode,
        old: Cell,
        new: Cell,
    ) -> Result<Option<Cell>, Thrown> {
        let order = |m: &Self| crate::order::compare(&m.store, &m.atoms, new, old);
        Ok(Some(match mode {
            Mode::Index | Mode::Last => new,
            Mode::Min if order(self).is_lt() => new,
            Mode::Max if order(self).is_gt() => new,
            Mode::First | Mode::Min | Mode::Max => old,
            Mode::Sum => self.arith2(known::PLUS, old, new)?,
            Mode::Lattice(_) | Mode::Prefer(_) => return Ok(None),
        }))
    }
}

/// `'$table'(Declaration)`.
pub(crate) fn table1(m: &mut Machine, prog: &Program) -> Res {
    let (name, arity, modes) = m.table_declaration(m.regs[0])?;
    if let Some(p) = prog.find(name, arity) {
        let pred = &prog.preds[p as usize];
        let alive = |s: &crate::program::Slot| prog.visible(s.id, prog.generation);
        let clauses = !pred.tabled && !pred.library && pred.slots.iter().any(alive);
        if pred.body != crate::program::Body::Clauses || clauses {
            let pi = m.indicator(name, arity);
            return Err(m.permission_error("table", "procedure", pi));
        }
    }
    let change = crate::machine::Change::Table(name, arity, modes);
    Ok(Flow::Leave(crate::machine::Leave::Change(change)))
}
