//! Atoms, strings, codes and characters.

use crate::atoms::known;
use crate::cell::*;
use crate::machine::Machine;
use crate::program::Program;
use crate::run::{Flow, Res, Thrown};
use crate::store::Look;
use crate::writer::{Style, show};

use super::lists::items;

impl Machine {
    /// The text of an atom, string, number, code list or character list.
    pub(crate) fn text_of(&self, c: Cell) -> Option<String> {
        match self.store.look(c) {
            Look::Atom(known::NIL) => Some("[]".to_owned()),
            Look::Atom(n) => Some(self.atoms.name(n).to_owned()),
            Look::Small(n) => Some(n.to_string()),
            Look::Blob(at) if self.store.kind(at) == TEXT => Some(self.store.text_at(at)),
            Look::Blob(_) => Some(show(
                &self.store,
                &self.atoms,
                &self.ops,
                &Style::plain(),
                c,
            )),
            Look::Pair(_) => self.list_text(c),
            _ => None,
        }
    }

    /// The text of a list of codes or characters.
    pub(crate) fn list_text(&self, c: Cell) -> Option<String> {
        let items = self.store.items(c)?;
        items
            .iter()
            .map(|&i| match self.store.look(i) {
                Look::Small(n) => u32::try_from(n).ok().and_then(char::from_u32),
                Look::Atom(n) => {
                    let mut chars = self.atoms.name(n).chars();
                    chars.next().filter(|_| chars.next().is_none())
                }
                _ => None,
            })
            .collect()
    }

    /// A number written in a text, as the reader would read it.
    pub(crate) fn number_in(&mut self, text: &str) -> Option<Cell> {
        let t = text.trim_start();
        let (sign, body) = match t.strip_prefix('-') {
            Some(b) => ("-", b),
            None => ("", t.strip_prefix('+').unwrap_or(t)),
        };
        if !body.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let (c, vars) = self.parse_here(&format!("{sign}{body}")).ok()?;
        (vars.is_empty() && self.store.number(c).is_some()).then_some(c)
    }
}

/// The text of an argument that must have one.
fn need(m: &mut Machine, c: Cell) -> Result<String, Thrown> {
    match m.text_of(c) {
        Some(t) => {
            // What is made of it is about as long: the text itself, or a list of two cells a
            // character.
            if t.len() > 512 {
                m.reserve(2 * t.len())?;
            }
            Ok(t)
        }
        None if m.test(0, c) => Err(m.instantiation()),
        None => Err(m.type_error("text", c)),
    }
}

fn chars_list(m: &mut Machine, text: &str, codes: bool) -> Cell {
    let items: Vec<Cell> = text
        .chars()
        .map(|c| {
            if codes {
                small(i64::from(c as u32))
            } else {
                m.atom(c.encode_utf8(&mut [0; 4]))
            }
        })
        .collect();
    m.store.list(&items, atom(known::NIL))
}

#[derive(Clone, Copy)]
enum Make {
    Atom,
    Text,
}

/// Converts between a text and the list of its codes or characters.
fn explode(m: &mut Machine, codes: bool, make: Make) -> Res {
    let (a, b) = (m.regs[0], m.regs[1]);
    if !m.test(0, a) {
        let text = need(m, a)?;
        let list = chars_list(m, &text, codes);
        return Ok(m.store.unify(b, list).into());
    }
    let text = match m.store.look(b) {
        Look::Atom(known::NIL) => String::new(),
        _ => match m.list_text(b).or_else(|| m.text_of(b)) {
            Some(t) => t,
            None => return Err(m.instantiation()),
        },
    };
    let c = match make {
        Make::Atom => m.atom(&text),
        Make::Text => m.store.text(&text),
    };
    Ok(m.store.unify(a, c).into())
}

pub(super) fn atom_codes(m: &mut Machine, _: &Program) -> Res {
    explode(m, true, Make::Atom)
}

pub(super) fn atom_chars(m: &mut Machine, _: &Program) -> Res {
    explode(m, false, Make::Atom)
}

pub(super) fn string_chars(m: &mut Machine, _: &Program) -> Res {
    explode(m, false, Make::Text)
}

pub(super) fn string_codes(m: &mut Machine, _: &Program) -> Res {
    explode(m, true, Make::Text)
}

