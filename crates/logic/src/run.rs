//! The instruction loop.

use crate::arith::compared;
use crate::cell::*;
use crate::code::{Instr, Op};
use crate::machine::*;
use crate::program::Program;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Thrown(pub(crate) Cell);

/// What builtins return.
pub(crate) type Res = Result<Flow, Thrown>;

/// The read pointer's value while a structure is being written.
const WRITE: usize = usize::MAX;

#[inline(always)]
fn constant(b: u16, c: u32) -> Cell {
    (i64::from(c as i32) << 3) as u64 | u64::from(b)
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
        let mut otherwise = std::mem::take(&mut self.otherwise) as usize;
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
                        Err(_) if self.store.tally.stopped() => {
                            self.otherwise = otherwise as u32;
                            self.resume = Resume::At(pc as u32 - 1);
                            return Leave::Steps;
                        }
                        Err(t) => {
                            otherwise = 0;
                            pc = self.throw::<REC>(prog, t, pc - 1);
                            continue;
                        }
                    }
                };
            }
            macro_rules! cut {
                ($n:expr) => {
                    if self.cut_step($n) {
                        self.resume = Resume::At(pc as u32);
                        return Leave::Cleanup;
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
                Op::Builtin | Op::ArgVarY | Op::FunctorVarYY => {
                    if i.op != Op::Builtin && self.known_parts::<REC>(i) {
                        continue;
                    }
                    self.pc = pc - 1;
                    let builtin = i.c as u16;
                    let logged = self.log.len();
                    if REC {
                        self.record_builtin(prog, u32::from(builtin), i.a == 1);
                    }
                    self.store.tally.spend(1);
                    let mut done = crate::builtins::TABLE[builtin as usize].run(self, prog);
                    if self.store.tally.stopped() {
                        done = Ok(Flow::Again(Leave::Steps));
                    }
                    match attempt!(done) {
                        Flow::Yes if self.store.tally.pressing() => {
                            // Terms can be collected only at a call: a little more than the
                            // memory allowed may be used up to there.
                            let over = |m: &Self| m.words_used() / 5 > m.fuel.cells / 4;
                            match self.settle() {
                                Some(Leave::Collect) if over(self) => {
                                    let t = self.resource_error("memory");
                                    attempt!(Err(t));
                                }
                                None | Some(Leave::Collect) => {}
                                Some(why) => {
                                    self.resume = Resume::At(pc as u32);
                                    return why;
                                }
                            }
                        }
                        Flow::Yes => {}
                        Flow::No => fail!(),
                        Flow::Goal(pred) => {
                            // As a call in this place: no register is in use behind a builtin,
                            // and one without an environment is the last goal.
                            self.log.truncate(logged);
                            if REC {
                                self.parent = self.own_node(i.a == 1);
                            }
                            if i.a == 1 {
                                self.cp = pc;
                            }
                            pc = self.enter::<REC>(prog, pred);
                        }
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
                Op::DeallocateExecute => {
                    self.deallocate();
                    if REC {
                        self.parent = self.node;
                    }
                    self.pc = pc - 1;
                    pc = self.enter::<REC>(prog, i.c);
                }
                Op::DeallocateProceed => {
                    self.deallocate();
                    pc = self.cp;
                }
                Op::NeckCut => cut!(self.b0),
                Op::CutEnv => {
                    let n = self.stack[self.e + 1] as u32 as usize;
                    cut!(n);
                }
                Op::GetLevel => {
                    let at = self.e + FRAME + i.b as usize;
                    self.stack[at] = small(self.choices.len() as i64);
                }
                Op::CutTo => {
                    let n = small_value(self.stack[self.e + FRAME + i.b as usize]);
                    cut!(n as usize + i.a as usize);
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
                    if REC && i.a == 1 {
                        self.record_branch(prog, 0, true);
                    }
                }
                Op::Jump => pc = i.c as usize,
                Op::SetElse => otherwise = i.c as usize,
                Op::ClearElse => {
                    otherwise = 0;
                    if REC && i.b == 1 {
                        self.record_branch(prog, 0, i.a == 1);
                    }
                }
                Op::Fail => fail!(),
                Op::Branch => {
                    if REC {
                        self.record_branch(prog, i.c, i.a == 1);
                    }
                }
                Op::GetVarY => {
                    let at = self.e + FRAME + i.b as usize;
                    self.stack[at] = self.regs[i.a as usize];
                }
                Op::GetPairY => {
                    let frame = self.e + FRAME;
                    self.stack[frame + i.b as usize] = self.regs[i.a as usize];
                    self.stack[frame + i.c as u16 as usize] = self.regs[(i.c >> 16) as u8 as usize];
                }
                Op::AllocatePair => {
                    self.allocate((i.c >> 24) as usize);
                    let frame = self.e + FRAME;
                    self.stack[frame + i.b as usize] = self.regs[i.a as usize];
                    self.stack[frame + i.c as u16 as usize] = self.regs[(i.c >> 16) as u8 as usize];
                }
                Op::MovePair => {
                    self.regs[i.a as usize] = self.regs[i.b as u8 as usize];
                    self.regs[(i.c >> 16) as u8 as usize] = self.regs[i.c as u8 as usize];
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
                Op::GetListVal => {
                    let c = self.store.deref(self.regs[i.a as usize]);
                    let x = self.regs[i.b as u8 as usize];
                    if tag(c) == LST {
                        s = addr(c) + 1;
                        let head = self.store.cells[addr(c)];
                        check!(self.store.unify(x, head));
                    } else {
                        check!(tag(c) == REF);
                        let at = self.store.cells.len();
                        self.store.bind(addr(c), make(LST, at));
                        self.store.cells.push(x);
                        s = WRITE;
                    }
                }
                Op::GetTail => {
                    let c = self.store.deref(self.regs[i.a as usize]);
                    self.regs[i.b as u8 as usize] = if tag(c) == LST {
                        self.store.cells[addr(c) + 1]
                    } else {
                        check!(tag(c) == REF);
                        let head = self.store.var();
                        self.store.bind(addr(c), make(LST, addr(head)));
                        self.store.var()
                    };
                }
                Op::GetStructVar => {
                    let f = functor(i.c, i.b as u8 as usize);
                    let x = (i.b >> 8) as usize;
                    let c = self.store.deref(self.regs[i.a as usize]);
                    if tag(c) == STR {
                        let at = addr(c);
                        check!(self.store.cells[at] == f);
                        self.regs[x] = self.store.cells[at + 1];
                        s = at + 2;
                    } else {
                        check!(tag(c) == REF);
                        let at = self.store.cells.len();
                        self.store.cells.push(f);
                        self.store.bind(addr(c), make(STR, at));
                        self.regs[x] = self.store.var();
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
                Op::UnifyVarXX => {
                    if s == WRITE {
                        self.regs[i.a as usize] = self.store.var();
                        self.regs[i.b as u8 as usize] = self.store.var();
                    } else {
                        self.regs[i.a as usize] = self.store.cells[s];
                        self.regs[i.b as u8 as usize] = self.store.cells[s + 1];
                        s += 2;
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
                Op::UnifyValXX => {
                    let (x, y) = (self.regs[i.a as usize], self.regs[i.b as u8 as usize]);
                    if s == WRITE {
                        self.store.cells.push(x);
                        self.store.cells.push(y);
                    } else {
                        let c = self.store.cells[s];
                        check!(self.store.unify(x, c));
                        let c = self.store.cells[s + 1];
                        s += 2;
                        check!(self.store.unify(y, c));
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
                Op::PutPairY => {
                    let frame = self.e + FRAME;
                    self.regs[i.a as usize] = self.stack[frame + i.b as usize];
                    self.regs[(i.c >> 16) as u8 as usize] = self.stack[frame + i.c as u16 as usize];
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
                    let ok = if tag(x) == INT && tag(y) == INT {
                        compared(i.c, small_value(x).cmp(&small_value(y)))
                    } else {
                        attempt!(self.compare_values(i.c, x, y))
                    };
                    check!(ok);
                }
                Op::Test => {
                    let c = self.store.deref(self.regs[i.a as usize]);
                    // Most tests are of tags, and take no time worth counting.
                    match i.c {
                        0 => check!(tag(c) == REF),
                        1 => check!(tag(c) != REF),
                        2 => check!(tag(c) == ATM),
                        3 if tag(c) != BLB => check!(tag(c) == INT),
                        6 => check!(matches!(tag(c), ATM | INT | BLB)),
                        7 => check!(matches!(tag(c), STR | LST)),
                        kind => {
                            let ok = self.test(kind, c);
                            attempt!(self.go_on());
                            check!(ok);
                        }
                    }
                }
                Op::Order => {
                    let x = self.regs[i.b as u8 as usize];
                    let y = self.regs[(i.b >> 8) as u8 as usize];
                    let ok = self.ordered(i.c, x, y);
                    attempt!(self.go_on());
                    check!(ok);
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
                Op::TableAdd => pc = self.table_add::<REC>(prog),
                Op::Leave => {
                    if let Some(why) = self.leave.take() {
                        return why;
                    }
                    return Leave::Failed;
                }
            }
        }
    }
}

impl Machine {
    /// `arg/3` and `functor/3` with new variables, where the parts of the term are known: no
    /// variable is made. Otherwise the variables are put where the builtin looks for them.
    #[inline(always)]
    fn known_parts<const REC: bool>(&mut self, i: Instr) -> bool {
        let frame = self.e + FRAME;
        let slot = frame + i.b as usize;
        if i.op == Op::ArgVarY {
            let n = self.store.deref(self.regs[0]);
            let c = self.store.deref(self.regs[1]);
            if !REC && tag(n) == INT && tag(c) == STR {
                let (n, at) = (small_value(n), addr(c));
                if n >= 1 && n as usize <= functor_arity(self.store.cells[at]) {
                    self.stack[slot] = self.store.cells[at + n as usize];
                    return true;
                }
            }
            let v = self.store.var();
            (self.regs[2], self.stack[slot]) = (v, v);
            return false;
        }
        let other = frame + (i.c >> 16) as usize;
        let c = self.store.deref(self.regs[0]);
        if !REC && tag(c) == STR {
            let (name, arity) = self.atoms.functor_parts(self.store.cells[addr(c)]);
            self.stack[slot] = atom(name);
            self.stack[other] = small(arity as i64);
            return true;
        }
        let (v, w) = (self.store.var(), self.store.var());
        (self.regs[1], self.stack[slot]) = (v, v);
        (self.regs[2], self.stack[other]) = (w, w);
        false
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
