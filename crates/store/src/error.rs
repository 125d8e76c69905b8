//! What can go wrong, in sentences that say what to do next.

use crate::Id;
use serde_json::Value;

/// A result of the store.
pub type Result<T> = std::result::Result<T, Error>;

/// Why the store did not do what it was asked. Nothing was changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such session.
    #[error("there is no session `{id}`; it was never created here, or it was deleted")]
    Missing {
        /// The id that was asked for.
        id: Id,
    },
    /// A session with this id is there already.
    #[error("session `{id}` exists already; draw another id")]
    Exists {
        /// The id that is in use.
        id: Id,
    },
    /// An event with this number is there already.
    #[error("event {seq} is already written; read the session again and go on from its end")]
    Taken {
        /// The number that was asked for.
        seq: u64,
        /// What stands there: equal to the refused body if the same request came twice.
        body: Value,
    },
    /// The event would not follow the last one.
    #[error("event {seq} would leave a gap, the next one is {next}; read the session again")]
    Gap {
        /// The number that was asked for.
        seq: u64,
        /// The number the next event must have.
        next: u64,
    },
    /// The value cannot be kept the same way in every database.
    #[error("cannot keep {what}; send it without")]
    Unfit {
        /// What is the matter with it.
        what: &'static str,
    },
    /// Another program, or too much work, holds the database longer than we are ready to wait.
    #[error("the database is busy; try again in a moment, or close the program that holds it")]
    Busy,
    /// The database can be read but not written.
    #[error("the database is read-only; give this user write access to the file and its folder")]
    ReadOnly,
    /// There is no room left for the write.
    #[error("the disk is full; free some space and try again, nothing was lost")]
    Full,
    /// The file or server cannot be reached at all right now.
    #[error("the database cannot be reached ({detail}); check that it is there, then try again")]
    Unavailable {
        /// What the system said.
        detail: String,
    },
    /// A newer version of this program has written the database.
    #[error("the database has schema {found}, this program knows up to {known}; use a newer one")]
    NewerSchema {
        /// The version found.
        found: i64,
        /// The newest version this program can use.
        known: i64,
    },
    /// What is there is not a database of this program, or it is damaged.
    #[error("the database is damaged or not ours ({detail}); restore a copy or name another file")]
    Corrupt {
        /// What was found.
        detail: String,
    },
    /// Another process serves this store.
    #[error(
        "{by} serves this store already; use that server, end it first, or name another folder"
    )]
    Served {
        /// Which one: `process 4711`, or `another process` where its number is not known.
        by: String,
    },
    /// This build has no driver for the database.
    #[error("this program was built without PostgreSQL; build it with `--features postgres`")]
    NotBuilt,
    /// Anything else the database said.
    #[error("the database refused: {0}; this is likely a fault of the program or its set-up")]
    Backend(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// Whether the same call can succeed later without anybody changing the request.
    pub fn is_temporary(&self) -> bool {
        use Error::{Busy, Full, ReadOnly, Unavailable};
        matches!(self, Busy | ReadOnly | Full | Unavailable { .. })
    }

    #[expect(clippy::needless_pass_by_value, reason = "handed to `map_err`")]
    pub(crate) fn corrupt(detail: impl ToString) -> Self {
        Self::Corrupt {
            detail: detail.to_string(),
        }
    }

    #[expect(clippy::needless_pass_by_value, reason = "handed to `map_err`")]
    pub(crate) fn unavailable(detail: impl ToString) -> Self {
        Self::Unavailable {
            detail: detail.to_string(),
        }
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode as Code;
        match error.sqlite_error_code() {
            Some(Code::DatabaseBusy | Code::DatabaseLocked) => Self::Busy,
            Some(Code::ReadOnly) => Self::ReadOnly,
            Some(Code::DiskFull) => Self::Full,
            Some(Code::DatabaseCorrupt | Code::NotADatabase) => Self::corrupt(error),
            Some(Code::CannotOpen | Code::SystemIoFailure | Code::PermissionDenied) => {
                Self::unavailable(error)
            }
            _ => Self::Backend(Box::new(error)),
        }
    }
}

#[cfg(feature = "postgres")]
impl From<postgres::Error> for Error {
    fn from(error: postgres::Error) -> Self {
        use std::error::Error as _;
        let Some(said) = error.as_db_error() else {
            let io = error
                .source()
                .and_then(|s| s.downcast_ref::<std::io::Error>());
            return match io {
                Some(io) => Self::unavailable(io),
                None if error.is_closed() => Self::unavailable("the connection was closed"),
                None => Self::Backend(Box::new(error)),
            };
        };
        // The classes are from PostgreSQL's manual, appendix A.
        match said.code().code() {
            // Lock timeout, statement timeout, serialization failure, deadlock, no slot left.
            "55P03" | "57014" | "40001" | "40P01" | "53300" => Self::Busy,
            "25006" => Self::ReadOnly,
            "53100" => Self::Full,
            "XX001" | "XX002" => Self::corrupt(said.message()),
            // Shutting down, starting up, connection exceptions.
            code if code.starts_with("57P") || code.starts_with("08") => {
                Self::unavailable(said.message())
            }
            _ => Self::Backend(Box::new(error)),
        }
    }
}
