//! What is known about positions, shared by threads.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

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

    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }
}

type Shard = HashMap<u128, bool, BuildHasherDefault<Mixer>>;

/// Whether Maker wins, by position.
pub(super) struct Table {
    shards: Vec<Mutex<Shard>>,
    count: AtomicUsize,
}

const SHARDS: usize = 64;

impl Default for Table {
    fn default() -> Table {
        Table {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            count: AtomicUsize::new(0),
        }
    }
}

impl Table {
    fn shard(&self, key: u128) -> MutexGuard<'_, Shard> {
        let mixed = (key as u64 ^ (key >> 64) as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        self.shards[(mixed >> 58) as usize % SHARDS]
            .lock()
            .expect("nobody panics while holding a shard")
    }

    pub(super) fn len(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    pub(super) fn get(&self, key: u128) -> Option<bool> {
        self.shard(key).get(&key).copied()
    }

    pub(super) fn put(&self, key: u128, maker: bool) {
        if self.shard(key).insert(key, maker).is_none() {
            self.count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Writes how many there are, then each in 16 bytes: the key, and the result in its highest bit, which no key has.
    pub(super) fn save(&self, to: &mut impl Write) -> io::Result<()> {
        let shards: Vec<MutexGuard<'_, Shard>> = self
            .shards
            .iter()
            .map(|shard| shard.lock().expect("nobody panics while holding a shard"))
            .collect();
        let count: u64 = shards.iter().map(|shard| shard.len() as u64).sum();
        to.write_all(&count.to_le_bytes())?;
        for (&key, &maker) in shards.iter().flat_map(|shard| shard.iter()) {
            to.write_all(&(key | u128::from(maker) << 127).to_le_bytes())?;
        }
        Ok(())
    }

    pub(super) fn load(&self, from: &mut impl Read) -> io::Result<()> {
        let mut count = [0; 8];
        from.read_exact(&mut count)?;
        for _ in 0..u64::from_le_bytes(count) {
            let mut entry = [0; 16];
            from.read_exact(&mut entry)?;
            let entry = u128::from_le_bytes(entry);
            self.put(entry & !(1 << 127), entry >> 127 == 1);
        }
        Ok(())
    }
}
