//! An automaton packed into 32-bit edges: the structure that the generators walk.
//!
//! A node is the index of its first edge; its edges stand side by side in the order of the
//! alphabet, the last one marked. From the top bit down, an edge has its letter (6 bits), whether a
//! word ends on it, whether it is the last of its node, and the node that it leads to (24 bits).
//! Node 0 has no edges. The layout follows the one that crossword programs share under the name
//! KWG, with two more bits for the node, because Czech needs them.

use std::sync::Arc;

use super::automaton::{Automaton, Step};
use crate::tiles::Letter;

/// A place in a [`Graph`]: the index of its first edge, 0 where there is none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node(pub(crate) u32);

impl Node {
    /// The node without edges: only words that end here came this way.
    pub const LEAF: Node = Node(0);

    /// Whether nothing goes on from here.
    pub const fn is_leaf(self) -> bool {
        self.0 == 0
    }

    /// Its index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One edge: a letter, whether a word ends on it, and where it leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge(pub(crate) u32);

impl Edge {
    pub(crate) const LETTER: u32 = 26;
    pub(crate) const ACCEPTS: u32 = 1 << 25;
    pub(crate) const LAST: u32 = 1 << 24;
    pub(crate) const NODE: u32 = Edge::LAST - 1;

    /// Its letter; in a [`crate::Gaddag`] also [`Letter::SEPARATOR`].
    #[inline]
    pub const fn letter(self) -> Letter {
        Letter((self.0 >> Edge::LETTER) as u8)
    }

    /// Whether a word ends on it.
    #[inline]
    pub const fn accepts(self) -> bool {
        self.0 & Edge::ACCEPTS != 0
    }

    /// Whether it is the last edge of its node.
    #[inline]
    pub const fn is_last(self) -> bool {
        self.0 & Edge::LAST != 0
    }

    /// Where it leads.
    #[inline]
    pub const fn node(self) -> Node {
        Node(self.0 & Edge::NODE)
    }
}

/// An automaton in one array of edges. Cheap to clone: the array is shared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    edges: Arc<[u32]>,
    root: Node,
}

impl Graph {
    pub(crate) fn new(edges: Vec<u32>, root: Node) -> Graph {
        Graph {
            edges: edges.into(),
            root,
        }
    }

    /// Where every word begins.
    #[inline]
    pub fn start(&self) -> Node {
        self.root
    }

    /// The edges of a node, in the order of the alphabet.
    #[inline]
    pub fn edges(&self, node: Node) -> Edges<'_> {
        Edges {
            // Where nothing goes on there is nothing to look at.
            rest: if node.is_leaf() {
                &[]
            } else {
                &self.edges[node.index()..]
            },
        }
    }

    /// The edge from a node along one letter.
    #[inline]
    pub fn edge(&self, node: Node, letter: Letter) -> Option<Edge> {
        if node.is_leaf() {
            return None;
        }
        let wanted = u32::from(letter.0);
        for &edge in &self.edges[node.index()..] {
            let found = edge >> Edge::LETTER;
            if found == wanted {
                return Some(Edge(edge));
            }
            if found > wanted || edge & Edge::LAST != 0 {
                return None;
            }
        }
        None
    }

    /// The letters that lead on from a node, as a mask over codes.
    #[inline]
    pub fn letters(&self, node: Node) -> u64 {
        self.edges(node)
            .fold(0, |mask, edge| mask | edge.letter().bit())
    }

    /// The edge at a place of the array: for those who keep an index instead of an iterator.
    #[inline]
    pub fn at(&self, index: usize) -> Edge {
        Edge(self.edges[index])
    }

    /// The array itself.
    pub fn raw(&self) -> &[u32] {
        &self.edges
    }

    /// How many edges are stored. Nodes whose edges end alike share them.
    pub fn edge_count(&self) -> usize {
        self.edges.len() - 1
    }

    /// How many different nodes there are, the leaf among them.
    pub fn node_count(&self) -> usize {
        let mut seen = vec![false; self.edges.len()];
        seen[self.root.index()] = true;
        for &edge in &self.edges[1..] {
            seen[Edge(edge).node().index()] = true;
        }
        seen.iter().filter(|&&s| s).count()
    }

    /// How many bytes it takes in memory.
    pub fn bytes(&self) -> usize {
        self.edges.len() * 4
    }
}

/// The edges of one node.
#[derive(Clone)]
pub struct Edges<'a> {
    rest: &'a [u32],
}

impl Iterator for Edges<'_> {
    type Item = Edge;

    #[inline]
    fn next(&mut self) -> Option<Edge> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = if first & Edge::LAST == 0 { rest } else { &[] };
        Some(Edge(first))
    }
}

impl Automaton for Graph {
    type Node = Node;

    fn root(&self) -> Node {
        self.root
    }

    fn steps(&self, node: Node) -> impl Iterator<Item = Step<Node>> + '_ {
        self.edges(node).map(step)
    }

    fn step(&self, node: Node, letter: Letter) -> Option<Step<Node>> {
        self.edge(node, letter).map(step)
    }
}

fn step(edge: Edge) -> Step<Node> {
    Step {
        letter: edge.letter(),
        accepts: edge.accepts(),
        next: edge.node(),
    }
}
