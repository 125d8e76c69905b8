//! Clause bodies as the compiler sees them.

use crate::atoms::{Atoms, known};
use crate::cell::*;
use crate::code::{COMPARISONS, ORDERS, TESTS};
use crate::program::{Body, Program};
use crate::store::{Look, Store};

/// One step of a body.
#[derive(Debug)]
pub(crate) enum Goal {
    Call {
        pred: u32,
        term: Cell,
    },
    Builtin {
        id: u16,
        term: Cell,
    },
    Unify(Cell, Cell, Cell),
    Is(Cell, Cell, Cell),
    /// Arithmetic comparison: kind, left, right, whole term.
    Compare(u32, Cell, Cell, Cell),
    Order(u32, Cell, Cell, Cell),
    Test(u32, Cell, Cell),
    Cut,
    Fail,
    Or(Vec<Goal>, Vec<Goal>),
    If {
        cond: Vec<Goal>,
        then: Vec<Goal>,
        other: Vec<Goal>,
        soft: bool,
    },
    Not(Vec<Goal>),
}

impl Goal {
    pub(crate) fn is_control(&self) -> bool {
        matches!(self, Goal::Or(..) | Goal::If { .. } | Goal::Not(_))
    }

    /// Tests bind nothing, so their failure needs no choice point.
    pub(crate) fn is_test(&self) -> bool {
        matches!(self, Goal::Compare(..) | Goal::Order(..) | Goal::Test(..))
    }

    /// The term a goal was made from, where there is one.
    pub(crate) fn term(&self) -> Option<Cell> {
        match self {
            Goal::Call { term, .. }
            | Goal::Builtin { term, .. }
            | Goal::Unify(_, _, term)
            | Goal::Is(_, _, term)
            | Goal::Compare(_, _, _, term)
            | Goal::Order(_, _, _, term)
            | Goal::Test(_, _, term) => Some(*term),
            _ => None,
        }
    }
}

/// A body that cannot be compiled.
#[derive(Debug)]
pub(crate) enum BadBody {
    NotCallable,
    TooDeep,
}

/// Turns body terms into goals.
pub(crate) struct Planner<'a> {
    pub(crate) store: &'a Store,
    pub(crate) atoms: &'a mut Atoms,
    pub(crate) program: &'a mut Program,
    /// Inline goals become plain builtin calls (for clauses too large for registers).
    pub(crate) plain: bool,
}

impl Planner<'_> {
    /// The goals of a body, `,` unfolded.
    pub(crate) fn plan(&mut self, body: Cell, depth: usize) -> Result<Vec<Goal>, BadBody> {
        if depth > 300 {
            return Err(BadBody::TooDeep);
        }
        let mut out = Vec::new();
        let mut stack = vec![body];
        while let Some(c) = stack.pop() {
            match self.store.look(c) {
                Look::Var(_) => {
                    let pred = self.program.pred(known::CALL, 1);
                    out.push(Goal::Call { pred, term: c });
                }
                Look::Atom(known::TRUE) => {}
                Look::Atom(known::CUT) => out.push(Goal::Cut),
                Look::Atom(known::FAIL | known::FALSE) => out.push(Goal::Fail),
                Look::Atom(n) => out.push(self.call(n, 0, c)),
                Look::Compound(f, a) => {
                    let (name, arity) = self.atoms.functor_parts(f);
                    let arg = |i: usize| self.store.cells[a + i];
                    match (name, arity) {
                        (known::COMMA, 2) => {
                            stack.push(arg(1));
                            stack.push(arg(0));
                        }
                        // Modules are not kept apart.
                        (known::COLON, 2) => stack.push(arg(1)),
                        _ => {
                            let goal = self.compound(name, arity, a, c, depth)?;
                            out.push(goal);
                        }
                    }
                }
                // A list of files to load.
                Look::Pair(_) => out.push(self.call(known::DOT, 2, c)),
                _ => return Err(BadBody::NotCallable),
            }
        }
        Ok(out)
    }

    fn compound(
        &mut self,
        name: u32,
        arity: usize,
        a: usize,
        term: Cell,
        depth: usize,
    ) -> Result<Goal, BadBody> {
        let (x, y) = (
            self.store.cells[a],
            if arity > 1 {
                self.store.cells[a + 1]
            } else {
                self.store.cells[a]
            },
        );
        let d = depth + 1;
        match (name, arity) {
            (known::SEMICOLON | known::BAR, 2) => {
                if let Look::Compound(f, b) = self.store.look(x) {
                    let (inner, n) = self.atoms.functor_parts(f);
                    if n == 2 && (inner == known::ARROW || inner == known::SOFT) {
                        let (c, t) = (self.store.cells[b], self.store.cells[b + 1]);
                        return Ok(Goal::If {
                            cond: self.plan(c, d)?,
                            then: self.plan(t, d)?,
                            other: self.plan(y, d)?,
                            soft: inner == known::SOFT,
                        });
                    }
                }
                return Ok(Goal::Or(self.plan(x, d)?, self.plan(y, d)?));
            }
            (known::ARROW | known::SOFT, 2) => {
                return Ok(Goal::If {
                    cond: self.plan(x, d)?,
                    then: self.plan(y, d)?,
                    other: vec![Goal::Fail],
                    soft: name == known::SOFT,
                });
            }
            (known::NOT, 1) => return Ok(Goal::Not(self.plan(x, d)?)),
            _ => {}
        }
        if !self.plain && arity <= 2 {
            let text = self.atoms.name(name);
            if arity == 2 {
                if name == known::EQUAL {
                    return Ok(Goal::Unify(x, y, term));
                }
                if name == known::ASSIGN {
                    return Ok(Goal::Is(x, y, term));
                }
                if let Some(k) = COMPARISONS.iter().position(|c| *c == text) {
                    return Ok(Goal::Compare(k as u32, x, y, term));
                }
                if let Some(k) = ORDERS.iter().position(|c| *c == text) {
                    return Ok(Goal::Order(k as u32, x, y, term));
                }
            } else if let Some(k) = TESTS.iter().position(|c| *c == text) {
                return Ok(Goal::Test(k as u32, x, term));
            }
        }
        Ok(self.call(name, arity, term))
    }

    fn call(&mut self, name: u32, arity: usize, term: Cell) -> Goal {
        let pred = self.program.pred(name, arity);
        match self.program.preds[pred as usize].body {
            Body::Builtin(id) => Goal::Builtin { id, term },
            _ => Goal::Call { pred, term },
        }
    }
}
