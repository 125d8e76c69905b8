//! Reading: characters, lines and terms, and the streams they come from.

use std::sync::Arc;

use crate::ask::Wanted;
use crate::atoms::known;
use crate::cell::*;
use crate::lexer::{Lexer, Token};
use crate::machine::Machine;
use crate::program::Program;
use crate::reader::{Desk, Quotes, Reader, Sentence};
use crate::run::{Flow, Res, Thrown};
use crate::store::Look;
use crate::streams::Way;
use crate::syntax::SyntaxError;

use super::options::{Options, options};

/// The stream to read from: the first argument, or the current input; and the other arguments.
fn source<const S: bool>(m: &mut Machine) -> Result<(u32, usize), Thrown> {
    if S {
        Ok((m.input_stream(m.regs[0])?, 1))
    } else {
        Ok((m.streams.input, 0))
    }
}

/// `get_char`, `peek_char`, `get_code` and `peek_code`.
pub(super) fn character<const S: bool, const CODE: bool, const PEEK: bool>(
    m: &mut Machine,
    _: &Program,
) -> Res {
    let (id, at) = source::<S>(m)?;
    let out = m.regs[at];
    let fits = match m.store.look(out) {
        Look::Var(_) => true,
        Look::Small(n) if CODE => {
            if !(-1..=0x10_ffff).contains(&n) {
                return Err(m.representation_error("in_character_code"));
            }
            true
        }
        Look::Atom(n) if !CODE => {
            let name = m.atoms.name(n);
            name == "end_of_file" || name.chars().count() == 1
        }
        _ => false,
    };
    if !fits {
        return Err(m.type_error(if CODE { "integer" } else { "in_character" }, out));
    }
    let (rest, open) = m.streams.rest(id);
    let c = rest.chars().next();
    if c.is_none() && open {
        return m.want_line(Wanted::Line);
    }
    if let Some(c) = c.filter(|_| !PEEK) {
        m.streams.advance(id, c.len_utf8());
    }
    let value = match c {
        Some(c) if CODE => small(i64::from(c as u32)),
        Some(c) => m.atom(c.encode_utf8(&mut [0; 4])),
        None if CODE => small(-1),
        None => m.atom("end_of_file"),
    };
    Ok(m.store.unify(out, value).into())
}

/// `get_byte` and `peek_byte`: there are no binary streams.
pub(super) fn byte<const S: bool>(m: &mut Machine, _: &Program) -> Res {
    let (id, at) = source::<S>(m)?;
    let out = m.regs[at];
    match m.store.look(out) {
        Look::Var(_) | Look::Small(-1..=255) => {}
        _ => return Err(m.type_error("in_byte", out)),
    }
    let culprit = if S { m.regs[0] } else { m.stream_term(id) };
    Err(m.permission_error("input", "text_stream", culprit))
}

/// `at_end_of_stream`: asks for a line if nothing else tells.
pub(super) fn at_end<const S: bool>(m: &mut Machine, _: &Program) -> Res {
    let (id, _) = source::<S>(m)?;
    let (rest, open) = m.streams.rest(id);
    match (rest.is_empty(), open) {
        (true, true) => m.want_line(Wanted::Line),
        (empty, _) => Ok(empty.into()),
    }
}

/// `'$read_line'(Stream, Text)`: a line without its end, or `end_of_file`.
pub(super) fn line(m: &mut Machine, _: &Program) -> Res {
    let id = m.input_stream(m.regs[0])?;
    let (rest, open) = m.streams.rest(id);
    let (text, by) = match rest.find('\n') {
        Some(end) => (rest[..end].trim_end_matches('\r').to_owned(), end + 1),
        None if open => return m.want_line(Wanted::Line),
        None if rest.is_empty() => {
            let end = m.atom("end_of_file");
            return Ok(m.store.unify(m.regs[1], end).into());
        }
        None => (rest.to_owned(), rest.len()),
    };
    m.streams.advance(id, by);
    let c = m.store.text(&text);
    Ok(m.store.unify(m.regs[1], c).into())
}

/// `'$read_rest'(Stream, Most, Text)`: at most so many characters, or all when that is a variable.
pub(super) fn rest(m: &mut Machine, _: &Program) -> Res {
    let id = m.input_stream(m.regs[0])?;
    let most = match m.store.look(m.regs[1]) {
        Look::Small(n) if n >= 0 => n as usize,
        Look::Var(_) => usize::MAX,
        _ => return Err(m.type_error("integer", m.regs[1])),
    };
    let (rest, open) = m.streams.rest(id);
    let text: String = rest.chars().take(most).collect();
    if open && text.chars().count() < most {
        return m.want_line(Wanted::Line);
    }
    m.streams.advance(id, text.len());
    let c = m.store.text(&text);
    Ok(m.store.unify(m.regs[2], c).into())
}

