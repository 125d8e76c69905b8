//! The tiles a generator may lay, as counts and masks.

use crate::settings::RACK;

/// The most kinds of tile: a blank and 63 letters.
pub(crate) const KINDS: usize = 64;

/// A rack as the generators use it: taking a tile and putting it back is a few instructions, and the
/// tiles that are left always have a number below 128.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hand {
    counts: [u8; KINDS],
    /// The first bit of each kind in [`Hand::left`].
    slots: [u8; KINDS],
    /// Letters that can be laid as themselves.
    pub(crate) have: u64,
    /// How many tiles are left.
    pub(crate) size: u8,
    /// Which tiles are left: a bit for each tile of the rack in order.
    pub(crate) left: u8,
    tiles: [u8; RACK],
    full: u8,
}

impl Hand {
    /// A hand of these kinds of tile (a blank is zero), at most seven of them.
    pub fn new(tiles: &[u8]) -> Hand {
        let mut sorted = [u8::MAX; RACK];
        let full = tiles.len().min(RACK);
        sorted[..full].copy_from_slice(&tiles[..full]);
        sorted.sort_unstable();
        let mut hand = Hand {
            counts: [0; KINDS],
            slots: [0; KINDS],
            have: 0,
            size: full as u8,
            left: ((1_u16 << full) - 1) as u8,
            tiles: sorted,
            full: full as u8,
        };
        for (at, &tile) in sorted[..full].iter().enumerate() {
            let kind = usize::from(tile) & (KINDS - 1);
            if hand.counts[kind] == 0 {
                hand.slots[kind] = at as u8;
            }
            hand.counts[kind] += 1;
            hand.have |= 1 << kind;
        }
        hand.have &= !1;
        hand
    }

    /// The tiles of the full hand, in order.
    pub fn tiles(&self) -> &[u8] {
        &self.tiles[..usize::from(self.full)]
    }

    /// How many blanks are left.
    #[inline]
    pub fn blanks(&self) -> u8 {
        self.counts[0]
    }

    /// How many of a kind are left.
    #[inline]
    pub fn count(&self, kind: u8) -> u8 {
        self.counts[usize::from(kind) & (KINDS - 1)]
    }

    /// Takes one tile of a kind that is there.
    #[inline]
    pub(crate) fn take(&mut self, kind: u8) {
        let at = usize::from(kind) & (KINDS - 1);
        self.counts[at] -= 1;
        self.left ^= 1 << (self.slots[at] + self.counts[at]);
        self.size -= 1;
        if self.counts[at] == 0 {
            self.have &= !(1 << at);
        }
    }

    /// Puts back the tile taken last of a kind.
    #[inline]
    pub(crate) fn back(&mut self, kind: u8) {
        let at = usize::from(kind) & (KINDS - 1);
        self.left ^= 1 << (self.slots[at] + self.counts[at]);
        self.counts[at] += 1;
        self.size += 1;
        self.have |= (1 << at) & !1;
    }

    /// The tiles that a number of [`Hand::left`] stands for.
    pub fn kept(&self, left: u8) -> impl Iterator<Item = u8> + '_ {
        self.tiles()
            .iter()
            .enumerate()
            .filter(move |(at, _)| left >> at & 1 == 1)
            .map(|(_, &tile)| tile)
    }

    /// The number of the tiles that remain when these are taken, or nothing if they are not there.
    pub fn without(&self, taken: impl IntoIterator<Item = u8>) -> Option<u8> {
        let mut hand = self.clone();
        for kind in taken {
            if hand.count(kind) == 0 {
                return None;
            }
            hand.take(kind);
        }
        Some(hand.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taking_and_putting_back_keep_the_number_of_what_is_left() {
        let mut hand = Hand::new(&[5, 0, 5, 9, 1]);
        assert_eq!(hand.tiles(), [0, 1, 5, 5, 9]);
        hand.take(5);
        assert_eq!(hand.kept(hand.left).collect::<Vec<_>>(), [0, 1, 5, 9]);
        hand.take(0);
        assert_eq!((hand.blanks(), hand.size), (0, 3));
        hand.take(5);
        assert_eq!(hand.kept(hand.left).collect::<Vec<_>>(), [1, 9]);
        assert_eq!(hand.have, 1 << 1 | 1 << 9);
        hand.back(5);
        hand.back(0);
        hand.back(5);
        assert_eq!(hand, Hand::new(&[0, 1, 5, 5, 9]));
        assert_eq!(hand.without([5, 5, 5]), None);
        assert_eq!(Hand::new(&[]).left, 0);
    }
}
