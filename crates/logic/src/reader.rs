//! From text to terms: an operator-precedence reader.
//!
//! Nesting is bounded, so that no text can exhaust the stack; lists, argument lists and chains of
//! operators of any length are read without recursion.

use crate::atoms::{Atoms, known};
use crate::cell::*;
use crate::lexer::{Lexeme, Lexer, Token};
use crate::ops::{Kind, Ops};
use crate::store::Store;
use crate::syntax::SyntaxError;

/// How deep brackets, arguments and prefix operators may nest in a text.
const DEEPEST: usize = 800;

/// Operators of one term that are read twice: without a bound, `- - - …` would take exponential
/// time.
const RETRIES: usize = 1000;

/// Priority of arguments and list items: above 999 as in SWI-Prolog, so that `f(a :- b)` needs no
/// second pair of brackets. A comma or bar ends the argument all the same.
const ARGUMENT: u16 = 1200;

/// What double quotes mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Quotes {
    Text,
    Codes,
    Chars,
    Atom,
}

impl Quotes {
    /// The meaning that a flag or an option names.
    pub(crate) fn named(name: &str) -> Option<Quotes> {
        Some(match name {
            "string" => Quotes::Text,
            "codes" => Quotes::Codes,
            "chars" => Quotes::Chars,
            "atom" => Quotes::Atom,
            _ => return None,
        })
    }
}

/// A variable of a clause as the author wrote it.
#[derive(Clone, Debug)]
pub(crate) struct NamedVar {
    pub(crate) name: String,
    pub(crate) cell: Cell,
    pub(crate) count: usize,
}

/// One term read from a text.
#[derive(Debug)]
pub(crate) struct Sentence {
    pub(crate) term: Cell,
    pub(crate) vars: Vec<NamedVar>,
    pub(crate) start: usize,
    /// Where goals stand: address of a compound term, offset in the text.
    pub(crate) places: Vec<(usize, usize)>,
}

/// Reads the terms of a text one after another.
pub(crate) struct Reader<'a> {
    lexer: Lexer<'a>,
    next: Option<Lexeme>,
    vars: Vec<NamedVar>,
    places: Vec<(usize, usize)>,
    depth: usize,
    /// Whether a comma or bar ends the term being read.
    argument: bool,
    /// Operators that may still be read a second time as plain atoms in this term.
    retries: usize,
    quotes: Quotes,
}

/// What a reader needs besides the text.
pub(crate) struct Desk<'a> {
    pub(crate) store: &'a mut Store,
    pub(crate) atoms: &'a mut Atoms,
    pub(crate) ops: &'a Ops,
}

