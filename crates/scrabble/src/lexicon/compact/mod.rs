//! Our own compact format: small enough to ship, and asked without unpacking.
//!
//! The smallest automaton, its nodes in breadth-first order of first visit. Every node but the root
//! is first reached by exactly one edge, and those edges come in the order of the nodes: such an
//! edge needs no pointer at all, its target is "the next new node". Only the other edges name
//! their target, by a code that is the shorter the more often that target is named after that letter:
//! the endings of a language are few. An edge is one symbol (letter, whether a word ends, whether it is
//! the last of its node, what its target is) whose code depends on the letter before it in the node.
//! Every node begins with how many words are below it, which gives each word its rank. A
//! directory says where every sixteenth node begins.

mod bits;
mod code;
mod file;
mod write;

use bits::{bits, width};
use code::Shape;
pub use file::BadLexicon;

use super::automaton::{Automaton, Step};
use super::graph::{Edge, Graph, Node};
use crate::tiles::{LONGEST, Letter, Word};

/// How many nodes the directory steps over at a time.
const STRIDE: usize = 16;

/// A symbol of the stream: an edge without the target's name.
#[derive(Clone, Copy)]
struct Symbol(u32);

/// What an edge leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Leaf = 0,
    New = 1,
    Named = 2,
}

impl Symbol {
    const BITS: u32 = 10;

    fn new(edge: Edge, target: Target) -> Symbol {
        let flags = u32::from(edge.accepts()) << 1 | u32::from(edge.is_last());
        Symbol(u32::from(edge.letter().0) << 4 | (target as u32) << 2 | flags)
    }

    fn letter(self) -> Letter {
        Letter((self.0 >> 4) as u8 & 63)
    }

    fn target(self) -> Target {
        match self.0 >> 2 & 3 {
            0 => Target::Leaf,
            1 => Target::New,
            _ => Target::Named,
        }
    }

    fn accepts(self) -> bool {
        self.0 & 2 != 0
    }

    fn is_last(self) -> bool {
        self.0 & 1 != 0
    }
}

/// A place in a [`Compact`] lexicon: a node's number plus one, 0 for the leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot(u32);

/// The names that can follow a letter: their code, and where their numbers stand.
#[derive(Clone, Debug)]
struct Names {
    shape: Shape,
    first: usize,
}

/// A lexicon in the compact format.
#[derive(Clone, Debug)]
pub struct Compact {
    head: file::Head,
    bytes: std::sync::Arc<[u8]>,
    // By the letter before in the node, 0 for none.
    symbols: Vec<(Shape, Vec<u16>)>,
    // By the edge's own letter.
    names: Vec<Names>,
    sizes: (Shape, Vec<u16>),
    // Where the parts that are asked in place begin, in bits.
    numbers_at: usize,
    places_at: usize,
    news_at: usize,
    stream_at: usize,
}

/// Reads the stream from the start of a node on.
struct Cursor<'a> {
    lexicon: &'a Compact,
    at: usize,
    /// The number of the next new node.
    new: u32,
}

impl Cursor<'_> {
    /// How many words are below the node that begins here.
    fn size(&mut self) -> Option<u32> {
        let (shape, classes) = &self.lexicon.sizes;
        let bytes = &self.lexicon.bytes;
        let (place, length) = shape.read(bytes, self.at)?;
        let class = u32::from(*classes.get(place as usize)?);
        let low = bits(bytes, self.at + length, class.saturating_sub(1));
        self.at += length + class.saturating_sub(1) as usize;
        Some(if class == 0 {
            0
        } else {
            1 << (class - 1) | low
        })
    }

    /// The next edge of the node, after the letter before it.
    fn edge(&mut self, before: Letter) -> Option<(Symbol, Spot)> {
        let lexicon = self.lexicon;
        let (shape, symbols) = lexicon.symbols.get(before.index())?;
        let (place, length) = shape.read(&lexicon.bytes, self.at)?;
        let symbol = Symbol(u32::from(*symbols.get(place as usize)?));
        self.at += length;
        let spot = match symbol.target() {
            Target::Leaf => Spot(0),
            Target::New => {
                self.new += 1;
                Spot(self.new)
            }
            Target::Named => {
                let names = lexicon.names.get(symbol.letter().index())?;
                let (place, length) = names.shape.read(&lexicon.bytes, self.at)?;
                self.at += length;
                let wide = width(lexicon.head.nodes);
                let number = names.first + place as usize;
                let at = lexicon.numbers_at + number * wide as usize;
                Spot(bits(&lexicon.bytes, at, wide) + 1)
            }
        };
        Some((symbol, spot))
    }

    fn skip(&mut self) -> Option<()> {
        self.size()?;
        let mut before = Letter::SEPARATOR;
        loop {
            let (symbol, _) = self.edge(before)?;
            before = symbol.letter();
            if symbol.is_last() {
                return Some(());
            }
        }
    }
}

impl Compact {
    /// What it is called.
    pub fn name(&self) -> &str {
        &self.head.name
    }

    /// The name of the tile set that it is for.
    pub fn tile_set(&self) -> &str {
        &self.head.tiles
    }

    /// Its letters in order, in capitals.
    pub fn letters(&self) -> &[String] {
        &self.head.letters
    }

    /// Where its words come from and how they may be used.
    pub fn note(&self) -> &str {
        &self.head.note
    }

    /// How many words it has.
    pub fn len(&self) -> usize {
        self.head.words as usize
    }

