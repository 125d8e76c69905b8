//! From characters to tokens.

use num_bigint::BigInt;

use crate::syntax::SyntaxError;

/// One word of the language.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    /// An unquoted name or symbol atom.
    Name(String),
    /// A quoted atom: never an operator when followed by an argument list.
    Quoted(String),
    Var(String),
    Int(BigInt),
    Float(f64),
    /// Text in double quotes.
    Text(String),
    /// Text in back quotes: a list of codes.
    Codes(String),
    /// One of `( ) [ ] { } , |`.
    Punct(char),
    /// The full stop that ends a clause.
    End,
    /// The end of the text.
    Eof,
}

/// A token with where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    pub(crate) start: usize,
    /// Whether white space or a comment stands before it.
    pub(crate) spaced: bool,
}

/// A reader of tokens.
#[derive(Clone, Debug)]
pub(crate) struct Lexer<'a> {
    text: &'a str,
    pub(crate) at: usize,
}

/// Characters that symbol atoms are made of.
pub(crate) fn is_symbol(c: char) -> bool {
    "+-*/\\^<>=~:.?@#&$".contains(c)
        || (!c.is_ascii() && !c.is_alphanumeric() && !c.is_whitespace())
}

/// Characters that continue a name.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn fail<T>(offset: usize, message: impl Into<String>) -> Result<T, SyntaxError> {
    Err(SyntaxError {
        offset,
        message: message.into(),
    })
}

