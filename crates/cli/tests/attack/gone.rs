//! A database server that is gone for ten seconds, as a visitor sees it.

use std::time::{Duration, Instant};

use serde_json::json;
use wits_web::testing::{Client, Reply, measured};

use crate::common::Server;
use crate::postgres::Server as Database;

/// How long a visitor may wait for the sentence that the database is away.
const PATIENCE: Duration = Duration::from_secs(12);

#[test]
fn the_database_is_gone_for_ten_seconds() {
    let Some(database) = Database::start() else {
        return;
    };
    let own = database.own.as_ref().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &["--database", &database.url]);
    let mut me = Client::new(server.address);
    let body = json!({"game": "tictactoe", "seats": ["human", "human"]});
    let reply = me.post("/games", &body).unwrap();
    assert_eq!(reply.status, 201, "{}", reply.body);
    let page = reply.json()["page"].as_str().unwrap().to_owned();
    me.post(&format!("{page}/sit"), &json!({"seat": 2}))
        .unwrap();
    let play = |me: &mut Client, ply: usize, text: &str| -> Reply {
        let body = json!({"ply": ply, "seat": 1 + ply % 2, "move": text});
        me.post(&format!("{page}/move"), &body).unwrap()
    };
    assert_eq!(play(&mut me, 0, "b2").status, 200);

    assert!(own.down());
    let gone = Instant::now();
    let (mut refused, mut slowest) = (0, Duration::ZERO);
    while gone.elapsed() < Duration::from_secs(10) {
        let begun = Instant::now();
        let reply = play(&mut me, 1, "a1");
        slowest = slowest.max(begun.elapsed());
        assert_eq!(reply.status, 503, "{}", reply.body);
        let error = reply.json();
        for key in ["message", "hint"] {
            let said = error["error"][key].as_str().unwrap_or_default();
            assert!(!said.is_empty() && !said.contains("postgres://"), "{error}");
        }
        refused += 1;
        // What needs no database is served.
        assert_eq!(me.get("/threads").unwrap().status, 200);
        assert_eq!(me.get("/assets/wits.css").unwrap().status, 200);
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(slowest < PATIENCE, "{slowest:?}");

    own.up();
    let back = Instant::now();
    let mut reply = play(&mut me, 1, "a1");
    while reply.status == 503 && back.elapsed() < PATIENCE {
        reply = play(&mut me, 1, "a1");
    }
    assert_eq!(reply.status, 200, "it goes on: {}", reply.body);
    let again = back.elapsed();
    let state = me.get(&format!("{page}/state")).unwrap().json();
    let moves: Vec<&str> = state["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["move"].as_str().unwrap())
        .collect();
    assert_eq!(moves, ["b2", "a1"], "nothing lost, nothing twice");
    measured(
        "database-gone",
        format!(
            "{refused} moves in ten seconds got 503 with a sentence, the slowest after {} ms; the same server played on {} ms after it was back",
            slowest.as_millis(),
            again.as_millis()
        ),
    );
}
