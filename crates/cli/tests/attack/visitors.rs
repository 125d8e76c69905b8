//! One visitor against everybody else: whatever is sent, others go on playing, the house keeps to
//! its memory, and nothing of the attack is left when its time is up.

use std::time::{Duration, Instant};

use serde_json::json;
use wits_web::testing::{Client, measured};

use crate::arsenal::{ENDLESS, GREEDY, ask, ask_dear, coded, start_grid};
use crate::common::Server;
use crate::watch::{ATTACKER, REPLY, VICTIM, alone, children, limit, ticks, under_attack};

#[test]
fn endless_goals() {
    under_attack("endless-goals", ENDLESS.len(), |me, n| {
        let shown = ask(me, ENDLESS[n]);
        assert!(shown.contains("role=\"alert\""), "a sentence: {shown}");
    });
}

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
fn dear_verbs() {
    under_attack("dear-verbs", 8, |me, n| {
        let status = ask_dear(me, n);
        // Who waits for long is told so.
        assert!([200, 422, 503].map(Some).contains(&status), "{status:?}");
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
    start_grid(&mut Client::at(server.address, ATTACKER)).unwrap();
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

#[test]
fn a_stopped_grid_stops() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut me = Client::at(server.address, VICTIM);
    let run = start_grid(&mut me).unwrap();
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

/// Forty sessions of one address, as a class behind one router has them: all play and ask at once.
#[test]
fn a_class_behind_one_router() {
    let _alone = alone();
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
