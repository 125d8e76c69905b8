//! Every word from every one of its letters outwards (Gordon, 1994).
//!
//! For each letter of a word the automaton holds the letters from there back to the beginning, a
//! separator, and the letters after it: `CARE` gives `C@ARE`, `AC@RE`, `RAC@E`, `ERAC`. A generator
//! can so begin at a tile on the board, go back as far as it likes, turn, and go on. It is not a DAWG
//! with pointers back: it is an automaton of other strings, several times as large.

use super::automaton::Automaton;
use super::builder::{Builder, Unbuildable};
use super::graph::{Edge, Graph, Node};
use super::words::{Lexicon, check};
use crate::tiles::{LONGEST, Letter};

const MAGIC: &[u8; 8] = b"WITSGAD2";

/// A lexicon's words from every letter outwards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gaddag {
    graph: Graph,
    dawg: Node,
    hash: u64,
}

impl Gaddag {
    /// Builds it: seconds for millions of words.
    pub fn build(lexicon: &Lexicon) -> Result<Gaddag, Unbuildable> {
        Gaddag::build_watched(lexicon, |_, _| true).map(|built| {
            // The watcher never says stop.
            built.unwrap_or_else(|| unreachable!("nobody stopped it"))
        })
    }

    /// As [`Gaddag::build`], telling how many parts are done of how many;
    /// nothing is built when the watcher answers no.
    pub fn build_watched(
        lexicon: &Lexicon,
        mut watch: impl FnMut(usize, usize) -> bool,
    ) -> Result<Option<Gaddag>, Unbuildable> {
        // What follows the separator is what follows that beginning in the DAWG: its nodes are there,
        // and only the beginnings, turned around, are strings to add.
        let dawg = lexicon.dawg();
        let mut builder = Builder::on(dawg);
        let mut codes = Vec::with_capacity(LONGEST);
        let buckets = beginnings(dawg, lexicon.tiles().len());
        let all = buckets.len();
        for (done, mut bucket) in buckets.into_iter().enumerate() {
            if !watch(done, all) {
                return Ok(None);
            }
            bucket.sort_unstable_by_key(|turned| turned.0);
            for turned in bucket {
                turned.codes(&mut codes);
                builder.add_turning(&codes, turned.accepts(), turned.onward())?;
            }
        }
        Ok(Some(Gaddag {
            graph: builder.finish()?,
            dawg: dawg.start(),
            hash: lexicon.hash(),
        }))
    }

    /// The automaton.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Where the words begin that are read from left to right: the DAWG is part of the same array.
    pub fn dawg(&self) -> Node {
        self.dawg
    }

    /// The file that keeps it between runs: building takes seconds, reading does not.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.hash.to_le_bytes());
        bytes.extend(self.graph.start().0.to_le_bytes());
        bytes.extend(self.dawg.0.to_le_bytes());
        bytes.extend(self.graph.raw().iter().flat_map(|edge| edge.to_le_bytes()));
        bytes.extend(check(&bytes).to_le_bytes());
        bytes
    }

    /// Reads back what [`Gaddag::to_bytes`] wrote; nothing where the file is another one, damaged, or
    /// of another lexicon. Then it must be built again.
    pub fn from_bytes(bytes: &[u8], lexicon: &Lexicon) -> Option<Gaddag> {
        let (body, sum) = bytes.split_last_chunk::<8>()?;
        let rest = body.strip_prefix(MAGIC)?;
        let (hash, rest) = rest.split_first_chunk::<8>()?;
        let (root, rest) = rest.split_first_chunk::<4>()?;
        let (dawg, rest) = rest.split_first_chunk::<4>()?;
        let hash = u64::from_le_bytes(*hash);
        if u64::from_le_bytes(*sum) != check(body) || hash != lexicon.hash() {
            return None;
        }
        let (words, odd) = rest.as_chunks::<4>();
        let edges: Vec<u32> = words.iter().map(|w| u32::from_le_bytes(*w)).collect();
        let root = Node(u32::from_le_bytes(*root));
        let dawg = Node(u32::from_le_bytes(*dawg));
        let inside = |node: Node| node.index() < edges.len();
        let ends = edges.last().is_some_and(|&edge| Edge(edge).is_last());
        let sound = odd.is_empty()
            && ends
            && inside(root)
            && inside(dawg)
            && edges.iter().all(|&edge| inside(Edge(edge).node()));
        sound.then(|| Gaddag {
            graph: Graph::new(edges, root),
            dawg,
            hash,
        })
    }

    /// The hash of the lexicon that it was built from.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Whether it was built from this lexicon.
    pub fn is_of(&self, lexicon: &Lexicon) -> bool {
        self.hash == lexicon.hash()
    }

    /// Whether it holds a word, reading from the word's first letter.
    pub fn contains(&self, word: &[Letter]) -> bool {
        let Some((&first, rest)) = word.split_first() else {
            return false;
        };
        let mut path = vec![first];
        if !rest.is_empty() {
            path.push(Letter::SEPARATOR);
            path.extend_from_slice(rest);
        }
        self.graph.holds(&path)
    }
}

