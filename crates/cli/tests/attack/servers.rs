//! Two servers on one PostgreSQL database.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wits_web::testing::{Client, Reply, measured};

use crate::common::Server;
use crate::postgres::Server as Database;

fn at(me: &Client, server: &Server) -> Client {
    let mut me = me.clone();
    me.address = server.address;
    me.origin = Some(format!("http://{}", server.address));
    me
}

/// A new game of two persons, both of them us.
fn begin(me: &mut Client) -> String {
    let body = json!({"game": "tictactoe", "seats": ["human", "human"]});
    let reply = me.post("/games", &body).unwrap();
    assert_eq!(reply.status, 201, "{}", reply.body);
    let page = reply.json()["page"].as_str().unwrap().to_owned();
    me.post(&format!("{page}/sit"), &json!({"seat": 2}))
        .unwrap();
    page
}

fn play(me: &mut Client, page: &str, ply: usize, text: &str) -> Reply {
    let body = json!({"ply": ply, "seat": 1 + ply % 2, "move": text});
    me.post(&format!("{page}/move"), &body).unwrap()
}

fn moves(state: &Value) -> Vec<&str> {
    let all = state["moves"].as_array().unwrap();
    all.iter().map(|m| m["move"].as_str().unwrap()).collect()
}

#[test]
fn two_servers_show_one_game() {
    let Some(database) = Database::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let [first, second] =
        [(); 2].map(|()| Server::start(folder.path(), &["--database", &database.url]));
    let mut here = Client::new(first.address);
    let page = begin(&mut here);
    let mut there = at(&here, &second);

    // Both have it in memory, and a page of the second listens.
    let mut stream = there.listen(&format!("{page}/events"), None).unwrap();
    stream.wait(|state| moves(state).is_empty()).unwrap();
    let mut slowest = Duration::ZERO;
    for (ply, text) in ["b2", "a1", "c3"].into_iter().enumerate() {
        let begun = Instant::now();
        assert_eq!(play(&mut here, &page, ply, text).status, 200);
        stream.wait(|state| moves(state).len() > ply).unwrap();
        slowest = slowest.max(begun.elapsed());
    }
    let reply = play(&mut there, &page, 3, "a2");
    assert_eq!(reply.status, 200, "{}", reply.body);
    let state = here.get(&format!("{page}/state")).unwrap().json();
    assert_eq!(moves(&state), ["b2", "a1", "c3", "a2"]);

    // The same ply at both at once: one of the two stands, and the other is told.
    let (mut played, mut refused) = (0, 0);
    for _ in 0..20 {
        let page = begin(&mut here);
        for me in [&mut here, &mut there] {
            assert_eq!(me.get(&format!("{page}/state")).unwrap().status, 200);
        }
        let (mut a, mut b) = (here.clone(), there.clone());
        let replies = std::thread::scope(|s| {
            let other = s.spawn(|| play(&mut a, &page, 0, "a1"));
            [play(&mut b, &page, 0, "c3"), other.join().unwrap()]
        });
        for reply in &replies {
            match reply.status {
                200 => played += 1,
                409 => {
                    refused += 1;
                    let hint = &reply.json()["error"]["hint"];
                    assert!(
                        hint.as_str().is_some_and(|h| !h.is_empty()),
                        "{}",
                        reply.body
                    );
                }
                _ => panic!("{} {}", reply.status, reply.body),
            }
        }
        let states = [&mut here, &mut there]
            .map(|me| me.get(&format!("{page}/state")).unwrap().json()["moves"].clone());
        assert_eq!(states[0], states[1], "both show the same");
        assert_eq!(states[0].as_array().unwrap().len(), 1);
    }
    assert_eq!((played, refused), (20, 20));

    // The same move at both is no conflict, and is played once.
    let page = begin(&mut here);
    assert_eq!(there.get(&format!("{page}/state")).unwrap().status, 200);
    assert_eq!(
        play(&mut here, &page, 0, "b2").json()["played"],
        json!(true)
    );
    let again = play(&mut there, &page, 0, "b2");
    assert_eq!(
        (again.status, &again.json()["played"]),
        (200, &json!(false))
    );
    measured(
        "two-servers",
        format!(
            "3 moves at one server, told to a page of the other within {} ms; 20 pairs of moves for the same ply: 20 played, 20 got 409, both servers the same",
            slowest.as_millis()
        ),
    );
}
