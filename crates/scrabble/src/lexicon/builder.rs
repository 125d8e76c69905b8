//! Building the smallest automaton of a sorted list, one string at a time.
//!
//! The method of Daciuk, Mihov, Watson and Watson (Computational Linguistics 26, 2000): only the path
//! of the newest string can still change; what leaves that path is compared with a register of
//! finished nodes, by its edges *and their targets*, and merged with its equal.

use super::graph::{Edge, Graph, Node};

/// Why an automaton cannot be built.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unbuildable {
    /// A string that is not after the one before it.
    #[error("words must come in order, each once; sort the list first")]
    OutOfOrder,
    /// More edges than 24 bits can number.
    #[error(
        "more than {} edges: the list is too large for this structure; use a shorter list",
        Edge::NODE
    )]
    TooLarge,
}

/// Builds a [`Graph`] from strings of letter codes in order.
pub struct Builder {
    edges: Vec<u32>,
    // The path of the newest string: the edges of each node on it, the last one still without its target.
    path: Vec<Vec<u32>>,
    depth: usize,
    newest: Vec<u8>,
    register: Register,
    merging: bool,
}

impl Default for Builder {
    fn default() -> Builder {
        Builder::new()
    }
}

impl Builder {
    /// Nothing yet.
    pub fn new() -> Builder {
        Builder {
            edges: vec![0],
            path: vec![Vec::new()],
            depth: 0,
            newest: Vec::new(),
            register: Register::new(),
            merging: true,
        }
    }

    /// Nothing yet; equal nodes will be kept apart, which gives a tree.
    pub fn without_merging() -> Builder {
        Builder {
            merging: false,
            ..Builder::new()
        }
    }

    /// The nodes of an automaton that is there already, to be shared by what is added.
    pub(super) fn on(graph: &Graph) -> Builder {
        let mut builder = Builder {
            edges: graph.raw().to_vec(),
            ..Builder::new()
        };
        for start in 1..builder.edges.len() {
            builder.register.put(&builder.edges, start);
        }
        builder
    }

    /// Adds a string of codes, each at most 63. It must come after all strings before it.
    pub fn add(&mut self, codes: &[u8]) -> Result<(), Unbuildable> {
        self.lay(codes)?;
        self.accept();
        Ok(())
    }

    /// Adds a path that is a string itself, or goes on behind a separator into a node that is
    /// there, or both.
    pub(super) fn add_turning(
        &mut self,
        codes: &[u8],
        accepts: bool,
        onward: Node,
    ) -> Result<(), Unbuildable> {
        self.lay(codes)?;
        if accepts {
            self.accept();
        }
        // The separator comes before every letter, and longer paths are laid later.
        if !onward.is_leaf() {
            self.path[self.depth].push(onward.0);
        }
        Ok(())
    }

    /// Makes the path of a string the newest one.
    fn lay(&mut self, codes: &[u8]) -> Result<(), Unbuildable> {
        if codes <= self.newest.as_slice() {
            return Err(Unbuildable::OutOfOrder);
        }
        let pairs = self.newest.iter().zip(codes);
        let common = pairs.take_while(|(a, b)| a == b).count();
        self.freeze_below(common)?;
        for &code in &codes[common..] {
            self.path[self.depth].push(u32::from(code & 63) << Edge::LETTER);
            self.depth += 1;
            if self.path.len() == self.depth {
                self.path.push(Vec::new());
            }
        }
        self.newest.truncate(common);
        self.newest.extend_from_slice(&codes[common..]);
        Ok(())
    }

    /// Says that a string ends where the newest path does.
    fn accept(&mut self) {
        if let Some(edge) = self.path[self.depth - 1].last_mut() {
            *edge |= Edge::ACCEPTS;
        }
    }

    /// The automaton.
    pub fn finish(mut self) -> Result<Graph, Unbuildable> {
        self.freeze_below(0)?;
        let root = self.freeze(0)?;
        Ok(Graph::new(self.edges, root))
    }

    fn freeze_below(&mut self, depth: usize) -> Result<(), Unbuildable> {
        while self.depth > depth {
            let node = self.freeze(self.depth)?;
            self.depth -= 1;
            if let Some(edge) = self.path[self.depth].last_mut() {
                *edge |= node.0;
            }
        }
        Ok(())
    }

