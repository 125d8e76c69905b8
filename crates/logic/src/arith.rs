//! Evaluating expressions.

use std::cmp::Ordering;

use num_bigint::BigInt;

use crate::atoms::known;
use crate::cell::*;
use crate::machine::Machine;
use crate::number::{self, Num};
use crate::rational::PATIENCE;
use crate::run::Thrown;
use crate::store::Look;

/// Whether an order is what comparison number `kind` asks for.
#[inline(always)]
pub(crate) fn compared(kind: u32, order: Ordering) -> bool {
    match kind {
        0 => order.is_eq(),
        1 => order.is_ne(),
        2 => order.is_lt(),
        3 => order.is_gt(),
        4 => order.is_le(),
        _ => order.is_ge(),
    }
}

enum Job {
    Visit(Cell),
    One(u32),
    Two(u32),
    /// `powm(Base, Exponent, Modulus)`, the one function of three arguments.
    Three(u32),
}

impl Machine {
    /// The value of an expression, of any depth.
    pub(crate) fn eval(&mut self, c: Cell) -> Result<Num, Thrown> {
        if let Some(n) = self.store.number(c) {
            return Ok(n);
        }
        let mut jobs = vec![Job::Visit(c)];
        let mut values: Vec<Num> = Vec::new();
        let mut done = 0;
        while let Some(job) = jobs.pop() {
            done += 1;
            if done == PATIENCE && self.store.is_cyclic(c) {
                return Err(self.type_error("expression", c));
            }
            if done % 64 == 0 {
                self.store.tally.spend(256);
                self.go_on()?;
            }
            match job {
                Job::Visit(c) => self.visit(c, &mut jobs, &mut values)?,
                Job::One(name) => {
                    let x = values.pop().unwrap_or(Num::Int(0));
                    values.push(self.apply1(name, x)?);
                }
                Job::Three(name) => {
                    let z = values.pop().unwrap_or(Num::Int(0));
                    let y = values.pop().unwrap_or(Num::Int(0));
                    let x = values.pop().unwrap_or(Num::Int(0));
                    let v = number::power_modulo(x, y, z).map_err(|e| self.no_value(e, name, 3))?;
                    values.push(v);
                }
                Job::Two(name) => {
                    let y = values.pop().unwrap_or(Num::Int(0));
                    let x = values.pop().unwrap_or(Num::Int(0));
                    values.push(self.apply2(name, x, y)?);
                }
            }
        }
        Ok(values.pop().unwrap_or(Num::Int(0)))
    }

    fn visit(&mut self, c: Cell, jobs: &mut Vec<Job>, values: &mut Vec<Num>) -> Result<(), Thrown> {
        if let Some(n) = self.store.number(c) {
            values.push(n);
            return Ok(());
        }
        match self.store.look(c) {
            Look::Var(_) => return Err(self.instantiation()),
            Look::Atom(n) => match number::constant(self.atoms.name(n)) {
                Some(v) => values.push(v),
                None => {
                    let pi = self.indicator(n, 0);
                    return Err(self.type_error("evaluable", pi));
                }
            },
            Look::Compound(f, a) => {
                let (name, arity) = self.atoms.functor_parts(f);
                match arity {
                    1 => jobs.push(Job::One(name)),
                    2 => {
                        jobs.push(Job::Two(name));
                        jobs.push(Job::Visit(self.store.cells[a + 1]));
                    }
                    3 if self.atoms.name(name) == "powm" => {
                        jobs.push(Job::Three(name));
                        jobs.push(Job::Visit(self.store.cells[a + 2]));
                        jobs.push(Job::Visit(self.store.cells[a + 1]));
                        jobs.push(Job::Visit(self.store.cells[a]));
                        return Ok(());
                    }
                    _ => {
                        let pi = self.indicator(name, arity);
                        return Err(self.type_error("evaluable", pi));
                    }
                }
                // An unknown function is reported before its arguments are looked at.
                let one = Num::Int(1);
                let text = self.atoms.shared(name);
                let known = match arity {
                    1 => number::unary(&text, one) != Err(number::NoValue::Unknown),
                    _ => number::binary(&text, one.clone(), one) != Err(number::NoValue::Unknown),
                };
                if !known {
                    let pi = self.indicator(name, arity);
                    return Err(self.type_error("evaluable", pi));
                }
                jobs.push(Job::Visit(self.store.cells[a]));
            }
            Look::Pair(a) => {
                // `[X]` evaluates like X.
                if self.store.deref(self.store.cells[a + 1]) == atom(known::NIL) {
                    jobs.push(Job::Visit(self.store.cells[a]));
                } else {
                    return Err(self.type_error("evaluable", c));
                }
            }
            Look::Blob(at) => {
                // A string of one character is its code.
                let text = self.store.text_at(at);
                let mut chars = text.chars();
                match (chars.next(), chars.next()) {
                    (Some(ch), None) => values.push(Num::Int(i64::from(ch as u32))),
                    _ => return Err(self.type_error("character", c)),
                }
            }
            Look::Small(n) => values.push(Num::Int(n)),
        }
        Ok(())
    }

