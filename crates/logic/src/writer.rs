//! From terms to text, in the way `writeq` and friends write them.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::atoms::{Atoms, known};
use crate::cell::*;
use crate::lexer::{is_symbol, is_word};
use crate::ops::{Kind, Ops};
use crate::store::{Look, Store};

/// How to write.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    /// Quote atoms and strings so that they read back as themselves.
    pub(crate) quoted: bool,
    /// Write operators as plain compound terms.
    pub(crate) ignore_ops: bool,
    /// Write `'$VAR'(1)` as `B`.
    pub(crate) number_vars: bool,
    /// Longest output in bytes; longer terms end in an ellipsis.
    pub(crate) longest: usize,
    /// Names for variables, by address; others are written `_123`.
    pub(crate) names: HashMap<usize, String>,
}

impl Style {
    pub(crate) fn plain() -> Style {
        Style {
            quoted: false,
            ignore_ops: false,
            number_vars: true,
            longest: usize::MAX,
            names: HashMap::new(),
        }
    }

    pub(crate) fn quoted() -> Style {
        Style {
            quoted: true,
            ..Style::plain()
        }
    }
}

/// What is still to be written, newest first: an explicit stack instead of recursion.
enum Job {
    Term(Cell, u16),
    /// As the operand of an operator, where a bare operator atom needs brackets.
    Operand(Cell, u16),
    Token(&'static str),
    Name(u32),
    /// Commas and the rest of a list.
    Tail(Cell),
    /// The remaining arguments from an address.
    Args(usize, usize),
    Space,
}

/// Writes a term to the end of `out`.
pub(crate) fn write_term(
    out: &mut String,
    store: &Store,
    atoms: &Atoms,
    ops: &Ops,
    style: &Style,
    term: Cell,
) {
    let mut w = Writer {
        out,
        store,
        atoms,
        ops,
        style,
        start: 0,
    };
    w.start = w.out.len();
    w.run(term);
}

/// A term as a new string; a cyclic term with the equations that make it.
pub(crate) fn show(store: &Store, atoms: &Atoms, ops: &Ops, style: &Style, term: Cell) -> String {
    if store.is_cyclic(term) {
        return crate::untie::untied(store, atoms, ops, style, term);
    }
    let mut out = String::new();
    write_term(&mut out, store, atoms, ops, style, term);
    out
}

struct Writer<'a> {
    out: &'a mut String,
    store: &'a Store,
    atoms: &'a Atoms,
    ops: &'a Ops,
    style: &'a Style,
    start: usize,
}

