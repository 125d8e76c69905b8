//! The operator's timetable: what visitors see who brought none, with its trips as they really run.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use wits_sandbox::Items;
use wits_transit::realtime::Realtime;
use wits_transit::{Timetable, pack, verbs};

use crate::App;

/// What the house shows in place of the generated city, if anything.
#[derive(Debug, Default)]
pub(crate) struct House {
    shown: Mutex<Option<Shown>>,
}

/// A timetable and what is known of its trips.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) table: Arc<Timetable>,
    pub(super) live: Arc<Realtime>,
    /// Rises whenever something becomes known.
    pub(super) version: u64,
    /// The timetable, packed when a sandbox first needs it.
    packed: Arc<OnceLock<Vec<u8>>>,
}

impl Shown {
    /// What tells it from other timetables and from what was known before.
    pub(super) fn name(&self) -> String {
        format!("house-{}", self.version)
    }

    /// What a sandbox needs to be asked about it.
    pub(super) fn lent(&self) -> Items {
        let packed = self.packed.get_or_init(|| pack::write(&self.table));
        let known = serde_json::to_vec(&*self.live).unwrap_or_default();
        let lent = [(verbs::LENT, packed.clone()), (verbs::LENT_LIVE, known)];
        lent.map(|(name, bytes)| (name.to_owned(), bytes)).into()
    }
}

impl House {
    pub(super) fn shown(&self) -> Option<Shown> {
        let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.clone()
    }

    fn show(&self, table: Arc<Timetable>, live: Realtime) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let version = shown.as_ref().map_or(1, |old| old.version + 1);
        let same = shown.as_ref().filter(|old| Arc::ptr_eq(&old.table, &table));
        let packed = same.map_or_else(Arc::default, |old| Arc::clone(&old.packed));
        *shown = Some(Shown {
            table,
            live: Arc::new(live),
            version,
            packed,
        });
    }
}

impl App {
    /// Shows a timetable to all visitors who brought none, with its trips as a realtime feed says
    /// that they run. May be called again whenever more is known.
    pub fn show_timetable(&self, table: Arc<Timetable>, live: Realtime) {
        self.house.show(table, live);
    }
}
