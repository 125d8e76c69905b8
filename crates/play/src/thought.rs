//! What a machine says while it thinks.

use serde::Serialize;
use wits_game::Message;
use wits_search::Worth;

/// A line of play with what the machine thinks of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Line<M> {
    /// The moves, the first one to be played now.
    pub moves: Vec<M>,
    /// What the line is worth to the machine's own seat.
    pub worth: Worth,
}

/// What a machine thinks at one moment: its best lines, how far it has looked, and why.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Thought<M> {
    /// The best lines, the best first.
    pub lines: Vec<Line<M>>,
    /// Every move that has a value by now, for bars that move while the machine thinks.
    pub roots: Vec<Line<M>>,
    /// How deep it has looked, in moves.
    pub depth: u32,
    /// How many positions it has looked at.
    pub nodes: u64,
    /// How long it has thought, in milliseconds; filled in by the desk.
    pub millis: u64,
    /// Why this choice, in a sentence.
    pub why: Option<Message>,
}

impl<M> Default for Thought<M> {
    fn default() -> Self {
        Thought {
            lines: Vec::new(),
            roots: Vec::new(),
            depth: 0,
            nodes: 0,
            millis: 0,
            why: None,
        }
    }
}

impl<M> Thought<M> {
    /// The same thought with its moves written in another way.
    pub fn map<N>(&self, mut write: impl FnMut(&[M]) -> Vec<N>) -> Thought<N> {
        let mut written = |lines: &[Line<M>]| -> Vec<Line<N>> {
            let line = |l: &Line<M>| Line {
                moves: write(&l.moves),
                worth: l.worth,
            };
            lines.iter().map(line).collect()
        };
        let (lines, roots) = (written(&self.lines), written(&self.roots));
        Thought {
            lines,
            roots,
            depth: self.depth,
            nodes: self.nodes,
            millis: self.millis,
            why: self.why.clone(),
        }
    }
}
