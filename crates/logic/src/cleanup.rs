//! `setup_call_cleanup/3`: a goal that runs when another is done, whichever way.
//!
//! The goal leaves a choice point of its own kind below those of the guarded goal. Backtracking to
//! it, cutting it and unwinding past it make its cleanup due. Cleanups run between two
//! instructions, as a query inside the query. What they bind stays bound after a cut, which goes on
//! where it was; in the other cases the bindings of the guarded goal are undone anyway.

use crate::atoms::known;
use crate::cell::*;
use crate::machine::*;
use crate::program::Program;
use crate::run::{Flow, Res, Thrown};
use crate::store::Look;

impl Machine {
    /// Notes the cleanups of the choice points above `n`, which are about to go for this `reason`;
    /// an error of a cleanup `counts` unless another error is on its way.
    #[cold]
    pub(crate) fn cut_cleanups(&mut self, n: usize, counts: bool, reason: Cell) -> bool {
        let mut due = false;
        for i in (n..self.choices.len()).rev() {
            if self.choices[i].kind != Kind::Cleanup {
                continue;
            }
            // Whoever drops the choice point afterwards must not note it again.
            self.choices[i].kind = Kind::Else;
            self.cleanups -= 1;
            due = true;
            let args = self.choices[i].args as usize;
            let (goal, catcher) = (self.saved[args], self.saved[args + 1]);
            let call = self.compound("$clean", &[catcher, reason, goal]);
            // What does not fit the memory allowed is not run either.
            if let Ok(goal) = self.store.save(call, self.fuel.cells) {
                self.pending.push(Pending {
                    goal,
                    counts,
                    live: Some(call),
                });
            }
        }
        due
    }

    /// Runs the cleanups that are due. `Some` stops the run instead.
    pub(crate) fn run_cleanups(&mut self) -> Option<Leave> {
        // After anything but a cut the heap may have changed under the goals.
        let prompt = std::mem::replace(&mut self.prompt, usize::MAX);
        let stale = self.pending.iter_mut().take(prompt);
        stale.for_each(|cleanup| cleanup.live = None);
        while !self.cleaning && !self.pending.is_empty() {
            let cleanup = self.pending[0].clone();
            let regs = self.regs.clone();
            let (e, cp, b0, pc, fault) = (self.e, self.cp, self.b0, self.pc, self.fault);
            let (node, parent, recording) = (self.node, self.parent, self.recording);
            let (resume, collect_at) = (self.resume, self.collect_at);
            let leave = self.leave.take();
            let (base, trail) = (self.choices.len(), self.store.trail.len());
            self.push_choice(Kind::Bottom, 0, 0);
            self.cp = STOP;
            self.regs[0] = match cleanup.live {
                Some(goal) => goal,
                None => self.store.load(&cleanup.goal.0),
            };
            let call = self.program.find(known::CALL, 1).unwrap_or(0);
            self.resume = Resume::Enter(call);
            // Registers hold words that may be stale, so nothing is collected meanwhile.
            self.collect_at = usize::MAX;
            self.recording = false;
            self.cleaning = true;
            let why = self.drive();
            self.cleaning = false;
            if !matches!(why, Leave::Solution) {
                self.store.undo(trail);
            }
            self.cut(base);
            self.regs = regs;
            (self.e, self.cp, self.b0, self.pc, self.fault) = (e, cp, b0, pc, fault);
            (self.node, self.parent, self.recording) = (node, parent, recording);
            (self.resume, self.collect_at) = (resume, collect_at);
            self.leave = leave;
            match why {
                // It begins anew when there is fuel again.
                Leave::Steps => {
                    self.pending.iter_mut().for_each(|p| p.live = None);
                    return Some(Leave::Steps);
                }
                Leave::Memory | Leave::Collect => return Some(Leave::Memory),
                Leave::Halted(n) => return Some(Leave::Halted(n)),
                _ => {}
            }
            self.asked = None;
            self.pending.remove(0);
            if let (Leave::Thrown(ball), true) = (why, cleanup.counts) {
                let ball = Thrown(self.store.load(&ball.0));
                let program = std::mem::take(&mut self.program);
                let at = self.throw::<false>(&program, ball, self.pc);
                self.program = program;
                match self.leave.take() {
                    Some(Leave::Cleanup) => {}
                    Some(why) => return Some(why),
                    None => self.resume = Resume::At(at as u32),
                }
            }
        }
        None
    }
}

/// `'$cleanup'(Goal, Catcher, Level)`: guards what follows.
pub(crate) fn guard(m: &mut Machine, _: &Program) -> Res {
    let level = small(m.choices.len() as i64);
    if !m.store.unify(m.regs[2], level) {
        return Ok(Flow::No);
    }
    m.push_choice(Kind::Cleanup, 0, 2);
    m.cleanups += 1;
    Ok(Flow::Yes)
}

