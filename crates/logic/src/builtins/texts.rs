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

    /// The text of a list of codes, or of one of characters.
    pub(crate) fn list_text(&self, c: Cell) -> Option<String> {
        let items = self.store.items(c)?;
        let codes = items.first().is_some_and(|&c| self.test(3, c));
        items.iter().map(|&i| self.letter(i, codes)).collect()
    }

    /// What a code or a character stands for.
    fn letter(&self, c: Cell, code: bool) -> Option<char> {
        match self.store.look(c) {
            Look::Small(n) if code => u32::try_from(n).ok().and_then(char::from_u32),
            Look::Atom(n) if !code => {
                let mut chars = self.atoms.name(n).chars();
                chars.next().filter(|_| chars.next().is_none())
            }
            _ => None,
        }
    }

    /// A number written in a text, as the reader would read it.
    pub(crate) fn number_in(&mut self, text: &str) -> Option<Cell> {
        // Layout and comments may stand before a number, nothing behind it.
        let mut lexer = crate::lexer::Lexer::new(text, 0);
        let first = lexer.next().ok()?;
        let t = &text[first.start..];
        let (sign, body) = match t.strip_prefix('-') {
            Some(b) => ("-", b),
            None => ("", t.strip_prefix('+').unwrap_or(t)),
        };
        if !body.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let mut lexer = crate::lexer::Lexer::new(body, 0);
        lexer.next().ok()?;
        if lexer.at < body.len() {
            return None;
        }
        let (c, _) = self.parse_here(&format!("{sign}{body}")).ok()?;
        self.store.number(c).is_some().then_some(c)
    }

    /// Whether a variable occurs in a term.
    pub(crate) fn holds_variable(&self, c: Cell) -> bool {
        !self.test(11, c)
    }
}

/// The text of an argument that must have one.
fn need(m: &mut Machine, c: Cell) -> Result<String, Thrown> {
    need_as(m, c, "text")
}

/// The text of an argument, or the error that it is not of this type.
fn need_as(m: &mut Machine, c: Cell, kind: &str) -> Result<String, Thrown> {
    match m.text_of(c) {
        Some(t) if kind != "atomic" || !matches!(m.store.look(c), Look::Pair(_)) => {
            // What is made of it is about as long: the text itself, or a list of two cells a
            // character.
            if t.len() > 512 {
                m.reserve(2 * t.len())?;
            }
            Ok(t)
        }
        _ if m.test(0, c) => Err(m.instantiation()),
        _ => Err(m.type_error(kind, c)),
    }
}

/// The text of a list of codes or characters; the first thing wrong with it is the error.
fn need_list(m: &mut Machine, list: Cell, codes: bool) -> Result<String, Thrown> {
    if let Some(text) = m.list_text(list) {
        return Ok(text);
    }
    if let Look::Atom(known::NIL) = m.store.look(list) {
        return Ok(String::new());
    }
    let items = items(m, list)?;
    let codes = kind_of(m, items.first().copied(), codes);
    for c in items {
        if m.test(0, c) {
            return Err(m.instantiation());
        }
        need_letter(m, c, codes)?;
    }
    Err(m.type_error("list", list))
}

/// Whether a list is one of codes: its first item tells, unless it is neither code nor character.
fn kind_of(m: &Machine, first: Option<Cell>, codes: bool) -> bool {
    match first.map(|c| m.store.look(c)) {
        Some(Look::Small(_)) => true,
        Some(Look::Atom(n)) if m.atoms.name(n).chars().count() == 1 => false,
        _ => codes,
    }
}

/// What is in a list must be a code, or a character.
fn need_letter(m: &mut Machine, c: Cell, codes: bool) -> Result<(), Thrown> {
    if m.letter(c, codes).is_some() {
        return Ok(());
    }
    if codes && m.test(3, c) {
        return Err(m.representation_error("character_code"));
    }
    let kind = if codes { "character_code" } else { "character" };
    Err(m.type_error(kind, c))
}

