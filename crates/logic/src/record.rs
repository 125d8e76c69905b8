//! The proof log: one record per call, undone on backtracking like everything else.
//!
//! A record is two words, then the arguments. First word: kind, arity, predicate (or builtin, or
//! branch); second word: record of the calling clause, and the clause that was chosen.

use crate::cell::Cell;
use crate::machine::Machine;

pub(crate) const CALL: u64 = 0;
pub(crate) const BUILTIN: u64 = 1;
pub(crate) const BRANCH: u64 = 2;

/// A record taken apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) kind: u64,
    pub(crate) what: u32,
    pub(crate) arity: usize,
    pub(crate) parent: u32,
    pub(crate) clause: u32,
}

fn first(kind: u64, arity: usize, what: u32) -> u64 {
    (u64::from(what) << 32) | ((arity as u64) << 2) | kind
}

impl Machine {
    #[inline]
    pub(crate) fn record_call(&mut self, pred: u32, arity: usize) {
        self.node = self.log.len() as u32;
        self.log.push(first(CALL, arity, pred));
        self.log.push(u64::from(self.parent) << 32);
        self.log.extend_from_slice(&self.regs[..arity]);
    }

    #[inline]
    pub(crate) fn record_clause(&mut self, clause: u32) {
        let at = self.node as usize + 1;
        self.log[at] = (self.log[at] & !0xffff_ffff) | u64::from(clause);
    }

    /// `env`: the running clause has an environment, and its record is noted there.
    pub(crate) fn record_builtin(&mut self, id: u32, env: bool) {
        let parent = if env {
            self.stack[self.e + 2] as u32
        } else {
            self.node
        };
        self.record_builtin_under(id, parent);
    }

    pub(crate) fn record_builtin_under(&mut self, id: u32, parent: u32) {
        let arity = crate::builtins::TABLE[id as usize].arity;
        self.log.push(first(BUILTIN, arity, id));
        self.log.push(u64::from(parent) << 32);
        self.log.extend_from_slice(&self.regs[..arity]);
    }

    pub(crate) fn record_branch(&mut self, branch: u32) {
        let parent = self.stack[self.e + 2] as u32;
        self.log.push(first(BRANCH, 0, branch));
        self.log.push(u64::from(parent) << 32);
    }

    pub(crate) fn record(&self, at: usize) -> Record {
        let (a, b) = (self.log[at], self.log[at + 1]);
        Record {
            kind: a & 3,
            arity: (a as u32 >> 2) as usize,
            what: (a >> 32) as u32,
            parent: (b >> 32) as u32,
            clause: b as u32,
        }
    }

    /// The ranges of the log that hold cells.
    pub(crate) fn log_cells(&self) -> Vec<std::ops::Range<usize>> {
        let mut out = Vec::new();
        let mut at = 0;
        while at < self.log.len() {
            let r = self.record(at);
            let n = if r.kind == BRANCH { 0 } else { r.arity };
            if n > 0 {
                out.push(at + 2..at + 2 + n);
            }
            at += 2 + n;
        }
        out
    }

    /// The arguments of a record.
    pub(crate) fn record_args(&self, at: usize) -> Vec<Cell> {
        let r = self.record(at);
        if r.kind == BRANCH {
            Vec::new()
        } else {
            self.log[at + 2..at + 2 + r.arity].to_vec()
        }
    }
}
