//! One visitor against everybody else: whatever is sent, others go on playing, the house keeps to
//! its memory, and nothing of the attack is left when its time is up.
//!
//! Where `WITS_BARS` is set, all attacks are made from another address and from the same one, and
//! the limits are those of the page `docs/security.md`; that wants a machine that does nothing else.
//! Without it two of each are made from another address, and the limits are five times as wide.

use std::net::IpAddr;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use serde_json::json;
use wits_web::testing::{Client, measured};

use crate::common::Server;

const ATTACKER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 2));
const VICTIM: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 3));

/// One attack at a time: they are measured.
static ALONE: Mutex<()> = Mutex::new(());

/// Whether everything is done in full and held against the limits of the page.
pub(crate) fn in_full() -> bool {
    std::env::var_os("WITS_BARS").is_some()
}

fn limit(strict: Duration) -> Duration {
    if in_full() { strict } else { strict * 5 }
}

/// A reply of a machine at a cheap level.
const REPLY: Duration = Duration::from_secs(2);
/// A page, at the 99th percentile.
const PAGE: Duration = Duration::from_millis(200);
/// What the house may need more than before, in KiB.
const MEMORY: u64 = 1 << 20;

/// What may lie on disk afterwards, in MiB: what one address may keep, and as much for the log.
const DISK: u64 = 512;

/// The processes that a process has started, and theirs.
fn children(of: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    for entry in all {
        let name = entry.file_name();
        let Some(pid) = name.to_str().and_then(|n| n.parse::<u32>().ok()) else {
            continue;
        };
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let after = stat.rsplit(')').next().unwrap_or_default();
        let parent = after.split_whitespace().nth(1).and_then(|p| p.parse().ok());
        if parent == Some(of) {
            found.push(pid);
        }
    }
    found
}

/// The processor time of a process, in hundredths of a second.
fn ticks(pid: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let user = after.split_whitespace().nth(11);
    user.and_then(|t| t.parse().ok()).unwrap_or(0)
}

/// The memory of a process, in KiB.
pub(crate) fn resident(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmRSS:"));
    line.and_then(|l| l.split_whitespace().nth(1)?.parse().ok())
        .unwrap_or(0)
}

/// The memory of the whole house.
fn house(pid: u32) -> u64 {
    children(pid).into_iter().chain([pid]).map(resident).sum()
}

/// What the files of a folder take, in MiB.
fn on_disk(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let size = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(data) if data.is_dir() => on_disk(&entry.path()) << 20,
        Ok(data) => data.len(),
        Err(_) => 0,
    };
    entries.map(size).sum::<u64>() >> 20
}

/// What somebody else saw while the house was under attack.
#[derive(Default)]
struct Seen {
    replies: Vec<Duration>,
    pages: Vec<Duration>,
    most_memory: u64,
}

impl Seen {
    fn slowest_reply(&self) -> Duration {
        self.replies.iter().copied().max().unwrap_or_default()
    }

    fn page_at_99(&self) -> Duration {
        let mut sorted = self.pages.clone();
        sorted.sort();
        let at = (sorted.len() * 99).div_ceil(100).saturating_sub(1);
        sorted.get(at).copied().unwrap_or_default()
    }
}

const ROOMS: [&str; 7] = [
    "/", "/othello", "/thue", "/rainbow", "/expert", "/learn", "/transit",
];

/// Opens every room once.
fn look_around(me: &mut Client) {
    for path in ROOMS {
        assert_eq!(me.get(path).unwrap().status, 200, "{path}");
    }
}

