//! Tournaments over many processes, with a real NATS server: workers, server and coordinator are killed
//! in the middle, and the table is that of an undisturbed run.
#![allow(
    clippy::doc_markdown,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "tests"
)]

mod common;
#[cfg(unix)]
#[path = "common/example.rs"]
mod example;
#[path = "../../queue/tests/contract/server.rs"]
mod nats;
#[cfg(feature = "postgres")]
#[path = "../../store/tests/contract/postgres.rs"]
mod postgres;

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::{run, timeless, wits};
use nats::NatsServer;
use serde_json::Value;
use wits_arena::Coordinator;
use wits_queue::{Parcel, Queue};
use wits_store::{Options, Store};

/// Long enough for anything on a machine that is busy with other things.
const LONG: Duration = Duration::from_mins(4);

/// Long enough games that there is something to kill on a quick machine, too.
const CUP: &str = r#"
game = "othello"
players = ["corners-greedy", "alphabeta:depth=5,eval=korman", "alphabeta:depth=5,eval=iago"]
games = 480
random-plies = 6
seed = 12
"#;
const JOBS: u64 = 720;

/// Waits for something, but not for ever.
fn until(what: &str, mut there: impl FnMut() -> bool) {
    let deadline = Instant::now() + LONG;
    while !there() {
        assert!(Instant::now() < deadline, "waited too long: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A process that does not outlive the test, however the test ends.
struct Process(Option<Child>);

impl Process {
    fn child(&mut self) -> &mut Child {
        self.0.as_mut().expect("only `end` takes it")
    }

    fn ended(&mut self) -> bool {
        self.child().try_wait().unwrap().is_some()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            // It may have ended already; then there is nothing to kill.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn start(folder: &Path, args: &[&str]) -> Process {
    let mut command = wits(folder);
    command.args(args).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    Process(Some(command.spawn().unwrap()))
}

fn worker(folder: &Path, url: &str) -> Process {
    start(
        folder,
        &["worker", "--nats", url, "--threads", "1", "--json"],
    )
}

/// What a process said in the end.
fn end(mut process: Process) -> Output {
    until("a process ends", || process.ended());
    let child = process.0.take().expect("nobody else takes it");
    child.wait_with_output().unwrap()
}

fn object(output: &Output) -> Value {
    let said = String::from_utf8_lossy(&output.stdout);
    let more = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said} {more}");
    serde_json::from_str(&said).unwrap()
}

fn json(folder: &Path, args: &[&str]) -> Value {
    object(&run(folder, &[args, &["--json"]].concat(), ""))
}

fn kill(process: &mut Process) {
    process.child().kill().unwrap();
    process.child().wait().unwrap();
}

/// Who is killed next.
enum Victim {
    Worker(usize),
    Server,
    Coordinator,
    All,
}

/// Kills everything in turn while a tournament is played, and looks at what comes of it.
fn survive(place: &[&str], folder: &Path, open: &dyn Fn() -> Option<Store>) {
    let Some(mut server) = NatsServer::start() else {
        return;
    };
    std::fs::write(folder.join("cup.toml"), CUP).unwrap();
    let whole = tempfile::tempdir().unwrap();
    std::fs::write(whole.path().join("cup.toml"), CUP).unwrap();
    let expected = timeless(json(whole.path(), &["arena", "run", "cup.toml"]));

    let url = server.url();
    let lead = || {
        let args = ["arena", "run", "cup.toml", "--nats", &url, "--json"];
        start(folder, &[&args[..], place].concat())
    };
    let done = || {
        let coordinator = open();
        let coordinator = coordinator.as_ref();
        coordinator.map_or(0, |store| {
            Coordinator::open(store, "cup").map_or(0, |c| c.done())
        })
    };
    let mut workers: Vec<Process> = (0..3).map(|_| worker(folder, &url)).collect();
    let mut leader = lead();
    let mut before = 0;
    let victims = [
        Victim::Worker(0),
        Victim::Coordinator,
        Victim::Server,
        Victim::Worker(1),
        Victim::All,
        Victim::Worker(2),
        Victim::Server,
        Victim::Coordinator,
    ];
    for (kills, victim) in victims.into_iter().enumerate() {
        // The killer waits until something new is in the store, so there is always something to lose.
        until("more results are stored", || {
            assert!(!leader.ended(), "the coordinator ended before kill {kills}");
            done() > before
        });
        before = done();
        assert!(before < JOBS, "kill {kills} comes in the middle");
        eprintln!("kill {kills} after {before} results");
        match victim {
            Victim::Worker(which) => {
                kill(&mut workers[which]);
                workers[which] = worker(folder, &url);
            }
            Victim::Server => {
                server.kill();
                server.up();
            }
            Victim::Coordinator => {
                kill(&mut leader);
                // Workers go on, and what they play waits for whoever comes.
                let queue = Queue::nats(&url, LONG, 3).unwrap();
                until("results wait", || {
                    queue.waiting().is_ok_and(|w| w.results > 0)
                });
                leader = lead();
            }
            Victim::All => {
                kill(&mut leader);
                server.kill();
                for one in &mut workers {
                    kill(one);
                }
                server.up();
                leader = lead();
                for one in &mut workers {
                    *one = worker(folder, &url);
                }
            }
        }
    }
    let last = object(&end(leader));
    assert!(last["resumed"].as_u64().unwrap() > 0);
    assert_eq!(timeless(last), expected, "the same table");
    let store = open().unwrap();
    let coordinator = Coordinator::open(&store, "cup").unwrap();
    assert_eq!(coordinator.done(), JOBS, "no job is lost");
    let shares: u64 = coordinator.workers().values().sum();
    assert_eq!(shares, JOBS, "none is counted twice");
    let stored = store.count_results(coordinator.run_id()).unwrap();
    assert_eq!(stored, JOBS, "nothing else is stored");

    // Who is still there leaves when told.
    let told = json(folder, &["arena", "drain", "--nats", &url]);
    assert_eq!(told["draining"].as_array().unwrap().len(), 3, "{told}");
    for one in workers {
        object(&end(one));
    }
}

#[test]
fn everything_is_killed_and_the_table_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("data/wits.sqlite");
    survive(&[], folder.path(), &|| {
        file.exists().then(|| Store::sqlite(&file).ok()).flatten()
    });
}

#[cfg(feature = "postgres")]
#[test]
fn the_same_with_postgresql() {
    let Some(server) = postgres::Server::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    survive(&["--database", &server.url], folder.path(), &|| {
        Store::open(&server.url, Options::default()).ok()
    });
}

/// The database goes away in the middle: the run ends with a sentence, and goes on when it is back.
#[cfg(feature = "postgres")]
#[test]
fn a_lost_database_is_named_and_nothing_is_lost() {
    let Some(server) = postgres::Server::start() else {
        return;
    };
    let own = server.own.as_ref().unwrap();
    let (folder, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for one in [&folder, &whole] {
        std::fs::write(one.path().join("cup.toml"), CUP).unwrap();
    }
    let expected = timeless(json(whole.path(), &["arena", "run", "cup.toml"]));
    let args = [
        "arena",
        "run",
        "cup.toml",
        "--json",
        "--database",
        &server.url,
    ];
    let child = start(folder.path(), &args);
    until("results are stored", || {
        let store = Store::open(&server.url, Options::default());
        store.is_ok_and(|s| Coordinator::open(&s, "cup").is_ok_and(|c| c.done() > 0))
    });
    assert!(own.down());
    let output = end(child);
    assert_eq!(output.status.code(), Some(2));
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let message = said["error"]["message"].as_str().unwrap();
    assert!(message.contains("database cannot be reached"), "{said}");
    assert!(
        said["error"]["hint"]
            .as_str()
            .unwrap()
            .contains("results so far are kept"),
        "{said}"
    );
    own.up();
    let last = object(&run(folder.path(), &args, ""));
    assert!(last["resumed"].as_u64().unwrap() > 0);
    assert_eq!(timeless(last), expected);
}

/// A test that fails in the middle leaves nothing running.
#[test]
fn processes_end_with_the_test_that_started_them() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut one = worker(folder.path(), &server.url());
    let running = std::path::PathBuf::from(format!("/proc/{}", one.child().id()));
    let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || {
        assert!(one.ended(), "still at work");
    }));
    assert!(failed.is_err());
    assert!(!running.exists(), "the worker outlived its test");
}