/// `'$read_until'(Stream, Separators, Text, Separator)`.
pub(super) fn until(m: &mut Machine, _: &Program) -> Res {
    let id = m.input_stream(m.regs[0])?;
    let Some(separators) = m.text_of(m.regs[1]) else {
        return Err(m.instantiation());
    };
    let (rest, open) = m.streams.rest(id);
    let (text, end) = match rest.find(|c| separators.contains(c)) {
        Some(at) => (rest[..at].to_owned(), rest[at..].chars().next()),
        None if open => return m.want_line(Wanted::Line),
        None => (rest.to_owned(), None),
    };
    m.streams
        .advance(id, text.len() + end.map_or(0, char::len_utf8));
    let text = m.store.text(&text);
    let end = small(end.map_or(-1, |c| i64::from(c as u32)));
    Ok((m.store.unify(m.regs[2], text) && m.store.unify(m.regs[3], end)).into())
}

/// Where the first term of a text ends, behind its full stop; `None` if it does not.
fn term_end(text: &str) -> Option<usize> {
    let mut lexer = Lexer::new(text, 0);
    loop {
        let before = lexer.at;
        match lexer.next() {
            Ok(l) if l.token == Token::End => return Some(lexer.at),
            Ok(l) if l.token == Token::Eof => return None,
            Ok(_) => {}
            // Something unclosed may be closed by a later line.
            Err(_) if lexer.at >= text.len() => return None,
            Err(_) => {
                let skip = text[before.max(lexer.at)..].chars().next()?;
                lexer.at = before.max(lexer.at) + skip.len_utf8();
            }
        }
    }
}

impl Machine {
    /// Reads the one term of a text, which ends in a full stop.
    pub(crate) fn read_sentence(&mut self, text: &str) -> Result<Option<Sentence>, SyntaxError> {
        let mut reader = Reader::new(text, self.flags.quotes);
        let mut desk = Desk {
            store: &mut self.store,
            atoms: Arc::make_mut(&mut self.atoms),
            ops: &self.ops,
        };
        reader.sentence(&mut desk)
    }
}

/// `read` and `read_term`.
/// What a text between double quotes is read as.
fn quotes(m: &mut Machine, value: Cell) -> Result<Quotes, Thrown> {
    let name = match m.store.look(value) {
        Look::Atom(n) => m.atoms.shared(n),
        Look::Var(_) => return Err(m.instantiation()),
        _ => return Err(m.type_error("atom", value)),
    };
    match Quotes::named(&name) {
        Some(q) => Ok(q),
        None => Err(m.domain_error("double_quotes", value)),
    }
}

pub(super) fn read<const S: bool, const OPTIONS: bool>(m: &mut Machine, _: &Program) -> Res {
    let (id, at) = source::<S>(m)?;
    let wanted = if OPTIONS {
        options(m, m.regs[at + 1], Options::Read)?
    } else {
        Vec::new()
    };
    let (rest, open) = m.streams.rest(id);
    let (text, end) = match term_end(rest) {
        Some(end) => (rest[..end].to_owned(), end),
        None if open => return m.want_line(Wanted::Term),
        None => (rest.to_owned(), rest.len()),
    };
    m.streams.advance(id, end);
    let before = m.flags.quotes;
    if let Some((_, value)) = wanted.iter().find(|(name, _)| &**name == "double_quotes") {
        m.flags.quotes = quotes(m, *value)?;
    }
    let sentence = m.read_sentence(&text);
    m.flags.quotes = before;
    match sentence {
        Ok(Some(s)) => give(m, at, &s, &wanted),
        Ok(None) => {
            let end = m.atom("end_of_file");
            let s = Sentence {
                term: end,
                vars: Vec::new(),
                start: 0,
                places: Vec::new(),
            };
            give(m, at, &s, &wanted)
        }
        Err(e) => {
            let quietly = wanted.iter().any(|(name, value)| {
                &**name == "syntax_errors"
                    && matches!(m.store.look(*value), Look::Atom(n) if m.atoms.name(n) != "error")
            });
            if quietly {
                return Ok(Flow::No);
            }
            Err(m.syntax_error(&e.message))
        }
    }
}

