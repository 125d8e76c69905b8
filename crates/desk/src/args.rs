//! Parameters: typed, ranged, documented, in one place for help, pages and checks.

use serde::Serialize;
use wits_game::{Book, Message, Seed};

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
    /// A file to be written: a path for the command line, a link for the page. What goes in is the
    /// [file](crate::Block::File) of the answer that has the parameter's name.
    Output,
    /// A file that long work begins from where it is there, and [keeps](crate::Shelf::keep) what it
    /// knows in: only where the asker's files can be reached, that is in a terminal.
    Kept,
}

impl ParamKind {
    /// Whether it names a place where the asker's files are, which only a terminal can reach.
    pub const fn is_place(&self) -> bool {
        matches!(self, ParamKind::Output | ParamKind::Kept)
    }

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
            ParamKind::Text => WORDS.say("a-text"),
            ParamKind::File | ParamKind::Output | ParamKind::Kept => WORDS.say("a-file"),
            ParamKind::Nested => WORDS.say("a-spec").with("braces", "{name:key=value}"),
        }
    }

    fn accepts(&self, value: &Value) -> bool {
        match (self, value) {
            (ParamKind::Nested, Value::Nested(_))
            | (
                ParamKind::Text | ParamKind::File | ParamKind::Output | ParamKind::Kept,
                Value::Text(_),
            ) => true,
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

/// How a parameter of a verb is given.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each says one thing, and any may go together"
)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// On the command line it has a place instead of a name.
    pub positional: bool,
    /// It may be given more than once.
    pub many: bool,
    /// It cannot be left out.
    pub required: bool,
    /// A letter that stands for its name on the command line.
    pub short: Option<char>,
    /// What help puts in the place of its value: `COLUMN`.
    pub value: &'static str,
    /// Values worth offering; others are allowed, too.
    pub offers: &'static [&'static str],
    /// A terminal draws a fresh value where nobody gives one; elsewhere the default serves.
    pub fresh: bool,
    /// Its value may begin with a hyphen.
    pub hyphen: bool,
    /// It has a place on the command line and may be given by its name as well.
    pub named: bool,
    /// Several values may follow its name on the command line.
    pub listed: bool,
    /// A terminal asks for it where it is missing.
    pub prompted: bool,
    /// Files: it may name a folder, and what lies beside a file comes along. Outputs: it names a
    /// folder, and what goes in are the files of the answer named `NAME/FILE`.
    pub folder: bool,
}

/// One parameter of a game, a player or a verb.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Param {
    /// Its name in specs, options and JSON.
    pub name: &'static str,
    /// What values it takes.
    pub kind: ParamKind,
    /// The value when it is not given; nothing where it may be left out.
    pub default: Option<String>,
    /// What it does, in a sentence.
    pub about: Message,
    /// How it is given; games and players take all of theirs in specs.
    #[serde(skip)]
    pub usage: Usage,
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
            usage: Usage::default(),
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

    /// Any text; it may be left out.
    pub fn text(name: &'static str, book: &'static Book, about: &'static str) -> Param {
        Param::new(name, ParamKind::Text, &"", book, about).optional()
    }

    /// Something on the shelf.
    pub fn file(name: &'static str, book: &'static Book, about: &'static str) -> Param {
        Param::new(name, ParamKind::File, &"", book, about).optional()
    }

    /// A file to be written, where it is asked for.
    pub fn output(name: &'static str, book: &'static Book, about: &'static str) -> Param {
        let kind = ParamKind::Output;
        Param::new(name, kind, &"", book, about)
            .optional()
            .shown_as("FILE")
    }

    /// A file that long work begins from and keeps what it knows in.
    pub fn kept(name: &'static str, book: &'static Book, about: &'static str) -> Param {
        let param = Param::output(name, book, about);
        Param {
            kind: ParamKind::Kept,
            ..param
        }
    }

    /// Where all chance of a run comes from.
    pub fn seed(book: &'static Book, about: &'static str) -> Param {
        let most = Seed::MOST.number() as i64;
        let mut param = Param::int("seed", 0, most, 0, book, about);
        param.usage.fresh = true;
        param
    }

    /// The same parameter, but it may name a folder of files.
    pub fn folder(mut self) -> Param {
        self.usage.folder = true;
        self
    }

    /// The same parameter; a value that begins with a hyphen is no option.
    pub fn with_hyphens(mut self) -> Param {
        self.usage.hyphen = true;
        self
    }

    /// The same parameter, but it may be left out.
    pub fn optional(mut self) -> Param {
        self.default = None;
        self.usage.required = false;
        self
    }

    /// The same parameter, but it must be given.
    pub fn required(self) -> Param {
        let mut param = self.optional();
        param.usage.required = true;
        param
    }

    /// The same parameter in its place, but it may be given by its name or left out.
    pub fn placed(self) -> Param {
        let mut param = self.positional().optional();
        param.usage.named = true;
        param
    }

    /// The same parameter, as often as wanted, and several times behind one name.
    pub fn listed(mut self) -> Param {
        self.usage.listed = true;
        self.many()
    }

    /// The same parameter; a terminal asks for it where it is missing.
    pub fn prompted(mut self) -> Param {
        self.usage.prompted = true;
        self
    }

    /// The same parameter; on the command line it must stand in its place, without a name.
    pub fn positional(mut self) -> Param {
        self.usage.positional = true;
        self.required()
    }

    /// The same parameter, as often as wanted.
    pub fn many(mut self) -> Param {
        self.usage.many = true;
        self.default = None;
        self
    }

    /// The same parameter with a letter that stands for its name.
    pub fn short(mut self, letter: char) -> Param {
        self.usage.short = Some(letter);
        self
    }

    /// The same parameter with a word that stands for its value in help.
    pub fn shown_as(mut self, value: &'static str) -> Param {
        self.usage.value = value;
        self
    }

    /// The same parameter with values worth offering.
    pub fn offering(mut self, offers: &'static [&'static str]) -> Param {
        self.usage.offers = offers;
        self
    }
}

