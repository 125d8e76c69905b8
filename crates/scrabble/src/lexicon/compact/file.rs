//! The file around the compact format: what is in front, and what can be wrong with it.

use std::sync::Arc;

use super::bits::{bits, width};
use super::code::{DEEPEST, Shape};
use super::{Compact, Names, Symbol};
use crate::lexicon::Lexicon;
use crate::lexicon::words::check;
use crate::tiles::TileSet;

const MAGIC: &[u8; 8] = b"WITSLEX1";

/// What is wrong with a lexicon's file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadLexicon {
    /// Not such a file at all.
    #[error("this is not a lexicon file; make one with `wits scrabble lexicon build`")]
    NotALexicon,
    /// Cut off, or changed.
    #[error("the lexicon file is damaged: its check sum does not fit; build or copy it again")]
    Damaged,
    /// Made for other letters.
    #[error(
        "the lexicon `{lexicon}` is for the tile set `{made_for}`, not for `{wanted}`; choose a lexicon or a tile set that fits"
    )]
    OtherTiles {
        /// The lexicon's name.
        lexicon: String,
        /// The set that it was made for.
        made_for: String,
        /// The set in play.
        wanted: String,
    },
}

/// What stands in front.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Head {
    pub(super) name: String,
    pub(super) tiles: String,
    pub(super) letters: Vec<String>,
    pub(super) note: String,
    pub(super) words: u32,
    pub(super) hash: u64,
    pub(super) nodes: u32,
    pub(super) edges: u32,
    pub(super) stream_bits: u32,
}

/// What follows.
pub(super) struct Parts {
    pub(super) tables: Vec<u8>,
    pub(super) numbers: Vec<u8>,
    pub(super) places: Vec<u8>,
    pub(super) news: Vec<u8>,
    pub(super) stream: Vec<u8>,
}

pub(super) fn place_width(stream_bits: u32) -> u32 {
    width(stream_bits)
}

pub(super) fn join(head: &Head, parts: &Parts) -> Vec<u8> {
    let mut body = Vec::new();
    for text in [&head.name, &head.tiles, &head.note] {
        put_text(text, &mut body);
    }
    body.push(head.letters.len() as u8);
    head.letters.iter().for_each(|l| put_text(l, &mut body));
    body.extend(head.hash.to_le_bytes());
    for number in [head.words, head.nodes, head.edges, head.stream_bits] {
        body.extend(number.to_le_bytes());
    }
    for part in [
        &parts.tables,
        &parts.numbers,
        &parts.places,
        &parts.news,
        &parts.stream,
    ] {
        body.extend((part.len() as u32).to_le_bytes());
        body.extend(part);
    }
    let mut file = MAGIC.to_vec();
    file.extend(check(&body).to_le_bytes());
    file.extend(body);
    file
}

fn put_text(text: &str, to: &mut Vec<u8>) {
    to.extend((text.len() as u16).to_le_bytes());
    to.extend(text.as_bytes());
}

/// Takes things off the front of bytes.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, many: usize) -> Option<&'a [u8]> {
        let part = self.bytes.get(self.at..self.at.checked_add(many)?)?;
        self.at += many;
        Some(part)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn text(&mut self) -> Option<String> {
        let many = u16::from_le_bytes(self.take(2)?.try_into().ok()?);
        let bytes = self.take(usize::from(many))?;
        String::from_utf8(bytes.to_vec()).ok()
    }

    /// Where a part begins, in bits; the reader goes on after it.
    fn part(&mut self) -> Option<usize> {
        let many = self.number()? as usize;
        let at = self.at;
        self.take(many)?;
        Some(at * 8)
    }
}

impl Compact {
    /// Reads a file.
    pub fn open(file: &[u8]) -> Result<Compact, BadLexicon> {
        if !file.starts_with(MAGIC) {
            return Err(BadLexicon::NotALexicon);
        }
        let fits = |body: &[u8]| file[8..16] == check(body).to_le_bytes();
        if !file.get(16..).is_some_and(fits) {
            return Err(BadLexicon::Damaged);
        }
        Compact::read(file).ok_or(BadLexicon::Damaged)
    }

