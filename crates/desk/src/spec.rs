//! Games and players as text: `name:key=value,...`.

use std::fmt;
use std::str::FromStr;

use crate::{Refusal, WORDS};

/// A game or a player as people write it.
///
/// A value with `,` `:` `=` inside is written in double quotes, a nested spec in braces.
///
/// ```
/// use wits_desk::Spec;
/// let spec: Spec = "thesis:longest=2,file=\"a,b.txt\",base={leave:top=3}".parse().unwrap();
/// assert_eq!(spec.name, "thesis");
/// assert_eq!(spec.value("file").unwrap().to_string(), "a,b.txt");
/// assert_eq!(spec.to_string().parse::<Spec>().unwrap(), spec);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Spec {
    /// Which game or player.
    pub name: String,
    /// The parameters that were given, in their order.
    pub args: Vec<(String, Value)>,
}

/// The value of a parameter.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// Plain or quoted text.
    Text(String),
    /// A spec in braces.
    Nested(Spec),
}

impl Spec {
    /// A spec with no parameters.
    pub fn named(name: impl Into<String>) -> Spec {
        Spec {
            name: name.into(),
            args: Vec::new(),
        }
    }

    /// The spec with one more parameter.
    pub fn with(mut self, key: impl Into<String>, value: impl Into<String>) -> Spec {
        self.args.push((key.into(), Value::Text(value.into())));
        self
    }

    /// The value given for a key.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.args
            .iter()
            .find(|(k, _)| k == key)
            .map(|(_, value)| value)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => f.write_str(text),
            Value::Nested(spec) => spec.fmt(f),
        }
    }
}

/// Whether text can stand in a spec without quotes.
fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && text.trim() == text
        && !text
            .contains(|c: char| matches!(c, ',' | ':' | '=' | '"' | '{' | '}') || c.is_control())
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.args.iter().enumerate() {
            write!(f, "{}{key}=", if i == 0 { ':' } else { ',' })?;
            match value {
                Value::Nested(spec) => write!(f, "{{{spec}}}")?,
                Value::Text(text) if is_plain(text) => f.write_str(text)?,
                Value::Text(text) => {
                    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
                    write!(f, "\"{escaped}\"")?;
                }
            }
        }
        Ok(())
    }
}

impl FromStr for Spec {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Spec, Refusal> {
        let mut reader = Reader {
            text,
            at: 0,
            depth: 0,
        };
        let spec = reader.spec()?;
        if reader.at < text.len() {
            return Err(reader.error(WORDS.say("expected-end")));
        }
        Ok(spec)
    }
}

/// How deep specs may nest: more than anybody writes, little enough to recurse.
const DEEPEST: u32 = 16;

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn error(&self, what: wits_game::Message) -> Refusal {
        let why = WORDS
            .say("malformed")
            .with("spec", self.text)
            .with("what", what)
            .with("at", self.text[..self.at].chars().count() + 1);
        Refusal::new("bad-spec", why, WORDS.say("malformed-hint"))
    }

    fn take(&mut self, c: char) -> bool {
        let hit = self.rest().starts_with(c);
        if hit {
            self.at += c.len_utf8();
        }
        hit
    }

    fn plain(&mut self) -> String {
        let rest = self.rest();
        let end = rest
            .find([',', ':', '=', '"', '{', '}'])
            .unwrap_or(rest.len());
        let word = rest[..end].trim().to_owned();
        self.at += end;
        word
    }

    fn spec(&mut self) -> Result<Spec, Refusal> {
        let name = self.plain();
        if name.is_empty() {
            return Err(self.error(WORDS.say("expected-name")));
        }
        let mut spec = Spec::named(name);
        if !self.take(':') {
            return Ok(spec);
        }
        loop {
            let key = self.plain();
            if key.is_empty() {
                return Err(self.error(WORDS.say("expected-key")));
            }
            if spec.value(&key).is_some() {
                return Err(self.error(WORDS.say("twice").with("key", key)));
            }
            if !self.take('=') {
                return Err(self.error(WORDS.say("expected-equals").with("key", key)));
            }
            let value = self.value()?;
            spec.args.push((key, value));
            if !self.take(',') {
                return Ok(spec);
            }
        }
    }

    fn value(&mut self) -> Result<Value, Refusal> {
        if self.take('"') {
            return self.quoted().map(Value::Text);
        }
        if self.take('{') {
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err(self.error(WORDS.say("open-brace")));
            }
            let spec = self.spec()?;
            if !self.take('}') {
                return Err(self.error(WORDS.say("open-brace")));
            }
            self.depth -= 1;
            return Ok(Value::Nested(spec));
        }
        // A value may hold a colon when nothing else is meant by it: `at=12:30` needs quotes.
        Ok(Value::Text(self.plain()))
    }

    fn quoted(&mut self) -> Result<String, Refusal> {
        let mut out = String::new();
        let mut chars = self.text[self.at..].char_indices();
        while let Some((i, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += i + 1;
                    return Ok(out);
                }
                '\\' => match chars.next() {
                    Some((_, escaped)) => out.push(escaped),
                    None => break,
                },
                _ => out.push(c),
            }
        }
        Err(self.error(WORDS.say("open-quote")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for text in [
            "tictactoe",
            "othello:size=8,start=othello,nomove=pass",
            "x:file=\"a=b,c:d.json\"",
            "x:file=\"say \\\"hi\\\" \\\\ there\"",
            "x:inner={y:z={w}}",
            "x:empty=\"\"",
        ] {
            let spec: Spec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
        }
        assert_eq!(
            " a : b = c , d = e ".parse::<Spec>().unwrap().to_string(),
            "a:b=c,d=e"
        );
    }

    #[test]
    fn what_is_wrong_is_pointed_at() {
        for (text, says) in [
            ("", "a name is expected at character 1"),
            (":x=1", "a name is expected at character 1"),
            ("a:", "a key is expected at character 3"),
            ("a:b", "`=` is expected after `b` at character 4"),
            ("a:b=1,b=2", "`b` is given twice at character 8"),
            ("a:b=\"x", "a double quote is never closed at character 6"),
            ("a:b={x", "a brace is never closed at character 7"),
            ("a:b=1=2", "`,` or the end is expected at character 6"),
            ("a:b=1}", "`,` or the end is expected at character 6"),
        ] {
            let error = text.parse::<Spec>().unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
        let deep = "a:b={".repeat(50_000);
        assert!(deep.parse::<Spec>().is_err());
    }
}