/// The parameters of one game, player or verb, checked, with all defaults filled in.
#[derive(Clone, PartialEq, Debug)]
pub struct Args {
    of: String,
    values: Vec<(&'static str, ParamKind, Vec<Value>)>,
    given: Vec<&'static str>,
}

impl Args {
    /// Checks a spec against the declared parameters.
    pub fn check(spec: &Spec, params: &[Param]) -> Result<Args, Refusal> {
        Args::read(&spec.name, &spec.args, params)
    }

    /// Checks names and values against the declared parameters of whatever `of` names.
    pub fn read(of: &str, pairs: &[(String, Value)], params: &[Param]) -> Result<Args, Refusal> {
        for (at, (key, value)) in pairs.iter().enumerate() {
            let Some(param) = params.iter().find(|p| p.name == key) else {
                return Err(Args::unknown(of, key, params));
            };
            if !param.usage.many && pairs[..at].iter().any(|(before, _)| before == key) {
                let why = WORDS.say("given-twice").with("param", key).with("of", of);
                let hint = WORDS.say("given-twice-hint");
                return Err(Refusal::new("bad-value", why, hint));
            }
            if !param.kind.accepts(value) {
                let why = WORDS
                    .say("bad-value")
                    .with("value", value.to_string())
                    .with("param", param.name)
                    .with("of", of);
                return Err(Refusal::new("bad-value", why, param.kind.allowed()));
            }
        }
        let given: Vec<&str> = params
            .iter()
            .map(|param| param.name)
            .filter(|name| pairs.iter().any(|(key, _)| key == name))
            .collect();
        let lacks = |param: &&Param| param.usage.required && !given.contains(&param.name);
        if let Some(param) = params.iter().find(lacks) {
            let why = WORDS.say("needs").with("param", param.name).with("of", of);
            let hint = WORDS.say("needs-hint").with("param", param.name);
            let hint = hint.with("about", param.about.clone());
            return Err(Refusal::new("missing-parameter", why, hint));
        }
        let fill = |param: &Param| {
            let named = pairs.iter().filter(|(key, _)| key == param.name);
            let mut values: Vec<Value> = named.map(|(_, value)| value.clone()).collect();
            if values.is_empty() {
                values.extend(param.default.clone().map(Value::Text));
            }
            (param.name, param.kind.clone(), values)
        };
        Ok(Args {
            of: of.to_owned(),
            values: params.iter().map(fill).collect(),
            given,
        })
    }

    fn unknown(of: &str, key: &str, params: &[Param]) -> Refusal {
        let names: Vec<&str> = params.iter().map(|p| p.name).collect();
        let why = WORDS.say("unknown-param").with("of", of).with("name", key);
        if names.is_empty() {
            let hint = WORDS.say("no-params").with("of", of);
            return Refusal::new("unknown-parameter", why, hint);
        }
        Refusal::unknown("unknown-parameter", why, key, &names)
    }

    /// What the arguments are for: the name of the game, the player or the verb.
    pub fn of(&self) -> &str {
        &self.of
    }

    fn values(&self, name: &str) -> &[Value] {
        let (_, _, values) = self
            .values
            .iter()
            .find(|(key, ..)| *key == name)
            .expect("rooms ask only for parameters that they declared");
        values
    }

    fn value(&self, name: &str) -> Option<&Value> {
        self.values(name).first()
    }

    /// Whether somebody gave it; otherwise its value is the default.
    pub fn given(&self, name: &str) -> bool {
        self.given.contains(&name)
    }

    /// All values of a parameter that may be repeated, as text.
    pub fn list(&self, name: &str) -> Vec<String> {
        self.values(name).iter().map(ToString::to_string).collect()
    }

    /// A text that may be left out.
    pub fn text_if(&self, name: &str) -> Option<&str> {
        self.value(name).map(|_| self.text(name))
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

    /// The seed of a parameter made by [`Param::seed`].
    pub fn seed(&self) -> Seed {
        Seed::new(self.int("seed") as u64)
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
        let args = self.values.iter().filter_map(|(name, kind, values)| {
            let value = match (kind, values.first()?.clone()) {
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
    fn a_seed_is_zero_where_no_door_draws_one() {
        let params = [Param::seed(&WORDS, "param-seed")];
        let seed = |pairs: &[(String, Value)]| Args::read("x", pairs, &params).unwrap().seed();
        assert_eq!(seed(&[]), Seed::default());
        let given = ("seed".to_owned(), Value::Text("7".to_owned()));
        assert_eq!(seed(&[given]), Seed::new(7));
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
