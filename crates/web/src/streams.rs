//! Places for event streams: so many for the house, of which one address leaves a quarter to others, and so
//! many for each session.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::visitor::Visitor;
use crate::{Fault, WORDS};

/// Who listens now.
pub(crate) struct Streams {
    house: Arc<Semaphore>,
    open: Mutex<Open>,
    per_address: usize,
    per_session: usize,
}

/// How many are open.
#[derive(Default)]
struct Open {
    addresses: HashMap<IpAddr, usize>,
    sessions: HashMap<u128, usize>,
}

/// One less of somebody.
fn leave<K: Hash + Eq>(all: &mut HashMap<K, usize>, who: K) {
    if let Entry::Occupied(mut count) = all.entry(who) {
        *count.get_mut() -= 1;
        if *count.get() == 0 {
            count.remove();
        }
    }
}

/// One stream's place, free again when dropped.
pub(crate) struct StreamPlace {
    streams: Arc<Streams>,
    address: IpAddr,
    token: u128,
    _permit: OwnedSemaphorePermit,
}

impl Streams {
    pub(crate) fn new(house: usize, per_session: usize) -> Streams {
        Streams {
            house: Arc::new(Semaphore::new(house)),
            open: Mutex::default(),
            per_address: (house * 3 / 4).max(1),
            per_session,
        }
    }

    /// How many streams are open.
    pub(crate) fn open(&self) -> usize {
        self.lock().sessions.values().sum()
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
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
        let mut open = self.lock();
        let (address, token) = (visitor.address, visitor.token);
        let here = open.addresses.get(&address).copied().unwrap_or(0);
        let mine = open.sessions.get(&token).copied().unwrap_or(0);
        if here >= self.per_address || mine >= self.per_session {
            return Err(full());
        }
        open.addresses.insert(address, here + 1);
        open.sessions.insert(token, mine + 1);
        drop(open);
        Ok(StreamPlace {
            streams: Arc::clone(self),
            address,
            token,
            _permit: permit,
        })
    }
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        let mut open = self.streams.lock();
        leave(&mut open.addresses, self.address);
        leave(&mut open.sessions, self.token);
    }
}
