//! What can be said to a question, and the cases that rules tell apart.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};
use wits_game::Message;

use crate::words::WORDS;

/// A number that was told; it is finite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Figure(f64);

impl Eq for Figure {}

impl Hash for Figure {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl Figure {
    /// A finite number.
    pub fn new(x: f64) -> Option<Figure> {
        // There is one zero.
        x.is_finite().then_some(Figure(x + 0.0))
    }

    /// Reads what a user typed; a comma is a point.
    pub fn read(text: &str) -> Option<Figure> {
        Figure::new(text.trim().replace(',', ".").parse().ok()?)
    }

    /// Its value.
    pub fn value(self) -> f64 {
        self.0
    }
}

/// What a user can say to a question.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reply {
    /// Yes.
    Yes,
    /// No.
    No,
    /// Don't know.
    Unknown,
    /// One of the options, as `writeq` writes it.
    Choice(String),
    /// A number.
    Number(Figure),
}

impl Reply {
    /// Reads what a user typed to a yes/no question: the usual words and single letters.
    pub fn read(text: &str) -> Option<Reply> {
        Some(match text.trim().to_lowercase().as_str() {
            "y" | "yes" => Reply::Yes,
            "n" | "no" => Reply::No,
            "?" | "u" | "unknown" | "dk" | "don't know" | "dont know" => Reply::Unknown,
            _ => return None,
        })
    }

    /// The answer as a word, an option by its name in the rules.
    pub fn word(&self) -> Message {
        match self {
            Reply::Yes => WORDS.say("yes"),
            Reply::No => WORDS.say("no"),
            Reply::Unknown => WORDS.say("unknown"),
            Reply::Choice(option) => WORDS.say("wrong").with("what", option),
            Reply::Number(n) => WORDS.say("wrong").with("what", n.value()),
        }
    }
}

/// One entry of a menu.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Identifier.
    pub id: String,
    /// What it says.
    pub label: String,
}

/// What kind of answer a question wants.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Yes or no.
    YesNo,
    /// One of these.
    Choice(Vec<Entry>),
    /// A number; between these where the base says so.
    Number(Option<(f64, f64)>),
}

/// A case that the rules tell apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Case {
    /// Yes.
    Yes,
    /// Anything but yes.
    No,
    /// This option.
    Option(String),
    /// Don't know, where that is more than not yes.
    Unknown,
    /// A number in this span.
    Span(Span),
}

impl Case {
    /// Whether an answer falls under the case.
    pub fn agrees(&self, reply: &Reply) -> bool {
        match (self, reply) {
            (Case::Yes, reply) => *reply == Reply::Yes,
            (Case::No, reply) => *reply != Reply::Yes,
            (Case::Option(wanted), Reply::Choice(said)) => wanted == said,
            (Case::Unknown, reply) => *reply == Reply::Unknown,
            (Case::Span(span), Reply::Number(n)) => span.holds(n.value()),
            _ => false,
        }
    }
}

/// Numbers between two ends, each of which may belong to it or not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Whether the ends belong to it.
    pub with: (bool, bool),
}

impl Span {
    /// Whether a number lies in it.
    pub fn holds(&self, x: f64) -> bool {
        (x > self.low || (self.with.0 && x >= self.low))
            && (x < self.high || (self.with.1 && x <= self.high))
    }

    /// This span and the one that begins where it ends.
    pub(crate) fn and(&self, next: &Span) -> Span {
        Span {
            low: self.low,
            high: next.high,
            with: (self.with.0, next.with.1),
        }
    }

    /// Some number in it.
    pub(crate) fn inside(&self) -> f64 {
        match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) => f64::midpoint(self.low, self.high),
            (true, false) => self.low + 1.0,
            (false, true) => self.high - 1.0,
            (false, false) => 0.0,
        }
    }

    /// Which part of a range it is; a single number is next to nothing, but not nothing.
    pub(crate) fn share(&self, (low, high): (f64, f64)) -> f64 {
        let length = self.high.min(high) - self.low.max(low);
        (length / (high - low)).clamp(1e-6, 1.0)
    }

    /// The range cut at some numbers: each of them, and what is between.
    pub(crate) fn pieces((low, high): (f64, f64), cuts: &[f64]) -> Vec<Span> {
        let mut out = Vec::new();
        let mut from = (low, low.is_finite());
        for &cut in cuts.iter().filter(|c| **c > low && **c < high) {
            out.push(Span {
                low: from.0,
                high: cut,
                with: (from.1, false),
            });
            out.push(Span {
                low: cut,
                high: cut,
                with: (true, true),
            });
            from = (cut, false);
        }
        out.push(Span {
            low: from.0,
            high,
            with: (from.1, high.is_finite()),
        });
        out
    }

    /// The span in words.
    pub(crate) fn says(&self) -> Message {
        let key = match (self.low.is_finite(), self.high.is_finite(), self.with) {
            (true, true, _) if self.low >= self.high => "case-exactly",
            (true, true, (true, true)) => "case-between",
            (true, true, (true, false)) => "case-from-below",
            (true, true, (false, true)) => "case-over-to",
            (true, true, (false, false)) => "case-over-below",
            (true, false, (true, _)) => "case-from",
            (true, false, _) => "case-over",
            (false, true, (_, true)) => "case-to",
            (false, true, _) => "case-below",
            (false, false, _) => "case-any",
        };
        WORDS.say(key).with("low", self.low).with("high", self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_a_range_once() {
        let pieces = Span::pieces((0.0, 10.0), &[2.0, 5.5, 10.0, 12.0]);
        assert_eq!(pieces.len(), 5);
        for x in [0.0, 1.0, 2.0, 3.0, 5.5, 6.0, 10.0] {
            assert_eq!(pieces.iter().filter(|p| p.holds(x)).count(), 1, "{x}");
        }
        for p in &pieces {
            assert!(p.holds(p.inside()), "{p:?}");
        }
        let whole = pieces[1..].iter().fold(pieces[0], |a, b| a.and(b));
        assert!(whole.holds(0.0) && whole.holds(10.0) && !whole.holds(10.1));
        let share: f64 = pieces.iter().map(|p| p.share((0.0, 10.0))).sum();
        assert!((share - 1.0).abs() < 1e-4);
    }

    #[test]
    fn replies_read_as_they_were_stored_before_there_were_choices() {
        let old: Vec<(String, Reply)> =
            serde_json::from_str(r#"[["a","yes"],["b","unknown"]]"#).unwrap();
        assert_eq!(old[1].1, Reply::Unknown);
        let reply = Reply::Number(Figure::read("2,5").unwrap());
        let text = serde_json::to_string(&reply).unwrap();
        assert_eq!(serde_json::from_str::<Reply>(&text).unwrap(), reply);
    }
}
