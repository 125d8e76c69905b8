//! Sessions: a header, a log of events, and who holds which seat.

use crate::tx::{Arg, Row, Tx, fit};
use crate::{Error, Id, Result, Store};
use serde_json::Value;
use std::fmt::Write;

/// A session without its events.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    /// Its name.
    pub id: Id,
    /// What it is a session of: `game`, `dialogue`, …
    pub kind: String,
    /// What never changes about it.
    pub header: Value,
    /// When it was created.
    pub created: i64,
    /// When something was last added or marked.
    pub updated: i64,
    /// Whether it is over.
    pub finished: bool,
    /// How many events it has, which is also the number of the next one.
    pub events: u64,
}

impl Session {
    /// Where this session stands in the list, to ask for what comes after it.
    pub fn place(&self) -> Place {
        Place {
            updated: self.updated,
            id: self.id,
        }
    }
}

/// A place in the list of recent sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// When the session at this place was last updated.
    pub updated: i64,
    /// The session, to tell it from others of the same moment.
    pub id: Id,
}

/// One thing that happened in a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its number, from 0 on without gaps.
    pub seq: u64,
    /// When it was appended.
    pub at: i64,
    /// What happened.
    pub body: Value,
}

/// Which sessions are meant; by default all.
#[derive(Debug, Clone, Copy, Default)]
pub struct Which<'a> {
    /// Only those of this kind.
    pub kind: Option<&'a str>,
    /// Only those that are over, or only those that are not.
    pub finished: Option<bool>,
}

/// What an append says about the session besides its events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Then {
    /// Over or not, it stays so.
    #[default]
    AsBefore,
    /// It is over with these events.
    Finished,
    /// It goes on again, as after an undo.
    Open,
}

pub(crate) const COLUMNS: &str = "SELECT id, kind, header, created, updated, finished,
    (SELECT coalesce(max(seq) + 1, 0) FROM events WHERE session = sessions.id) FROM sessions";

impl Store {
    /// Creates an empty session.
    pub fn create(&self, id: Id, kind: &str, header: &Value, at: i64) -> Result<()> {
        self.write(|tx| create(tx, id, kind, header, at))
    }

    /// Appends event `seq`, which must be the next one; it is on disk when this returns.
    ///
    /// # Errors
    /// [`Error::Taken`] with what stands there already, [`Error::Gap`], [`Error::Missing`].
    pub fn append(&self, id: Id, seq: u64, body: &Value, at: i64) -> Result<()> {
        self.append_all(id, seq, std::slice::from_ref(body), Then::AsBefore, at)
    }

    /// Appends several events, the first with number `seq`, and marks the session: all or nothing.
    /// Without events it only marks.
    ///
    /// # Errors
    /// As for [`append`](Self::append); if some of the numbers are taken, all are refused.
    pub fn append_all(&self, id: Id, seq: u64, all: &[Value], then: Then, at: i64) -> Result<()> {
        all.iter().try_for_each(|body| fit(body).map(drop))?;
        self.write(|tx| {
            // First the session's row: its lock makes appends to one session take turns.
            touch(tx, id, then, at)?;
            let next = "SELECT coalesce(max(seq) + 1, 0) FROM events WHERE session = $1";
            let next = tx.number(next, &[id.into()])?;
            if seq < next {
                return Err(Error::Taken {
                    seq,
                    body: body(tx, id, seq)?,
                });
            } else if seq > next {
                return Err(Error::Gap { seq, next });
            }
            let sql = "INSERT INTO events (session, seq, body, at) VALUES ($1, $2, $3, $4)";
            for (n, body) in (seq as i64..).zip(all) {
                tx.run(sql, &[id.into(), n.into(), body.into(), at.into()])?;
            }
            tx.tell(id)
        })
    }

    /// The session, without its events.
    pub fn session(&self, id: Id) -> Result<Session> {
        self.read(|tx| session(tx, id))
    }

