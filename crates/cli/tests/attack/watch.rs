//! Somebody who plays while the house is under attack, and what they see of it.
//!
//! Where `WITS_BARS` is set, the limits are those of the page `docs/security.md`; that wants a machine that
//! does nothing else. `WITS_BARS=brief` makes a few attacks, any other value all of them, from another
//! address and from the same one.

use std::net::IpAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use serde_json::json;
use wits_web::testing::{Client, measured};

use crate::common::Server;

pub(crate) const ATTACKER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 2));
pub(crate) const VICTIM: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 3));

/// One attack at a time: they are measured.
static ALONE: Mutex<()> = Mutex::new(());

/// Waits for the other attacks to end.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How much is done, and what it is held against.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bars {
    /// A few attacks beside other tests, with limits ten times as wide.
    Wide,
    /// The same with the limits of the page.
    Brief,
    /// All attacks, from another address and from the same one, with the limits of the page.
    Full,
}

/// What `WITS_BARS` asks for.
pub(crate) fn bars() -> Bars {
    match std::env::var("WITS_BARS").as_deref() {
        Err(_) => Bars::Wide,
        Ok("brief") => Bars::Brief,
        Ok(_) => Bars::Full,
    }
}

pub(crate) fn in_full() -> bool {
    bars() == Bars::Full
}

pub(crate) fn limit(strict: Duration) -> Duration {
    if bars() == Bars::Wide {
        strict * 10
    } else {
        strict
    }
}

/// A reply of a machine at a cheap level.
pub(crate) const REPLY: Duration = Duration::from_secs(2);
/// A page, at the 99th percentile.
pub(crate) const PAGE: Duration = Duration::from_millis(200);
/// What the house may need more than before, in KiB.
pub(crate) const MEMORY: u64 = 1 << 20;
/// The same where a few attacks are made: what two sandboxes may take, and as much for the rest.
const LITTLE_MEMORY: u64 = MEMORY / 2;

/// What may lie on disk afterwards, in MiB: what one address may keep, and as much for the log.
pub(crate) const DISK: u64 = 512;

