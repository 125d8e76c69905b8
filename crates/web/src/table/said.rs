//! What machines say while they think, as pages read it.

use serde_json::{Value, json};
use wits_game::{Lang, Seat};
use wits_play::{Line, Thought};

/// What a machine said while it thought. It is not yet in any language: those who listen may read
/// different ones.
pub(crate) struct Said {
    pub(super) seat: Seat,
    pub(super) thought: Thought<String>,
    pub(super) hint: bool,
}

impl Said {
    /// As the page reads it, in the language that is spoken.
    pub(crate) fn json(&self) -> Value {
        let mut value = thought_json(&self.thought);
        value["seat"] = json!(self.seat);
        value["hint"] = json!(self.hint);
        value
    }
}

/// A thought as a page reads it, in the language that is spoken.
pub(crate) fn thought_json(thought: &Thought<String>) -> Value {
    let line = |line: &Line<String>| {
        let mut worth = json!(line.worth);
        worth["text"] = json!(line.worth.said().to(Lang::spoken()));
        json!({"moves": line.moves, "worth": worth})
    };
    let lines: Vec<Value> = thought.lines.iter().map(line).collect();
    let roots: Vec<Value> = thought.roots.iter().map(line).collect();
    json!({
        "lines": lines, "roots": roots, "depth": thought.depth, "nodes": thought.nodes, "millis": thought.millis,
        "why": thought.why,
    })
}
