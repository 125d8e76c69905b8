//! What a player reads: a key with arguments, its text in one book per room.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Figure, Lang};

type Page = BTreeMap<&'static str, &'static str>;

/// The sentences of one room, in one or more languages.
///
/// A page is lines of `key = text`; blank lines and lines that start with `#` are for the author.
/// In a text, `{name}` is replaced by the argument of that name, and `{name:game|games}` by the
/// form that goes with the number that the argument is, see [`Lang::form`].
pub struct Book {
    room: &'static str,
    sources: &'static [(Lang, &'static str)],
    pages: OnceLock<BTreeMap<Lang, Page>>,
}

impl Book {
    /// A book with its pages as text, usually by `include_str!`.
    pub const fn new(room: &'static str, sources: &'static [(Lang, &'static str)]) -> Book {
        Book {
            room,
            sources,
            pages: OnceLock::new(),
        }
    }

    /// The room whose words these are.
    pub const fn room(&self) -> &'static str {
        self.room
    }

    /// A message of this book, to be given its arguments with [`Message::with`].
    pub fn say(&'static self, key: &'static str) -> Message {
        Message {
            book: self,
            key,
            args: Vec::new(),
        }
    }

    /// The raw text of a key; English where the language has no such page or line.
    pub fn text(&self, lang: Lang, key: &str) -> Option<&'static str> {
        let find = |lang| {
            self.pages()
                .get(&lang)
                .and_then(|page| page.get(key).copied())
        };
        find(lang).or_else(|| find(Lang::En))
    }

    /// All keys of the English page, in order.
    pub fn keys(&self) -> Vec<&'static str> {
        self.pages()
            .get(&Lang::En)
            .map(|page| page.keys().copied().collect())
            .unwrap_or_default()
    }

    /// The keys of the English page that a language lacks.
    pub fn missing(&self, lang: Lang) -> Vec<&'static str> {
        let page = self.pages().get(&lang);
        self.keys()
            .into_iter()
            .filter(|key| !page.is_some_and(|p| p.contains_key(key)))
            .collect()
    }

    /// What is wrong with a language's page, in words: keys without a text, keys that English does
    /// not have, and texts with other arguments or another number of forms than they should have.
    pub fn flaws(&self, lang: Lang) -> Vec<String> {
        let mut flaws: Vec<String> = self
            .missing(lang)
            .iter()
            .map(|key| format!("`{}.{key}` has no text in `{}`", self.room, lang.code()))
            .collect();
        for (key, text) in self.pages().get(&lang).into_iter().flatten() {
            let at = format!("`{}.{key}` in `{}`", self.room, lang.code());
            let english = self.pages().get(&Lang::En).and_then(|page| page.get(key));
            match english.map(|english| arguments(english)) {
                None => flaws.push(format!("{at} is no key of the English page")),
                Some(theirs) if theirs != arguments(text) => {
                    flaws.push(format!("{at} has other arguments than {theirs:?}"));
                }
                Some(_) => {}
            }
            for (name, forms) in gaps(text).filter_map(|gap| gap.split_once(':')) {
                if !(lang.forms()..=lang.forms() + 1).contains(&forms.split('|').count()) {
                    flaws.push(format!("{at} has a wrong number of forms for `{name}`"));
                }
            }
        }
        flaws
    }

    fn pages(&self) -> &BTreeMap<Lang, Page> {
        self.pages.get_or_init(|| {
            self.sources
                .iter()
                .map(|&(lang, source)| (lang, read_page(source)))
                .collect()
        })
    }
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Book({})", self.room)
    }
}

fn read_page(source: &'static str) -> Page {
    source
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .filter_map(|line| line.split_once('='))
        .map(|(key, text)| (key.trim(), text.trim()))
        .collect()
}

/// What stands between braces in a text.
fn gaps(text: &str) -> impl Iterator<Item = &str> {
    text.split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}').map(|(gap, _)| gap))
}

