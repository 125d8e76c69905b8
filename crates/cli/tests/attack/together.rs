//! Every attack at once from twenty sessions of one address, while somebody elsewhere plays a game of
//! Othello to its end and looks around.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use wits_web::testing::{Client, measured};

use crate::arsenal::{
    ENDLESS, GREEDY, ask_dear, bombs, coded, crafted, large_table, large_timetable, start_grid,
};
use crate::common::Server;
use crate::watch::{
    ATTACKER, Bars, MEMORY, ROOMS, Raise, Seen, VICTIM, alone, ask_on, bars, calm, house, in_full,
    limit, look_around,
};

const FORM: [(&str, &str); 1] = [("content-type", "application/x-www-form-urlencoded")];

/// The kinds of attack; each session goes through all of them, from another one on.
const KINDS: usize = 13;

/// One attack of a session. What it leaves running is written down in `left`: a path and a form that
/// end it.
fn strike(me: &mut Client, kind: usize, round: usize, left: &mut Vec<(String, String)>) {
    let feed = "/transit/feed?name=x";
    let ask = |me: &mut Client, goal: &str| {
        let path = format!("/expert/query?goal={}", coded(goal));
        drop(me.send("GET", &path, &[("accept", "text/html")], ""));
    };
    let begin = |me: &mut Client, seats: [&str; 2]| {
        let body = json!({"game": "tictactoe", "seats": seats});
        let made = me.post("/games", &body).ok()?.json();
        made["page"].as_str().map(str::to_owned)
    };
    match kind % KINDS {
        0 => ask(me, ENDLESS[round % ENDLESS.len()]),
        1 => ask(me, GREEDY[round % GREEDY.len()]),
        2 => drop(me.send_bytes("POST", feed, &[], &crafted()[round % 3])),
        3 => drop(me.send_bytes("POST", feed, &[], &bombs()[round % 2])),
        4 => {
            // The dearest machine that is allowed, and one that is not; then away.
            begin(me, ["human", "mcts:nodes=1000000000"]);
            if let Some(page) = begin(me, ["mcts:nodes=1000000", "human"]) {
                drop(me.get(&format!("{page}/state")));
            }
        }
        5 => {
            // Somebody else's things.
            for (path, form) in [
                ("/matchbox/mine/reset", ""),
                ("/matchbox/mine/delete", ""),
                ("/expert/base/mine/delete", ""),
                ("/mine/delete", "kind=table&name=0"),
            ] {
                drop(me.send("POST", path, &FORM, form));
            }
        }
        6 => {
            me.cookies.clear();
            drop(me.send_bytes("POST", feed, &[], large_timetable()));
        }
        7 => {
            let slow = "mcts%3Anodes%3D1000000000";
            let order = format!(
                "game=othello&players={slow}%0A{slow}%2Cexploration%3D1&games=20&seed={round}"
            );
            let begun = me.send("POST", "/arena", &FORM, &order);
            let page = begun
                .ok()
                .and_then(|b| Some(b.json()["page"].as_str()?.to_owned()));
            if let Some((_, name)) = page.as_deref().and_then(|p| p.split_once("name=")) {
                left.push(("/arena/run/stop".to_owned(), format!("name={name}")));
            }
        }
        8 => {
            let host = [("host", "evil.example"), ("origin", "http://evil.example")];
            drop(me.send("GET", "/", &host, ""));
        }
        9 => {
            let csv = [("content-type", "text/csv")];
            drop(me.send("POST", "/learn/data?name=rows", &csv, large_table()));
        }
        10 => {
            if let Some(run) = start_grid(me) {
                left.push((format!("{run}/stop"), String::new()));
            }
        }
        11 => drop(ask_dear(me, round)),
        _ => {
            for seconds in ["NaN", "inf", "-1"] {
                let body = json!({"game": "tictactoe", "seats": ["human", "human"], "clock": "move", "seconds": seconds});
                drop(me.post("/games", &body));
            }
        }
    }
}

/// A session after the other from one place, until told to stop; then what still runs is ended. How many
/// attacks were made.
fn attack(server: &Server, from: IpAddr, first: usize, stop: &AtomicBool) -> u64 {
    let (mut round, mut made) = (first, 0);
    while !stop.load(Ordering::Relaxed) {
        // Cookies are free.
        let mut me = Client::at(server.address, from);
        let mut left = Vec::new();
        for _ in 0..4 {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            strike(&mut me, round, round / KINDS, &mut left);
            round += 1;
            made += 1;
        }
        for (path, form) in left {
            drop(me.send("POST", &path, &FORM, &form));
        }
    }
    made
}