    /// The session's events from number `from` on, in order.
    pub fn events(&self, id: Id, from: u64) -> Result<Vec<Event>> {
        self.load(id, from).map(|(_, events)| events)
    }

    /// The session and its events from number `from` on, both as of one moment.
    pub fn load(&self, id: Id, from: u64) -> Result<(Session, Vec<Event>)> {
        let sql = "SELECT seq, at, body FROM events WHERE session = $1 AND seq >= $2 ORDER BY seq";
        let from = i64::try_from(from).unwrap_or(i64::MAX);
        self.read(|tx| {
            let session = session(tx, id)?;
            let rows = tx.rows(sql, &[id.into(), from.into()])?;
            let event = |mut row: Row| {
                Ok(Event {
                    seq: row.count()?,
                    at: row.int()?,
                    body: row.json()?,
                })
            };
            Ok((session, rows.into_iter().map(event).collect::<Result<_>>()?))
        })
    }

    /// Up to `limit` sessions, the last updated first; the next page begins `after` the
    /// [place](Session::place) of the last one seen.
    pub fn recent(
        &self,
        which: Which<'_>,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Vec<Session>> {
        let (mut sql, mut args) = filter(COLUMNS, which);
        if let Some(place) = after {
            let (n, m) = (args.len() + 1, args.len() + 2);
            let _ = write!(sql, " AND (updated, id) < (${n}, ${m})");
            args.extend([place.updated.into(), place.id.into()]);
        }
        args.push(i64::from(limit).into());
        let _ = write!(sql, " ORDER BY updated DESC, id DESC LIMIT ${}", args.len());
        self.read(|tx| {
            tx.rows(&sql, &args)?
                .into_iter()
                .map(read_session)
                .collect()
        })
    }

    /// How many sessions there are.
    pub fn count(&self, which: Which<'_>) -> Result<u64> {
        let (sql, args) = filter("SELECT count(*) FROM sessions", which);
        self.read(|tx| tx.number(&sql, &args))
    }

    /// Deletes a session with all its events and seats, and the items that are named after it.
    pub fn delete(&self, id: Id) -> Result<()> {
        self.write(|tx| match delete(tx, id)? {
            0 => Err(Error::Missing { id }),
            _ => Ok(()),
        })
    }

    /// Gives a free seat to the holder of `token`, and says whether the seat is now theirs: true
    /// also if it was already. The store does not look into tokens; a caller may hash them first.
    pub fn claim(&self, id: Id, seat: u8, token: &str) -> Result<bool> {
        let seat = i64::from(seat);
        let sql = "INSERT INTO tokens (session, seat, token) VALUES ($1, $2, $3)
            ON CONFLICT DO NOTHING";
        let holder = "SELECT token FROM tokens WHERE session = $1 AND seat = $2";
        self.write(|tx| {
            touch(tx, id, Then::AsBefore, i64::MIN)?;
            if tx.run(sql, &[id.into(), seat.into(), token.into()])? > 0 {
                tx.tell(id)?;
            }
            let held = tx.row(holder, &[id.into(), seat.into()])?;
            Ok(held.is_some_and(|mut row| row.text().is_ok_and(|t| t == token)))
        })
    }

    /// Frees a seat, and says whether anybody held it.
    pub fn release(&self, id: Id, seat: u8) -> Result<bool> {
        let sql = "DELETE FROM tokens WHERE session = $1 AND seat = $2";
        self.write(|tx| Ok(tx.run(sql, &[id.into(), i64::from(seat).into()])? > 0))
    }

    /// The seats that the holder of `token` has in a session, in order; none for a stranger.
    pub fn seats(&self, id: Id, token: &str) -> Result<Vec<u8>> {
        let sql = "SELECT seat FROM tokens WHERE session = $1 AND token = $2 ORDER BY seat";
        self.seats_by(sql, &[id.into(), token.into()])
    }

