//! Calling predicates, finding their clauses, going back to try others.

use crate::atoms::known;
use crate::cell::atom;
use crate::machine::*;
use crate::program::{Body, Pred, Program, SHORT, Slot, deep_key, key_of};
use crate::run::Flow;

impl Machine {
    /// Calls a predicate whose arguments are in the registers; gives the address to go on at.
    #[inline(always)]
    pub(crate) fn enter<const REC: bool>(&mut self, prog: &Program, id: u32) -> usize {
        if self.credit == 0 || self.store.cells.len() > self.store.tally.brink() {
            return self.enter_slowly::<REC>(prog, id);
        }
        self.credit -= 1;
        self.begin::<REC>(prog, id)
    }

    #[inline(always)]
    pub(crate) fn begin<const REC: bool>(&mut self, prog: &Program, id: u32) -> usize {
        let pred = &prog.preds[id as usize];
        if pred.body != Body::Clauses {
            return self.enter_builtin::<REC>(prog, id);
        }
        if REC {
            if pred.plain {
                self.record_bare();
            } else if pred.library {
                self.record_library(prog, pred);
            } else {
                self.record_call(pred.arity);
            }
        }
        self.begin_clauses::<REC>(prog, pred, id)
    }

    #[inline(always)]
    fn begin_clauses<const REC: bool>(&mut self, prog: &Program, pred: &Pred, id: u32) -> usize {
        self.b0 = self.choices.len();
        if pred.slots.len() - pred.start <= SHORT {
            let key = if pred.arity > 0 {
                key_of(&self.store, self.regs[0])
            } else {
                0
            };
            return self.try_list::<REC>(prog, pred, id, &pred.slots, pred.start, LINEAR, key);
        }
        self.enter_indexed::<REC>(prog, pred, id)
    }

    /// Fuel, memory and watchers are looked after here, every few thousand calls.
    #[cold]
    #[inline(never)]
    fn enter_slowly<const REC: bool>(&mut self, prog: &Program, id: u32) -> usize {
        if let Some(at) = self.out_of_fuel(Resume::Enter(id)) {
            return at;
        }
        if !self.pending.is_empty() && !self.cleaning {
            self.credit += 1;
            return self.pause(Leave::Cleanup, Resume::Enter(id));
        }
        if self.watching.is_some() {
            self.watch_call(prog, id);
        }
        self.begin::<REC>(prog, id)
    }

    /// Takes one step; if there is none left, or it is time to collect, gives the address that stops
    /// the run.
    pub(crate) fn out_of_fuel(&mut self, resume: Resume) -> Option<usize> {
        if (self.credit == 0 || self.store.tally.pressing())
            && let Some(why) = self.settle()
        {
            return Some(self.pause(why, resume));
        }
        if let Some(done) = &mut self.eager {
            *done = !*done && !self.cleaning;
            if *done {
                return Some(self.pause(Leave::Collect, resume));
            }
        } else if self.store.cells.len() > self.collect_at {
            return Some(self.pause(Leave::Collect, resume));
        }
        self.credit -= 1;
        None
    }

    pub(crate) fn pause(&mut self, why: Leave, resume: Resume) -> usize {
        self.leave = Some(why);
        self.resume = resume;
        LEAVE
    }

    #[inline(never)]
    fn enter_builtin<const REC: bool>(&mut self, prog: &Program, id: u32) -> usize {
        let mut id = id;
        loop {
            let pred = &prog.preds[id as usize];
            let logged = self.log.len();
            let number = match pred.body {
                Body::Clauses => {
                    if REC && pred.library {
                        self.record_library(prog, pred);
                    } else if REC {
                        // No clause tells what the arguments are.
                        self.record_call(pred.arity);
                    }
                    return self.begin_clauses::<REC>(prog, pred, id);
                }
                Body::Builtin(n) => {
                    if REC {
                        self.record_builtin_called(prog, u32::from(n), self.parent);
                    }
                    n
                }
                Body::Control(n) => n,
            };
            let done = crate::builtins::TABLE[number as usize].run(self, prog);
            if self.store.tally.stopped() {
                self.log.truncate(logged);
                return self.pause(Leave::Steps, Resume::Enter(id));
            }
            match done {
                Ok(Flow::Yes) => return self.cp,
                Ok(Flow::No) => return FAIL,
                Ok(Flow::Goal(next)) => {
                    self.log.truncate(logged);
                    id = next;
                    if self.watching.is_some() {
                        self.watch_call(prog, id);
                    }
                }
                Ok(Flow::Leave(why)) => return self.pause(why, Resume::At(self.cp as u32)),
                Ok(Flow::Again(why)) => {
                    self.log.truncate(logged);
                    return self.pause(why, Resume::Enter(id));
                }
                Err(t) => return self.throw::<REC>(prog, t, self.pc),
            }
        }
    }