/// A whole game of Othello against level 3: how long each reply took, and each page between.
fn play(me: &mut Client, seen: &mut Seen) {
    let body = json!({"game": "othello", "seats": ["human", "engine:level=3"]});
    let made = me.post("/games", &body).unwrap();
    let page = made.json()["page"]
        .as_str()
        .unwrap_or_else(|| panic!("{}", made.body))
        .to_owned();
    let mut stream = me.listen(&format!("{page}/events"), None).unwrap();
    let mine = |state: &serde_json::Value| state["turn"] == 1 || !state["over"].is_null();
    let mut state = stream.wait(mine).unwrap();
    while state["over"].is_null() {
        let target = state["scene"]["targets"][0]["text"]
            .as_str()
            .unwrap()
            .to_owned();
        let ply = state["ply"].as_u64().unwrap();
        let begun = Instant::now();
        let mv = json!({"ply": ply, "seat": 1, "move": target});
        let moved = me.post(&format!("{page}/move"), &mv).unwrap();
        assert_eq!(moved.status, 200, "{}", moved.body);
        state = stream
            .wait(|s| s["ply"].as_u64() > Some(ply) && mine(s))
            .unwrap();
        seen.replies.push(begun.elapsed());
        for _ in 0..3 {
            let path = ROOMS[seen.pages.len() % ROOMS.len()];
            let begun = Instant::now();
            let shown = me.get(path).unwrap();
            assert_eq!(shown.status, 200, "{path}: {}", shown.body);
            seen.pages.push(begun.elapsed());
        }
        // As quick as a very quick person, so that nobody is told to wait.
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn everything_at_once() {
    let _alone = alone();
    let lasts = Duration::from_secs(match bars() {
        Bars::Wide => 8,
        Bars::Brief => 25,
        Bars::Full => 60,
    });
    // Made before the clock runs.
    crafted();
    bombs();
    large_timetable();
    large_table();
    let mut told = vec![attacked_from(ATTACKER, lasts)];
    if in_full() {
        told.push(attacked_from(VICTIM, lasts));
    }
    if let [other, same] = &told[..] {
        measured(
            ROW,
            format!(
                "60 s, 20 sessions of one address, {KINDS} kinds; from another address: {other}; from the same one: {same}"
            ),
        );
    }
}

const ROW: &str = "everything-at-once";

/// Every attack from one address while somebody plays; what they saw.
fn attacked_from(from: IpAddr, lasts: Duration) -> String {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &["--metrics", "127.0.0.1:0"]);
    look_around(&mut Client::at(server.address, VICTIM));
    let before = house(server.pid());
    let (stop, most) = (AtomicBool::new(false), AtomicU64::new(0));
    let (seen, games, made) = std::thread::scope(|scope| {
        let raise = Raise(&stop);
        let attacks: Vec<_> = (0..20)
            .map(|n| {
                let (server, stop) = (&server, &stop);
                scope.spawn(move || attack(server, from, n, stop))
            })
            .collect();
        let scales = scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                most.fetch_max(house(server.pid()), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        let asker = scope.spawn(|| ask_on(&server, VICTIM, &stop));
        let (mut seen, mut games) = (Seen::default(), 0);
        let mut me = Client::at(server.address, VICTIM);
        me.patient = false;
        let end = Instant::now() + lasts;
        while Instant::now() < end {
            play(&mut me, &mut seen);
            games += 1;
        }
        drop(raise);
        let made: u64 = attacks.into_iter().map(|one| one.join().unwrap()).sum();
        scales.join().unwrap();
        seen.queries = (asker.join().unwrap(), from != VICTIM);
        seen.most_memory = most.load(Ordering::Relaxed).saturating_sub(before);
        (seen, games, made)
    });
    // Games that were left rest after ten seconds; everything else has ended, or was ended.
    calm(
        &server,
        ROW,
        Duration::from_secs(10) + limit(Duration::from_secs(2)),
    );
    let told = seen.hold(ROW, folder.path(), MEMORY);
    format!("{made} attacks, {games} games to their end, {told}")
}