/// A person who plays and looks around until told to stop.
fn play_on(server: &Server, from: IpAddr, stop: &AtomicBool) -> (Vec<Duration>, Vec<Duration>) {
    let mut me = Client::at(server.address, from);
    me.patient = false;
    let (mut replies, mut pages) = (Vec::new(), Vec::new());
    let mut round = 0;
    while !stop.load(Ordering::Relaxed) {
        let body = json!({"game": "tictactoe", "seats": ["human", "alphabeta:depth=3"]});
        let made = me.post("/games", &body).unwrap();
        assert_eq!(made.status, 201, "{}", made.body);
        let page = made.json()["page"].as_str().unwrap().to_owned();
        let mut stream = me.listen(&format!("{page}/events"), None).unwrap();
        stream.wait(|_| true).unwrap();
        let begun = Instant::now();
        let mv = json!({"ply": 0, "seat": 1, "move": "b2"});
        let moved = me.post(&format!("{page}/move"), &mv).unwrap();
        assert_eq!(moved.status, 200, "{}", moved.body);
        stream.wait(|s| s["ply"].as_u64() >= Some(2)).unwrap();
        replies.push(begun.elapsed());
        for _ in 0..3 {
            round += 1;
            let begun = Instant::now();
            let path = ROOMS[round % ROOMS.len()];
            let shown = me.get(path).unwrap();
            assert_eq!(shown.status, 200, "{path}: {}", shown.body);
            pages.push(begun.elapsed());
        }
        let _ = me.post(&format!("{page}/resign"), &json!({"seat": 1}));
        std::thread::sleep(Duration::from_millis(20));
    }
    (replies, pages)
}

/// Raises a flag when it goes, by a panic too.
struct Raise<'a>(&'a AtomicBool);

impl Drop for Raise<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Attacks a house of its own while somebody plays there; what was seen is held against the limits.
pub(crate) fn under_attack(row: &str, at_once: usize, attack: impl Fn(&mut Client, usize) + Sync) {
    let _alone = ALONE
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut told = Vec::new();
    let (addresses, at_once) = if in_full() {
        (&[ATTACKER, VICTIM][..], at_once)
    } else {
        (&[ATTACKER][..], at_once.min(2))
    };
    for &attacker in addresses {
        let victim = VICTIM;
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(folder.path(), &[]);
        // The house at rest, once every page has been seen.
        look_around(&mut Client::at(server.address, victim));
        let before = house(server.pid());
        let stop = AtomicBool::new(false);
        let most = AtomicU64::new(0);
        let seen = std::thread::scope(|scope| {
            let person = scope.spawn(|| play_on(&server, victim, &stop));
            let scales = scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    most.fetch_max(house(server.pid()), Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(50));
                }
            });
            let attacks: Vec<_> = (0..at_once)
                .map(|n| {
                    let (server, attack) = (&server, &attack);
                    scope.spawn(move || attack(&mut Client::at(server.address, attacker), n))
                })
                .collect();
            let attacks: Vec<_> = attacks.into_iter().map(ScopedJoinHandle::join).collect();
            // Whoever plays and weighs is told to end, whatever comes now.
            let _end = Raise(&stop);
            for one in attacks {
                one.unwrap();
            }
            // What was begun is over two seconds later: no child is left, and nobody thinks.
            let until = Instant::now() + limit(Duration::from_secs(2));
            while !children(server.pid()).is_empty() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(20));
            }
            let left = children(server.pid());
            assert!(left.is_empty(), "{row}: {left:?} are still there");
            stop.store(true, Ordering::Relaxed);
            scales.join().unwrap();
            let (replies, pages) = person.join().unwrap();
            Seen {
                replies,
                pages,
                most_memory: most.load(Ordering::Relaxed).saturating_sub(before),
            }
        });
        let (reply, page) = (seen.slowest_reply(), seen.page_at_99());
        assert!(reply < limit(REPLY), "{row}: a reply took {reply:?}");
        assert!(page < limit(PAGE), "{row}: pages took {page:?}");
        assert!(
            seen.most_memory < MEMORY,
            "{row}: {} KiB more than before",
            seen.most_memory
        );
        let disk = on_disk(folder.path());
        assert!(disk < DISK, "{row}: {disk} MiB on disk");
        told.push(format!(
            "{} replies, the slowest after {} ms; pages at the 99th percentile {} ms; {} MiB more than before, {disk} MiB on disk",
            seen.replies.len(),
            reply.as_millis(),
            page.as_millis(),
            seen.most_memory >> 10,
        ));
    }
    if let [other, same] = &told[..] {
        measured(
            row,
            format!("another address: {other}; the same address: {same}"),
        );
    }
}

fn coded(goal: &str) -> String {
    goal.bytes().fold(String::new(), |mut out, b| {
        use std::fmt::Write as _;
        let _ = write!(out, "%{b:02X}");
        out
    })
}