impl Writer<'_> {
    fn run(&mut self, term: Cell) {
        let mut jobs = vec![Job::Term(term, 1200)];
        while let Some(job) = jobs.pop() {
            if self.out.len() - self.start > self.style.longest || self.store.tally.give_up(2) {
                self.out.push('…');
                return;
            }
            match job {
                Job::Token(t) => self.out.push_str(t),
                Job::Space => self.out.push(' '),
                Job::Name(n) => self.name(n),
                Job::Tail(t) => self.tail(t, &mut jobs),
                Job::Args(at, left) => {
                    if left > 0 {
                        jobs.push(Job::Args(at + 1, left - 1));
                        jobs.push(Job::Term(self.store.cells[at], 999));
                        if left > 1 {
                            // The comma after this argument comes before the rest.
                            let rest = jobs.len() - 2;
                            jobs.insert(rest + 1, Job::Token(","));
                        }
                    }
                }
                Job::Term(c, max) => self.term(c, max, false, &mut jobs),
                Job::Operand(c, max) => self.term(c, max, true, &mut jobs),
            }
        }
    }

    fn tail(&mut self, t: Cell, jobs: &mut Vec<Job>) {
        match self.store.look(t) {
            Look::Pair(a) => {
                self.out.push(',');
                jobs.push(Job::Tail(self.store.cells[a + 1]));
                jobs.push(Job::Term(self.store.cells[a], 999));
            }
            Look::Atom(known::NIL) => self.out.push(']'),
            _ => {
                self.out.push('|');
                jobs.push(Job::Token("]"));
                jobs.push(Job::Term(t, 999));
            }
        }
    }

    /// Writes text, with a space first where it would run into what stands before.
    fn glue(&mut self, text: &str) {
        if let (Some(last), Some(first)) =
            (self.out[self.start..].chars().last(), text.chars().next())
            && ((is_word(last) && is_word(first)) || (is_symbol(last) && is_symbol(first)))
        {
            self.out.push(' ');
        }
        self.out.push_str(text);
    }

    fn name(&mut self, n: u32) {
        let text = self.atoms.name(n);
        if self.style.quoted {
            let q = quote_atom(text);
            self.glue(&q);
        } else {
            self.glue(text);
        }
    }

    fn term(&mut self, c: Cell, max: u16, operand: bool, jobs: &mut Vec<Job>) {
        match self.store.look(c) {
            Look::Var(at) => {
                let text = match self.style.names.get(&at) {
                    Some(name) => name.clone(),
                    None => format!("_{at}"),
                };
                self.glue(&text);
            }
            Look::Small(n) => self.glue(&n.to_string()),
            Look::Blob(at) => match self.store.kind(at) {
                FLOAT => {
                    let x = self.store.float_at(at);
                    self.glue(&format_float(x));
                }
                BIG => {
                    let n = self.store.big_at(at);
                    let words = n.bits() as usize / 64;
                    self.store.tally.spend(words * words / 8);
                    let n = n.to_string();
                    self.glue(&n);
                }
                _ => {
                    let text = self.store.text_at(at);
                    if self.style.quoted {
                        let q = quote_text(&text, '"');
                        self.out.push_str(&q);
                    } else {
                        self.out.push_str(&text);
                    }
                }
            },
            Look::Atom(n) => {
                let priority = {
                    let r = self.ops.roles(self.atoms.name(n));
                    [r.prefix, r.infix, r.postfix]
                        .into_iter()
                        .flatten()
                        .map(|p| p.0)
                        .max()
                };
                if operand && priority.is_some() {
                    self.out.push('(');
                    self.name(n);
                    self.out.push(')');
                } else {
                    self.name(n);
                }
            }
            Look::Pair(a) => {
                self.out.push('[');
                jobs.push(Job::Tail(self.store.cells[a + 1]));
                jobs.push(Job::Term(self.store.cells[a], 999));
            }
            Look::Compound(f, a) => self.compound(f, a, max, jobs),
        }
    }

    fn compound(&mut self, f: Cell, a: usize, max: u16, jobs: &mut Vec<Job>) {
        let (name, arity) = self.atoms.functor_parts(f);
        let arg = |i: usize| self.store.cells[a + i];
        if self.style.number_vars && name == known::NUMBER_VARS && arity == 1 {
            match self.store.look(arg(0)) {
                Look::Small(n) if n >= 0 => {
                    let letter = char::from(b'A' + (n % 26) as u8);
                    let mut text = letter.to_string();
                    if n >= 26 {
                        let _ = write!(text, "{}", n / 26);
                    }
                    self.glue(&text);
                    return;
                }
                _ => {}
            }
        }
        if name == known::CURLY && arity == 1 && !self.style.ignore_ops {
            self.out.push('{');
            jobs.push(Job::Token("}"));
            jobs.push(Job::Term(arg(0), 1200));
            return;
        }
        let text = self.atoms.name(name);
        let roles = self.ops.roles(text);
        if !self.style.ignore_ops {
            if arity == 2
                && let Some((p, kind)) = roles.infix
            {
                self.infix(name, p, kind, (arg(0), arg(1)), max, jobs);
                return;
            }
            if arity == 1
                && let Some((p, kind)) = roles.prefix
            {
                self.prefix(name, p, kind, arg(0), max, jobs);
                return;
            }
            if arity == 1
                && let Some((p, kind)) = roles.postfix
            {
                let la = if kind == Kind::Xf { p - 1 } else { p };
                if p > max {
                    self.out.push('(');
                    jobs.push(Job::Token(")"));
                }
                jobs.push(Job::Name(name));
                jobs.push(Job::Operand(arg(0), la));
                return;
            }
        }
        self.name(name);
        self.out.push('(');
        jobs.push(Job::Token(")"));
        jobs.push(Job::Args(a, arity));
    }

    fn infix(
        &mut self,
        name: u32,
        p: u16,
        kind: Kind,
        (left, right): (Cell, Cell),
        max: u16,
        jobs: &mut Vec<Job>,
    ) {
        let (la, ra) = match kind {
            Kind::Xfx => (p - 1, p - 1),
            Kind::Xfy => (p - 1, p),
            _ => (p, p - 1),
        };
        if p > max {
            self.out.push('(');
            jobs.push(Job::Token(")"));
        }
        jobs.push(Job::Operand(right, ra));
        let text = self.atoms.name(name);
        if name == known::COMMA {
            jobs.push(Job::Token(","));
        } else if text.chars().all(char::is_alphanumeric)
            || matches!(text, "->" | ":-" | "-->" | "*->")
        {
            let tight = matches!(text, "->" | ":-" | "-->" | "*->");
            if !tight {
                jobs.push(Job::Space);
            }
            jobs.push(Job::Name(name));
            if !tight {
                jobs.push(Job::Space);
            }
        } else {
            jobs.push(Job::Name(name));
        }
        jobs.push(Job::Operand(left, la));
    }

    fn prefix(&mut self, name: u32, p: u16, kind: Kind, arg: Cell, max: u16, jobs: &mut Vec<Job>) {
        let ra = if kind == Kind::Fy { p } else { p - 1 };
        if p > max {
            self.out.push('(');
            jobs.push(Job::Token(")"));
        }
        self.name(name);
        let look = self.store.look(arg);
        let number = matches!(look, Look::Small(_))
            || matches!(look, Look::Blob(at) if self.store.kind(at) != TEXT);
        let inner_is_op = match look {
            Look::Atom(n) => self.ops.is_op(self.atoms.name(n)),
            _ => false,
        };
        jobs.push(Job::Operand(arg, ra));
        // `-(a:-b)` would read back as a compound term, `-1` as a number.
        if (number && (name == known::MINUS || name == known::PLUS))
            || inner_is_op
            || self.brackets(arg, ra)
        {
            jobs.push(Job::Space);
        }
    }

    /// Whether an operand will be written in brackets.
    fn brackets(&self, arg: Cell, max: u16) -> bool {
        match self.store.look(arg) {
            Look::Compound(f, _) => {
                let (n, arity) = self.atoms.functor_parts(f);
                let r = self.ops.roles(self.atoms.name(n));
                let p = if arity == 2 { r.infix } else { r.prefix };
                p.is_some_and(|(p, _)| p > max) && arity <= 2
            }
            _ => false,
        }
    }
}