    /// Tries the clauses of a list from a position, leaving a choice point if more could match.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn try_list<const REC: bool>(
        &mut self,
        prog: &Program,
        pred: &Pred,
        id: u32,
        slots: &[Slot],
        from: usize,
        arg: u8,
        key: u64,
    ) -> usize {
        let generation = prog.generation;
        let first_key = if arg == LINEAR { key } else { 0 };
        let deep = if pred.deep {
            deep_key(&self.store.cells, self.regs[0])
        } else {
            0
        };
        let fits =
            |s: &Slot| s.fits(first_key, deep) && (!pred.changed || prog.visible(s.id, generation));
        let mut i = from;
        while i < slots.len() && !fits(&slots[i]) {
            i += 1;
        }
        if i >= slots.len() {
            return self.no_clause::<REC>(prog, pred);
        }
        let mut j = i + 1;
        while j < slots.len() && !fits(&slots[j]) {
            j += 1;
        }
        if REC && !pred.library {
            self.record_clause(slots[i].id);
        }
        if self.watching.is_some() {
            self.watch_clause(prog, slots[i].id);
        }
        if j < slots.len() {
            let order = prog.clauses[slots[j].id as usize].order;
            let c = self.push_choice(Kind::Clauses, id, pred.arity);
            c.arg = arg;
            c.key = key;
            c.deep = deep;
            c.pos = j as u32;
            c.order = order;
            c.generation = generation;
        }
        slots[i].code as usize
    }

    #[cold]
    fn no_clause<const REC: bool>(&mut self, prog: &Program, pred: &Pred) -> usize {
        if !pred.defined
            && !pred.dynamic
            && let Some(t) = self.unknown(pred.name, pred.arity)
        {
            return self.throw::<REC>(prog, t, self.pc);
        }
        FAIL
    }

    fn enter_indexed<const REC: bool>(&mut self, prog: &Program, pred: &Pred, id: u32) -> usize {
        let mut best: Option<(&[Slot], u8, u64)> = None;
        for arg in 0..pred.arity.min(pred.indexes.len()) {
            let key = key_of(&self.store, self.regs[arg]);
            if key == 0 {
                continue;
            }
            let bucket = prog.bucket(pred, arg, key);
            if best.is_none_or(|(b, _, _)| bucket.len() < b.len()) {
                best = Some((bucket, arg as u8, key));
            }
            if bucket.len() <= 4 {
                break;
            }
        }
        match best {
            Some((bucket, arg, key)) => self.try_list::<REC>(prog, pred, id, bucket, 0, arg, key),
            None => self.try_list::<REC>(prog, pred, id, &pred.slots, pred.start, LINEAR, 0),
        }
    }

    /// Goes back to the newest choice point; gives the address to go on at.
    #[inline]
    pub(crate) fn backtrack<const REC: bool>(&mut self, prog: &Program) -> usize {
        let Some(c) = self.choices.last() else {
            return self.stop(Leave::Failed);
        };
        let (heap, trail) = (c.heap as usize, c.trail as usize);
        self.store.undo(trail);
        self.store.cells.truncate(heap);
        self.e = c.e as usize;
        self.cp = c.cp as usize;
        if REC {
            self.log.truncate(c.log as usize);
            self.node = c.node;
        }
        match c.kind {
            Kind::Clauses => self.retry::<REC>(prog),
            Kind::Else => {
                let target = c.target as usize;
                self.cut(self.choices.len() - 1);
                target
            }
            Kind::Catch => {
                self.cut(self.choices.len() - 1);
                FAIL
            }
            Kind::Bottom => {
                self.cut(self.choices.len() - 1);
                self.stop(Leave::Failed)
            }
            Kind::Cleanup => {
                let at = self.choices.len() - 1;
                self.cut_cleanups(at, true, atom(known::FAIL));
                self.cut(at);
                self.pause(Leave::Cleanup, Resume::Backtrack)
            }
            Kind::WatchFail | Kind::WatchRedo => self.watch_back(),
            Kind::Table => self.table_back::<REC>(prog),
            Kind::Answers => self.next_answer::<REC>(prog),
        }
    }

    fn stop(&mut self, why: Leave) -> usize {
        self.leave = Some(why);
        self.resume = Resume::Idle;
        LEAVE
    }

    #[inline]
    fn retry<const REC: bool>(&mut self, prog: &Program) -> usize {
        // A loop that only goes from clause to clause makes no calls.
        if self.store.tally.pressing()
            && let Some(why) = self.settle()
        {
            return self.pause(why, Resume::Backtrack);
        }
        let at = self.choices.len() - 1;
        let c = &self.choices[at];
        let (arity, args) = (c.arity as usize, c.args as usize);
        match (arity, &self.saved[args..args + arity]) {
            (1, &[a]) => self.regs[0] = a,
            (2, &[a, b]) => self.regs[..2].copy_from_slice(&[a, b]),
            (3, &[a, b, c]) => self.regs[..3].copy_from_slice(&[a, b, c]),
            (4, &[a, b, c, d]) => self.regs[..4].copy_from_slice(&[a, b, c, d]),
            (_, saved) => self.regs[..arity].copy_from_slice(saved),
        }
        let pred = &prog.preds[c.target as usize];
        let slots: &[Slot] = if c.arg == LINEAR {
            &pred.slots
        } else {
            prog.bucket(pred, c.arg as usize, c.key)
        };
        let order_of = |s: &Slot| prog.clauses[s.id as usize].order;
        let mut i = c.pos as usize;
        if pred.changed && slots.get(i).is_none_or(|s| order_of(s) != c.order) {
            // Clauses were added or removed meanwhile: find the place again.
            i = slots.partition_point(|s| order_of(s) < c.order);
        }
        let (generation, key) = (c.generation, if c.arg == LINEAR { c.key } else { 0 });
        let deep = c.deep;
        let fits =
            |s: &Slot| s.fits(key, deep) && (!pred.changed || prog.visible(s.id, generation));
        while i < slots.len() && !fits(&slots[i]) {
            i += 1;
        }
        let mut j = i + 1;
        while j < slots.len() && !fits(&slots[j]) {
            j += 1;
        }
        if j < slots.len() {
            let c = &mut self.choices[at];
            c.pos = j as u32;
            c.order = order_of(&slots[j]);
        } else {
            self.cut(at);
        }
        self.b0 = at;
        if self.watching.is_some()
            && let Some(s) = slots.get(i)
        {
            self.watch_clause(prog, s.id);
        }
        match slots.get(i) {
            Some(s) => {
                if REC && !pred.library {
                    self.record_clause(s.id);
                }
                s.code as usize
            }
            None => FAIL,
        }
    }
}
