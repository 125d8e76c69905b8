//! Bodies: goals, control constructs, placing arguments.

use crate::atoms::QuickMap;
use crate::cell::*;
use crate::code::Op;
use crate::goals::Goal;
use crate::store::Look;

use super::{Compiler, Done, count, pack};

impl Compiler<'_> {
    pub(super) fn spot(&mut self, goal: &Goal) {
        if let Some(t) = goal.term()
            && let Look::Compound(_, a) = self.store.look(t)
            && let Some(&place) = self.places.get(&(a - 1))
        {
            self.spots.push((self.code.len() as u32, place as u32));
        }
    }

    /// `last`: nothing follows; `cut`: where a cut goes (`None`: out of the clause).
    pub(super) fn body(&mut self, goals: &[Goal], last: bool, cut: Option<u16>) -> Done<()> {
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
                Goal::If {
                    cond, then, other, ..
                } if !self.env => return self.flat(cond, then, other, cut),
                Goal::Or(..) | Goal::If { .. } => {
                    self.control(goal, cut, ends)?;
                    if ends {
                        // Each branch has left the clause.
                        return Ok(());
                    }
                    self.end_chunk();
                }
                Goal::Not(_) => {
                    self.control(goal, cut, false)?;
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

    pub(super) fn end_chunk(&mut self) {
        for v in self.vars.values_mut() {
            v.reg = None;
        }
        self.held.clear();
        self.next = self.base;
        self.wish.clear();
    }

    /// Gives scratch registers back after an inline goal.
    pub(super) fn shrink(&mut self) {
        let top = self
            .vars
            .values()
            .filter_map(|v| v.reg)
            .map(|r| r as usize + 1)
            .max();
        self.next = top.unwrap_or(0).max(self.base);
    }

    pub(super) fn level(&mut self) -> u16 {
        self.slots += 1;
        self.slots - 1
    }

    pub(super) fn label(&self) -> u32 {
        self.code.len() as u32
    }

    pub(super) fn patch(&mut self, at: usize) {
        let here = self.label();
        self.code[at].c = here;
        self.held.clear();
    }

    /// The end of a clause without an environment (see [`is_flat`]): variables stay in registers, and
    /// each branch finds them where the tests did.
    fn flat(&mut self, cond: &[Goal], then: &[Goal], other: &[Goal], cut: Option<u16>) -> Done<()> {
        let before = (self.vars.clone(), self.next);
        let try_at = self.code.len();
        self.emit(Op::SetElse, 0, 0, 0);
        self.body(cond, false, cut)?;
        self.emit(Op::ClearElse, 0, 1, 0);
        self.body(then, true, cut)?;
        (self.vars, self.next) = before;
        self.patch(try_at);
        self.emit(Op::Branch, u8::from(self.env), 0, 1);
        self.body(other, true, cut)
    }

    /// `last`: nothing follows, so that the last call of each branch needs the environment no more.
    pub(super) fn control(&mut self, goal: &Goal, cut: Option<u16>, last: bool) -> Done<()> {
        match goal {
            Goal::Or(a, b) => {
                self.prepare(&[a, b]);
                let try_at = self.code.len();
                self.emit(Op::TryElse, 1, 0, 0);
                self.branch(a, cut, last)?;
                self.alternative(try_at, b, cut, last)?;
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
                    self.branch(cond, None, false)?;
                    self.emit(Op::ClearElse, 1, 1, 0);
                } else {
                    self.emit(Op::GetLevel, 0, level, 0);
                    try_at = self.code.len();
                    // The condition belongs to the branch that follows from it.
                    self.emit(Op::TryElse, 1, 0, 0);
                    self.branch(cond, Some(level), false)?;
                    self.emit(if *soft { Op::SoftCut } else { Op::CutTo }, 0, level, 0);
                }
                self.branch(then, cut, last)?;
                self.alternative(try_at, other, cut, last)?;
            }
            Goal::Not(cond) => {
                self.prepare(&[cond]);
                let tests = !self.plain && cond.iter().all(Goal::is_test);
                let level = self.level();
                let try_at;
                if tests {
                    try_at = self.code.len();
                    self.emit(Op::SetElse, 0, 0, 0);
                    self.branch(cond, None, false)?;
                    self.emit(Op::ClearElse, 0, 0, 0);
                } else {
                    self.emit(Op::GetLevel, 0, level, 0);
                    try_at = self.code.len();
                    self.emit(Op::TryElse, 0, 0, 0);
                    self.branch(cond, Some(level), false)?;
                    self.emit(Op::CutTo, 0, level, 0);
                }
                self.emit(Op::Fail, 0, 0, 0);
                self.patch(try_at);
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn branch(&mut self, goals: &[Goal], cut: Option<u16>, last: bool) -> Done<()> {
        self.end_chunk();
        self.body(goals, last, cut)?;
        self.end_chunk();
        Ok(())
    }

    /// The second branch of a construct whose first one has just been compiled.
    fn alternative(
        &mut self,
        try_at: usize,
        goals: &[Goal],
        cut: Option<u16>,
        last: bool,
    ) -> Done<()> {
        let jump_at = self.code.len();
        if !last {
            self.emit(Op::Jump, 0, 0, 0);
        }
        self.patch(try_at);
        self.emit(Op::Branch, u8::from(self.env), 0, 1);
        self.branch(goals, cut, last)?;
        if !last {
            self.patch(jump_at);
        }
        Ok(())
    }

    /// Variables that are first met inside a construct but also live outside one branch of it
    /// are made before it, so that every branch finds them.
    pub(super) fn prepare(&mut self, branches: &[&Vec<Goal>]) {
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
    pub(super) fn uses(&self, term: Cell, out: &mut Vec<u8>) {
        self.store.each_var(term, &mut |at| {
            if let Some(r) = self.vars.get(&at).and_then(|v| v.reg) {
                out.push(r);
            }
        });
    }

    /// Puts the arguments of a goal into the argument registers.
    pub(super) fn arguments(&mut self, term: Cell) -> Done<()> {
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
    pub(super) fn put(&mut self, reg: u8, term: Cell) -> Done<()> {
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
    pub(super) fn build(&mut self, reg: u8, term: Cell) -> Done<()> {
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

    pub(super) fn put_inner(&mut self, reg: u8, term: Cell) -> Done<()> {
        match self.store.look(term) {
            Look::Blob(_) | Look::Small(_) => {
                self.template(reg, term);
                Ok(())
            }
            _ => self.build(reg, term),
        }
    }

    /// A register that holds a term.
    pub(super) fn operand(&mut self, term: Cell) -> Done<u8> {
        if let Look::Var(at) = self.store.look(term) {
            let v = self.vars[&at];
            if let (false, Some(r)) = (v.lasting, v.reg) {
                return Ok(r);
            }
            let held = |h: &&(u8, u16)| v.lasting && v.seen && h.1 == v.slot;
            if let Some(&(reg, _)) = self.held.iter().find(held) {
                // It must not be given away while the other operand is placed.
                self.next = self.next.max(reg as usize + 1);
                return Ok(reg);
            }
        }
        let tmp = self.fresh()?;
        self.put(tmp, term)?;
        Ok(tmp)
    }

    pub(super) fn unify(&mut self, a: Cell, b: Cell) -> Done<()> {
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
}