    fn read(file: &[u8]) -> Option<Compact> {
        let mut reader = Reader {
            bytes: file,
            at: 16,
        };
        let (name, tiles, note) = (reader.text()?, reader.text()?, reader.text()?);
        let many = reader.take(1)?[0];
        let letters = (0..many)
            .map(|_| reader.text())
            .collect::<Option<Vec<_>>>()?;
        let hash = u64::from_le_bytes(reader.take(8)?.try_into().ok()?);
        let head = Head {
            name,
            tiles,
            letters,
            note,
            hash,
            words: reader.number()?,
            nodes: reader.number()?,
            edges: reader.number()?,
            stream_bits: reader.number()?,
        };
        // A node or an edge takes a bit of the file at least: a lie about them costs no memory.
        let most = file.len().saturating_mul(8);
        if [head.nodes, head.edges].iter().any(|&n| n as usize > most) {
            return None;
        }
        let mut at = reader.part()?;
        let bytes: Arc<[u8]> = file.into();
        let contexts = head.letters.len() + 1;
        let mut symbols = Vec::with_capacity(contexts);
        for _ in 0..=contexts {
            let shape = take_shape(&bytes, &mut at)?;
            let mut table = Vec::new();
            for _ in 0..shape.symbols() {
                table.push(bits(&bytes, at, Symbol::BITS) as u16);
                at += Symbol::BITS as usize;
            }
            symbols.push((shape, table));
        }
        let sizes = symbols.pop()?;
        let mut names = Vec::with_capacity(contexts);
        let mut first = 0;
        for _ in 0..contexts {
            let shape = take_shape(&bytes, &mut at)?;
            let many = shape.symbols() as usize;
            names.push(Names { shape, first });
            first += many;
        }
        Some(Compact {
            numbers_at: reader.part()?,
            places_at: reader.part()?,
            news_at: reader.part()?,
            stream_at: reader.part()?,
            head,
            bytes,
            symbols,
            names,
            sizes,
        })
    }

    /// The lexicon in the form that generators walk, for the tile set in play.
    pub fn lexicon(&self, tiles: &Arc<TileSet>) -> Result<Lexicon, BadLexicon> {
        let same = tiles.len() == self.head.letters.len()
            && tiles
                .letters()
                .zip(&self.head.letters)
                .all(|(l, name)| tiles.face(l).upper == *name);
        if !same {
            return Err(BadLexicon::OtherTiles {
                lexicon: self.head.name.clone(),
                made_for: self.head.tiles.clone(),
                wanted: tiles.name().to_owned(),
            });
        }
        let graph = self.graph().ok_or(BadLexicon::Damaged)?;
        Ok(Lexicon::of_graph(
            &self.head.name,
            tiles,
            graph,
            self.len(),
            self.head.hash,
        ))
    }
}

fn take_shape(bytes: &[u8], at: &mut usize) -> Option<Shape> {
    let mut take = |wide: u32| {
        let value = bits(bytes, *at, wide);
        *at += wide as usize;
        value
    };
    let many = take(6);
    let counts: Vec<u32> = (0..many)
        .map(|_| {
            let wide = take(5);
            take(wide)
        })
        .collect();
    let bounded =
        counts.len() <= DEEPEST + 1 && counts.iter().all(|&c| (c as usize) <= bytes.len() * 8);
    bounded.then_some(Shape { counts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Shipped;

    #[test]
    fn a_lie_about_nodes_or_edges_is_refused_before_memory_is_taken() {
        let file = Shipped::named("english").and_then(|s| s.bytes);
        let file = file.expect("english is part of the program");
        assert!(Compact::open(file).is_ok());
        let mut reader = Reader {
            bytes: file,
            at: 16,
        };
        for _ in 0..3 {
            reader.text().unwrap();
        }
        let letters = reader.take(1).unwrap()[0];
        for _ in 0..letters {
            reader.text().unwrap();
        }
        // After the hash and the number of words.
        let nodes = reader.at + 12;
        for at in [nodes, nodes + 4] {
            let mut lie = file.to_vec();
            lie[at..at + 4].fill(0xff);
            let sum = check(&lie[16..]).to_le_bytes();
            lie[8..16].copy_from_slice(&sum);
            assert_eq!(Compact::open(&lie).err(), Some(BadLexicon::Damaged));
        }
    }
}
