//! Every word from every one of its letters outwards (Gordon, 1994).
//!
//! For each letter of a word the automaton holds the letters from there back to the beginning, a
//! separator, and the letters after it: `CARE` gives `C@ARE`, `AC@RE`, `RAC@E`, `ERAC`. A generator
//! can so begin at a tile on the board, go back as far as it likes, turn, and go on. It is not a DAWG
//! with pointers back: it is an automaton of other strings, several times as large.

use super::automaton::Automaton;
use super::builder::{Builder, Unbuildable};
use super::graph::Graph;
use super::words::Lexicon;
use crate::tiles::{Letter, Word};

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
        let words: Vec<Word> = lexicon.dawg().words().collect();
        let mut builder = Builder::new();
        let mut turned: Vec<u128> = Vec::new();
        let letters = lexicon.tiles().len();
        // One letter of the alphabet after the other: the strings that begin with it are all that
        // must be in memory and in order at a time.
        for letter in lexicon.tiles().letters() {
            if !watch(letter.index() - 1, letters) {
                return Ok(None);
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
        let graph = builder.finish()?;
        let hash = lexicon.hash();
        Ok(Some(Gaddag { graph, hash }))
    }

    /// The automaton.
    pub fn graph(&self) -> &Graph {
        &self.graph
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
