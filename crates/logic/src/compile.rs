//! From a clause to code.
//!
//! A body is cut into *chunks* that end with a call. A variable that lives in one chunk only is
//! kept in a register, the others in the clause's environment. Arguments are placed so that a
//! value already in the right register stays there.

use std::sync::Arc;

use crate::atoms::{Atoms, QuickMap};
use crate::cell::*;
use crate::code::{Instr, Op};
use crate::goals::{BadBody, Goal, Planner};
use crate::number;
use crate::program::Program;
use crate::store::{Look, Store};

/// Registers a clause may use.
const REGISTERS: usize = 250;
/// Terms deeper or larger than this are copied from a template instead.
const DEEP: usize = 60;
const LARGE: usize = 1500;

/// Where a variable is kept.
#[derive(Clone, Copy, Debug, Default)]
struct Var {
    total: u32,
    chunk: u32,
    /// Occurs in more than one chunk.
    lasting: bool,
    slot: u16,
    /// Register of a short-lived variable, once it has one.
    reg: Option<u8>,
    seen: bool,
}

/// The result of compiling.
pub(crate) struct Compiled {
    pub(crate) code: Vec<Instr>,
    pub(crate) spots: Vec<(u32, u32)>,
}

/// Why a clause cannot be compiled.
#[derive(Debug)]
pub(crate) enum Refused {
    Body(BadBody),
    /// Registers ran out: try again with templates.
    Registers,
    TooLarge,
}

impl From<BadBody> for Refused {
    fn from(b: BadBody) -> Self {
        Refused::Body(b)
    }
}

type Done<T> = Result<T, Refused>;

/// Compiles `head :- body`; `places` tells where goals stand in the source.
pub(crate) fn compile(
    store: &Store,
    atoms: &mut Atoms,
    program: &mut Program,
    head: Cell,
    body: Cell,
    places: &[(usize, usize)],
) -> Done<Compiled> {
    if body == atom(crate::atoms::known::TRUE) && small_enough(store, head) {
        let mut c = Compiler::new(store, atoms, program, places);
        match c.clause(head, &[]) {
            Err(Refused::Registers) => {}
            other => return other.map(|()| c.finish()),
        }
    } else if small_enough(store, head) && small_enough(store, body) {
        let goals = Planner {
            store,
            atoms,
            program,
            plain: false,
        }
        .plan(body, 0)?;
        let mut c = Compiler::new(store, atoms, program, places);
        match c.clause(head, &goals) {
            Err(Refused::Registers) => {}
            other => return other.map(|()| c.finish()),
        }
    }
    let goals = Planner {
        store,
        atoms,
        program,
        plain: true,
    }
    .plan(body, 0)?;
    let mut c = Compiler::new(store, atoms, program, places);
    c.plain = true;
    c.clause(head, &goals)?;
    Ok(c.finish())
}

/// Whether registers and recursion over the term's depth will do.
fn small_enough(store: &Store, term: Cell) -> bool {
    let mut stack = vec![(term, 0)];
    let mut size = 0;
    while let Some((c, depth)) = stack.pop() {
        size += 1;
        if size > LARGE || depth > DEEP {
            return false;
        }
        match store.look(c) {
            // Lists and conjunctions are walked along, not down.
            Look::Pair(a) => {
                stack.push((store.cells[a], depth + 1));
                stack.push((store.cells[a + 1], depth));
            }
            Look::Compound(f, a) => {
                let n = functor_arity(f);
                if n > 200 {
                    return false;
                }
                for i in 0..n {
                    stack.push((store.cells[a + i], depth + usize::from(i + 1 < n)));
                }
            }
            _ => {}
        }
    }
    true
}

struct Compiler<'a> {
    store: &'a Store,
    atoms: &'a Atoms,
    program: &'a mut Program,
    places: QuickMap<usize, usize>,
    code: Vec<Instr>,
    spots: Vec<(u32, u32)>,
    vars: QuickMap<usize, Var>,
    chunk: u32,
    calls: usize,
    control: bool,
    slots: u16,
    base: usize,
    next: usize,
    env: bool,
    plain: bool,
    /// The next call's arguments, while a head or an inline goal is compiled: where a variable
    /// would best be put.
    wish: Vec<Option<usize>>,
    taken: [bool; 256],
}

impl<'a> Compiler<'a> {
    fn new(
        store: &'a Store,
        atoms: &'a Atoms,
        program: &'a mut Program,
        places: &[(usize, usize)],
    ) -> Self {
        Compiler {
            store,
            atoms,
            program,
            places: places.iter().copied().collect(),
            code: Vec::with_capacity(8),
            spots: Vec::new(),
            vars: QuickMap::default(),
            chunk: 0,
            calls: 0,
            control: false,
            slots: 0,
            base: 0,
            next: 0,
            env: false,
            plain: false,
            wish: Vec::new(),
            taken: [false; 256],
        }
    }

