//! Errors as terms, and the way to the `catch/3` that wants them.

use crate::atoms::known;
use crate::cell::*;
use crate::machine::*;
use crate::number::{NoValue, Num};
use crate::program::Program;
use crate::run::Thrown;
use crate::stored::TooBig;

impl Machine {
    /// Unwinds to the innermost active `catch/3` whose catcher unifies; gives where to go on.
    #[cold]
    pub(crate) fn throw<const REC: bool>(
        &mut self,
        prog: &Program,
        thrown: Thrown,
        pc: usize,
    ) -> usize {
        self.fault = pc;
        let Ok(ball) = self.store.save(thrown.0, self.fuel.cells) else {
            self.resume = Resume::Idle;
            self.leave = Some(Leave::Memory);
            return LEAVE;
        };
        let mut frame = self.e;
        while let Some(c) = self.choices.last() {
            if c.kind == Kind::Bottom {
                break;
            }
            if c.kind == Kind::Catch {
                // Active while the frame made by `catch/3` is among the callers.
                let own = c.target as usize;
                while frame > own {
                    frame = (self.stack[frame] >> 32) as usize;
                }
                let (heap, trail, args) = (c.heap as usize, c.trail as usize, c.args as usize);
                let (e, cp, node, log) = (c.e as usize, c.cp as usize, c.node, c.log as usize);
                let bags = c.pos as usize;
                if frame == own {
                    self.store.undo(trail);
                    self.store.cells.truncate(heap);
                    self.e = e;
                    self.cp = cp;
                    let (catcher, recovery) = (self.saved[args + 1], self.saved[args + 2]);
                    let at = self.choices.len() - 1;
                    // Bindings made by the catcher must be undone if it does not match.
                    let ball_cell = self.store.load(&ball.0);
                    if self.store.unify(catcher, ball_cell) {
                        self.cut(at);
                        self.bags.truncate(bags);
                        if REC {
                            self.log.truncate(log);
                            self.node = node;
                            self.parent = node;
                        }
                        self.regs[0] = recovery;
                        let call = prog.find(known::CALL, 1).unwrap_or(0);
                        if !self.pending.is_empty() && !self.cleaning {
                            self.leave = Some(Leave::Cleanup);
                            self.resume = Resume::Enter(call);
                            return LEAVE;
                        }
                        return self.enter::<REC>(prog, call);
                    }
                }
                self.store.undo(trail);
            }
            if c.kind == Kind::Table {
                self.tables.abort(c.target);
            }
            let (at, trail) = (self.choices.len() - 1, c.trail as usize);
            if self.cleanups != 0 {
                // Cleanups see no bindings of the goal that failed to end.
                self.store.undo(trail);
                let ball = self.store.load(&ball.0);
                let reason = self.compound("exception", &[ball]);
                self.cut_cleanups(at, false, reason);
            }
            self.cut(at);
        }
        self.resume = Resume::Idle;
        if !self.cleaning {
            self.bags.clear();
            self.tables.abandon();
        }
        self.leave = Some(Leave::Thrown(ball));
        LEAVE
    }

    // ---- Error terms ----

    pub(crate) fn error(&mut self, formal: Cell) -> Thrown {
        let context = self.store.var();
        Thrown(self.compound_of(known::ERROR, &[formal, context]))
    }

    pub(crate) fn instantiation(&mut self) -> Thrown {
        let formal = self.atom("instantiation_error");
        self.error(formal)
    }

    pub(crate) fn uninstantiation(&mut self, culprit: Cell) -> Thrown {
        let formal = self.compound("uninstantiation_error", &[culprit]);
        self.error(formal)
    }

    fn pair_error(&mut self, name: &str, kind: &str, culprit: Cell) -> Thrown {
        let kind = self.atom(kind);
        let formal = self.compound(name, &[kind, culprit]);
        self.error(formal)
    }

    pub(crate) fn type_error(&mut self, kind: &str, culprit: Cell) -> Thrown {
        self.pair_error("type_error", kind, culprit)
    }

    pub(crate) fn domain_error(&mut self, kind: &str, culprit: Cell) -> Thrown {
        self.pair_error("domain_error", kind, culprit)
    }

    pub(crate) fn existence_error(&mut self, kind: &str, culprit: Cell) -> Thrown {
        self.pair_error("existence_error", kind, culprit)
    }

    pub(crate) fn permission_error(&mut self, action: &str, kind: &str, culprit: Cell) -> Thrown {
        let (action, kind) = (self.atom(action), self.atom(kind));
        let formal = self.compound("permission_error", &[action, kind, culprit]);
        self.error(formal)
    }

    pub(crate) fn representation_error(&mut self, what: &str) -> Thrown {
        let what = self.atom(what);
        let formal = self.compound("representation_error", &[what]);
        self.error(formal)
    }

    pub(crate) fn resource_error(&mut self, what: &str) -> Thrown {
        let what = self.atom(what);
        let formal = self.compound("resource_error", &[what]);
        self.error(formal)
    }

    pub(crate) fn syntax_error(&mut self, message: &str) -> Thrown {
        let what = self.atom(message);
        let formal = self.compound("syntax_error", &[what]);
        self.error(formal)
    }

    pub(crate) fn too_big(&mut self, _: TooBig) -> Thrown {
        self.resource_error("memory")
    }

    pub(crate) fn indicator(&mut self, name: u32, arity: usize) -> Cell {
        self.compound_of(known::SLASH, &[atom(name), small(arity as i64)])
    }

    /// The error for a predicate that nobody defines; none where the program has asked for failure.
    pub(crate) fn unknown(&mut self, name: u32, arity: usize) -> Option<Thrown> {
        match self.flags.unknown {
            Unknown::Error => return Some(self.unknown_procedure(name, arity)),
            Unknown::Warn => {
                let name = self.atoms.name(name);
                let line = format!("Warning: there is no predicate `{name}/{arity}`\n");
                self.output.push_str(&line);
            }
            Unknown::Fail => {}
        }
        None
    }

    pub(crate) fn unknown_procedure(&mut self, name: u32, arity: usize) -> Thrown {
        let pi = self.indicator(name, arity);
        self.existence_error("procedure", pi)
    }

    pub(crate) fn no_value(&mut self, why: NoValue, name: u32, arity: usize) -> Thrown {
        let evaluation = |m: &mut Self, what: &str| {
            let what = m.atom(what);
            let formal = m.compound("evaluation_error", &[what]);
            m.error(formal)
        };
        match why {
            NoValue::ZeroDivisor => evaluation(self, "zero_divisor"),
            NoValue::Undefined => evaluation(self, "undefined"),
            NoValue::FloatOverflow => evaluation(self, "float_overflow"),
            NoValue::NeedsInteger(n) => {
                let c = self.store.put_number(&n);
                let kind = if matches!(n, Num::Float(_)) {
                    "integer"
                } else {
                    "float"
                };
                self.type_error(kind, c)
            }
            NoValue::NeedsPositive(n) => {
                let c = self.store.put_number(&n);
                self.domain_error("not_less_than_one", c)
            }
            NoValue::NeedsNatural(n) => {
                let c = self.store.put_number(&n);
                self.type_error("not_less_than_one", c)
            }
            NoValue::TooBig => self.resource_error("memory"),
            NoValue::Unknown => {
                let pi = self.indicator(name, arity);
                self.type_error("evaluable", pi)
            }
        }
    }
}
