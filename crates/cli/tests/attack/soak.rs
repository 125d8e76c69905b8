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

#[test]
fn soak() {
    let seconds = number("WITS_SOAK", 8);
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let (stop, asked) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut sizes = Vec::new();
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
        while start.elapsed() < Duration::from_secs(seconds) {
            std::thread::sleep(Duration::from_millis(250));
            sizes.extend(memory(server.pid()));
        }
        stop.store(true, Ordering::Relaxed);
        for worker in workers {
            worker.join().unwrap().unwrap();
        }
    });
    let asked = asked.load(Ordering::Relaxed);
    assert!(asked > 20, "{asked}");
    if sizes.len() < 8 {
        measured(
            "soak",
            format!("{asked} requests, no error; memory is not told here"),
        );
        return;
    }
    // Games that are up stay in memory, a thousand at most: the second half is compared with the
    // end of the first, each by its middle value.
    let middle = |part: &[u64]| {
        let mut part = part.to_vec();
        part.sort_unstable();
        part[part.len() / 2]
    };
    let quarter = sizes.len() / 4;
    let (early, late) = (
        middle(&sizes[quarter..2 * quarter]),
        middle(&sizes[3 * quarter..]),
    );
    assert!(
        late < early + early / 5 + (20 << 10),
        "{early} KiB grew to {late} KiB in {seconds} s"
    );
    measured(
        "soak",
        format!(
            "{seconds} s, {asked} requests, no error; {early} KiB in the second quarter, {late} KiB in the last"
        ),
    );
}