/// Hands over the term that was read, and what the options ask about it.
fn give(m: &mut Machine, at: usize, s: &Sentence, wanted: &[(Arc<str>, Cell)]) -> Res {
    if !m.store.unify(m.regs[at], s.term) {
        return Ok(Flow::No);
    }
    for (name, value) in wanted {
        let items: Vec<Cell> = match &**name {
            "variables" => m.store.vars(s.term),
            "variable_names" => names(m, s, |_| true),
            "singletons" => names(m, s, |n| n == 1),
            _ => continue,
        };
        let list = m.store.list(&items, atom(known::NIL));
        if !m.store.unify(*value, list) {
            return Ok(Flow::No);
        }
    }
    Ok(Flow::Yes)
}

fn names(m: &mut Machine, s: &Sentence, keep: impl Fn(usize) -> bool) -> Vec<Cell> {
    let vars = s.vars.iter().filter(|v| keep(v.count));
    vars.map(|v| {
        let name = m.atom(&v.name);
        m.compound_of(known::EQUAL, &[name, v.cell])
    })
    .collect()
}

/// `'$term_of'(Text, Term, Names)`: the term in a text and the names of its variables.
pub(super) fn term_of(m: &mut Machine, _: &Program) -> Res {
    let Some(text) = m.text_of(m.regs[0]) else {
        return Err(m.instantiation());
    };
    match m.parse_here(&text) {
        Ok((term, vars)) => {
            let s = Sentence {
                term,
                vars,
                start: 0,
                places: Vec::new(),
            };
            let pairs = names(m, &s, |_| true);
            let list = m.store.list(&pairs, atom(known::NIL));
            Ok((m.store.unify(m.regs[1], term) && m.store.unify(m.regs[2], list)).into())
        }
        Err(e) => Err(m.syntax_error(&e.message)),
    }
}

// ---- Streams ----

/// `open_string(Text, Stream)`.
pub(super) fn open_string(m: &mut Machine, _: &Program) -> Res {
    let Some(text) = m.text_of(m.regs[0]) else {
        return Err(m.instantiation());
    };
    let way = Way::In {
        text,
        at: 0,
        open: false,
    };
    let id = m.streams.open(way);
    let c = m.stream_term(id);
    Ok(m.store.unify(m.regs[1], c).into())
}

/// `'$open_memory'(Stream, Old)`: a stream that collects, made the current output.
pub(super) fn open_memory(m: &mut Machine, _: &Program) -> Res {
    let old = small(i64::from(m.streams.output));
    let id = m.streams.open(Way::Memory(String::new()));
    m.streams.output = id;
    let id = small(i64::from(id));
    Ok((m.store.unify(m.regs[0], id) && m.store.unify(m.regs[1], old)).into())
}

/// `'$close_memory'(Stream, Old, Text)`.
pub(super) fn close_memory(m: &mut Machine, _: &Program) -> Res {
    let (Look::Small(id), Look::Small(old)) = (m.store.look(m.regs[0]), m.store.look(m.regs[1]))
    else {
        return Err(m.instantiation());
    };
    let text = match m.streams.close(id as u32).map(|s| s.way) {
        Some(Way::Memory(text)) => text,
        _ => String::new(),
    };
    if m.streams.get(old as u32).is_some() {
        m.streams.output = old as u32;
    }
    let c = m.store.text(&text);
    Ok(m.store.unify(m.regs[2], c).into())
}

/// `open/3` and `open/4`: the machine reaches no files, and says so.
pub(super) fn open<const OPTIONS: bool>(m: &mut Machine, _: &Program) -> Res {
    let (file, mode) = (m.regs[0], m.regs[1]);
    if OPTIONS {
        options(m, m.regs[3], Options::Open)?;
    }
    let Some(name) = m.text_of(file) else {
        return Err(if m.test(0, file) {
            m.instantiation()
        } else {
            m.domain_error("source_sink", file)
        });
    };
    let mode = match m.store.look(mode) {
        Look::Var(_) => return Err(m.instantiation()),
        Look::Atom(n) => m.atoms.shared(n),
        _ => return Err(m.type_error("atom", mode)),
    };
    if m.store.number(file).is_some() {
        return Err(m.domain_error("source_sink", file));
    }
    if !m.test(0, m.regs[2]) {
        return Err(m.uninstantiation(m.regs[2]));
    }
    let _ = name;
    match &*mode {
        "read" => Err(m.existence_error("source_sink", file)),
        "write" | "append" | "update" => Err(m.permission_error("open", "source_sink", file)),
        _ => Err(m.domain_error("io_mode", m.regs[1])),
    }
}

