//! Old files are brought up to date, newer and foreign ones left alone.

use crate::ground::Ground;
use crate::laws::id;
use rusqlite::Connection;
use serde_json::json;
use std::sync::Barrier;
use wits_store::{Error, Store, Which};

/// A file as version 1 wrote it, kept word for word: it must open for ever.
const VERSION_1: &str = include_str!("version1.sql");

fn schema(place: &str) -> Vec<(String, String)> {
    let conn = Connection::open(place).unwrap();
    let sql = "SELECT name, coalesce(sql, '') FROM sqlite_schema ORDER BY name";
    let mut statement = conn.prepare(sql).unwrap();
    let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let rows = statement
        .query_map([], |r| Ok((r.get(0)?, words(r.get(1)?))))
        .unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn version_1_is_upgraded_with_all_it_holds() {
    let (old, new) = (Ground::file(), Ground::file());
    let (old_place, new_place) = (old.place.clone().unwrap(), new.place.clone().unwrap());
    Connection::open(&old_place)
        .unwrap()
        .execute_batch(VERSION_1)
        .unwrap();
    // Twice: the second time there is nothing to do.
    for next in 2..4 {
        let store = old.open();
        let (session, events) = store.load(id(1), 0).unwrap();
        assert_eq!((session.kind.as_str(), session.events), ("game", next));
        assert_eq!(events[1].body, json!({"move": "c5"}));
        assert_eq!(store.seats(id(1), "secret").unwrap(), [0]);
        assert_eq!(store.setting("theme").unwrap(), Some(json!("dark")));
        assert_eq!(store.count_results("cup").unwrap(), 0);
        store.append(id(1), next, &json!("more"), 4).unwrap();
    }
    drop(new.open());
    assert_eq!(
        schema(&old_place),
        schema(&new_place),
        "upgraded and new are the same"
    );
}

/// A file as version 2 wrote it, with what rooms kept then.
const VERSION_2: &str = "CREATE TABLE results (job TEXT PRIMARY KEY, run TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
    CREATE INDEX results_by_run ON results (run, job);
    CREATE TABLE scores (id TEXT PRIMARY KEY, room TEXT NOT NULL, board TEXT NOT NULL, name TEXT NOT NULL,
        points INTEGER NOT NULL, at INTEGER NOT NULL, detail TEXT NOT NULL) STRICT;
    CREATE INDEX scores_by_points ON scores (room, board, points DESC, at, id);
    CREATE TABLE blobs (kind TEXT NOT NULL, name TEXT NOT NULL, bytes BLOB NOT NULL, hash TEXT NOT NULL,
        at INTEGER NOT NULL, PRIMARY KEY (kind, name)) STRICT;
    PRAGMA user_version = 2;
    INSERT INTO blobs VALUES ('item', 'her', x'0102', 'h1', 5);
    INSERT INTO blobs VALUES ('timetable', 'anna', x'010203', 'h2', 7);
    INSERT INTO blobs VALUES ('scrabble-players', 'anna', x'01', 'h3', 9);";

#[test]
fn what_had_no_owner_belongs_to_the_house_after_the_upgrade() {
    let ground = Ground::file();
    let file = Connection::open(ground.place.as_ref().unwrap()).unwrap();
    file.execute_batch(&format!("{VERSION_1}{VERSION_2}"))
        .unwrap();
    drop(file);
    let store = ground.open();
    assert_eq!(store.item("item", "her").unwrap(), None, "nobody's");
    assert_eq!(store.blob("item", "her").unwrap().unwrap().bytes, [1, 2]);
    let anna = store.items("anna").unwrap();
    let seen: Vec<_> = anna
        .iter()
        .map(|i| (i.kind.as_str(), i.size, i.used))
        .collect();
    assert_eq!(seen, [("scrabble-players", 1, 9), ("timetable", 3, 7)]);
    // She came back then; nothing of hers goes until she is away for long.
    assert_eq!(store.expire(9, i64::MAX).unwrap().items, 0);
    assert_eq!(store.expire(10, i64::MAX).unwrap().items, 2);
    assert!(store.blob("item", "her").unwrap().is_some());
}

#[test]
fn newer_and_foreign_files_are_refused_unchanged() {
    let set_up = [
        (
            "PRAGMA application_id = 0x77697473; PRAGMA user_version = 99; CREATE TABLE t (a)",
            true,
        ),
        (
            "PRAGMA user_version = 1; CREATE TABLE somebody_elses (a)",
            false,
        ),
        ("CREATE TABLE sessions (id)", false),
    ];
    for (sql, newer) in set_up {
        let ground = Ground::file();
        let place = ground.place.as_ref().unwrap();
        Connection::open(place).unwrap().execute_batch(sql).unwrap();
        let before = std::fs::read(place).unwrap();
        let error = Store::sqlite(place).unwrap_err();
        match error {
            Error::NewerSchema {
                found: 99,
                known: 3,
            } if newer => {}
            Error::Corrupt { .. } if !newer => {}
            other => panic!("{sql}: {other}"),
        }
        assert!(std::fs::read(place).unwrap() == before, "{sql}");
    }
}

#[test]
fn a_new_file_opened_by_many_at_once_is_made_once() {
    for _ in 0..30 {
        let ground = Ground::file();
        let (place, start) = (ground.place.as_ref().unwrap(), Barrier::new(4));
        std::thread::scope(|s| {
            for n in 0..4 {
                let start = &start;
                s.spawn(move || {
                    start.wait();
                    let store = Store::sqlite(place).unwrap();
                    store.create(id(n), "game", &json!({}), 1).unwrap();
                });
            }
        });
        assert_eq!(ground.open().count(Which::default()).unwrap(), 4);
    }
}