/// The processes that a process has started, and theirs.
pub(crate) fn children(of: u32) -> Vec<u32> {
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
pub(crate) fn ticks(pid: u32) -> u64 {
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

/// The memory of the whole house. A child that has not started its program yet still has the memory of the server, which
/// is counted once.
pub(crate) fn house(pid: u32) -> u64 {
    let program = |pid: u32| std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let server = program(pid);
    let started = |child: &u32| program(*child) != server;
    let children = children(pid).into_iter().filter(started);
    children.chain([pid]).map(resident).sum()
}

/// What the files of a folder take, in MiB.
pub(crate) fn on_disk(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let size = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(data) if data.is_dir() => on_disk(&entry.path()) << 20,
        Ok(data) => data.len(),
        Err(_) => 0,
    };
    entries.map(size).sum::<u64>() >> 20
}

/// What a server is still busy with: its children, and the searches on its threads.
pub(crate) fn busy(server: &Server) -> Option<String> {
    let left = children(server.pid());
    if !left.is_empty() {
        return Some(format!("the processes {left:?}"));
    }
    let figures = Client::new(server.metrics?).get("/metrics").unwrap().body;
    let figure = |name: &str| -> u64 {
        let line = figures
            .lines()
            .find_map(|l| l.strip_prefix(name)?.strip_prefix(' '));
        line.and_then(|n| n.parse().ok())
            .unwrap_or_else(|| panic!("no {name} in {figures}"))
    };
    let names = ["wits_jobs_running", "wits_jobs_waiting"];
    let searches: u64 = names.map(figure).iter().sum();
    (searches > 0).then(|| format!("{searches} searches"))
}

/// Waits until nothing runs for anybody any more.
pub(crate) fn calm(server: &Server, row: &str, within: Duration) {
    let until = Instant::now() + within;
    while let Some(left) = busy(server) {
        assert!(Instant::now() < until, "{row}: {left} are still at work");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// What somebody else saw while the house was under attack.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) replies: Vec<Duration>,
    pub(crate) pages: Vec<Duration>,
    /// Small queries, and whether they are held against the limit: those of one address wait for each
    /// other.
    pub(crate) queries: (Vec<Duration>, bool),
    pub(crate) most_memory: u64,
}

impl Seen {
    pub(crate) fn page_at_99(&self) -> Duration {
        let mut sorted = self.pages.clone();
        sorted.sort();
        let at = (sorted.len() * 99).div_ceil(100).saturating_sub(1);
        sorted.get(at).copied().unwrap_or_default()
    }

    /// Holds what was seen against the limits, and tells it.
    pub(crate) fn hold(&self, row: &str, data: &Path, most: u64) -> String {
        // What depends on no other program of the machine comes first.
        let (memory, disk) = (self.most_memory, on_disk(data));
        assert!(memory < most, "{row}: {memory} KiB more than before");
        assert!(disk < DISK, "{row}: {disk} MiB on disk");
        let slowest = |times: &[Duration]| times.iter().copied().max().unwrap_or_default();
        let (reply, page) = (slowest(&self.replies), self.page_at_99());
        assert!(reply < limit(REPLY), "{row}: a reply took {reply:?}");
        assert!(page < limit(PAGE), "{row}: pages took {page:?}");
        let (queries, held) = &self.queries;
        let query = slowest(queries);
        assert!(
            !held || query < limit(REPLY),
            "{row}: a small query took {query:?}"
        );
        format!(
            "{} replies, the slowest after {} ms; pages at the 99th percentile {} ms; {} small queries, the slowest after {} ms; {} MiB more than before, {disk} MiB on disk",
            self.replies.len(),
            reply.as_millis(),
            page.as_millis(),
            queries.len(),
            query.as_millis(),
            memory >> 10,
        )
    }
}

pub(crate) const ROOMS: [&str; 7] = [
    "/", "/othello", "/thue", "/rainbow", "/expert", "/learn", "/transit",
];

/// Opens every room once.
pub(crate) fn look_around(me: &mut Client) {
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

/// A person who asks something small again and again until told to stop: how long each answer took.
pub(crate) fn ask_on(server: &Server, from: IpAddr, stop: &AtomicBool) -> Vec<Duration> {
    let mut me = Client::at(server.address, from);
    me.patient = false;
    let mut times = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let begun = Instant::now();
        let html = [("accept", "text/html")];
        let path = "/expert/query?goal=X%20is%201%2B1.";
        let shown = me.send("GET", path, &html, "").unwrap();
        times.push(begun.elapsed());
        // Who waits for others of the same address for very long is told so in the end.
        let told = shown.body.contains("<code>2</code>") || shown.status == 503;
        assert!(told, "{}: {}", shown.status, shown.body);
        std::thread::sleep(Duration::from_millis(20));
    }
    times
}

/// Raises a flag when it goes, by a panic too.
pub(crate) struct Raise<'a>(pub(crate) &'a AtomicBool);

impl Drop for Raise<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Attacks a house of its own while somebody plays there; what was seen is held against the limits.
pub(crate) fn under_attack(row: &str, at_once: usize, attack: impl Fn(&mut Client, usize) + Sync) {
    let _alone = alone();
    let mut told = Vec::new();
    let (addresses, at_once) = if in_full() {
        (&[ATTACKER, VICTIM][..], at_once)
    } else {
        (&[ATTACKER][..], at_once.min(2))
    };
    for &attacker in addresses {
        let victim = VICTIM;
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(folder.path(), &["--metrics", "127.0.0.1:0"]);
        // The house at rest, once every page has been seen.
        look_around(&mut Client::at(server.address, victim));
        let before = house(server.pid());
        let stop = AtomicBool::new(false);
        let most = AtomicU64::new(0);
        let seen = std::thread::scope(|scope| {
            let person = scope.spawn(|| play_on(&server, victim, &stop));
            let asker = scope.spawn(|| ask_on(&server, victim, &stop));
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
            stop.store(true, Ordering::Relaxed);
            scales.join().unwrap();
            let (replies, pages) = person.join().unwrap();
            Seen {
                replies,
                pages,
                queries: (asker.join().unwrap(), attacker != victim),
                most_memory: most.load(Ordering::Relaxed).saturating_sub(before),
            }
        });
        let most = if in_full() { MEMORY } else { LITTLE_MEMORY };
        told.push(seen.hold(row, folder.path(), most));
        // What was begun is over two seconds later: no child is left, and nobody thinks.
        calm(&server, row, limit(Duration::from_secs(2)));
    }
    if let [other, same] = &told[..] {
        measured(
            row,
            format!("another address: {other}; the same address: {same}"),
        );
    }
}
