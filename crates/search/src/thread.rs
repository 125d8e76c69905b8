//! The thread: one decision, step by step, as a file of JSON lines.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Backup, Kind};

/// What stands on the first line of a thread.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ThreadHeader {
    /// The version of the format.
    pub thread: u32,
    /// Which room.
    pub room: String,
    /// What was looked at: a position, a query.
    pub subject: String,
    /// The spec of the game, with which the moves can be checked; empty where there is no game.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub game: String,
    /// The spec of the machine.
    pub by: String,
    /// Whose gain the values count.
    #[serde(rename = "for", default, skip_serializing_if = "String::is_empty")]
    pub seat: String,
    /// The seed it ran with.
    pub seed: u64,
    /// How to draw it: `tree`, `map`, `board`, `proof`, `beads`, `grid`, `candidates`.
    pub lens: String,
    /// How values follow from those below them.
    #[serde(default)]
    pub backup: Backup,
    /// One line for a person.
    pub title: String,
    /// What was done, what decided, and what the runner-up lacked: at most three sentences, written
    /// when the decision is made.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
}

impl ThreadHeader {
    /// The version that this program writes; it reads version 1, too, where a header says less.
    pub const VERSION: u32 = 2;

    /// A header for a room and a lens, the rest still empty.
    pub fn new(room: impl Into<String>, lens: impl Into<String>) -> ThreadHeader {
        ThreadHeader {
            thread: Self::VERSION,
            room: room.into(),
            subject: String::new(),
            game: String::new(),
            by: String::new(),
            seat: String::new(),
            seed: 0,
            lens: lens.into(),
            backup: Backup::None,
            title: String::new(),
            summary: String::new(),
        }
    }
}

/// One step as it stands in the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// Its number in the whole run; numbers that are missing were left out.
    pub at: u64,
    /// What kind of thing happened.
    pub kind: Kind,
    /// The sentence.
    pub text: String,
    /// What the lens draws.
    pub data: Map<String, Value>,
}

impl Line {
    /// How long the line is in the file, in bytes.
    pub(crate) fn length(&self) -> usize {
        json(self).len()
    }
}

/// What stands on the last line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Footer {
    /// Always true: this is the last line.
    pub end: bool,
    /// How many steps of each kind there were in the whole run.
    pub counts: BTreeMap<String, u64>,
    /// How many steps are in the file.
    pub kept: u64,
    /// How many steps were left out.
    pub dropped: u64,
    /// Where nodes were left out by lot, and at which rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<Sample>,
    /// What was decided.
    pub result: String,
}

/// Which nodes of a tree a thread keeps, besides the principal line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sample {
    /// Nodes nearer to the root than this are all kept, and nodes deeper are not.
    pub depth: u32,
    /// One in so many of the nodes at that depth is kept, whatever it holds; zero for none.
    pub one_in: u64,
}

/// A finished thread: header, steps, footer, each one line of JSON.
#[derive(Clone, PartialEq, Debug)]
pub struct Thread {
    /// The lines, without line ends.
    pub lines: Vec<String>,
    /// The first line.
    pub header: ThreadHeader,
    /// The steps.
    pub steps: Vec<Line>,
    /// The last line.
    pub footer: Footer,
}

/// Why a text is no thread.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ThreadError {
    /// The line, counted from one.
    pub line: usize,
    /// What is wrong with it.
    pub what: ThreadFault,
}

/// What can be wrong with a line of a thread.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ThreadFault {
    /// Not the JSON that belongs there.
    #[error("this is not {expected} of a thread ({why})")]
    Unreadable {
        /// What should be there: the header, a step or the footer.
        expected: &'static str,
        /// What the reader of JSON said.
        why: String,
    },
    /// Written by a later version.
    #[error("the thread has version {0}, and this program reads up to {most}; use a newer wits", most = ThreadHeader::VERSION)]
    Newer(u32),
    /// The last line is missing.
    #[error("the file ends before the thread does; its last line says `\"end\":true`")]
    Unfinished,
    /// There is something after the last line.
    #[error("there is something after the end of the thread; remove it")]
    After,
    /// The numbers of the steps do not grow.
    #[error("step {0} comes too late; steps are in order")]
    Order(u64),
    /// A step speaks of a node that no earlier step opened.
    #[error("the step is about `{0}`, which no earlier step opened")]
    Unopened(String),
    /// The footer counts other steps than there are.
    #[error("the footer says {said} steps were kept, and there are {there}")]
    Miscounted {
        /// What the footer says.
        said: u64,
        /// How many there are.
        there: u64,
    },
}