    /// Whether it has no words, which never happens.
    pub fn is_empty(&self) -> bool {
        self.head.words == 0
    }

    /// The hash of its words; see [`crate::Lexicon::hash`].
    pub fn hash(&self) -> u64 {
        self.head.hash
    }

    /// The file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Everything that is in memory while it is asked: the file and the small tables read from it.
    pub fn memory(&self) -> usize {
        let shape = |shape: &Shape| shape.counts.len() * 4 + size_of::<Shape>();
        let table = |(s, symbols): &(Shape, Vec<u16>)| shape(s) + symbols.len() * 2 + 24;
        let symbols: usize = self.symbols.iter().map(table).sum();
        let names: usize = self.names.iter().map(|n| shape(&n.shape) + 8).sum();
        self.bytes.len() + size_of::<Compact>() + symbols + names + table(&self.sizes)
    }

    fn cursor(&self, spot: Spot) -> Option<Cursor<'_>> {
        let number = spot.0.checked_sub(1)? as usize;
        let block = number / STRIDE;
        let wide = file::place_width(self.head.stream_bits) as usize;
        let place = bits(&self.bytes, self.places_at + block * wide, wide as u32);
        let wide = width(self.head.nodes) as usize;
        let new = bits(&self.bytes, self.news_at + block * wide, wide as u32);
        let mut cursor = Cursor {
            lexicon: self,
            at: self.stream_at + place as usize,
            new: new + 1,
        };
        for _ in 0..number % STRIDE {
            cursor.skip()?;
        }
        Some(cursor)
    }

    /// How many words begin with the path to a place and go on from there.
    pub fn below(&self, spot: Spot) -> u32 {
        self.cursor(spot).and_then(|mut c| c.size()).unwrap_or(0)
    }

    /// A word's place among all words, from 0.
    pub fn rank(&self, word: &[Letter]) -> Option<u32> {
        let mut rank = 0;
        let mut here = self.root();
        let mut ends = false;
        for &letter in word {
            // A word that ends on the way comes before those that go on.
            rank += u32::from(ends);
            let mut found = None;
            for step in self.steps(here) {
                if step.letter == letter {
                    found = Some(step);
                    break;
                }
                rank += u32::from(step.accepts) + self.below(step.next);
            }
            let step = found?;
            (here, ends) = (step.next, step.accepts);
        }
        ends.then_some(rank)
    }

    /// The word at a place among all words, from 0.
    pub fn word(&self, rank: u32) -> Option<Word> {
        let mut left = rank;
        let mut here = self.root();
        let mut path = Vec::with_capacity(LONGEST);
        if rank >= self.head.words {
            return None;
        }
        loop {
            let mut chosen = None;
            for step in self.steps(here) {
                let all = u32::from(step.accepts) + self.below(step.next);
                if left < all {
                    chosen = Some(step);
                    break;
                }
                left -= all;
            }
            let step = chosen?;
            path.push(step.letter);
            if step.accepts {
                if left == 0 {
                    return Word::new(&path).ok();
                }
                left -= 1;
            }
            here = step.next;
        }
    }

    /// The same words as a [`Graph`], which is faster and larger.
    pub fn graph(&self) -> Option<Graph> {
        let nodes = self.head.nodes as usize;
        let most = self.bytes.len();
        let mut starts = Vec::with_capacity(nodes.min(most));
        let mut edges: Vec<(Symbol, Spot)> =
            Vec::with_capacity((self.head.edges as usize).min(most));
        let mut cursor = self.cursor(self.root())?;
        for _ in 0..nodes {
            starts.push(edges.len() as u32 + 1);
            cursor.size()?;
            let mut before = Letter::SEPARATOR;
            loop {
                let (symbol, spot) = cursor.edge(before)?;
                // Letters come in order, and every target is a node there is.
                if symbol.letter() <= before || spot.0 as usize > nodes {
                    return None;
                }
                // A code of no bits could give edges without end.
                if edges.len() == self.head.edges as usize {
                    return None;
                }
                before = symbol.letter();
                edges.push((symbol, spot));
                if symbol.is_last() {
                    break;
                }
            }
        }
        if edges.len() != self.head.edges as usize || edges.len() > Edge::NODE as usize {
            return None;
        }
        let packed = edges.iter().map(|&(symbol, spot)| {
            let node = spot.0.checked_sub(1).map_or(0, |at| starts[at as usize]);
            let accepts = if symbol.accepts() { Edge::ACCEPTS } else { 0 };
            let last = if symbol.is_last() { Edge::LAST } else { 0 };
            u32::from(symbol.letter().0) << Edge::LETTER | accepts | last | node
        });
        let all = std::iter::once(0).chain(packed).collect();
        Some(Graph::new(all, Node(1)))
    }
}

impl Automaton for Compact {
    type Node = Spot;

    fn root(&self) -> Spot {
        Spot(1)
    }

    fn steps(&self, spot: Spot) -> impl Iterator<Item = Step<Spot>> + '_ {
        let mut cursor = self.cursor(spot);
        let mut before = Letter::SEPARATOR;
        if cursor.as_mut().is_some_and(|c| c.size().is_none()) {
            cursor = None;
        }
        std::iter::from_fn(move || {
            let (symbol, next) = cursor.as_mut()?.edge(before)?;
            before = symbol.letter();
            if symbol.is_last() {
                cursor = None;
            }
            Some(Step {
                letter: symbol.letter(),
                accepts: symbol.accepts(),
                next,
            })
        })
    }
}
