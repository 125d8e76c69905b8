//! Heads: unifying arguments with patterns.

use crate::atoms::QuickMap;
use crate::cell::*;
use crate::code::Op;
use crate::goals::Goal;
use crate::store::Look;

use super::{Compiler, Done, REGISTERS, Refused, is_flat, template_of};

impl Compiler<'_> {
    pub(super) fn clause(&mut self, head: Cell, goals: &[Goal]) -> Done<()> {
        let head_args = self.store.args(head);
        self.base = head_args.len();
        for &a in &head_args {
            self.note(a);
        }
        let flat = !self.plain && matches!(goals.last(), Some(Goal::If { .. })) && is_flat(goals);
        if flat {
            self.number_flat(goals);
        } else {
            self.number(goals);
        }
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
    pub(super) fn wishes(&mut self, head_args: &[Cell], goals: &[Goal]) {
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
    pub(super) fn place(&mut self, at: usize, done: usize, heads: usize) -> Done<u8> {
        if let Some(j) = self.wish.iter().position(|w| *w == Some(at))
            && !self.taken[j]
            && (j <= done || j >= heads)
        {
            self.taken[j] = true;
            return Ok(j as u8);
        }
        self.fresh()
    }

    pub(super) fn fresh(&mut self) -> Done<u8> {
        if self.next >= REGISTERS {
            return Err(Refused::Registers);
        }
        self.next += 1;
        Ok((self.next - 1) as u8)
    }

    pub(super) fn constant(c: Cell) -> Option<(u16, u32)> {
        match tag(c) {
            ATM => Some((ATM as u16, (c >> 3) as u32)),
            INT => {
                let n = small_value(c);
                i32::try_from(n).ok().map(|n| (INT as u16, n as u32))
            }
            _ => None,
        }
    }

    pub(super) fn head(&mut self, args: &[Cell]) -> Done<()> {
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

    pub(super) fn get_value(&mut self, reg: u8, at: usize) {
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
    pub(super) fn get(&mut self, reg: u8, term: Cell, done: usize, heads: usize) -> Done<()> {
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
    pub(super) fn get_pair(&mut self, reg: u8, a: usize, done: usize, heads: usize) -> Done<bool> {
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

    pub(super) fn set_reg(&mut self, at: usize, reg: u8) {
        let v = self.vars.get_mut(&at).expect("every variable was noted");
        v.reg = Some(reg);
        v.seen = true;
    }

    /// The arguments of a structure opened by a `Get` instruction.
    pub(super) fn unify_args(
        &mut self,
        a: usize,
        n: usize,
        done: usize,
        heads: usize,
        queue: &mut std::collections::VecDeque<(u8, Cell)>,
    ) -> Done<()> {
        let mut level = (a, n);
        'spine: loop {
            let (a, n) = level;
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
                        level = (b, 2);
                        continue 'spine;
                    }
                    Look::Compound(f, b) if i + 1 == n => {
                        level = (b, functor_arity(f));
                        self.emit(Op::UnifyStruct, 0, level.1 as u16, functor_index(f));
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

    pub(super) fn unify_var(&mut self, at: usize, head: Option<(usize, usize)>) -> Done<()> {
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

    pub(super) fn see(&mut self, at: usize) {
        self.vars
            .get_mut(&at)
            .expect("every variable was noted")
            .seen = true;
    }

    /// Copies a term from a template into a register; variables are in the environment.
    pub(super) fn template(&mut self, reg: u8, term: Cell) {
        let mut block = Vec::new();
        template_of(
            self.store,
            term,
            &|at| self.vars.get(&at).map_or(0, |v| v.slot),
            &mut block,
        );
        let id = self.program.add_template(block);
        self.emit(Op::Build, reg, 0, id);
    }

    pub(super) fn plain_head(&mut self, args: &[Cell]) -> Done<()> {
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
}
