//! Where a tuning is kept between tournaments.

use wits_store::{Blob, Store};

use super::{Tuner, Tuning};
use crate::{ArenaError, Coordinator, digest};

/// The kind under which tunings are kept.
const KIND: &str = "arena-tune";

/// The names of all tunings in a store.
pub fn tunings(store: &Store) -> Result<Vec<String>, ArenaError> {
    Ok(store.blobs(KIND)?.into_iter().map(|b| b.name).collect())
}

impl Tuner {
    /// A tuning that was begun, as it was kept last.
    pub fn open(store: &Store, name: &str) -> Result<Option<Tuner>, ArenaError> {
        let Some(blob) = store.blob(KIND, name)? else {
            return Ok(None);
        };
        serde_json::from_slice(&blob.bytes)
            .map(Some)
            .map_err(|e| ArenaError::Bad {
                what: format!("what is kept about the tuning `{name}` cannot be read: {e}"),
                hint: "start it anew with `--anew`".to_owned(),
            })
    }

    /// Begins a tuning, or goes on with it. One that differs from what it was begun with is refused,
    /// except that it may go on for more generations.
    pub fn begin(store: &Store, tuning: Tuning) -> Result<Tuner, ArenaError> {
        let Some(mut old) = Tuner::open(store, &tuning.name)? else {
            return Ok(Tuner::new(tuning));
        };
        let same = Tuning {
            generations: old.tuning.generations,
            ..tuning.clone()
        };
        if same != old.tuning {
            if old.history.is_empty() {
                return Ok(Tuner::new(tuning));
            }
            return Err(ArenaError::Changed {
                name: tuning.name,
                what: "file".to_owned(),
                results: old.history.len() as u64,
            });
        }
        old.extend_to(tuning.generations);
        Ok(old)
    }

    /// Writes the tuning down. When this returns, it is on disk.
    pub fn keep(&self, store: &Store, at: i64) -> Result<(), ArenaError> {
        let bytes = serde_json::to_vec(self).expect("a tuning is plain data");
        store.put_blob(&Blob {
            kind: KIND.to_owned(),
            name: self.tuning.name.clone(),
            hash: digest(&String::from_utf8_lossy(&bytes)),
            bytes,
            at,
        })?;
        Ok(())
    }

    /// Forgets a tuning with everything that was played for it.
    pub fn forget(store: &Store, name: &str) -> Result<(), ArenaError> {
        let own = format!("{name}/");
        for (run, _) in crate::runs(store)? {
            if run.starts_with(&own) {
                Coordinator::forget(store, &run)?;
            }
        }
        store.delete_blob(KIND, name)?;
        Ok(())
    }
}
