//! SIGKILL at random moments during games, dialogues, tournaments and training: every acknowledged
//! change is there, none twice, and everything goes on.

use std::process::Stdio;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wits_arena::Coordinator;
use wits_game::{Dice, Seed};
use wits_matchbox::Machine;
use wits_store::Store;
use wits_web::testing::{Client, measured};

use crate::common::{Server, run, timeless, wits};
use crate::number;

/// How often each of the four kinds is killed.
fn kills() -> u64 {
    number("WITS_KILLS", 40) / 4
}

/// How long a server lives at most, in microseconds; longer where it gets nothing done.
const REACH: usize = 25_000;

/// What a server gets that got nothing done: more time.
fn longer(reach: usize, idle: bool) -> usize {
    if idle {
        (reach * 3 / 2).min(2_000_000)
    } else {
        reach
    }
}

/// Kills a server after a random while.
fn doom(server: Server, dice: &mut Dice, reach: usize) -> JoinHandle<()> {
    let patience = Duration::from_micros(dice.below(reach) as u64);
    std::thread::spawn(move || {
        std::thread::sleep(patience);
        server.kill();
    })
}

/// The same visitor at a server that was started anew.
fn move_to(me: &mut Client, server: &Server) {
    me.address = server.address;
    me.origin = Some(format!("http://{}", server.address));
}

const SQUARES: [&str; 9] = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];

/// A table where both seats are ours.
fn begin(me: &mut Client) -> (String, Vec<String>) {
    let body = json!({"game": "tictactoe", "seats": ["human", "human"]});
    let reply = me.post("/games", &body).unwrap();
    let page = reply.json()["page"].as_str().unwrap().to_owned();
    let sat = me
        .post(&format!("{page}/sit"), &json!({"seat": 2}))
        .unwrap();
    assert_eq!(sat.status, 200);
    (page, Vec::new())
}

