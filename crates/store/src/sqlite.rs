//! SQLite: one file, one writer, a few readers.

use crate::pool::Pool;
use crate::tx::{Arg, Cell, Tx};
use crate::{Error, Options, Result, schema};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, ToSql, TransactionBehavior, params_from_iter};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// "wits" in ASCII, kept in the file's header, so that `file` and we can tell whose it is.
pub(crate) const APPLICATION: i64 = 0x7769_7473;

/// Sessions in one SQLite file, or in memory.
pub struct Sqlite {
    /// None in memory, where everybody shares the one connection. They are closed first: only a
    /// connection that may write can leave the file without a log beside it.
    readers: Option<Readers>,
    writer: Pool<Connection>,
}

struct Readers {
    path: PathBuf,
    /// Which file that was when it was opened.
    file: Option<Identity>,
    pool: Pool<Connection>,
    patience: Duration,
}

impl Sqlite {
    pub(crate) fn memory() -> Result<Self> {
        let patience = Options::default().patience;
        let mut conn = Connection::open_in_memory()?;
        prepare(&mut conn, patience)?;
        Ok(Self {
            writer: Pool::new(Some(conn), 1, patience),
            readers: None,
        })
    }

    pub(crate) fn open(path: &Path, options: Options) -> Result<Self> {
        let Options {
            patience,
            connections,
        } = options;
        // SQLite gives names like `:memory:` and the empty one a meaning of their own.
        let path = if path.is_relative() {
            Path::new(".").join(path)
        } else {
            path.into()
        };
        private(&path)?;
        let started = Instant::now();
        let conn = loop {
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let mut conn = Connection::open_with_flags(&path, flags)?;
            match prepare(&mut conn, patience) {
                Ok(()) => break conn,
                // When two programs open a new file at once, SQLite reports the switch to WAL as
                // busy without waiting. The loser finds it done the next time.
                Err(Error::Busy) if started.elapsed() < patience => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(error) => return Err(error),
            }
        };
        let readers = Readers {
            file: identity(&path),
            path,
            pool: Pool::new(None, connections, patience),
            patience,
        };
        Ok(Self {
            writer: Pool::new(Some(conn), 1, patience),
            readers: Some(readers),
        })
    }

    /// Takes the writer away for good and moves the log into the file.
    pub(crate) fn close(&self) -> Result<()> {
        let mut conn = self.writer.take(closed)?;
        if self.readers.is_none() {
            return Ok(());
        }
        conn.keep = false;
        // The first column says whether readers were in the way for longer than we wait.
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        let busy: i64 = conn.query_row(sql, [], |row| row.get(0))?;
        if busy == 0 { Ok(()) } else { Err(Error::Busy) }
    }

    pub(crate) fn write<T>(&self, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        let mut conn = self.writer.take(closed)?;
        if let Some(readers) = &self.readers {
            readers.still_there()?;
        }
        // Immediate: the write lock is taken now, where waiting is allowed, not half-way through.
        let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = work(&mut Tx::Sqlite(&tx))?;
        tx.commit()?;
        Ok(done)
    }

    pub(crate) fn read<T>(&self, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        let mut conn = match &self.readers {
            Some(readers) => readers.pool.take(|| readers.open())?,
            None => self.writer.take(closed)?,
        };
        let tx = conn.transaction()?;
        let done = work(&mut Tx::Sqlite(&tx))?;
        tx.finish()?;
        Ok(done)
    }
}

/// There is one writer; it is gone when the store was closed.
fn closed() -> Result<Connection> {
    Err(Error::unavailable("the program is ending"))
}

/// What tells one file from another under the same name.
type Identity = (u64, u64);

/// The file under a name, if there is one.
fn identity(path: &Path) -> Option<Identity> {
    let file = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    return Some((
        std::os::unix::fs::MetadataExt::dev(&file),
        std::os::unix::fs::MetadataExt::ino(&file),
    ));
    #[cfg(not(unix))]
    return Some((u64::from(file.is_file()), 0));
}

impl Readers {
    /// A file that was deleted can be written for as long as it is open, and then nothing is left of
    /// what was written: better to say so at once.
    fn still_there(&self) -> Result<()> {
        if identity(&self.path) == self.file {
            return Ok(());
        }
        Err(Error::unavailable(format!(
            "`{}` is gone, or another file lies in its place",
            self.path.display()
        )))
    }

    fn open(&self) -> Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags(&self.path, flags)?;
        conn.busy_timeout(self.patience)?;
        Ok(conn)
    }
}

/// Makes sure that the file exists; a new one is for this user only, as it will hold seat tokens.
pub(crate) fn private(path: &Path) -> Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(e) if !path.exists() => Err(Error::unavailable(format!(
            "cannot create `{}`: {e}",
            path.display()
        ))),
        _ => Ok(()),
    }
}