pub(super) fn char_code(m: &mut Machine, _: &Program) -> Res {
    let (a, b) = (m.regs[0], m.regs[1]);
    match m.store.look(a) {
        Look::Atom(n) => {
            let mut chars = m.atoms.name(n).chars();
            match (chars.next(), chars.next()) {
                (Some(c), None) => Ok(m.store.unify(b, small(i64::from(c as u32))).into()),
                _ => Err(m.type_error("character", a)),
            }
        }
        Look::Var(_) => match m.store.look(b) {
            Look::Small(n) => match u32::try_from(n).ok().and_then(char::from_u32) {
                Some(c) => {
                    let c = m.atom(c.encode_utf8(&mut [0; 4]));
                    Ok(m.store.unify(a, c).into())
                }
                None => Err(m.representation_error("character_code")),
            },
            Look::Var(_) => Err(m.instantiation()),
            _ => Err(m.type_error("integer", b)),
        },
        _ => Err(m.type_error("character", a)),
    }
}

pub(super) fn length(m: &mut Machine, _: &Program) -> Res {
    let text = need(m, m.regs[0])?;
    let n = text.chars().count() as i64;
    match m.store.look(m.regs[1]) {
        Look::Var(_) => {}
        Look::Small(k) if k >= 0 => {}
        Look::Small(_) => return Err(m.domain_error("not_less_than_zero", m.regs[1])),
        _ => return Err(m.type_error("integer", m.regs[1])),
    }
    Ok(m.store.unify(m.regs[1], small(n)).into())
}

pub(super) fn atom_number(m: &mut Machine, _: &Program) -> Res {
    if m.test(0, m.regs[0]) {
        if m.test(0, m.regs[1]) {
            return Err(m.instantiation());
        }
        let text = need(m, m.regs[1])?;
        let c = m.atom(&text);
        return Ok(m.store.unify(m.regs[0], c).into());
    }
    let text = need(m, m.regs[0])?;
    match m.number_in(&text) {
        Some(c) => Ok(m.store.unify(m.regs[1], c).into()),
        None => Ok(Flow::No),
    }
}

pub(super) fn number_string(m: &mut Machine, _: &Program) -> Res {
    if m.test(0, m.regs[1]) {
        let text = need(m, m.regs[0])?;
        let c = m.store.text(&text);
        return Ok(m.store.unify(m.regs[1], c).into());
    }
    let text = need(m, m.regs[1])?;
    match m.number_in(text.trim()) {
        Some(c) => Ok(m.store.unify(m.regs[0], c).into()),
        None => Ok(Flow::No),
    }
}

pub(super) fn number_codes<const CODES: bool>(m: &mut Machine, _: &Program) -> Res {
    if m.test(0, m.regs[1]) || (!m.test(0, m.regs[0]) && m.store.items(m.regs[1]).is_none()) {
        let text = need(m, m.regs[0])?;
        let codes = chars_list(m, &text, CODES);
        return Ok(m.store.unify(m.regs[1], codes).into());
    }
    let Some(text) = m.list_text(m.regs[1]) else {
        return Err(m.instantiation());
    };
    match m.number_in(&text) {
        Some(c) => Ok(m.store.unify(m.regs[0], c).into()),
        None => Err(m.syntax_error("illegal_number")),
    }
}

/// `'$concat'(A, B, C, Kind)` with A and B known.
pub(super) fn concat(m: &mut Machine, _: &Program) -> Res {
    let (a, b) = (need(m, m.regs[0])?, need(m, m.regs[1])?);
    let text = a + &b;
    let c = make(m, &text, m.regs[3]);
    Ok(m.store.unify(m.regs[2], c).into())
}

fn make(m: &mut Machine, text: &str, kind: Cell) -> Cell {
    if m.store.look(kind) == Look::Atom(known::STRING_ATOM) {
        m.store.text(text)
    } else {
        m.atom(text)
    }
}

pub(super) fn text_concat(m: &mut Machine, _: &Program) -> Res {
    let (a, b) = (need(m, m.regs[0])?, need(m, m.regs[1])?);
    let text = a + &b;
    let is_string = m.test(10, m.regs[0]) || m.test(10, m.regs[1]);
    let c = if is_string {
        m.store.text(&text)
    } else {
        m.atom(&text)
    };
    Ok(m.store.unify(m.regs[2], c).into())
}

fn known_number(m: &mut Machine, c: Cell) -> Result<Option<usize>, Thrown> {
    match m.store.look(c) {
        Look::Small(n) if n >= 0 => Ok(Some(n as usize)),
        Look::Small(_) => Ok(Some(usize::MAX)),
        Look::Var(_) => Ok(None),
        _ => Err(m.type_error("integer", c)),
    }
}

