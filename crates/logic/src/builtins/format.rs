//! `format/1,2,3`.
//!
//! Directives that call goals (`~@`, and `~p` where the program has a `portray/1`) are done by the
//! library before the text is laid out: it puts what the goals write in the place of the arguments.

use num_bigint::BigInt;

use crate::cell::*;
use crate::machine::Machine;
use crate::number::Num;
use crate::program::Program;
use crate::run::{Flow, Res, Thrown};
use crate::store::Look;
use crate::writer::Style;

/// `format/1`.
pub(super) fn format1(m: &mut Machine, _: &Program) -> Res {
    put(m, m.streams.output, m.regs[0], &[])
}

/// `format/2`.
pub(super) fn format2(m: &mut Machine, prog: &Program) -> Res {
    if let Some(p) = with_goals(m, prog, m.regs[0]) {
        let stream = m.stream_term(m.streams.output);
        (m.regs[2], m.regs[1], m.regs[0]) = (m.regs[1], m.regs[0], stream);
        return Ok(Flow::Goal(p));
    }
    let args = arguments(m, m.regs[1]);
    put(m, m.streams.output, m.regs[0], &args)
}

/// `'$format'(Stream, Format, Args)`.
pub(super) fn format3(m: &mut Machine, prog: &Program) -> Res {
    match with_goals(m, prog, m.regs[1]) {
        Some(p) => Ok(Flow::Goal(p)),
        None => laid_out(m, prog),
    }
}

/// `'$format_done'(Stream, Format, Args)`: no argument is a goal any more.
pub(super) fn laid_out(m: &mut Machine, _: &Program) -> Res {
    let id = m.output_stream(m.regs[0])?;
    let args = arguments(m, m.regs[2]);
    put(m, id, m.regs[1], &args)
}

/// The predicate that calls the goals first, if some argument is a goal or is shown by one.
fn with_goals(m: &Machine, prog: &Program, format: Cell) -> Option<u32> {
    let text = m.text_of(format)?;
    let shown = portrays(m, prog);
    if directives(&text).all(|d| d != '@' && !(shown && d == 'p')) {
        return None;
    }
    prog.find(m.atoms.find("$format_goals")?, 3)
}

/// Whether the program says with `portray/1` how terms are printed.
pub(super) fn portrays(m: &Machine, prog: &Program) -> bool {
    let pred = (m.atoms.find("portray")).and_then(|n| prog.find(n, 1));
    pred.is_some_and(|p| !prog.preds[p as usize].slots.is_empty())
}

/// What stands for each argument: its directive, or `*`.
fn directives(text: &str) -> impl Iterator<Item = char> {
    let mut chars = text.chars();
    let mut known = None;
    std::iter::from_fn(move || {
        if let Some(directive) = known.take() {
            return Some(directive);
        }
        loop {
            if !chars.any(|c| c == '~') {
                return None;
            }
            let mut c = chars.next()?;
            let mut star = false;
            if c == '*' {
                star = true;
                c = chars.next()?;
            } else if c == '`' {
                chars.next()?;
                c = chars.next()?;
            } else {
                while c.is_ascii_digit() {
                    c = chars.next()?;
                }
            }
            let takes = !matches!(c, 'n' | 'N' | '~' | 't' | '|' | '+');
            if star {
                known = takes.then_some(c);
                return Some('*');
            }
            if takes {
                return Some(c);
            }
        }
    })
}

/// `'$format_directives'(Format, Directives)`.
pub(super) fn directives2(m: &mut Machine, _: &Program) -> Res {
    let text = m.text_of(m.regs[0]).unwrap_or_default();
    let mut items = Vec::new();
    for d in directives(&text) {
        items.push(m.atom(d.encode_utf8(&mut [0; 4])));
    }
    let list = m.store.list(&items, atom(crate::atoms::known::NIL));
    Ok(m.store.unify(m.regs[1], list).into())
}

fn put(m: &mut Machine, id: u32, format: Cell, args: &[Cell]) -> Res {
    let text = formatted(m, format, args, m.column(id))?;
    m.put_text(id, &text);
    Ok(Flow::Yes)
}

fn arguments(m: &Machine, c: Cell) -> Vec<Cell> {
    m.store.items(c).unwrap_or_else(|| vec![c])
}

/// The line being laid out: text so far, start of the current column, fill points.
struct Sheet {
    text: String,
    /// Characters that the line has already where the text begins.
    before: usize,
    column: usize,
    fills: Vec<(usize, char)>,
}

