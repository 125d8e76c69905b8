//! Where rooms find bytes: lexicons, weights, bead boxes.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read, Write};
use std::sync::Arc;

use crate::{Refusal, WORDS};

/// One thing on the shelf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The bytes.
    pub bytes: Arc<[u8]>,
    /// A short hash of the bytes, written into records so that a replay knows what it was played with.
    pub hash: String,
}

/// How something that is not fetched yet is opened.
type Open = dyn Fn() -> io::Result<Box<dyn Read>> + Send + Sync;

/// Something large that is read piece by piece, and only when it is needed.
#[derive(Clone)]
struct Source(Arc<Open>);

/// How something is written to a place that the front end knows: what is there stays whole until
/// the new is.
type Put = dyn Fn(&mut Fill<'_>) -> io::Result<()> + Send + Sync;

/// Whoever writes what is to be kept.
pub type Fill<'a> = dyn FnMut(&mut dyn Write) -> io::Result<()> + 'a;

/// A place where long work keeps what it knows.
#[derive(Clone)]
struct Place(Arc<Put>);

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Place")
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Source")
    }
}

/// Named bytes that the front end has fetched or knows how to open. Rooms open no files: they take
/// what is here.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    items: BTreeMap<String, Item>,
    sources: BTreeMap<String, Source>,
    places: BTreeMap<String, Place>,
    made: BTreeMap<String, Arc<dyn Any + Send + Sync>>,
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

    /// Puts something on the shelf that is opened when it is read.
    pub fn put_source(
        &mut self,
        name: impl Into<String>,
        open: impl Fn() -> io::Result<Box<dyn Read>> + Send + Sync + 'static,
    ) {
        self.sources.insert(name.into(), Source(Arc::new(open)));
    }

    /// Puts a place on the shelf where something can be kept.
    pub fn put_place(
        &mut self,
        name: impl Into<String>,
        put: impl Fn(&mut Fill<'_>) -> io::Result<()> + Send + Sync + 'static,
    ) {
        self.places.insert(name.into(), Place(Arc::new(put)));
    }

    /// Keeps something under a name.
    pub fn keep(&self, name: &str, fill: &mut Fill<'_>) -> Result<(), Refusal> {
        let Some(Place(put)) = self.places.get(name) else {
            let why = WORDS.say("no-item").with("name", name);
            return Err(Refusal::new("file", why, WORDS.say("no-item-hint")));
        };
        put(fill).map_err(|error| unread(name, &error))
    }

    /// What lies under a name, as text.
    pub fn text(&self, name: &str) -> Result<String, Refusal> {
        let mut text = String::new();
        let mut reader = self.open(name)?;
        let read = reader.read_to_string(&mut text);
        read.map_err(|error| unread(name, &error))?;
        Ok(text)
    }

    /// Every name under which there is something, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let all = self.items.keys().chain(self.sources.keys());
        let all: std::collections::BTreeSet<&String> = all.collect();
        all.into_iter().map(String::as_str)
    }

    /// Puts something on the shelf that a room has already made from what lies under a name, so
    /// that it is not read again.
    pub fn put_made<T: Send + Sync + 'static>(&mut self, name: impl Into<String>, made: Arc<T>) {
        self.made.insert(name.into(), made);
    }

    /// What a room has made from what lies under a name.
    pub fn made<T: Send + Sync + 'static>(&self, name: &str) -> Option<Arc<T>> {
        Arc::clone(self.made.get(name)?).downcast().ok()
    }

    /// Whether there is something under a name.
    pub fn has(&self, name: &str) -> bool {
        self.items.contains_key(name) || self.sources.contains_key(name)
    }

    /// Opens what lies under a name, to be read from its beginning.
    pub fn open(&self, name: &str) -> Result<Box<dyn Read + '_>, Refusal> {
        if let Some(item) = self.items.get(name) {
            return Ok(Box::new(&*item.bytes));
        }
        let Some(Source(open)) = self.sources.get(name) else {
            let why = WORDS.say("no-item").with("name", name);
            return Err(Refusal::new("file", why, WORDS.say("no-item-hint")));
        };
        let reader = open().map_err(|error| unread(name, &error))?;
        Ok(reader)
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

/// Something that cannot be read, or not to its end.
pub fn unread(name: &str, error: &io::Error) -> Refusal {
    let why = WORDS.say("unread").with("name", name);
    let why = why.with("why", error.to_string());
    Refusal::new("file", why, WORDS.say("unread-hint"))
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
    fn work_keeps_what_it_knows_where_there_is_a_place() {
        let kept = Arc::new(std::sync::Mutex::new(Vec::new()));
        let mut shelf = Shelf::new();
        let to = Arc::clone(&kept);
        shelf.put_place("here", move |fill| fill(&mut *to.lock().unwrap()));
        let mut fill = |to: &mut dyn Write| to.write_all(b"known");
        shelf.keep("here", &mut fill).unwrap();
        assert_eq!(*kept.lock().unwrap(), b"known");
        assert_eq!(shelf.keep("there", &mut fill).unwrap_err().code, "file");
        shelf.put("b", b"2".as_slice());
        shelf.put_source("a", || Ok(Box::new(&b"1"[..])));
        assert_eq!(shelf.names().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(shelf.text("a").unwrap() + &shelf.text("b").unwrap(), "12");
        assert!(shelf.text("c").is_err());
    }

    #[test]
    fn what_was_made_is_found_as_what_it_is() {
        let mut shelf = Shelf::new();
        shelf.put_made("feed", Arc::new(7_u32));
        assert_eq!(shelf.made::<u32>("feed").as_deref(), Some(&7));
        assert_eq!(shelf.made::<u64>("feed"), None);
        assert_eq!(shelf.made::<u32>("other"), None);
    }

    #[test]
    fn hashes_are_those_of_the_published_function() {
        assert_eq!(fnv(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
