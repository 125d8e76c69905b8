//! What is written down: a header, then one event a line, only ever added to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wits_game::{Message, Seat, Seed};

use crate::{FaultName, TimeControl, WORDS};

/// The version of the format that this program writes.
pub const RECORD_VERSION: u32 = 1;

/// The first line of a record: all that is needed to play the same game again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format.
    pub record: u32,
    /// The version of the game's rules.
    pub rules: u32,
    /// The canonical spec of the game, all defaults written out.
    pub game: String,
    /// Where all chance comes from.
    pub seed: Seed,
    /// The specs of the players, seat by seat.
    pub players: Vec<String>,
    /// The position it starts from, where that is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Hashes of what the game and the players took from the shelf.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub shelf: BTreeMap<String, String>,
    /// The rule of the clocks.
    #[serde(default)]
    pub clock: TimeControl,
    /// The game ends undecided after this many moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
    /// Whether the same seed plays the same game: no clock and no second thread decided anything.
    #[serde(default = "yes")]
    pub repeatable: bool,
}

fn yes() -> bool {
    true
}

impl Header {
    /// A header with no clock and no limit.
    pub fn new(rules: u32, game: String, seed: Seed, players: Vec<String>) -> Header {
        Header {
            record: RECORD_VERSION,
            rules,
            game,
            seed,
            players,
            start: None,
            shelf: BTreeMap::new(),
            clock: TimeControl::None,
            max_moves: None,
            repeatable: true,
        }
    }
}

/// Something that happened at the table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// A seat moved.
    Move {
        /// How many moves and deals came before.
        ply: u32,
        /// Who moved.
        seat: Seat,
        /// The move, as players write it, nothing left out.
        #[serde(rename = "move")]
        text: String,
        /// How long the seat thought, where somebody measured it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ms: Option<u64>,
    },
    /// Chance moved.
    Deal {
        /// How many moves and deals came before.
        ply: u32,
        /// What was dealt, nothing left out.
        #[serde(rename = "move")]
        text: String,
    },
    /// A seat gave up.
    Resign {
        /// Who.
        seat: Seat,
        /// The fault by which the game was lost, where nobody gave it up.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fault: Option<FaultName>,
    },
    /// A seat ran out of time.
    Flag {
        /// Who.
        seat: Seat,
        /// What a machine did with its time, where that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fault: Option<FaultName>,
    },
    /// The limit of moves was reached.
    Limit {
        /// Whose turn it was.
        seat: Seat,
    },
    /// Moves were taken back.
    Undo {
        /// How many moves and deals remain.
        to: u32,
    },
    /// The game was stopped for good without an outcome.
    Abort {
        /// Why.
        why: String,
    },
}

/// A record: header and events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The first line.
    pub header: Header,
    /// All other lines.
    pub events: Vec<Event>,
    /// Whether the last line was cut short by a crash and left out.
    pub cut: bool,
}

/// A record that cannot be read or replayed: which line, and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", WORDS.say("not-a-record").with("line", *line).with("what", why.clone()))]
pub struct BadRecord {
    /// The line, counted from one.
    pub line: usize,
    /// What is wrong with it.
    pub why: Message,
}

impl Record {
    /// Whether a file that starts with this line is a record.
    pub fn starts(first_line: &str) -> bool {
        serde_json::from_str::<serde_json::Value>(first_line)
            .is_ok_and(|v| v.get("record").is_some())
    }

    /// The whole file.
    pub fn text(&self) -> String {
        let mut text = line(&self.header);
        for event in &self.events {
            text.push_str(&line(event));
        }
        text
    }

