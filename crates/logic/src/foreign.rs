//! Predicates written in Rust.
//!
//! A foreign predicate sees its arguments as [`Term`]s and gives back the terms to unify them
//! with. One that has several solutions is asked for solution 0, 1, 2 … until there is none: so its
//! state is a number, and a suspended machine stays plain data. After a machine was read back from
//! data, its foreign predicates must be defined again.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::cell::*;
use crate::machine::Machine;
use crate::program::Program;
use crate::run::{Flow, Res, Thrown};
use crate::store::Look;
use crate::term::Term;
use crate::trouble::Trouble;

/// What a foreign predicate gives: new values of its arguments, `None` for failure, or a term to
/// throw.
pub type Solved = Result<Option<Vec<Term>>, Term>;

type Code = Arc<dyn Fn(&[Term], u64) -> Solved + Send + Sync>;

/// The foreign predicates of a machine, by name and arity.
#[derive(Clone, Default)]
pub(crate) struct Foreigners(BTreeMap<(String, usize), Code>);

impl fmt::Debug for Foreigners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl Machine {
    /// Defines a predicate with at most one solution.
    ///
    /// ```
    /// use wits_logic::{Machine, Term};
    /// let mut m = Machine::new();
    /// m.define("double", 2, |args| {
    ///     let Some(n) = args[0].integer() else { return Ok(None) };
    ///     Ok(Some(vec![args[0].clone(), Term::from(2 * n)]))
    /// })?;
    /// assert_eq!(m.every("double(21, X).", "X")?, [Term::from(42)]);
    /// # Ok::<(), wits_logic::Trouble>(())
    /// ```
    ///
    /// # Errors
    /// When the name belongs to a builtin predicate.
    pub fn define(
        &mut self,
        name: &str,
        arity: usize,
        code: impl Fn(&[Term]) -> Solved + Send + Sync + 'static,
    ) -> Result<(), Trouble> {
        self.define_code(name, arity, "$foreign", Arc::new(move |args, _| code(args)))
    }

    /// Defines a predicate that may have several solutions: the code is asked for number 0, 1, 2 …
    /// until it gives `None`. It must give the same solution for the same arguments and number.
    ///
    /// ```
    /// use wits_logic::{Machine, Term};
    /// let mut m = Machine::new();
    /// m.define_all("divisor", 2, |args, n| {
    ///     let Some(whole) = args[0].integer() else { return Ok(None) };
    ///     let nth = (1..=whole).filter(|d| whole % d == 0).nth(n as usize);
    ///     Ok(nth.map(|d| vec![args[0].clone(), Term::from(d)]))
    /// })?;
    /// let all: Vec<i64> = m.every("divisor(12, D).", "D")?.iter().filter_map(Term::integer).collect();
    /// assert_eq!(all, [1, 2, 3, 4, 6, 12]);
    /// # Ok::<(), wits_logic::Trouble>(())
    /// ```
    ///
    /// # Errors
    /// When the name belongs to a builtin predicate.
    pub fn define_all(
        &mut self,
        name: &str,
        arity: usize,
        code: impl Fn(&[Term], u64) -> Solved + Send + Sync + 'static,
    ) -> Result<(), Trouble> {
        self.define_code(name, arity, "$foreign_all", Arc::new(code))
    }

    fn define_code(
        &mut self,
        name: &str,
        arity: usize,
        caller: &str,
        code: Code,
    ) -> Result<(), Trouble> {
        let key = (name.to_owned(), arity);
        if self.foreign.0.insert(key, code).is_some() {
            return Ok(());
        }
        // `name(A, B) :- '$foreign'(name(A, B), 0)`
        self.reset();
        let args: Vec<Cell> = (0..arity).map(|_| self.store.var()).collect();
        let head = match arity {
            0 => self.atom(name),
            _ => self.compound(name, &args),
        };
        let body = self.compound(caller, &[head, small(0)]);
        let clause = self.compound_of(crate::atoms::known::NECK, &[head, body]);
        self.add_clause(clause, false, None)?;
        Ok(())
    }
}

/// `'$foreign_one'(Goal, N, New)`: New is `[Goal with its values]`, or `[]` if there is no solution
/// N.
pub(crate) fn one3(m: &mut Machine, _: &Program) -> Res {
    let goal = m.regs[0];
    let Some((name, arity)) = m.callable(goal) else {
        return Err(m.instantiation());
    };
    let Look::Small(n) = m.store.look(m.regs[1]) else {
        return Err(m.instantiation());
    };
    let key = (m.atoms.name(name).to_owned(), arity);
    let Some(code) = m.foreign.0.get(&key).cloned() else {
        return Err(m.unknown_procedure(name, arity));
    };
    let cells = m.store.args(goal);
    let args: Option<Vec<Term>> = cells.iter().map(|&c| m.take_term(c)).collect();
    let Some(args) = args else {
        return Err(m.resource_error("term_depth"));
    };
    // Variables that come back under their name are the same variables.
    let mut vars: Vec<(String, Cell)> = Vec::new();
    for v in m.store.vars(goal) {
        vars.push((format!("_{}", addr(v)), v));
    }
    let items = match code(&args, n as u64) {
        Ok(None) => Vec::new(),
        Ok(Some(values)) if values.len() == arity => {
            let values: Vec<Cell> = values
                .iter()
                .map(|t| m.put_term_value(t, &mut vars))
                .collect();
            let new = if arity == 0 {
                atom(name)
            } else {
                m.compound_of(name, &values)
            };
            vec![new]
        }
        Ok(Some(_)) => return Err(m.resource_error("foreign_arguments")),
        Err(ball) => {
            let ball = m.put_term_value(&ball, &mut vars);
            return Err(Thrown(ball));
        }
    };
    let list = m.store.list(&items, atom(crate::atoms::known::NIL));
    Ok(Flow::from(m.store.unify(m.regs[2], list)))
}