    fn finish(self) -> Compiled {
        Compiled {
            code: self.code,
            spots: self.spots,
        }
    }

    fn emit(&mut self, op: Op, a: u8, b: u16, c: u32) {
        self.code.push(Instr { op, a, b, c });
    }

    // ---- Analysis ----

    fn note(&mut self, term: Cell) {
        let chunk = self.chunk;
        let vars = &mut self.vars;
        self.store.each_var(term, &mut |at| {
            let v = vars.entry(at).or_default();
            if v.total == 0 {
                v.chunk = chunk;
            } else if v.chunk != chunk {
                v.lasting = true;
            }
            v.total += 1;
        });
    }

    fn number(&mut self, goals: &[Goal]) {
        for goal in goals {
            match goal {
                Goal::Call { term, .. } | Goal::Builtin { term, .. } => {
                    self.note(*term);
                    self.base = self.base.max(self.arity(*term).max(1));
                    self.chunk += 1;
                    self.calls += 1;
                }
                Goal::Or(a, b) => {
                    self.branches(&[a, b]);
                }
                Goal::If {
                    cond, then, other, ..
                } => {
                    self.branches(&[cond, then, other]);
                    self.slots += 1;
                }
                Goal::Not(c) => {
                    self.branches(&[c]);
                    self.slots += 1;
                }
                Goal::Cut | Goal::Fail => {}
                other => {
                    if let Some(t) = other.term() {
                        self.note(t);
                    }
                }
            }
        }
    }

    fn branches(&mut self, branches: &[&Vec<Goal>]) {
        self.control = true;
        for b in branches {
            self.chunk += 1;
            self.number(b);
        }
        self.chunk += 1;
    }

    fn arity(&self, term: Cell) -> usize {
        match self.store.look(term) {
            Look::Compound(f, _) => functor_arity(f),
            _ => 0,
        }
    }

    // ---- The clause ----

    fn clause(&mut self, head: Cell, goals: &[Goal]) -> Done<()> {
        let head_args = self.store.args(head);
        self.base = head_args.len();
        for &a in &head_args {
            self.note(a);
        }
        self.number(goals);
        if self.base > REGISTERS - 4 {
            return Err(Refused::TooLarge);
        }
        let levels = self.slots;
        self.slots = 0;
        let mut order: Vec<usize> = self.vars.keys().copied().collect();
        order.sort_unstable();
        for at in order {
            if let Some(v) = self.vars.get_mut(&at)
                && (v.lasting || self.plain)
            {
                if self.slots > 60_000 {
                    return Err(Refused::TooLarge);
                }
                v.lasting = true;
                v.slot = self.slots;
                self.slots += 1;
            }
        }
        let last_is_call = matches!(goals.last(), Some(Goal::Call { .. } | Goal::Builtin { .. }));
        self.env = self.slots > 0
            || self.control
            || self.plain
            || self.calls > 1
            || (self.calls == 1 && !last_is_call);
        self.next = self.base;
        if self.env {
            let total = self.slots + levels;
            self.emit(Op::Allocate, 0, total, 0);
        }
        if self.plain {
            self.plain_head(&head_args)?;
        } else {
            self.wishes(&head_args, goals);
            self.head(&head_args)?;
        }
        self.body(goals, true, None)
    }

    /// Notes which register each argument of the first call is wanted in.
    fn wishes(&mut self, head_args: &[Cell], goals: &[Goal]) {
        self.taken = [false; 256];
        self.wish = vec![None; self.base];
        let Some(Goal::Call { term, .. } | Goal::Builtin { term, .. }) = goals
            .iter()
            .find(|g| !matches!(g, Goal::Cut) && !g.is_test() && !matches!(g, Goal::Is(..)))
        else {
            return;
        };
        if goals
            .iter()
            .take_while(|g| !matches!(g, Goal::Call { .. } | Goal::Builtin { .. }))
            .any(Goal::is_control)
        {
            return;
        }
        for (j, &arg) in self.store.args(*term).iter().enumerate() {
            if let Look::Var(at) = self.store.look(arg)
                && !self.wish.contains(&Some(at))
            {
                self.wish[j] = Some(at);
            }
        }
        // Registers that hold a variable of the head are not free.
        for (i, &a) in head_args.iter().enumerate() {
            if let Look::Var(at) = self.store.look(a)
                && self
                    .vars
                    .get(&at)
                    .is_some_and(|v| !v.lasting && v.total > 1)
            {
                self.taken[i] = true;
            }
        }
    }

