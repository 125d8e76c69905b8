//! The store of a server that is stopped, copied, cut short, or served twice.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use wits_play::Catalog;
use wits_store::Store;
use wits_web::testing::{Client, House, measured};

use crate::common::{Server, ask, refusal};

const SQUARES: [&str; 5] = ["a1", "b1", "c1", "a2", "c3"];

fn store(folder: &Path) -> PathBuf {
    folder.join("data/wits.sqlite")
}

fn size(path: PathBuf) -> u64 {
    fs::metadata(path).map_or(0, |m| m.len())
}

/// A new game with both seats ours and some moves; its page.
fn game(me: &mut Client, moves: usize) -> String {
    let body = json!({"game": "tictactoe", "seats": ["human", "human"]});
    let reply = me.post("/games", &body).unwrap();
    assert_eq!(reply.status, 201, "{}", reply.body);
    let page = reply.json()["page"].as_str().unwrap().to_owned();
    me.post(&format!("{page}/sit"), &json!({"seat": 2}))
        .unwrap();
    for (ply, text) in SQUARES.iter().enumerate().take(moves) {
        let body = json!({"ply": ply, "seat": 1 + ply % 2, "move": text});
        let reply = me.post(&format!("{page}/move"), &body).unwrap();
        assert_eq!(reply.status, 200, "{}", reply.body);
    }
    page
}

fn moves(me: &mut Client, page: &str) -> Option<usize> {
    let reply = me.get(&format!("{page}/state")).unwrap();
    let moves = reply.json()["moves"].as_array().map(Vec::len);
    (reply.status == 200).then_some(moves).flatten()
}

fn move_to(me: &mut Client, server: &Server) {
    me.address = server.address;
    me.origin = Some(format!("http://{}", server.address));
}

#[test]
fn a_stopped_server_leaves_one_file() {
    let mut waiting = Vec::new();
    for signal in ["TERM", "INT"] {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(folder.path(), &[]);
        let mut me = Client::new(server.address);
        let games: Vec<String> = (0..15).map(|n| game(&mut me, n % 6)).collect();
        // Somebody still listens, and a machine still thinks.
        let _stream = me.listen(&format!("{}/events", games[0]), None).unwrap();
        let long = json!({"game": "othello", "seats": ["mcts:nodes=1000000000", "human"]});
        me.post("/games", &long).unwrap();
        waiting.push(size(folder.path().join("data/wits.sqlite-wal")));
        assert_eq!(server.end(signal), Some(0), "{signal}");
        let copy = tempfile::tempdir().unwrap();
        fs::create_dir(copy.path().join("data")).unwrap();
        fs::copy(store(folder.path()), store(copy.path())).unwrap();
        let server = Server::start(copy.path(), &[]);
        move_to(&mut me, &server);
        for (n, page) in games.iter().enumerate() {
            assert_eq!(moves(&mut me, page), Some(n % 6), "{signal}: game {n}");
        }
    }
    assert!(waiting.iter().all(|&bytes| bytes > 100_000), "{waiting:?}");
    measured(
        "one-file",
        format!(
            "SIGTERM and SIGINT with {} and {} KiB in the log: the copied file alone holds 15 of 15 games with every move",
            waiting[0] / 1024,
            waiting[1] / 1024
        ),
    );
}

#[test]
fn backups_are_made_while_games_are_played() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut me = Client::new(server.address);
    let before: Vec<String> = (0..10).map(|_| game(&mut me, 5)).collect();
    let (going, me_too) = (AtomicBool::new(true), me.clone());
    let (made, played) = std::thread::scope(|s| {
        let player = s.spawn(|| {
            let (mut me, mut count) = (me_too, 0);
            while going.load(Ordering::Relaxed) {
                game(&mut me, 5);
                count += 1;
            }
            count
        });
        let made: Vec<Value> = (0..3)
            .map(|n| ask(folder.path(), &["backup", &format!("copy-{n}")], 0))
            .collect();
        going.store(false, Ordering::Relaxed);
        (made, player.join().unwrap())
    });
    for (n, told) in made.iter().enumerate() {
        let name = format!("copy-{n}");
        assert_eq!(told["file"], json!(name));
        assert_eq!(told["bytes"], json!(size(folder.path().join(&name))));
        assert!(told["sessions"].as_u64().unwrap() >= 10, "{told}");
    }
    let again = ask(folder.path(), &["backup", "copy-0"], 2);
    assert_eq!(
        again["error"]["code"], "file",
        "nothing is replaced: {again}"
    );
    // Nothing is put in the place of a store that is served.
    let refused = ask(folder.path(), &["restore", "copy-0"], 2);
    let message = refused["error"]["message"].as_str().unwrap();
    let named = format!("process {}", server.pid());
    assert!(message.contains(&named), "{message}");
    assert_eq!(moves(&mut me, &before[0]), Some(5));
    server.kill();
    let damaged = fs::read(folder.path().join("copy-0")).unwrap();
    fs::write(folder.path().join("half"), &damaged[..damaged.len() / 2]).unwrap();
    let refused = ask(folder.path(), &["restore", "half"], 2);
    assert_eq!(refused["error"]["code"], "backup", "{refused}");
    let back = ask(folder.path(), &["restore", "copy-0"], 0);
    assert_eq!(back["sessions"], made[0]["sessions"]);
    assert!(
        Path::new(back["aside"].as_str().unwrap()).exists(),
        "{back}"
    );
    let server = Server::start(folder.path(), &[]);
    move_to(&mut me, &server);
    for page in &before {
        assert_eq!(moves(&mut me, page), Some(5));
    }
    measured(
        "backups",
        format!(
            "3 backups while {played} games were played, each sound; restoring refused while a process served, and for half a file; afterwards 10 of 10 games with every move"
        ),
    );
}

