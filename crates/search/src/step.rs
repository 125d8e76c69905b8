//! One step of a machine: the envelope that all rooms share.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use wits_game::Message;

/// What kind of thing happened. The same kinds serve all rooms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A node, goal or candidate begins.
    Open,
    /// A node, goal or candidate ends, with a value.
    Close,
    /// Something is skipped, and why.
    Cut,
    /// A graph node is settled.
    Visit,
    /// An edge improves a label.
    Relax,
    /// A better answer so far.
    Improve,
    /// The decision.
    Choose,
    /// A question to the person.
    Ask,
    /// The person's reply.
    Answer,
    /// A bead is drawn.
    Draw,
    /// Beads are added or removed.
    Teach,
    /// One cell of a table is known.
    Cell,
    /// Counters so far.
    Count,
    /// A remark.
    Note,
}

impl Kind {
    /// The word in the file.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Open => "open",
            Kind::Close => "close",
            Kind::Cut => "cut",
            Kind::Visit => "visit",
            Kind::Relax => "relax",
            Kind::Improve => "improve",
            Kind::Choose => "choose",
            Kind::Ask => "ask",
            Kind::Answer => "answer",
            Kind::Draw => "draw",
            Kind::Teach => "teach",
            Kind::Cell => "cell",
            Kind::Count => "count",
            Kind::Note => "note",
        }
    }
}

/// One step: its kind, a sentence for a person, and data for the lens.
///
/// ```
/// use wits_search::{Kind, Step};
/// # use wits_game::{Book, Lang};
/// # static WORDS: Book = Book::new("demo", &[(Lang::En, "try = try {move}")]);
/// let step = Step::new(Kind::Open, WORDS.say("try").with("move", "d3"))
///     .data("id", 1)
///     .data("parent", 0)
///     .data("move", "d3");
/// assert_eq!(step.says.to_string(), "try d3");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// What happened.
    pub kind: Kind,
    /// The sentence: the only thing a screen reader needs.
    pub says: Message,
    /// What the lens draws. `id` and `parent` are read by the recorder, too.
    pub data: Map<String, Value>,
}

impl Step {
    /// A step with no data yet.
    pub fn new(kind: Kind, says: Message) -> Step {
        Step {
            kind,
            says,
            data: Map::new(),
        }
    }

    /// The step with one more datum.
    pub fn data(mut self, name: &str, value: impl Into<Value>) -> Step {
        self.data.insert(name.to_owned(), value.into());
        self
    }
}
