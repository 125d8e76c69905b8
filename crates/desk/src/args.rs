//! Parameters: typed, ranged, documented, in one place for help, pages and checks.

use serde::Serialize;
use wits_game::{Book, Message};

use crate::{Refusal, Spec, Value, WORDS};

/// What values a parameter takes.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ParamKind {
    /// A whole number in a range.
    Int {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// A number in a range.
    Real {
        /// The least.
        min: f64,
        /// The greatest.
        max: f64,
    },
    /// One of some words.
    Choice(Vec<String>),
    /// Yes or no.
    Flag,
    /// Any text.
    Text,
    /// The name of something on the shelf: a file for the command line, a stored item for the page.
    File,
    /// A spec in braces.
    Nested,
}

impl ParamKind {
    /// What is allowed, as a sentence that tells what to do.
    pub fn allowed(&self) -> Message {
        match self {
            ParamKind::Int { min, max } => WORDS
                .say("whole-number")
                .with("min", *min)
                .with("max", *max),
            ParamKind::Real { min, max } => WORDS.say("number").with("min", *min).with("max", *max),
            ParamKind::Choice(words) => WORDS.say("one-of").with("all", words.join(", ")),
            ParamKind::Flag => WORDS.say("true-or-false"),
            ParamKind::Text | ParamKind::File => WORDS.say("a-file"),
            ParamKind::Nested => WORDS.say("a-spec").with("braces", "{name:key=value}"),
        }
    }

    fn accepts(&self, value: &Value) -> bool {
        match (self, value) {
            (ParamKind::Nested, Value::Nested(_))
            | (ParamKind::Text | ParamKind::File, Value::Text(_)) => true,
            (ParamKind::Nested, Value::Text(text)) => text.parse::<Spec>().is_ok(),
            (_, Value::Nested(_)) => false,
            (ParamKind::Int { min, max }, Value::Text(text)) => text
                .parse::<i64>()
                .is_ok_and(|n| (*min..=*max).contains(&n)),
            (ParamKind::Real { min, max }, Value::Text(text)) => {
                text.parse::<f64>().is_ok_and(|n| *min <= n && n <= *max)
            }
            (ParamKind::Choice(words), Value::Text(text)) => words.contains(text),
            (ParamKind::Flag, Value::Text(text)) => matches!(text.as_str(), "true" | "false"),
        }
    }
}

/// One parameter of a game or a player.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Param {
    /// Its name in specs.
    pub name: &'static str,
    /// What values it takes.
    pub kind: ParamKind,
    /// The value when it is not given; nothing where it may be left out.
    pub default: Option<String>,
    /// What it does, in a sentence.
    pub about: Message,
}

impl Param {
    /// A parameter whose sentence is a key of a room's book.
    pub fn new(
        name: &'static str,
        kind: ParamKind,
        default: &impl ToString,
        book: &'static Book,
        about: &'static str,
    ) -> Param {
        Param {
            name,
            kind,
            default: Some(default.to_string()),
            about: book.say(about),
        }
    }

    /// A whole number.
    pub fn int(
        name: &'static str,
        min: i64,
        max: i64,
        default: i64,
        book: &'static Book,
        about: &'static str,
    ) -> Param {
        Param::new(name, ParamKind::Int { min, max }, &default, book, about)
    }

    /// A number.
    pub fn real(
        name: &'static str,
        min: f64,
        max: f64,
        default: f64,
        book: &'static Book,
        about: &'static str,
    ) -> Param {
        Param::new(name, ParamKind::Real { min, max }, &default, book, about)
    }

    /// One of some words.
    pub fn choice<S: ToString>(
        name: &'static str,
        words: &[S],
        default: &str,
        book: &'static Book,
        about: &'static str,
    ) -> Param {
        let words = words.iter().map(ToString::to_string).collect();
        Param::new(name, ParamKind::Choice(words), &default, book, about)
    }

    /// Yes or no.
    pub fn flag(
        name: &'static str,
        default: bool,
        book: &'static Book,
        about: &'static str,
    ) -> Param {
        Param::new(name, ParamKind::Flag, &default, book, about)
    }

    /// The same parameter, but it may be left out.
    pub fn optional(mut self) -> Param {
        self.default = None;
        self
    }
}