/// An integer that does not fit a word.
fn large(start: usize, digits: &str, radix: u32) -> Result<Token, SyntaxError> {
    match crate::number::read_digits(digits, radix) {
        Some(n) => Ok(Token::Int(n)),
        None => fail(start, "this number is too large"),
    }
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str, at: usize) -> Self {
        Lexer { text, at }
    }

    #[inline]
    fn peek(&self) -> Option<char> {
        let b = *self.text.as_bytes().get(self.at)?;
        if b < 128 {
            Some(b as char)
        } else {
            self.text[self.at..].chars().next()
        }
    }

    fn peek_second(&self) -> Option<char> {
        let mut it = self.text[self.at..].chars();
        it.next();
        it.next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Skips white space and comments; says whether there were any.
    fn skip(&mut self) -> Result<bool, SyntaxError> {
        let start = self.at;
        while let Some(c) = self.peek() {
            if c.is_whitespace() {
                self.bump();
            } else if c == '%' {
                self.at = self.text[self.at..]
                    .find('\n')
                    .map_or(self.text.len(), |i| self.at + i);
            } else if self.text[self.at..].starts_with("/*") {
                match self.text[self.at + 2..].find("*/") {
                    Some(i) => self.at += i + 4,
                    None => return fail(self.at, "this comment is never closed"),
                }
            } else {
                break;
            }
        }
        Ok(self.at > start)
    }

    /// Moves past the next full stop, to read on after an error.
    pub(crate) fn skip_clause(&mut self) {
        loop {
            match self.next() {
                Ok(Lexeme {
                    token: Token::End | Token::Eof,
                    ..
                }) => return,
                Ok(_) => {}
                Err(_) => {
                    if self.bump().is_none() {
                        return;
                    }
                }
            }
        }
    }

    /// The next token.
    pub(crate) fn next(&mut self) -> Result<Lexeme, SyntaxError> {
        let spaced = self.skip()?;
        let start = self.at;
        let token = self.token()?;
        Ok(Lexeme {
            token,
            start,
            spaced,
        })
    }

    fn take_while(&mut self, test: impl Fn(char) -> bool) -> &'a str {
        let start = self.at;
        while let Some(c) = self.peek() {
            if !test(c) {
                break;
            }
            self.at += c.len_utf8();
        }
        &self.text[start..self.at]
    }

    fn token(&mut self) -> Result<Token, SyntaxError> {
        let start = self.at;
        let Some(c) = self.peek() else {
            return Ok(Token::Eof);
        };
        if c.is_ascii_digit() {
            return self.number();
        }
        if c == '_' || c.is_uppercase() {
            return Ok(Token::Var(self.take_while(is_word).to_owned()));
        }
        if c.is_alphabetic() {
            return Ok(Token::Name(self.take_while(is_word).to_owned()));
        }
        match c {
            '\'' => Ok(Token::Quoted(self.quoted('\'')?)),
            '"' => Ok(Token::Text(self.quoted('"')?)),
            '`' => Ok(Token::Codes(self.quoted('`')?)),
            '(' | ')' | '[' | ']' | '{' | '}' | ',' | '|' => {
                self.bump();
                if c == '|' && self.peek() == Some('|') {
                    self.bump();
                    return Ok(Token::Name("||".into()));
                }
                Ok(Token::Punct(c))
            }
            '!' => {
                self.bump();
                Ok(Token::Name("!".into()))
            }
            ';' => {
                self.bump();
                Ok(Token::Name(";".into()))
            }
            '.' if self
                .peek_second()
                .is_none_or(|n| n.is_whitespace() || n == '%') =>
            {
                self.bump();
                Ok(Token::End)
            }
            c if is_symbol(c) => Ok(Token::Name(self.take_while(is_symbol).to_owned())),
            c => fail(start, format!("`{c}` cannot stand here")),
        }
    }

    fn number(&mut self) -> Result<Token, SyntaxError> {
        let start = self.at;
        let rest = &self.text[self.at..];
        if let Some(after) = rest.strip_prefix("0'") {
            let mut chars = after.chars();
            match (chars.next(), chars.next()) {
                (Some('\''), Some('\'')) => {
                    self.at += 4;
                    return Ok(Token::Int(BigInt::from(39)));
                }
                (Some('\\'), Some(_)) => {
                    self.at += 2;
                    return match self.escape('\'')? {
                        Some(c) => Ok(Token::Int(BigInt::from(c as u32))),
                        None => fail(start, "a character is missing after `0'`"),
                    };
                }
                (Some(c), _) if c != '\'' => {
                    self.at += 2 + c.len_utf8();
                    return Ok(Token::Int(BigInt::from(c as u32)));
                }
                _ => {}
            }
        }
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
            if rest.starts_with(prefix)
                && rest[2..].chars().next().is_some_and(|c| c.is_digit(radix))
            {
                self.at += 2;
                let digits = self.digits(radix);
                return large(start, &digits, radix);
            }
        }
        let mut digits = self.digits(10);
        if self.peek() == Some('\'')
            && let Ok(radix @ 2..=36) = digits.parse::<u32>()
            && self.peek_second().is_some_and(|c| c.is_digit(radix))
        {
            self.bump();
            let body = self.digits(radix);
            return large(start, &body, radix);
        }
        let mut float = false;
        if self.peek() == Some('.') && self.peek_second().is_some_and(|c| c.is_ascii_digit()) {
            self.bump();
            float = true;
            digits.push('.');
            digits.push_str(self.take_while(|c| c.is_ascii_digit()));
        }
        if matches!(self.peek(), Some('e' | 'E')) {
            let mut ahead = self.clone();
            ahead.bump();
            let mut exponent = String::from("e");
            if let Some(s @ ('+' | '-')) = ahead.peek() {
                exponent.push(s);
                ahead.bump();
            }
            let power = ahead.take_while(|c| c.is_ascii_digit());
            if !power.is_empty() && (float || self.peek() == Some('e') || self.peek() == Some('E'))
            {
                float = true;
                exponent.push_str(power);
                digits.push_str(&exponent);
                self.at = ahead.at;
            }
        }
        if float {
            if self.text[self.at..].starts_with("Inf") {
                self.at += 3;
                return Ok(Token::Float(f64::INFINITY));
            }
            if self.text[self.at..].starts_with("NaN") {
                self.at += 3;
                return Ok(Token::Float(f64::NAN));
            }
            return match digits.parse::<f64>() {
                Ok(x) if x.is_finite() => Ok(Token::Float(x)),
                _ => fail(start, "this number is too large for a float"),
            };
        }
        match digits.parse::<i64>() {
            Ok(n) => Ok(Token::Int(BigInt::from(n))),
            Err(_) => large(start, &digits, 10),
        }
    }

    /// Digits, with `_` allowed between groups.
    fn digits(&mut self, radix: u32) -> String {
        let mut out = self.take_while(|c| c.is_digit(radix)).to_owned();
        while self.peek() == Some('_') && self.peek_second().is_some_and(|c| c.is_digit(radix)) {
            self.bump();
            out.push_str(self.take_while(|c| c.is_digit(radix)));
        }
        out
    }

    fn quoted(&mut self, quote: char) -> Result<String, SyntaxError> {
        let start = self.at;
        self.bump();
        let mut out = String::new();
        loop {
            match self.bump() {
                None => return fail(start, "this quote is never closed"),
                // ISO 13211-1, 6.4.2.1: a new line stands only behind a backslash.
                Some('\n') => {
                    let says = "this quote is not closed on its line; write `\\n` for a line break";
                    return fail(start, says);
                }
                Some('\\') => {
                    self.at -= 1;
                    if let Some(c) = self.escape(quote)? {
                        out.push(c);
                    }
                }
                Some(c) if c == quote => {
                    if self.peek() == Some(quote) {
                        self.bump();
                        out.push(quote);
                    } else {
                        return Ok(out);
                    }
                }
                Some(c) => out.push(c),
            }
        }
    }

    /// An escape sequence; `None` for the ones that stand for nothing.
    fn escape(&mut self, quote: char) -> Result<Option<char>, SyntaxError> {
        let start = self.at;
        self.bump();
        let Some(c) = self.bump() else {
            return fail(start, "an escape is cut off by the end of the text");
        };
        Ok(Some(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0c',
            'v' => '\x0b',
            '0'..='7' => {
                self.at -= 1;
                let digits = self.take_while(|c| c.is_digit(8)).to_owned();
                return self.code(start, &digits, 8);
            }
            'x' => {
                let digits = self.take_while(|c| c.is_ascii_hexdigit()).to_owned();
                return self.code(start, &digits, 16);
            }
            'u' | 'U' => {
                let n = if c == 'u' { 4 } else { 8 };
                let digits: String = self.text[self.at..].chars().take(n).collect();
                self.at += digits.len();
                let value = u32::from_str_radix(&digits, 16)
                    .ok()
                    .and_then(char::from_u32);
                return match value {
                    Some(c) => Ok(Some(c)),
                    None => fail(start, "this is not a character code"),
                };
            }
            'e' => '\x1b',
            's' => ' ',
            'z' => return fail(start, "unknown escape `\\z`"),
            '\n' => return Ok(None),
            'c' => {
                while self.peek().is_some_and(char::is_whitespace) {
                    self.bump();
                }
                return Ok(None);
            }
            '\\' | '\'' | '"' | '`' => c,
            c if c == quote => c,
            c => return fail(start, format!("unknown escape `\\{c}`")),
        }))
    }

    fn code(
        &mut self,
        start: usize,
        digits: &str,
        radix: u32,
    ) -> Result<Option<char>, SyntaxError> {
        if self.peek() == Some('\\') {
            self.bump();
        }
        match u32::from_str_radix(digits, radix)
            .ok()
            .and_then(char::from_u32)
        {
            Some(c) => Ok(Some(c)),
            None => fail(start, "this is not a character code"),
        }
    }
}
