//! What can still be read of a damaged store, in a new one.
//!
//! Tables are read in the order of their row numbers. Where a page is lost, SQLite reports it at the
//! first row beyond the last good one; then later numbers are tried until one can be read again.
//! Pages that no readable page leads to are not searched: `.recover` of SQLite's shell does that.

use crate::file::{beside, read_only, replace, synced};
use crate::sqlite::{APPLICATION, private};
use crate::{Error, Id, Result, schema};
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};
use std::fs;
use std::path::{Path, PathBuf};

/// What was saved of a damaged store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Salvage {
    /// How many sessions are in the new store.
    pub sessions: u64,
    /// How many events they have.
    pub events: u64,
    /// How many other rows were kept: seats, settings, results, scores, items.
    pub others: u64,
    /// How many rows were read and not kept: they made no sense, or what they belong to is lost.
    pub dropped: u64,
    /// In how many places rows could not be read at all.
    pub holes: u64,
    /// Where the damaged store is now.
    pub aside: PathBuf,
}

/// What a column must hold to be of use.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Id,
    Text,
    Json,
    Int,
    Bytes,
}

/// A table with its columns, as the schema has them.
struct Table {
    name: String,
    columns: Vec<(String, Kind)>,
}

/// Copies what can be read of the store at `path`, which nobody may have open, into a new one in its
/// place. The damaged one is kept beside it.
///
/// # Errors
/// [`Error::Corrupt`] if the file is not a store at all; it is then as it was.
pub fn salvage(path: &Path) -> Result<Salvage> {
    named_as_ours(path)?;
    let part = beside(path, ".part");
    let _ = fs::remove_file(&part);
    private(&part)?;
    let done = copy(path, &part).and_then(|saved| {
        synced(&part)?;
        let aside = replace(path, &part, "broken")?;
        Ok(Salvage {
            aside: aside.unwrap_or_else(|| path.to_owned()),
            ..saved
        })
    });
    if done.is_err() {
        let _ = fs::remove_file(&part);
    }
    done
}

/// The name of the program stands in the first hundred bytes of the file (`application_id` in
/// SQLite's description of the format); it is read there because SQLite may refuse to.
fn named_as_ours(path: &Path) -> Result<()> {
    use std::io::Read;
    let mut head = [0; 72];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut head));
    let owner = (APPLICATION as u32).to_be_bytes();
    if read.is_err() || !head.starts_with(b"SQLite format 3\0") || head[68..] != owner {
        return Err(Error::corrupt(
            "the file does not begin like a store of this program, nothing can be saved",
        ));
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<Salvage> {
    let old = read_only(from)?;
    // Lets SQLite open a file that is shorter than it says, and look past bad lines of its schema.
    old.pragma_update(None, "writable_schema", true)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut new = Connection::open_with_flags(to, flags)?;
    new.pragma_update(None, "foreign_keys", false)?;
    let new = new.transaction()?;
    // The new store has the old one's version, and is brought up to date when it is opened.
    let steps = &schema::STEPS[..version(&old)];
    for step in steps {
        new.execute_batch(step)?;
    }
    let (mut dropped, mut holes) = (0, 0);
    let (mut sessions, mut events, mut others) = (0, 0, 0);
    let tables = tables(&new)?;
    for table in &tables {
        let (bad, gaps) = Reader::new(&old, from, table).copy(&new)?;
        dropped += bad;
        holes += gaps;
    }
    dropped += orphans(&new)?;
    // A session is its events from 0 on without gaps: what follows a gap is of no use.
    let gaps = "DELETE FROM events WHERE rowid IN (SELECT rowid FROM
        (SELECT rowid, seq, row_number() OVER (PARTITION BY session ORDER BY seq) - 1 AS place
        FROM events) WHERE seq <> place)";
    dropped += new.execute(gaps, [])? as u64;
    for table in &tables {
        let sql = format!("SELECT count(*) FROM {}", table.name);
        let rows = new.query_row(&sql, [], |row| row.get::<_, i64>(0))? as u64;
        match table.name.as_str() {
            "sessions" => sessions = rows,
            "events" => events = rows,
            _ => others += rows,
        }
    }
    new.pragma_update(None, "application_id", APPLICATION)?;
    new.pragma_update(None, "user_version", steps.len() as i64)?;
    new.commit()?;
    Ok(Salvage {
        sessions,
        events,
        others,
        dropped,
        holes,
        aside: PathBuf::new(),
    })
}

/// The last version of which the damaged file has a table, whatever it says itself; ours if nothing
/// can be seen.
fn version(old: &Connection) -> usize {
    let has = |name: &str| old.prepare(&format!("SELECT 1 FROM {name}")).is_ok();
    let last = schema::STEPS
        .iter()
        .rposition(|step| schema::tables(step).any(has));
    last.map_or(schema::STEPS.len(), |at| at + 1)
}

/// The tables of a new store, each after those it refers to.
fn tables(new: &Connection) -> Result<Vec<Table>> {
    let mut names = new.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")?;
    let names: Vec<String> = names
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let mut columns = new.prepare("SELECT name, type FROM pragma_table_info(?1)")?;
    let mut all = Vec::new();
    for name in names {
        let column = |row: &rusqlite::Row<'_>| {
            let (column, kind): (String, String) = (row.get(0)?, row.get(1)?);
            let kind = Kind::of(&name, &column, &kind);
            Ok((column, kind))
        };
        let columns = columns
            .query_map([&name], column)?
            .collect::<rusqlite::Result<_>>()?;
        all.push(Table { name, columns });
    }
    Ok(all)
}