/// The names of a text's arguments.
fn arguments(text: &str) -> BTreeSet<&str> {
    gaps(text)
        .map(|gap| gap.split_once(':').map_or(gap, |(name, _)| name))
        .collect()
}

/// An argument of a message: plain text, or a message that is translated along.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Arg {
    /// Moves, numbers, names: the same in every language.
    Text(String),
    /// A phrase with its own key.
    Say(Message),
    /// A number, written as the language writes it.
    Figure(Figure),
}

impl From<Figure> for Arg {
    fn from(figure: Figure) -> Arg {
        Arg::Figure(figure)
    }
}

impl From<Message> for Arg {
    fn from(message: Message) -> Arg {
        Arg::Say(message)
    }
}

/// Things that are written the same in every language.
macro_rules! plain {
    ($($t:ty),*) => { $(impl From<$t> for Arg {
        fn from(thing: $t) -> Arg { Arg::Text(thing.to_string()) }
    })* };
}
plain!(
    &str,
    String,
    &String,
    char,
    u8,
    u16,
    u32,
    u64,
    usize,
    i32,
    i64,
    isize,
    f64,
    crate::Seat,
    crate::Seed
);

/// A sentence for a person, not yet in any language.
///
/// ```
/// use wits_game::{Book, Lang};
/// static WORDS: Book = Book::new("demo", &[(Lang::En, "taken = `{square}` is taken")]);
/// let message = WORDS.say("taken").with("square", "b2");
/// assert_eq!(message.to_string(), "`b2` is taken");
/// ```
#[derive(Clone)]
pub struct Message {
    book: &'static Book,
    key: &'static str,
    args: Vec<(&'static str, Arg)>,
}

impl Message {
    /// A sentence as it was written elsewhere: it is the same in every language.
    pub fn plain(text: impl Into<String>) -> Message {
        crate::WORDS.say("plain").with("text", text.into())
    }

    /// The message with one more argument.
    pub fn with(mut self, name: &'static str, arg: impl Into<Arg>) -> Message {
        self.args.push((name, arg.into()));
        self
    }

    /// The key with its room in front, as scripts may match it.
    pub fn key(&self) -> String {
        format!("{}.{}", self.book.room, self.key)
    }

    /// The sentence in a language. A key that no page has is shown as it is, so nothing is lost.
    pub fn to(&self, lang: Lang) -> String {
        let Some(text) = self.book.text(lang, self.key) else {
            return self.bare();
        };
        let mut out = String::with_capacity(text.len() + 16);
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let Some(close) = rest[open..].find('}').map(|i| open + i) else {
                break;
            };
            out.push_str(&rest[..open]);
            let gap = &rest[open + 1..close];
            let (name, forms) = gap
                .split_once(':')
                .map_or((gap, None), |(name, forms)| (name, Some(forms)));
            match (self.args.iter().find(|(n, _)| *n == name), forms) {
                (Some((_, arg)), Some(forms)) => out.push_str(lang.form(&arg.plain(lang), forms)),
                (Some((_, arg)), None) => out.push_str(&arg.to(lang)),
                (None, _) => out.push_str(&rest[open..=close]),
            }
            rest = &rest[close + 1..];
        }
        out.push_str(rest);
        out
    }

    fn bare(&self) -> String {
        let args: Vec<String> = self
            .args
            .iter()
            .map(|(name, arg)| format!("{name}={}", arg.to(Lang::En)))
            .collect();
        format!("{}({})", self.key(), args.join(", "))
    }
}

impl Arg {
    /// What a form is chosen by: the number itself, whatever its separators.
    fn plain(&self, lang: Lang) -> Cow<'_, str> {
        match self {
            Arg::Figure(figure) => Cow::Owned(figure.plain()),
            _ => self.to(lang),
        }
    }

    fn to(&self, lang: Lang) -> Cow<'_, str> {
        match self {
            Arg::Text(text) => Cow::Borrowed(text),
            Arg::Say(message) => Cow::Owned(message.to(lang)),
            Arg::Figure(figure) => Cow::Owned(figure.to(lang)),
        }
    }
}

