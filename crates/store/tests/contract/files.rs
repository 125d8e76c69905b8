//! Whole files: closed, checked, copied, restored, salvaged.

use crate::laws::id;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use wits_store::{Blob, Error, Store, Which, backup, check, restore, salvage};

struct Folder {
    dir: tempfile::TempDir,
}

impl Folder {
    fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }
}

/// What event `seq` of session `n` says: long enough to fill pages.
fn said(n: u8, seq: u64) -> Value {
    json!({"session": n, "seq": seq, "text": "x".repeat(150 + (n as usize * 37) % 400)})
}

/// A store with games of several lengths, an item of many pages and a setting.
fn furnish(path: &Path, games: u8) -> Store {
    let store = Store::sqlite(path).unwrap();
    for n in 0..games {
        store.create(id(n), "game", &json!({"n": n}), 1).unwrap();
        for seq in 0..=(u64::from(n) * 5) % 17 {
            store.append(id(n), seq, &said(n, seq), 2).unwrap();
        }
        store.claim(id(n), 0, "token").unwrap();
    }
    let bytes = vec![7; 50_000];
    let (kind, name, hash) = ("feed".into(), "city".into(), "h".into());
    store
        .put_blob(&Blob {
            kind,
            name,
            bytes,
            hash,
            at: 3,
        })
        .unwrap();
    store.set("theme", &json!("dark")).unwrap();
    store
}

fn len(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |m| m.len())
}

#[test]
fn a_closed_store_is_its_file_alone() {
    let folder = Folder::new();
    let (file, copy) = (folder.file("a.db"), folder.file("b.db"));
    let store = furnish(&file, 20);
    // A reader stays open, as in a server; without `close` it would be the last to leave.
    assert_eq!(store.count(Which::default()).unwrap(), 20);
    assert!(
        len(&folder.file("a.db-wal")) > 0,
        "there is something to lose"
    );
    store.close().unwrap();
    fs::copy(&file, &copy).unwrap();
    let error = store.set("theme", &json!("light")).unwrap_err();
    assert!(
        error.is_temporary() && error.to_string().contains("ending"),
        "{error}"
    );
    assert_eq!(
        store.count(Which::default()).unwrap(),
        20,
        "reading goes on"
    );
    let copy = Store::sqlite(&copy).unwrap();
    for n in 0..20 {
        assert_eq!(
            copy.events(id(n), 0).unwrap(),
            store.events(id(n), 0).unwrap()
        );
    }
}

#[test]
fn a_dropped_store_leaves_no_log() {
    let folder = Folder::new();
    let file = folder.file("a.db");
    let store = furnish(&file, 3);
    store.count(Which::default()).unwrap();
    drop(store);
    assert_eq!(len(&folder.file("a.db-wal")), 0);
}