/// Whether an atom can be written without quotes.
pub(crate) fn is_plain_atom(s: &str) -> bool {
    if matches!(s, "[]" | "!" | ";" | "{}" | ",") {
        return s != ",";
    }
    let mut chars = s.chars();
    match chars.next() {
        Some(c) if c.is_alphabetic() && !c.is_uppercase() => chars.all(is_word),
        Some(c) if is_symbol(c) => s.chars().all(is_symbol) && s != ".",
        _ => false,
    }
}

/// An atom with quotes where it needs them.
pub(crate) fn quote_atom(s: &str) -> String {
    if is_plain_atom(s) {
        s.to_owned()
    } else {
        quote_text(s, '\'')
    }
}

/// Text in quotes, with escapes.
pub(crate) fn quote_text(s: &str, quote: char) -> String {
    let mut out = String::with_capacity(s.len() + 2);
    out.push(quote);
    for c in s.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\x07' => out.push_str("\\a"),
            '\x08' => out.push_str("\\b"),
            '\x0c' => out.push_str("\\f"),
            '\x0b' => out.push_str("\\v"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if (c as u32) < 32 || c as u32 == 127 => {
                let _ = write!(out, "\\x{:x}\\", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// A float in the shortest form that reads back as itself, always with a point.
pub(crate) fn format_float(x: f64) -> String {
    if x.is_nan() {
        return "1.5NaN".to_owned();
    }
    if x.is_infinite() {
        return if x > 0.0 { "1.0Inf" } else { "-1.0Inf" }.to_owned();
    }
    let scientific = format!("{x:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..15).contains(&exponent) {
        let plain = format!("{x}");
        return if plain.contains('.') {
            plain
        } else {
            format!("{plain}.0")
        };
    }
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent < 0 { "" } else { "+" };
    format!("{mantissa}{point}e{sign}{exponent}")
}
