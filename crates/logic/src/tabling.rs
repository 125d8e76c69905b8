//! Calls of tabled predicates: evaluating a goal, suspending a call of it, giving its answers.

use crate::atoms::known;
use crate::cell::*;
use crate::machine::*;
use crate::modes::Mode;
use crate::program::Program;
use crate::run::{Flow, Res, Thrown};
use crate::store::{Look, Store};
use crate::stored::Stored;
use crate::suspend::TABLE_SLOTS;
use crate::tables::{Merged, Next, Status, Table};

/// A goal as its table knows it.
struct Call {
    /// The goal, with fresh variables for the arguments that have a mode.
    goal: Cell,
    /// Its variables in the order they are met.
    vars: Vec<Cell>,
    /// What the caller has in their place.
    wanted: Vec<Cell>,
    modes: Vec<(usize, Mode)>,
}

/// `'$tabled'(Goal, Inner)`: the goal by its table; its clauses are those of a predicate with the
/// name `Inner`.
pub(crate) fn tabled2(m: &mut Machine, prog: &Program) -> Res {
    let goal = m.store.deref(m.regs[0]);
    let Look::Atom(inner) = m.store.look(m.regs[1]) else {
        return Err(m.instantiation());
    };
    m.call_tabled(prog, goal, inner, false)
}

/// `tnot(Goal)`: a ground goal of a tabled predicate has no answer.
pub(crate) fn tnot1(m: &mut Machine, prog: &Program) -> Res {
    let goal = m.store.deref(m.regs[0]);
    let Some((name, arity)) = m.callable(goal) else {
        return Err(match m.store.look(goal) {
            Look::Var(_) => m.instantiation(),
            _ => m.type_error("callable", goal),
        });
    };
    let tabled = prog.find(name, arity).map(|p| &prog.preds[p as usize]);
    if !tabled.is_some_and(|p| p.tabled) {
        let pi = m.indicator(name, arity);
        return Err(m.permission_error("tnot", "non_tabled_procedure", pi));
    }
    if !m.test(11, goal) {
        return Err(m.instantiation());
    }
    let inner = format!("{} tabled", m.atoms.name(name));
    let inner = m.intern(&inner);
    m.call_tabled(prog, goal, inner, true)
}

/// `abolish_all_tables`.
pub(crate) fn abolish0(m: &mut Machine, _: &Program) -> Res {
    // Proofs name the answers they use.
    let recording = m.recording;
    let mut read: Vec<u32> = Vec::new();
    for c in m.choices.iter().filter(|c| c.kind == Kind::Answers) {
        read.push(c.target);
    }
    m.tables.abolish(|id| recording || read.contains(&id));
    Ok(Flow::Yes)
}

/// `'$table_put'(Table, Key, Log, New, Values)`: another answer for a key, from predicates that
/// brought the old and the new values together.
pub(crate) fn put5(m: &mut Machine, _: &Program) -> Res {
    let number = |m: &Machine, reg: usize| match m.store.look(m.regs[reg]) {
        Look::Small(n) => n as usize,
        _ => 0,
    };
    let (id, key, log) = (number(m, 0), number(m, 1), number(m, 2));
    let (new, values) = (m.store.items(m.regs[3]), m.store.items(m.regs[4]));
    let same = match (&new, &values) {
        (Some(a), Some(b)) => {
            let pairs = a.iter().zip(b);
            let mut pairs = pairs.map(|(a, b)| m.ordered(0, *a, *b));
            pairs.all(|same| same)
        }
        _ => false,
    };
    m.put_best(id as u32, key, &values.unwrap_or_default())?;
    if m.recording {
        let found = same.then_some(log);
        return Ok(Flow::Leave(Leave::Change(Change::Keep(id, found))));
    }
    Ok(Flow::Yes)
}

