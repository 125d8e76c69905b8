//! A record on disk: every event is written and flushed before the game goes on.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use wits_play::{Event, Header, Record};

use crate::problem::Problem;

/// An open record file.
pub(crate) struct RecordFile {
    file: File,
    pub(crate) path: PathBuf,
    written: usize,
}

impl RecordFile {
    /// Starts a new file; refuses to write over an old one.
    pub(crate) fn create(path: &Path, header: &Header) -> Result<RecordFile> {
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|e| Problem::file(folder, &e))?;
        }
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(path)
            .map_err(|e| {
                if e.kind() == std::io::ErrorKind::AlreadyExists {
                    Problem::new(
                        "file",
                        format!("`{}` is already there", path.display()),
                        "choose another name, or go on with it by `wits play --resume FILE`",
                    )
                } else {
                    Problem::file(path, &e)
                }
            })?;
        file.write_all(header.line().as_bytes())
            .and_then(|()| file.sync_all())
            .map_err(|e| Problem::file(path, &e))?;
        Ok(RecordFile {
            file,
            path: path.to_owned(),
            written: 0,
        })
    }

    /// Opens a file to go on with it. A last line that a crash cut short is taken away.
    pub(crate) fn open(path: &Path) -> Result<(RecordFile, Record)> {
        let record = read(path)?;
        let file = OpenOptions::new()
            .append(true)
            .open(path)
            .map_err(|e| Problem::file(path, &e))?;
        if record.cut {
            let bytes = std::fs::read(path).map_err(|e| Problem::file(path, &e))?;
            let whole = bytes
                .iter()
                .rposition(|b| *b == b'\n')
                .map_or(0, |at| at + 1);
            file.set_len(whole as u64)
                .map_err(|e| Problem::file(path, &e))?;
        }
        let written = record.events.len();
        Ok((
            RecordFile {
                file,
                path: path.to_owned(),
                written,
            },
            record,
        ))
    }

    /// Writes what is new, and returns only when the disk has it.
    pub(crate) fn append(&mut self, events: &[Event]) -> Result<()> {
        let new: String = events[self.written.min(events.len())..]
            .iter()
            .map(Event::line)
            .collect();
        if new.is_empty() {
            return Ok(());
        }
        let put = self
            .file
            .write_all(new.as_bytes())
            .and_then(|()| self.file.sync_data());
        put.map_err(|e| Problem::file(&self.path, &e))?;
        self.written = events.len();
        Ok(())
    }
}

/// Reads a record file; the file is untouched.
pub(crate) fn read(path: &Path) -> Result<Record> {
    let bytes = std::fs::read(path).map_err(|e| Problem::file(path, &e))?;
    let text = String::from_utf8(bytes).map_err(|e| {
        let whole = String::from_utf8_lossy(&e.as_bytes()[..e.utf8_error().valid_up_to()]);
        let line = whole.matches('\n').count() + 1;
        let message = format!(
            "`{}`, line {line}: this is not text (UTF-8)",
            path.display()
        );
        Problem::new(
            "bad-record",
            message,
            "the file was not touched; use a record or a thread",
        )
    })?;
    Ok(Record::read(&text).map_err(|bad| {
        let problem = Problem::from(bad);
        Problem {
            message: format!("`{}`, {}", path.display(), problem.message),
            ..problem
        }
    })?)
}