    /// Finishes the node at a depth of the path, and empties its place.
    fn freeze(&mut self, depth: usize) -> Result<Node, Unbuildable> {
        let node = &mut self.path[depth];
        let Some(last) = node.last_mut() else {
            return Ok(Node::LEAF);
        };
        *last |= Edge::LAST;
        let known = if self.merging {
            self.register.find(&self.edges, node)
        } else {
            None
        };
        if let Some(start) = known {
            node.clear();
            return Ok(Node(start));
        }
        let start = self.edges.len();
        if start + node.len() > Edge::NODE as usize {
            return Err(Unbuildable::TooLarge);
        }
        self.edges.append(node);
        if self.merging {
            // Every tail of the node is a node that another may need: it is there for the taking.
            for at in start..self.edges.len() {
                self.register.put(&self.edges, at);
            }
        }
        Ok(Node(start as u32))
    }
}

/// The finished nodes, found by their edges: open addressing over starts in the array.
struct Register {
    slots: Vec<u32>,
    filled: usize,
}

impl Register {
    fn new() -> Register {
        Register {
            slots: vec![0; 1 << 12],
            filled: 0,
        }
    }

    fn hash(edges: &[u32]) -> usize {
        let mixed = edges.iter().fold(0u64, |hash, &edge| {
            (hash.rotate_left(23) ^ u64::from(edge)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        });
        (mixed ^ (mixed >> 32)) as usize
    }

    fn find(&self, edges: &[u32], node: &[u32]) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut slot = Register::hash(node) & mask;
        loop {
            let start = self.slots[slot];
            if start == 0 {
                return None;
            }
            if edges[start as usize..].starts_with(node) {
                return Some(start);
            }
            slot = (slot + 1) & mask;
        }
    }

    fn put(&mut self, edges: &[u32], start: usize) {
        if self.filled * 2 >= self.slots.len() {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![0; old.len() * 2];
            for start in old.into_iter().filter(|&s| s != 0) {
                self.settle(edges, start as usize);
            }
        }
        self.settle(edges, start);
        self.filled += 1;
    }

    fn settle(&mut self, edges: &[u32], start: usize) {
        let mask = self.slots.len() - 1;
        let mut end = start;
        while edges[end] & Edge::LAST == 0 {
            end += 1;
        }
        let mut slot = Register::hash(&edges[start..=end]) & mask;
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = start as u32;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::super::automaton::Automaton;
    use super::*;
    use crate::tiles::Letter;

    fn build(words: &BTreeSet<Vec<u8>>) -> Graph {
        let mut builder = Builder::new();
        for word in words {
            builder.add(word).unwrap();
        }
        builder.finish().unwrap()
    }

    #[test]
    fn nodes_with_the_same_letters_but_other_targets_are_kept_apart() {
        // The thesis merges by letters and height alone, which turns {XAB, YAC} into {XAB, YAB}.
        let words = BTreeSet::from([vec![24, 1, 2], vec![25, 1, 3]]);
        let graph = build(&words);
        let codes = |text: &[u8]| text.iter().map(|&c| Letter(c)).collect::<Vec<_>>();
        assert!(graph.holds(&codes(&[25, 1, 3])) && !graph.holds(&codes(&[25, 1, 2])));
    }

    #[test]
    fn disorder_is_refused() {
        let mut builder = Builder::new();
        builder.add(&[2, 1]).unwrap();
        assert_eq!(builder.add(&[2, 1]), Err(Unbuildable::OutOfOrder));
        assert_eq!(builder.add(&[1]), Err(Unbuildable::OutOfOrder));
        assert_eq!(builder.add(&[]), Err(Unbuildable::OutOfOrder));
    }

    /// The number of different sets of endings: what the smallest automaton needs, counted slowly.
    fn residues(words: &BTreeSet<Vec<u8>>) -> usize {
        let mut by_stem: BTreeMap<&[u8], BTreeSet<&[u8]>> = BTreeMap::new();
        for word in words {
            for cut in 0..=word.len() {
                by_stem
                    .entry(&word[..cut])
                    .or_default()
                    .insert(&word[cut..]);
            }
        }
        // Whether the stem itself is a word is said by the edge that leads to it.
        let below = by_stem.values().map(|endings| {
            let mut endings = endings.clone();
            endings.remove(&[][..]);
            endings
        });
        below.collect::<BTreeSet<_>>().len()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn it_holds_just_the_words_in_the_fewest_nodes(
            words in prop::collection::btree_set(prop::collection::vec(1u8..4, 1..6), 1..60)
        ) {
            let graph = build(&words);
            let shown: Vec<Vec<u8>> = graph.words().map(|w| w.iter().map(|l| l.0).collect()).collect();
            prop_assert_eq!(shown, words.iter().cloned().collect::<Vec<_>>());
            prop_assert_eq!(graph.node_count(), residues(&words));
        }
    }
}
