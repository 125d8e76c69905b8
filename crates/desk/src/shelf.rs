//! Where rooms find bytes: lexicons, weights, bead boxes.

use std::collections::BTreeMap;
use std::sync::Arc;

/// One thing on the shelf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The bytes.
    pub bytes: Arc<[u8]>,
    /// A short hash of the bytes, written into records so that a replay knows what it was played with.
    pub hash: String,
}

/// Named bytes that the front end has fetched. Rooms open no files: they take what is here.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    items: BTreeMap<String, Item>,
}

impl Shelf {
    /// An empty shelf.
    pub fn new() -> Shelf {
        Shelf::default()
    }

    /// The short hash that tells two files apart.
    pub fn hash(bytes: &[u8]) -> String {
        format!("{:016x}", fnv(bytes))
    }

    /// Puts bytes on the shelf under a name.
    pub fn put(&mut self, name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) {
        let bytes = bytes.into();
        let hash = Shelf::hash(&bytes);
        self.items.insert(name.into(), Item { bytes, hash });
    }

    /// What lies under a name.
    pub fn get(&self, name: &str) -> Option<&Item> {
        self.items.get(name)
    }

    /// All items, in the order of their names.
    pub fn items(&self) -> impl Iterator<Item = (&str, &Item)> {
        self.items.iter().map(|(name, item)| (name.as_str(), item))
    }

    /// The names and hashes of all items, in order.
    pub fn hashes(&self) -> BTreeMap<String, String> {
        self.items
            .iter()
            .map(|(name, item)| (name.clone(), item.hash.clone()))
            .collect()
    }
}

/// FNV-1a, 64 bits: tells two files apart; it is no seal against forgery.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_published_function() {
        assert_eq!(fnv(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
