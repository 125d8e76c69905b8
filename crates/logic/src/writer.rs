//! From terms to text, in the way `writeq` and friends write them.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::atoms::{Atoms, known};
use crate::cell::*;
use crate::lexer::{is_symbol, is_word};
use crate::ops::{Kind, Ops};
use crate::store::{Look, Store};

/// How to write.
#[allow(clippy::struct_excessive_bools)] // Independent options, as `write_term/2` lists them.
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
    /// Deepest nesting and longest list written; the rest is `...`.
    pub(crate) depth: usize,
    /// A space after the commas between arguments.
    pub(crate) spaced: bool,
    /// Spaces around infix operators, as listings have them.
    pub(crate) portray: bool,
    /// Highest priority that needs no brackets.
    pub(crate) priority: u16,
    /// Write lists as `'[|]'(a,[])`.
    pub(crate) dotted: bool,
    /// Names for variables, by address; others are written `_123`.
    pub(crate) names: HashMap<usize, String>,
    /// Write `'$portrayed'(Text)` as the text: what `portray/1` wrote for a part of the term.
    pub(crate) portrayed: bool,
}

impl Style {
    pub(crate) fn plain() -> Style {
        Style {
            quoted: false,
            ignore_ops: false,
            number_vars: true,
            longest: usize::MAX,
            depth: usize::MAX,
            spaced: false,
            portray: false,
            priority: 1200,
            dotted: false,
            names: HashMap::new(),
            portrayed: false,
        }
    }

    /// As `print/1` writes a term whose parts were shown to `portray/1`.
    pub(crate) fn printed() -> Style {
        Style {
            portrayed: true,
            ..Style::quoted()
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
    /// A term, its highest priority, its depth.
    Term(Cell, u16, usize),
    /// As the operand of an operator, where a bare operator atom needs brackets.
    Operand(Cell, u16, usize),
    Token(&'static str),
    Name(u32),
    /// An operator between its operands.
    Infix(u32),
    /// Commas and the rest of a list, its depth, the items written so far.
    Tail(Cell, usize, usize),
    /// The remaining arguments from an address, and their depth.
    Args(usize, usize, usize),
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
        prefix: Prefix::None,
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
    prefix: Prefix,
}

/// What was written last, as far as the next token must be kept apart from it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prefix {
    None,
    /// A prefix operator: a bracket behind it would open an argument list.
    Operator,
    /// The prefix operator `-`: digits behind it would make a negative number.
    Minus,
}

impl Writer<'_> {
    fn run(&mut self, term: Cell) {
        let mut jobs = vec![Job::Term(term, self.style.priority, 1)];
        while let Some(job) = jobs.pop() {
            if self.out.len() - self.start > self.style.longest || self.store.tally.give_up(2) {
                self.out.push('…');
                return;
            }
            match job {
                Job::Token(t) => self.raw(t),
                Job::Space => self.raw(" "),
                Job::Name(n) => self.name(n),
                Job::Infix(n) => {
                    let before = self.out.len();
                    self.name(n);
                    // What is kept apart on one side is so on the other.
                    if self.out[before..].starts_with(' ') {
                        self.raw(" ");
                    }
                }
                Job::Tail(t, depth, n) => self.tail(t, depth, n, &mut jobs),
                Job::Args(at, left, depth) => {
                    if left > 1 {
                        jobs.push(Job::Args(at + 1, left - 1, depth));
                        jobs.push(Job::Token(self.comma()));
                    }
                    if left > 0 {
                        jobs.push(Job::Term(self.store.cells[at], 999, depth));
                    }
                }
                Job::Term(c, max, depth) => self.term(c, max, depth, false, &mut jobs),
                Job::Operand(c, max, depth) => self.term(c, max, depth, true, &mut jobs),
            }
        }
    }

    fn comma(&self) -> &'static str {
        if self.style.spaced { ", " } else { "," }
    }