impl Machine {
    /// The goal as its table knows it; the key is left in `scratch`.
    fn table_key(&mut self, prog: &Program, goal: Cell) -> Result<Call, Thrown> {
        let mut goal = goal;
        let mut given: Vec<(usize, Cell, Mode)> = Vec::new();
        if let Some((name, arity)) = self.callable(goal)
            && let Some(p) = prog.find(name, arity)
            && !prog.preds[p as usize].modes.is_empty()
        {
            let mut args = self.store.args(goal);
            for (arg, &mode) in args.iter_mut().zip(&prog.preds[p as usize].modes) {
                if mode != Mode::Index {
                    let fresh = self.store.var();
                    given.push((addr(fresh), *arg, mode));
                    *arg = fresh;
                }
            }
            goal = self.compound_of(name, &args);
        }
        let limit = self.fuel.cells;
        let mut out = std::mem::take(&mut self.tables.scratch);
        let mut at = Vec::new();
        out.clear();
        out.push(goal);
        let saved = self.store.save_from(0, &mut out, &mut at, limit);
        self.tables.scratch = out;
        saved.map_err(|e| self.too_big(e))?;
        let vars: Vec<Cell> = at.iter().map(|&a| make(REF, a)).collect();
        let mut wanted = vars.clone();
        let mut modes = Vec::new();
        for (n, a) in at.iter().enumerate() {
            if let Some(g) = given.iter().find(|g| g.0 == *a) {
                wanted[n] = g.1;
                modes.push((n, g.2));
            }
        }
        Ok(Call {
            goal,
            vars,
            wanted,
            modes,
        })
    }

    fn call_tabled(&mut self, prog: &Program, goal: Cell, inner: u32, negative: bool) -> Res {
        let call = self.table_key(prog, goal)?;
        if self.store.tally.stopped() {
            // Given up: the call is made again.
            return Ok(Flow::No);
        }
        let known = self.tables.find(&self.tables.scratch);
        let Some(id) = known else {
            return self.evaluate(prog, call, inner, negative);
        };
        if self
            .tables
            .get(id)
            .is_some_and(|t| t.status == Status::Complete)
        {
            let back = (self.cp, self.e);
            let record = if negative { self.parent } else { self.node };
            if self.wait_undefined(prog, id, goal, &call.wanted, back, record, negative)? {
                return Ok(Flow::Yes);
            }
            if negative {
                return self.decide(id, goal);
            }
            self.push_answers(id, &call.wanted);
            // Going back to the new choice point gives the first answer.
            return Ok(Flow::No);
        }
        if let Merged::Void(level, bags) = self.tables.merge(id) {
            self.cut(level + 1);
            self.bags.truncate(bags);
            return Ok(Flow::No);
        }
        let back = (self.cp, self.e);
        let record = if negative { self.parent } else { self.node };
        self.wait(prog, id, goal, &call.wanted, back, record, negative)
            .map(|yes| {
                if yes && self.recording {
                    self.record_tnot(goal, record);
                }
                yes.into()
            })
    }

    /// Begins to evaluate a goal.
    fn evaluate(&mut self, prog: &Program, call: Call, inner: u32, negative: bool) -> Res {
        let key = Stored(self.tables.scratch.as_slice().into());
        let args = self.store.args(call.goal);
        let Some(p) = prog.find(inner, args.len()) else {
            return Err(self.unknown_procedure(inner, args.len()));
        };
        let watched = self.watched_goal();
        let (level, bags) = (self.choices.len(), self.bags.len());
        let id = self
            .tables
            .open(key, call.vars.len(), call.modes, level, bags);
        let parent = self.parent;
        let node = self.node;
        let start = self.saved.len();
        let c = self.push_choice(Kind::Table, id, 0);
        c.arg = u8::from(negative);
        c.order = i64::from(if negative { parent } else { node });
        c.arity = call.wanted.len() as u16;
        debug_assert_eq!(c.args as usize, start);
        self.saved.extend_from_slice(&call.wanted);
        // For an error, and for the record of a negation.
        self.saved.push(call.goal);
        self.allocate(TABLE_SLOTS + call.vars.len());
        let at = self.e + FRAME;
        self.stack[at] = small(i64::from(id));
        self.stack[at + 1] = small(self.log.len() as i64);
        self.stack[at + 2] = small(i64::from(watched));
        self.stack[at + TABLE_SLOTS..at + TABLE_SLOTS + call.vars.len()]
            .copy_from_slice(&call.vars);
        self.cp = TABLE_ADD;
        self.regs[..args.len()].copy_from_slice(&args);
        Ok(Flow::Goal(p))
    }

