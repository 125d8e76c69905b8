//! A worth for every handful, as other crossword programs keep them (KLV2): the number of edges, a KWG of the handfuls with
//! their tiles in order and the blank as 0, the number of handfuls, and a 32-bit float for each in the order of the graph.
//! (Layout as described by A. Kurnia for his program wolges.)

use crate::generate::{Hand, Kept};
use crate::lexicon::{numbers, words_below};

/// Handfuls in order with their worths, in hundredths.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Handfuls {
    keys: Vec<u64>,
    worths: Vec<i32>,
}

/// Why such a table cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadKlv {
    /// It ends too early, or its parts do not fit together.
    #[error("the file is cut short, or is no KLV2 file")]
    NotKlv,
    /// It has a tile that the tile set does not have.
    #[error("the file has a tile number {0}, which the tile set does not have")]
    OtherTiles(u8),
}

/// A handful as one number: its tiles in order, a byte each.
fn key(tiles: impl IntoIterator<Item = u8>) -> u64 {
    // A blank is zero, so each byte is one more.
    let step = |key: u64, tile: u8| key << 8 | (u64::from(tile) + 1);
    tiles.into_iter().take(8).fold(0, step)
}

impl Handfuls {
    pub(super) fn read(bytes: &[u8], letters: usize) -> Result<Handfuls, BadKlv> {
        let all = numbers(bytes);
        let (&size, rest) = all.split_first().ok_or(BadKlv::NotKlv)?;
        let (edges, rest) = rest.split_at_checked(size as usize).ok_or(BadKlv::NotKlv)?;
        let (&count, floats) = rest.split_first().ok_or(BadKlv::NotKlv)?;
        if floats.len() != count as usize || edges.is_empty() {
            return Err(BadKlv::NotKlv);
        }
        let mut found: Vec<(u64, i32)> = Vec::with_capacity(floats.len());
        let mut strange = None;
        let root = edges[0] & 0x3f_ffff;
        words_below(edges, root, &mut |tiles| {
            let float = floats.get(found.len()).map(|&bits| f32::from_bits(bits));
            let float = float.filter(|f| f.is_finite()).unwrap_or_default();
            strange = strange.or(tiles.iter().copied().find(|&t| usize::from(t) > letters));
            found.push((key(tiles.iter().copied()), (float * 100.0).round() as i32));
            if found.len() > floats.len() || tiles.len() > 7 {
                return Err(crate::lexicon::BadKwg::NotKwg);
            }
            Ok(())
        })
        .map_err(|_| BadKlv::NotKlv)?;
        if let Some(tile) = strange {
            return Err(BadKlv::OtherTiles(tile));
        }
        if found.len() != floats.len() {
            return Err(BadKlv::NotKlv);
        }
        found.sort_unstable();
        let (keys, worths) = found.into_iter().unzip();
        Ok(Handfuls { keys, worths })
    }

    fn of(&self, key: u64) -> i32 {
        self.keys
            .binary_search(&key)
            .map_or(0, |at| self.worths[at])
    }

    pub(super) fn worth(&self, kinds: &[u8]) -> i32 {
        self.of(key(kinds.iter().copied()))
    }

    pub(super) fn kept(&self, hand: &Hand) -> Kept {
        let mut kept = [0; 128];
        for left in 1..=hand.left {
            kept[usize::from(left)] = self.of(key(hand.kept(left)));
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TileSet;
    use crate::players::Leaves;

    /// A file of three handfuls: `?`, `?A` and `AB`.
    fn file() -> Vec<u8> {
        let edge = |tile: u32, accepts: u32, last: u32, to: u32| {
            tile << 24 | accepts << 23 | last << 22 | to
        };
        let graph = [
            edge(0, 0, 1, 1),
            edge(0, 1, 0, 3),
            edge(1, 0, 1, 4),
            edge(1, 1, 1, 0),
            edge(2, 1, 1, 0),
        ];
        let worths = [25.5_f32, 30.0, -1.25];
        let words = std::iter::once(graph.len() as u32)
            .chain(graph)
            .chain([worths.len() as u32])
            .chain(worths.map(f32::to_bits));
        words.flat_map(u32::to_le_bytes).collect()
    }

    #[test]
    fn a_table_of_handfuls_is_read() {
        let tiles = TileSet::english();
        let leaves = Leaves::read_klv(&file(), &tiles).unwrap();
        assert_eq!(leaves.worth(&[0]), 2_550);
        assert_eq!(leaves.worth(&[1, 2]), -125);
        assert_eq!(leaves.worth(&[3]), 0);
        let hand = Hand::new(&[0, 1, 2]);
        let kept = leaves.kept(&hand);
        assert_eq!((kept[0b011], kept[0b110], kept[0]), (3_000, -125, 0));
        for cut in 0..file().len() {
            assert!(Leaves::read_klv(&file()[..cut], &tiles).is_err(), "{cut}");
        }
    }
}
