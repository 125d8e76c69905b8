//! The proof log: one record per call, undone on backtracking like everything else.
//!
//! A record is one word, then the arguments. The word holds the kind, the number of arguments, the
//! clause that was chosen (or the builtin, or the branch), and the record of the calling clause.
//! A clause that only calls predicates, builtins and tests follows from its goal and the numbers of
//! the clauses chosen below it: such calls are logged without arguments, so that the log stays
//! short and terms nobody needs any more can be collected while proofs are recorded. What a library
//! predicate does for itself is not logged at all: goals of the program that it calls stand directly
//! under its record, so a loop inside the library takes no memory.

use crate::cell::Cell;
use crate::engine::NOBODY;
use crate::machine::Machine;
use crate::program::{Pred, Program};

pub(crate) const CALL: u64 = 0;
pub(crate) const BUILTIN: u64 = 1;
pub(crate) const BRANCH: u64 = 2;
/// A call without arguments: they follow from the calling clause.
pub(crate) const BARE: u64 = 3;

/// A record taken apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) kind: u64,
    /// Clause, builtin or branch.
    pub(crate) id: u32,
    pub(crate) arity: usize,
    pub(crate) parent: u32,
}

/// Clause numbers that fit a record; a larger one is written as this, and then there is no proof.
pub(crate) const LARGEST: u32 = (1 << 22) - 1;

#[inline(always)]
fn header(kind: u64, arity: usize, what: u32, parent: u32) -> u64 {
    (u64::from(parent) << 32) | (u64::from(what.min(LARGEST)) << 10) | ((arity as u64) << 2) | kind
}

impl Machine {
    #[inline(always)]
    pub(crate) fn record_call(&mut self, arity: usize) {
        self.node = self.log.len() as u32;
        self.log.push(header(CALL, arity, 0, self.parent));
        self.log.extend_from_slice(&self.regs[..arity]);
    }

    /// Logs a call of a library predicate. One that the library makes for itself belongs to the
    /// record of its caller.
    pub(crate) fn record_library(&mut self, prog: &Program, pred: &Pred) {
        let helper = |p: &Pred| self.atoms.name(p.name).starts_with('$');
        // Below a helper (`$and` and the like) stand goals of the program, those of the library too.
        match self.library_at(prog, self.parent) {
            Some(caller) if !helper(caller) || helper(pred) => self.node = self.parent,
            _ => {
                self.record_call(pred.arity);
                // Any clause tells the predicate; which one was used is nobody's concern.
                let any = pred.slots.first().map_or(LARGEST, |s| s.id);
                let w = &mut self.log[self.node as usize];
                *w |= u64::from(any.min(LARGEST)) << 10;
            }
        }
    }

    /// The library predicate that a record is a call of.
    fn library_at<'a>(&self, prog: &'a Program, at: u32) -> Option<&'a Pred> {
        if at == NOBODY || at as usize >= self.log.len() {
            return None;
        }
        let record = self.record(at as usize);
        let clause = prog.clauses.get(record.id as usize)?;
        let pred = &prog.preds[clause.pred as usize];
        (record.kind == CALL && pred.library).then_some(pred)
    }

    #[inline(always)]
    pub(crate) fn record_bare(&mut self) {
        self.node = self.log.len() as u32;
        self.log.push(header(BARE, 0, 0, self.parent));
    }

    #[inline(always)]
    pub(crate) fn record_clause(&mut self, clause: u32) {
        let w = &mut self.log[self.node as usize];
        *w = (*w & !(u64::from(LARGEST) << 10)) | (u64::from(clause.min(LARGEST)) << 10);
    }

    /// `env`: the running clause has an environment, and its record is noted there.
    pub(crate) fn record_builtin(&mut self, prog: &Program, id: u32, env: bool) {
        let parent = self.own_node(env);
        self.record_builtin_called(prog, id, parent);
    }

    /// A builtin that the library calls is logged only where a person may be asked.
    pub(crate) fn record_builtin_called(&mut self, prog: &Program, id: u32, parent: u32) {
        let asks = matches!(
            crate::builtins::TABLE[id as usize].name,
            "ask" | "choose" | "number"
        );
        let helper = |p: &Pred| self.atoms.name(p.name).starts_with('$');
        if asks || self.library_at(prog, parent).is_none_or(helper) {
            self.record_builtin_under(id, parent);
        }
    }

    /// The node of the clause that runs; one with an environment keeps it there.
    pub(crate) fn own_node(&self, env: bool) -> u32 {
        if env {
            self.stack[self.e + 2] as u32
        } else {
            self.node
        }
    }

    pub(crate) fn record_builtin_under(&mut self, id: u32, parent: u32) {
        let arity = crate::builtins::TABLE[id as usize].arity;
        self.log.push(header(BUILTIN, arity, id, parent));
        self.log.extend_from_slice(&self.regs[..arity]);
    }

    pub(crate) fn record_branch(&mut self, prog: &Program, branch: u32, env: bool) {
        let parent = self.own_node(env);
        if self.library_at(prog, parent).is_some() {
            return;
        }
        self.log.push(header(BRANCH, 0, branch, parent));
    }

    pub(crate) fn record(&self, at: usize) -> Record {
        let w = self.log[at];
        let id = (w as u32) >> 10;
        let kind = w & 3;
        Record {
            kind,
            arity: (w as u32 >> 2) as usize & 0xff,
            id,
            parent: (w >> 32) as u32,
        }
    }

    /// The predicate of a call.
    pub(crate) fn record_pred(&self, r: Record) -> &Pred {
        let clause = &self.program.clauses[r.id as usize];
        &self.program.preds[clause.pred as usize]
    }

    /// The cells of the record at an address of the log; the next record begins at their end.
    pub(crate) fn log_cells(&self, at: usize) -> Option<std::ops::Range<usize>> {
        if at >= self.log.len() {
            return None;
        }
        let r = self.record(at);
        let n = if r.kind == BRANCH { 0 } else { r.arity };
        Some(at + 1..at + 1 + n)
    }

    /// The arguments of a record.
    pub(crate) fn record_args(&self, at: usize) -> Vec<Cell> {
        let r = self.record(at);
        if r.kind == BRANCH {
            Vec::new()
        } else {
            self.log[at + 1..=at + r.arity].to_vec()
        }
    }
}