#[test]
fn a_worker_of_another_version_is_refused_with_a_sentence() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let queue = Queue::nats(&server.url(), LONG, 1).unwrap();
    let job = br#"{"id": "a", "version": "0.0.1", "what": "a job from another time"}"#;
    let parcel = Parcel {
        run: "old".to_owned(),
        job: "a".to_owned(),
        body: job.to_vec(),
    };
    queue.send(&[parcel]).unwrap();
    let output = end(worker(folder.path(), &server.url()));
    assert_eq!(output.status.code(), Some(2));
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(said["error"]["code"], "refused");
    let message = said["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("of wits 0.0.1") && message.contains(wits_arena::VERSION),
        "{message}"
    );
    let back = queue.take(LONG).unwrap().unwrap();
    assert_eq!(back.parcel.job, "a", "somebody else may play it");
}

/// A machine that lives in a file beats a worker that has never seen that file.
#[test]
fn files_of_players_are_carried_to_workers() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let home = here.path();
    object(&run(home, &["matchbox", "new", "her.json", "--json"], ""));
    let url = server.url();
    let cup = [
        "arena",
        "run",
        "--game",
        "hexapawn",
        "--player",
        "matchbox:file=her.json,learn=false",
        "--player",
        "random",
        "--games",
        "40",
        "--seed",
        "3",
    ];
    let named = |name: &'static str| [&cup[..], &["--name", name]].concat();
    let mut expected = timeless(json(home, &named("alone")));
    let one = worker(there.path(), &url);
    let mut spread = timeless(json(
        home,
        &[&named("spread")[..], &["--nats", &url]].concat(),
    ));
    for table in [&mut expected, &mut spread] {
        // A run is called by what it plays and by its name.
        for key in ["name", "run"] {
            table.as_object_mut().unwrap().remove(key);
        }
    }
    assert_eq!(spread, expected);
    json(home, &["arena", "drain", "--nats", &url]);
    let left = object(&end(one));
    assert!(left["jobs"].as_u64().unwrap() >= 20, "{left}");
}

