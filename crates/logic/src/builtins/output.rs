//! Writing terms and characters to streams.

use std::collections::HashMap;

use crate::atoms::known;
use crate::cell::*;
use crate::machine::Machine;
use crate::program::Program;
use crate::run::{Flow, Res, Thrown};
use crate::store::Look;
use crate::writer::{Style, write_term};

use super::format::portrays;
use super::options::{Options, options, truth};

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

    /// Writes a term to a stream.
    pub(crate) fn put_term(&mut self, id: u32, c: Cell, style: &Style) -> Result<(), Thrown> {
        let text = self.written_text(c, style)?;
        self.put_text(id, &text);
        Ok(())
    }
}

/// The stream to write to, the first argument or the current output, and the next argument.
fn sink<const S: bool>(m: &mut Machine) -> Result<(u32, usize), Thrown> {
    if S {
        Ok((m.output_stream(m.regs[0])?, 1))
    } else {
        Ok((m.streams.output, 0))
    }
}

pub(super) fn write<const S: bool>(m: &mut Machine, _: &Program) -> Res {
    let (id, at) = sink::<S>(m)?;
    m.put_term(id, m.regs[at], &Style::plain())?;
    Ok(Flow::Yes)
}

pub(super) fn writeq<const S: bool>(m: &mut Machine, _: &Program) -> Res {
    let (id, at) = sink::<S>(m)?;
    m.put_term(id, m.regs[at], &Style::quoted())?;
    Ok(Flow::Yes)
}

/// `print/1`: as the program's `portray/1` says, where it has one.
pub(super) fn print(m: &mut Machine, prog: &Program) -> Res {
    if portrays(m, prog)
        && let Some(n) = m.atoms.find("$print_portrayed")
        && let Some(p) = prog.find(n, 1)
    {
        return Ok(Flow::Goal(p));
    }
    m.put_term(m.streams.output, m.regs[0], &Style::quoted())?;
    Ok(Flow::Yes)
}

/// `'$print'(Stream, Term)`: parts that `portray/1` has shown are texts.
pub(super) fn printed(m: &mut Machine, _: &Program) -> Res {
    let id = m.output_stream(m.regs[0])?;
    m.put_term(id, m.regs[1], &Style::printed())?;
    Ok(Flow::Yes)
}

/// Names for the variables of a term as `write_canonical` and listings give them: `A`, `B`, …, and
/// `_` where a variable occurs once.
pub(super) fn letters(m: &Machine, c: Cell) -> HashMap<usize, String> {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    let mut order = Vec::new();
    m.store.each_var(c, &mut |at| {
        let n = counts.entry(at).or_insert(0);
        *n += 1;
        if *n == 1 {
            order.push(at);
        }
    });
    let mut next = 0usize;
    let mut names = HashMap::new();
    for at in order {
        let name = if counts[&at] == 1 {
            "_".to_owned()
        } else {
            next += 1;
            crate::writer::letter(next as u64 - 1)
        };
        names.insert(at, name);
    }
    names
}

pub(super) fn canonical<const S: bool>(m: &mut Machine, _: &Program) -> Res {
    let (id, at) = sink::<S>(m)?;
    let style = Style {
        ignore_ops: true,
        number_vars: false,
        names: letters(m, m.regs[at]),
        ..Style::quoted()
    };
    m.put_term(id, m.regs[at], &style)?;
    Ok(Flow::Yes)
}

/// `'$listed'(Term, Text)`: as `portray_clause` writes a part of a clause, variables numbered.
pub(super) fn listed(m: &mut Machine, _: &Program) -> Res {
    let priority = match m.store.look(m.regs[1]) {
        Look::Small(n) => n as u16,
        _ => 999,
    };
    let style = Style {
        spaced: true,
        portray: true,
        priority,
        ..Style::quoted()
    };
    let out = m.written_text(m.regs[0], &style)?;
    let c = m.store.text(&out);
    Ok(m.store.unify(m.regs[2], c).into())
}

/// `'$letters'(Term)`: binds the variables to `'$VAR'(N)`, those that occur once to `'$VAR'('_')`.
pub(super) fn bind_letters(m: &mut Machine, _: &Program) -> Res {
    let names = letters(m, m.regs[0]);
    let mut n = 0;
    for v in m.store.vars(m.regs[0]) {
        let value = if names.get(&addr(v)).is_some_and(|s| s == "_") {
            m.atom("_")
        } else {
            n += 1;
            small(n - 1)
        };
        let t = m.compound_of(known::NUMBER_VARS, &[value]);
        m.store.unify(v, t);
    }
    Ok(Flow::Yes)
}

pub(super) fn writeln<const S: bool>(m: &mut Machine, _: &Program) -> Res {
    let (id, at) = sink::<S>(m)?;
    m.put_term(id, m.regs[at], &Style::plain())?;
    m.put_text(id, "\n");
    Ok(Flow::Yes)
}

pub(super) fn nl<const S: bool>(m: &mut Machine, _: &Program) -> Res {
    let (id, _) = sink::<S>(m)?;
    m.put_text(id, "\n");
    Ok(Flow::Yes)
}

pub(super) fn tab<const S: bool>(m: &mut Machine, _: &Program) -> Res {
    let (id, at) = sink::<S>(m)?;
    let c = m.eval_cell(m.regs[at])?;
    let n = match m.store.look(c) {
        Look::Small(n) => n.max(0) as usize,
        _ => return Err(m.type_error("integer", c)),
    };
    if n / 8 > m.fuel.cells {
        return Err(m.resource_error("memory"));
    }
    m.put_text(id, &" ".repeat(n));
    Ok(Flow::Yes)
}