    /// A register for a new short-lived variable met in argument `i` of the head.
    fn place(&mut self, at: usize, done: usize, heads: usize) -> Done<u8> {
        if let Some(j) = self.wish.iter().position(|w| *w == Some(at))
            && !self.taken[j]
            && (j <= done || j >= heads)
        {
            self.taken[j] = true;
            return Ok(j as u8);
        }
        self.fresh()
    }

    fn fresh(&mut self) -> Done<u8> {
        if self.next >= REGISTERS {
            return Err(Refused::Registers);
        }
        self.next += 1;
        Ok((self.next - 1) as u8)
    }

    fn constant(c: Cell) -> Option<(u16, u32)> {
        match tag(c) {
            ATM => Some((ATM as u16, (c >> 3) as u32)),
            INT => {
                let n = small_value(c);
                i32::try_from(n).ok().map(|n| (INT as u16, n as u32))
            }
            _ => None,
        }
    }

    fn head(&mut self, args: &[Cell]) -> Done<()> {
        let heads = args.len();
        // Plain variables first: their registers must be known before structures are opened.
        for (i, &arg) in args.iter().enumerate() {
            if let Look::Var(at) = self.store.look(arg) {
                let v = self.vars.get_mut(&at).expect("every variable was noted");
                if v.total == 1 || v.seen {
                    continue;
                }
                v.seen = true;
                if v.lasting {
                    let slot = v.slot;
                    self.emit(Op::GetVarY, i as u8, slot, 0);
                } else {
                    v.reg = Some(i as u8);
                }
            }
        }
        let mut first: QuickMap<usize, usize> = QuickMap::default();
        for (i, &arg) in args.iter().enumerate() {
            match self.store.look(arg) {
                Look::Var(at) => {
                    let again = *first.entry(at).or_insert(i);
                    if again != i {
                        self.get_value(i as u8, at);
                    }
                }
                _ => self.get(i as u8, arg, i, heads)?,
            }
        }
        Ok(())
    }

    fn get_value(&mut self, reg: u8, at: usize) {
        let v = self.vars[&at];
        if v.lasting {
            self.emit(Op::GetValY, reg, v.slot, 0);
        } else {
            self.emit(
                Op::GetValX,
                reg,
                u16::from(v.reg.expect("a seen variable has a register")),
                0,
            );
        }
    }

    /// Unifies a register with a term that is not a variable.
    fn get(&mut self, reg: u8, term: Cell, done: usize, heads: usize) -> Done<()> {
        let mut queue = std::collections::VecDeque::from([(reg, term)]);
        while let Some((reg, term)) = queue.pop_front() {
            let term = self.store.deref(term);
            if let Some((t, c)) = Self::constant(term) {
                self.emit(Op::GetConst, reg, t, c);
                continue;
            }
            match self.store.look(term) {
                Look::Pair(a) => {
                    if self.get_pair(reg, a, done, heads)? {
                        continue;
                    }
                    self.emit(Op::GetList, reg, 0, 0);
                    self.unify_args(a, 2, done, heads, &mut queue)?;
                }
                Look::Compound(f, a) => {
                    let n = functor_arity(f);
                    self.emit(Op::GetStruct, reg, n as u16, functor_index(f));
                    self.unify_args(a, n, done, heads, &mut queue)?;
                }
                _ => {
                    let tmp = self.fresh()?;
                    self.template(tmp, term);
                    self.emit(Op::GetValX, reg, u16::from(tmp), 0);
                }
            }
        }
        Ok(())
    }

    /// The two commonest list patterns in one instruction each.
    fn get_pair(&mut self, reg: u8, a: usize, done: usize, heads: usize) -> Done<bool> {
        let (Look::Var(h), Look::Var(t)) = (
            self.store.look(self.store.cells[a]),
            self.store.look(self.store.cells[a + 1]),
        ) else {
            return Ok(false);
        };
        if h == t {
            return Ok(false);
        }
        let (hv, tv) = (self.vars[&h], self.vars[&t]);
        if tv.seen || tv.lasting || tv.total == 1 || hv.lasting || hv.total == 1 {
            return Ok(false);
        }
        let seen = hv.seen;
        let x = if seen {
            hv.reg.expect("a seen variable has a register")
        } else {
            let x = self.place(h, done, heads)?;
            self.set_reg(h, x);
            x
        };
        let y = self.place(t, done, heads)?;
        self.set_reg(t, y);
        let op = if seen { Op::GetListXV } else { Op::GetListVV };
        self.emit(op, reg, u16::from(x) | (u16::from(y) << 8), 0);
        Ok(true)
    }

    fn set_reg(&mut self, at: usize, reg: u8) {
        let v = self.vars.get_mut(&at).expect("every variable was noted");
        v.reg = Some(reg);
        v.seen = true;
    }

