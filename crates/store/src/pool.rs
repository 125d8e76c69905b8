//! Connections, lent to one thread at a time.

use crate::{Error, Result};
use std::ops::{Deref, DerefMut};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// At most `most` connections, opened when needed. Who finds none free waits, but not for ever.
pub(crate) struct Pool<C> {
    slots: Mutex<Slots<C>>,
    freed: Condvar,
    most: usize,
    patience: Duration,
}

struct Slots<C> {
    idle: Vec<C>,
    lent: usize,
}

impl<C> Pool<C> {
    pub(crate) fn new(first: Option<C>, most: usize, patience: Duration) -> Self {
        let slots = Slots {
            idle: first.into_iter().collect(),
            lent: 0,
        };
        Self {
            slots: Mutex::new(slots),
            freed: Condvar::new(),
            most: most.max(1),
            patience,
        }
    }

    /// A connection: an idle one, else a new one, else the next that comes back in time.
    pub(crate) fn take(&self, open: impl FnOnce() -> Result<C>) -> Result<Lent<'_, C>> {
        let (mut slots, _) = self
            .freed
            .wait_timeout_while(self.slots(), self.patience, |s| s.lent >= self.most)
            .unwrap_or_else(PoisonError::into_inner);
        if slots.lent >= self.most {
            return Err(Error::Busy);
        }
        slots.lent += 1;
        // From here on the guard gives the slot back, also when opening fails.
        let mut lent = Lent {
            pool: self,
            conn: slots.idle.pop(),
            keep: true,
        };
        drop(slots);
        if lent.conn.is_none() {
            lent.conn = Some(open()?);
        }
        Ok(lent)
    }

    // A panic elsewhere cannot leave the slots half changed, so poison is no reason to stop.
    fn slots(&self) -> MutexGuard<'_, Slots<C>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection on loan; it goes back when dropped, or is closed if `keep` is false by then.
pub(crate) struct Lent<'p, C> {
    pool: &'p Pool<C>,
    conn: Option<C>,
    pub(crate) keep: bool,
}

impl<C> Deref for Lent<'_, C> {
    type Target = C;
    fn deref(&self) -> &C {
        self.conn
            .as_ref()
            .expect("a loan holds a connection until it is dropped")
    }
}

impl<C> DerefMut for Lent<'_, C> {
    fn deref_mut(&mut self) -> &mut C {
        self.conn
            .as_mut()
            .expect("a loan holds a connection until it is dropped")
    }
}

impl<C> Drop for Lent<'_, C> {
    fn drop(&mut self) {
        let conn = self.conn.take().filter(|_| self.keep);
        let mut slots = self.pool.slots();
        slots.lent -= 1;
        slots.idle.extend(conn);
        drop(slots);
        self.pool.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lends_no_more_than_it_has_and_takes_back() {
        let pool = Pool::new(Some(1), 2, Duration::from_millis(5));
        let first = pool.take(|| Ok(2)).unwrap();
        let mut second = pool.take(|| Ok(2)).unwrap();
        assert_eq!((*first, *second), (1, 2));
        assert!(matches!(pool.take(|| Ok(3)), Err(Error::Busy)));
        second.keep = false;
        drop(second);
        assert!(matches!(pool.take(|| Err(Error::Full)), Err(Error::Full)));
        assert_eq!(
            *pool.take(|| Ok(4)).unwrap(),
            4,
            "the broken one was closed, its slot free"
        );
        drop(first);
        let patient = Pool::new(Some(0), 1, Duration::from_mins(1));
        std::thread::scope(|s| {
            let held = patient.take(|| Ok(9)).unwrap();
            let waiting = s.spawn(|| *patient.take(|| Ok(9)).unwrap());
            drop(held);
            assert_eq!(waiting.join().unwrap(), 0, "who waits gets what comes back");
        });
    }
}
