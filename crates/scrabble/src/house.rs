//! The lexicons that the house has, each made ready once for the whole process.
//!
//! Rooms open no files: a front end *offers* lexicons that it read, and everybody who names one later gets it. A lexicon that
//! is built in is there without being offered.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use wits_play::{Refusal, Shelf};

use crate::generate::Engine;
use crate::lexicon::{BadKwg, Compact, Rules, Shipped, Sieve, read_kwg};
use crate::players::{Leaves, Wins};
use crate::{Gaddag, Lexicon, TileSet, WORDS};

type Engines = BTreeMap<String, Arc<Engine>>;

static ENGINES: Mutex<Engines> = Mutex::new(BTreeMap::new());

fn engines() -> MutexGuard<'static, Engines> {
    // A map is whole even if somebody panicked while holding it.
    ENGINES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a lexicon known under its name; who offers the same name again replaces it.
pub fn offer(lexicon: Lexicon) -> Arc<Engine> {
    let engine = Arc::new(Engine::new(lexicon));
    engines().insert(engine.lexicon().name().to_owned(), Arc::clone(&engine));
    engine
}

/// The names of the lexicons that are known now.
pub fn known() -> Vec<String> {
    engines().keys().cloned().collect()
}

/// Somebody who opens files for the house: lexicons that stand apart, and structures that take seconds to build.
pub trait Larder: Send + Sync {
    /// The bytes of a lexicon by its name, where there is one.
    fn lexicon(&self, name: &str) -> Option<Vec<u8>>;
    /// The GADDAG kept for a lexicon with this hash.
    fn gaddag(&self, hash: u64) -> Option<Vec<u8>>;
    /// Keeps the GADDAG of a lexicon with this hash for the next time.
    fn keep(&self, hash: u64, gaddag: &[u8]);
}

static LARDER: OnceLock<Box<dyn Larder>> = OnceLock::new();

/// Says who opens files. The first one stays.
pub fn stock(larder: Box<dyn Larder>) {
    let _ = LARDER.set(larder);
}

/// The engine of a lexicon by its name: offered, built in, found by the larder, or a file on the shelf. It plays at once;
/// what makes it fast is built or fetched in the background.
pub fn engine(name: &str, shelf: &Shelf) -> Result<Arc<Engine>, Refusal> {
    if let Some(engine) = engines().get(name) {
        return Ok(Arc::clone(engine));
    }
    let lexicon = if let Some(lexicon) = Lexicon::embedded(name) {
        Lexicon::clone(&lexicon)
    } else if let Some(item) = shelf.get(name) {
        from_bytes(name, &item.bytes)?
    } else if let Some(bytes) = LARDER.get().and_then(|larder| larder.lexicon(name)) {
        from_bytes(name, &bytes)?
    } else {
        return Err(missing(name));
    };
    let engine = Arc::new(Engine::new(lexicon));
    engines().insert(name.to_owned(), Arc::clone(&engine));
    let warming = Arc::clone(&engine);
    std::thread::spawn(move || warm(&warming));
    Ok(engine)
}

/// Makes an engine fast: from the larder where it has been kept, else by building it and keeping it.
pub fn warm(engine: &Engine) {
    let lexicon = engine.lexicon();
    let larder = LARDER.get();
    let kept = larder.and_then(|larder| larder.gaddag(lexicon.hash()));
    if let Some(gaddag) = kept.and_then(|bytes| Gaddag::from_bytes(&bytes, lexicon)) {
        engine.equip(gaddag);
        return;
    }
    // Larger than the structure can hold: the DAWG plays on.
    if engine.warm().is_ok()
        && let (Some(larder), Some(gaddag)) = (larder, engine.gaddag())
    {
        larder.keep(lexicon.hash(), &gaddag.to_bytes());
    }
}