    /// The arguments of a structure opened by a `Get` instruction.
    fn unify_args(
        &mut self,
        a: usize,
        n: usize,
        done: usize,
        heads: usize,
        queue: &mut std::collections::VecDeque<(u8, Cell)>,
    ) -> Done<()> {
        let (mut a, mut n) = (a, n);
        'spine: loop {
            for i in 0..n {
                let arg = self.store.deref(self.store.cells[a + i]);
                if let Some((t, c)) = Self::constant(arg) {
                    self.emit(Op::UnifyConst, 0, t, c);
                    continue;
                }
                match self.store.look(arg) {
                    Look::Var(at) => self.unify_var(at, Some((done, heads)))?,
                    Look::Pair(b) if i + 1 == n => {
                        self.emit(Op::UnifyList, 0, 0, 0);
                        (a, n) = (b, 2);
                        continue 'spine;
                    }
                    Look::Compound(f, b) if i + 1 == n => {
                        n = functor_arity(f);
                        self.emit(Op::UnifyStruct, 0, n as u16, functor_index(f));
                        a = b;
                        continue 'spine;
                    }
                    Look::Blob(_) => {
                        // Numbers and texts are compared after the structure is open.
                        let tmp = self.fresh()?;
                        self.emit(Op::UnifyVarX, tmp, 0, 0);
                        queue.push_back((tmp, arg));
                    }
                    _ => {
                        let tmp = self.fresh()?;
                        self.emit(Op::UnifyVarX, tmp, 0, 0);
                        queue.push_back((tmp, arg));
                    }
                }
            }
            return Ok(());
        }
    }

    fn unify_var(&mut self, at: usize, head: Option<(usize, usize)>) -> Done<()> {
        let v = self.vars[&at];
        if v.total == 1 {
            // Neighbouring voids could be joined; they rarely stand together.
            self.emit(Op::UnifyVoid, 0, 1, 0);
        } else if v.seen {
            if v.lasting {
                self.emit(Op::UnifyValY, 0, v.slot, 0);
            } else {
                self.emit(
                    Op::UnifyValX,
                    v.reg.expect("a seen variable has a register"),
                    0,
                    0,
                );
            }
        } else if v.lasting {
            self.emit(Op::UnifyVarY, 0, v.slot, 0);
            self.see(at);
        } else {
            let reg = match head {
                Some((done, heads)) => self.place(at, done, heads)?,
                None => self.fresh()?,
            };
            self.emit(Op::UnifyVarX, reg, 0, 0);
            self.set_reg(at, reg);
        }
        Ok(())
    }

    fn see(&mut self, at: usize) {
        self.vars
            .get_mut(&at)
            .expect("every variable was noted")
            .seen = true;
    }

    /// Copies a term from a template into a register; variables are in the environment.
    fn template(&mut self, reg: u8, term: Cell) {
        let mut block = Vec::new();
        template_of(
            self.store,
            term,
            &|at| self.vars.get(&at).map_or(0, |v| v.slot),
            &mut block,
        );
        let id = self.program.templates.len() as u32;
        self.program.templates.push(Arc::from(block));
        self.emit(Op::Build, reg, 0, id);
    }

    fn plain_head(&mut self, args: &[Cell]) -> Done<()> {
        let base = self.base as u8;
        let mut slots: Vec<usize> = self.vars.keys().copied().collect();
        slots.sort_unstable();
        for at in slots {
            let slot = self.vars[&at].slot;
            self.emit(Op::PutVarY, base, slot, 0);
            self.see(at);
        }
        for (i, &arg) in args.iter().enumerate() {
            let arg = self.store.deref(arg);
            match self.store.look(arg) {
                Look::Var(at) => self.get_value(i as u8, at),
                _ => {
                    if let Some((t, c)) = Self::constant(arg) {
                        self.emit(Op::GetConst, i as u8, t, c);
                    } else {
                        self.template(base, arg);
                        self.emit(Op::GetValX, i as u8, u16::from(base), 0);
                    }
                }
            }
        }
        Ok(())
    }

    // ---- Bodies ----

    fn spot(&mut self, goal: &Goal) {
        if let Some(t) = goal.term()
            && let Look::Compound(_, a) = self.store.look(t)
            && let Some(&place) = self.places.get(&(a - 1))
        {
            self.spots.push((self.code.len() as u32, place as u32));
        }
    }

    /// `last`: nothing follows; `cut`: where a cut goes (`None`: out of the clause).
    fn body(&mut self, goals: &[Goal], last: bool, cut: Option<u16>) -> Done<()> {
        for (i, goal) in goals.iter().enumerate() {
            let ends = last && i + 1 == goals.len();
            self.spot(goal);
            match goal {
                Goal::Call { pred, term } => {
                    self.arguments(*term)?;
                    self.spot(goal);
                    if ends {
                        if self.env {
                            self.emit(Op::Deallocate, 0, 0, 0);
                        }
                        self.spot(goal);
                        self.emit(Op::Execute, 0, 0, *pred);
                        return Ok(());
                    }
                    self.emit(Op::Call, 0, 0, *pred);
                    self.end_chunk();
                }
                Goal::Builtin { id, term } => {
                    self.arguments(*term)?;
                    self.spot(goal);
                    let env = u8::from(self.env);
                    self.emit(Op::Builtin, env, 0, u32::from(*id));
                    self.end_chunk();
                }
                Goal::Cut => match cut {
                    // Inside a condition: the construct's own choice point stays.
                    Some(level) => self.emit(Op::CutTo, 1, level, 0),
                    None if self.env => self.emit(Op::CutEnv, 0, 0, 0),
                    None => self.emit(Op::NeckCut, 0, 0, 0),
                },
                Goal::Fail => self.emit(Op::Fail, 0, 0, 0),
                Goal::Unify(a, b, _) => self.unify(*a, *b)?,
                Goal::Is(x, e, _) => self.assign(*x, *e)?,
                Goal::Compare(kind, a, b, _) => {
                    let x = self.expression(*a)?;
                    let y = self.expression(*b)?;
                    self.spot(goal);
                    self.emit(Op::Compare, 0, pack(x, y), *kind);
                }
                Goal::Order(kind, a, b, _) => {
                    let x = self.operand(*a)?;
                    let y = self.operand(*b)?;
                    self.emit(Op::Order, 0, pack(x, y), *kind);
                }
                Goal::Test(kind, a, _) => {
                    let x = self.operand(*a)?;
                    self.emit(Op::Test, x, 0, *kind);
                }
                Goal::Or(..) | Goal::If { .. } | Goal::Not(_) => {
                    self.control(goal, cut)?;
                    self.end_chunk();
                }
            }
            self.shrink();
        }
        if last {
            if self.env {
                self.emit(Op::Deallocate, 0, 0, 0);
            }
            self.emit(Op::Proceed, 0, 0, 0);
        }
        Ok(())
    }

    fn end_chunk(&mut self) {
        for v in self.vars.values_mut() {
            v.reg = None;
        }
        self.next = self.base;
        self.wish.clear();
    }

    /// Gives scratch registers back after an inline goal.
    fn shrink(&mut self) {
        let top = self
            .vars
            .values()
            .filter_map(|v| v.reg)
            .map(|r| r as usize + 1)
            .max();
        self.next = top.unwrap_or(0).max(self.base);
    }

    fn level(&mut self) -> u16 {
        self.slots += 1;
        self.slots - 1
    }

    fn label(&self) -> u32 {
        self.code.len() as u32
    }

    fn patch(&mut self, at: usize) {
        let here = self.label();
        self.code[at].c = here;
    }

    fn control(&mut self, goal: &Goal, cut: Option<u16>) -> Done<()> {
        match goal {
            Goal::Or(a, b) => {
                self.prepare(&[a, b]);
                let try_at = self.code.len();
                self.emit(Op::TryElse, 0, 0, 0);
                self.emit(Op::Branch, 0, 0, 0);
                self.branch(a, cut)?;
                let jump_at = self.code.len();
                self.emit(Op::Jump, 0, 0, 0);
                self.patch(try_at);
                self.emit(Op::Branch, 0, 0, 1);
                self.branch(b, cut)?;
                self.patch(jump_at);
            }
            Goal::If {
                cond,
                then,
                other,
                soft,
            } => {
                self.prepare(&[cond, then, other]);
                let tests = !soft && !self.plain && cond.iter().all(Goal::is_test);
                let level = self.level();
                let try_at;
                if tests {
                    try_at = self.code.len();
                    self.emit(Op::SetElse, 0, 0, 0);
                    self.branch(cond, None)?;
                    self.emit(Op::ClearElse, 0, 0, 0);
                } else {
                    self.emit(Op::GetLevel, 0, level, 0);
                    try_at = self.code.len();
                    self.emit(Op::TryElse, 0, 0, 0);
                    // The condition belongs to the branch that follows from it.
                    self.emit(Op::Branch, 0, 0, 0);
                    self.branch(cond, Some(level))?;
                    self.emit(if *soft { Op::SoftCut } else { Op::CutTo }, 0, level, 0);
                }
                if tests {
                    self.emit(Op::Branch, 0, 0, 0);
                }
                self.branch(then, cut)?;
                let jump_at = self.code.len();
                self.emit(Op::Jump, 0, 0, 0);
                self.patch(try_at);
                self.emit(Op::Branch, 0, 0, 1);
                self.branch(other, cut)?;
                self.patch(jump_at);
            }
            Goal::Not(cond) => {
                self.prepare(&[cond]);
                let tests = !self.plain && cond.iter().all(Goal::is_test);
                let level = self.level();
                let try_at;
                if tests {
                    try_at = self.code.len();
                    self.emit(Op::SetElse, 0, 0, 0);
                    self.branch(cond, None)?;
                    self.emit(Op::ClearElse, 0, 0, 0);
                } else {
                    self.emit(Op::GetLevel, 0, level, 0);
                    try_at = self.code.len();
                    self.emit(Op::TryElse, 0, 0, 0);
                    self.branch(cond, Some(level))?;
                    self.emit(Op::CutTo, 0, level, 0);
                }
                self.emit(Op::Fail, 0, 0, 0);
                self.patch(try_at);
            }
            _ => {}
        }
        Ok(())
    }

    fn branch(&mut self, goals: &[Goal], cut: Option<u16>) -> Done<()> {
        self.end_chunk();
        self.body(goals, false, cut)?;
        self.end_chunk();
        Ok(())
    }

    /// Variables that are first met inside a construct but also live outside one branch of it
    /// are made before it, so that every branch finds them.
    fn prepare(&mut self, branches: &[&Vec<Goal>]) {
        for b in branches {
            let mut counts: std::collections::BTreeMap<usize, u32> =
                std::collections::BTreeMap::new();
            count(self.store, b, &mut counts);
            for (at, n) in counts {
                let v = self.vars[&at];
                if !v.seen && v.lasting && n < v.total {
                    let scratch = self.base as u8;
                    self.emit(Op::PutVarY, scratch, v.slot, 0);
                    self.see(at);
                }
            }
        }
    }

    /// Registers used by a term whose variables are placed.
    fn uses(&self, term: Cell, out: &mut Vec<u8>) {
        self.store.each_var(term, &mut |at| {
            if let Some(r) = self.vars.get(&at).and_then(|v| v.reg) {
                out.push(r);
            }
        });
    }

    /// Puts the arguments of a goal into the argument registers.
    fn arguments(&mut self, term: Cell) -> Done<()> {
        let args = match self.store.look(term) {
            Look::Var(_) => vec![term],
            _ => self.store.args(term),
        };
        let mut pending: Vec<usize> = Vec::new();
        for (j, &arg) in args.iter().enumerate() {
            let home = match self.store.look(arg) {
                Look::Var(at) => self.vars[&at].reg == Some(j as u8),
                _ => false,
            };
            if !home {
                pending.push(j);
            }
        }
        while !pending.is_empty() {
            let needed = |me: &Self, j: usize, pending: &[usize]| {
                let mut regs = Vec::new();
                for &k in pending.iter().filter(|&&k| k != j) {
                    me.uses(args[k], &mut regs);
                }
                regs.contains(&(j as u8))
            };
            if let Some(i) = (0..pending.len()).find(|&i| !needed(self, pending[i], &pending)) {
                let j = pending.remove(i);
                let mut own = Vec::new();
                self.uses(args[j], &mut own);
                if own.contains(&(j as u8)) {
                    // The term is built from what its own register holds.
                    let aside = self.fresh()?;
                    self.put(aside, args[j])?;
                    self.emit(Op::Move, j as u8, u16::from(aside), 0);
                } else {
                    self.put(j as u8, args[j])?;
                }
                continue;
            }
            // A ring of moves: break it by moving one value aside.
            let j = pending[0];
            let aside = self.fresh()?;
            self.emit(Op::Move, aside, j as u16, 0);
            let stuck: Vec<usize> = self
                .vars
                .iter()
                .filter(|(_, v)| v.reg == Some(j as u8))
                .map(|(&at, _)| at)
                .collect();
            for at in stuck {
                self.set_reg(at, aside);
            }
        }
        Ok(())
    }

    /// Puts a term into a register.
    fn put(&mut self, reg: u8, term: Cell) -> Done<()> {
        let term = self.store.deref(term);
        if let Some((t, c)) = Self::constant(term) {
            self.emit(Op::PutConst, reg, t, c);
            return Ok(());
        }
        if let Look::Var(at) = self.store.look(term) {
            let v = self.vars[&at];
            if v.seen {
                if v.lasting {
                    self.emit(Op::PutValY, reg, v.slot, 0);
                } else if v.reg != Some(reg) {
                    let from = v.reg.expect("a seen variable has a register");
                    self.emit(Op::Move, reg, u16::from(from), 0);
                }
            } else if v.lasting {
                self.emit(Op::PutVarY, reg, v.slot, 0);
                self.see(at);
            } else {
                self.emit(Op::PutVarX, reg, 0, 0);
                if v.total > 1 {
                    self.set_reg(at, reg);
                }
            }
            return Ok(());
        }
        if self.plain || matches!(self.store.look(term), Look::Blob(_)) {
            self.template(reg, term);
            return Ok(());
        }
        self.build(reg, term)
    }

    /// Builds a compound term: inner terms first, then the spine along last arguments.
    fn build(&mut self, reg: u8, term: Cell) -> Done<()> {
        let mut inner: QuickMap<usize, u8> = QuickMap::default();
        let mut spine = Vec::new();
        let mut t = term;
        loop {
            let (head, a, n) = match self.store.look(t) {
                Look::Pair(a) => (None, a, 2),
                Look::Compound(f, a) => (Some(f), a, functor_arity(f)),
                _ => break,
            };
            spine.push((head, a, n));
            for i in 0..n {
                let arg = self.store.deref(self.store.cells[a + i]);
                let nested = match self.store.look(arg) {
                    Look::Pair(_) | Look::Compound(..) => i + 1 < n,
                    Look::Blob(_) => true,
                    Look::Small(_) => Self::constant(arg).is_none(),
                    _ => false,
                };
                if nested {
                    let tmp = self.fresh()?;
                    self.put_inner(tmp, arg)?;
                    inner.insert(a + i, tmp);
                }
            }
            if n == 0 {
                break;
            }
            t = self.store.deref(self.store.cells[a + n - 1]);
        }
        for (k, (head, a, n)) in spine.iter().enumerate() {
            match (k, head) {
                (0, None) => self.emit(Op::PutList, reg, 0, 0),
                (0, Some(f)) => self.emit(Op::PutStruct, reg, *n as u16, functor_index(*f)),
                (_, None) => self.emit(Op::UnifyList, 0, 0, 0),
                (_, Some(f)) => self.emit(Op::UnifyStruct, 0, *n as u16, functor_index(*f)),
            }
            for i in 0..*n {
                let arg = self.store.deref(self.store.cells[a + i]);
                if let Some(&tmp) = inner.get(&(a + i)) {
                    self.emit(Op::UnifyValX, tmp, 0, 0);
                } else if let Some((t, c)) = Self::constant(arg) {
                    self.emit(Op::UnifyConst, 0, t, c);
                } else if let Look::Var(at) = self.store.look(arg) {
                    self.unify_var(at, None)?;
                }
            }
        }
        Ok(())
    }

    fn put_inner(&mut self, reg: u8, term: Cell) -> Done<()> {
        match self.store.look(term) {
            Look::Blob(_) | Look::Small(_) => {
                self.template(reg, term);
                Ok(())
            }
            _ => self.build(reg, term),
        }
    }

    /// A register that holds a term.
    fn operand(&mut self, term: Cell) -> Done<u8> {
        if let Look::Var(at) = self.store.look(term) {
            let v = self.vars[&at];
            if let (false, Some(r)) = (v.lasting, v.reg) {
                return Ok(r);
            }
        }
        let tmp = self.fresh()?;
        self.put(tmp, term)?;
        Ok(tmp)
    }

    fn unify(&mut self, a: Cell, b: Cell) -> Done<()> {
        let (mut a, mut b) = (self.store.deref(a), self.store.deref(b));
        let new = |me: &Self, c: Cell| match me.store.look(c) {
            Look::Var(at) => !me.vars[&at].seen,
            _ => false,
        };
        if tag(a) != REF || (tag(b) == REF && new(self, b) && !new(self, a)) {
            std::mem::swap(&mut a, &mut b);
        }
        if let Look::Var(at) = self.store.look(a) {
            let v = self.vars[&at];
            if !v.seen && !self.store.occurs(at, b) {
                let reg = self.operand(b)?;
                if v.total == 1 {
                    return Ok(());
                }
                if v.lasting {
                    self.emit(Op::GetVarY, reg, v.slot, 0);
                    self.see(at);
                } else {
                    // Its own register: the other side may be moved or overwritten.
                    let own = self.fresh()?;
                    self.emit(Op::Move, own, u16::from(reg), 0);
                    self.set_reg(at, own);
                }
                return Ok(());
            }
        }
        let x = self.operand(a)?;
        if tag(b) == REF {
            let y = self.operand(b)?;
            self.emit(Op::GetValX, x, u16::from(y), 0);
            return Ok(());
        }
        self.wish.clear();
        self.get(x, b, 0, 0)
    }

    // ---- Arithmetic ----

    fn assign(&mut self, x: Cell, e: Cell) -> Done<()> {
        let mut reg = self.expression(e)?;
        // A bare variable or constant on the right still has to be a number.
        if !matches!(self.code.last(), Some(i) if is_arithmetic(i.op) && i.a == reg) {
            let tmp = self.fresh()?;
            self.emit(Op::Eval, tmp, u16::from(reg), 0);
            reg = tmp;
        }
        if let Look::Var(at) = self.store.look(x) {
            let v = self.vars[&at];
            if v.total == 1 {
                return Ok(());
            }
            if !v.seen {
                if v.lasting {
                    self.emit(Op::GetVarY, reg, v.slot, 0);
                    self.see(at);
                } else {
                    self.set_reg(at, reg);
                }
                return Ok(());
            }
        }
        let y = self.operand(x)?;
        self.emit(Op::GetValX, y, u16::from(reg), 0);
        Ok(())
    }

    /// A register with the value of an expression, or with a term to be evaluated when used.
    fn expression(&mut self, e: Cell) -> Done<u8> {
        let e = self.store.deref(e);
        let Look::Compound(f, a) = self.store.look(e) else {
            return self.operand(e);
        };
        let (name, arity) = self.atoms.functor_parts(f);
        let text = self.atoms.name(name).to_owned();
        let one = number::Num::Int(1);
        let known = match arity {
            1 => number::unary(&text, one) != Err(number::NoValue::Unknown),
            2 => number::binary(&text, one.clone(), one) != Err(number::NoValue::Unknown),
            _ => false,
        };
        if !known {
            let reg = self.operand(e)?;
            let out = self.fresh()?;
            self.emit(Op::Eval, out, u16::from(reg), 0);
            return Ok(out);
        }
        let x = self.expression(self.store.cells[a])?;
        if arity == 1 {
            let out = self.fresh()?;
            self.emit(Op::Arith1, out, u16::from(x), name);
            return Ok(out);
        }
        let right = self.store.deref(self.store.cells[a + 1]);
        if matches!(text.as_str(), "+" | "-")
            && let Some((t, c)) = Self::constant(right)
            && u64::from(t) == INT
            && c as i32 != i32::MIN
        {
            let out = self.fresh()?;
            let c = if text == "-" { (-(c as i32)) as u32 } else { c };
            self.emit(Op::AddImm, out, u16::from(x), c);
            return Ok(out);
        }
        let y = self.expression(right)?;
        let out = self.fresh()?;
        let op = match text.as_str() {
            "+" => Op::Add,
            "-" => Op::Sub,
            "*" => Op::Mul,
            _ => Op::Arith2,
        };
        self.emit(op, out, pack(x, y), name);
        Ok(out)
    }
}