/// A worker starts the programs of its folder, by their names. One without them gives the job back.
#[cfg(unix)]
#[test]
fn programs_are_started_by_name_where_a_worker_has_them() {
    use std::os::unix::fs::PermissionsExt;
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let clients = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../clients/python");
    let programs = there.path().join("programs");
    std::fs::create_dir(&programs).unwrap();
    std::fs::copy(clients.join("wits_bot.py"), programs.join("wits_bot.py")).unwrap();
    let code = std::fs::read_to_string(clients.join("random_bot.py")).unwrap();
    let mine = programs.join("mine");
    std::fs::write(&mine, format!("#!/usr/bin/env -S python3 -B\n{code}")).unwrap();
    std::fs::set_permissions(&mine, std::fs::Permissions::from_mode(0o755)).unwrap();
    let url = server.url();
    let lead = start(
        here.path(),
        &[
            "arena",
            "run",
            "--game",
            "hexapawn",
            "--player",
            "program:run=mine",
            "--player",
            "random",
            "--games",
            "10",
            "--nats",
            &url,
            "--json",
        ],
    );
    let without = end(worker(there.path(), &url));
    assert_eq!(without.status.code(), Some(2));
    let said: Value = serde_json::from_slice(&without.stdout).unwrap();
    let message = said["error"]["message"].as_str().unwrap();
    assert!(message.contains("program"), "{message}");
    let with = start(
        there.path(),
        &[
            "worker",
            "--nats",
            &url,
            "--threads",
            "1",
            "--programs",
            "programs",
            "--json",
        ],
    );
    let table = object(&end(lead));
    assert_eq!(table["games"], 10, "{table}");
    for row in table["players"].as_array().unwrap() {
        let faults = row["faults"].as_object().unwrap();
        assert!(faults.values().all(|n| n == 0), "{row}");
    }
    json(here.path(), &["arena", "drain", "--nats", &url]);
    let left = object(&end(with));
    assert_eq!(left["jobs"], 5, "{left}");
}

