//! What is proved about positions, shared by threads.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::hash::{BuildHasherDefault, Hasher};
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

/// A proved position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// The numbers of Maker's strategy; none where Breaker wins.
    pub(super) zone: u32,
    /// The moves that its longest line takes.
    pub(super) moves: u8,
    /// Maker's move, where he is to move and wins.
    pub(super) best: u8,
}

impl Entry {
    pub(super) const LOST: Entry = Entry {
        zone: 0,
        moves: 0,
        best: 0,
    };

    pub(super) const fn won(self) -> bool {
        self.zone != 0
    }
}

/// Spreads the keys: they are already distinct, only their bits are not even.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 29;
    }
}

/// In two words a key takes 16 bytes and no padding.
type Key = (u64, u64);
type Shard = HashMap<Key, Entry, BuildHasherDefault<Mixer>>;

const SHARDS: usize = 256;

/// The proved positions.
pub(super) struct Table {
    shards: Vec<Mutex<Shard>>,
    count: AtomicUsize,
}

impl Default for Table {
    fn default() -> Table {
        Table {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            count: AtomicUsize::new(0),
        }
    }
}

fn words(key: u128) -> Key {
    ((key >> 64) as u64, key as u64)
}

impl Table {
    fn shard(&self, key: Key) -> MutexGuard<'_, Shard> {
        let mixed = (key.0 ^ key.1).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        self.shards[(mixed >> 56) as usize % SHARDS]
            .lock()
            .expect("nobody panics while holding a shard")
    }

    pub(super) fn len(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    pub(super) fn get(&self, key: u128) -> Option<Entry> {
        let key = words(key);
        self.shard(key).get(&key).copied()
    }

    /// Enters what was proved, unless another thread was first: what stands there is what others have built on, and it is returned.
    pub(super) fn put(&self, key: u128, entry: Entry) -> Entry {
        let key = words(key);
        match self.shard(key).entry(key) {
            Slot::Occupied(known) => *known.get(),
            Slot::Vacant(free) => {
                self.count.fetch_add(1, Ordering::Relaxed);
                *free.insert(entry)
            }
        }
    }

    /// Writes how many there are, then each in 22 bytes.
    pub(super) fn save(&self, to: &mut impl Write) -> io::Result<()> {
        let shards: Vec<MutexGuard<'_, Shard>> = self
            .shards
            .iter()
            .map(|shard| shard.lock().expect("nobody panics while holding a shard"))
            .collect();
        let count: u64 = shards.iter().map(|shard| shard.len() as u64).sum();
        to.write_all(&count.to_le_bytes())?;
        for (&(high, low), entry) in shards.iter().flat_map(|shard| shard.iter()) {
            to.write_all(&high.to_le_bytes())?;
            to.write_all(&low.to_le_bytes())?;
            to.write_all(&entry.zone.to_le_bytes())?;
            to.write_all(&[entry.moves, entry.best])?;
        }
        Ok(())
    }

    pub(super) fn load(&self, from: &mut impl Read) -> io::Result<()> {
        let mut count = [0; 8];
        from.read_exact(&mut count)?;
        for _ in 0..u64::from_le_bytes(count) {
            let (mut high, mut low, mut zone, mut rest) = ([0; 8], [0; 8], [0; 4], [0; 2]);
            from.read_exact(&mut high)?;
            from.read_exact(&mut low)?;
            from.read_exact(&mut zone)?;
            from.read_exact(&mut rest)?;
            let key = u128::from(u64::from_le_bytes(high)) << 64;
            let entry = Entry {
                zone: u32::from_le_bytes(zone),
                moves: rest[0],
                best: rest[1],
            };
            self.put(key | u128::from(u64::from_le_bytes(low)), entry);
        }
        Ok(())
    }
}