    /// A call of an open goal waits for its answers; whether it can go on at once.
    #[allow(clippy::too_many_arguments)]
    fn wait(
        &mut self,
        prog: &Program,
        id: u32,
        goal: Cell,
        wanted: &[Cell],
        back: (usize, usize),
        record: u32,
        negative: bool,
    ) -> Result<bool, Thrown> {
        if negative && let Some(holds) = self.tables.tried(id) {
            return Ok(holds);
        }
        let what = self.take_suspension(prog, goal, wanted, back, record)?;
        self.tables.suspend(id, what, negative);
        Ok(false)
    }

    /// A call of an undefined goal inside another table is no error yet: the other may not depend on
    /// it. Whether the call can go on at once, as in a trial.
    #[allow(clippy::too_many_arguments)]
    fn wait_undefined(
        &mut self,
        prog: &Program,
        id: u32,
        goal: Cell,
        wanted: &[Cell],
        back: (usize, usize),
        record: u32,
        negative: bool,
    ) -> Result<bool, Thrown> {
        let waits = |t: &Table| t.undefined() && (!negative || t.sure() == 0);
        if !self.tables.is_busy() || !self.tables.get(id).is_some_and(waits) {
            return Ok(false);
        }
        self.wait(prog, id, goal, wanted, back, record, negative)
    }

    /// Whether a ground goal whose table is complete has no answer.
    fn decide(&mut self, id: u32, goal: Cell) -> Res {
        let Some(t) = self.tables.get(id) else {
            return Ok(Flow::No);
        };
        if t.sure() > 0 {
            return Ok(Flow::No);
        }
        if t.undefined() {
            if self.tables.is_busy() {
                return Ok(Flow::No);
            }
            return Err(self.undefined(goal));
        }
        if self.recording {
            self.record_tnot(goal, self.parent);
        }
        Ok(Flow::Yes)
    }

    /// A goal that the well-founded model calls neither true nor false.
    fn undefined(&mut self, goal: Cell) -> Thrown {
        let formal = self.compound("undefined", &[goal]);
        let context = self.store.var();
        Thrown(self.compound_of(known::ERROR, &[formal, context]))
    }

    fn record_tnot(&mut self, goal: Cell, parent: u32) {
        self.regs[0] = goal;
        self.record_named("tnot", parent);
    }

    fn record_named(&mut self, name: &str, parent: u32) {
        let all = &crate::builtins::TABLE;
        if let Some(id) = all.iter().position(|b| b.name == name) {
            self.record_builtin_under(id as u32, parent);
        }
    }

    /// A choice point for each answer of a complete table.
    fn push_answers(&mut self, id: u32, wanted: &[Cell]) {
        let node = self.node;
        let c = self.push_choice(Kind::Answers, id, 0);
        c.order = i64::from(node);
        c.arity = wanted.len() as u16;
        self.saved.extend_from_slice(wanted);
    }

    /// The next answer of a complete table; gives the address to go on at.
    pub(crate) fn next_answer<const REC: bool>(&mut self, prog: &Program) -> usize {
        let Some(c) = self.choices.last_mut() else {
            return FAIL;
        };
        let (id, args, wanted) = (c.target, c.args as usize, c.arity as usize);
        let (record, cp, from) = (c.order as u32, c.cp as usize, c.pos as usize);
        let Some(t) = self.tables.get(id) else {
            self.cut(self.choices.len() - 1);
            return FAIL;
        };
        let Some(number) = t.next_sure(from) else {
            let undefined = t.undefined() && !self.tables.is_busy();
            let goal = self.tables.goal(id as usize).cloned();
            self.cut(self.choices.len() - 1);
            if let (true, Some(goal)) = (undefined, goal) {
                let goal = self.store.load(&goal.0);
                let error = self.undefined(goal);
                return self.throw::<REC>(prog, error, self.pc);
            }
            return FAIL;
        };
        let next = t.next_sure(number + 1);
        let last = next.is_none() && !t.undefined();
        c.pos = next.unwrap_or(number + 1) as u32;
        if last {
            // The choice point goes before anything is bound.
            self.choices.pop();
            self.store.hb = self.choices.last().map_or(0, |c| c.heap as usize);
        }
        let of_call = |n: usize| self.saved[args + n];
        let fits = bind_answer(&mut self.store, t.answers.get(number), of_call, wanted);
        if last {
            self.saved.truncate(args);
        }
        if !fits {
            return FAIL;
        }
        if REC {
            self.record_used(id, number, record);
        }
        cp
    }

