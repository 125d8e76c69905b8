//! What is known about positions, in a table of fixed size that many threads share.

use std::io::{self, Read, Write};
use std::sync::Mutex;

/// What is known about one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Known {
    /// The fewest picks known to be enough for the Builder; 0 if none are.
    pub(super) won: u8,
    /// The most picks known not to be enough.
    pub(super) lost: u8,
}

impl Known {
    /// How much work is in it: what is deepest is dearest.
    fn depth(self) -> u8 {
        self.won.max(self.lost)
    }
}

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u128,
    known: Known,
}

/// A table of positions. Two words never share an entry: the whole key is kept.
pub(super) struct Table {
    shards: Vec<Mutex<Vec<Entry>>>,
    /// Entries in a shard, a power of two.
    size: usize,
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

/// How many entries a key may lie in.
const BUCKET: usize = 4;
const SHARDS: usize = 256;
const MAGIC: &[u8; 8] = b"thue-t1\n";

impl Table {
    /// A table of at most so many bytes, and at least a few entries.
    pub(super) fn new(bytes: usize) -> Table {
        let entries = (bytes / size_of::<Entry>() / SHARDS).max(BUCKET);
        let size = 1 << entries.ilog2();
        Table {
            shards: (0..SHARDS)
                .map(|_| Mutex::new(vec![Entry::default(); size]))
                .collect(),
            size,
        }
    }

    fn place(&self, key: u128) -> (usize, usize) {
        let mixed = (key as u64 ^ (key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let shard = (mixed >> 56) as usize % SHARDS;
        (
            shard,
            (mixed >> 8) as usize & (self.size - 1) & !(BUCKET - 1),
        )
    }

    fn shard(&self, shard: usize) -> std::sync::MutexGuard<'_, Vec<Entry>> {
        self.shards[shard]
            .lock()
            .expect("nobody panics while holding a shard")
    }

    pub(super) fn get(&self, key: u128) -> Known {
        let (shard, at) = self.place(key);
        let shard = self.shard(shard);
        shard[at..at + BUCKET]
            .iter()
            .find(|e| e.key == key)
            .map_or(Known::default(), |e| e.known)
    }

    pub(super) fn put(&self, key: u128, new: Known) {
        let (shard, at) = self.place(key);
        let mut shard = self.shard(shard);
        let bucket = &mut shard[at..at + BUCKET];
        if let Some(entry) = bucket.iter_mut().find(|e| e.key == key) {
            let old = entry.known;
            let won = if old.won == 0 || (new.won != 0 && new.won < old.won) {
                new.won
            } else {
                old.won
            };
            entry.known = Known {
                won,
                lost: old.lost.max(new.lost),
            };
        } else {
            let least = bucket
                .iter_mut()
                .min_by_key(|e| e.known.depth())
                .expect("a bucket has entries");
            *least = Entry { key, known: new };
        }
    }

    /// Writes all that is known.
    pub(super) fn save(
        &self,
        game: &str,
        refuted: u8,
        to: &mut impl Write,
    ) -> Result<(), BadTable> {
        to.write_all(MAGIC)?;
        to.write_all(&[game.len() as u8, refuted])?;
        to.write_all(game.as_bytes())?;
        for shard in 0..SHARDS {
            let entries: Vec<Entry> = self
                .shard(shard)
                .iter()
                .filter(|e| e.key != 0)
                .copied()
                .collect();
            for entry in entries {
                to.write_all(&entry.key.to_le_bytes())?;
                to.write_all(&[entry.known.won, entry.known.lost])?;
            }
        }
        to.write_all(&0u128.to_le_bytes())?;
        to.write_all(&[0, 0])?;
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
            let mut entry = [0; 18];
            from.read_exact(&mut entry)
                .map_err(|_| BadTable::Cut(count))?;
            let key = u128::from_le_bytes(entry[..16].try_into().expect("sixteen bytes"));
            if key == 0 {
                return Ok(head[9]);
            }
            self.put(
                key,
                Known {
                    won: entry[16],
                    lost: entry[17],
                },
            );
            count += 1;
        }
    }
}
