//! The store itself: which database, and how patient.

use crate::Result;
use crate::sqlite::Sqlite;
use crate::tx::Tx;
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// How a store behaves under load.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// How long a call waits for a connection, and then for a lock, before it gives up with
    /// [`Error::Busy`](crate::Error::Busy); for PostgreSQL also how long it waits to connect. Five seconds by default.
    pub patience: Duration,
    /// How many connections are used at once: readers of a SQLite file (it always has one writer),
    /// or all connections to PostgreSQL. Four by default.
    pub connections: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            patience: Duration::from_secs(5),
            connections: 4,
        }
    }
}

/// Where sessions and their events live. Share one among all threads.
pub enum Store {
    /// One file on this machine, or memory.
    Sqlite(Sqlite),
    /// A PostgreSQL server.
    #[cfg(feature = "postgres")]
    Postgres(crate::Postgres),
}

impl Store {
    /// Opens the SQLite file at `path`, making it if it is not there (its folder must be).
    pub fn sqlite(path: impl AsRef<Path>) -> Result<Self> {
        Self::sqlite_with(path, Options::default())
    }

    /// Opens the SQLite file at `path` with other options.
    pub fn sqlite_with(path: impl AsRef<Path>, options: Options) -> Result<Self> {
        Sqlite::open(path.as_ref(), options).map(Self::Sqlite)
    }

    /// A store that is gone when dropped, for tests and for trying things.
    pub fn memory() -> Result<Self> {
        Sqlite::memory().map(Self::Sqlite)
    }

    /// Connects to the PostgreSQL database at `url`, such as `postgres://user@host/wits`, and makes
    /// its tables in the first schema of the search path if they are not there.
    ///
    /// The connection is not encrypted: use a local socket, a private network or a tunnel.
    #[cfg(feature = "postgres")]
    pub fn postgres(url: &str) -> Result<Self> {
        Self::postgres_with(url, Options::default())
    }

    /// Connects to the PostgreSQL database at `url` with other options.
    #[cfg(feature = "postgres")]
    pub fn postgres_with(url: &str, options: Options) -> Result<Self> {
        crate::Postgres::open(url, options).map(Self::Postgres)
    }

    /// Opens what `place` names: a `postgres://` address, else the path of a SQLite file.
    pub fn open(place: &str, options: Options) -> Result<Self> {
        if !(place.starts_with("postgres://") || place.starts_with("postgresql://")) {
            return Self::sqlite_with(place, options);
        }
        #[cfg(feature = "postgres")]
        return Self::postgres_with(place, options);
        #[cfg(not(feature = "postgres"))]
        Err(crate::Error::NotBuilt)
    }

    /// Refuses every write from now on, and moves all that was written into the one file: a copy of
    /// that file alone then loses nothing. Call it when the program ends.
    ///
    /// # Errors
    /// [`Error::Busy`](crate::Error::Busy) when another program reads for longer than we are ready to
    /// wait; nothing is lost then, part of it stands in the log beside the file.
    pub fn close(&self) -> Result<()> {
        match self {
            Self::Sqlite(inner) => inner.close(),
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => Ok(()),
        }
    }

    /// Does `work` in one transaction that may write: committed if it succeeds, else undone.
    pub(crate) fn write<T>(&self, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        match self {
            Self::Sqlite(inner) => inner.write(work),
            #[cfg(feature = "postgres")]
            Self::Postgres(inner) => inner.write(work),
        }
    }

    /// Does `work` in one transaction that sees a single moment and writes nothing.
    pub(crate) fn read<T>(&self, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        match self {
            Self::Sqlite(inner) => inner.read(work),
            #[cfg(feature = "postgres")]
            Self::Postgres(inner) => inner.read(work),
        }
    }
}

/// Names the kind only: an address may hold a password.
impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sqlite(_) => "Store::Sqlite",
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => "Store::Postgres",
        })
    }
}