/// Asks a goal on the page and reads what came of it.
fn ask(me: &mut Client, goal: &str) -> String {
    let path = format!("/expert/query?goal={}", coded(goal));
    let reply = me
        .send("GET", &path, &[("accept", "text/html")], "")
        .unwrap();
    // Who has much waiting is told so in the end.
    assert!([200, 503].contains(&reply.status), "{goal}: {}", reply.body);
    reply.body
}

/// Goals that never end, each with a step that takes long.
const ENDLESS: [&str; 5] = [
    "X is 3**2000000, repeat, Y is X*X mod 7, Y =:= 100.",
    "numlist(1,300000,L), between(1,100000000,_), copy_term(L,_), fail.",
    "numlist(1,300000,L), between(1,100000000,_), msort(L,_), fail.",
    "numlist(1,300000,L), between(1,100000000,_), format(atom(_),\"~w\",[L]), fail.",
    "numlist(1,300000,L), between(1,100000000,_), ground(L), fail.",
];

#[test]
fn endless_goals() {
    under_attack("endless-goals", ENDLESS.len(), |me, n| {
        let shown = ask(me, ENDLESS[n]);
        assert!(shown.contains("role=\"alert\""), "a sentence: {shown}");
    });
}

/// Goals that want all the memory there is.
const GREEDY: [&str; 5] = [
    "numlist(1,100000,L), atomic_list_concat(L,A), between(1,1000000,I), atom_concat(A,I,B), fail.",
    "numlist(1,1000,L), repeat, assertz(p(L)), fail.",
    "numlist(1,300000,L), findall(L, repeat, _).",
    "numlist(1,50000,L), sum_list(L,S).",
    "length(L,100000000), fail.",
];

#[test]
fn greedy_goals() {
    under_attack("greedy-goals", GREEDY.len(), |me, n| {
        ask(me, GREEDY[n]);
    });
}

#[test]
fn dear_machines() {
    under_attack("dear-machines", 5, |me, _| {
        let body = |nodes: u64| json!({"game": "tictactoe", "seats": ["human", format!("mcts:nodes={nodes}")]});
        let refused = me.post("/games", &body(1_000_000_000)).unwrap();
        assert_eq!(
            refused.json()["error"]["code"],
            "too-dear",
            "{}",
            refused.body
        );
        // Threads of a search's own would pass by the places that are shared out.
        let wide = "engine:seconds=9,threads=64,book=false";
        let table = json!({"game": "othello", "seats": ["human", wide]});
        let refused = me.post("/games", &table).unwrap();
        assert_eq!(
            refused.json()["error"]["code"],
            "too-dear",
            "{}",
            refused.body
        );
        // The dearest one that is allowed.
        let made = me.post("/games", &body(1_000_000)).unwrap();
        let page = made.json()["page"].as_str().unwrap().to_owned();
        let mut stream = me.listen(&format!("{page}/events"), None).unwrap();
        let mv = json!({"ply": 0, "seat": 1, "move": "b2"});
        me.post(&format!("{page}/move"), &mv).unwrap();
        stream.wait(|s| s["ply"].as_u64() >= Some(2)).unwrap();
    });
}

#[test]
fn pictures_on_foreign_pages_start_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut me = Client::new(server.address);
    me.origin = None;
    let path = format!("/expert/query?goal={}", coded(ENDLESS[0]));
    for accept in ["image/*", "text/html"] {
        let begun = Instant::now();
        let headers = [("accept", accept), ("sec-fetch-site", "cross-site")];
        let reply = me.send("GET", &path, &headers, "").unwrap();
        assert!(begun.elapsed() < limit(REPLY));
        assert!(children(server.pid()).is_empty(), "nothing was started");
        assert!(me.cookies.is_empty(), "no name for a foreign page");
        assert_eq!(reply.status, if accept == "text/html" { 200 } else { 403 });
        // The page shows the question, and runs it when its button is pressed.
        assert_eq!(
            reply.body.contains("action=\"/run\""),
            accept == "text/html"
        );
    }
    me.origin = Some(format!("http://{}", server.address));
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let to = "to=%2Fexpert%2Fquery%3Fgoal%3DX%2520is%25201%252B1.";
    let sent = me.send("POST", "/run", &form, to).unwrap();
    assert_eq!(sent.status, 303);
    let shown = me.get(sent.header("location").unwrap()).unwrap();
    assert!(shown.body.contains("<code>2</code>"), "{}", shown.body);
    let elsewhere = me
        .send("POST", "/run", &form, "to=%2F%2Fevil.example")
        .unwrap();
    assert_eq!(elsewhere.status, 422);
    measured(
        "foreign-pictures",
        "2 of 2 requests of a foreign page started nothing; the page that offers to run it did",
    );
}

