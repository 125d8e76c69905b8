//! The instruction loop.

use crate::cell::*;
use crate::code::Op;
use crate::machine::*;
use crate::program::{Body, Pred, Program, SHORT, Slot, key_of};
use crate::store::Store;

/// What a builtin did.
#[derive(Debug)]
pub(crate) enum Flow {
    Yes,
    No,
    /// Go on with this predicate; its arguments are in the registers.
    Goal(u32),
    /// Stop; when resumed, go on behind the builtin.
    Leave(Leave),
    /// Stop; when resumed, run the builtin again.
    Again(Leave),
}

impl From<bool> for Flow {
    fn from(b: bool) -> Self {
        if b { Flow::Yes } else { Flow::No }
    }
}

/// An error term on the heap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thrown(pub(crate) Cell);

/// What builtins return.
pub(crate) type Res = Result<Flow, Thrown>;

/// The read pointer's value while a structure is being written.
const WRITE: usize = usize::MAX;

#[inline(always)]
fn constant(b: u16, c: u32) -> Cell {
    (((c as i32) as i64) << 3) as u64 | u64::from(b)
}

impl Machine {
    /// Runs until something has to be told to the caller.
    pub(crate) fn run<const REC: bool>(&mut self, prog: &Program) -> Leave {
        let mut pc = match std::mem::replace(&mut self.resume, Resume::Idle) {
            Resume::At(pc) => pc as usize,
            Resume::Enter(pred) => self.enter::<REC>(prog, pred),
            Resume::Backtrack => FAIL,
            Resume::Idle => return Leave::Failed,
        };
        let code = &prog.code[..];
        let mut s = WRITE;
        let mut otherwise = 0usize;
        loop {
            let i = code[pc];
            pc += 1;
            macro_rules! fail {
                () => {{
                    if otherwise != 0 {
                        pc = otherwise;
                        otherwise = 0;
                    } else {
                        pc = self.backtrack::<REC>(prog);
                    }
                    continue;
                }};
            }
            macro_rules! check {
                ($ok:expr) => {
                    if !$ok {
                        fail!()
                    }
                };
            }
            macro_rules! attempt {
                ($e:expr) => {
                    match $e {
                        Ok(v) => v,
                        Err(t) => {
                            otherwise = 0;
                            pc = self.throw::<REC>(prog, t, pc - 1);
                            continue;
                        }
                    }
                };
            }
            match i.op {
                Op::Proceed => pc = self.cp,
                Op::Call => {
                    self.cp = pc;
                    if REC {
                        self.parent = self.stack[self.e + 2] as u32;
                    }
                    self.pc = pc - 1;
                    pc = self.enter::<REC>(prog, i.c);
                }
                Op::Execute => {
                    if REC {
                        self.parent = self.node;
                    }
                    self.pc = pc - 1;
                    pc = self.enter::<REC>(prog, i.c);
                }
                Op::Builtin => {
                    self.pc = pc - 1;
                    let logged = self.log.len();
                    if REC {
                        self.record_builtin(i.c, i.a == 1);
                    }
                    match attempt!(crate::builtins::TABLE[i.c as usize].run(self, prog)) {
                        Flow::Yes => {}
                        Flow::No => fail!(),
                        Flow::Goal(_) => fail!(),
                        Flow::Leave(why) => {
                            self.resume = Resume::At(pc as u32);
                            return why;
                        }
                        Flow::Again(why) => {
                            // It will be recorded when it is run again.
                            self.log.truncate(logged);
                            self.resume = Resume::At(pc as u32 - 1);
                            return why;
                        }
                    }
                }
                Op::Allocate => self.allocate(i.b as usize),
                Op::Deallocate => self.deallocate(),
                Op::NeckCut => self.cut(self.b0),
                Op::CutEnv => {
                    let n = self.stack[self.e + 1] as u32 as usize;
                    self.cut(n);
                }
                Op::GetLevel => {
                    let at = self.e + FRAME + i.b as usize;
                    self.stack[at] = small(self.choices.len() as i64);
                }
                Op::CutTo => {
                    let n = small_value(self.stack[self.e + FRAME + i.b as usize]);
                    self.cut(n as usize + i.a as usize);
                }
                Op::SoftCut => {
                    let n = small_value(self.stack[self.e + FRAME + i.b as usize]) as usize;
                    if n + 1 == self.choices.len() {
                        self.cut(n);
                    } else {
                        self.choices[n].target = FAIL as u32;
                    }
                }
                Op::TryElse => {
                    self.push_choice(Kind::Else, i.c, 0);
                }
                Op::Jump => pc = i.c as usize,
                Op::SetElse => otherwise = i.c as usize,
                Op::ClearElse => otherwise = 0,
                Op::Fail => fail!(),
                Op::Branch => {
                    if REC {
                        self.record_branch(i.c);
                    }
                }
                Op::GetVarY => {
                    let at = self.e + FRAME + i.b as usize;
                    self.stack[at] = self.regs[i.a as usize];
                }
                Op::Move => self.regs[i.a as usize] = self.regs[i.b as u8 as usize],
                Op::GetValX => {
                    let (x, y) = (self.regs[i.a as usize], self.regs[i.b as u8 as usize]);
                    check!(self.store.unify(x, y));
                }
                Op::GetValY => {
                    let y = self.stack[self.e + FRAME + i.b as usize];
                    check!(self.store.unify(self.regs[i.a as usize], y));
                }
                Op::GetConst => {
                    let want = constant(i.b, i.c);
                    let c = self.store.deref(self.regs[i.a as usize]);
                    if c != want {
                        check!(tag(c) == REF);
                        self.store.bind(addr(c), want);
                    }
                }
                Op::GetList => {
                    let c = self.store.deref(self.regs[i.a as usize]);
                    if tag(c) == LST {
                        s = addr(c);
                    } else {
                        check!(tag(c) == REF);
                        let at = self.store.cells.len();
                        self.store.bind(addr(c), make(LST, at));
                        s = WRITE;
                    }
                }
                Op::GetStruct => {
                    let f = functor(i.c, i.b as usize);
                    let c = self.store.deref(self.regs[i.a as usize]);
                    if tag(c) == STR {
                        check!(self.store.cells[addr(c)] == f);
                        s = addr(c) + 1;
                    } else {
                        check!(tag(c) == REF);
                        let at = self.store.cells.len();
                        self.store.cells.push(f);
                        self.store.bind(addr(c), make(STR, at));
                        s = WRITE;
                    }
                }
                Op::GetListVV => {
                    let c = self.store.deref(self.regs[i.a as usize]);
                    let (x, y) = (i.b as u8 as usize, (i.b >> 8) as u8 as usize);
                    if tag(c) == LST {
                        let at = addr(c);
                        self.regs[x] = self.store.cells[at];
                        self.regs[y] = self.store.cells[at + 1];
                    } else {
                        check!(tag(c) == REF);
                        let at = self.store.cells.len();
                        let (h, t) = (make(REF, at), make(REF, at + 1));
                        self.store.cells.push(h);
                        self.store.cells.push(t);
                        self.store.bind(addr(c), make(LST, at));
                        self.regs[x] = h;
                        self.regs[y] = t;
                    }
                }
                Op::GetListXV => {
                    let c = self.store.deref(self.regs[i.a as usize]);
                    let (x, y) = (i.b as u8 as usize, (i.b >> 8) as u8 as usize);
                    if tag(c) == LST {
                        let at = addr(c);
                        let (h, t) = (self.store.cells[at], self.store.cells[at + 1]);
                        check!(self.store.unify(self.regs[x], h));
                        self.regs[y] = t;
                    } else {
                        check!(tag(c) == REF);
                        let at = self.store.cells.len();
                        let t = make(REF, at + 1);
                        self.store.cells.push(self.regs[x]);
                        self.store.cells.push(t);
                        self.store.bind(addr(c), make(LST, at));
                        self.regs[y] = t;
                    }
                }
                Op::UnifyVarX => {
                    if s == WRITE {
                        self.regs[i.a as usize] = self.store.var();
                    } else {
                        self.regs[i.a as usize] = self.store.cells[s];
                        s += 1;
                    }
                }
                Op::UnifyVarY => {
                    let at = self.e + FRAME + i.b as usize;
                    if s == WRITE {
                        self.stack[at] = self.store.var();
                    } else {
                        self.stack[at] = self.store.cells[s];
                        s += 1;
                    }
                }
                Op::UnifyValX => {
                    let x = self.regs[i.a as usize];
                    if s == WRITE {
                        self.store.cells.push(x);
                    } else {
                        let c = self.store.cells[s];
                        s += 1;
                        check!(self.store.unify(x, c));
                    }
                }
                Op::UnifyValY => {
                    let y = self.stack[self.e + FRAME + i.b as usize];
                    if s == WRITE {
                        self.store.cells.push(y);
                    } else {
                        let c = self.store.cells[s];
                        s += 1;
                        check!(self.store.unify(y, c));
                    }
                }
                Op::UnifyConst => {
                    let want = constant(i.b, i.c);
                    if s == WRITE {
                        self.store.cells.push(want);
                    } else {
                        let c = self.store.deref(self.store.cells[s]);
                        s += 1;
                        if c != want {
                            check!(tag(c) == REF);
                            self.store.bind(addr(c), want);
                        }
                    }
                }
                Op::UnifyVoid => {
                    if s == WRITE {
                        for _ in 0..i.b {
                            self.store.var();
                        }
                    } else {
                        s += i.b as usize;
                    }
                }
                Op::UnifyList => {
                    if s == WRITE {
                        let at = self.store.cells.len();
                        self.store.cells.push(make(LST, at + 1));
                    } else {
                        let c = self.store.deref(self.store.cells[s]);
                        if tag(c) == LST {
                            s = addr(c);
                        } else {
                            check!(tag(c) == REF);
                            let at = self.store.cells.len();
                            self.store.bind(addr(c), make(LST, at));
                            s = WRITE;
                        }
                    }
                }
                Op::UnifyStruct => {
                    let f = functor(i.c, i.b as usize);
                    if s == WRITE {
                        let at = self.store.cells.len();
                        self.store.cells.push(make(STR, at + 1));
                        self.store.cells.push(f);
                    } else {
                        let c = self.store.deref(self.store.cells[s]);
                        if tag(c) == STR {
                            check!(self.store.cells[addr(c)] == f);
                            s = addr(c) + 1;
                        } else {
                            check!(tag(c) == REF);
                            let at = self.store.cells.len();
                            self.store.cells.push(f);
                            self.store.bind(addr(c), make(STR, at));
                            s = WRITE;
                        }
                    }
                }
                Op::PutVarX => self.regs[i.a as usize] = self.store.var(),
                Op::PutVarY => {
                    let v = self.store.var();
                    self.regs[i.a as usize] = v;
                    let at = self.e + FRAME + i.b as usize;
                    self.stack[at] = v;
                }
                Op::PutValY => {
                    self.regs[i.a as usize] = self.stack[self.e + FRAME + i.b as usize];
                }
                Op::PutConst => self.regs[i.a as usize] = constant(i.b, i.c),
                Op::PutList => {
                    self.regs[i.a as usize] = make(LST, self.store.cells.len());
                    s = WRITE;
                }
                Op::PutStruct => {
                    self.regs[i.a as usize] = make(STR, self.store.cells.len());
                    self.store.cells.push(functor(i.c, i.b as usize));
                    s = WRITE;
                }
                Op::Build => {
                    let frame = self.e + FRAME;
                    let c = build(
                        &mut self.store,
                        &prog.templates[i.c as usize],
                        &self.stack,
                        frame,
                    );
                    self.regs[i.a as usize] = c;
                }
                Op::AddImm => {
                    let c = self.store.deref(self.regs[i.b as u8 as usize]);
                    let by = i64::from(i.c as i32);
                    let sum = small_value(c) + by;
                    if tag(c) == INT && (MIN_SMALL..=MAX_SMALL).contains(&sum) {
                        self.regs[i.a as usize] = small(sum);
                    } else {
                        let plus = crate::atoms::known::PLUS;
                        self.regs[i.a as usize] = attempt!(self.arith2(plus, c, small(by)));
                    }
                }
                Op::Add | Op::Sub | Op::Mul => {
                    let x = self.store.deref(self.regs[i.b as u8 as usize]);
                    let y = self.store.deref(self.regs[(i.b >> 8) as u8 as usize]);
                    let mut quick = None;
                    if tag(x) == INT && tag(y) == INT {
                        let (p, q) = (small_value(x), small_value(y));
                        quick = match i.op {
                            Op::Add => p.checked_add(q),
                            Op::Sub => p.checked_sub(q),
                            _ => p.checked_mul(q),
                        };
                    }
                    self.regs[i.a as usize] = match quick {
                        Some(n) if (MIN_SMALL..=MAX_SMALL).contains(&n) => small(n),
                        _ => attempt!(self.arith2(i.c, x, y)),
                    };
                }
                Op::Arith2 => {
                    let x = self.regs[i.b as u8 as usize];
                    let y = self.regs[(i.b >> 8) as u8 as usize];
                    self.regs[i.a as usize] = attempt!(self.arith2(i.c, x, y));
                }
                Op::Arith1 => {
                    let x = self.regs[i.b as u8 as usize];
                    self.regs[i.a as usize] = attempt!(self.arith1(i.c, x));
                }
                Op::Eval => {
                    let x = self.regs[i.b as u8 as usize];
                    self.regs[i.a as usize] = attempt!(self.eval_cell(x));
                }
                Op::Compare => {
                    let x = self.store.deref(self.regs[i.b as u8 as usize]);
                    let y = self.store.deref(self.regs[(i.b >> 8) as u8 as usize]);
                    let order = if tag(x) == INT && tag(y) == INT {
                        small_value(x).cmp(&small_value(y))
                    } else {
                        attempt!(self.compare_values(x, y))
                    };
                    let ok = match i.c {
                        0 => order.is_eq(),
                        1 => order.is_ne(),
                        2 => order.is_lt(),
                        3 => order.is_gt(),
                        4 => order.is_le(),
                        _ => order.is_ge(),
                    };
                    check!(ok);
                }
                Op::Test => check!(self.test(i.c, self.regs[i.a as usize])),
                Op::Order => {
                    let x = self.regs[i.b as u8 as usize];
                    let y = self.regs[(i.b >> 8) as u8 as usize];
                    check!(self.ordered(i.c, x, y));
                }
                Op::Stop => {
                    self.resume = Resume::Backtrack;
                    return Leave::Solution;
                }
                Op::PopCatch => {
                    let n = small_value(self.stack[self.e + FRAME]) as usize;
                    if n + 1 == self.choices.len() {
                        self.cut(n);
                    }
                    self.deallocate();
                    pc = self.cp;
                }
                Op::Exit => {
                    self.watch_exit();
                    pc = self.cp;
                }
                Op::Leave => {
                    if let Some(why) = self.leave.take() {
                        return why;
                    }
                    return Leave::Failed;
                }
            }
        }
    }