impl Thread {
    /// A thread from its parts.
    pub fn new(header: ThreadHeader, steps: Vec<Line>, footer: Footer) -> Thread {
        let mut lines = Vec::with_capacity(steps.len() + 2);
        lines.push(json(&header));
        lines.extend(steps.iter().map(json));
        lines.push(json(&footer));
        Thread {
            lines,
            header,
            steps,
            footer,
        }
    }

    /// The whole file.
    pub fn text(&self) -> String {
        let mut text = self.lines.join("\n");
        text.push('\n');
        text
    }

    /// Whether a text begins like a thread; for telling threads from other files by their first line.
    pub fn is_one(text: &str) -> bool {
        text.lines()
            .next()
            .and_then(|line| serde_json::from_str::<Value>(line).ok())
            .is_some_and(|value| value.get("thread").is_some())
    }

    /// Reads a thread from the text of its file. Blank lines are skipped.
    ///
    /// # Errors
    /// Which line is wrong, and how.
    pub fn read(text: &str) -> Result<Thread, ThreadError> {
        let thread = Thread::read_steps(text)?;
        let (said, there) = (thread.footer.kept, thread.steps.len() as u64);
        if said != there {
            return Err(ThreadError {
                line: text.trim_end().lines().count(),
                what: ThreadFault::Miscounted { said, there },
            });
        }
        Ok(thread)
    }

    /// Reads a thread without asking whether its last line counts right; for those who check more.
    ///
    /// # Errors
    /// Which line is wrong, and how.
    pub fn read_steps(text: &str) -> Result<Thread, ThreadError> {
        let mut lines = text
            .lines()
            .enumerate()
            .map(|(n, line)| (n + 1, line.trim()))
            .filter(|(_, line)| !line.is_empty());
        let fault = |line, what| ThreadError { line, what };
        let mut read: Vec<String> = Vec::new();
        let (at, first) = lines.next().unwrap_or((1, ""));
        let version: Value = parse(at, first, "the header")?;
        if let Some(version) = version.get("thread").and_then(Value::as_u64)
            && version > u64::from(ThreadHeader::VERSION)
        {
            let version = u32::try_from(version).unwrap_or(u32::MAX);
            return Err(fault(at, ThreadFault::Newer(version)));
        }
        let header: ThreadHeader = parse(at, first, "the header")?;
        read.push(first.to_owned());
        let mut steps: Vec<Line> = Vec::new();
        let mut opened = std::collections::HashSet::new();
        let mut last = at;
        for (at, line) in lines.by_ref() {
            last = at;
            read.push(line.to_owned());
            let value: Value = parse(at, line, "a step")?;
            if value.get("end").is_some() {
                let footer: Footer = parse(at, line, "the footer")?;
                if let Some((at, _)) = lines.next() {
                    return Err(fault(at, ThreadFault::After));
                }
                return Ok(Thread {
                    lines: read,
                    header,
                    steps,
                    footer,
                });
            }
            let step: Line = parse(at, line, "a step")?;
            if steps.last().is_some_and(|before| before.at >= step.at) {
                return Err(fault(at, ThreadFault::Order(step.at)));
            }
            let name = |key: &str| {
                let value = step.data.get(key).filter(|value| !value.is_null());
                value.map(Value::to_string)
            };
            let about = match step.kind {
                Kind::Open => name("parent"),
                Kind::Close | Kind::Cut => name("id"),
                _ => None,
            };
            // A room that opens nothing may still close and cut.
            if let Some(about) = about.filter(|about| !opened.is_empty() && !opened.contains(about))
            {
                return Err(fault(at, ThreadFault::Unopened(about)));
            }
            if step.kind == Kind::Open {
                opened.extend(name("id"));
            }
            steps.push(step);
        }
        Err(fault(last, ThreadFault::Unfinished))
    }
}

fn parse<'a, T: Deserialize<'a>>(
    line: usize,
    text: &'a str,
    expected: &'static str,
) -> Result<T, ThreadError> {
    serde_json::from_str(text).map_err(|why| ThreadError {
        line,
        what: ThreadFault::Unreadable {
            expected,
            why: why.to_string(),
        },
    })
}

fn json(thing: &impl Serialize) -> String {
    serde_json::to_string(thing).expect("plain data with text keys always becomes JSON")
}
