//! Exchange with other crossword programs: the KWG file that several of them read.
//!
//! Little-endian 32-bit words. From the top bit down: tile (8 bits), whether a word ends, whether the
//! edge is the last of its node, and the node that it leads to (22 bits). Word 0 leads to the DAWG,
//! word 1 to the GADDAG. (Layout as described by A. Kurnia for his program wolges.)

use std::sync::Arc;

use super::builder::Unbuildable;
use super::gaddag::Gaddag;
use super::graph::{Edge, Node};
use super::words::{BadWords, Lexicon};
use crate::TileSet;
use crate::tiles::{LONGEST, Letter};

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

/// Why a KWG file cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadKwg {
    /// It does not consist of whole words, or points outside itself.
    #[error("the file is cut short, or is no KWG file")]
    NotKwg,
    /// It has a letter that the tile set does not have.
    #[error("the file has a letter number {letter}, but the tile set `{set}` has {letters}")]
    OtherLetters {
        /// The letter's number.
        letter: u8,
        /// The tile set.
        set: String,
        /// How many letters it has.
        letters: usize,
    },
    /// More words than any language has.
    #[error("the file has more than {WORDS} words")]
    TooMany,
    /// The words do not make a lexicon.
    #[error(transparent)]
    Words(#[from] BadWords),
}

/// No lexicon has more words than this.
const WORDS: usize = 20_000_000;

/// The words of a file as 32-bit numbers.
pub(crate) fn numbers(bytes: &[u8]) -> Vec<u32> {
    let whole = bytes.chunks_exact(4);
    whole
        .map(|four| u32::from_le_bytes(four.try_into().expect("four bytes")))
        .collect()
}

/// Calls with every word below the edge at an index, in order, as letter numbers.
pub(crate) fn words_below(
    edges: &[u32],
    root: u32,
    each: &mut dyn FnMut(&[u8]) -> Result<(), BadKwg>,
) -> Result<(), BadKwg> {
    let mut word = Vec::with_capacity(LONGEST);
    below(edges, root, &mut word, &mut 0, each)
}

/// No lexicon has more beginnings of words than this; a broken file may have any number.
const STEPS: u32 = 100_000_000;

fn below(
    edges: &[u32],
    node: u32,
    word: &mut Vec<u8>,
    steps: &mut u32,
    each: &mut dyn FnMut(&[u8]) -> Result<(), BadKwg>,
) -> Result<(), BadKwg> {
    let mut at = node as usize;
    // No word is longer than a lane: whatever is longer is a circle.
    while at != 0 && word.len() < LONGEST {
        let &edge = edges.get(at).ok_or(BadKwg::NotKwg)?;
        *steps += 1;
        if *steps > STEPS {
            return Err(BadKwg::TooMany);
        }
        word.push((edge >> 24) as u8);
        if edge & ACCEPTS != 0 {
            each(word)?;
        }
        below(edges, edge & MOST as u32, word, steps, each)?;
        word.pop();
        if edge & LAST != 0 {
            return Ok(());
        }
        at += 1;
    }
    if at == 0 { Ok(()) } else { Err(BadKwg::NotKwg) }
}

/// Reads the words of a KWG file.
pub fn read_kwg(bytes: &[u8], name: &str, tiles: &Arc<TileSet>) -> Result<Lexicon, BadKwg> {
    let edges = numbers(bytes);
    let root = edges.first().ok_or(BadKwg::NotKwg)? & MOST as u32;
    if !bytes.len().is_multiple_of(4) {
        return Err(BadKwg::NotKwg);
    }
    let letter = |code: u8| {
        let known = usize::from(code) <= tiles.len();
        let unknown = || BadKwg::OtherLetters {
            letter: code,
            set: tiles.name().to_owned(),
            letters: tiles.len(),
        };
        Letter::new(code).filter(|_| known).ok_or_else(unknown)
    };
    let mut words = Vec::new();
    words_below(&edges, root, &mut |codes| {
        if words.len() >= WORDS {
            return Err(BadKwg::TooMany);
        }
        let word: Result<Vec<Letter>, BadKwg> = codes.iter().map(|&code| letter(code)).collect();
        words.push(word?);
        Ok(())
    })?;
    Ok(Lexicon::new(name, tiles, words)?)
}
