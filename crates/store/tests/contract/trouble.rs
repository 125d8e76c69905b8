//! Locked, read-only, damaged, absent: each is named, nothing hangs and nothing changes.

use crate::ground::Ground;
use crate::laws::id;
use rusqlite::Connection;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use wits_store::{Error, Options, Store};

const HASTY: Options = Options {
    patience: Duration::from_millis(200),
    connections: 2,
};

#[test]
fn a_locked_file_is_busy_and_does_not_hang() {
    let ground = Ground::file();
    let store = ground.open_with(HASTY);
    store.create(id(1), "game", &json!({}), 1).unwrap();
    let other = Connection::open(ground.place.as_ref().unwrap()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let started = Instant::now();
    std::thread::scope(|s| {
        // Also those who queue behind the one that waits for the lock give up in time.
        for _ in 0..40 {
            s.spawn(|| {
                let error = store.append(id(1), 0, &json!(0), 2).unwrap_err();
                assert!(
                    matches!(error, Error::Busy) && error.is_temporary(),
                    "{error}"
                );
            });
        }
    });
    assert!(
        started.elapsed() < Duration::from_secs(4),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(store.session(id(1)).unwrap().events, 0, "reading goes on");
    other.execute_batch("COMMIT").unwrap();
    store.append(id(1), 0, &json!(0), 2).unwrap();
}

#[test]
fn damaged_files_are_said_to_be_and_left_alone() {
    let whole = Ground::file();
    let store = whole.open();
    store.create(id(1), "game", &json!({}), 1).unwrap();
    for seq in 0..200 {
        store
            .append(id(1), seq, &json!("x".repeat(500)), 2)
            .unwrap();
    }
    drop(store);
    let good = fs::read(whole.place.as_ref().unwrap()).unwrap();
    let mut scratched = good.clone();
    scratched[4096..good.len()].fill(0xa5);
    let text = b"this is a letter, not a database\n".repeat(100);
    for (name, bad) in [
        ("text", &text[..]),
        ("cut", &good[..good.len() / 2]),
        ("scratched", &scratched),
    ] {
        let ground = Ground::file();
        let place = ground.place.as_ref().unwrap();
        fs::write(place, bad).unwrap();
        let error = match Store::sqlite(place) {
            Ok(store) => store.append(id(1), 200, &json!(0), 3).unwrap_err(),
            Err(error) => error,
        };
        assert!(matches!(error, Error::Corrupt { .. }), "{name}: {error}");
        assert!(fs::read(place).unwrap() == bad, "{name}");
    }
    // Sound pages with a body that is not JSON.
    let place = whole.place.as_ref().unwrap();
    let edit = "UPDATE events SET body = '{' WHERE seq = 5";
    Connection::open(place)
        .unwrap()
        .execute_batch(edit)
        .unwrap();
    assert!(matches!(
        whole.open().events(id(1), 0),
        Err(Error::Corrupt { .. })
    ));
    assert_eq!(whole.open().events(id(1), 6).unwrap().len(), 194);
}

#[test]
fn places_that_cannot_be_opened_are_unavailable() {
    let dir = tempfile::tempdir().unwrap();
    for place in [
        dir.path(),
        &dir.path().join("no/such/folder/wits.db"),
        Path::new(""),
    ] {
        let error = Store::sqlite(place).unwrap_err();
        assert!(
            matches!(error, Error::Unavailable { .. }),
            "{}: {error}",
            place.display()
        );
    }
    #[cfg(not(feature = "postgres"))]
    assert!(matches!(
        Store::open("postgres://x/y", HASTY),
        Err(Error::NotBuilt)
    ));
}

#[cfg(unix)]
mod read_only {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, chown};
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    const DIR: &str = "WITS_STORE_READ_ONLY_DIR";
    /// Nobody in particular; root may write everywhere, so as root the test changes to this user.
    const NOBODY: u32 = 65_534;

    fn chmod(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Not a test of its own: what the user without write access sees.
    #[test]
    #[ignore = "run by the test below as another user"]
    fn reader() {
        let Ok(dir) = std::env::var(DIR) else { return };
        let store = Store::sqlite(Path::new(&dir).join("wits.db")).unwrap();
        assert_eq!(store.events(id(1), 0).unwrap().len(), 1, "reading works");
        for error in [
            store.append(id(1), 1, &json!(1), 2).unwrap_err(),
            store.set("a", &json!(1)).unwrap_err(),
            store.delete(id(1)).unwrap_err(),
        ] {
            assert!(
                matches!(error, Error::ReadOnly) && error.is_temporary(),
                "{error}"
            );
        }
        assert_eq!(store.events(id(1), 0).unwrap().len(), 1);
        let error = Store::sqlite(Path::new(&dir).join("old.db")).unwrap_err();
        assert!(
            matches!(error, Error::ReadOnly),
            "cannot be upgraded: {error}"
        );
        drop(store);
        // Beside a file SQLite keeps two more; in a folder where it cannot, even reading fails.
        for side in ["wits.db-wal", "wits.db-shm"] {
            let _ = fs::remove_file(Path::new(&dir).join(side));
        }
        chmod(Path::new(&dir), 0o555);
        match Store::sqlite(Path::new(&dir).join("wits.db")) {
            Err(Error::ReadOnly) => {}
            other => panic!("a read-only folder: {other:?}"),
        }
    }

    #[test]
    fn a_read_only_file_can_be_read_and_says_so_when_written() {
        let dir = tempfile::tempdir().unwrap();
        let (file, old) = (dir.path().join("wits.db"), dir.path().join("old.db"));
        let store = Store::sqlite(&file).unwrap();
        assert_eq!(
            fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o600,
            "private"
        );
        store.create(id(1), "game", &json!({}), 1).unwrap();
        store.append(id(1), 0, &json!(0), 1).unwrap();
        drop(store);
        let version1 = include_str!("version1.sql");
        Connection::open(&old)
            .unwrap()
            .execute_batch(version1)
            .unwrap();
        let before = (fs::read(&file).unwrap(), fs::read(&old).unwrap());
        // A copy of this program where the other user can run it.
        let exe = dir.path().join("reader");
        fs::copy(std::env::current_exe().unwrap(), &exe).unwrap();
        let mut reader = Command::new(&exe);
        reader
            .args(["trouble::read_only::reader", "--exact", "--ignored"])
            .env(DIR, dir.path());
        if fs::metadata(dir.path()).is_ok_and(|m| std::os::unix::fs::MetadataExt::uid(&m) == 0) {
            chown(dir.path(), Some(NOBODY), Some(NOBODY)).unwrap();
            reader.uid(NOBODY).gid(NOBODY).current_dir(dir.path());
        }
        chmod(&file, 0o444);
        chmod(&old, 0o444);
        let output = reader.output().unwrap();
        chmod(dir.path(), 0o700);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
        assert!((fs::read(&file).unwrap(), fs::read(&old).unwrap()) == before);
    }
}
