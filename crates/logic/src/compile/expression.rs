//! Arithmetic in line.

use crate::cell::*;
use crate::code::Op;
use crate::number;
use crate::store::Look;

use super::{Compiler, Done, is_arithmetic, pack};

impl Compiler<'_> {
    pub(super) fn assign(&mut self, x: Cell, e: Cell) -> Done<()> {
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
    pub(super) fn expression(&mut self, e: Cell) -> Done<u8> {
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
