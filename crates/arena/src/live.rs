//! How a run goes at this moment: kept beside its results, so that whoever reads the store can look on.

use serde::{Deserialize, Serialize};
use wits_queue::{Role, Sign};
use wits_store::{Blob, Store};

use crate::{ArenaError, digest};

/// The kind under which it is kept.
const KIND: &str = "arena-live";

/// Who has not written for so many microseconds is gone.
const FRESH: i64 = 8_000_000;

/// What a coordinator says about its run, about once a second.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Live {
    /// When it was said, in microseconds.
    pub at: i64,
    /// Where jobs are sent: `here`, or the address of a queue.
    pub place: String,
    /// Jobs that were sent and did not come back yet.
    pub out: u64,
    /// Jobs that somebody plays.
    pub playing: u64,
    /// Games per second, lately.
    pub speed: f64,
    /// Jobs that were sent again because nothing was heard of them.
    pub again: u64,
    /// Who is there.
    pub workers: Vec<Sign>,
}

impl Live {
    /// The workers among those who answered, who may hold jobs of other runs as well.
    pub(crate) fn workers(signs: &[Sign]) -> Vec<Sign> {
        let worker = |sign: &&Sign| sign.role == Role::Worker;
        signs.iter().filter(worker).cloned().collect()
    }

    /// Writes it down for a run.
    pub(crate) fn keep(&self, store: &Store, name: &str) -> Result<(), ArenaError> {
        let bytes = serde_json::to_vec(self).expect("plain data");
        store.put_blob(&Blob {
            kind: KIND.to_owned(),
            name: name.to_owned(),
            hash: digest(&String::from_utf8_lossy(&bytes)),
            bytes,
            at: self.at,
        })?;
        Ok(())
    }

    /// The run is over, or nobody leads it any more.
    pub(crate) fn clear(store: &Store, name: &str) -> Result<(), ArenaError> {
        store.delete_blob(KIND, name)?;
        Ok(())
    }

    /// How a run goes; nothing if nobody leads it now.
    pub fn of(store: &Store, name: &str, now: i64) -> Result<Option<Live>, ArenaError> {
        let Some(blob) = store.blob(KIND, name)? else {
            return Ok(None);
        };
        // What an older program wrote is no reason to fail.
        let live: Option<Live> = serde_json::from_slice(&blob.bytes).ok();
        Ok(live.filter(|live| (now - live.at).abs() < FRESH))
    }
}
