//! Streams: where a program reads from and writes to.
//!
//! The machine opens no files. What it reads from standard input is fed by the caller, line by
//! line when the program asks for it; what it writes collects in a buffer. Besides there are
//! streams that read a string and streams that collect into one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ask::{Answer, Question, Wanted};
use crate::cell::*;
use crate::machine::{Leave, Machine};
use crate::run::{Flow, Res, Thrown};
use crate::store::Look;

pub(crate) const USER_INPUT: u32 = 0;
pub(crate) const USER_OUTPUT: u32 = 1;
pub(crate) const USER_ERROR: u32 = 2;

/// What a stream is connected to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Way {
    /// Text to read: what is left begins at `at`; more may come while it is `open`.
    In { text: String, at: usize, open: bool },
    /// The machine's output.
    Out,
    /// Text that was written so far.
    Memory(String),
}

/// A stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stream {
    pub(crate) way: Way,
    pub(crate) aliases: Vec<String>,
}

/// The open streams.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Streams {
    list: BTreeMap<u32, Stream>,
    next: u32,
    pub(crate) input: u32,
    pub(crate) output: u32,
    /// What a person is shown when a line is wanted.
    pub(crate) prompt: String,
    /// Lines that were asked for so far.
    asked: u32,
}

impl Default for Streams {
    fn default() -> Self {
        let stream = |way, alias: &str| Stream {
            way,
            aliases: vec![alias.to_owned()],
        };
        let input = Way::In {
            text: String::new(),
            at: 0,
            open: true,
        };
        Streams {
            list: BTreeMap::from([
                (USER_INPUT, stream(input, "user_input")),
                (USER_OUTPUT, stream(Way::Out, "user_output")),
                (USER_ERROR, stream(Way::Out, "user_error")),
            ]),
            next: USER_ERROR + 1,
            input: USER_INPUT,
            output: USER_OUTPUT,
            prompt: "|: ".to_owned(),
            asked: 0,
        }
    }
}

impl Streams {
    /// Whether nothing was opened, read or renamed: such streams are not stored.
    pub(crate) fn untouched(&self) -> bool {
        *self == Streams::default()
    }

    /// Words of memory the texts take.
    pub(crate) fn cells(&self) -> usize {
        let text = |s: &Stream| match &s.way {
            Way::In { text, .. } | Way::Memory(text) => text.len(),
            Way::Out => 0,
        };
        self.list.values().map(text).sum::<usize>() / 8
    }

    /// Closes what a query left open.
    pub(crate) fn reset(&mut self) {
        self.list.retain(|&id, _| id <= USER_ERROR);
        self.input = USER_INPUT;
        self.output = USER_OUTPUT;
    }

    pub(crate) fn open(&mut self, way: Way) -> u32 {
        let id = self.next;
        self.next += 1;
        let aliases = Vec::new();
        self.list.insert(id, Stream { way, aliases });
        id
    }

    /// Closes a stream; the standard ones stay open.
    pub(crate) fn close(&mut self, id: u32) -> Option<Stream> {
        if id <= USER_ERROR {
            return None;
        }
        if self.input == id {
            self.input = USER_INPUT;
        }
        if self.output == id {
            self.output = USER_OUTPUT;
        }
        self.list.remove(&id)
    }

    pub(crate) fn get(&self, id: u32) -> Option<&Stream> {
        self.list.get(&id)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (u32, &Stream)> {
        self.list.iter().map(|(id, s)| (*id, s))
    }

    /// Gives a stream one more name; a name belongs to one stream.
    pub(crate) fn name(&mut self, id: u32, alias: &str) {
        for s in self.list.values_mut() {
            s.aliases.retain(|a| a != alias);
        }
        if let Some(s) = self.list.get_mut(&id) {
            s.aliases.push(alias.to_owned());
        }
    }

    fn find(&self, alias: &str) -> Option<u32> {
        let named = |(_, s): &(&u32, &Stream)| s.aliases.iter().any(|a| a == alias);
        self.list.iter().find(named).map(|(id, _)| *id)
    }

    /// What can be read of a stream now, and whether more may come.
    pub(crate) fn rest(&self, id: u32) -> (&str, bool) {
        match self.list.get(&id).map(|s| &s.way) {
            Some(Way::In { text, at, open }) => (&text[*at..], *open),
            _ => ("", false),
        }
    }

    /// Moves on in a stream by so many bytes; what was read is given back.
    pub(crate) fn advance(&mut self, id: u32, by: usize) {
        if let Some(Way::In { text, at, .. }) = self.list.get_mut(&id).map(|s| &mut s.way) {
            *at += by;
            if *at > 1 << 12 && *at * 2 > text.len() {
                text.drain(..*at);
                *at = 0;
            }
        }
    }

    fn feed(&mut self, more: &str) {
        if let Some(Way::In { text, open, .. }) = self.list.get_mut(&USER_INPUT).map(|s| &mut s.way)
        {
            *open = true;
            text.push_str(more);
        }
    }

    fn end(&mut self) {
        if let Some(Way::In { open, .. }) = self.list.get_mut(&USER_INPUT).map(|s| &mut s.way) {
            *open = false;
        }
    }

    fn forget(&mut self) {
        if let Some(s) = self.list.get_mut(&USER_INPUT) {
            s.way = Way::In {
                text: String::new(),
                at: 0,
                open: true,
            };
        }
    }
}

impl Machine {
    /// Gives the program this text to read from standard input.
    pub fn feed(&mut self, text: &str) {
        self.streams.feed(text);
    }