/// A beginning of words, turned around: its letters from the last to the first, six bits each from the
/// top; whether it is a word itself; and the node of the DAWG behind it.
struct Turned(u128);

impl Turned {
    const TOP: u32 = 128;

    fn new(stem: &[Letter], edge: Edge) -> Turned {
        let mut packed = u128::from(edge.accepts()) << 24 | u128::from(edge.node().0);
        for (at, letter) in stem.iter().rev().enumerate() {
            packed |= u128::from(letter.code()) << (Turned::TOP - 6 * (at as u32 + 1));
        }
        Turned(packed)
    }

    fn codes(&self, codes: &mut Vec<u8>) {
        codes.clear();
        let places = (1..=LONGEST as u32).map(|at| Turned::TOP - 6 * at);
        let all = places.map(|place| (self.0 >> place) as u8 & 63);
        codes.extend(all.take_while(|&code| code != 0));
    }

    fn accepts(&self) -> bool {
        self.0 >> 24 & 1 == 1
    }

    fn onward(&self) -> Node {
        Node(self.0 as u32 & Edge::NODE)
    }
}

/// Every beginning of a word, by its last letter.
fn beginnings(dawg: &Graph, letters: usize) -> Vec<Vec<Turned>> {
    let mut by_last: Vec<Vec<Turned>> = (0..=letters).map(|_| Vec::new()).collect();
    let mut stem = Vec::with_capacity(LONGEST);
    gather(dawg, dawg.start(), &mut stem, &mut by_last);
    by_last
}

fn gather(dawg: &Graph, node: Node, stem: &mut Vec<Letter>, by_last: &mut [Vec<Turned>]) {
    if stem.len() == LONGEST {
        return;
    }
    for edge in dawg.edges(node) {
        stem.push(edge.letter());
        by_last[edge.letter().index()].push(Turned::new(stem, edge));
        gather(dawg, edge.node(), stem, by_last);
        stem.pop();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::tiles::TileSet;

    #[test]
    fn care_is_there_from_each_of_its_letters() {
        let tiles = TileSet::english();
        let lexicon = Lexicon::new("one", &tiles, [tiles.read_word("care").unwrap()]).unwrap();
        let gaddag = Gaddag::build(&lexicon).unwrap();
        let shown: BTreeSet<String> = gaddag
            .graph()
            .words()
            .map(|path| {
                let symbol = |l: &Letter| match l.code() {
                    0 => '@',
                    code => char::from(b'A' + code - 1),
                };
                path.iter().map(symbol).collect()
            })
            .collect();
        let wanted = ["C@ARE", "AC@RE", "RAC@E", "ERAC"].map(str::to_owned);
        assert_eq!(shown, BTreeSet::from(wanted));
        assert!(gaddag.contains(&tiles.read_word("care").unwrap()));
        assert!(!gaddag.contains(&tiles.read_word("car").unwrap()));
    }

    #[test]
    fn a_build_can_be_stopped() {
        let tiles = TileSet::english();
        let lexicon = Lexicon::new("one", &tiles, [tiles.read_word("care").unwrap()]).unwrap();
        assert_eq!(
            Gaddag::build_watched(&lexicon, |done, _| done < 3),
            Ok(None)
        );
    }
}
