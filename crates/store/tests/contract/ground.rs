//! A fresh, empty place to open stores on, gone when dropped.

use std::any::Any;
use tempfile::TempDir;
use wits_store::{Options, Store};

pub(crate) struct Ground {
    /// What to open; none for memory.
    pub(crate) place: Option<String>,
    /// Whatever must live as long as the place does.
    _owner: Box<dyn Any>,
}

impl Ground {
    pub(crate) fn new(place: Option<String>, owner: impl Any) -> Self {
        Self {
            place,
            _owner: Box::new(owner),
        }
    }

    pub(crate) fn memory() -> Self {
        Self::new(None, ())
    }

    pub(crate) fn file() -> Self {
        let dir = TempDir::new().unwrap();
        let place = dir.path().join("wits.db").to_str().unwrap().to_owned();
        Self::new(Some(place), dir)
    }

    /// A store on this place; memory gives a new one each time.
    pub(crate) fn open(&self) -> Store {
        self.open_with(Options::default())
    }

    pub(crate) fn open_with(&self, options: Options) -> Store {
        match &self.place {
            Some(place) => Store::open(place, options).unwrap(),
            None => Store::memory().unwrap(),
        }
    }
}