    /// Notes for the proof which answer a call took.
    fn record_used(&mut self, id: u32, number: usize, parent: u32) {
        self.regs[0] = small(i64::from(id));
        self.regs[1] = small(number as i64);
        self.record_named("$table_used", parent);
    }

    /// The clauses of a tabled goal have no more solutions, or a suspended call none: goes on with
    /// the group of the goal, and when that is complete with its answers.
    pub(crate) fn table_back<const REC: bool>(&mut self, prog: &Program) -> usize {
        let Some(c) = self.choices.last() else {
            return FAIL;
        };
        let (id, negative, record) = (c.target, c.arg == 1, c.order as u32);
        let (args, wanted, cp) = (c.args as usize, c.arity as usize, c.cp as usize);
        if !self.tables.leads(id) {
            let back = (cp, self.e);
            let goal = self.saved[args + wanted];
            let cells = self.saved[args..args + wanted].to_vec();
            self.cut(self.choices.len() - 1);
            return match self.wait(prog, id, goal, &cells, back, record, negative) {
                Ok(false) => FAIL,
                Ok(true) => {
                    if REC {
                        self.record_tnot(goal, record);
                    }
                    cp
                }
                Err(t) => self.throw::<REC>(prog, t, self.pc),
            };
        }
        if let Some(at) = self.out_of_fuel(Resume::Backtrack) {
            return at;
        }
        match self.tables.next() {
            Next::Answer(what, table, number) => {
                let base = self.put_suspension::<REC>(&what);
                let Some(t) = self.tables.get(table) else {
                    return FAIL;
                };
                let (block, wanted) = (t.answers.get(number), what.vars as usize);
                if !bind_answer(&mut self.store, block, |n| make(REF, base + n), wanted) {
                    return FAIL;
                }
                if REC {
                    let log = self.log.len() - what.log.len();
                    self.record_used(table, number, what.record.wrapping_add(log as u32));
                }
                self.cp
            }
            Next::Holds(what, table) => {
                self.put_suspension::<REC>(&what);
                if REC {
                    let log = self.log.len() - what.log.len();
                    let goal = self.tables.goal(table as usize).cloned();
                    if let Some(goal) = goal {
                        let goal = self.store.load(&goal.0);
                        self.record_tnot(goal, what.record.wrapping_add(log as u32));
                    }
                }
                self.cp
            }
            Next::Complete => {
                self.tables.complete();
                let cells = self.saved[args..args + wanted].to_vec();
                let (goal, back) = (self.saved[args + wanted], (cp, self.e));
                match self.wait_undefined(prog, id, goal, &cells, back, record, negative) {
                    Ok(false) => {}
                    Ok(true) => {
                        self.cut(self.choices.len() - 1);
                        return cp;
                    }
                    Err(t) => return self.throw::<REC>(prog, t, self.pc),
                }
                if !negative {
                    if let Some(c) = self.choices.last_mut() {
                        c.kind = Kind::Answers;
                        c.pos = 0;
                    }
                    return self.next_answer::<REC>(prog);
                }
                self.cut(self.choices.len() - 1);
                self.parent = record;
                match self.decide(id, goal) {
                    Ok(Flow::Yes) => cp,
                    Ok(_) => FAIL,
                    Err(t) => self.throw::<REC>(prog, t, self.pc),
                }
            }
        }
    }

