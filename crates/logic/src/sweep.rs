//! Collecting names: atoms and functors that nothing refers to any more give their numbers back.
//!
//! Runs after unused terms were collected, so that every cell of the heap is in use. Whatever holds
//! cells, atoms or functors from one call to the next has to be gone through here.

use std::sync::Arc;

use crate::builtins::database::strip;
use crate::cell::*;
use crate::code::Op;
use crate::machine::{Choice, Kind, Machine, Resume};
use crate::modes::Mode;
use crate::program::Program;
use crate::store::{Change, Look};

/// Words that new names take before it is worth looking for unused ones.
const WORTH: usize = 1 << 17;

/// The names in use.
pub(crate) struct Used {
    pub(crate) atoms: Vec<bool>,
    pub(crate) functors: Vec<bool>,
}

impl Used {
    fn atom(&mut self, n: u32) {
        if let Some(used) = self.atoms.get_mut(n as usize) {
            *used = true;
        }
    }

    fn functor(&mut self, n: u32) {
        if let Some(used) = self.functors.get_mut(n as usize) {
            *used = true;
        }
    }

    fn cell(&mut self, c: Cell) {
        match tag(c) {
            ATM => self.atom((c >> 3) as u32),
            FUN => self.functor(functor_index(c)),
            _ => {}
        }
    }

    /// The cells of a heap or of a stored term, without the words inside numbers and texts.
    fn block(&mut self, cells: &[Cell]) {
        let mut i = 0;
        while let Some(&c) = cells.get(i) {
            match tag(c) {
                HDR if blob_kind(c) != MARK => i += blob_words(c),
                _ => self.cell(c),
            }
            i += 1;
        }
    }

    fn program(&mut self, program: &Program) {
        for i in &program.code {
            match i.op {
                Op::GetConst | Op::UnifyConst | Op::PutConst if u64::from(i.b) == ATM => {
                    self.atom(i.c);
                }
                Op::GetStruct | Op::GetStructVar | Op::UnifyStruct | Op::PutStruct => {
                    self.functor(i.c);
                }
                Op::Add | Op::Sub | Op::Mul | Op::Arith1 | Op::Arith2 => self.atom(i.c),
                _ => {}
            }
        }
        for pred in &program.preds {
            self.atom(pred.name);
            for mode in &pred.modes {
                if let Mode::Lattice(name) | Mode::Prefer(name) = mode {
                    self.atom(*name);
                }
            }
        }
        for clause in &program.clauses {
            self.block(&clause.term.0);
        }
        for template in &program.templates {
            self.block(template);
        }
    }
}

impl Machine {
    /// Whether enough names were made to look for unused ones.
    pub(crate) fn many_names(&self) -> bool {
        self.atoms.words() > self.sweep_at
    }

    /// Whether the program has grown enough to look for erased clauses.
    pub(crate) fn much_program(&self) -> bool {
        self.program_words > self.bury_at
    }

    /// Takes erased clauses out of the lists of their predicate once they are many, unless a call that
    /// began before they were erased may still come to them.
    pub(crate) fn tidy(&mut self, pred: u32) {
        let p = &self.program.preds[pred as usize];
        // Looking through the choice points must not cost more than it saves.
        let many = p.dead > 16 && p.dead * 2 > p.slots.len() && p.dead > self.choices.len() / 64;
        if !many || p.dead < p.tidy_at {
            return;
        }
        let lookup = (self.atoms.find("$clause_one")).and_then(|n| self.program.find(n, 6));
        let began = |c: &Choice| {
            if c.kind != Kind::Clauses {
                return None;
            }
            if c.target == pred {
                return Some(c.generation);
            }
            // '$clause_one'(Place, Generation, Ref, Head, ...)
            let &[_, generation, _, head, ..] = &self.saved[c.args as usize..] else {
                return None;
            };
            match self.store.look(generation) {
                Look::Small(n) if Some(c.target) == lookup => {
                    let goal = self.callable(strip(self, head));
                    (goal == Some((p.name, p.arity))).then_some(n as u64)
                }
                _ => None,
            }
        };
        let oldest = self.choices.iter().filter_map(began).min();
        let since = oldest.unwrap_or(self.program.generation);
        Arc::make_mut(&mut self.program).tidy(pred, since);
    }

    /// Erased clauses are looked for again when the program has grown by half.
    pub(crate) fn bury_later(&mut self) {
        self.program_words = self.program.words();
        self.bury_at = self.program_words + WORTH.max(self.program_words / 2);
    }

    /// The next look is worth it when names have grown by much, also compared with what has to be
    /// gone through.
    pub(crate) fn sweep_later(&mut self) {
        let words = self.atoms.words();
        let more = WORTH.max(words / 2).max(self.store.cells.len() / 4);
        self.sweep_at = words + more;
    }

    /// Gives back unused names. Terms were collected just before.
    pub(crate) fn sweep_names(&mut self) {
        // While a text is loaded or a table filled, terms are kept in more places.
        if self.loading.is_none() && self.tables.is_empty() {
            let (atoms, functors) = self.atoms.sizes();
            let mut used = Used {
                atoms: vec![false; atoms],
                functors: vec![false; functors],
            };
            self.mark_names(&mut used);
            Arc::make_mut(&mut self.atoms).sweep(&mut used);
        }
        self.sweep_later();
    }

    fn mark_names(&self, used: &mut Used) {
        used.program(&self.program);
        used.block(&self.store.cells);
        let arity = match self.resume {
            Resume::Enter(p) => self.program.preds[p as usize].arity,
            _ => 0,
        };
        let cells = self.regs[..arity].iter().chain(&self.saved);
        cells.for_each(|&c| used.cell(c));
        for frame in self.frames() {
            for &c in &self.stack[self.slots(frame)] {
                used.cell(c);
            }
        }
        let mut at = 0;
        while let Some(range) = self.log_cells(at) {
            at = range.end;
            for &c in &self.log[range] {
                used.cell(c);
            }
        }
        for bag in &self.bags {
            used.block(&bag.cells);
        }
        for (&name, value) in &self.globals {
            used.atom(name);
            used.block(&value.0);
        }
        for &(name, value) in &self.store.globals {
            used.atom(name);
            used.cell(value);
        }
        for change in &self.store.changes {
            match *change {
                Change::Cell(_, old) => used.cell(old),
                Change::Global(name, old) => {
                    used.atom(name);
                    if let Some(c) = old {
                        used.cell(c);
                    }
                }
            }
        }
        for cleanup in &self.pending {
            used.block(&cleanup.goal.0);
        }
        for (question, _) in &self.answers {
            used.block(&question.0);
        }
        if let Some(question) = &self.asked {
            used.block(&question.key.0);
            let options = question.options.iter();
            options.for_each(|o| used.block(&o.0));
        }
    }
}
