//! A machine as a file that a person can read and edit.
//!
//! The file is JSON with one box per line:
//!
//! ```json
//! {
//!   "matchbox": 1,
//!   "name": "HER",
//!   "game": "hexapawn:rows=3,cols=3",
//!   "seat": 2,
//!   "scheme": "gardner",
//!   "twins": "merge",
//!   "teaching": {"start":[1],"win":0,"draw":0,"loss":-1,"punish":"last"},
//!   "taught": {"wins":0,"draws":0,"losses":0},
//!   "boxes": [
//!     {"move": 2, "position": "BBB/W--/-WW b", "beads": {"b3xa2": 1, "b3-b2": 1, "c3-c2": 1}}
//!   ]
//! }
//! ```
//!
//! A colour that is not listed counts as no bead, a box that is not listed as empty: that is what
//! a teacher does who takes an empty box off the wall.

use std::fmt::{self, Write as _};
use std::sync::Arc;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use wits_game::{Message, Seat};

use crate::WORDS;
use crate::boxed::{Scheme, Twins};
use crate::machine::{Machine, Taught};
use crate::subject::Subject;
use crate::teaching::Teaching;
use crate::words::shown;

/// The version of the format.
pub const FILE_VERSION: u32 = 1;

/// More beads of a colour than this are a slip of the pen, not a machine.
pub const MOST_BEADS: i64 = 1_000_000_000;

/// Why a file is not a machine: where, and what to do.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct BadMachine {
    /// The line of the file, counted from one, where it is known.
    pub line: Option<usize>,
    /// The position on the label of the box, where it is about one.
    pub position: Option<String>,
    /// A short word for scripts.
    pub code: &'static str,
    /// What is wrong and what to do.
    pub why: Message,
}

impl fmt::Display for BadMachine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if let Some(position) = &self.position {
            write!(f, "box `{position}`: ")?;
        }
        self.why.fmt(f)
    }
}

fn bad(code: &'static str, why: Message) -> BadMachine {
    BadMachine {
        line: None,
        position: None,
        code,
        why,
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    matchbox: u32,
    name: String,
    game: String,
    seat: Seat,
    scheme: Scheme,
    twins: Twins,
    teaching: Teaching,
    #[serde(default)]
    taught: Taught,
    boxes: Vec<BoxLine>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoxLine {
    /// For the reader's eye only; the position says it all.
    #[serde(rename = "move", default)]
    _number: Option<u32>,
    position: String,
    beads: Colours,
}

/// Beads by colour, with doubled colours kept so that they can be reported.
struct Colours(Vec<(String, i64)>);

impl<'de> Deserialize<'de> for Colours {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Colours, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Colours;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("beads by move, such as {\"a1-a2\": 1}")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Colours, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Colours(pairs))
            }
        }
        from.deserialize_map(Pairs)
    }
}

impl Machine {
    /// The machine as plain data: the same keys as the file.
    pub fn to_json(&self) -> Value {
        let boxes: Vec<Value> = self
            .cabinet
            .labels()
            .iter()
            .enumerate()
            .map(|(at, label)| {
                let beads: serde_json::Map<String, Value> = (label.moves.iter().cloned())
                    .zip(self.beads(at).iter().map(|&n| Value::from(n)))
                    .collect();
                json!({"move": label.number, "position": label.position, "beads": beads})
            })
            .collect();
        let mut head = self.head();
        head.insert("boxes".to_owned(), Value::from(boxes));
        Value::from(head)
    }

    fn head(&self) -> serde_json::Map<String, Value> {
        let Value::Object(head) = json!({
            "matchbox": FILE_VERSION,
            "name": self.name,
            "game": self.cabinet.game(),
            "seat": self.cabinet.seat(),
            "scheme": self.cabinet.scheme(),
            "twins": self.cabinet.twins(),
            "teaching": self.teaching,
            "taught": self.taught,
        }) else {
            unreachable!("an object was written")
        };
        head
    }

    /// The machine as a file: one line per box, so that a person finds their way.
    pub fn to_text(&self) -> String {
        let head = self.head();
        let mut out = String::from("{\n");
        for key in [
            "matchbox", "name", "game", "seat", "scheme", "twins", "teaching", "taught",
        ] {
            let _ = writeln!(out, "  \"{key}\": {},", head[key]);
        }
        out.push_str("  \"boxes\": [\n");
        for (at, label) in self.cabinet.labels().iter().enumerate() {
            let beads: Vec<String> = label
                .moves
                .iter()
                .zip(self.beads(at))
                .map(|(mv, n)| format!("{}: {n}", Value::from(mv.as_str())))
                .collect();
            let comma = if at + 1 == self.cabinet.len() {
                ""
            } else {
                ","
            };
            let _ = writeln!(
                out,
                "    {{\"move\": {}, \"position\": {}, \"beads\": {{{}}}}}{comma}",
                label.number,
                Value::from(label.position.as_str()),
                beads.join(", ")
            );
        }
        out.push_str("  ]\n}\n");
        out
    }

    /// Reads a machine. Nothing is guessed: what does not fit is reported with its line.
    pub fn read(text: &str) -> Result<Machine, BadMachine> {
        Machine::read_by(text, &|game| Subject::named(game).ok())
    }