    /// A clause of a tabled goal has found an answer; gives the address to go on at.
    pub(crate) fn table_add<const REC: bool>(&mut self, prog: &Program) -> usize {
        let at = self.e + FRAME;
        let end = self.e + (self.stack[self.e + 1] >> 32) as usize;
        let id = small_value(self.stack[at]) as u32;
        let vars = at + TABLE_SLOTS..end;
        match self.tables.get(id) {
            Some(t) if t.status == Status::Open => {
                if t.best.is_some() {
                    return self.add_best::<REC>(prog, id, &vars);
                }
            }
            _ => return FAIL,
        }
        let mut block = std::mem::take(&mut self.tables.scratch);
        block.clear();
        block.extend_from_slice(&self.stack[vars]);
        let limit = self.fuel.cells;
        let mut marked = Vec::new();
        let saved = self.store.save_from(0, &mut block, &mut marked, limit);
        let new = saved.map(|()| {
            self.tables.change(id, |t| {
                let new = t.index.find(&t.answers, &block).is_none();
                if new {
                    t.put(0, &block);
                    t.index.insert(&t.answers, t.answers.len() - 1);
                }
                new
            })
        });
        self.tables.scratch = block;
        match new {
            Ok(true) if REC => self.keep_next(id, Some(small_value(self.stack[at + 1]) as usize)),
            Ok(_) => FAIL,
            Err(e) => {
                let t = self.too_big(e);
                self.throw::<REC>(prog, t, self.pc)
            }
        }
    }

    /// Keeps the proof of an answer, where the whole program is at hand.
    fn keep_next(&mut self, id: u32, log: Option<usize>) -> usize {
        let keep = Leave::Change(Change::Keep(id as usize, log));
        self.pause(keep, Resume::Backtrack)
    }

    /// An answer for a table that keeps the best ones.
    fn add_best<const REC: bool>(
        &mut self,
        prog: &Program,
        id: u32,
        vars: &std::ops::Range<usize>,
    ) -> usize {
        match self.try_best(prog, id, vars) {
            Ok(Added::New) if REC => {
                let log = small_value(self.stack[self.e + FRAME + 1]) as usize;
                self.keep_next(id, Some(log))
            }
            Ok(Added::Joined) if REC => self.keep_next(id, None),
            Ok(Added::Old | Added::New | Added::Joined) => FAIL,
            Ok(Added::Ask(pred)) => {
                self.cp = FAIL;
                if REC {
                    self.parent = crate::engine::NOBODY;
                }
                self.enter::<REC>(prog, pred)
            }
            Err(t) => self.throw::<REC>(prog, t, self.pc),
        }
    }

    fn try_best(
        &mut self,
        prog: &Program,
        id: u32,
        vars: &std::ops::Range<usize>,
    ) -> Result<Added, Thrown> {
        let Some(best) = self.tables.get(id).and_then(|t| t.best.as_ref()) else {
            return Ok(Added::Old);
        };
        let modes = best.modes.clone();
        let moded = |n: usize| modes.iter().any(|m| m.0 == n);
        let cells = self.stack[vars.clone()].to_vec();
        let plain = cells.iter().enumerate().filter(|(n, _)| !moded(*n));
        let mut block: Vec<Cell> = plain.map(|(_, c)| *c).collect();
        let limit = self.fuel.cells;
        self.store
            .save_from(0, &mut block, &mut Vec::new(), limit)
            .map_err(|e| self.too_big(e))?;
        let key = self.tables.change(id, |t| {
            let best = t.best.as_mut()?;
            let found = t.index.find(&best.keys, &block);
            if found.is_none() {
                best.keys.push(&block);
                t.index.insert(&best.keys, best.keys.len() - 1);
            }
            found
        });
        let Some(key) = key else {
            let key = self.tables.get(id).and_then(|t| t.best.as_ref());
            let key = key.map_or(0, |b| b.keys.len() - 1);
            self.put_whole(id, key, cells)?;
            return Ok(Added::New);
        };
        let Some(t) = self.tables.get(id) else {
            return Ok(Added::Old);
        };
        let current = t.best.as_ref().map_or(0, |b| b.current[key]) as usize;
        let base = self.store.load_block(t.answers.get(current));
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for &(n, _) in &modes {
            old.push(make(REF, base + n));
            new.push(cells[n]);
        }
        let mut values = Vec::new();
        for (n, &(_, mode)) in modes.iter().enumerate() {
            match self.bring_together(mode, old[n], new[n])? {
                Some(v) => values.push(v),
                None => return self.ask_predicates(prog, id, key, &modes, &old, &new),
            }
        }
        let same = |m: &mut Self, other: &[Cell]| {
            let mut pairs = values.iter().zip(other);
            pairs.all(|(a, b)| m.ordered(0, *a, *b))
        };
        if same(self, &old) {
            return Ok(Added::Old);
        }
        let all_new = same(self, &new);
        self.put_best(id, key, &values)?;
        Ok(if all_new { Added::New } else { Added::Joined })
    }

