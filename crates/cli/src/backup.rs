//! `wits backup` and `wits restore`: the store as one file.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use serde_json::json;
use wits_store::{Lock, backup, restore};

use crate::args::{BackupArgs, RestoreArgs};
use crate::out::Out;
use crate::serve::{store_file, store_problem};
use crate::{Answer, Problem};

/// `wits backup`
pub(crate) fn save(args: &BackupArgs, out: &Out) -> Result<Answer> {
    if args.database.is_some() {
        return Err(theirs("pg_dump --format=custom --file=FILE DATABASE").into());
    }
    let store = store_file(args.data.clone())?;
    if !store.exists() {
        let message = format!("there is no store at `{}`", store.display());
        let hint = "name its folder with --data; a server makes one when it is started";
        return Err(Problem::new("store", message, hint).into());
    }
    let to = &args.file;
    if to.exists() {
        let message = format!("`{}` is there already", to.display());
        let hint = "name a new file; a backup replaces nothing";
        return Err(Problem::new("file", message, hint).into());
    }
    let copy = backup(&store, to).map_err(|e| store_problem(&store.display().to_string(), &e))?;
    out.tell(
        &json!({"file": to, "bytes": copy.bytes, "sessions": copy.sessions}),
        || {
            format!(
                "{}: {} games and dialogues, {} bytes",
                to.display(),
                copy.sessions,
                copy.bytes
            )
        },
    )?;
    Ok(Answer::Yes)
}

/// `wits restore`
pub(crate) fn load(args: &RestoreArgs, out: &Out) -> Result<Answer> {
    if args.database.is_some() {
        return Err(theirs("pg_restore --clean --dbname=DATABASE FILE").into());
    }
    let (from, store) = (&args.file, store_file(args.data.clone())?);
    let _lock = lock(&store)?;
    let done = restore(from, &store).map_err(|e| {
        let message = format!("`{}`: {e}", from.display());
        let hint = "the store is as it was; name a file that `wits backup` has written";
        Problem::new("backup", message, hint)
    })?;
    let (copy, aside) = done;
    let kept = aside.as_deref().map(Path::display);
    out.tell(
        &json!({"file": from, "bytes": copy.bytes, "sessions": copy.sessions, "aside": aside}),
        || {
            let mut text = format!(
                "{} holds {} games and dialogues again",
                store.display(),
                copy.sessions
            );
            if let Some(kept) = kept {
                let _ = write!(text, "\nwhat was there before is kept as {kept}");
            }
            text
        },
    )?;
    Ok(Answer::Yes)
}

/// The right to serve a store, or to put another in its place.
pub(crate) fn lock(store: &Path) -> Result<Lock, Problem> {
    Lock::take(store).map_err(|e| store_problem(&store.display().to_string(), &e))
}

fn theirs(command: &str) -> Problem {
    Problem::new(
        "postgres",
        "a PostgreSQL database is copied with PostgreSQL's own programs",
        format!("run `{command}`"),
    )
}