impl Sheet {
    /// The position in the line.
    fn width(&self) -> usize {
        match self.text.rfind('\n') {
            Some(i) => self.text[i + 1..].chars().count(),
            None => self.before + self.text.chars().count(),
        }
    }

    /// Ends a column at a position of the line, spreading the space over the fill points.
    fn stop(&mut self, at: usize) {
        let mut missing = at.saturating_sub(self.width());
        if self.fills.is_empty() {
            self.fills.push((self.text.len(), ' '));
        }
        let fills = std::mem::take(&mut self.fills);
        for (k, (pos, c)) in fills.into_iter().enumerate().rev() {
            let share = if k == 0 { missing } else { missing / (k + 1) };
            missing -= share;
            let pad: String = std::iter::repeat_n(c, share).collect();
            self.text.insert_str(pos, &pad);
        }
        self.column = self.width();
    }
}

fn formatted(
    m: &mut Machine,
    format: Cell,
    args: &[Cell],
    before: usize,
) -> Result<String, Thrown> {
    let Some(spec) = m.text_of(format) else {
        return Err(m.instantiation());
    };
    let mut sheet = Sheet {
        text: String::new(),
        before,
        column: before,
        fills: Vec::new(),
    };
    let mut args = args.iter().copied();
    let mut chars = spec.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '~' {
            sheet.text.push(c);
            if c == '\n' {
                sheet.column = 0;
                sheet.fills.clear();
            }
            continue;
        }
        let mut n: Option<i64> = None;
        if chars.peek() == Some(&'*') {
            chars.next();
            let c = next(m, &mut args)?;
            n = Some(match integer(m, c)? {
                k if k >= 0 => k,
                _ => return Err(wrong(m, "no or negative integer for `*' argument")),
            });
        } else if chars.peek() == Some(&'`') {
            chars.next();
            n = chars.next().map(|c| i64::from(c as u32));
        } else {
            while let Some(d) = chars.peek().and_then(|c| c.to_digit(10)) {
                n = Some(
                    n.unwrap_or(0)
                        .saturating_mul(10)
                        .saturating_add(i64::from(d)),
                );
                chars.next();
            }
        }
        let Some(directive) = chars.next() else {
            return Err(wrong(m, "truncated format specification"));
        };
        match directive {
            'n' => {
                for _ in 0..n.unwrap_or(1).clamp(0, 10_000) {
                    sheet.text.push('\n');
                }
                sheet.column = 0;
                sheet.fills.clear();
            }
            // A new line unless one has just begun.
            'N' if sheet.width() == 0 => {}
            'N' => {
                sheet.text.push('\n');
                sheet.column = 0;
                sheet.fills.clear();
            }
            '~' => sheet.text.push('~'),
            'i' => {
                next(m, &mut args)?;
            }
            't' => {
                let fill = n
                    .and_then(|n| u32::try_from(n).ok())
                    .and_then(char::from_u32);
                sheet.fills.push((sheet.text.len(), fill.unwrap_or(' ')));
            }
            '|' => {
                let width = sheet.width();
                sheet.stop(n.map_or(width, |n| n.clamp(0, 10_000) as usize));
            }
            '+' => {
                let at = sheet.column + n.unwrap_or(8).clamp(0, 10_000) as usize;
                sheet.stop(at);
            }
            _ => {
                let c = next(m, &mut args)?;
                let piece = one(m, directive, n, c)?;
                sheet.text.push_str(&piece);
                m.store.tally.spend(piece.len() / 8);
                m.go_on()?;
                if sheet.text.len() / 4 > m.room() {
                    return Err(m.resource_error("memory"));
                }
            }
        }
    }
    if args.next().is_some() {
        return Err(wrong(m, "too many arguments"));
    }
    Ok(sheet.text)
}

fn wrong(m: &mut Machine, why: &str) -> Thrown {
    let why = m.atom(why);
    let formal = m.compound("format", &[why]);
    let context = m.store.var();
    Thrown(m.compound("error", &[formal, context]))
}

/// An argument of the wrong type for its directive.
fn misfit(m: &mut Machine, directive: char, c: Cell) -> Thrown {
    let name = m.atom(directive.encode_utf8(&mut [0; 4]));
    let formal = m.compound("format_argument_type", &[name, c]);
    m.error(formal)
}

fn next(m: &mut Machine, args: &mut impl Iterator<Item = Cell>) -> Result<Cell, Thrown> {
    args.next()
        .ok_or(())
        .map_err(|()| wrong(m, "not enough arguments"))
}