#[test]
fn status_stop_and_drain() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // Long enough to be stopped in the middle.
    std::fs::write(
        here.join("cup.toml"),
        CUP.replace("games = 480", "games = 4000"),
    )
    .unwrap();
    let url = server.url();
    let mut ann = start(
        here,
        &[
            "worker",
            "--nats",
            &url,
            "--threads",
            "1",
            "--name",
            "ann",
            "--json",
        ],
    );
    let bob = start(
        here,
        &[
            "worker",
            "--nats",
            &url,
            "--threads",
            "1",
            "--name",
            "bob",
            "--json",
        ],
    );
    let lead = ["arena", "run", "cup.toml", "--nats", &url, "--json"];
    let leader = start(here, &lead);
    let status = || json(here, &["arena", "status", "--nats", &url]);
    let mut seen = Value::Null;
    until("two workers play, and it is written down", || {
        seen = status();
        let live = &seen["tournaments"][0]["live"];
        live["workers"].as_array().is_some_and(|w| w.len() == 2)
            && live["speed"].as_f64().is_some_and(|s| s > 0.0)
            && seen["queue"]["jobs_per_second"].as_f64().unwrap() > 0.0
    });
    assert_eq!(seen["queue"]["coordinators"][0]["leads"], "cup");
    assert_eq!(seen["queue"]["workers"][0]["name"], "ann");
    assert!(seen["queue"]["jobs"].is_u64(), "{seen}");
    // The page, which reads the store alone, shows the same.
    let house = common::Server::start(here, &[]);
    let mut me = wits_web::testing::Client::new(house.address);
    until("the page shows who plays", || {
        let page = me.get("/arena/run?name=cup").unwrap().body;
        page.contains("id=\"workers\"") && page.contains("ann") && page.contains("bob")
    });
    drop(house);
    // A second coordinator of the same run is sent away.
    let second = end(start(here, &lead));
    assert_eq!(second.status.code(), Some(2));
    let said = String::from_utf8(second.stdout).unwrap();
    assert!(
        said.contains("leads `cup` already") && said.contains("arena stop"),
        "{said}"
    );

    // SIGTERM: the job in hand is finished, then the worker leaves.
    let signal = Command::new("kill")
        .args(["-TERM", &ann.child().id().to_string()])
        .status();
    assert!(signal.unwrap().success());
    until("ann leaves", || ann.ended());
    let left = object(&end(ann));
    assert_eq!(left["worker"], "ann");
    assert!(left["jobs"].as_u64().unwrap() > 0, "{left}");

    assert_eq!(
        json(here, &["arena", "stop", "cup", "--nats", &url])["stopped"],
        "cup"
    );
    let table = object(&end(leader));
    assert_eq!(table["finished"], false);
    assert!(table["done"].as_u64().unwrap() > 0);
    let again = run(here, &["arena", "stop", "cup", "--nats", &url], "");
    assert_eq!(again.status.code(), Some(2));
    let said = String::from_utf8(again.stderr).unwrap();
    assert!(said.contains("nobody leads `cup`"), "{said}");

    assert_eq!(
        json(here, &["arena", "drain", "bob", "--nats", &url])["draining"][0],
        "bob"
    );
    object(&end(bob));
    let nobody = run(here, &["arena", "drain", "bob", "--nats", &url], "");
    assert_eq!(nobody.status.code(), Some(2));
    // Jobs of the stopped run were taken back, and nobody is there.
    let seen = status();
    assert_eq!(seen["queue"]["jobs"], 0, "{seen}");
    assert_eq!(seen["queue"]["workers"].as_array().unwrap().len(), 0);
    assert!(seen["tournaments"][0]["live"].is_null(), "{seen}");
}

/// The examples of the manual that need a server. A command that ends with `&` goes on beside the
/// others; one whose output is not there yet is asked again, since workers take their time to come.
#[cfg(unix)]
#[test]
fn the_manual_is_true_of_many_machines() {
    use example::{Folder, NATS, Piece, all_fit, docs, pieces};
    let Some(server) = NatsServer::start() else {
        return;
    };
    let page = std::fs::read_to_string(docs().join("commands.md")).unwrap();
    let folder = Folder::new();
    let printed = tempfile::tempdir().unwrap();
    let mut beside = Vec::new();
    let mut count = 0;
    for piece in pieces(&page, NATS) {
        let Piece::Example { command, output } = piece else {
            continue;
        };
        count += 1;
        let here = command.replace("nats://127.0.0.1:4222", &server.url());
        assert_ne!(here, command, "it names the server");
        let Some(line) = here.strip_suffix(" &") else {
            until(&command, || all_fit(&output, &folder.run(&here).0));
            continue;
        };
        let file = printed.path().join(count.to_string());
        let mut shell = folder.shell(&format!("exec {line}"));
        let to = std::fs::File::create(&file).unwrap();
        let child = shell.stdout(to).stderr(Stdio::null()).spawn();
        beside.push(Beside(child.unwrap()));
        until(&command, || {
            let said = folder.lines(&std::fs::read_to_string(&file).unwrap());
            said.len() >= output.len() && all_fit(&output, &said[..output.len()])
        });
    }
    assert!(count > 4, "{count} examples");
    // Who was stopped and who was sent home is gone.
    for mut one in beside {
        until("it leaves", || one.0.try_wait().unwrap().is_some());
    }
}

/// A process that does not outlive its test.
#[cfg(unix)]
struct Beside(Child);

#[cfg(unix)]
impl Drop for Beside {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn what_is_wrong_with_a_queue_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (args, says) in [
        (
            vec!["arena", "status", "--nats", "nats://127.0.0.1:1"],
            "cannot be reached",
        ),
        (
            vec!["worker", "--nats", "http://127.0.0.1"],
            "is not the address of a NATS server",
        ),
        (
            vec!["worker", "--nats", "nats://127.0.0.1:1", "--name", "a b"],
            "cannot be the name",
        ),
    ] {
        let output = run(here, &args, "");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.contains(says) && said.contains("hint: "),
            "{args:?}: {said}"
        );
    }
}