fn is_arithmetic(op: Op) -> bool {
    matches!(
        op,
        Op::Add | Op::Sub | Op::Mul | Op::AddImm | Op::Arith1 | Op::Arith2 | Op::Eval
    )
}

fn pack(x: u8, y: u8) -> u16 {
    u16::from(x) | (u16::from(y) << 8)
}

/// Counts the occurrences of variables in goals.
fn count(store: &Store, goals: &[Goal], out: &mut std::collections::BTreeMap<usize, u32>) {
    for g in goals {
        match g {
            Goal::Or(a, b) => {
                count(store, a, out);
                count(store, b, out);
            }
            Goal::If {
                cond, then, other, ..
            } => {
                count(store, cond, out);
                count(store, then, out);
                count(store, other, out);
            }
            Goal::Not(c) => count(store, c, out),
            other => {
                if let Some(t) = other.term() {
                    store.each_var(t, &mut |at| *out.entry(at).or_default() += 1);
                }
            }
        }
    }
}

/// A term as a block of cells, breadth first, with marks for variables.
fn template_of(store: &Store, term: Cell, slot: &dyn Fn(usize) -> u16, out: &mut Vec<Cell>) {
    out.push(term);
    let mut i = 0;
    while i < out.len() {
        match tag(out[i]) {
            FUN => {
                i += 1;
                continue;
            }
            HDR => {
                i += 1 + if blob_kind(out[i]) == MARK {
                    0
                } else {
                    blob_words(out[i])
                };
                continue;
            }
            _ => {}
        }
        let here = out.len();
        out[i] = match store.look(out[i]) {
            Look::Var(at) => mark(slot(at) as usize),
            Look::Pair(a) => {
                out.extend_from_slice(&store.cells[a..a + 2]);
                make(LST, here)
            }
            Look::Compound(f, a) => {
                out.extend_from_slice(&store.cells[a - 1..a + functor_arity(f)]);
                make(STR, here)
            }
            Look::Blob(a) => {
                out.extend_from_slice(&store.cells[a..=a + blob_words(store.cells[a])]);
                make(BLB, here)
            }
            _ => out[i],
        };
        i += 1;
    }
}