    /// Reads a machine of any game that `named` knows by its spec.
    pub fn read_by(
        text: &str,
        named: &dyn Fn(&str) -> Option<Subject>,
    ) -> Result<Machine, BadMachine> {
        let file: File = serde_json::from_str(text).map_err(|error| BadMachine {
            line: Some(error.line()).filter(|&l| l > 0),
            ..bad(
                "not-a-machine",
                WORDS.say("file-syntax").with("what", error.to_string()),
            )
        })?;
        if file.matchbox != FILE_VERSION {
            let why = WORDS
                .say("file-version")
                .with("found", file.matchbox)
                .with("known", FILE_VERSION);
            return Err(BadMachine {
                line: line_of(text, "\"matchbox\"", 0),
                ..bad("version", why)
            });
        }
        let subject = named(&file.game).ok_or_else(|| BadMachine {
            line: line_of(text, "\"game\"", 0),
            ..bad(
                "other-game",
                WORDS.say("file-game").with("game", shown(&file.game)),
            )
        })?;
        let cabinet = subject
            .cabinet(file.seat, file.scheme, file.twins)
            .map_err(|e| {
                bad(
                    "too-large",
                    WORDS.say("file-large").with("what", e.to_string()),
                )
            })?;
        if file.seat.index() > 1 {
            return Err(bad("seat", WORDS.say("file-seat").with("seat", file.seat)));
        }
        let mut machine = Machine {
            name: file.name,
            beads: vec![0; cabinet.slots()],
            cabinet: Arc::new(cabinet),
            teaching: file.teaching,
            taught: file.taught,
        };
        let mut seen = vec![false; machine.cabinet.len()];
        for line in &file.boxes {
            machine
                .fill(line, &subject, &mut seen)
                .map_err(|(code, why, nth)| BadMachine {
                    line: line_of(text, &Value::from(line.position.as_str()).to_string(), nth),
                    position: Some(shown(&line.position)),
                    ..bad(code, why)
                })?;
        }
        Ok(machine)
    }

    /// Reads a machine for a game that is known already.
    pub(crate) fn read_of(text: &str, subject: &Subject) -> Result<Machine, BadMachine> {
        let own = subject.spec();
        let known = |game: &str| (game == own).then(|| subject.clone());
        let machine = Machine::read_by(text, &|game| known(game).or(Subject::named(game).ok()))?;
        machine.only_for(text, &own)
    }

    /// Reads a machine for one game only.
    pub fn read_for(text: &str, game: &str) -> Result<Machine, BadMachine> {
        Machine::read(text)?.only_for(text, game)
    }

    /// The machine, if it is for a game.
    fn only_for(self, text: &str, game: &str) -> Result<Machine, BadMachine> {
        if self.cabinet.game() == game {
            return Ok(self);
        }
        let why = WORDS
            .say("file-other-game")
            .with("found", self.cabinet.game())
            .with("wanted", game);
        Err(BadMachine {
            line: line_of(text, "\"game\"", 0),
            ..bad("other-game", why)
        })
    }

    /// Puts the beads of one line into its box. An error also says which occurrence of the position
    /// in the file it is about.
    fn fill(
        &mut self,
        line: &BoxLine,
        subject: &Subject,
        seen: &mut [bool],
    ) -> Result<(), (&'static str, Message, usize)> {
        let cabinet = Arc::clone(&self.cabinet);
        let Some(at) = cabinet.labelled(&line.position) else {
            let why = WORDS
                .say("file-unknown-position")
                .with("scheme", cabinet.scheme().to_string())
                .with("who", subject.seat_name(cabinet.seat()));
            return Err(("unknown-position", why, 0));
        };
        if std::mem::replace(&mut seen[at], true) {
            return Err(("twice", WORDS.say("file-twice"), 1));
        }
        let label = &cabinet.labels()[at];
        let mut given = vec![false; label.moves.len()];
        for (mv, count) in &line.beads.0 {
            let Some(bead) = label.moves.iter().position(|m| m == mv) else {
                let why = WORDS.say("file-unknown-bead").with("bead", shown(mv));
                return Err(("unknown-bead", why.with("all", label.moves.join(", ")), 0));
            };
            if std::mem::replace(&mut given[bead], true) {
                return Err(("twice", WORDS.say("file-bead-twice").with("bead", mv), 0));
            }
            if !(0..=MOST_BEADS).contains(count) {
                let key = if *count < 0 {
                    "file-negative"
                } else {
                    "file-too-many"
                };
                let why = WORDS.say(key).with("bead", mv).with("count", *count);
                return Err((
                    if *count < 0 { "negative" } else { "too-many" },
                    why.with("most", MOST_BEADS),
                    0,
                ));
            }
            self.beads[label.first + bead] = *count as u32;
        }
        Ok(())
    }
}

/// The line on which the `nth` occurrence of some text stands.
fn line_of(text: &str, what: &str, nth: usize) -> Option<usize> {
    let (at, _) = text.match_indices(what).nth(nth)?;
    Some(text[..at].matches('\n').count() + 1)
}
