//! The real server, killed with SIGKILL at random moments: every acknowledged move is there, none
//! twice, and the game goes on.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use serde_json::json;
use wits_game::{Dice, Seed};
use wits_web::testing::Client;

use common::Server;

/// At least so many kills, and as many more as it takes until this many moves were acknowledged.
const KILLS: u32 = 50;
const MOVES: u32 = 60;

#[test]
fn games_survive_kills() {
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Dice::new(Seed::new(2024));
    let mut server = Server::start(folder.path(), &[]);
    let mut me = Client::new(server.address);
    let (mut page, mut acknowledged) = begin(&mut me);
    let (mut kills, mut games, mut moves) = (0, 1, 0);
    while kills < KILLS || (moves < MOVES && kills < 10 * KILLS) {
        // A killer that strikes at a random moment while moves are being posted.
        let patience = std::time::Duration::from_micros(dice.below(25_000) as u64);
        let victim = std::thread::spawn(move || {
            std::thread::sleep(patience);
            server.kill();
        });
        loop {
            let ply = acknowledged.len();
            let free: Vec<&str> = SQUARES
                .iter()
                .copied()
                .filter(|s| !acknowledged.iter().any(|a| a == s))
                .collect();
            let Some(text) = dice.pick(&free).copied() else {
                break;
            };
            let body = json!({"ply": ply, "seat": 1 + ply % 2, "move": text});
            match me.post(&format!("{page}/move"), &body) {
                Ok(reply) if reply.status == 200 => {
                    acknowledged.push(text.to_owned());
                    moves += 1;
                    if !reply.json()["state"]["over"].is_null() {
                        break;
                    }
                }
                Ok(reply) => panic!("{}: {}", reply.status, reply.body),
                Err(_) => break,
            }
        }
        victim.join().unwrap();
        kills += 1;
        server = Server::start(folder.path(), &[]);
        me.address = server.address;
        me.origin = Some(format!("http://{}", server.address));
        let state = me.get(&format!("{page}/state")).unwrap().json();
        let stored: Vec<String> = state["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|m| m["move"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(
            stored[..acknowledged.len()],
            acknowledged[..],
            "every acknowledged move is there, in order"
        );
        assert!(
            stored.len() <= acknowledged.len() + 1,
            "at most the move in flight came on top: {stored:?} after {acknowledged:?}"
        );
        let mut once = stored.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), stored.len(), "none is there twice");
        acknowledged = stored;
        if !state["over"].is_null() {
            (page, acknowledged) = begin(&mut me);
            games += 1;
        }
    }
    assert!(
        moves >= MOVES && games > 5,
        "{moves} moves in {games} games were played between {kills} kills"
    );
}

const SQUARES: [&str; 9] = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];

/// A table where both seats are ours.
fn begin(me: &mut Client) -> (String, Vec<String>) {
    let reply = me
        .post(
            "/games",
            &json!({"game": "tictactoe", "seats": ["human", "human"]}),
        )
        .unwrap();
    let page = reply.json()["page"].as_str().unwrap().to_owned();
    assert_eq!(
        me.post(&format!("{page}/sit"), &json!({"seat": 2}))
            .unwrap()
            .status,
        200
    );
    (page, Vec::new())
}