    fn tail(&mut self, t: Cell, depth: usize, items: usize, jobs: &mut Vec<Job>) {
        match self.store.look(t) {
            Look::Atom(known::NIL) => self.raw("]"),
            _ if depth + items >= self.style.depth => self.raw("|...]"),
            Look::Pair(a) => {
                self.raw(self.comma());
                jobs.push(Job::Tail(self.store.cells[a + 1], depth, items + 1));
                jobs.push(Job::Term(self.store.cells[a], 999, depth + items + 1));
            }
            _ => {
                self.raw("|");
                jobs.push(Job::Token("]"));
                jobs.push(Job::Term(t, 999, depth + items));
            }
        }
    }

    /// Writes punctuation; a bracket after a prefix operator is kept apart from it.
    fn raw(&mut self, text: &str) {
        if self.prefix != Prefix::None && text.starts_with('(') {
            self.out.push(' ');
        }
        self.prefix = Prefix::None;
        self.out.push_str(text);
    }

    /// Writes a number.
    fn number(&mut self, text: &str) {
        if self.prefix == Prefix::Minus && !text.starts_with('-') {
            self.out.push(' ');
        }
        self.glue(text);
    }

    /// Writes text, with a space first where it would run into what stands before.
    fn glue(&mut self, text: &str) {
        if let (Some(last), Some(first)) =
            (self.out[self.start..].chars().last(), text.chars().next())
            && ((first == '\'' && (is_word(last) || last == '\''))
                || (is_word(last) && is_word(first))
                || (is_symbol(last) && is_symbol(first)))
        {
            self.out.push(' ');
        }
        self.prefix = Prefix::None;
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

    fn term(&mut self, c: Cell, max: u16, depth: usize, operand: bool, jobs: &mut Vec<Job>) {
        let look = self.store.look(c);
        if depth > self.style.depth {
            self.glue("...");
            return;
        }
        match look {
            Look::Var(at) => {
                let text = match self.style.names.get(&at) {
                    Some(name) => name.clone(),
                    None => format!("_{at}"),
                };
                self.glue(&text);
            }
            Look::Small(n) => self.number(&n.to_string()),
            Look::Blob(at) => match self.store.kind(at) {
                FLOAT => {
                    let x = self.store.float_at(at);
                    self.number(&format_float(x));
                }
                BIG => {
                    let n = self.store.big_at(at);
                    let words = n.bits() as usize / 64;
                    self.store.tally.spend(words * words / 8);
                    let n = n.to_string();
                    self.number(&n);
                }
                _ => {
                    let text = self.store.text_at(at);
                    if self.style.quoted {
                        let q = quote_text(&text, '"');
                        self.raw(&q);
                    } else {
                        self.raw(&text);
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
                    self.raw("(");
                    self.name(n);
                    self.raw(")");
                } else {
                    self.name(n);
                }
            }
            Look::Pair(a) if self.style.dotted => {
                self.name(known::DOT);
                self.raw("(");
                jobs.push(Job::Token(")"));
                jobs.push(Job::Args(a, 2, depth + 1));
            }
            Look::Pair(a) => {
                self.raw("[");
                jobs.push(Job::Tail(self.store.cells[a + 1], depth, 1));
                jobs.push(Job::Term(self.store.cells[a], 999, depth + 1));
            }
            Look::Compound(f, a) => self.compound(f, a, max, depth + 1, jobs),
        }
    }

    /// A compound term whose arguments are at this depth.
    fn compound(&mut self, f: Cell, a: usize, max: u16, depth: usize, jobs: &mut Vec<Job>) {
        let (name, arity) = self.atoms.functor_parts(f);
        let arg = |i: usize| self.store.cells[a + i];
        if self.style.number_vars && name == known::NUMBER_VARS && arity == 1 {
            match self.store.look(arg(0)) {
                Look::Small(n) if n >= 0 => {
                    self.glue(&letter(n as u64));
                    return;
                }
                // Only listings make these.
                Look::Atom(n) if self.style.portray && self.atoms.name(n) == "_" => {
                    self.glue("_");
                    return;
                }
                _ => {}
            }
        }
        if self.style.portrayed
            && arity == 1
            && self.atoms.name(name) == "$portrayed"
            && let Look::Blob(at) = self.store.look(arg(0))
            && self.store.kind(at) == TEXT
        {
            let text = self.store.text_at(at);
            self.glue(&text);
            return;
        }
        if name == known::CURLY && arity == 1 && !self.style.ignore_ops {
            self.raw("{");
            jobs.push(Job::Token("}"));
            jobs.push(Job::Term(arg(0), 1200, depth));
            return;
        }
        let text = self.atoms.name(name);
        let roles = self.ops.roles(text);
        // `[]` and `{}` are read as operators nowhere.
        if !self.style.ignore_ops && !matches!(name, known::NIL | known::CURLY) {
            if arity == 2
                && let Some((p, kind)) = roles.infix
            {
                self.infix(name, (p, kind), (arg(0), arg(1)), max, depth, jobs);
                return;
            }
            if arity == 1
                && let Some((p, kind)) = roles.prefix
            {
                self.prefix(name, (p, kind), arg(0), max, depth, jobs);
                return;
            }
            if arity == 1
                && let Some((p, kind)) = roles.postfix
            {
                let la = if kind == Kind::Xf { p - 1 } else { p };
                if p > max {
                    self.raw("(");
                    jobs.push(Job::Token(")"));
                }
                jobs.push(Job::Name(name));
                jobs.push(Job::Operand(arg(0), la, depth));
                return;
            }
        }
        self.name(name);
        self.raw("(");
        jobs.push(Job::Token(")"));
        jobs.push(Job::Args(a, arity, depth));
    }

    fn infix(
        &mut self,
        name: u32,
        (p, kind): (u16, Kind),
        (left, right): (Cell, Cell),
        max: u16,
        depth: usize,
        jobs: &mut Vec<Job>,
    ) {
        let (la, ra) = match kind {
            Kind::Xfx => (p - 1, p - 1),
            Kind::Xfy => (p - 1, p),
            _ => (p, p - 1),
        };
        if p > max {
            self.raw("(");
            jobs.push(Job::Token(")"));
        }
        jobs.push(Job::Operand(right, ra, depth));
        let text = self.atoms.name(name);
        if name == known::COMMA {
            jobs.push(Job::Token(self.comma()));
        } else if name == known::BAR {
            jobs.push(Job::Token("|"));
        } else if text.chars().all(char::is_alphanumeric)
            || matches!(text, "->" | ":-" | "-->" | "*->")
        {
            let tight = matches!(text, "->" | ":-" | "-->" | "*->") && !self.style.portray;
            if !tight {
                jobs.push(Job::Space);
            }
            jobs.push(Job::Name(name));
            if !tight {
                jobs.push(Job::Space);
            }
        } else {
            jobs.push(Job::Infix(name));
        }
        jobs.push(Job::Operand(left, la, depth));
    }

    fn prefix(
        &mut self,
        name: u32,
        (p, kind): (u16, Kind),
        arg: Cell,
        max: u16,
        depth: usize,
        jobs: &mut Vec<Job>,
    ) {
        let ra = if kind == Kind::Fy { p } else { p - 1 };
        if p > max {
            self.raw("(");
            jobs.push(Job::Token(")"));
        }
        self.name(name);
        jobs.push(Job::Operand(arg, ra, depth));
        self.prefix = if name == known::MINUS {
            Prefix::Minus
        } else {
            Prefix::Operator
        };
    }
}

/// The name of a numbered variable: `A` … `Z`, `A1` …
pub(crate) fn letter(n: u64) -> String {
    let letter = char::from(b'A' + (n % 26) as u8);
    match n / 26 {
        0 => letter.to_string(),
        more => format!("{letter}{more}"),
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
        // `/*` would begin a comment, a full stop end the clause.
        Some(c) if is_symbol(c) => s.chars().all(is_symbol) && s != "." && !s.starts_with("/*"),
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