/// Deletes what refers to something that is lost; how many rows that were.
fn orphans(new: &Connection) -> Result<u64> {
    let mut all = 0;
    loop {
        let mut found = new.prepare("SELECT \"table\", rowid FROM pragma_foreign_key_check")?;
        let rows: Vec<(String, i64)> = found
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        if rows.is_empty() {
            return Ok(all);
        }
        for (table, row) in rows {
            let sql = format!("DELETE FROM {table} WHERE rowid = ?1");
            all += new.execute(&sql, [row])? as u64;
        }
    }
}

/// Reads one table of a damaged file.
struct Reader<'a> {
    old: &'a Connection,
    table: &'a Table,
    /// No row number is above this.
    most: i64,
}

impl<'a> Reader<'a> {
    fn new(old: &'a Connection, path: &Path, table: &'a Table) -> Self {
        let last = format!(
            "SELECT coalesce(max(rowid), 0) FROM {} NOT INDEXED",
            table.name
        );
        // Where the last page is lost: numbers are given one after another, and no row of ours is
        // below twenty bytes.
        let room = || {
            let size = |path: &Path| fs::metadata(path).map_or(0, |m| m.len());
            ((size(path) + size(&beside(path, "-wal"))) / 20) as i64
        };
        let most = old
            .query_row(&last, [], |row| row.get(0))
            .unwrap_or_else(|_| room());
        Self { old, table, most }
    }

    /// Copies the rows that can be read; how many made no sense, and how many holes there were.
    fn copy(&self, new: &Connection) -> Result<(u64, u64)> {
        let Table {
            name: table,
            columns,
        } = self.table;
        let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
        let names = names.join(", ");
        let marks = vec!["?"; columns.len()].join(", ");
        let mut keep = new.prepare(&format!(
            "INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})"
        ))?;
        let sql = format!(
            "SELECT rowid, {names} FROM {table} NOT INDEXED WHERE rowid > ?1 ORDER BY rowid"
        );
        let (mut dropped, mut holes) = (0, 0);
        let mut last = 0;
        // A table that the schema has lost cannot be asked at all.
        let Ok(mut ask) = self.old.prepare(&sql) else {
            return Ok((0, 1));
        };
        loop {
            let whole = (|| -> rusqlite::Result<()> {
                let mut rows = ask.query([last])?;
                while let Some(row) = rows.next()? {
                    last = row.get(0)?;
                    let values = (1..=columns.len())
                        .map(|n| row.get(n))
                        .collect::<rusqlite::Result<Vec<Value>>>();
                    let good = values.is_ok_and(|values| {
                        let mut each = columns.iter().zip(&values);
                        each.all(|((_, kind), value)| kind.fits(value))
                            && keep.execute(params_from_iter(values)).is_ok_and(|n| n > 0)
                    });
                    dropped += u64::from(!good);
                }
                Ok(())
            })();
            if whole.is_ok() {
                return Ok((dropped, holes));
            }
            holes += 1;
            match self.beyond(last) {
                Some(next) => last = next,
                None => return Ok((dropped, holes)),
            }
        }
    }

    /// The first number after `last` from which on a row can be read again.
    fn beyond(&self, last: i64) -> Option<i64> {
        /// Steps of one first, because holes are small; larger ones after so many.
        const SMALL: i64 = 4_096;
        const LARGE: usize = 16;
        let table = &self.table.name;
        let sql = format!("SELECT rowid FROM {table} NOT INDEXED WHERE rowid > ?1 LIMIT 1");
        let mut ask = self.old.prepare(&sql).ok()?;
        let mut there = |at: i64| ask.exists([at]).ok();
        let near = last + 1..=self.most.min(last.saturating_add(SMALL));
        for at in near {
            match there(at) {
                Some(true) => return Some(at),
                Some(false) => return None,
                None => {}
            }
        }
        for at in (last.saturating_add(SMALL)..=self.most).step_by(LARGE) {
            match there(at) {
                // The large step may have gone past the first good ones.
                Some(true) => {
                    let first = (at - LARGE as i64 + 1..at).find(|&at| there(at) == Some(true));
                    return Some(first.unwrap_or(at));
                }
                Some(false) => return None,
                None => {}
            }
        }
        None
    }
}

impl Kind {
    /// What a column of a table holds: text may be the name of a session, or JSON.
    fn of(table: &str, column: &str, declared: &str) -> Self {
        match (declared, column) {
            ("INTEGER", _) => Self::Int,
            ("BLOB", _) => Self::Bytes,
            (_, "session") => Self::Id,
            (_, "id") if table == "sessions" => Self::Id,
            (_, "header" | "body" | "value" | "detail") => Self::Json,
            _ => Self::Text,
        }
    }

    fn fits(self, value: &Value) -> bool {
        match (self, value) {
            (Self::Int, Value::Integer(_))
            | (Self::Text, Value::Text(_))
            | (Self::Bytes, Value::Blob(_)) => true,
            (Self::Json, Value::Text(text)) => {
                serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
            }
            (Self::Id, Value::Text(text)) => text.parse::<Id>().is_ok(),
            _ => false,
        }
    }
}