#[test]
fn a_store_that_was_cut_is_not_served() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut me = Client::new(server.address);
    let games: Vec<String> = (0..60).map(|n| game(&mut me, n % 6)).collect();
    assert_eq!(server.end("TERM"), Some(0));
    let file = store(folder.path());
    let whole = fs::read(&file).unwrap();
    let left = whole.len() as u64 * 3 / 4;
    fs::write(&file, &whole[..left as usize]).unwrap();
    let (code, error) = refusal(folder.path(), &[]);
    assert_eq!(
        (code, error["code"].as_str()),
        (Some(2), Some("store")),
        "{error}"
    );
    let hint = error["hint"].as_str().unwrap();
    assert!(
        hint.contains("--salvage") && hint.contains("wits restore"),
        "{hint}"
    );
    assert_eq!(size(file), left, "left as it was");
    let server = Server::start(folder.path(), &["--salvage"]);
    move_to(&mut me, &server);
    let mut kept = 0;
    for (n, page) in games.iter().enumerate() {
        if let Some(left) = moves(&mut me, page) {
            assert!(left <= n % 6, "no move that was never made");
            kept += 1;
        }
    }
    assert!(kept > 0);
    game(&mut me, 5);
    let aside = folder.path().join("data/wits.sqlite.broken-1");
    assert_eq!(size(aside), left, "kept aside");
    measured(
        "cut-store",
        format!(
            "three quarters of {} KiB: exit code 2 with a sentence; with --salvage {kept} of 60 games served, the damaged file kept aside",
            whole.len() / 1024
        ),
    );
}

#[test]
fn a_store_without_a_version_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut me = Client::new(server.address);
    let page = game(&mut me, 5);
    assert_eq!(server.end("TERM"), Some(0));
    let file = store(folder.path());
    let mut bytes = fs::read(&file).unwrap();
    // `user_version`, by SQLite's description of its header.
    bytes[60..64].fill(0);
    fs::write(&file, &bytes).unwrap();
    let (code, error) = refusal(folder.path(), &[]);
    let message = error["message"].as_str().unwrap();
    assert_eq!(code, Some(2));
    assert!(message.contains("schema 0"), "{message}");
    assert!(!message.contains("CREATE"), "no SQL: {message}");
    let server = Server::start(folder.path(), &["--salvage"]);
    move_to(&mut me, &server);
    assert_eq!(moves(&mut me, &page), Some(5));
    measured(
        "store-version",
        "user_version 0: exit code 2, a sentence without SQL; with --salvage 1 of 1 games with its 5 moves",
    );
}

#[test]
fn a_store_is_served_once() {
    let folder = tempfile::tempdir().unwrap();
    let first = Server::start(folder.path(), &[]);
    let mut me = Client::new(first.address);
    let page = game(&mut me, 3);
    let (code, error) = refusal(folder.path(), &[]);
    let message = error["message"].as_str().unwrap();
    assert_eq!(code, Some(2));
    let named = format!("process {} serves this store", first.pid());
    assert!(message.contains(&named), "{message}");
    assert!(error["hint"].as_str().unwrap().contains("kill"), "{error}");
    assert_eq!(moves(&mut me, &page), Some(3), "the first goes on");
    // However it ends, its place is free.
    first.kill();
    let second = Server::start(folder.path(), &[]);
    move_to(&mut me, &second);
    assert_eq!(moves(&mut me, &page), Some(3));
    measured(
        "served-once",
        "the second of 2 servers: exit code 2 with the number of the first; after SIGKILL of the first the next starts at once",
    );
}

/// Two houses over one file: the command line lets nobody do that, but a program beside the server
/// may write, and who comes late must not get a 500.
#[test]
fn a_game_that_went_on_elsewhere_is_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let open = || {
        let catalog = Catalog::new(vec![wits_matchbox::tictactoe::entry().erase()]);
        let store = Store::sqlite(folder.path().join("wits.sqlite")).unwrap();
        House::open(catalog, store, |_| {})
    };
    let (first, second) = (open(), open());
    let mut here = first.visitor();
    let page = game(&mut here, 0);
    let mut there = second.visitor();
    there.cookies.clone_from(&here.cookies);
    let play = |me: &mut Client, ply: usize, text: &str| {
        let body = json!({"ply": ply, "seat": 1 + ply % 2, "move": text});
        let reply = me.post(&format!("{page}/move"), &body).unwrap();
        (reply.status, reply.json())
    };
    for me in [&mut here, &mut there] {
        assert_eq!(moves(me, &page), Some(0), "both have it in memory");
    }
    assert_eq!(play(&mut here, 0, "b2").0, 200);
    let (status, told) = play(&mut there, 0, "b2");
    assert_eq!((status, &told["played"]), (200, &json!(false)), "{told}");
    assert_eq!(play(&mut there, 1, "a1").0, 200);
    let (rival, told) = play(&mut here, 1, "c3");
    assert_eq!(told["error"]["code"], "ply", "{told}");
    assert_eq!(play(&mut there, 2, "c1").0, 200);
    let undo = here.post(&format!("{page}/undo"), &json!({})).unwrap();
    assert_eq!([rival, undo.status], [409, 409], "{}", undo.body);
    for me in [&mut here, &mut there] {
        assert_eq!(moves(me, &page), Some(3));
    }
    measured(
        "late-move",
        "2 houses over one file: a rival move and an undo got 409, the same move 200 and was played once, both show the same 3 moves",
    );
}