/// The parameters of one game or player, checked, with all defaults filled in.
#[derive(Clone, PartialEq, Debug)]
pub struct Args {
    of: String,
    values: Vec<(&'static str, ParamKind, Option<Value>)>,
}

impl Args {
    /// Checks a spec against the declared parameters.
    pub fn check(spec: &Spec, params: &[Param]) -> Result<Args, Refusal> {
        for (key, value) in &spec.args {
            let Some(param) = params.iter().find(|p| p.name == key) else {
                return Err(Args::unknown(spec, key, params));
            };
            if !param.kind.accepts(value) {
                let why = WORDS
                    .say("bad-value")
                    .with("value", value.to_string())
                    .with("param", param.name)
                    .with("of", &spec.name);
                return Err(Refusal::new("bad-value", why, param.kind.allowed()));
            }
        }
        let fill = |param: &Param| {
            let default = || param.default.clone().map(Value::Text);
            (
                param.name,
                param.kind.clone(),
                spec.value(param.name).cloned().or_else(default),
            )
        };
        Ok(Args {
            of: spec.name.clone(),
            values: params.iter().map(fill).collect(),
        })
    }

    fn unknown(spec: &Spec, key: &str, params: &[Param]) -> Refusal {
        let names: Vec<&str> = params.iter().map(|p| p.name).collect();
        let why = WORDS
            .say("unknown-param")
            .with("of", &spec.name)
            .with("name", key);
        if names.is_empty() {
            return Refusal::new(
                "unknown-parameter",
                why,
                WORDS.say("no-params").with("of", &spec.name),
            );
        }
        Refusal::unknown("unknown-parameter", why, key, &names)
    }

    fn value(&self, name: &str) -> Option<&Value> {
        let (_, _, value) = self
            .values
            .iter()
            .find(|(key, ..)| *key == name)
            .expect("rooms ask only for parameters that they declared");
        value.as_ref()
    }

    fn parsed<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        match self.value(name)? {
            Value::Text(text) => text.parse().ok(),
            Value::Nested(_) => None,
        }
    }

    /// A whole number.
    pub fn int(&self, name: &str) -> i64 {
        self.parsed(name).expect("checked when the spec was read")
    }

    /// A whole number that may be left out.
    pub fn int_if(&self, name: &str) -> Option<i64> {
        self.parsed(name)
    }

    /// A number.
    pub fn real(&self, name: &str) -> f64 {
        self.parsed(name).expect("checked when the spec was read")
    }

    /// A number that may be left out.
    pub fn real_if(&self, name: &str) -> Option<f64> {
        self.parsed(name)
    }

    /// Yes or no.
    pub fn flag(&self, name: &str) -> bool {
        self.parsed(name).expect("checked when the spec was read")
    }

    /// A word or a text; empty if left out.
    pub fn text(&self, name: &str) -> &str {
        match self.value(name) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// A nested spec.
    pub fn nested(&self, name: &str) -> Option<Spec> {
        match self.value(name)? {
            Value::Nested(spec) => Some(spec.clone()),
            Value::Text(text) => text.parse().ok(),
        }
    }

    /// The canonical spec: every parameter written out, in the declared order.
    pub fn spec(&self) -> Spec {
        let args = self.values.iter().filter_map(|(name, kind, value)| {
            let value = match (kind, value.clone()?) {
                (ParamKind::Nested, Value::Text(text)) => {
                    text.parse().map_or(Value::Text(text), Value::Nested)
                }
                (_, value) => value,
            };
            Some(((*name).to_owned(), value))
        });
        Spec {
            name: self.of.clone(),
            args: args.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params() -> Vec<Param> {
        vec![
            Param::int("depth", 1, 20, 4, &WORDS, "param-depth"),
            Param::choice("eval", &["korman", "discs"], "discs", &WORDS, "param-eval"),
            Param::real("exploration", 0.0, 5.0, 1.4, &WORDS, "param-exploration").optional(),
        ]
    }

    fn check(text: &str) -> Result<Args, String> {
        Args::check(&text.parse().unwrap(), &params()).map_err(|e| e.to_string())
    }

    #[test]
    fn defaults_are_written_out() {
        let args = check("alphabeta:eval=korman").unwrap();
        assert_eq!(args.spec().to_string(), "alphabeta:depth=4,eval=korman");
        assert_eq!(
            (
                args.int("depth"),
                args.text("eval"),
                args.real_if("exploration")
            ),
            (4, "korman", None)
        );
    }

    #[test]
    fn errors_name_the_thing_and_what_is_allowed() {
        for (text, says) in [
            (
                "x:depht=3",
                "`x` has no parameter `depht`; did you mean `depth`? there are: depth, eval, exploration",
            ),
            (
                "x:depth=21",
                "`21` is not a value for `depth` of `x`; give a whole number from 1 to 20",
            ),
            ("x:depth=three", "give a whole number from 1 to 20"),
            ("x:eval=krman", "give one of: korman, discs"),
            ("x:exploration=nan", "give a number from 0 to 5"),
            ("x:depth={y}", "give a whole number from 1 to 20"),
        ] {
            let error = check(text).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