type Read<T> = Result<T, SyntaxError>;

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str, quotes: Quotes) -> Self {
        Reader {
            lexer: Lexer::new(text, 0),
            next: None,
            vars: Vec::new(),
            places: Vec::new(),
            depth: 0,
            argument: false,
            retries: 0,
            quotes,
        }
    }

    pub(crate) fn set_quotes(&mut self, quotes: Quotes) {
        self.quotes = quotes;
    }

    /// Gives up the current clause and moves behind its full stop.
    pub(crate) fn recover(&mut self, error: &SyntaxError) {
        let ended =
            matches!(&self.next, Some(l) if l.token == Token::End && l.start >= error.offset);
        if !ended {
            self.lexer.skip_clause();
        }
        self.next = None;
    }

    /// The next term, or `None` at the end of the text.
    pub(crate) fn sentence(&mut self, desk: &mut Desk<'_>) -> Read<Option<Sentence>> {
        self.vars.clear();
        self.places.clear();
        self.depth = 0;
        self.argument = false;
        self.retries = RETRIES;
        let first = self.peek()?.clone();
        if first.token == Token::Eof {
            return Ok(None);
        }
        let term = self.parse(desk, 1200)?;
        let end = self.take()?;
        match end.token {
            Token::End => Ok(Some(Sentence {
                term,
                vars: std::mem::take(&mut self.vars),
                start: first.start,
                places: std::mem::take(&mut self.places),
            })),
            Token::Eof => fail(&end, "the clause is not finished: a full stop is missing"),
            _ => {
                let what = describe(&end.token);
                let at = end.clone();
                self.next = Some(end);
                fail(
                    &at,
                    format!(
                        "{what} is unexpected here: an operator or a full stop is missing before it"
                    ),
                )
            }
        }
    }

    fn peek(&mut self) -> Read<&Lexeme> {
        if self.next.is_none() {
            self.next = Some(self.lexer.next()?);
        }
        Ok(self.next.as_ref().expect("a token was just put there"))
    }

    fn take(&mut self) -> Read<Lexeme> {
        match self.next.take() {
            Some(l) => Ok(l),
            None => self.lexer.next(),
        }
    }

    /// Whether the next token opens an argument list: `(` with nothing before it.
    fn opens_arguments(&mut self) -> Read<bool> {
        let l = self.peek()?;
        Ok(l.token == Token::Punct('(') && !l.spaced)
    }

    fn expect(&mut self, c: char, opened: usize) -> Read<()> {
        let l = self.take()?;
        if l.token == Token::Punct(c) {
            return Ok(());
        }
        let what = describe(&l.token);
        let at = if l.token == Token::Eof {
            opened
        } else {
            l.start
        };
        self.next = Some(l);
        Err(SyntaxError {
            offset: at,
            message: format!("`{c}` is missing before {what}"),
        })
    }

    /// A term of at most the priority. Chains of right-associative operators are kept on a list
    /// and folded at the end.
    fn parse(&mut self, desk: &mut Desk<'_>, max: u16) -> Read<Cell> {
        let inside = std::mem::replace(&mut self.argument, false);
        let read = self.parse_to(desk, max);
        self.argument = inside;
        read
    }

    /// An argument or list item, which a comma or bar ends.
    fn parse_argument(&mut self, desk: &mut Desk<'_>) -> Read<Cell> {
        let inside = std::mem::replace(&mut self.argument, true);
        let read = self.parse_to(desk, ARGUMENT);
        self.argument = inside;
        read
    }

    fn parse_to(&mut self, desk: &mut Desk<'_>, max: u16) -> Read<Cell> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let at = self.peek()?.start;
            return Err(SyntaxError {
                offset: at,
                message: format!("brackets nest more than {DEEPEST} deep here"),
            });
        }
        let mut waiting: Vec<(Cell, u32, u16, usize)> = Vec::new();
        let mut max_now = max;
        let (mut left, mut priority) = self.primary(desk, max_now)?;
        loop {
            let argument = self.argument;
            let l = self.peek()?;
            let at = l.start;
            let name = match &l.token {
                Token::Name(n) | Token::Quoted(n) => n.clone(),
                Token::Punct(c @ (',' | '|')) if !argument => c.to_string(),
                _ => break,
            };
            let roles = desk.ops.roles(&name);
            if let Some((p, kind)) = roles.infix {
                let (la, ra) = match kind {
                    Kind::Xfx => (p - 1, p - 1),
                    Kind::Xfy => (p - 1, p),
                    _ => (p, p - 1),
                };
                if p <= max_now && priority <= la {
                    self.take()?;
                    let atom = desk.atoms.intern(&name);
                    if kind == Kind::Xfy {
                        waiting.push((left, atom, p, at));
                        max_now = ra;
                        (left, priority) = self.primary(desk, max_now)?;
                        continue;
                    }
                    let right = self.parse_to(desk, ra)?;
                    left = self.operate(desk, atom, &[left, right], at);
                    priority = p;
                    continue;
                }
                // A tighter left context ends here: fold what waits and look again.
                if let Some((l, a, p2, at2)) = waiting.pop() {
                    left = self.operate(desk, a, &[l, left], at2);
                    priority = p2;
                    max_now = waiting.last().map_or(max, |w| w.2);
                    continue;
                }
            }
            if let Some((p, kind)) = roles.postfix {
                let la = if kind == Kind::Xf { p - 1 } else { p };
                if p <= max_now && priority <= la {
                    self.take()?;
                    let atom = desk.atoms.intern(&name);
                    left = self.operate(desk, atom, &[left], at);
                    priority = p;
                    continue;
                }
            }
            break;
        }
        while let Some((l, a, _, at)) = waiting.pop() {
            left = self.operate(desk, a, &[l, left], at);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn operate(&mut self, desk: &mut Desk<'_>, name: u32, args: &[Cell], at: usize) -> Cell {
        let f = desk.atoms.functor(name, args.len());
        self.build(desk, name, f, args, at)
    }

    fn build(&mut self, desk: &mut Desk<'_>, name: u32, f: Cell, args: &[Cell], at: usize) -> Cell {
        if name == known::DOT && args.len() == 2 {
            return desk.store.pair(args[0], args[1]);
        }
        let c = desk.store.compound(f, args);
        self.places.push((addr(c), at));
        c
    }

    fn primary(&mut self, desk: &mut Desk<'_>, max: u16) -> Read<(Cell, u16)> {
        let l = self.take()?;
        match l.token {
            Token::Int(n) => Ok((desk.store.big(&n), 0)),
            Token::Float(x) => Ok((desk.store.float(x), 0)),
            Token::Var(name) => Ok((self.variable(desk, name), 0)),
            Token::Text(s) => Ok((self.text(desk, &s), 0)),
            Token::Codes(s) => Ok((codes(desk, &s), 0)),
            Token::Punct('(') => {
                let t = self.parse(desk, 1200)?;
                self.expect(')', l.start)?;
                Ok((t, 0))
            }
            Token::Punct('[') => {
                if self.peek()?.token == Token::Punct(']') {
                    self.take()?;
                    return self.named(desk, "[]", l.start, false, max);
                }
                Ok((self.list(desk, l.start)?, 0))
            }
            Token::Punct('{') => {
                if self.peek()?.token == Token::Punct('}') {
                    self.take()?;
                    return self.named(desk, "{}", l.start, false, max);
                }
                let t = self.parse(desk, 1200)?;
                self.expect('}', l.start)?;
                Ok((self.operate(desk, known::CURLY, &[t], l.start), 0))
            }
            Token::Name(n) => self.named(desk, &n, l.start, true, max),
            Token::Quoted(n) => self.named(desk, &n, l.start, false, max),
            ref t @ (Token::Punct(_) | Token::End | Token::Eof) => {
                let what = describe(t);
                let at = l.clone();
                self.next = Some(l);
                fail(&at, format!("a term is missing before {what}"))
            }
        }
    }

    /// What a name begins: a compound term, a negative number, a prefix operator or an atom.
    fn named(
        &mut self,
        desk: &mut Desk<'_>,
        name: &str,
        at: usize,
        bare: bool,
        max: u16,
    ) -> Read<(Cell, u16)> {
        if self.opens_arguments()? {
            self.take()?;
            let args = self.arguments(desk, at)?;
            let atom = desk.atoms.intern(name);
            let f = desk.atoms.functor(atom, args.len());
            return Ok((self.build(desk, atom, f, &args, at), 0));
        }
        let next = self.peek()?.clone();
        if bare && name == "-" && !next.spaced {
            match next.token {
                Token::Int(n) => {
                    self.take()?;
                    return Ok((desk.store.big(&-n), 0));
                }
                Token::Float(x) => {
                    self.take()?;
                    return Ok((desk.store.float(-x), 0));
                }
                _ => {}
            }
        }
        let atom = desk.atoms.intern(name);
        let roles = desk.ops.roles(name);
        // Quotes make no other atom: `'-' a` is `-a`.
        if let Some((p, kind)) = roles.prefix
            && p <= max
            && self.starts_term(desk, &next)?
        {
            let ra = if kind == Kind::Fy { p } else { p - 1 };
            // `- (a) = b` and the like: if the operand cannot be read, the name was an atom.
            let saved = (self.lexer.clone(), self.next.clone(), self.depth);
            let counts: Vec<usize> = self.vars.iter().map(|v| v.count).collect();
            let placed = self.places.len();
            match self.parse_to(desk, ra) {
                Ok(arg) => return Ok((self.operate(desk, atom, &[arg], at), p)),
                Err(e) => {
                    if self.retries == 0
                        || (roles.infix.is_none() && !matches!(next.token, Token::Name(_)))
                    {
                        return Err(e);
                    }
                    self.retries -= 1;
                    self.lexer = saved.0;
                    self.next = saved.1;
                    self.depth = saved.2;
                    self.vars.truncate(counts.len());
                    for (v, n) in self.vars.iter_mut().zip(counts) {
                        v.count = n;
                    }
                    self.places.truncate(placed);
                }
            }
        }
        // An operator that stands for itself is an operand like any other atom.
        Ok((crate::cell::atom(atom), 0))
    }

    /// Whether the token after a prefix operator can begin its operand.
    fn starts_term(&mut self, desk: &Desk<'_>, next: &Lexeme) -> Read<bool> {
        Ok(match &next.token {
            Token::End | Token::Eof => false,
            Token::Punct(c) => matches!(c, '(' | '[' | '{'),
            Token::Name(n) => {
                let roles = desk.ops.roles(n);
                if roles.infix.is_some() && roles.prefix.is_none() {
                    // An infix operator follows, so the prefix one stands alone, unless the
                    // infix one is itself used as a plain name: `- (=)` or `\+ =(a, b)`.
                    let mut ahead = self.lexer.clone();
                    let after = ahead.next()?;
                    after.token == Token::Punct('(') && !after.spaced
                } else {
                    true
                }
            }
            _ => true,
        })
    }

    fn arguments(&mut self, desk: &mut Desk<'_>, opened: usize) -> Read<Vec<Cell>> {
        let mut args = Vec::with_capacity(4);
        if self.peek()?.token == Token::Punct(')') {
            self.take()?;
            return Ok(args);
        }
        loop {
            args.push(self.parse_argument(desk)?);
            if self.peek()?.token == Token::Punct(',') {
                self.take()?;
            } else {
                self.expect(')', opened)?;
                return Ok(args);
            }
        }
    }

    fn list(&mut self, desk: &mut Desk<'_>, opened: usize) -> Read<Cell> {
        let mut items = Vec::new();
        let mut end = atom(known::NIL);
        loop {
            items.push(self.parse_argument(desk)?);
            match self.peek()?.token {
                Token::Punct(',') => {
                    self.take()?;
                }
                Token::Punct('|') => {
                    self.take()?;
                    end = self.parse_argument(desk)?;
                    self.expect(']', opened)?;
                    break;
                }
                _ => {
                    self.expect(']', opened)?;
                    break;
                }
            }
        }
        Ok(desk.store.list(&items, end))
    }

    fn variable(&mut self, desk: &mut Desk<'_>, name: String) -> Cell {
        if name == "_" {
            return desk.store.var();
        }
        if let Some(v) = self.vars.iter_mut().find(|v| v.name == name) {
            v.count += 1;
            return v.cell;
        }
        let cell = desk.store.var();
        self.vars.push(NamedVar {
            name,
            cell,
            count: 1,
        });
        cell
    }

    fn text(&mut self, desk: &mut Desk<'_>, s: &str) -> Cell {
        match self.quotes {
            Quotes::Text => desk.store.text(s),
            Quotes::Codes => codes(desk, s),
            Quotes::Atom => desk.atoms.cell(s),
            Quotes::Chars => {
                let items: Vec<Cell> = s
                    .chars()
                    .map(|c| desk.atoms.cell(c.encode_utf8(&mut [0; 4])))
                    .collect();
                desk.store.list(&items, atom(known::NIL))
            }
        }
    }
}

fn codes(desk: &mut Desk<'_>, s: &str) -> Cell {
    let items: Vec<Cell> = s.chars().map(|c| small(i64::from(c as u32))).collect();
    desk.store.list(&items, atom(known::NIL))
}

fn fail<T>(l: &Lexeme, message: impl Into<String>) -> Read<T> {
    Err(SyntaxError {
        offset: l.start,
        message: message.into(),
    })
}

fn describe(t: &Token) -> String {
    match t {
        Token::Name(n) => format!("`{n}`"),
        Token::Quoted(n) => format!("`'{n}'`"),
        Token::Var(n) => format!("the variable `{n}`"),
        Token::Int(n) => format!("the number `{n}`"),
        Token::Float(x) => format!("the number `{x}`"),
        Token::Text(s) => format!("the string \"{s}\""),
        Token::Codes(s) => format!("the codes `{s}`"),
        Token::Punct(c) => format!("`{c}`"),
        Token::End => "the full stop".to_owned(),
        Token::Eof => "the end of the text".to_owned(),
    }
}