#[test]
fn kills_during_games() {
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Dice::new(Seed::new(2024));
    let mut server = Server::start(folder.path(), &[]);
    let mut me = Client::new(server.address);
    let (mut page, mut acknowledged) = begin(&mut me);
    let (mut killed, mut games, mut moves, mut reach) = (0, 1, 0, REACH);
    // A kill may come before any move: then there are more kills.
    while killed < kills() || (moves < kills() && killed < 10 * kills()) {
        let (victim, heard) = (doom(server, &mut dice, reach), moves);
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
        killed += 1;
        reach = longer(reach, moves == heard);
        server = Server::start(folder.path(), &[]);
        move_to(&mut me, &server);
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
    assert!(moves >= kills(), "{moves} moves between {killed} kills");
    measured(
        "kills-games",
        format!("{killed} kills, {moves} acknowledged moves in {games} games: all there once"),
    );
}

/// What somebody would say next in a dialogue.
fn next_word(turn: &Value, dice: &mut Dice) -> Value {
    let first = |list: &Value, dice: &mut Dice| -> String {
        let entries = list.as_array().unwrap();
        let at = dice.below(entries.len());
        entries[at]["id"].as_str().unwrap().to_owned()
    };
    for key in ["category", "problem"] {
        if turn[key].is_array() {
            return json!({"said": "choose", "value": first(&turn[key], dice)});
        }
    }
    let word = ["yes", "no"][dice.below(2)];
    if turn["question"].is_object() {
        return json!({"said": "reply", "question": turn["question"]["id"], "value": word});
    }
    if turn["advice"].is_object() {
        return json!({"said": "judge", "value": "no"});
    }
    json!({"said": "restart"})
}

#[test]
fn kills_during_dialogues() {
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Dice::new(Seed::new(7));
    let mut server = Server::start(folder.path(), &[]);
    let mut me = Client::new(server.address);
    let talk = me
        .post("/expert/talk", &json!({"base": "printer"}))
        .unwrap();
    let page = talk.json()["page"].as_str().unwrap().to_owned();
    let mut state = me.get(&format!("{page}/state")).unwrap().json();
    let (mut killed, mut said, mut reach) = (0, 0, REACH);
    while killed < kills() || (said < kills() && killed < 10 * kills()) {
        let (victim, heard) = (doom(server, &mut dice, reach), said);
        loop {
            let mut word = next_word(&state["turn"], &mut dice);
            word["seq"] = state["seq"].clone();
            match me.post(&format!("{page}/say"), &word) {
                Ok(reply) if reply.status == 200 => {
                    let next = reply.json();
                    assert_eq!(next["seq"], json!(state["seq"].as_u64().unwrap() + 1));
                    state = next;
                    said += 1;
                }
                Ok(reply) => panic!("{word}: {}: {}", reply.status, reply.body),
                Err(_) => break,
            }
        }
        victim.join().unwrap();
        killed += 1;
        reach = longer(reach, said == heard);
        server = Server::start(folder.path(), &[]);
        move_to(&mut me, &server);
        let stored = me.get(&format!("{page}/state")).unwrap().json();
        let (now, was) = (
            stored["seq"].as_u64().unwrap(),
            state["seq"].as_u64().unwrap(),
        );
        assert!(
            now == was || now == was + 1,
            "said {was}, stored {now}: the one in flight at most"
        );
        if now == was {
            assert_eq!(
                stored["session"], state["session"],
                "as it was acknowledged"
            );
        }
        state = stored;
    }
    measured(
        "kills-dialogues",
        format!("{killed} kills, {said} acknowledged words: all there once, in order"),
    );
}

#[test]
fn kills_during_tournaments() {
    let (whole, torn) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let table = |folder: &std::path::Path| -> Value {
        let output = run(folder, &["arena", "run", "cup.toml", "--json"], "");
        assert!(output.status.success());
        timeless(serde_json::from_slice(&output.stdout).unwrap())
    };
    // So many games that there is something left to play until the last kill.
    let cup = format!(
        "game = \"tictactoe\"\nplayers = [\"random\", \"mcts:nodes=8000\", \"alphabeta:depth=4\"]\ngames = {}\nseed = 3\nthreads = 1\n",
        20 * kills()
    );
    for folder in [&whole, &torn] {
        std::fs::write(folder.path().join("cup.toml"), &cup).unwrap();
    }
    let expected = table(whole.path());
    // Results that are written down stay: their number never goes back.
    let kept = |folder: &std::path::Path| -> u64 {
        let file = folder.join("data/wits.sqlite");
        let store = file.exists().then(|| Store::sqlite(file).unwrap());
        store.map_or(0, |store| {
            Coordinator::open(&store, "cup").map_or(0, |c| c.done())
        })
    };
    let mut dice = Dice::new(Seed::new(5));
    let (mut ended, mut before, mut middle) = (0, 0, 0);
    let (total, mut reach) = (kept(whole.path()), 80_000);
    for _ in 0..kills() {
        let mut child = wits(torn.path())
            .args(["arena", "run", "cup.toml", "--json"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(5_000 + dice.below(reach) as u64));
        ended += u32::from(child.try_wait().unwrap().is_some());
        let _ = child.kill();
        child.wait().unwrap();
        let now = kept(torn.path());
        assert!(now >= before, "{before} results were kept, now {now}");
        middle += u64::from(now > before && now < total);
        // Each is to get as far as its share: on a slow machine it gets more time, on a quick one less.
        if now == before && now < total {
            reach = (reach * 2).min(4_000_000);
        } else if now - before > total / kills() {
            reach = (reach / 2).max(10_000);
        }
        before = now;
    }
    assert!(
        middle * 10 >= kills(),
        "{middle} kills fell between two results"
    );
    let last = run(torn.path(), &["arena", "run", "cup.toml", "--json"], "");
    let last: Value = serde_json::from_slice(&last.stdout).unwrap();
    assert_eq!(
        last["resumed"],
        json!(before),
        "what was kept is not played again"
    );
    assert_eq!(timeless(last), expected, "as if nobody had been killed");
    measured(
        "kills-tournaments",
        format!(
            "{} kills ({middle} after new results, {ended} after its end), {} games: no result lost, none played again, the same table as without",
            kills(),
            expected["games"]
        ),
    );
}

#[test]
fn kills_during_training() {
    const GAMES: u64 = 500;
    let folder = tempfile::tempdir().unwrap();
    let made = run(
        folder.path(),
        &["matchbox", "new", "pupil.json", "--machine", "menace"],
        "",
    );
    assert!(made.status.success(), "{made:?}");
    let lessons = || -> u64 {
        let text = std::fs::read_to_string(folder.path().join("pupil.json")).unwrap();
        let taught = Machine::read(&text).expect("the file is whole").taught();
        taught.wins + taught.draws + taught.losses
    };
    let mut dice = Dice::new(Seed::new(11));
    let (mut acknowledged, mut finished, mut killed) = (lessons(), 0, 0);
    // How long a lesson takes here, so that kills fall everywhere inside one.
    let mut usual = Duration::from_millis(60);
    while killed < kills() {
        let begun = Instant::now();
        let games = GAMES.to_string();
        let mut child = wits(folder.path())
            .args([
                "matchbox",
                "train",
                "--file",
                "pupil.json",
                "--opponent",
                "random",
            ])
            .args([
                "--machines",
                "1",
                "--games",
                &games,
                "--save",
                "pupil.json",
                "--json",
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Some may finish.
        let done = if (finished + killed) % 5 == 4 {
            let done = child.wait().unwrap().success();
            usual = begun.elapsed();
            done
        } else {
            let share = dice.below(1_100) as u32;
            std::thread::sleep(usual * share / 1_000);
            let done = child.try_wait().unwrap().is_some_and(|s| s.success());
            let _ = child.kill();
            child.wait().unwrap();
            done
        };
        let now = lessons();
        if done {
            assert_eq!(now, acknowledged + GAMES, "a finished course is kept");
            finished += 1;
        } else {
            assert!(
                now == acknowledged || now == acknowledged + GAMES,
                "all of a course or nothing: {acknowledged} then {now}"
            );
            killed += 1;
        }
        acknowledged = now;
    }
    assert!(finished > 0, "some courses came to their end");
    measured(
        "kills-training",
        format!(
            "{killed} kills, {finished} courses finished, {acknowledged} lessons: the file whole each time"
        ),
    );
}