#[test]
fn a_killed_server_leaves_no_process_behind() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let pid = server.pid();
    start_grid(&mut Client::at(server.address, ATTACKER));
    let until = Instant::now() + Duration::from_secs(30);
    // One that still waits for its job would end anyhow.
    let at_work = |pid: &u32| ticks(*pid) > 20;
    let mut started = Vec::new();
    while started.is_empty() && Instant::now() < until {
        started = children(pid);
        started.retain(at_work);
    }
    assert!(!started.is_empty(), "a sandbox was started");
    server.kill();
    let until = Instant::now() + limit(Duration::from_secs(1));
    let alive = |pid: &u32| std::path::Path::new(&format!("/proc/{pid}/exe")).exists();
    while started.iter().any(alive) && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!started.iter().any(alive), "{started:?} outlive the server");
    measured(
        "no-orphans",
        format!("{} sandbox ended with its server", started.len()),
    );
}

/// A table of 18,000 rows and 30 columns, whose classes are hard to tell apart.
fn large_table() -> String {
    let mut seed = 7_u64;
    let mut next = || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % 1000
    };
    let names: Vec<String> = (0..30).map(|n| format!("x{n}")).collect();
    let mut text = names.join(",") + ",class\n";
    for _ in 0..18_000 {
        let row: Vec<String> = (0..30).map(|_| next().to_string()).collect();
        text += &row.join(",");
        text += [",a\n", ",b\n", ",c\n"][next() as usize % 3];
    }
    text
}

/// Begins a grid that takes minutes; its address.
fn start_grid(me: &mut Client) -> String {
    let csv = [("content-type", "text/csv")];
    let sent = me.send("POST", "/learn/data?name=rows", &csv, &large_table());
    let page = sent.unwrap().json()["page"].as_str().unwrap().to_owned();
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let fields = "target=class&imputer=mean&transformer=passthrough&classifier=naive-bayes&classifier=svc-rbf&classifier=boosting";
    let sent = me.send("POST", &format!("{page}/grid"), &form, fields);
    let sent = sent.unwrap();
    sent.json()["page"]
        .as_str()
        .unwrap_or_else(|| panic!("{}", sent.body))
        .to_owned()
}

#[test]
fn a_stopped_grid_stops() {
    let _alone = ALONE
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut me = Client::at(server.address, VICTIM);
    let run = start_grid(&mut me);
    let mut events = me.listen(&format!("{run}/events"), None).unwrap();
    // Once something is known and a long fit is under way.
    while events.hear().unwrap().1["done"].as_u64() < Some(1) {}
    let begun = Instant::now();
    assert!(me.post(&format!("{run}/stop"), &json!({})).unwrap().status < 400);
    while events.hear().unwrap().0 != "over" {}
    let took = begun.elapsed();
    assert!(
        took < limit(Duration::from_secs(1)),
        "it took {took:?} to stop"
    );
    assert!(children(server.pid()).is_empty());
    let shown = me.get(&run).unwrap().body;
    measured(
        "grid-stop",
        format!(
            "a grid of svc-rbf and boosting on 18,000 x 30 ended after {} ms",
            took.as_millis()
        ),
    );
    assert!(shown.contains("Stopped: "), "{shown}");
}