/// `close/1` and `close/2`; closing a standard stream changes nothing.
pub(super) fn close<const OPTIONS: bool>(m: &mut Machine, _: &Program) -> Res {
    if OPTIONS {
        options(m, m.regs[1], Options::Close)?;
    }
    let id = m.stream(m.regs[0])?;
    m.streams.close(id);
    Ok(Flow::Yes)
}

pub(super) fn set_input(m: &mut Machine, _: &Program) -> Res {
    m.streams.input = m.input_stream(m.regs[0])?;
    Ok(Flow::Yes)
}

pub(super) fn set_output(m: &mut Machine, _: &Program) -> Res {
    m.streams.output = m.output_stream(m.regs[0])?;
    Ok(Flow::Yes)
}

/// `current_input` and `current_output`.
pub(super) fn current<const INPUT: bool>(m: &mut Machine, _: &Program) -> Res {
    let c = m.regs[0];
    if !m.test(0, c) && m.stream_number(c).is_none() {
        return Err(m.domain_error("stream", c));
    }
    let id = if INPUT {
        m.streams.input
    } else {
        m.streams.output
    };
    let now = m.stream_term(id);
    Ok(m.store.unify(c, now).into())
}

pub(super) fn flush<const S: bool>(m: &mut Machine, _: &Program) -> Res {
    if S {
        m.output_stream(m.regs[0])?;
    }
    Ok(Flow::Yes)
}

/// `'$stream_properties'(List)`: `p(Stream, Property)` for all streams.
pub(super) fn properties(m: &mut Machine, _: &Program) -> Res {
    let mut all: Vec<(u32, Vec<&str>, Vec<String>, &str)> = Vec::new();
    for (id, s) in m.streams.all() {
        let (mode, direction) = match &s.way {
            Way::In { .. } => ("read", "input"),
            Way::Out => ("append", "output"),
            Way::Memory(_) => ("write", "output"),
        };
        let end = match m.streams.rest(id) {
            ("", false) => "at",
            _ => "not",
        };
        all.push((id, vec![mode, direction], s.aliases.clone(), end));
    }
    let mut items = Vec::new();
    for (id, kind, aliases, end) in all {
        let stream = m.stream_term(id);
        let mut give = |m: &mut Machine, property: Cell| {
            items.push(m.compound("p", &[stream, property]));
        };
        let direction = m.atom(kind[1]);
        give(m, direction);
        for (name, value) in [
            ("mode", kind[0]),
            ("end_of_stream", end),
            ("eof_action", "eof_code"),
            ("type", "text"),
            ("reposition", "false"),
        ] {
            if name == "end_of_stream" && kind[1] == "output" {
                continue;
            }
            let value = m.atom(value);
            let property = m.compound(name, &[value]);
            give(m, property);
        }
        for alias in aliases {
            let alias = m.atom(&alias);
            let property = m.compound("alias", &[alias]);
            give(m, property);
        }
    }
    let list = m.store.list(&items, atom(known::NIL));
    Ok(m.store.unify(m.regs[0], list).into())
}

/// `'$stream'(S)`: checks that S is a stream or an alias of one; `'$alias'(S, Name)` names it.
pub(super) fn alias(m: &mut Machine, _: &Program) -> Res {
    let id = m.stream(m.regs[0])?;
    let Look::Atom(n) = m.store.look(m.regs[1]) else {
        return Err(m.type_error("atom", m.regs[1]));
    };
    let name = m.atoms.shared(n);
    m.streams.name(id, &name);
    Ok(Flow::Yes)
}

/// `'$stream_term'(S, Term)`: the stream that an alias or term stands for.
pub(super) fn canonical(m: &mut Machine, _: &Program) -> Res {
    let id = m.stream(m.regs[0])?;
    let c = m.stream_term(id);
    Ok(m.store.unify(m.regs[1], c).into())
}

/// `prompt(Old, New)`.
pub(super) fn prompt(m: &mut Machine, _: &Program) -> Res {
    let old = m.streams.prompt.clone();
    let old = m.atom(&old);
    if !m.store.unify(m.regs[0], old) {
        return Ok(Flow::No);
    }
    match m.text_of(m.regs[1]) {
        Some(text) => m.streams.prompt = text,
        None => return Err(m.instantiation()),
    }
    Ok(Flow::Yes)
}