fn integer(m: &mut Machine, c: Cell) -> Result<i64, Thrown> {
    match m.store.look(c) {
        Look::Small(n) => Ok(n),
        Look::Var(_) => Err(m.instantiation()),
        _ => Err(m.type_error("integer", c)),
    }
}

/// One directive that takes an argument.
fn one(m: &mut Machine, directive: char, n: Option<i64>, c: Cell) -> Result<String, Thrown> {
    let term = |m: &mut Machine, style: &Style| m.written_text(c, style);
    Ok(match directive {
        'w' => term(m, &Style::plain())?,
        'q' => term(m, &Style::quoted())?,
        'p' | '@' => term(m, &Style::printed())?,
        'k' => term(
            m,
            &Style {
                ignore_ops: true,
                number_vars: false,
                ..Style::quoted()
            },
        )?,
        'a' => match m.text_of(c) {
            Some(t) if !matches!(m.store.look(c), Look::Pair(_)) => t,
            _ => return Err(misfit(m, directive, c)),
        },
        's' => match m.text_of(c) {
            Some(t) if t == "[]" => String::new(),
            Some(t) => t,
            None => return Err(misfit(m, directive, c)),
        },
        'd' | 'D' => {
            let value = match m.store.number(c) {
                Some(v) if v.is_int() => v.big(),
                _ if m.test(0, c) => return Err(m.instantiation()),
                _ if m.test(7, c) => match m.eval(c)? {
                    v if v.is_int() => v.big(),
                    _ => return Err(misfit(m, directive, c)),
                },
                _ => return Err(misfit(m, directive, c)),
            };
            grouped(
                &value,
                n.unwrap_or(0).clamp(0, 100) as usize,
                directive == 'D',
            )
        }
        'f' | 'e' | 'g' => {
            let value = m.eval(c)?;
            let digits = n.unwrap_or(6).clamp(0, 100) as usize;
            match directive {
                'f' => fixed(&value, digits),
                'e' => exponent(value.float(), digits),
                _ => crate::writer::format_float(value.float()),
            }
        }
        'c' => {
            let code = integer(m, c)?;
            match u32::try_from(code).ok().and_then(char::from_u32) {
                Some(ch) => {
                    std::iter::repeat_n(ch, n.unwrap_or(1).clamp(0, 10_000) as usize).collect()
                }
                None => return Err(m.representation_error("character_code")),
            }
        }
        'r' | 'R' => {
            let value = match m.store.number(c) {
                Some(v) if v.is_int() => v.big(),
                _ => return Err(m.type_error("integer", c)),
            };
            let radix = n.unwrap_or(8);
            if !(2..=36).contains(&radix) {
                return Err(m.domain_error("radix", small(radix)));
            }
            let text = value.to_str_radix(radix as u32);
            if directive == 'R' {
                text.to_uppercase()
            } else {
                text
            }
        }
        _ => {
            let name = m.atom(directive.encode_utf8(&mut [0; 4]));
            return Err(m.existence_error("format_character", name));
        }
    })
}

fn fixed(value: &Num, digits: usize) -> String {
    match value {
        Num::Float(x) => format!("{x:.digits$}"),
        n => {
            let zeros = "0".repeat(digits);
            if digits == 0 {
                n.big().to_string()
            } else {
                format!("{}.{zeros}", n.big())
            }
        }
    }
}

fn exponent(x: f64, digits: usize) -> String {
    let text = format!("{x:.digits$e}");
    match text.split_once('e') {
        Some((m, e)) => {
            let n: i32 = e.parse().unwrap_or(0);
            format!("{m}e{}{:02}", if n < 0 { '-' } else { '+' }, n.abs())
        }
        None => text,
    }
}

/// An integer with a decimal point `shift` digits from the right, and groups of three if wanted.
fn grouped(n: &BigInt, shift: usize, groups: bool) -> String {
    let negative = *n < BigInt::from(0);
    let mut digits = n.magnitude().to_string();
    let mut fraction = String::new();
    if shift > 0 {
        while digits.len() <= shift {
            digits.insert(0, '0');
        }
        fraction = digits.split_off(digits.len() - shift);
    }
    if groups {
        let mut out = String::new();
        for (i, c) in digits.chars().enumerate() {
            if i > 0 && (digits.len() - i).is_multiple_of(3) {
                out.push(',');
            }
            out.push(c);
        }
        digits = out;
    }
    let sign = if negative { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{digits}{point}{fraction}")
}
