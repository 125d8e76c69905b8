//! Who serves a store: one process at a time, named by its number.

use crate::file::beside;
use crate::{Error, Result};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

/// The right to serve the SQLite store at a path, held until dropped. The operating system takes it
/// back however the process ends.
///
/// It is a lock on a file beside the store, not on the store itself: SQLite has locks of its own
/// there, and other programs may go on reading and writing.
#[derive(Debug)]
pub struct Lock {
    /// None where the folder cannot be written: then nobody can change the store either.
    _file: Option<File>,
}

impl Lock {
    /// Takes the right to serve the store at `path`.
    ///
    /// # Errors
    /// [`Error::Served`] with the number of the process that has it.
    pub fn take(path: &Path) -> Result<Self> {
        let place = beside(path, ".lock");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = match options.open(&place) {
            Ok(file) => file,
            Err(e)
                if matches!(
                    e.kind(),
                    ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied
                ) =>
            {
                return Ok(Self { _file: None });
            }
            Err(e) => return Err(cannot(&place, &e)),
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                let _ = file.read_to_string(&mut text);
                // Between taking the lock and writing its number a process has no number yet.
                let by = text
                    .trim()
                    .parse::<u32>()
                    .map_or("another process".to_owned(), |pid| format!("process {pid}"));
                return Err(Error::Served { by });
            }
            Err(TryLockError::Error(e)) => return Err(cannot(&place, &e)),
        }
        file.set_len(0)
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .map_err(|e| cannot(&place, &e))?;
        Ok(Self { _file: Some(file) })
    }
}

fn cannot(place: &Path, error: &std::io::Error) -> Error {
    Error::unavailable(format!("cannot lock `{}`: {error}", place.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_was_first() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("wits.sqlite");
        let first = Lock::take(&store).unwrap();
        let error = Lock::take(&store).unwrap_err();
        let named = format!("process {}", std::process::id());
        assert!(
            matches!(&error, Error::Served { by } if *by == named),
            "{error}"
        );
        Lock::take(&folder.path().join("other.sqlite")).unwrap();
        drop(first);
        Lock::take(&store).unwrap();
    }
}