    /// The seats of a session that somebody holds, in order.
    pub fn held(&self, id: Id) -> Result<Vec<u8>> {
        self.seats_by(
            "SELECT seat FROM tokens WHERE session = $1 ORDER BY seat",
            &[id.into()],
        )
    }

    fn seats_by(&self, sql: &str, args: &[Arg<'_>]) -> Result<Vec<u8>> {
        let seat = |mut row: Row| row.int()?.try_into().map_err(Error::corrupt);
        self.read(|tx| tx.rows(sql, args)?.into_iter().map(seat).collect())
    }
}

/// Creates an empty session.
pub(crate) fn create(tx: &mut Tx<'_>, id: Id, kind: &str, header: &Value, at: i64) -> Result<()> {
    let header = fit(header)?;
    let sql = "INSERT INTO sessions (id, kind, header, created, updated, finished)
        VALUES ($1, $2, $3, $4, $4, 0) ON CONFLICT DO NOTHING";
    match tx.run(sql, &[id.into(), kind.into(), header.into(), at.into()])? {
        0 => Err(Error::Exists { id }),
        _ => Ok(()),
    }
}

/// Deletes a session, and what is named after it: `names` by its id, `thread` by id and ply.
pub(crate) fn delete(tx: &mut Tx<'_>, id: Id) -> Result<u64> {
    // `0` is the character after `/`.
    let (from, to) = (format!("{id}/"), format!("{id}0"));
    tx.run(
        "DELETE FROM blobs WHERE kind = 'names' AND name = $1",
        &[id.into()],
    )?;
    let sql = "DELETE FROM blobs WHERE kind = 'thread' AND name > $1 AND name < $2";
    tx.run(sql, &[from.as_str().into(), to.as_str().into()])?;
    tx.run("DELETE FROM sessions WHERE id = $1", &[id.into()])
}

/// Locks the session's row for this transaction and marks it; time never runs backwards in it.
fn touch(tx: &mut Tx<'_>, id: Id, then: Then, at: i64) -> Result<()> {
    let finished = match then {
        Then::AsBefore => "finished",
        Then::Finished => "1",
        Then::Open => "0",
    };
    let sql = format!(
        "UPDATE sessions SET finished = {finished},
        updated = CASE WHEN updated < $2 THEN $2 ELSE updated END WHERE id = $1"
    );
    match tx.run(&sql, &[id.into(), at.into()])? {
        0 => Err(Error::Missing { id }),
        _ => Ok(()),
    }
}

fn body(tx: &mut Tx<'_>, id: Id, seq: u64) -> Result<Value> {
    let sql = "SELECT body FROM events WHERE session = $1 AND seq = $2";
    match tx.row(sql, &[id.into(), (seq as i64).into()])? {
        Some(mut row) => row.json(),
        None => Err(Error::corrupt(format!(
            "event {seq} of session `{id}` is lost"
        ))),
    }
}

fn session(tx: &mut Tx<'_>, id: Id) -> Result<Session> {
    let row = tx.row(&format!("{COLUMNS} WHERE id = $1"), &[id.into()])?;
    row.map_or(Err(Error::Missing { id }), read_session)
}

pub(crate) fn read_session(mut row: Row) -> Result<Session> {
    Ok(Session {
        id: row.id()?,
        kind: row.text()?,
        header: row.json()?,
        created: row.int()?,
        updated: row.int()?,
        finished: row.int()? != 0,
        events: row.count()?,
    })
}

fn filter<'a>(select: &str, which: Which<'a>) -> (String, Vec<Arg<'a>>) {
    let mut sql = format!("{select} WHERE 0 = 0");
    let mut args = Vec::new();
    if let Some(kind) = which.kind {
        args.push(kind.into());
        sql += " AND kind = $1";
    }
    match which.finished {
        Some(true) => sql += " AND finished = 1",
        Some(false) => sql += " AND finished = 0",
        None => {}
    }
    (sql, args)
}