    /// Reads a file. A last line that was cut short by a crash is left out; any other broken line
    /// is an error that names it.
    pub fn read(text: &str) -> Result<Record, BadRecord> {
        let bad = |line, why| BadRecord { line, why };
        let mut lines = text
            .split_inclusive('\n')
            .enumerate()
            .map(|(i, l)| (i + 1, l));
        let Some((_, first)) = lines.next().filter(|(_, l)| !l.trim().is_empty()) else {
            return Err(bad(1, WORDS.say("empty-record")));
        };
        let version = serde_json::from_str::<serde_json::Value>(first)
            .ok()
            .and_then(|v| v.get("record").and_then(serde_json::Value::as_u64));
        if let Some(found) = version.filter(|&found| found > u64::from(RECORD_VERSION)) {
            return Err(bad(
                1,
                WORDS
                    .say("newer-record")
                    .with("found", found)
                    .with("known", RECORD_VERSION),
            ));
        }
        let header: Header = serde_json::from_str(first)
            .map_err(|e| bad(1, WORDS.say("bad-header").with("detail", e.to_string())))?;
        let mut record = Record {
            header,
            events: Vec::new(),
            cut: false,
        };
        for (number, text) in lines {
            if text.trim().is_empty() {
                continue;
            }
            match serde_json::from_str(text) {
                Ok(event) => record.events.push(event),
                Err(_) if !text.ends_with('\n') => record.cut = true,
                Err(e) => {
                    return Err(bad(
                        number,
                        WORDS.say("bad-event").with("detail", e.to_string()),
                    ));
                }
            }
        }
        Ok(record)
    }
}

/// One line of a record file.
fn line(thing: &impl Serialize) -> String {
    let mut line = serde_json::to_string(thing).expect("records hold only text and numbers");
    line.push('\n');
    line
}

impl Header {
    /// The first line of a file, with its line end.
    pub fn line(&self) -> String {
        line(self)
    }
}

impl Event {
    /// The event's line of a file, with its line end.
    pub fn line(&self) -> String {
        line(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Record {
        let header = Header::new(
            1,
            "toy".into(),
            Seed::new(7),
            vec!["human".into(), "random".into()],
        );
        let events = vec![
            Event::Move {
                ply: 0,
                seat: Seat::FIRST,
                text: "b2".into(),
                ms: None,
            },
            Event::Deal {
                ply: 1,
                text: "six".into(),
            },
            Event::Undo { to: 0 },
            Event::Resign {
                seat: Seat::SECOND,
                fault: None,
            },
        ];
        Record {
            header,
            events,
            cut: false,
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let record = sample();
        assert_eq!(Record::read(&record.text()).unwrap(), record);
        assert!(Record::starts(record.text().lines().next().unwrap()));
        assert!(!Record::starts("{\"thread\":1}"));
    }

    #[test]
    fn the_fault_that_ended_a_game_is_written_and_may_be_missing() {
        let mut record = sample();
        assert!(!record.text().contains("fault"));
        record.events[3] = Event::Resign {
            seat: Seat::SECOND,
            fault: Some(FaultName::Crashed),
        };
        assert!(record.text().contains("\"fault\":\"crashed\""));
        assert_eq!(Record::read(&record.text()).unwrap(), record);
    }

    #[test]
    fn broken_lines_are_named() {
        let text = sample().text();
        let lines: Vec<&str> = text.lines().collect();
        let broken = format!("{}\n{}\nnonsense\n{}\n", lines[0], lines[1], lines[2]);
        assert!(
            Record::read(&broken)
                .unwrap_err()
                .to_string()
                .starts_with("line 3: this is not an event")
        );
        assert!(Record::read("").unwrap_err().to_string().contains("empty"));
        assert!(
            Record::read("{}\n")
                .unwrap_err()
                .to_string()
                .starts_with("line 1: this is not the header")
        );
        let newer = text.replace("\"record\":1", "\"record\":2");
        assert!(
            Record::read(&newer)
                .unwrap_err()
                .to_string()
                .contains("use a newer one")
        );
    }

    #[test]
    fn a_line_cut_by_a_crash_is_left_out() {
        let record = sample();
        let text = record.text();
        for end in text.len() - 15..text.len() - 1 {
            let read = Record::read(&text[..end]).unwrap();
            assert!(read.cut);
            assert_eq!(read.events, record.events[..3]);
        }
    }
}