/// `'$cleanup_exit'(Level, Done)`: the guarded goal succeeded; Done is `true` if it left no choice
/// point, so that its cleanup is the next thing to run.
pub(crate) fn exit(m: &mut Machine, _: &Program) -> Res {
    let Look::Small(level) = m.store.look(m.regs[0]) else {
        return Err(m.instantiation());
    };
    let level = level as usize;
    let done = m.choices.len() == level + 1;
    if done {
        m.cleanups -= 1;
        m.choices[level].kind = Kind::Else;
        m.cut(level);
    }
    let done = atom(if done { known::TRUE } else { known::FALSE });
    Ok(m.store.unify(m.regs[1], done).into())
}

/// Sets an argument: `setarg/3` until backtracking, `nb_setarg/3` for good.
pub(crate) fn set_arg<const KEEP: bool>(m: &mut Machine, _: &Program) -> Res {
    let (n, term) = (m.regs[0], m.regs[1]);
    let n = match m.store.look(n) {
        Look::Small(k) if k >= 0 => k as usize,
        Look::Small(_) => return Err(m.domain_error("not_less_than_zero", n)),
        Look::Var(_) => return Err(m.instantiation()),
        _ => return Err(m.type_error("integer", n)),
    };
    let (a, arity) = match m.store.look(term) {
        Look::Pair(a) => (a, 2),
        Look::Compound(f, a) => (a, functor_arity(f)),
        Look::Var(_) => return Err(m.instantiation()),
        _ => return Err(m.type_error("compound", term)),
    };
    if n == 0 || n > arity {
        return Ok(Flow::No);
    }
    let at = a + n - 1;
    let value = m.store.deref(m.regs[2]);
    if !KEEP {
        m.store.assign(at, value);
        return Ok(Flow::Yes);
    }
    let limit = m.fuel.cells;
    let copy = m.store.copy(value, limit).map_err(|e| m.too_big(e))?;
    m.store.cells[at] = copy;
    // The copy must outlive backtracking, so no choice point may cut the heap below it.
    if !matches!(tag(copy), ATM | INT) {
        let top = m.store.cells.len();
        for c in &mut m.choices {
            c.heap = top as u32;
        }
        m.store.hb = top;
    }
    Ok(Flow::Yes)
}

/// `b_setval(Key, Value)`.
pub(crate) fn set_global(m: &mut Machine, _: &Program) -> Res {
    let key = match m.store.look(m.regs[0]) {
        Look::Atom(n) => n,
        Look::Var(_) => return Err(m.instantiation()),
        _ => return Err(m.type_error("atom", m.regs[0])),
    };
    let value = m.store.deref(m.regs[1]);
    m.store.set_global(key, value);
    Ok(Flow::Yes)
}

/// `nb_setval(Key, Value)`.
pub(crate) fn keep_global(m: &mut Machine, _: &Program) -> Res {
    let key = match m.store.look(m.regs[0]) {
        Look::Atom(n) => n,
        Look::Var(_) => return Err(m.instantiation()),
        _ => return Err(m.type_error("atom", m.regs[0])),
    };
    let limit = m.fuel.cells;
    let value = m.store.save(m.regs[1], limit).map_err(|e| m.too_big(e))?;
    m.store.drop_global(key);
    m.globals.insert(key, value);
    Ok(Flow::Yes)
}

/// `'$globals'(Keys)`: the keys that have a value.
pub(crate) fn globals(m: &mut Machine, _: &Program) -> Res {
    let mut keys: Vec<u32> = m.store.globals.iter().map(|g| g.0).collect();
    keys.extend(m.globals.keys());
    keys.sort_unstable();
    keys.dedup();
    let items: Vec<Cell> = keys.into_iter().map(atom).collect();
    let list = m.store.list(&items, atom(known::NIL));
    Ok(m.store.unify(m.regs[0], list).into())
}

/// `b_getval` and `nb_getval`.
pub(crate) fn global(m: &mut Machine, _: &Program) -> Res {
    let key = match m.store.look(m.regs[0]) {
        Look::Atom(n) => n,
        Look::Var(_) => return Err(m.instantiation()),
        _ => return Err(m.type_error("atom", m.regs[0])),
    };
    let value = match (m.store.global(key), m.globals.get(&key).cloned()) {
        (Some(c), _) => c,
        (None, Some(kept)) => m.store.load(&kept.0),
        (None, None) => return Err(m.existence_error("variable", m.regs[0])),
    };
    Ok(m.store.unify(m.regs[1], value).into())
}