/// `'$sub_text'(Text, B, L, A, Sub, Kind-Solutions)`: all ways, as a list of `s(B,L,A,Sub)`.
pub(super) fn sub_text(m: &mut Machine, _: &Program) -> Res {
    let text = need(m, m.regs[0])?;
    let parts = m.store.args(m.regs[5]);
    let (kind, out) = (parts[0], parts[1]);
    let chars: Vec<char> = text.chars().collect();
    let n = chars.len();
    let mut found: Vec<(usize, usize)> = Vec::new();
    if m.test(0, m.regs[4]) {
        let (b, l, a) = (
            known_number(m, m.regs[1])?,
            known_number(m, m.regs[2])?,
            known_number(m, m.regs[3])?,
        );
        match (b, l, a) {
            (Some(b), Some(l), _) => found.push((b, l)),
            (Some(b), None, Some(a)) => {
                if a <= n && b <= n - a {
                    found.push((b, n - a - b));
                }
            }
            (None, Some(l), Some(a)) => {
                if a <= n && l <= n - a {
                    found.push((n - a - l, l));
                }
            }
            (Some(b), None, None) => found.extend((0..=n.saturating_sub(b)).map(|l| (b, l))),
            (None, Some(l), None) => {
                if l <= n {
                    found.extend((0..=n - l).map(|b| (b, l)));
                }
            }
            (None, None, Some(a)) => {
                if a <= n {
                    found.extend((0..=n - a).map(|b| (b, n - a - b)));
                }
            }
            (None, None, None) => {
                m.reserve((n + 1).saturating_mul(n + 2) * 6)?;
                for b in 0..=n {
                    found.extend((0..=n - b).map(|l| (b, l)));
                }
            }
        }
        found.retain(|&(b, l)| b <= n && l <= n - b && a.is_none_or(|a| n - b - l == a));
    } else {
        let sub: Vec<char> = need(m, m.regs[4])?.chars().collect();
        if sub.len() <= n {
            found.extend(
                (0..=n - sub.len())
                    .filter(|&b| chars[b..b + sub.len()] == sub[..])
                    .map(|b| (b, sub.len())),
            );
        }
    }
    let text_words: usize = found.iter().map(|(_, l)| l / 8).sum();
    m.reserve(found.len().saturating_mul(12) + text_words)?;
    let mut items = Vec::with_capacity(found.len());
    for (b, l) in found {
        let piece: String = chars[b..b + l].iter().collect();
        let sub = make(m, &piece, kind);
        let args = [
            small(b as i64),
            small(l as i64),
            small((n - b - l) as i64),
            sub,
        ];
        items.push(m.compound("s", &args));
    }
    let list = m.store.list(&items, atom(known::NIL));
    Ok(m.store.unify(out, list).into())
}

fn change(m: &mut Machine, f: impl Fn(&str) -> String, as_atom: bool) -> Res {
    let text = f(&need(m, m.regs[0])?);
    let c = if as_atom {
        m.atom(&text)
    } else {
        m.store.text(&text)
    };
    Ok(m.store.unify(m.regs[1], c).into())
}

pub(super) fn upcase(m: &mut Machine, _: &Program) -> Res {
    change(m, str::to_uppercase, true)
}

pub(super) fn downcase(m: &mut Machine, _: &Program) -> Res {
    change(m, str::to_lowercase, true)
}

pub(super) fn string_upper(m: &mut Machine, _: &Program) -> Res {
    change(m, str::to_uppercase, false)
}

pub(super) fn string_lower(m: &mut Machine, _: &Program) -> Res {
    change(m, str::to_lowercase, false)
}

pub(super) fn squeeze(m: &mut Machine, _: &Program) -> Res {
    change(
        m,
        |t| t.split_whitespace().collect::<Vec<_>>().join(" "),
        true,
    )
}

pub(super) fn text_to_string(m: &mut Machine, _: &Program) -> Res {
    if m.store.look(m.regs[0]) == Look::Atom(known::NIL) {
        let c = m.store.text("");
        return Ok(m.store.unify(m.regs[1], c).into());
    }
    change(m, str::to_owned, false)
}

pub(super) fn atom_string(m: &mut Machine, _: &Program) -> Res {
    if m.test(0, m.regs[0]) {
        let text = need(m, m.regs[1])?;
        let c = m.atom(&text);
        return Ok(m.store.unify(m.regs[0], c).into());
    }
    change(m, str::to_owned, false)
}

pub(super) fn string_to_atom(m: &mut Machine, _: &Program) -> Res {
    if m.test(0, m.regs[0]) {
        let text = need(m, m.regs[1])?;
        let c = m.store.text(&text);
        return Ok(m.store.unify(m.regs[0], c).into());
    }
    change(m, str::to_owned, true)
}

pub(super) fn string_code(m: &mut Machine, _: &Program) -> Res {
    let Some(n) = known_number(m, m.regs[0])? else {
        return Err(m.instantiation());
    };
    let text = need(m, m.regs[1])?;
    match n.checked_sub(1).and_then(|i| text.chars().nth(i)) {
        Some(c) => Ok(m.store.unify(m.regs[2], small(i64::from(c as u32))).into()),
        None => Ok(Flow::No),
    }
}