#[test]
fn a_backup_is_of_one_moment_while_others_write() {
    let folder = Folder::new();
    let file = folder.file("a.db");
    let store = furnish(&file, 10);
    let stop = AtomicBool::new(false);
    std::thread::scope(|s| {
        for writer in 0..2_u8 {
            let (store, stop) = (&store, &stop);
            s.spawn(move || {
                let game = id(100 + writer);
                store.create(game, "game", &json!({}), 1).unwrap();
                let mut seq = 0;
                while !stop.load(Ordering::Relaxed) {
                    // Both or neither.
                    let both = [json!(seq), json!(seq + 1)];
                    let then = wits_store::Then::AsBefore;
                    store.append_all(game, seq, &both, then, 2).unwrap();
                    seq += 2;
                }
            });
        }
        for n in 0..5 {
            let to = folder.file(&format!("copy-{n}.db"));
            let copy = backup(&file, &to).unwrap();
            assert_eq!(copy.bytes, len(&to));
            let open = Store::sqlite(&to).unwrap();
            assert_eq!(open.count(Which::default()).unwrap(), copy.sessions);
            assert_eq!(
                open.events(id(4), 0).unwrap(),
                store.events(id(4), 0).unwrap()
            );
            for game in [id(100), id(101)] {
                if let Ok(events) = open.events(game, 0) {
                    assert_eq!(events.len() % 2, 0);
                    assert!(events.iter().all(|e| e.body == json!(e.seq)));
                }
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(
        len(&folder.file("copy-0.db.part")),
        0,
        "nothing half-done is left"
    );
}

#[cfg(unix)]
#[test]
fn a_backup_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    drop(furnish(&folder.file("a.db"), 1));
    let to = folder.file("b.db");
    backup(&folder.file("a.db"), &to).unwrap();
    assert_eq!(
        fs::metadata(&to).unwrap().permissions().mode() & 0o777,
        0o600
    );
}

#[test]
fn restoring_brings_the_copy_back_and_keeps_what_was_there() {
    let folder = Folder::new();
    let (file, copy) = (folder.file("a.db"), folder.file("monday"));
    let store = furnish(&file, 5);
    backup(&file, &copy).unwrap();
    store.create(id(50), "game", &json!({}), 9).unwrap();
    // As after a kill: what was written last stands in the log beside the file.
    std::mem::forget(store);
    let (back, aside) = restore(&copy, &file).unwrap();
    assert_eq!(back.sessions, 5);
    assert_eq!(
        Store::sqlite(&file)
            .unwrap()
            .count(Which::default())
            .unwrap(),
        5
    );
    let before = Store::sqlite(aside.unwrap()).unwrap();
    assert_eq!(
        before.count(Which::default()).unwrap(),
        6,
        "nothing is lost"
    );
    let fresh = folder.file("fresh.db");
    assert!(restore(&copy, &fresh).unwrap().1.is_none());
    assert_eq!(
        Store::sqlite(&fresh)
            .unwrap()
            .count(Which::default())
            .unwrap(),
        5
    );
}

#[test]
fn what_is_no_sound_backup_is_refused_and_changes_nothing() {
    let folder = Folder::new();
    let (file, copy) = (folder.file("a.db"), folder.file("good"));
    drop(furnish(&file, 30));
    backup(&file, &copy).unwrap();
    let before = fs::read(&file).unwrap();
    let good = fs::read(&copy).unwrap();
    let foreign = folder.file("foreign");
    Connection::open(&foreign)
        .unwrap()
        .execute_batch("CREATE TABLE t (a)")
        .unwrap();
    let newer = folder.file("newer");
    fs::write(&newer, &good).unwrap();
    Connection::open(&newer)
        .unwrap()
        .execute_batch("PRAGMA user_version = 99")
        .unwrap();
    let mut scratched = good.clone();
    scratched[20_000..24_000].fill(0);
    for (name, bytes) in [
        ("cut", &good[..good.len() / 2]),
        ("text", b"a letter"),
        ("scratched", &scratched),
        ("empty", b""),
    ] {
        fs::write(folder.file(name), bytes).unwrap();
    }
    for name in [
        "cut",
        "text",
        "scratched",
        "empty",
        "foreign",
        "newer",
        "none",
    ] {
        let error = restore(&folder.file(name), &file).unwrap_err();
        let named = match name {
            "newer" => matches!(error, Error::NewerSchema { .. }),
            "none" => matches!(error, Error::Unavailable { .. }),
            _ => matches!(error, Error::Corrupt { .. }),
        };
        assert!(named, "{name}: {error}");
        assert!(fs::read(&file).unwrap() == before, "{name}");
        assert!(!folder.file("a.db.part").exists(), "{name}");
    }
}

#[test]
fn a_file_that_was_cut_is_found_also_with_its_log() {
    let folder = Folder::new();
    let file = folder.file("a.db");
    check(&file).unwrap();
    drop(furnish(&file, 60));
    check(&file).unwrap();
    // The log holds the last pages only, and says how many there should be.
    let store = Store::sqlite(&file).unwrap();
    store.set("theme", &json!("light")).unwrap();
    std::mem::forget(store);
    check(&file).unwrap();
    let half = len(&file) / 2 / 4096 * 4096;
    fs::OpenOptions::new()
        .write(true)
        .open(&file)
        .unwrap()
        .set_len(half)
        .unwrap();
    let error = check(&file).unwrap_err();
    assert!(matches!(error, Error::Corrupt { .. }), "{error}");
}

#[test]
fn tables_that_do_not_fit_their_version_are_named() {
    for (sql, word) in [
        ("PRAGMA user_version = 0", "schema 0"),
        ("PRAGMA user_version = 1", "`results` is there"),
        ("DROP TABLE scores", "`scores` is missing"),
    ] {
        let folder = Folder::new();
        let file = folder.file("a.db");
        drop(furnish(&file, 4));
        Connection::open(&file).unwrap().execute_batch(sql).unwrap();
        let before = fs::read(&file).unwrap();
        let error = Store::sqlite(&file).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
        assert!(!error.contains("CREATE TABLE"), "{error}");
        assert!(fs::read(&file).unwrap() == before);
        // All rows can be read, so all are saved.
        let saved = salvage(&file).unwrap();
        assert_eq!((saved.sessions, saved.dropped), (4, 0), "{sql}: {saved:?}");
        assert_eq!(
            Store::sqlite(&file)
                .unwrap()
                .count(Which::default())
                .unwrap(),
            4
        );
        assert!(fs::read(&saved.aside).unwrap() == before);
    }
}

#[test]
fn what_is_no_store_is_not_salvaged() {
    let folder = Folder::new();
    let file = folder.file("a.db");
    for bytes in [&b""[..], b"a letter", &[0; 5_000]] {
        fs::write(&file, bytes).unwrap();
        let error = salvage(&file).unwrap_err();
        assert!(matches!(error, Error::Corrupt { .. }), "{error}");
        assert!(fs::read(&file).unwrap() == bytes);
    }
}

/// Whatever was broken: the new store is sound, and each session in it is the beginning of the
/// session that it was.
fn is_a_part_of_the_truth(file: &Path, games: u8) -> (u64, u64) {
    check(file).unwrap();
    let store = Store::sqlite(file).unwrap();
    let all = store.recent(Which::default(), None, 10_000).unwrap();
    for session in &all {
        let n = (0..games).find(|&n| id(n) == session.id).unwrap();
        for event in store.events(session.id, 0).unwrap() {
            assert_eq!(event.body, said(n, event.seq), "{n}");
        }
    }
    let events = all.iter().map(|s| s.events).sum();
    (all.len() as u64, events)
}

#[test]
fn what_can_be_read_of_a_damaged_store_is_saved() {
    const GAMES: u8 = 120;
    let folder = Folder::new();
    let whole = folder.file("whole.db");
    drop(furnish(&whole, GAMES));
    let good = fs::read(&whole).unwrap();
    let pages = good.len() / 4096;
    let all: u64 = (0..GAMES).map(|n| 1 + (u64::from(n) * 5) % 17).sum();
    assert!(pages > 100);
    let mut kept_most = 0;
    let mut tried = 0;
    // One page lost, wherever: at most what hung on it is gone.
    for page in (1..pages).step_by(7) {
        let mut bad = good.clone();
        bad[page * 4096..(page + 1) * 4096].fill(0);
        let file = folder.file("bad.db");
        fs::write(&file, &bad).unwrap();
        if check(&file).is_ok() {
            continue; // It was free.
        }
        tried += 1;
        let saved = salvage(&file).unwrap();
        assert!(
            saved.holes > 0 || saved.dropped > 0 || saved.events == all,
            "{saved:?}"
        );
        assert!(fs::read(&saved.aside).unwrap() == bad, "kept as it was");
        let (sessions, events) = is_a_part_of_the_truth(&file, GAMES);
        assert_eq!((saved.sessions, saved.events), (sessions, events));
        kept_most += u64::from(events * 10 >= all * 9);
    }
    assert!(
        tried > 10 && kept_most * 10 >= tried * 8,
        "{kept_most} of {tried}"
    );
    // Cut at several lengths. The headers of sessions stand in the middle of this file, and without
    // its header a session is of no use; with them about as much is saved as is left.
    for share in [3, 5, 8] {
        let file = folder.file(&format!("cut-{share}.db"));
        fs::write(&file, &good[..pages * share / 10 * 4096]).unwrap();
        let error = check(&file).unwrap_err();
        assert!(matches!(error, Error::Corrupt { .. }), "{error}");
        let saved = salvage(&file).unwrap();
        let (_, events) = is_a_part_of_the_truth(&file, GAMES);
        let most = if share < 8 { 0 } else { all * 4 / 10 };
        assert!(events >= most, "{share}: {events} of {all}, {saved:?}");
        let store = Store::sqlite(&file).unwrap();
        store.create(id(250), "game", &json!({}), 5).unwrap();
    }
}
