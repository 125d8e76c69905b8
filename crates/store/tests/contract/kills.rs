//! A process is killed while it writes; nothing it was told is written may be lost or doubled.

use crate::ground::Ground;
use crate::laws::id;
use serde_json::json;
use std::io::{BufRead, BufReader, Write, stderr};
use std::process::{Command, Stdio};
use std::time::Duration;
use wits_store::{Options, Store, Then};

const PLACE: &str = "WITS_STORE_KILLS_PLACE";
/// Events per append: a batch must never be there in part.
const BATCH: u64 = 3;

/// Not a test of its own: what the killed process does. It goes on from where the log ends and
/// says `ack N` after every batch that is written.
#[test]
#[ignore = "run by the tests that kill it"]
fn victim() {
    let Ok(place) = std::env::var(PLACE) else {
        return;
    };
    let store = Store::open(&place, Options::default()).unwrap();
    let mut seq = store.session(id(1)).unwrap().events;
    loop {
        let batch: Vec<_> = (seq..seq + BATCH).map(|n| json!({ "n": n })).collect();
        store
            .append_all(id(1), seq, &batch, Then::AsBefore, seq as i64)
            .unwrap();
        seq += BATCH;
        stderr()
            .write_all(format!("ack {seq}\n").as_bytes())
            .unwrap();
    }
}

pub(crate) fn check(ground: &Ground, kills: u32) {
    ground.open().create(id(1), "game", &json!({}), 0).unwrap();
    let mut acknowledged = 0;
    for kill in 0..kills {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["kills::victim", "--exact", "--ignored", "--nocapture"])
            .env(PLACE, ground.place.as_ref().unwrap())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        // After a few batches, and then a little later each time, so that kills fall everywhere
        // inside a write (which takes from 0.1 to some milliseconds).
        let read = |line: String| -> u64 {
            line.strip_prefix("ack ")
                .unwrap_or_else(|| panic!("{line}"))
                .parse()
                .unwrap()
        };
        for line in lines.by_ref().take(1 + kill as usize % 4) {
            acknowledged = read(line.unwrap());
        }
        std::thread::sleep(Duration::from_micros(u64::from(kill * 397 % 3_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        for line in lines {
            acknowledged = read(line.unwrap());
        }

        let (session, events) = ground.open().load(id(1), 0).unwrap();
        let seqs: Vec<u64> = events
            .iter()
            .map(|e| e.body["n"].as_u64().unwrap())
            .collect();
        assert_eq!(
            seqs,
            (0..session.events).collect::<Vec<_>>(),
            "each once, in order"
        );
        assert!(
            session.events >= acknowledged,
            "{acknowledged} were told to be written"
        );
        assert!(
            session.events <= acknowledged + BATCH,
            "one batch can be written but untold"
        );
        assert_eq!(
            session.events % BATCH,
            0,
            "a batch is there wholly or not at all"
        );
    }
    assert!(acknowledged >= u64::from(kills) * BATCH);
}
