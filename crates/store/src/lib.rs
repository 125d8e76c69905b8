//! Where sessions and their events live, with the results, settings, high scores and named items
//! around them: in one SQLite file, in memory, or (feature `postgres`) on a PostgreSQL server.
//!
//! A game and a dialogue are both a *session*: a header that never changes and a log of events
//! numbered from 0. What an event means is the caller's business; the store keeps it in order,
//! exactly once, and **on disk before [`Store::append`] returns**.
//!
//! ```
//! use wits_store::{Error, Id, Store};
//! use serde_json::json;
//!
//! let store = Store::memory()?;
//! let id = Id::random()?;
//! store.create(id, "game", &json!({"game": "othello"}), 1_000)?;
//! store.append(id, 0, &json!({"move": "d3"}), 2_000)?;
//!
//! // The same place again is refused with what stands there: the same post is answered 200,
//! // another one 409, and neither is written.
//! let again = store.append(id, 0, &json!({"move": "c4"}), 3_000);
//! assert!(matches!(again, Err(Error::Taken { seq: 0, body }) if body == json!({"move": "d3"})));
//! # Ok::<(), Error>(())
//! ```
//!
//! # Rules that hold everywhere
//!
//! - Every method is one transaction: it happens wholly or, when it returns an error, not at all.
//!   The one exception is a connection lost in the middle of a commit, where nobody can know; the
//!   error is then [`Error::Unavailable`], and doing the same again is safe, because everything
//!   that adds something is insert-once.
//! - Calls block (disk, locks, network) but wait no longer than [`Options::patience`] for a lock:
//!   call them from threads that may block, never from an async task.
//! - Times are UTC microseconds given by the caller; the store reads no clock.
//! - All statements are written once, in the SQL that both databases share, so they cannot drift
//!   apart. The two back ends differ only in connecting, beginning, ending and naming errors.
#![forbid(unsafe_code)]
// SQLite and PostgreSQL are names, not code.
#![allow(clippy::doc_markdown)]

mod error;
mod file;
mod follow;
mod id;
mod items;
mod ledger;
mod lock;
mod pool;
#[cfg(feature = "postgres")]
mod postgres;
mod salvage;
mod schema;
mod sessions;
mod shelf;
mod sqlite;
mod store;
mod tx;
mod visitors;

#[cfg(feature = "postgres")]
pub use crate::postgres::Postgres;
pub use error::{Error, Result};
pub use file::{Backup, backup, check, restore};
pub use follow::Change;
pub use id::{Id, NotAnId};
pub use items::{Item, Keeping, Limit, NewItem, Over, Owner, Quota};
pub use ledger::{JobResult, Score};
pub use lock::Lock;
pub use salvage::{Salvage, salvage};
pub use sessions::{Event, Place, Session, Then, Which};
pub use shelf::{Blob, BlobInfo};
pub use sqlite::Sqlite;
pub use store::{Options, Store};
pub use visitors::{Expired, OpenLimits, Usage};
