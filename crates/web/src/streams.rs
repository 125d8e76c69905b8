//! Places for event streams: so many for the house, so many for each session.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::visitor::Visitor;
use crate::{Fault, WORDS};

/// Who listens now.
pub(crate) struct Streams {
    house: Arc<Semaphore>,
    each: Mutex<HashMap<u128, usize>>,
    per_session: usize,
}

/// One stream's place, free again when dropped.
pub(crate) struct StreamPlace {
    streams: Arc<Streams>,
    token: u128,
    _permit: OwnedSemaphorePermit,
}

impl Streams {
    pub(crate) fn new(house: usize, per_session: usize) -> Streams {
        Streams {
            house: Arc::new(Semaphore::new(house)),
            each: Mutex::default(),
            per_session,
        }
    }

    /// How many streams are open.
    pub(crate) fn open(&self) -> usize {
        let each = self.each.lock().unwrap_or_else(PoisonError::into_inner);
        each.values().sum()
    }

    /// A place for one more stream of a visitor, or the sentence that there is none.
    pub(crate) fn place(self: &Arc<Self>, visitor: Visitor) -> Result<StreamPlace, Fault> {
        let full = || {
            let (why, hint) = (WORDS.say("too-many"), WORDS.say("too-many-hint"));
            Fault::new(StatusCode::SERVICE_UNAVAILABLE, "too-many", why, hint)
        };
        let permit = Arc::clone(&self.house)
            .try_acquire_owned()
            .map_err(|_| full())?;
        let mut each = self.each.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = each.entry(visitor.token).or_insert(0);
        if *mine >= self.per_session {
            return Err(full());
        }
        *mine += 1;
        Ok(StreamPlace {
            streams: Arc::clone(self),
            token: visitor.token,
            _permit: permit,
        })
    }
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        let each = &self.streams.each;
        let mut each = each.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mine) = each.get_mut(&self.token) {
            *mine -= 1;
            if *mine == 0 {
                each.remove(&self.token);
            }
        }
    }
}