    pub(crate) fn eval_cell(&mut self, c: Cell) -> Result<Cell, Thrown> {
        let c = self.store.deref(c);
        if tag(c) == INT {
            return Ok(c);
        }
        let n = self.eval(c)?;
        Ok(self.store.put_number(&n))
    }

    #[inline(never)]
    pub(crate) fn arith2(&mut self, name: u32, x: Cell, y: Cell) -> Result<Cell, Thrown> {
        let (x, y) = (self.eval(x)?, self.eval(y)?);
        let n = self.apply2(name, x, y)?;
        Ok(self.store.put_number(&n))
    }

    fn apply1(&mut self, name: u32, x: Num) -> Result<Num, Thrown> {
        let text = self.atoms.shared(name);
        number::unary(&text, x).map_err(|e| self.no_value(e, name, 1))
    }

    fn apply2(&mut self, name: u32, x: Num, y: Num) -> Result<Num, Thrown> {
        let text = self.atoms.shared(name);
        if let Some(cells) = number::price(&text, &x, &y) {
            // Large integers: paid for before, because the work cannot be interrupted.
            let cells = cells.map_err(|e| self.no_value(e, name, 2))?;
            self.store.tally.spend(cells);
            self.go_on()?;
            if &*text == "gcd" {
                return self.gcd(x.big(), y.big());
            }
        }
        number::binary(&text, x, y).map_err(|e| self.no_value(e, name, 2))
    }

    /// Euclid's algorithm, which takes many steps where both numbers are large.
    fn gcd(&mut self, mut a: BigInt, mut b: BigInt) -> Result<Num, Thrown> {
        while b != BigInt::ZERO {
            self.store.tally.spend(b.bits() as usize / 16);
            self.go_on()?;
            (a, b) = (b.clone(), a % b);
        }
        let a = if a < BigInt::ZERO { -a } else { a };
        Ok(Num::from_big(a))
    }

    pub(crate) fn arith1(&mut self, name: u32, x: Cell) -> Result<Cell, Thrown> {
        let x = self.eval(x)?;
        let n = self.apply1(name, x)?;
        Ok(self.store.put_number(&n))
    }

    /// Arithmetic comparison number `kind` of [`crate::code::COMPARISONS`].
    pub(crate) fn compare_values(&mut self, kind: u32, x: Cell, y: Cell) -> Result<bool, Thrown> {
        let (x, y) = (self.eval(x)?, self.eval(y)?);
        if x.is_nan() || y.is_nan() {
            // What is not a number differs from everything, itself included.
            return Ok(kind == 1);
        }
        Ok(compared(kind, x.compare(&y)))
    }

    /// Type test number `kind` of [`crate::code::TESTS`].
    pub(crate) fn test(&self, kind: u32, c: Cell) -> bool {
        let look = self.store.look(c);
        let number = |l: Look| match l {
            Look::Small(_) => true,
            Look::Blob(at) => self.store.kind(at) != TEXT,
            _ => false,
        };
        match kind {
            0 => matches!(look, Look::Var(_)),
            1 => !matches!(look, Look::Var(_)),
            2 => matches!(look, Look::Atom(_)),
            3 | 12 => match look {
                Look::Small(_) => true,
                Look::Blob(at) => self.store.kind(at) == BIG,
                _ => false,
            },
            4 => matches!(look, Look::Blob(at) if self.store.kind(at) == FLOAT),
            5 => number(look),
            6 => matches!(look, Look::Atom(_) | Look::Small(_) | Look::Blob(_)),
            7 => matches!(look, Look::Pair(_) | Look::Compound(..)),
            8 => matches!(look, Look::Atom(_) | Look::Pair(_) | Look::Compound(..)),
            9 => self.store.items(c).is_some(),
            10 => matches!(look, Look::Blob(at) if self.store.kind(at) == TEXT),
            _ => self.store.is_ground(c),
        }
    }

    /// Term comparison number `kind` of [`crate::code::ORDERS`].
    pub(crate) fn ordered(&mut self, kind: u32, x: Cell, y: Cell) -> bool {
        let order = |m: &Self| crate::order::compare(&m.store, &m.atoms, x, y);
        match kind {
            0 => crate::order::identical(&self.store, x, y),
            1 => !crate::order::identical(&self.store, x, y),
            2 => order(self).is_lt(),
            3 => order(self).is_gt(),
            4 => order(self).is_le(),
            5 => order(self).is_ge(),
            _ => !self.unifiable(x, y),
        }
    }

    /// Whether two terms unify; nothing stays bound.
    pub(crate) fn unifiable(&mut self, x: Cell, y: Cell) -> bool {
        let (hb, trail) = (self.store.hb, self.store.trail.len());
        // Every binding must be on the trail to be taken back.
        self.store.hb = self.store.cells.len();
        let ok = self.store.unify(x, y);
        self.store.undo(trail);
        self.store.hb = hb;
        ok
    }
}