impl PartialEq for Message {
    fn eq(&self, other: &Message) -> bool {
        self.book.room == other.book.room && self.key == other.key && self.args == other.args
    }
}

impl Eq for Message {}

impl Hash for Message {
    fn hash<H: Hasher>(&self, to: &mut H) {
        self.book.room.hash(to);
        self.key.hash(to);
        self.args.hash(to);
    }
}

impl fmt::Display for Message {
    /// The sentence in the language that is [spoken](Lang::spoken) here.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to(Lang::spoken()))
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to(Lang::En))
    }
}

impl Serialize for Message {
    /// At the door a message is its sentence in the language that is [spoken](Lang::spoken) there.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.to(Lang::spoken()))
    }
}

impl<'de> Deserialize<'de> for Message {
    /// A sentence that was written elsewhere keeps the language in which it was written.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Message, D::Error> {
        String::deserialize(from).map(Message::plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static WORDS: Book = Book::new(
        "demo",
        &[
            (
                Lang::En,
                "# note\nwin = {who} wins by {points}\n\nblack = Black\n",
            ),
            (Lang::Pl, "black = Czarne\nwin = wygrywa {who}: {points}"),
        ],
    );

    #[test]
    fn arguments_are_translated_along() {
        let message = WORDS
            .say("win")
            .with("who", WORDS.say("black"))
            .with("points", 4);
        assert_eq!(message.to(Lang::En), "Black wins by 4");
        assert_eq!(message.to(Lang::Pl), "wygrywa Czarne: 4");
        assert_eq!(message.to(Lang::Cs), "Black wins by 4");
        assert_eq!(message.key(), "demo.win");
    }

    #[test]
    fn words_go_with_their_numbers() {
        static COUNTED: Book = Book::new(
            "counted",
            &[
                (
                    Lang::En,
                    "games = {n} {n:game|games} won\nbad = {n} of {all}",
                ),
                (
                    Lang::Pl,
                    "games = {n:wygrana|wygrane|wygranych}: {n} {n:partia|partie|partii}",
                ),
                (Lang::Cs, "games = {n} {n:výhra|výher}\nbad = {n}\nodd = x"),
            ],
        );
        let games = |n: u32| COUNTED.say("games").with("n", n);
        assert_eq!(games(1).to(Lang::En), "1 game won");
        assert_eq!(games(3).to(Lang::En), "3 games won");
        assert_eq!(games(22).to(Lang::Pl), "wygrane: 22 partie");
        assert!(COUNTED.flaws(Lang::En).is_empty());
        assert_eq!(
            COUNTED.flaws(Lang::Pl),
            ["`counted.bad` has no text in `pl`"]
        );
        assert_eq!(
            COUNTED.flaws(Lang::Cs).len(),
            3,
            "{:?}",
            COUNTED.flaws(Lang::Cs)
        );
    }

    #[test]
    fn a_sentence_is_in_the_language_that_is_spoken() {
        let black = WORDS.say("black");
        assert_eq!(black.to_string(), "Black");
        assert_eq!(Lang::Pl.speak(|| black.to_string()), "Czarne");
        assert_eq!(black.to_string(), "Black");
    }

    #[test]
    fn nothing_is_lost_when_a_key_or_an_argument_is_missing() {
        assert_eq!(WORDS.say("gone").with("x", 1).to_string(), "demo.gone(x=1)");
        assert_eq!(
            WORDS.say("win").with("who", "X").to_string(),
            "X wins by {points}"
        );
        assert_eq!(WORDS.missing(Lang::Cs), ["black", "win"]);
        assert!(WORDS.missing(Lang::Pl).is_empty());
    }
}
