//! Event streams, and clocks that jump.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::json;
use wits_play::Catalog;
use wits_store::Store;
use wits_web::testing::{Client, House, measured};

use crate::wire::{connect, head};
use crate::{begin, house, play, until};

/// The memory of this process that is in use, in KiB.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// What may wait for a listener that does not read, in all buffers between us and it.
const WAITING: usize = 320 << 10;

/// How many bytes a stream has until a line has come.
fn heard(mut stream: TcpStream, line: &str) -> usize {
    let (line, mut all, mut part) = (format!("{line}\n"), Vec::new(), [0; 16 << 10]);
    let mut looked = 0;
    loop {
        let count = stream.read(&mut part).unwrap();
        assert!(count > 0, "the stream ended before `{line}`");
        all.extend(&part[..count]);
        if String::from_utf8_lossy(&all[looked..]).contains(&line) {
            return all.len();
        }
        looked = all.len().saturating_sub(line.len());
    }
}

#[test]
fn a_hundred_streams_that_never_read() {
    // A game whose states are large, so that whoever kept them for each listener would be seen.
    let catalog = Catalog::new(vec![wits_othello::entry().erase()]);
    let house = House::open(catalog, Store::memory().unwrap(), |config| {
        // Small buffers, so that little is enough to fill them, and nobody is hung up on for not
        // reading: what waits is to be seen.
        config.send_buffer = Some(16 << 10);
        config.head_limit = 8 << 10;
        config.write_time = Duration::from_hours(1);
    });
    let mut me = house.visitor();
    let body = json!({"game": "othello", "seats": ["human", "random"], "seed": 7});
    let page = me.post("/games", &body).unwrap().json()["page"]
        .as_str()
        .unwrap()
        .to_owned();
    let request = head(house.address(), &format!("GET {page}/events"), "");
    let streams: Vec<TcpStream> = (0..100)
        .map(|_| {
            let mut stranger = connect(house.address());
            stranger.write_all(request.as_bytes()).unwrap();
            stranger
        })
        .collect();
    let before = memory();
    let mut waits = Vec::new();
    let (mut games, mut told) = (0, 0);
    let start = Instant::now();
    // Undone and played again: every move is told to all hundred, far more than may wait for one.
    while told < 2 * WAITING {
        assert!(start.elapsed() < Duration::from_mins(2), "{told} bytes");
        let begun = Instant::now();
        assert_eq!(play(&mut me, &page, 0, 1, "d3").0, 200);
        waits.push(begun.elapsed());
        until("the machine answers", || {
            let state = me.get(&format!("{page}/state")).unwrap();
            told += state.body.len() * usize::from(state.json()["ply"] == 2) * 3;
            state.json()["ply"] == 2
        });
        let undone = me.post(&format!("{page}/undo"), &json!({})).unwrap();
        assert_eq!(undone.status, 200, "{}", undone.body);
        games += 1;
    }
    waits.sort();
    let worst = waits[waits.len() - 1];
    assert!(worst < Duration::from_secs(5), "{worst:?}");
    let grown = memory()
        .zip(before)
        .map(|(now, then)| now.saturating_sub(then));
    assert!(
        grown.is_none_or(|kib| kib < 100 << 10),
        "the memory grew by {grown:?} KiB"
    );
    // Now they read: what had waited for them, and then the newest state.
    let mut fresh = me.listen(&format!("{page}/events"), None).unwrap();
    fresh.wait(|_| true).unwrap();
    let newest = fresh.raw.lines().find(|l| l.starts_with("id: ")).unwrap();
    let waited = streams.into_iter().map(|stream| heard(stream, newest));
    let most = waited.max().unwrap();
    assert!(
        most < WAITING,
        "{most} of {told} bytes waited for one who did not read"
    );
    measured(
        "unread-streams",
        format!(
            "{games} rounds, {} KiB told to each of 100 with buffers of 16 KiB: at most {} KiB waited for one; slowest move {} ms, memory grew by {} KiB",
            told >> 10,
            most >> 10,
            worst.as_millis(),
            grown.map_or("unknown".to_owned(), |kib| kib.to_string())
        ),
    );
}

