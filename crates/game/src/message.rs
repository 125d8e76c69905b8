//! What a player reads: a key with arguments, its text in one book per room.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use serde::{Serialize, Serializer};

/// The languages that players read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Lang {
    /// English: every book has it, and the others fall back to it.
    #[default]
    En,
    /// Polish.
    Pl,
    /// Czech.
    Cs,
}

impl Lang {
    /// The two letters that browsers send.
    pub const fn code(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Pl => "pl",
            Lang::Cs => "cs",
        }
    }
}

type Page = BTreeMap<&'static str, &'static str>;

/// The sentences of one room, in one or more languages.
///
/// A page is lines of `key = text`; `{name}` in the text is replaced by the argument of that name;
/// blank lines and lines that start with `#` are for the author.
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

/// An argument of a message: plain text, or a message that is translated along.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Arg {
    /// Moves, numbers, names: the same in every language.
    Text(String),
    /// A phrase with its own key.
    Say(Message),
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
            match self
                .args
                .iter()
                .find(|(name, _)| *name == &rest[open + 1..close])
            {
                Some((_, Arg::Text(arg))) => out.push_str(arg),
                Some((_, Arg::Say(arg))) => out.push_str(&arg.to(lang)),
                None => out.push_str(&rest[open..=close]),
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
            .map(|(name, arg)| format!("{name}={}", arg.bare()))
            .collect();
        format!("{}({})", self.key(), args.join(", "))
    }
}

impl Arg {
    fn bare(&self) -> String {
        match self {
            Arg::Text(text) => text.clone(),
            Arg::Say(message) => message.to(Lang::En),
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
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to(Lang::En))
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to(Lang::En))
    }
}

impl Serialize for Message {
    /// At the door a message is its English sentence; a door that translates keeps the message.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.to(Lang::En))
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
