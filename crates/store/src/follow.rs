//! Several processes on one database: what one writes, the others are told.

use crate::{Id, Store};

/// What another process may have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// This session.
    Session(Id),
    /// Any session: nothing was heard for a while, or not everything was.
    Any,
}

impl Store {
    /// Whether other processes may serve the same sessions. A SQLite file has one server.
    pub fn is_shared(&self) -> bool {
        match self {
            Self::Sqlite(_) => false,
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => true,
        }
    }

    /// Tells which sessions other processes change, until `going` says no more, which is asked every
    /// two seconds. Blocks; returns at once where nobody shares the database.
    ///
    /// A change that was written before this process lost its connection is told as
    /// [`Change::Any`], so following misses nothing for longer than a few seconds.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(unused_variables, unused_mut, reason = "only PostgreSQL is shared")
    )]
    pub fn follow(&self, going: impl Fn() -> bool, mut told: impl FnMut(Change)) {
        #[cfg(feature = "postgres")]
        if let Self::Postgres(inner) = self {
            while going() {
                // Whatever went wrong, the server may be back in a moment.
                if inner.follow(&going, &mut told).is_err() {
                    std::thread::sleep(std::time::Duration::from_secs(1));
                }
            }
        }
    }
}
