//! The files that the house asks for: lexicons that stand apart, and structures kept for the next time.

use std::path::PathBuf;

use wits_scrabble::house::{Larder, stock};

use super::library;
use crate::data;
use crate::shelf::write_whole;

struct Files;

/// Where the structure of a lexicon is kept.
fn kept(hash: u64) -> PathBuf {
    data::directory(None)
        .join("gaddags")
        .join(format!("{hash:016x}.gaddag"))
}

impl Larder for Files {
    fn lexicon(&self, name: &str) -> Option<Vec<u8>> {
        library::bytes(name).ok()
    }

    fn gaddag(&self, hash: u64) -> Option<Vec<u8>> {
        std::fs::read(kept(hash)).ok()
    }

    fn keep(&self, hash: u64, gaddag: &[u8]) {
        let path = kept(hash);
        // What cannot be kept is built again next time.
        if let Some(folder) = path.parent()
            && std::fs::create_dir_all(folder).is_ok()
        {
            let _ = write_whole(&path, gaddag);
        }
    }
}

/// Says that this program opens files for the house.
pub(crate) fn open() {
    stock(Box::new(Files));
}