#[test]
fn a_session_has_its_share_of_streams() {
    let house = house(|config| config.per_session = 5);
    let mut me = house.visitor();
    let page = begin(&mut me, &["human", "human"]);
    let path = format!("{page}/events");
    let mut streams: Vec<_> = (0..5).map(|_| me.listen(&path, None).unwrap()).collect();
    for stream in &mut streams {
        stream.wait(|_| true).unwrap();
    }
    // Only the first line is read: a stream that was let in would not end.
    let mut sixth = connect(house.address());
    let cookie = format!("cookie: wits={}\r\n", me.cookies["wits"]);
    let request = head(house.address(), &format!("GET {path}"), &cookie);
    sixth.write_all(request.as_bytes()).unwrap();
    let mut answer = [0; 12];
    sixth.read_exact(&mut answer).unwrap();
    assert_eq!(&answer[..], b"HTTP/1.1 503");
    let mut other = house.visitor();
    begin(&mut other, &["human", "human"]);
    let mut theirs = other.listen(&path, None).unwrap();
    theirs.wait(|_| true).unwrap();
    streams.pop();
    until("a closed one makes room", || {
        let Ok(mut stream) = me.listen(&path, None) else {
            return false;
        };
        stream.wait(|_| true).is_ok()
    });
    measured(
        "streams-per-session",
        "limit set to 5: the sixth 503, another session served",
    );
}

#[test]
fn one_address_leaves_streams_for_others() {
    let house = house(|config| config.streams = 8);
    let mut owner = house.visitor();
    let page = begin(&mut owner, &["human", "human"]);
    let path = format!("{page}/events");
    let opens = |client: &Client| {
        let mut stream = client.listen(&path, None).ok()?;
        stream.wait(|_| true).ok()?;
        Some(stream)
    };
    // Each with a cookie of its own.
    let crowd: Vec<Client> = (0..8).map(|_| house.visitor()).collect();
    let held: Vec<_> = crowd.iter().map(opens).collect();
    let count = held.iter().flatten().count();
    assert_eq!(count, 6, "a quarter of the places is left");
    let other = Client::at(house.address(), [127, 0, 0, 3].into());
    let theirs = opens(&other);
    assert!(theirs.is_some(), "another address is served");
    drop(held);
    until("who left makes room", || opens(&crowd[7]).is_some());
    measured(
        "streams-per-address",
        format!(
            "limit set to 8: of 8 sessions of one address {count} listened, another address as well"
        ),
    );
}

/// What a broken clock adds to the time of day.
static JUMP: AtomicI64 = AtomicI64::new(0);

fn broken_clock() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    now.as_micros() as i64 + JUMP.load(Ordering::Relaxed)
}

#[test]
fn clocks_that_jump_take_nobodys_game() {
    const HOUR: i64 = 3_600_000_000;
    let house = house(|config| config.clock = broken_clock);
    let mut me = house.visitor();
    let body =
        json!({"game": "tictactoe", "seats": ["human", "human"], "clock": "game", "seconds": 600});
    let page = me.post("/games", &body).unwrap().json()["page"]
        .as_str()
        .unwrap()
        .to_owned();
    me.post(&format!("{page}/sit"), &json!({"seat": 2}))
        .unwrap();
    let jumps = [HOUR, -HOUR, 24 * HOUR, -1_000 * HOUR, 0];
    for (ply, (jump, square)) in jumps
        .into_iter()
        .zip(["a1", "b2", "c1", "b1", "b3"])
        .enumerate()
    {
        JUMP.store(jump, Ordering::Relaxed);
        // Two rounds of the one that ends games whose clocks have run out.
        std::thread::sleep(Duration::from_millis(1_100));
        let ply = ply as u64;
        let (status, said) = play(&mut me, &page, ply, 1 + ply % 2, square);
        assert_eq!(status, 200, "after a jump of {jump} µs: {said}");
        assert!(said["state"]["over"].is_null(), "{said}");
    }
    JUMP.store(0, Ordering::Relaxed);
    let state = me.get(&format!("{page}/state")).unwrap().json();
    assert_eq!(state["moves"].as_array().unwrap().len(), 5);
    measured(
        "clock-jumps",
        "jumps of +1 h, -1 h, +24 h, -1,000 h: 5 of 5 moves kept, no game lost",
    );
}
