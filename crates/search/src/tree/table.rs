//! A table of positions that were already searched.

use std::hash::{Hash, Hasher};

use super::ground::Value;
use crate::Worth;

/// On which side of the truth a stored worth may lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What is known about one position.
#[derive(Clone, Debug)]
pub(super) struct Entry<S> {
    pub(super) state: S,
    /// How many plies below the position were searched.
    pub(super) depth: u32,
    pub(super) value: Value,
    pub(super) bound: Bound,
    /// The best move, as its place in the game's order.
    pub(super) best: u32,
}

/// Positions by their hash, the newest in each place. The whole position is kept and compared, so two
/// positions are never taken for each other.
pub(super) struct Table<S> {
    places: Vec<Option<Box<Entry<S>>>>,
}

impl<S: Clone + Eq + Hash> Table<S> {
    /// A table with two to the power of `bits` places; none at all for zero.
    pub(super) fn new(bits: u32) -> Table<S> {
        let count = if bits == 0 { 0 } else { 1 << bits.min(28) };
        let mut places = Vec::new();
        places.resize_with(count, || None);
        Table { places }
    }

    fn place(&self, state: &S) -> Option<usize> {
        let mut mixer = Mixer(0);
        state.hash(&mut mixer);
        let mask = self.places.len().checked_sub(1)?;
        Some(mixer.finish() as usize & mask)
    }

    pub(super) fn find(&self, state: &S) -> Option<&Entry<S>> {
        let entry = self.places[self.place(state)?].as_deref()?;
        (entry.state == *state).then_some(entry)
    }

    pub(super) fn keep(&mut self, entry: Entry<S>) {
        if let Some(place) = self.place(&entry.state) {
            self.places[place] = Some(Box::new(entry));
        }
    }
}

impl<S> Entry<S> {
    /// Whether this entry answers a search to `depth` inside the window.
    ///
    /// A search to another depth sees another horizon, so its worth would not be minimax's. Only what is proved holds
    /// for deeper searches too: they would walk into the same ends.
    pub(super) fn answers(&self, depth: u32, (alpha, beta): (Worth, Worth)) -> bool {
        let deep = self.depth == depth || (self.value.ends && self.depth < depth);
        deep && match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => self.value.worth >= beta,
            Bound::AtMost => self.value.worth <= alpha,
        }
    }
}

/// A small hash that is the same in every run, so that node counts are, too: multiply and rotate
/// word by word, and mix well at the end because the table uses the low bits.
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.write_u64(u64::from(n));
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn finish(&self) -> u64 {
        let mut h = self.0;
        h = (h ^ (h >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        h = (h ^ (h >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        h ^ (h >> 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(state: u64, depth: u32, worth: Worth, bound: Bound) -> Entry<u64> {
        Entry {
            state,
            depth,
            value: Value::of(worth),
            bound,
            best: 0,
        }
    }

    #[test]
    fn positions_that_share_a_place_are_not_confused() {
        let mut table = Table::new(1);
        for state in 0..8 {
            table.keep(entry(state, 1, Worth::exact(state as i32), Bound::Exact));
        }
        let found: Vec<u64> = (0..8).filter(|s| table.find(s).is_some()).collect();
        assert!(found.len() <= 2 && !found.is_empty());
        for state in found {
            assert_eq!(
                table.find(&state).unwrap().value.worth,
                Worth::exact(state as i32)
            );
        }
        assert!(Table::<u64>::new(0).find(&1).is_none());
    }

    #[test]
    fn only_the_same_horizon_or_a_proof_answers() {
        let open = (Worth::WORST, Worth::BEST);
        let guess = entry(0, 3, Worth::heuristic(0.5), Bound::Exact);
        assert!(guess.answers(3, open) && !guess.answers(2, open) && !guess.answers(4, open));
        let sure = entry(0, 3, Worth::exact(1), Bound::Exact);
        assert!(sure.answers(4, open) && !sure.answers(2, open));
        let bound = entry(0, 3, Worth::exact(1), Bound::AtLeast);
        assert!(!bound.answers(3, open));
        assert!(bound.answers(3, (Worth::WORST, Worth::exact(1))));
    }
}