/// Checks that the database is ours before anything is changed, then brings it up to date.
fn prepare(conn: &mut Connection, patience: Duration) -> Result<()> {
    conn.busy_timeout(patience)?;
    conn.pragma_update(None, "foreign_keys", true)?;
    // A commit is on disk when it returns, also after a power cut.
    conn.pragma_update(None, "synchronous", "FULL")?;
    // In a transaction, to see one moment: another program may be making the tables just now.
    let look = conn.transaction()?;
    let current = missing(&look)?.is_empty();
    drop(look);
    let mode: String = conn.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    if mode == "delete" {
        // Readers go on while somebody writes. Kept in the file, so this happens once.
        conn.pragma_update(None, "journal_mode", "WAL")?;
    }
    if current {
        return Ok(());
    }
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for step in missing(&tx)? {
        tx.execute_batch(step).map_err(schema::unfit)?;
    }
    tx.pragma_update(None, "application_id", APPLICATION)?;
    tx.pragma_update(None, "user_version", schema::VERSION)?;
    Ok(tx.commit()?)
}

/// The steps that lead from what is in the file to what this program writes.
pub(crate) fn missing(conn: &Connection) -> Result<&'static [&'static str]> {
    let pragma = |name| conn.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (owner, version) = (pragma("application_id")?, pragma("user_version")?);
    let mut statement = conn.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")?;
    let tables: Vec<String> = statement
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    if !tables.is_empty() && owner != APPLICATION {
        return Err(Error::corrupt("the file belongs to another program"));
    }
    let steps = schema::missing(version)?;
    schema::agree(version, &tables)?;
    Ok(steps)
}

impl ToSql for Arg<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Int(n) => ValueRef::Integer(*n),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

/// `$1` is a name to SQLite, numbered as met; `?1` is the first parameter wherever it stands.
fn numbered(sql: &str) -> String {
    sql.replace('$', "?")
}

pub(crate) fn run(conn: &Connection, sql: &str, args: &[Arg<'_>]) -> Result<u64> {
    let mut statement = conn.prepare_cached(&numbered(sql))?;
    Ok(statement.execute(params_from_iter(args))? as u64)
}

pub(crate) fn rows(conn: &Connection, sql: &str, args: &[Arg<'_>]) -> Result<Vec<Vec<Cell>>> {
    let mut statement = conn.prepare_cached(&numbered(sql))?;
    let columns = statement.column_count();
    let mut rows = statement.query(params_from_iter(args))?;
    let mut answer = Vec::new();
    while let Some(row) = rows.next()? {
        let cells = (0..columns).map(|i| {
            Ok(match row.get_ref(i)? {
                ValueRef::Null => Cell::Null,
                ValueRef::Integer(n) => Cell::Int(n),
                ValueRef::Text(text) => {
                    Cell::Text(String::from_utf8(text.to_vec()).map_err(Error::corrupt)?)
                }
                ValueRef::Blob(bytes) => Cell::Bytes(bytes.to_vec()),
                ValueRef::Real(x) => return Err(Error::corrupt(format!("a fraction: {x}"))),
            })
        });
        answer.push(cells.collect::<Result<_>>()?);
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Id, Store};
    use serde_json::json;

    #[test]
    fn a_file_that_was_deleted_or_replaced_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("wits.sqlite");
        let store = Store::sqlite(&file).unwrap();
        store
            .create(Id::from_bits(1), "game", &json!({}), 1)
            .unwrap();
        let put = |bits| store.create(Id::from_bits(bits), "game", &json!({}), 1);
        std::fs::rename(&file, folder.path().join("away")).unwrap();
        let error = put(2).unwrap_err();
        assert!(
            error.is_temporary() && error.to_string().contains("is gone"),
            "{error}"
        );
        std::fs::write(&file, "another").unwrap();
        assert!(put(2).is_err());
        std::fs::rename(folder.path().join("away"), &file).unwrap();
        put(2).unwrap();
    }

    #[test]
    fn a_full_disk_is_said_and_loses_nothing() {
        let inner = Sqlite::memory().unwrap();
        let conn = inner.writer.take(|| unreachable!()).unwrap();
        let pages: i64 = conn
            .pragma_query_value(None, "page_count", |r| r.get(0))
            .unwrap();
        conn.pragma_update(None, "max_page_count", pages + 5)
            .unwrap();
        drop(conn);
        let store = Store::Sqlite(inner);
        let id = Id::from_bits(1);
        store.create(id, "game", &json!({}), 1).unwrap();
        let big = json!("x".repeat(4_000));
        let mut written = 0;
        let error = loop {
            match store.append(id, written, &big, 1) {
                Ok(()) => written += 1,
                Err(error) => break error,
            }
        };
        assert!(matches!(error, Error::Full), "{error}");
        assert!(written > 0);
        assert_eq!(store.session(id).unwrap().events, written);
        store.delete(id).unwrap();
        assert!(store.set("still", &json!("works")).is_ok());
    }

    #[test]
    fn a_commit_waits_for_the_disk() {
        let dir = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&dir.path().join("s.db"), Options::default()).unwrap();
        let conn = store.writer.take(|| unreachable!()).unwrap();
        let pragma = |name| {
            conn.pragma_query_value(None, name, |r| r.get::<_, i64>(0))
                .unwrap()
        };
        assert_eq!(pragma("synchronous"), 2, "FULL");
        assert_eq!(pragma("foreign_keys"), 1);
        let mode: String = conn
            .pragma_query_value(None, "journal_mode", |r| r.get(0))
            .unwrap();
        assert_eq!(mode, "wal");
    }
}