    /// Calls a predicate whose arguments are in the registers; gives the address to go on at.
    #[inline(always)]
    pub(crate) fn enter<const REC: bool>(&mut self, prog: &Program, id: u32) -> usize {
        if self.credit == 0 || self.store.cells.len() > self.collect_at {
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
        self.begin_clauses::<REC>(prog, pred, id)
    }

    #[inline(always)]
    fn begin_clauses<const REC: bool>(&mut self, prog: &Program, pred: &Pred, id: u32) -> usize {
        self.b0 = self.choices.len();
        if REC {
            self.record_call(id, pred.arity);
        }
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
        if self.credit == 0 {
            self.steps += u64::from(self.granted);
            self.granted = 0;
            let left = self.fuel.steps.saturating_sub(self.steps);
            if left == 0 {
                return self.pause(Leave::Steps, Resume::Enter(id));
            }
            if self.cells_used() > self.fuel.cells {
                return self.pause(Leave::Collect, Resume::Enter(id));
            }
            let most = if self.watching.is_some() { 1 } else { 4096 };
            self.granted = left.min(most) as u32;
            self.credit = self.granted;
        }
        if self.store.cells.len() > self.collect_at {
            return self.pause(Leave::Collect, Resume::Enter(id));
        }
        self.credit -= 1;
        if self.watching.is_some() {
            self.watch_call(prog, id);
        }
        self.begin::<REC>(prog, id)
    }

    fn pause(&mut self, why: Leave, resume: Resume) -> usize {
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
                Body::Clauses => return self.begin_clauses::<REC>(prog, pred, id),
                Body::Builtin(n) => {
                    if REC {
                        self.record_builtin_under(u32::from(n), self.parent);
                    }
                    n
                }
                Body::Control(n) => n,
            };
            match crate::builtins::TABLE[number as usize].run(self, prog) {
                Ok(Flow::Yes) => return self.cp,
                Ok(Flow::No) => return FAIL,
                Ok(Flow::Goal(next)) => {
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
        let fits = |s: &Slot| {
            (s.key == first_key || s.key == 0 || first_key == 0)
                && (!pred.changed || prog.visible(s.id, generation))
        };
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
        if REC {
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
            c.pos = j as u32;
            c.order = order;
            c.generation = generation;
        }
        slots[i].code as usize
    }

    #[cold]
    fn no_clause<const REC: bool>(&mut self, prog: &Program, pred: &Pred) -> usize {
        if !pred.defined && !pred.dynamic && !self.flags.unknown_fails {
            let t = self.unknown_procedure(pred.name, pred.arity);
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
            Kind::WatchFail | Kind::WatchRedo => self.watch_back(),
        }
    }

    fn stop(&mut self, why: Leave) -> usize {
        self.leave = Some(why);
        self.resume = Resume::Idle;
        LEAVE
    }

    #[inline]
    fn retry<const REC: bool>(&mut self, prog: &Program) -> usize {
        let at = self.choices.len() - 1;
        let c = &self.choices[at];
        let (arity, args) = (c.arity as usize, c.args as usize);
        self.regs[..arity].copy_from_slice(&self.saved[args..args + arity]);
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
        let fits = |s: &Slot| {
            (s.key == key || s.key == 0 || key == 0)
                && (!pred.changed || prog.visible(s.id, generation))
        };
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
                if REC {
                    self.record_clause(s.id);
                }
                s.code as usize
            }
            None => FAIL,
        }
    }
}

/// Copies a template to the heap; marks stand for slots of the environment.
fn build(store: &mut Store, block: &[Cell], stack: &[u64], frame: usize) -> Cell {
    let base = store.cells.len();
    let shift = (base as u64) << 3;
    store.cells.reserve(block.len());
    let mut i = 0;
    while i < block.len() {
        let c = block[i];
        match tag(c) {
            STR | LST | BLB => store.cells.push(c + shift),
            HDR if blob_kind(c) == MARK => store.cells.push(stack[frame + blob_words(c)]),
            HDR => {
                let n = blob_words(c);
                store.cells.extend_from_slice(&block[i..=i + n]);
                i += n;
            }
            _ => store.cells.push(c),
        }
        i += 1;
    }
    store.cells[base]
}
