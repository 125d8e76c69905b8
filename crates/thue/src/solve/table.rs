//! What is known about positions, in a table of fixed size that many threads share without locks.
//!
//! An entry is one machine word, so that a thread reads all of it or nothing. Keys are mixed by a map that loses nothing; the upper
//! bits of the result say which bucket, the rest is in the entry: two words never share one.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

/// What is known about one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Known {
    /// The fewest picks known to be enough for the Builder; 0 if none are.
    pub(super) won: u8,
    /// The most picks known not to be enough.
    pub(super) lost: u8,
}

/// Bits of an entry that hold what is known: six for each number.
const KNOWN: u32 = 12;

impl Known {
    fn of(entry: u64) -> Known {
        Known {
            won: (entry >> 6 & 63) as u8,
            lost: (entry & 63) as u8,
        }
    }

    fn bits(self) -> u64 {
        u64::from(self.won) << 6 | u64::from(self.lost)
    }

    /// How much work is in it: what is deepest is dearest.
    fn depth(self) -> u8 {
        self.won.max(self.lost)
    }
}

/// The entries that a key may lie in: one line of the cache.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([AtomicU64; 8]);

/// A table of positions.
pub(super) struct Table {
    buckets: Vec<Bucket>,
    /// The bits of a mixed key that say which bucket.
    bits: u32,
}

/// Bytes that are no table, or one of another game.
#[derive(Debug, thiserror::Error)]
pub enum BadTable {
    /// The bytes could not be read or written.
    #[error("the saved search cannot be read or written: {0}")]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("this is not a saved search of this game; start without it")]
    Foreign,
    /// The end is missing.
    #[error("the saved search is cut short after {0} positions; start without it")]
    Cut(u64),
}

const MAGIC: &[u8; 8] = b"thue-t2\n";
/// Positions with fewer picks left are found again sooner than read.
const WORTH_SAVING: u8 = 4;

impl Table {
    /// A table of at most so many bytes, and at least 256 KiB: what is not in an entry must be in its place.
    pub(super) fn new(bytes: usize) -> Table {
        let bits = (bytes / size_of::<Bucket>()).max(1).ilog2().max(KNOWN);
        // Threads share the work of clearing: it is not little where the table is large.
        let buckets = (0..1usize << bits).into_par_iter();
        Table {
            buckets: buckets.map(|_| Bucket::default()).collect(),
            bits,
        }
    }

    /// The bucket of a mixed key, and what its entry must hold above what is known.
    fn place(&self, mixed: u64) -> (&Bucket, u64) {
        (
            &self.buckets[(mixed >> (64 - self.bits)) as usize],
            mixed << self.bits >> self.bits,
        )
    }

    /// Looks at the places of many keys at once, so that their lines of memory are fetched together.
    pub(super) fn touch(&self, keys: impl Iterator<Item = u64>) {
        let sum = keys.fold(0, |sum, key| {
            sum ^ self.place(mix(key)).0.0[0].load(Ordering::Relaxed)
        });
        std::hint::black_box(sum);
    }

    pub(super) fn get(&self, key: u64) -> Known {
        let (bucket, tag) = self.place(mix(key));
        for entry in &bucket.0 {
            let entry = entry.load(Ordering::Relaxed);
            if entry >> KNOWN == tag && entry != 0 {
                return Known::of(entry);
            }
        }
        Known::default()
    }

    pub(super) fn put(&self, key: u64, new: Known) {
        self.put_mixed(mix(key), new);
    }

    /// Another thread may write the same entry at the same time: one of the two is then lost, and searched again.
    fn put_mixed(&self, mixed: u64, mut new: Known) {
        let (bucket, tag) = self.place(mixed);
        let mut least = (u8::MAX, &bucket.0[0]);
        for slot in &bucket.0 {
            let entry = slot.load(Ordering::Relaxed);
            let old = Known::of(entry);
            if entry >> KNOWN == tag && entry != 0 {
                if old.won != 0 && (new.won == 0 || old.won < new.won) {
                    new.won = old.won;
                }
                new.lost = new.lost.max(old.lost);
                least = (0, slot);
                break;
            }
            if old.depth() < least.0 {
                least = (old.depth(), slot);
            }
        }
        least.1.store(tag << KNOWN | new.bits(), Ordering::Relaxed);
    }

    /// Writes what took work to find.
    pub(super) fn save(
        &self,
        game: &str,
        refuted: u8,
        to: &mut impl Write,
    ) -> Result<(), BadTable> {
        to.write_all(MAGIC)?;
        to.write_all(&[game.len() as u8, refuted])?;
        to.write_all(game.as_bytes())?;
        for (at, bucket) in self.buckets.iter().enumerate() {
            for entry in &bucket.0 {
                let entry = entry.load(Ordering::Relaxed);
                let known = Known::of(entry);
                if known.depth() >= WORTH_SAVING {
                    let mixed = (at as u64) << (64 - self.bits) | entry >> KNOWN;
                    to.write_all(&mixed.to_le_bytes())?;
                    to.write_all(&[known.won, known.lost])?;
                }
            }
        }
        to.write_all(&[0; 10])?;
        Ok(to.flush()?)
    }

    /// Reads what was written, and says which depth was refuted.
    pub(super) fn load(&self, game: &str, from: &mut impl Read) -> Result<u8, BadTable> {
        let mut head = [0; 10];
        from.read_exact(&mut head).map_err(|_| BadTable::Foreign)?;
        let mut name = vec![0; usize::from(head[8])];
        from.read_exact(&mut name).map_err(|_| BadTable::Foreign)?;
        if &head[..8] != MAGIC || name != game.as_bytes() {
            return Err(BadTable::Foreign);
        }
        let mut count = 0;
        loop {
            let mut entry = [0; 10];
            from.read_exact(&mut entry)
                .map_err(|_| BadTable::Cut(count))?;
            let [mixed @ .., won, lost] = entry;
            let known = Known { won, lost };
            if known == Known::default() {
                return Ok(head[9]);
            }
            self.put_mixed(u64::from_le_bytes(mixed), known);
            count += 1;
        }
    }
}

/// Spreads keys. Every step can be undone, so that different keys stay different.
fn mix(key: u64) -> u64 {
    let key = (key ^ key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let key = (key ^ key >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    key ^ key >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More keys than entries, many of them alike: what is found under a key was put under it.
    #[test]
    fn what_is_found_was_put() {
        let table = Table::new(1 << 18);
        let known = |key: u64| Known {
            won: (key % 7) as u8,
            lost: 1 + (key % 30) as u8,
        };
        let keys = (0..100_000u64).map(|i| i << (i % 40));
        for key in keys.clone() {
            table.put(key, known(key));
        }
        let mut found = 0;
        for key in keys {
            let seen = table.get(key);
            assert!(seen == Known::default() || seen == known(key), "{key}");
            found += usize::from(seen != Known::default());
        }
        assert!(found > 10_000, "{found}");
        let mut saved = Vec::new();
        table.save("game", 9, &mut saved).unwrap();
        let other = Table::new(1 << 20);
        assert_eq!(other.load("game", &mut saved.as_slice()).unwrap(), 9);
        for key in (0..100_000u64).map(|i| i << (i % 40)) {
            let (old, new) = (table.get(key), other.get(key));
            assert!(new == old || old.depth() < WORTH_SAVING, "{key}");
        }
    }
}
