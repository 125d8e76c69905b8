//! The byte format of the thesis that this room follows.
//!
//! A node is one byte (whether a word ends here, how many pointers follow) and three bytes a
//! pointer: six bits of letter, eighteen bits of distance in bytes from the start of this node to the
//! start of the other. Nodes stand by their depth, so every distance is forward; one of more than
//! [`Thesis::FARTHEST`] bytes cannot be written, and then the list does not fit.

use std::collections::HashMap;

use super::automaton::{Automaton, Step};
use super::graph::{Graph, Node};
use crate::tiles::Letter;

/// A lexicon in the thesis's byte format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thesis {
    bytes: Vec<u8>,
    nodes: usize,
}

/// A list that the thesis's format cannot hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the list does not fit into the thesis's byte format: {jumps} jumps are too far, the farthest over {farthest} bytes, and 18 bits hold {} at most",
    Thesis::FARTHEST
)]
pub struct DoesNotFit {
    /// How many bytes it would take.
    pub bytes: usize,
    /// How many nodes it would have.
    pub nodes: usize,
    /// How many jumps are too far.
    pub jumps: usize,
    /// The farthest of them, in bytes.
    pub farthest: usize,
}

/// A node here knows whether a word ends on it; in a [`Graph`] the edge knows.
type State = (Node, bool);

impl Thesis {
    /// The farthest jump that can be written.
    pub const FARTHEST: usize = (1 << 18) - 1;

    /// Writes an automaton.
    pub fn new(graph: &Graph) -> Result<Thesis, DoesNotFit> {
        let order = by_depth(graph);
        let size = |state: &State| 1 + 3 * graph.edges(state.0).count();
        let mut starts: HashMap<State, usize> = HashMap::new();
        let mut end = 0;
        for state in &order {
            starts.insert(*state, end);
            end += size(state);
        }
        let mut bytes = Vec::with_capacity(end);
        let (mut jumps, mut farthest) = (0, 0);
        for state in &order {
            let here = starts[state];
            let pointers = graph.edges(state.0).count() as u8;
            bytes.push(u8::from(state.1) << 7 | pointers);
            for edge in graph.edges(state.0) {
                let jump = starts[&(edge.node(), edge.accepts())] - here;
                if jump > Thesis::FARTHEST {
                    jumps += 1;
                    farthest = farthest.max(jump);
                }
                let pointer = u32::from(edge.letter().code()) << 18 | (jump as u32 & 0x3_ffff);
                bytes.extend(&pointer.to_be_bytes()[1..]);
            }
        }
        let nodes = order.len();
        if jumps > 0 {
            let bytes = bytes.len();
            return Err(DoesNotFit {
                bytes,
                nodes,
                jumps,
                farthest,
            });
        }
        Ok(Thesis { bytes, nodes })
    }

    /// The file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many nodes it has.
    pub fn nodes(&self) -> usize {
        self.nodes
    }
}

/// All states, those that can be reached by longer ways later: no edge leads back.
fn by_depth(graph: &Graph) -> Vec<State> {
    let mut depths: HashMap<State, usize> = HashMap::new();
    let root = (graph.start(), false);
    // Words are at most fifteen letters, so levels are few: push states down level by level.
    let mut level = vec![root];
    let mut depth = 0;
    while !level.is_empty() {
        let mut next = Vec::new();
        for state in level {
            depths.insert(state, depth);
            next.extend(graph.edges(state.0).map(|e| (e.node(), e.accepts())));
        }
        next.sort_unstable();
        next.dedup();
        level = next;
        depth += 1;
    }
    let mut order: Vec<(usize, State)> = depths.into_iter().map(|(s, d)| (d, s)).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, state)| state).collect()
}

impl Automaton for Thesis {
    /// Where a node's first byte is.
    type Node = usize;

    fn root(&self) -> usize {
        0
    }

    fn steps(&self, node: usize) -> impl Iterator<Item = Step<usize>> + '_ {
        let pointers = usize::from(self.bytes[node] & 0x7f);
        let all = &self.bytes[node + 1..node + 1 + 3 * pointers];
        all.chunks_exact(3).map(move |three| {
            let pointer = u32::from_be_bytes([0, three[0], three[1], three[2]]);
            let next = node + (pointer & 0x3_ffff) as usize;
            Step {
                letter: Letter((pointer >> 18) as u8),
                accepts: self.bytes[next] & 0x80 != 0,
                next,
            }
        })
    }
}
