//! Whole SQLite files: looked at, copied, put in another's place.

use crate::sqlite::{self, APPLICATION};
use crate::{Error, Result};
use rusqlite::{Connection, OpenFlags};
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What SQLite keeps beside a file and belongs to it; `-shm` is made anew when needed.
const SIDES: [&str; 2] = ["-wal", "-journal"];

/// A copy of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// How many bytes it has.
    pub bytes: u64,
    /// How many sessions it holds.
    pub sessions: u64,
}

/// Reads the whole store at `path` and says whether it is sound. A store that is not there yet is.
///
/// It costs as much as reading the file once. What it finds is what SQLite would meet later, in the
/// middle of a game: pages that are missing or make no sense.
///
/// # Errors
/// [`Error::Corrupt`] with the first thing found.
pub fn check(path: &Path) -> Result<()> {
    if fs::metadata(path).is_ok_and(|m| m.len() > 0) {
        sound(&read_only(path)?, "quick_check")?;
    }
    Ok(())
}

/// Copies the store at `from` to `to` as of one moment, whoever reads and writes it meanwhile. The
/// copy is checked and on disk when this returns; what was at `to` is replaced.
pub fn backup(from: &Path, to: &Path) -> Result<Backup> {
    let conn = read_only(from)?;
    ours(&conn)?;
    let part = beside(to, ".part");
    let copy = copied(&conn, &part)?;
    put(&part, to)?;
    Ok(copy)
}

/// Puts the backup at `from` in the place of the store at `to`, which nobody may have open; says
/// where the store that was there is now.
///
/// # Errors
/// [`Error::Corrupt`] and [`Error::NewerSchema`] for a backup that is not sound, not ours or too
/// new. The store is then as it was.
pub fn restore(from: &Path, to: &Path) -> Result<(Backup, Option<PathBuf>)> {
    let conn = read_only(from)?;
    ours(&conn)?;
    sound(&conn, "integrity_check")?;
    let part = beside(to, ".part");
    let copy = copied(&conn, &part)?;
    let aside = replace(to, &part, "before-restore")?;
    Ok((copy, aside))
}

/// A file beside another one, named after it.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// A connection that changes nothing.
pub(crate) fn read_only(path: &Path) -> Result<Connection> {
    // SQLite's own words name neither the file nor the reason.
    File::open(path)
        .map_err(|e| Error::unavailable(format!("cannot open `{}`: {e}", path.display())))?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    conn.busy_timeout(Duration::from_secs(5))?;
    Ok(conn)
}

/// Refuses what is not a store, or one of a later program.
fn ours(conn: &Connection) -> Result<()> {
    let owner: i64 = conn.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if owner != APPLICATION {
        return Err(Error::corrupt("the file belongs to another program"));
    }
    sqlite::missing(conn).map(drop)
}

/// What SQLite finds with a `pragma` that checks the file.
fn sound(conn: &Connection, pragma: &str) -> Result<()> {
    let found: String = conn.query_row(&format!("PRAGMA {pragma}(1)"), [], |row| row.get(0))?;
    if found == "ok" {
        return Ok(());
    }
    let lines: Vec<&str> = found.lines().map(str::trim).collect();
    Err(Error::corrupt(lines.join(" ")))
}

/// Writes everything that a connection sees into a new file, and checks that.
fn copied(conn: &Connection, part: &Path) -> Result<Backup> {
    clear(part)?;
    sqlite::private(part)?;
    let name = part
        .to_str()
        .ok_or_else(|| Error::unavailable(format!("`{}` is no UTF-8", part.display())))?;
    let done = conn
        .execute("VACUUM INTO ?1", [name])
        .map_err(Error::from)
        .and_then(|_| {
            let copy = read_only(part)?;
            sound(&copy, "integrity_check")?;
            let sessions: i64 =
                copy.query_row("SELECT count(*) FROM sessions", [], |row| row.get(0))?;
            Ok(sessions as u64)
        })
        .and_then(|sessions| {
            synced(part)?;
            let bytes = fs::metadata(part).map_err(Error::unavailable)?.len();
            Ok(Backup { bytes, sessions })
        });
    if done.is_err() {
        let _ = clear(part);
    }
    done
}

fn clear(part: &Path) -> Result<()> {
    match fs::remove_file(part) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::unavailable(format!(
            "cannot replace `{}`: {e}",
            part.display()
        ))),
        _ => Ok(()),
    }
}

pub(crate) fn synced(path: &Path) -> Result<()> {
    File::open(path)
        .and_then(|file| file.sync_all())
        .map_err(Error::unavailable)
}

/// Gives a finished file its name, so that it is there whole or not at all.
fn put(part: &Path, to: &Path) -> Result<()> {
    fs::rename(part, to)
        .map_err(|e| Error::unavailable(format!("cannot write `{}`: {e}", to.display())))?;
    // Elsewhere a folder cannot be opened, and the name is as safe as the system makes it.
    #[cfg(unix)]
    if let Some(folder) = to.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        synced(folder)?;
    }
    Ok(())
}

/// Puts a finished file in the place of a store and keeps that aside under a name with `why` in it.
/// At every moment there is a store under the old name: what would start meanwhile makes no new one.
pub(crate) fn replace(store: &Path, part: &Path, why: &str) -> Result<Option<PathBuf>> {
    let mut aside = None;
    if store.exists() {
        let free = (1..100_000)
            .map(|n| beside(store, &format!(".{why}-{n}")))
            .find(|path| !path.exists())
            .unwrap_or_else(|| beside(store, why));
        fs::hard_link(store, &free)
            .or_else(|_| fs::copy(store, &free).map(drop))
            .map_err(|e| Error::unavailable(format!("cannot keep `{}`: {e}", free.display())))?;
        for side in SIDES {
            let old = beside(store, side);
            if old.exists() {
                fs::rename(&old, beside(&free, side)).map_err(Error::unavailable)?;
            }
        }
        aside = Some(free);
    }
    clear(&beside(store, "-shm"))?;
    put(part, store)?;
    Ok(aside)
}