    /// Says that no more text will come from standard input: from then on the program reads
    /// `end_of_file` instead of asking for a line.
    pub fn end_input(&mut self) {
        self.streams.end();
    }

    pub(crate) fn forget_input(&mut self) {
        self.streams.forget();
    }

    /// Takes a line, or its end, for the open question; `false` if it is no such answer.
    pub(crate) fn take_line(&mut self, answer: &Answer) -> bool {
        match answer {
            Answer::Line(line) => self
                .streams
                .feed(&format!("{}\n", line.trim_end_matches('\n'))),
            Answer::End => self.streams.end(),
            _ => return false,
        }
        true
    }

    /// Stops to ask for more text; the builtin runs again when there is some.
    pub(crate) fn want_line(&mut self, wanted: Wanted) -> Res {
        self.streams.asked += 1;
        let n = small(i64::from(self.streams.asked));
        let key = self.compound("$input", &[n]);
        let limit = self.fuel.cells;
        let key = self.store.save(key, limit).map_err(|e| self.too_big(e))?;
        let term = self.streams.prompt.clone();
        self.watch_ask(&term, None);
        let q = Question {
            term,
            wanted,
            key,
            options: Vec::new(),
        };
        self.asked = Some(q.clone());
        Ok(Flow::Again(Leave::Asked(q)))
    }

    /// Writes text to a stream.
    pub(crate) fn put_text(&mut self, id: u32, text: &str) {
        match self.streams.list.get_mut(&id).map(|s| &mut s.way) {
            Some(Way::Memory(out)) => out.push_str(text),
            _ => self.output.push_str(text),
        }
    }

    /// Characters since the last line break of a stream.
    pub(crate) fn column(&self, id: u32) -> usize {
        let text = match self.streams.list.get(&id).map(|s| &s.way) {
            Some(Way::Memory(out)) => out,
            _ => &self.output,
        };
        text.chars().rev().take_while(|c| *c != '\n').count()
    }

    /// The term that stands for a stream.
    pub(crate) fn stream_term(&mut self, id: u32) -> Cell {
        self.compound("$stream", &[small(i64::from(id))])
    }

    /// The stream a term or alias stands for.
    pub(crate) fn stream(&mut self, c: Cell) -> Result<u32, Thrown> {
        let id = match self.store.look(c) {
            Look::Var(_) => return Err(self.instantiation()),
            Look::Atom(n) => self.streams.find(self.atoms.name(n)),
            _ => match self.stream_number(c) {
                Some(n) => Some(n).filter(|n| self.streams.list.contains_key(n)),
                None => return Err(self.domain_error("stream_or_alias", c)),
            },
        };
        id.ok_or(()).map_err(|()| self.existence_error("stream", c))
    }

    /// The number in a `'$stream'(N)`.
    pub(crate) fn stream_number(&self, c: Cell) -> Option<u32> {
        let Look::Compound(f, a) = self.store.look(c) else {
            return None;
        };
        let (name, arity) = self.atoms.functor_parts(f);
        if arity != 1 || self.atoms.name(name) != "$stream" {
            return None;
        }
        match self.store.look(self.store.cells[a]) {
            Look::Small(n) => u32::try_from(n).ok(),
            _ => None,
        }
    }

    /// A stream that can be read.
    pub(crate) fn input_stream(&mut self, c: Cell) -> Result<u32, Thrown> {
        let id = self.stream(c)?;
        match self.streams.get(id).map(|s| &s.way) {
            Some(Way::In { .. }) => Ok(id),
            _ => Err(self.permission_error("input", "stream", c)),
        }
    }

    /// A stream that can be written.
    pub(crate) fn output_stream(&mut self, c: Cell) -> Result<u32, Thrown> {
        let id = self.stream(c)?;
        match self.streams.get(id).map(|s| &s.way) {
            Some(Way::In { .. }) => Err(self.permission_error("output", "stream", c)),
            _ => Ok(id),
        }
    }
}
