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
use crate::tiles::{Letter, Word};

const MAGIC: &[u8; 8] = b"WITSGAD1";

/// A lexicon's words from every letter outwards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gaddag {
    graph: Graph,
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

    /// As [`Gaddag::build`], telling how many letters of the alphabet are done of how many;
    /// nothing is built when the watcher answers no.
    pub fn build_watched(
        lexicon: &Lexicon,
        mut watch: impl FnMut(usize, usize) -> bool,
    ) -> Result<Option<Gaddag>, Unbuildable> {
        let mut builder = Builder::new();
        if !add_turned(lexicon, &mut builder, &mut watch)? {
            return Ok(None);
        }
        let graph = builder.finish()?;
        let hash = lexicon.hash();
        Ok(Some(Gaddag { graph, hash }))
    }
    /// The automaton.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The file that keeps it between runs: building takes seconds, reading does not.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.hash.to_le_bytes());
        bytes.extend(self.graph.start().0.to_le_bytes());
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
        let hash = u64::from_le_bytes(*hash);
        if u64::from_le_bytes(*sum) != check(body) || hash != lexicon.hash() {
            return None;
        }
        let (words, odd) = rest.as_chunks::<4>();
        let edges: Vec<u32> = words.iter().map(|w| u32::from_le_bytes(*w)).collect();
        let root = Node(u32::from_le_bytes(*root));
        let inside = |node: Node| node.index() < edges.len();
        let ends = edges.last().is_some_and(|&edge| Edge(edge).is_last());
        let sound = odd.is_empty()
            && ends
            && inside(root)
            && edges.iter().all(|&edge| inside(Edge(edge).node()));
        sound.then(|| Gaddag {
            graph: Graph::new(edges, root),
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

/// Adds every word turned around each of its letters; whether the watcher let it come to the end.
pub(super) fn add_turned(
    lexicon: &Lexicon,
    builder: &mut Builder,
    mut watch: impl FnMut(usize, usize) -> bool,
) -> Result<bool, Unbuildable> {
    let words: Vec<Word> = lexicon.dawg().words().collect();
    let mut turned: Vec<u128> = Vec::new();
    let letters = lexicon.tiles().len();
    // One letter of the alphabet after the other: the strings that begin with it are all that
    // must be in memory and in order at a time.
    for letter in lexicon.tiles().letters() {
        if !watch(letter.index() - 1, letters) {
            return Ok(false);
        }
        turned.clear();
        for word in &words {
            for at in 0..word.len() {
                if word[at] == letter {
                    turned.push(turn(word, at));
                }
            }
        }
        turned.sort_unstable();
        let mut codes = Vec::new();
        for &packed in &turned {
            unpack(packed, &mut codes);
            builder.add(&codes)?;
        }
    }
    Ok(true)
}

const SYMBOLS: usize = 16;

/// A word turned around one of its letters, six bits a symbol from the top. No turned word ends in
/// the separator, so trailing zeros are padding.
fn turn(word: &[Letter], at: usize) -> u128 {
    let mut packed = 0;
    let mut place = 6 * SYMBOLS;
    let mut put = |code: u8| {
        place -= 6;
        packed |= u128::from(code) << place;
    };
    for &letter in word[..=at].iter().rev() {
        put(letter.code());
    }
    if at + 1 < word.len() {
        put(Letter::SEPARATOR.code());
        for &letter in &word[at + 1..] {
            put(letter.code());
        }
    }
    packed
}

fn unpack(packed: u128, codes: &mut Vec<u8>) {
    codes.clear();
    codes.extend(
        (0..SYMBOLS)
            .rev()
            .map(|place| (packed >> (6 * place)) as u8 & 63),
    );
    while codes.last() == Some(&0) {
        codes.pop();
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