/// A lexicon from the bytes of a file: our compact format, a KWG file (by its name), or a list of words for the English tiles.
pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Lexicon, Refusal> {
    let wrong = |detail: String| {
        Refusal::new(
            "bad-lexicon",
            WORDS
                .say("bad-lexicon")
                .with("name", name)
                .with("detail", detail),
            WORDS.say("bad-lexicon-hint"),
        )
    };
    if let Ok(compact) = Compact::open(bytes) {
        let set = compact.tile_set().to_owned();
        let tiles =
            TileSet::named(&set).ok_or_else(|| wrong(format!("there is no tile set `{set}`")))?;
        return compact.lexicon(&tiles).map_err(|e| wrong(e.to_string()));
    }
    if is_kwg(name) {
        return kwg_of_any_set(name, bytes).map_err(|e| wrong(e.to_string()));
    }
    let text = std::str::from_utf8(bytes).map_err(|e| wrong(e.to_string()))?;
    let mut sieve = Sieve::new(&TileSet::english(), Rules::default());
    sieve.list(text, |_| true);
    let (lexicon, _) = sieve.into_lexicon(name).map_err(|e| wrong(e.to_string()))?;
    Ok(lexicon)
}

/// Whether a file is a KWG file, by its name: those have no mark of their own.
pub fn is_kwg(name: &str) -> bool {
    let path = std::path::Path::new(name);
    path.extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("kwg"))
}

/// A KWG file numbers its letters and does not name them: it is read with the smallest set of tiles that has as many.
fn kwg_of_any_set(name: &str, bytes: &[u8]) -> Result<Lexicon, BadKwg> {
    let mut sets = TileSet::shipped().to_vec();
    sets.sort_by_key(|set| set.len());
    let mut read = Err(BadKwg::NotKwg);
    for set in &sets {
        read = read_kwg(bytes, name, set);
        if !matches!(read, Err(BadKwg::OtherLetters { .. })) {
            break;
        }
    }
    read
}

fn missing(name: &str) -> Refusal {
    // It is known, only its file did not come along.
    if Shipped::named(name).is_some() {
        return Refusal::new(
            "lexicon-apart",
            WORDS.say("lexicon-apart").with("name", name),
            WORDS.say("lexicon-apart-hint").with("name", name),
        );
    }
    let all = known();
    let mut names: Vec<&str> = vec!["english", "polish", "czech"];
    names.extend(all.iter().map(String::as_str));
    names.dedup();
    Refusal::unknown(
        "unknown-lexicon",
        WORDS.say("unknown-lexicon").with("name", name),
        name,
        &names,
    )
}

/// The shipped table of leaves for a set of tiles; nothing is worth anything where there is none.
pub fn leaves(tiles: &TileSet) -> Arc<Leaves> {
    static TABLES: Mutex<BTreeMap<String, Arc<Leaves>>> = Mutex::new(BTreeMap::new());
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let table = tables.entry(tiles.name().to_owned()).or_insert_with(|| {
        let text = match tiles.name() {
            "czech" => include_str!("../data/leaves/czech.txt"),
            "english" => include_str!("../data/leaves/english.txt"),
            "polish" => include_str!("../data/leaves/polish.txt"),
            _ => "",
        };
        Arc::new(Leaves::read(text, tiles).unwrap_or_else(|_| Leaves::nothing(tiles)))
    });
    Arc::clone(table)
}

/// The shipped table of wins for a set of tiles; the English one where there is none of its own.
pub fn wins(tiles: &TileSet) -> Arc<Wins> {
    static TABLES: Mutex<BTreeMap<&str, Arc<Wins>>> = Mutex::new(BTreeMap::new());
    let (name, text) = match tiles.name() {
        "czech" => ("czech", include_str!("../data/wins/czech.txt")),
        "polish" => ("polish", include_str!("../data/wins/polish.txt")),
        _ => ("english", include_str!("../data/wins/english.txt")),
    };
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let read = || Arc::new(Wins::read(text).expect("the shipped tables are well formed"));
    Arc::clone(tables.entry(name).or_insert_with(read))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_stand_apart_are_not_unknown() {
        let code = |name| missing(name).code;
        assert_eq!(code("czech"), "lexicon-apart");
        assert_eq!(code("klingon"), "unknown-lexicon");
    }
}
