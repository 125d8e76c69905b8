//! A lexicon: the words of a game.

use std::sync::Arc;

use super::automaton::Automaton;
use super::builder::{Builder, Unbuildable};
use super::graph::Graph;
use crate::tiles::{Letter, TileSet, TooLong, Word};

/// Why words do not make a lexicon.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadWords {
    /// There are none.
    #[error("no words: a lexicon needs at least one")]
    None,
    /// A word that does not fit on the board.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// More than the structure can hold.
    #[error(transparent)]
    Unbuildable(#[from] Unbuildable),
}

/// The words of a game, over one tile set. Cheap to clone: the words are shared.
#[derive(Clone, Debug)]
pub struct Lexicon {
    name: String,
    tiles: Arc<TileSet>,
    dawg: Graph,
    words: usize,
    hash: u64,
}

impl Lexicon {
    /// A lexicon of these words, in any order.
    pub fn new(
        name: impl Into<String>,
        tiles: &Arc<TileSet>,
        words: impl IntoIterator<Item = Vec<Letter>>,
    ) -> Result<Lexicon, BadWords> {
        let mut sorted = words
            .into_iter()
            .map(|word| Word::new(&word))
            .collect::<Result<Vec<Word>, TooLong>>()?;
        sorted.sort_unstable();
        sorted.dedup();
        Lexicon::of_sorted(name, tiles, &sorted)
    }

    /// A lexicon of words in order, each once.
    pub fn of_sorted(
        name: impl Into<String>,
        tiles: &Arc<TileSet>,
        words: &[Word],
    ) -> Result<Lexicon, BadWords> {
        if words.is_empty() {
            return Err(BadWords::None);
        }
        let mut builder = Builder::new();
        let mut hash = Hash::new(tiles);
        for word in words {
            let codes = word.iter().map(|letter| letter.code());
            let mut buffer = [0; crate::tiles::LONGEST];
            for (slot, code) in buffer.iter_mut().zip(codes) {
                *slot = code;
            }
            builder.add(&buffer[..word.len()])?;
            hash.word(word);
        }
        Ok(Lexicon {
            name: name.into(),
            tiles: Arc::clone(tiles),
            dawg: builder.finish()?,
            words: words.len(),
            hash: hash.0,
        })
    }

    /// A lexicon whose automaton is there already.
    pub(super) fn of_graph(
        name: &str,
        tiles: &Arc<TileSet>,
        dawg: Graph,
        words: usize,
        hash: u64,
    ) -> Lexicon {
        Lexicon {
            name: name.to_owned(),
            tiles: Arc::clone(tiles),
            dawg,
            words,
            hash,
        }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The letters that its words are written with.
    pub fn tiles(&self) -> &Arc<TileSet> {
        &self.tiles
    }

    /// Its words as the smallest automaton.
    pub fn dawg(&self) -> &Graph {
        &self.dawg
    }

    /// How many words it has.
    pub fn len(&self) -> usize {
        self.words
    }

    /// Whether it has no words, which never happens.
    pub fn is_empty(&self) -> bool {
        self.words == 0
    }

    /// A hash of its words and letters, however they are stored: what records write down.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Whether a word is in it.
    pub fn contains(&self, word: &[Letter]) -> bool {
        self.dawg.holds(word)
    }

    /// Its words in order.
    pub fn words(&self) -> impl Iterator<Item = Word> + '_ {
        self.dawg.words()
    }
}

/// FNV-1a: tells two files apart, or an accident; it is no seal against forgery.
pub(super) fn check(bytes: &[u8]) -> u64 {
    let mut hash = Hash(Hash::EMPTY);
    for &byte in bytes {
        hash.byte(byte);
    }
    hash.0
}

/// FNV-1a over the alphabet and the words in order.
struct Hash(u64);

impl Hash {
    const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

    fn new(tiles: &TileSet) -> Hash {
        let mut hash = Hash(Hash::EMPTY);
        for letter in tiles.letters() {
            tiles.face(letter).upper.bytes().for_each(|b| hash.byte(b));
            hash.byte(0);
        }
        hash
    }

    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }

    fn word(&mut self, word: &[Letter]) {
        for letter in word {
            self.byte(letter.code());
        }
        self.byte(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_repetition_do_not_matter() {
        let tiles = TileSet::english();
        let of = |list: &[&str]| {
            let words = list.iter().map(|text| tiles.read_word(text).unwrap());
            Lexicon::new("toy", &tiles, words).unwrap()
        };
        let (a, b) = (of(&["ZA", "QI", "ZA"]), of(&["QI", "ZA"]));
        assert_eq!((a.len(), a.hash()), (2, b.hash()));
        assert_eq!(a.dawg(), b.dawg());
        assert_ne!(of(&["QI"]).hash(), a.hash());
        assert!(Lexicon::new("none", &tiles, []).is_err());
    }
}
