//! The trie (USS, "universal dictionary structure") of the thesis: words share their beginnings only.

use super::automaton::{Automaton, Step};
use super::builder::{Builder, Unbuildable};
use super::graph::{Graph, Node};
use super::words::Lexicon;
use crate::tiles::Letter;

/// A lexicon as a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trie {
    graph: Graph,
    letters: usize,
}

impl Trie {
    /// Grows the tree of a lexicon's words.
    pub fn new(lexicon: &Lexicon) -> Result<Trie, Unbuildable> {
        let mut builder = Builder::without_merging();
        let mut codes = Vec::new();
        for word in lexicon.words() {
            codes.clear();
            codes.extend(word.iter().map(|letter| letter.code()));
            builder.add(&codes)?;
        }
        Ok(Trie {
            graph: builder.finish()?,
            letters: lexicon.tiles().len(),
        })
    }

    /// How many nodes the tree has: one for every beginning of a word, and the root.
    pub fn nodes(&self) -> usize {
        self.graph.edge_count() + 1
    }

    /// How many bytes it takes as the thesis declares it: in every node a pointer of four bytes for each
    /// letter and one more for the end of a word.
    pub fn declared_bytes(&self) -> usize {
        self.nodes() * (self.letters + 1) * 4
    }

    /// How many bytes it takes here: four an edge.
    pub fn bytes(&self) -> usize {
        self.graph.bytes()
    }
}

impl Automaton for Trie {
    type Node = Node;

    fn root(&self) -> Node {
        self.graph.start()
    }

    fn steps(&self, node: Node) -> impl Iterator<Item = Step<Node>> + '_ {
        self.graph.steps(node)
    }

    fn step(&self, node: Node, letter: Letter) -> Option<Step<Node>> {
        self.graph.step(node, letter)
    }
}
