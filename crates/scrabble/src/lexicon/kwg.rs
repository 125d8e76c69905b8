//! Export for other crossword programs: the KWG file that several of them read.
//!
//! Little-endian 32-bit words. From the top bit down: tile (8 bits), whether a word ends, whether the
//! edge is the last of its node, and the node that it leads to (22 bits). Word 0 leads to the DAWG,
//! word 1 to the GADDAG. (Layout as described by A. Kurnia for his program wolges.)

use super::builder::Unbuildable;
use super::gaddag::Gaddag;
use super::graph::{Edge, Node};
use super::words::Lexicon;

/// Why a lexicon cannot be exported so.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotKwg {
    /// More edges than 22 bits can number.
    #[error(
        "{edges} edges are too many for a KWG file, which numbers {MOST} at most; leave the GADDAG out, or take fewer forms"
    )]
    TooLarge {
        /// How many there are.
        edges: usize,
    },
    /// The automaton itself cannot be built.
    #[error(transparent)]
    Unbuildable(#[from] Unbuildable),
}

const MOST: usize = (1 << 22) - 1;
const ACCEPTS: u32 = 1 << 23;
const LAST: u32 = 1 << 22;

/// The KWG file of a lexicon, with or without its GADDAG.
pub fn kwg(lexicon: &Lexicon, gaddag: bool) -> Result<Vec<u8>, NotKwg> {
    let dawg = lexicon.dawg().start();
    let graph = if gaddag {
        Gaddag::build(lexicon)?.graph().clone()
    } else {
        lexicon.dawg().clone()
    };
    // Our array begins with one unused word, theirs with one or two roots.
    let roots = 1 + usize::from(gaddag);
    let shift = |node: Node| match node.index() {
        0 => 0,
        index => (index - 1 + roots) as u32,
    };
    if graph.edge_count() + roots > MOST {
        let edges = graph.edge_count();
        return Err(NotKwg::TooLarge { edges });
    }
    let mut words = vec![LAST | shift(dawg)];
    if gaddag {
        words.push(LAST | shift(graph.start()));
    }
    words.extend(graph.raw()[1..].iter().map(|&edge| {
        let edge = Edge(edge);
        let accepts = if edge.accepts() { ACCEPTS } else { 0 };
        let last = if edge.is_last() { LAST } else { 0 };
        u32::from(edge.letter().code()) << 24 | accepts | last | shift(edge.node())
    }));
    Ok(words.iter().flat_map(|word| word.to_le_bytes()).collect())
}
