//! The tables, as steps from each version to the next.
//!
//! Steps are written for SQLite with four words (`TEXT`, `INTEGER`, `BLOB`, `STRICT`) that
//! [`postgres`] turns into that database's. A published step is never edited: add another one.

use crate::{Error, Result};

/// Step `n` leads from version `n` to version `n + 1`.
pub(crate) const STEPS: &[&str] = &[
    // 1: sessions with their events and seats, settings.
    "CREATE TABLE sessions (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        header TEXT NOT NULL,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL,
        finished INTEGER NOT NULL CHECK (finished IN (0, 1))
    ) STRICT;
    CREATE INDEX sessions_by_time ON sessions (updated, id);
    CREATE INDEX sessions_by_kind ON sessions (kind, updated, id);
    CREATE TABLE events (
        session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        seq INTEGER NOT NULL CHECK (seq >= 0),
        body TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (session, seq)
    ) STRICT;
    CREATE TABLE tokens (
        session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        token TEXT NOT NULL,
        PRIMARY KEY (session, seat)
    ) STRICT;
    CREATE TABLE settings (
        key TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) STRICT;",
    // 2: what tournaments, rooms with a score, and learners keep.
    "CREATE TABLE results (
        job TEXT PRIMARY KEY,
        run TEXT NOT NULL,
        body TEXT NOT NULL,
        at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX results_by_run ON results (run, job);
    CREATE TABLE scores (
        id TEXT PRIMARY KEY,
        room TEXT NOT NULL,
        board TEXT NOT NULL,
        name TEXT NOT NULL,
        points INTEGER NOT NULL,
        at INTEGER NOT NULL,
        detail TEXT NOT NULL
    ) STRICT;
    CREATE INDEX scores_by_points ON scores (room, board, points DESC, at, id);
    CREATE TABLE blobs (
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        bytes BLOB NOT NULL,
        hash TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (kind, name)
    ) STRICT;",
    // 3: who keeps what. An item without a row in `items` belongs to no visitor. What describes an
    // item stands apart from its bytes: reading a column behind a long one reads all of it.
    "CREATE TABLE visitors (
        token TEXT PRIMARY KEY,
        seen INTEGER NOT NULL,
        back INTEGER NOT NULL CHECK (back IN (0, 1)),
        link TEXT NOT NULL,
        link_until INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX visitors_by_link ON visitors (link);
    CREATE TABLE items (
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        owner TEXT NOT NULL,
        address TEXT NOT NULL,
        title TEXT NOT NULL,
        size INTEGER NOT NULL,
        made INTEGER NOT NULL,
        used INTEGER NOT NULL,
        shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
        pinned INTEGER NOT NULL CHECK (pinned IN (0, 1)),
        PRIMARY KEY (kind, name),
        FOREIGN KEY (kind, name) REFERENCES blobs (kind, name) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX items_by_owner ON items (owner, used);
    CREATE INDEX items_by_address ON items (address, used);
    CREATE TABLE makers (
        session TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
        owner TEXT NOT NULL,
        address TEXT NOT NULL
    ) STRICT;
    CREATE INDEX makers_by_owner ON makers (owner);
    CREATE INDEX makers_by_address ON makers (address);
    CREATE INDEX tokens_by_token ON tokens (token);
    INSERT INTO visitors (token, seen, back, link, link_until)
        SELECT name, max(at), 1, '', 0 FROM blobs
        WHERE kind IN ('timetable', 'scrabble-players') GROUP BY name;
    INSERT INTO items (kind, name, owner, address, title, size, made, used, shared, pinned)
        SELECT kind, name, name, '', '', length(bytes), at, at, 0, 0 FROM blobs
        WHERE kind IN ('timetable', 'scrabble-players');",
];

/// The version this program writes.
pub(crate) const VERSION: i64 = STEPS.len() as i64;

/// The steps still to be taken from version `found`.
pub(crate) fn missing(found: i64) -> Result<&'static [&'static str]> {
    match usize::try_from(found).ok().and_then(|n| STEPS.get(n..)) {
        Some(steps) => Ok(steps),
        None if found > VERSION => Err(Error::NewerSchema {
            found,
            known: VERSION,
        }),
        None => Err(Error::corrupt(format!("schema version {found}"))),
    }
}

/// Refuses a database whose tables are not those of the version it says it has.
pub(crate) fn agree(version: i64, found: &[String]) -> Result<()> {
    for (n, step) in (0..).zip(STEPS) {
        for name in tables(step) {
            let (there, due) = (found.iter().any(|t| t == name), n < version);
            if there != due {
                let is = if there { "is there" } else { "is missing" };
                return Err(Error::corrupt(format!(
                    "it says that it has schema {version}, but the table `{name}` {is}"
                )));
            }
        }
    }
    Ok(())
}

/// The tables that a step makes.
pub(crate) fn tables(step: &'static str) -> impl Iterator<Item = &'static str> {
    let made = step.split("CREATE TABLE ").skip(1);
    made.filter_map(|rest| rest.split_whitespace().next())
}

/// What a step could not do: the database is not as its version says.
pub(crate) fn unfit(error: impl Into<Error>) -> Error {
    match error.into() {
        Error::Backend(why) => {
            Error::corrupt(format!("its tables cannot be brought up to date: {why}"))
        }
        other => other,
    }
}

/// A step in PostgreSQL's words. Text sorts by its bytes, as in SQLite.
#[cfg(feature = "postgres")]
pub(crate) fn postgres(step: &str) -> String {
    step.replace("TEXT", "text COLLATE \"C\"")
        .replace("INTEGER", "bigint")
        .replace("BLOB", "bytea")
        .replace(" STRICT", "")
}