    /// Predicates of the program say what becomes of the values.
    fn ask_predicates(
        &mut self,
        prog: &Program,
        id: u32,
        key: usize,
        modes: &[(usize, Mode)],
        old: &[Cell],
        new: &[Cell],
    ) -> Result<Added, Thrown> {
        let mut names = Vec::new();
        for &(_, mode) in modes {
            names.push(match mode {
                Mode::Lattice(p) => self.compound("lattice", &[atom(p)]),
                Mode::Prefer(p) => self.compound("po", &[atom(p)]),
                Mode::Min => self.atom("min"),
                Mode::Max => self.atom("max"),
                Mode::Sum => self.atom("sum"),
                Mode::First => self.atom("first"),
                Mode::Last | Mode::Index => self.atom("last"),
            });
        }
        let nil = atom(known::NIL);
        self.regs[0] = small(i64::from(id));
        self.regs[1] = small(key as i64);
        self.regs[2] = self.stack[self.e + FRAME + 1];
        self.regs[3] = self.store.list(&names, nil);
        self.regs[4] = self.store.list(old, nil);
        self.regs[5] = self.store.list(new, nil);
        let name = self.intern("$table_join");
        match prog.find(name, 6) {
            Some(p) => Ok(Added::Ask(p)),
            None => Err(self.unknown_procedure(name, 6)),
        }
    }

    /// Another answer for a key: the values of the arguments that have a mode.
    fn put_best(&mut self, id: u32, key: usize, values: &[Cell]) -> Result<(), Thrown> {
        let Some(t) = self.tables.get(id) else {
            return Ok(());
        };
        let Some(b) = t.best.as_ref().filter(|b| key < b.current.len()) else {
            return Ok(());
        };
        let (modes, block) = (b.modes.clone(), b.keys.get(key));
        // The key has the variables in between.
        let base = self.store.load_block(block);
        let (mut cells, mut plain, mut with) = (Vec::new(), base, values.iter());
        for n in 0..t.vars {
            if modes.iter().any(|m| m.0 == n) {
                cells.extend(with.next());
            } else {
                cells.push(make(REF, plain));
                plain += 1;
            }
        }
        self.put_whole(id, key, cells)
    }

    fn put_whole(&mut self, id: u32, key: usize, cells: Vec<Cell>) -> Result<(), Thrown> {
        let mut block = cells;
        let limit = self.fuel.cells;
        self.store
            .save_from(0, &mut block, &mut Vec::new(), limit)
            .map_err(|e| self.too_big(e))?;
        self.tables.change(id, |t| t.put(key, &block));
        Ok(())
    }

    /// The goal of an answer, on the heap.
    pub(crate) fn load_answer(&mut self, id: usize, number: usize) -> Option<Cell> {
        let goal = self.tables.goal(id)?.clone();
        let base = self.store.load_block(&goal.0);
        let mut vars = Vec::new();
        let mut at = base;
        while at < self.store.cells.len() {
            let c = self.store.cells[at];
            if c == make(REF, at) {
                vars.push(c);
            }
            at += if tag(c) == HDR { blob_words(c) + 1 } else { 1 };
        }
        let (block, _) = self.tables.answer(id, number)?;
        let fits = bind_answer(&mut self.store, block, |n| vars[n], vars.len());
        fits.then(|| self.store.cells[base])
    }
}

/// What became of an answer.
enum Added {
    Old,
    /// It counts as it is.
    New,
    /// It was brought together with an older one.
    Joined,
    /// This predicate goes on; its arguments are in the registers.
    Ask(u32),
}

/// Unifies the variables of a call with an answer.
#[inline(always)]
fn bind_answer(
    store: &mut Store,
    block: &[Cell],
    of_call: impl Fn(usize) -> Cell,
    count: usize,
) -> bool {
    // Constants need no place on the heap.
    let flat = block.len() == count && block.iter().all(|c| matches!(tag(*c), ATM | INT));
    if flat {
        return (0..count).all(|n| store.unify(of_call(n), block[n]));
    }
    let base = store.load_block(block);
    (0..count).all(|n| {
        let cell = store.cells[base + n];
        store.unify(of_call(n), cell)
    })
}