/// Whether an atom's text is that of a list, which may be partial; what cannot be one is an error.
fn same_list(m: &mut Machine, text: &str, list: Cell, codes: bool) -> Res {
    if let Some(other) = m.list_text(list) {
        return Ok((other == text).into());
    }
    // Up to the first variable, everything must be right; nothing longer than the text is.
    let (mut rest, mut kind) = (list, None);
    for _ in 0..=text.len() {
        let Look::Pair(a) = m.store.look(rest) else {
            break;
        };
        let item = m.store.cells[a];
        if m.test(0, item) {
            break;
        }
        let codes = *kind.get_or_insert_with(|| kind_of(m, Some(item), codes));
        need_letter(m, item, codes)?;
        rest = m.store.cells[a + 1];
    }
    match m.store.look(rest) {
        Look::Var(_) | Look::Pair(_) | Look::Atom(known::NIL) => {}
        _ => return Err(m.type_error("list", list)),
    }
    let own = chars_list(m, text, codes);
    Ok(m.store.unify(list, own).into())
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Make {
    Atom,
    Text,
}

/// Converts between a text and the list of its codes or characters.
fn explode(m: &mut Machine, codes: bool, make: Make) -> Res {
    let (a, b) = (m.regs[0], m.regs[1]);
    if !m.test(0, a) {
        if make == Make::Atom && matches!(m.store.look(a), Look::Pair(_)) {
            return Err(m.type_error("atom", a));
        }
        let text = need_as(m, a, if make == Make::Atom { "atom" } else { "string" })?;
        if let Look::Blob(at) = m.store.look(b)
            && m.store.kind(at) == TEXT
        {
            return Ok((m.store.text_at(at) == text).into());
        }
        if make == Make::Atom {
            return same_list(m, &text, b, codes);
        }
        let list = chars_list(m, &text, codes);
        return Ok(m.store.unify(b, list).into());
    }
    let text = match m.store.look(b) {
        Look::Blob(at) if m.store.kind(at) == TEXT => m.store.text_at(at),
        _ => need_list(m, b, codes)?,
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
                (Some(c), None) => {
                    if !m.test(0, b) && !m.test(3, b) {
                        return Err(m.type_error("integer", b));
                    }
                    Ok(m.store.unify(b, small(i64::from(c as u32))).into())
                }
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
    let (a, n) = (m.regs[0], m.regs[1]);
    if m.test(0, a) {
        if m.test(0, n) {
            return Err(m.instantiation());
        }
        if !m.test(5, n) {
            return Err(m.type_error("number", n));
        }
        let text = need(m, n)?;
        let c = m.atom(&text);
        return Ok(m.store.unify(a, c).into());
    }
    if !m.test(2, a) && !m.test(10, a) {
        return Err(m.type_error("atom", a));
    }
    let text = need(m, a)?;
    match m.number_in(&text) {
        Some(c) => Ok(m.store.unify(n, c).into()),
        None => Ok(Flow::No),
    }
}

pub(super) fn number_string(m: &mut Machine, _: &Program) -> Res {
    if m.test(0, m.regs[1]) {
        if m.test(0, m.regs[0]) {
            return Err(m.instantiation());
        }
        if !m.test(5, m.regs[0]) {
            return Err(m.type_error("number", m.regs[0]));
        }
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

/// `number_codes` and `number_chars`: the text is read where it is complete, the number is written
/// otherwise.
pub(super) fn number_codes<const CODES: bool>(m: &mut Machine, _: &Program) -> Res {
    let (n, list) = (m.regs[0], m.regs[1]);
    if !m.test(0, n) && !m.test(5, n) {
        return Err(m.type_error("number", n));
    }
    let text = match m.store.look(list) {
        Look::Blob(at) if m.store.kind(at) == TEXT => Some(m.store.text_at(at)),
        _ => m.list_text(list),
    };
    if !CODES && let Some(items) = m.store.items(list) {
        for c in items {
            if m.test(3, c) {
                return Err(m.type_error("character", c));
            }
        }
    }
    let Some(text) = text else {
        if m.test(0, n) {
            return match need_list(m, list, CODES) {
                Ok(_) => Err(m.syntax_error("illegal_number")),
                Err(e) => Err(e),
            };
        }
        // Something in the list is open, or wrong.
        if let Err(e) = need_list(m, list, CODES)
            && !m.holds_variable(list)
        {
            return Err(e);
        }
        let text = need(m, n)?;
        let codes = chars_list(m, &text, CODES);
        return Ok(m.store.unify(list, codes).into());
    };
    match m.number_in(&text) {
        Some(c) => Ok(m.store.unify(n, c).into()),
        None => Err(m.syntax_error("illegal_number")),
    }
}

/// `name/2`: a number where the text is one, else an atom.
pub(super) fn name(m: &mut Machine, _: &Program) -> Res {
    let (a, list) = (m.regs[0], m.regs[1]);
    if !m.test(0, a) {
        let text = need_as(m, a, "atomic")?;
        let codes = chars_list(m, &text, true);
        return Ok(m.store.unify(list, codes).into());
    }
    let text = match m.store.look(list) {
        Look::Blob(at) if m.store.kind(at) == TEXT => m.store.text_at(at),
        _ => need_list(m, list, true)?,
    };
    // White space before a number is a part of the name.
    let number = if text.starts_with(char::is_whitespace) {
        None
    } else {
        m.number_in(&text)
    };
    let c = number.unwrap_or_else(|| m.atom(&text));
    Ok(m.store.unify(a, c).into())
}

/// `'$concat'(A, B, C, Kind)` with A and B known.
pub(super) fn concat(m: &mut Machine, _: &Program) -> Res {
    let a = need_as(m, m.regs[0], "atomic")?;
    let b = need_as(m, m.regs[1], "atomic")?;
    if !m.test(0, m.regs[2]) {
        need_as(m, m.regs[2], "atomic")?;
    }
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
        Look::Small(_) => Err(m.domain_error("not_less_than_zero", c)),
        Look::Var(_) => Ok(None),
        _ => Err(m.type_error("integer", c)),
    }
}

/// `'$sub_text'(Text, B, L, A, Sub, Kind-Solutions)`: all ways, as a list of `s(B,L,A,Sub)`.
pub(super) fn sub_text(m: &mut Machine, _: &Program) -> Res {
    let parts = m.store.args(m.regs[5]);
    let (kind, out) = (parts[0], parts[1]);
    let wanted = if m.store.look(kind) == Look::Atom(known::STRING_ATOM) {
        "string"
    } else {
        "atom"
    };
    let text = need_as(m, m.regs[0], wanted)?;
    if matches!(m.store.look(m.regs[0]), Look::Pair(_)) {
        return Err(m.type_error(wanted, m.regs[0]));
    }
    let sub = m.regs[4];
    if !(m.test(0, sub) || m.test(2, sub) || m.test(10, sub) || wanted == "string") {
        return Err(m.type_error("atom", sub));
    }
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
        for at in 1..4 {
            known_number(m, m.regs[at])?;
        }
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

/// The upper case of a character, where that is one character.
fn upper(c: char) -> char {
    let mut all = c.to_uppercase();
    all.next().filter(|_| all.next().is_none()).unwrap_or(c)
}

/// The lower case of a character, where that is one character.
fn lower(c: char) -> char {
    let mut all = c.to_lowercase();
    all.next().filter(|_| all.next().is_none()).unwrap_or(c)
}

pub(super) fn upcase(m: &mut Machine, _: &Program) -> Res {
    change(m, |t| t.chars().map(upper).collect(), true)
}

pub(super) fn downcase(m: &mut Machine, _: &Program) -> Res {
    change(m, |t| t.chars().map(lower).collect(), true)
}

pub(super) fn string_upper(m: &mut Machine, _: &Program) -> Res {
    change(m, |t| t.chars().map(upper).collect(), false)
}

pub(super) fn string_lower(m: &mut Machine, _: &Program) -> Res {
    change(m, |t| t.chars().map(lower).collect(), false)
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

/// `split_string(Text, Separators, Pad, Parts)`. Padding at the ends of the whole text goes first,
/// then that at the beginning of each part, so that separators that are padding, too, collapse.
pub(super) fn split(m: &mut Machine, _: &Program) -> Res {
    let (text, seps, pad) = (
        need(m, m.regs[0])?,
        need(m, m.regs[1])?,
        need(m, m.regs[2])?,
    );
    let padding = |c: char| pad.contains(c);
    let mut rest = text.trim_matches(padding);
    let mut items = Vec::new();
    loop {
        rest = rest.trim_start_matches(padding);
        let end = rest.find(|c| seps.contains(c));
        let part = &rest[..end.unwrap_or(rest.len())];
        items.push(m.store.text(part.trim_end_matches(padding)));
        let Some(end) = end else { break };
        let by = rest[end..].chars().next().map_or(0, char::len_utf8);
        rest = &rest[end + by..];
    }
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
        text.push_str(&need_as(m, p, "atomic")?);
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
            text.push_str(&need_as(m, p, "atomic")?);
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

/// `'$char_type'(Char, Type, Code)`: characters in the type are codes if Code is `true`.
pub(super) fn char_type(m: &mut Machine, _: &Program) -> Res {
    let as_code = m.store.look(m.regs[2]) == Look::Atom(known::TRUE);
    let c = match m.store.look(m.regs[0]) {
        Look::Atom(n) => {
            let mut all = m.atoms.name(n).chars();
            match (all.next(), all.next()) {
                (Some(c), None) => Some(c),
                _ => return Err(m.type_error("character", m.regs[0])),
            }
        }
        Look::Small(-1) => None,
        Look::Small(n) => u32::try_from(n).ok().and_then(char::from_u32),
        Look::Var(_) => return Err(m.instantiation()),
        _ => return Err(m.type_error("character", m.regs[0])),
    };
    let kind = m.regs[1];
    let (name, arg) = match m.store.look(kind) {
        Look::Atom(n) => (m.atoms.shared(n), None),
        Look::Compound(f, a) if functor_arity(f) == 1 => {
            let (n, _) = m.atoms.functor_parts(f);
            (m.atoms.shared(n), Some(m.store.cells[a]))
        }
        Look::Var(_) => return Err(m.instantiation()),
        _ => return Err(m.domain_error("char_type", kind)),
    };
    let Some(c) = c else {
        return Ok((&*name == "end_of_file").into());
    };
    let character = |m: &mut Machine, c: char| {
        if as_code {
            small(i64::from(c as u32))
        } else {
            m.atom(c.encode_utf8(&mut [0; 4]))
        }
    };
    let Some(arg) = arg else {
        let holds = match &*name {
            "alnum" => c.is_alphanumeric(),
            "alpha" | "csym" => c.is_alphanumeric() || c == '_',
            "csymf" => c.is_alphabetic() || c == '_',
            "digit" => c.is_ascii_digit(),
            "space" => c.is_whitespace(),
            "white" => matches!(c, ' ' | '\t'),
            "upper" => c.is_uppercase(),
            "lower" | "prolog_atom_start" => c.is_lowercase(),
            "punct" => !c.is_alphanumeric() && !c.is_whitespace() && !c.is_control(),
            "graph" => !c.is_whitespace() && !c.is_control(),
            "print" => !c.is_control(),
            "cntrl" => c.is_control(),
            "end_of_line" => matches!(c, '\n' | '\r' | '\x0b' | '\x0c'),
            "newline" => c == '\n',
            "period" => matches!(c, '.' | '!' | '?'),
            "quote" => matches!(c, '\'' | '"' | '`'),
            "paren" => matches!(c, '(' | ')' | '[' | ']' | '{' | '}'),
            "ascii" => c.is_ascii(),
            "prolog_var_start" => c == '_' || c.is_uppercase(),
            "prolog_identifier_continue" => crate::lexer::is_word(c),
            "prolog_symbol" => crate::lexer::is_symbol(c),
            "end_of_file" => false,
            _ => return Err(m.domain_error("char_type", kind)),
        };
        return Ok(holds.into());
    };
    let value = match &*name {
        "digit" => c.to_digit(10).map(|d| small(i64::from(d))),
        "xdigit" => c.to_digit(16).map(|d| small(i64::from(d))),
        "code" => Some(small(i64::from(c as u32))),
        // Of these two the argument is the character that is changed.
        "to_lower" => Some(character(m, upper(c))),
        "to_upper" => Some(character(m, lower(c))),
        "upper" if c.is_uppercase() => Some(character(m, lower(c))),
        "lower" if c.is_lowercase() => Some(character(m, upper(c))),
        "upper" | "lower" => None,
        "paren" => match c {
            '(' => Some(character(m, ')')),
            '[' => Some(character(m, ']')),
            '{' => Some(character(m, '}')),
            _ => None,
        },
        _ => return Err(m.domain_error("char_type", kind)),
    };
    match value {
        Some(value) => Ok(m.store.unify(arg, value).into()),
        None => Ok(Flow::No),
    }
}
