//! A long day, shrunk: all kinds of use at once, and memory that stays flat.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use wits_web::testing::{Client, measured};

use crate::common::Server;
use crate::number;

/// The memory that a process holds, in KiB.
fn memory(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|l| l.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// One visitor's round: a game against a machine, a look around, a question or two.
fn round(me: &mut Client, n: u64) -> Result<u64, String> {
    let mut asked = 0;
    let mut expect = |reply: std::io::Result<wits_web::testing::Reply>, what: &str| {
        asked += 1;
        let reply = reply.map_err(|e| format!("{what}: {e}"))?;
        if [200, 201, 303, 409, 429, 503].contains(&reply.status) {
            return Ok(reply);
        }
        Err(format!("{what}: {} {}", reply.status, reply.body))
    };
    let body = json!({"game": "tictactoe", "seats": ["human", "mcts:nodes=200"]});
    let page = expect(me.post("/games", &body), "games")?.json()["page"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    if !page.is_empty() {
        let stream = me.listen(&format!("{page}/events"), None);
        let mv = json!({"ply": 0, "seat": 1, "move": "b2"});
        let moved = expect(me.post(&format!("{page}/move"), &mv), "move")?;
        expect(me.get(&page), "page")?;
        // Who was asked to come more slowly has nothing to wait for, or no stream to wait with.
        if let (Ok(mut stream), 200) = (stream, moved.status) {
            let seen = stream.wait(|s| s["ply"].as_u64() >= Some(1));
            if !stream.raw.starts_with("HTTP/1.1 429") {
                seen.map_err(|e| format!("{page} after a move: {e}; {}", stream.raw))?;
            }
        }
        expect(
            me.post(&format!("{page}/resign"), &json!({"seat": 1})),
            "resign",
        )?;
        expect(me.get(&format!("{page}/record")), "record")?;
    }
    let pages = [
        "/",
        "/othello",
        "/thue",
        "/rainbow",
        "/expert",
        "/learn",
        "/transit",
        "/arena",
        "/matchbox",
        "/thue?word=abacaba",
        "/threads",
    ];
    let path = pages[(n as usize) % pages.len()];
    expect(me.get(path), path)?;
    Ok(asked)
}

/// So many requests show what each leaves behind.
const ENOUGH: u64 = 2_000;
/// How long a slow machine gets for them.
const PATIENCE: Duration = Duration::from_secs(90);
/// What a request may leave behind, in KiB: games that are up stay in memory, one for seven requests.
const EACH: u64 = 8;
/// What may come and go at any time, in KiB.
const SLACK: u64 = 4 << 10;

#[test]
fn soak() {
    let seconds = number("WITS_SOAK", 8);
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut took = 0;
    let (stop, asked) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut seen = Vec::new();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut n = 0;
                    while !stop.load(Ordering::Relaxed) {
                        // Somebody new each time, as on a busy day.
                        let mut me = Client::new(server.address);
                        n += 1;
                        asked.fetch_add(round(&mut me, n)?, Ordering::Relaxed);
                    }
                    Ok::<(), String>(())
                })
            })
            .collect();
        let start = Instant::now();
        // On a slow machine it takes longer until enough was asked to see a little stay each time.
        let enough = || asked.load(Ordering::Relaxed) >= ENOUGH;
        while start.elapsed() < Duration::from_secs(seconds)
            || (!enough() && start.elapsed() < PATIENCE)
        {
            std::thread::sleep(Duration::from_millis(250));
            let asked = asked.load(Ordering::Relaxed);
            seen.extend(memory(server.pid()).map(|size| (size, asked)));
            if workers
                .iter()
                .any(std::thread::ScopedJoinHandle::is_finished)
            {
                break;
            }
        }
        took = start.elapsed().as_secs();
        stop.store(true, Ordering::Relaxed);
        for worker in workers {
            worker.join().unwrap().unwrap();
        }
    });
    let asked = asked.load(Ordering::Relaxed);
    assert!(asked > 20, "{asked}");
    if seen.len() < 8 {
        measured(
            "soak",
            format!("{asked} requests, no error; memory is not told here"),
        );
        return;
    }
    // Games that are up stay in memory, a thousand at most: the second half is compared with the
    // end of the first, each by its middle value.
    let middle = |part: &[(u64, u64)]| {
        let mut part = part.to_vec();
        part.sort_unstable();
        part[part.len() / 2]
    };
    let quarter = seen.len() / 4;
    let (early, at) = middle(&seen[quarter..2 * quarter]);
    let (late, then) = middle(&seen[3 * quarter..]);
    let (grown, between) = (late.saturating_sub(early), then.saturating_sub(at).max(1));
    let said = format!(
        "{early} KiB in the second quarter, {late} KiB in the last: {} KiB for each of {between} requests between",
        grown / between
    );
    assert!(grown < early / 5 + SLACK, "{said}");
    assert!(grown < EACH * between + SLACK, "{said}");
    measured(
        "soak",
        format!("{took} s, {asked} requests, no error; {said}"),
    );
}