pub(super) fn put_char<const S: bool>(m: &mut Machine, _: &Program) -> Res {
    let (id, at) = sink::<S>(m)?;
    let c = m.regs[at];
    match m.store.look(c) {
        Look::Var(_) => Err(m.instantiation()),
        Look::Atom(n) if m.atoms.name(n).chars().count() == 1 => {
            let text = m.atoms.shared(n);
            m.put_text(id, &text);
            Ok(Flow::Yes)
        }
        _ => Err(m.type_error("character", c)),
    }
}

pub(super) fn put_code<const S: bool>(m: &mut Machine, _: &Program) -> Res {
    let (id, at) = sink::<S>(m)?;
    let c = m.regs[at];
    match m.store.look(c) {
        Look::Var(_) => Err(m.instantiation()),
        Look::Small(n) => match u32::try_from(n).ok().and_then(char::from_u32) {
            Some(ch) => {
                m.put_text(id, ch.encode_utf8(&mut [0; 4]));
                Ok(Flow::Yes)
            }
            None => Err(m.representation_error("character_code")),
        },
        _ => Err(m.type_error("integer", c)),
    }
}

/// `put_byte`: there are no binary streams.
pub(super) fn put_byte<const S: bool>(m: &mut Machine, _: &Program) -> Res {
    let (id, at) = sink::<S>(m)?;
    match m.store.look(m.regs[at]) {
        Look::Var(_) => return Err(m.instantiation()),
        Look::Small(0..=255) => {}
        _ => return Err(m.type_error("byte", m.regs[at])),
    }
    let culprit = if S { m.regs[0] } else { m.stream_term(id) };
    Err(m.permission_error("output", "text_stream", culprit))
}

/// `write_term/2` and `write_term/3`.
pub(super) fn write_options<const S: bool>(m: &mut Machine, prog: &Program) -> Res {
    let (id, at) = sink::<S>(m)?;
    let mut style = Style {
        number_vars: false,
        ..Style::plain()
    };
    let (mut stop, mut line) = (false, false);
    let mut shown = false;
    for (name, value) in options(m, m.regs[at + 1], Options::Write)? {
        match &*name {
            "portray" | "portrayed" => shown |= truth(m, &name, value)? && portrays(m, prog),
            "portray_goal" => shown = true,
            "$portrayed" => style.portrayed = true,
            "no_lists" => style.dotted |= truth(m, &name, value)?,
            "quoted" => style.quoted = truth(m, &name, value)?,
            "ignore_ops" => style.ignore_ops = truth(m, &name, value)?,
            "numbervars" => style.number_vars = truth(m, &name, value)?,
            "dotlists" => style.dotted = truth(m, &name, value)?,
            "fullstop" => stop = truth(m, &name, value)?,
            "nl" => line = truth(m, &name, value)?,
            "max_depth" => match m.store.look(value) {
                Look::Small(n) if n > 0 => style.depth = n as usize,
                Look::Small(0) => {}
                _ => return Err(m.type_error("integer", value)),
            },
            "priority" => match m.store.look(value) {
                Look::Small(n @ 0..=1200) => style.priority = n as u16,
                _ => return Err(m.domain_error("operator_priority", value)),
            },
            "spacing" => {
                style.spaced = matches!(m.store.look(value), Look::Atom(n)
                    if m.atoms.name(n) == "next_argument");
            }
            "variable_names" => style.names = variable_names(m, value)?,
            _ => {}
        }
    }
    if shown
        && !style.portrayed
        && let Some(n) = m.atoms.find("$write_portrayed")
        && let Some(p) = prog.find(n, 3)
    {
        let stream = m.stream_term(id);
        (m.regs[2], m.regs[1], m.regs[0]) = (m.regs[at + 1], m.regs[at], stream);
        return Ok(Flow::Goal(p));
    }
    m.put_term(id, m.regs[at], &style)?;
    match (stop, line) {
        (true, true) => m.put_text(id, ".\n"),
        (true, false) => m.put_text(id, ". "),
        (false, true) => m.put_text(id, "\n"),
        (false, false) => {}
    }
    Ok(Flow::Yes)
}

/// The names in `['X'=X, …]`; the first name of a variable counts.
fn variable_names(m: &mut Machine, list: Cell) -> Result<HashMap<usize, String>, Thrown> {
    let mut names = HashMap::new();
    for pair in super::lists::items(m, list)? {
        let (name, value) = match m.store.look(pair) {
            Look::Compound(f, a) if m.atoms.functor_parts(f) == (known::EQUAL, 2) => {
                (m.store.cells[a], m.store.cells[a + 1])
            }
            Look::Var(_) => return Err(m.instantiation()),
            _ => {
                let option = m.compound("variable_names", &[list]);
                return Err(m.domain_error("write_option", option));
            }
        };
        let text = match m.store.look(name) {
            Look::Var(_) => return Err(m.instantiation()),
            Look::Atom(n) => m.atoms.name(n).to_owned(),
            _ => {
                let option = m.compound("variable_names", &[list]);
                return Err(m.domain_error("write_option", option));
            }
        };
        let good = text.starts_with(|c: char| c == '_' || c.is_uppercase())
            && text.chars().all(crate::lexer::is_word);
        if !good {
            return Err(m.domain_error("variable_name", name));
        }
        if let Look::Var(at) = m.store.look(value) {
            names.entry(at).or_insert(text);
        }
    }
    Ok(names)
}

/// `'$message'(Term, Text)`: what an error term says.
pub(super) fn message(m: &mut Machine, _: &Program) -> Res {
    let limit = m.fuel.cells;
    let ball = m.store.save(m.regs[0], limit).map_err(|e| m.too_big(e))?;
    let trouble = m.explain(&ball);
    let c = m.store.text(&trouble.message);
    Ok(m.store.unify(m.regs[1], c).into())
}
