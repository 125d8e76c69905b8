//! Writing into the machine's output buffer.

use crate::atoms::known;
use crate::cell::*;
use crate::machine::Machine;
use crate::program::Program;
use crate::run::{Flow, Res, Thrown};
use crate::store::Look;
use crate::writer::{Style, write_term};

impl Machine {
    /// A term as text, within the memory allowed.
    ///
    /// # Errors
    /// When the term is cyclic, or its text does not fit.
    pub(crate) fn written_text(&mut self, c: Cell, style: &Style) -> Result<String, Thrown> {
        if self.store.is_cyclic(c) {
            return Err(self.type_error("acyclic_term", c));
        }
        let longest = self.room().saturating_mul(4).min(style.longest);
        let mut out = String::new();
        let limited = Style {
            longest,
            ..style.clone()
        };
        write_term(&mut out, &self.store, &self.atoms, &self.ops, &limited, c);
        self.go_on()?;
        if out.len() > longest && style.longest == usize::MAX {
            return Err(self.resource_error("memory"));
        }
        Ok(out)
    }

    /// Writes a term to the output.
    pub(crate) fn put_term(&mut self, c: Cell, style: &Style) -> Result<(), Thrown> {
        let text = self.written_text(c, style)?;
        self.output.push_str(&text);
        Ok(())
    }
}

pub(super) fn write1(m: &mut Machine, _: &Program) -> Res {
    m.put_term(m.regs[0], &Style::plain())?;
    Ok(Flow::Yes)
}

pub(super) fn writeq1(m: &mut Machine, _: &Program) -> Res {
    m.put_term(m.regs[0], &Style::quoted())?;
    Ok(Flow::Yes)
}

pub(super) fn canonical1(m: &mut Machine, _: &Program) -> Res {
    let style = Style {
        ignore_ops: true,
        number_vars: false,
        ..Style::quoted()
    };
    m.put_term(m.regs[0], &style)?;
    Ok(Flow::Yes)
}

pub(super) fn writeln1(m: &mut Machine, _: &Program) -> Res {
    m.put_term(m.regs[0], &Style::plain())?;
    m.output.push('\n');
    Ok(Flow::Yes)
}

pub(super) fn nl0(m: &mut Machine, _: &Program) -> Res {
    m.output.push('\n');
    Ok(Flow::Yes)
}

pub(super) fn tab1(m: &mut Machine, _: &Program) -> Res {
    let n = m.eval(m.regs[0])?.float().max(0.0) as usize;
    m.output.extend(std::iter::repeat_n(' ', n.min(10_000)));
    Ok(Flow::Yes)
}

pub(super) fn put1(m: &mut Machine, _: &Program) -> Res {
    match m.text_of(m.regs[0]) {
        Some(t) => {
            m.output.push_str(&t);
            Ok(Flow::Yes)
        }
        None => Err(m.instantiation()),
    }
}

/// `'$write_term'(Term, Options)`.
pub(super) fn write_term2(m: &mut Machine, _: &Program) -> Res {
    let Some(options) = m.store.items(m.regs[1]) else {
        return Err(m.instantiation());
    };
    let mut style = Style {
        number_vars: false,
        ..Style::plain()
    };
    for o in options {
        if let Look::Compound(f, a) = m.store.look(o) {
            let on = m.store.look(m.store.cells[a]) == Look::Atom(known::TRUE);
            match m.atoms.name(m.atoms.functor_parts(f).0) {
                "quoted" => style.quoted = on,
                "ignore_ops" => style.ignore_ops = on,
                "numbervars" => style.number_vars = on,
                _ => {}
            }
        }
    }
    m.put_term(m.regs[0], &style)?;
    Ok(Flow::Yes)
}

/// `'$out_mark'(N)`: how much output there is.
pub(super) fn mark(m: &mut Machine, _: &Program) -> Res {
    let n = small(m.output.len() as i64);
    Ok(m.store.unify(m.regs[0], n).into())
}

/// `'$out_take'(N, Text)`: takes back what was written since the mark.
pub(super) fn take(m: &mut Machine, _: &Program) -> Res {
    let Look::Small(n) = m.store.look(m.regs[0]) else {
        return Ok(Flow::No);
    };
    let text = m.output.split_off((n as usize).min(m.output.len()));
    let c = m.store.text(&text);
    Ok(m.store.unify(m.regs[1], c).into())
}
