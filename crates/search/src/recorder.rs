//! Keeping a run so that it can be followed later.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wits_game::Lang;

use crate::{Kind, Step, WORDS, Watch};

/// What stands on the first line of a thread.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ThreadHeader {
    /// The version of the format.
    pub thread: u32,
    /// Which room.
    pub room: String,
    /// What was looked at: a position, a query.
    pub subject: String,
    /// The spec of the machine.
    pub by: String,
    /// The seed it ran with.
    pub seed: u64,
    /// How to draw it: `tree`, `map`, `board`, `proof`, `beads`, `grid`, `candidates`.
    pub lens: String,
    /// One line for a person.
    pub title: String,
}

/// A finished thread: header, steps, footer, each one line of JSON.
#[derive(Clone, PartialEq, Debug)]
pub struct Thread {
    /// The lines, without line ends.
    pub lines: Vec<String>,
}

impl Thread {
    /// The whole file.
    pub fn text(&self) -> String {
        let mut text = self.lines.join("\n");
        text.push('\n');
        text
    }
}

/// A watcher with a size limit. (Placeholder; see the doc of the crate.)
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    steps: Vec<Step>,
    limit: usize,
    seen: u64,
    counts: BTreeMap<&'static str, u64>,
}

impl Recorder {
    /// A recorder that keeps at most about `limit` steps.
    pub fn new(limit: usize) -> Recorder {
        Recorder {
            limit,
            ..Recorder::default()
        }
    }

    /// Ends the thread: header, the kept steps, footer with the result.
    pub fn finish(self, header: &ThreadHeader, result: &str, lang: Lang) -> Thread {
        let _ = (Kind::Note, &WORDS);
        let mut lines = vec![serde_json::to_string(header).unwrap_or_default()];
        for (at, step) in self.steps.iter().enumerate() {
            lines.push(
                json!({"at": at, "kind": step.kind, "text": step.says.to(lang), "data": step.data})
                    .to_string(),
            );
        }
        let kept = self.steps.len();
        lines.push(
            json!({"end": true, "counts": self.counts, "kept": kept,
                   "dropped": self.seen - kept as u64, "result": Value::from(result)})
            .to_string(),
        );
        Thread { lines }
    }
}

impl Watch for Recorder {
    const ON: bool = true;

    fn step(&mut self, what: impl FnOnce() -> Step) {
        let step = what();
        self.seen += 1;
        *self.counts.entry(step.kind.word()).or_default() += 1;
        if self.steps.len() < self.limit {
            self.steps.push(step);
        }
    }
}