/// Everything at once from twenty sessions of one address, while somebody elsewhere plays a game of
/// Othello to its end.
#[test]
fn everything_at_once() {
    let _alone = ALONE
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let lasts = Duration::from_secs(if in_full() { 60 } else { 8 });
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    look_around(&mut Client::at(server.address, VICTIM));
    let before = house(server.pid());
    let (end, most) = (Instant::now() + lasts, AtomicU64::new(0));
    let goals: Vec<&str> = ENDLESS.iter().chain(&GREEDY).copied().collect();
    let table = large_table();
    let asked = AtomicU64::new(0);
    let attack = |n: usize| {
        let mut round = n;
        while Instant::now() < end {
            // Cookies are free.
            let mut me = Client::at(server.address, ATTACKER);
            round += 1;
            asked.fetch_add(1, Ordering::Relaxed);
            match round % 4 {
                0 | 1 => drop(me.get(&format!(
                    "/expert/query?goal={}",
                    coded(goals[round % goals.len()])
                ))),
                2 => {
                    let body =
                        json!({"game": "tictactoe", "seats": ["mcts:nodes=1000000", "human"]});
                    let made = me.post("/games", &body).unwrap().json();
                    let page = made["page"].as_str().unwrap_or("/").to_owned();
                    drop(me.get(&format!("{page}/state")));
                }
                _ => drop(me.send(
                    "POST",
                    "/learn/data?name=rows",
                    &[("content-type", "text/csv")],
                    &table,
                )),
            }
        }
    };
    let (replies, games) = std::thread::scope(|scope| {
        let attacks: Vec<_> = (0..20)
            .map(|n| {
                let attack = &attack;
                scope.spawn(move || attack(n))
            })
            .collect();
        let scales = scope.spawn(|| {
            while Instant::now() < end {
                most.fetch_max(house(server.pid()), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        let (mut replies, mut games) = (Vec::new(), 0);
        let mut me = Client::at(server.address, VICTIM);
        while Instant::now() < end {
            replies.extend(othello(&mut me, end));
            games += 1;
        }
        for one in attacks {
            one.join().unwrap();
        }
        scales.join().unwrap();
        (replies, games)
    });
    let slowest = replies.iter().copied().max().unwrap_or_default();
    let memory = most.load(Ordering::Relaxed).saturating_sub(before);
    assert!(slowest < limit(REPLY), "a reply took {slowest:?}");
    assert!(memory < MEMORY, "{memory} KiB more than before");
    if in_full() {
        let asked = asked.load(Ordering::Relaxed);
        measured(
            "everything-at-once",
            format!(
                "60 s, 20 sessions of one address, {asked} attacks: {} replies in {games} games, the slowest after {} ms; {} MiB more than before",
                replies.len(),
                slowest.as_millis(),
                memory >> 10
            ),
        );
    }
}

/// Plays Othello against level 3 until the game or the time is over: how long each reply took.
fn othello(me: &mut Client, end: Instant) -> Vec<Duration> {
    let body = json!({"game": "othello", "seats": ["human", "engine:level=3"]});
    let made = me.post("/games", &body).unwrap();
    let page = made.json()["page"]
        .as_str()
        .unwrap_or_else(|| panic!("{}", made.body))
        .to_owned();
    let mut stream = me.listen(&format!("{page}/events"), None).unwrap();
    let mine = |state: &serde_json::Value| state["turn"] == 1 || !state["over"].is_null();
    let mut state = stream.wait(mine).unwrap();
    let mut replies = Vec::new();
    while state["over"].is_null() && Instant::now() < end {
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
        replies.push(begun.elapsed());
        // As quick as a very quick person, so that nobody is told to wait.
        std::thread::sleep(Duration::from_millis(20));
    }
    replies
}

/// Forty sessions of one address, as a class behind one router has them: all play and ask at once.
#[test]
fn a_class_behind_one_router() {
    let _alone = ALONE
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..40 {
            scope.spawn(|| {
                let mut me = Client::at(server.address, VICTIM);
                let body = json!({"game": "hexapawn", "seats": ["human", "alphabeta:depth=3"]});
                let page = me.post("/games", &body).unwrap().json()["page"].clone();
                let page = page.as_str().unwrap().to_owned();
                let mut stream = me.listen(&format!("{page}/events"), None).unwrap();
                let state = stream.wait(|s| s["turn"] == 1).unwrap();
                let target = state["scene"]["targets"][0]["text"].clone();
                let mv = json!({"ply": 0, "seat": 1, "move": target});
                assert_eq!(me.post(&format!("{page}/move"), &mv).unwrap().status, 200);
                stream.wait(|s| s["ply"].as_u64() >= Some(2)).unwrap();
                let shown = ask(&mut me, "part_parent(Part, Whole).");
                assert!(
                    shown.contains("id=\"answer\"") && !shown.contains("role=\"alert\""),
                    "{shown}"
                );
            });
        }
    });
    measured(
        "a-class",
        format!(
            "40 sessions of one address played and asked at once: all were answered within {:.1} s",
            begun.elapsed().as_secs_f64()
        ),
    );
}