/// `split_string(Text, Separators, Pad, Parts)`.
pub(super) fn split(m: &mut Machine, _: &Program) -> Res {
    let (text, seps, pad) = (
        need(m, m.regs[0])?,
        need(m, m.regs[1])?,
        need(m, m.regs[2])?,
    );
    let parts: Vec<&str> = if seps.is_empty() {
        vec![&text]
    } else {
        text.split(|c| seps.contains(c)).collect()
    };
    let items: Vec<Cell> = parts
        .iter()
        .map(|p| m.store.text(p.trim_matches(|c| pad.contains(c))))
        .collect();
    let list = m.store.list(&items, atom(known::NIL));
    Ok(m.store.unify(m.regs[3], list).into())
}

/// A text that grows must fit the memory allowed, also as an atom.
fn within(m: &mut Machine, bytes: usize) -> Result<(), Thrown> {
    if bytes.is_power_of_two() || bytes > 4096 {
        let most = m.room().saturating_mul(4);
        if bytes > most {
            return Err(m.resource_error("memory"));
        }
    }
    m.store.tally.spend(2);
    m.go_on()
}

pub(super) fn join2(m: &mut Machine, _: &Program) -> Res {
    let parts = items(m, m.regs[0])?;
    let mut text = String::new();
    for p in parts {
        text.push_str(&need(m, p)?);
        within(m, text.len())?;
    }
    let c = m.atom(&text);
    Ok(m.store.unify(m.regs[1], c).into())
}

/// `atomic_list_concat(Parts, Separator, Atom)`, in both directions.
pub(super) fn join3(m: &mut Machine, _: &Program) -> Res {
    let sep = need(m, m.regs[1])?;
    let parts = m.store.items(m.regs[0]);
    if let Some(parts) = parts
        && parts.iter().all(|&p| !m.test(0, p))
    {
        let mut text = String::new();
        for (i, p) in parts.into_iter().enumerate() {
            if i > 0 {
                text.push_str(&sep);
            }
            text.push_str(&need(m, p)?);
            within(m, text.len())?;
        }
        let c = m.atom(&text);
        return Ok(m.store.unify(m.regs[2], c).into());
    }
    if sep.is_empty() {
        return Err(m.domain_error("non_empty_atom", m.regs[1]));
    }
    let text = need(m, m.regs[2])?;
    let items: Vec<Cell> = text.split(sep.as_str()).map(|p| m.atom(p)).collect();
    let list = m.store.list(&items, atom(known::NIL));
    Ok(m.store.unify(m.regs[0], list).into())
}

/// `'$char_type'(Char, Type)`, both known enough to test.
pub(super) fn char_type(m: &mut Machine, _: &Program) -> Res {
    let c = match m.store.look(m.regs[0]) {
        Look::Atom(n) => m.atoms.name(n).chars().next(),
        Look::Small(n) => u32::try_from(n).ok().and_then(char::from_u32),
        _ => return Err(m.instantiation()),
    };
    let Some(c) = c else { return Ok(Flow::No) };
    let kind = m.regs[1];
    match m.store.look(kind) {
        Look::Atom(n) => {
            let name = m.atoms.shared(n);
            Ok(match &*name {
                "alnum" => c.is_alphanumeric(),
                "alpha" | "csym" => c.is_alphanumeric() || c == '_',
                "csymf" => c.is_alphabetic() || c == '_',
                "digit" => c.is_ascii_digit(),
                "space" | "white" => c.is_whitespace(),
                "upper" => c.is_uppercase(),
                "lower" => c.is_lowercase(),
                "punct" => c.is_ascii_punctuation(),
                "graph" => !c.is_whitespace() && !c.is_control(),
                "print" => !c.is_control(),
                "end_of_line" => matches!(c, '\n' | '\r'),
                "ascii" => c.is_ascii(),
                _ => return Err(m.domain_error("char_type", kind)),
            }
            .into())
        }
        Look::Compound(f, a) => {
            let (n, _) = m.atoms.functor_parts(f);
            let name = m.atoms.shared(n);
            let arg = m.store.cells[a];
            let value = match &*name {
                "digit" => match c.to_digit(10) {
                    Some(d) => small(i64::from(d)),
                    None => return Ok(Flow::No),
                },
                "to_lower" => m.atom(&c.to_lowercase().to_string()),
                "to_upper" => m.atom(&c.to_uppercase().to_string()),
                "upper" if c.is_uppercase() => m.atom(&c.to_lowercase().to_string()),
                "lower" if c.is_lowercase() => m.atom(&c.to_uppercase().to_string()),
                _ => return Ok(Flow::No),
            };
            Ok(m.store.unify(arg, value).into())
        }
        _ => Err(m.instantiation()),
    }
}
