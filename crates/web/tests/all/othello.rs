//! The Othello room over HTTP: what is asked wrongly is explained, streams end, files are whole.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::{Value, json};
use wits_play::{Catalog, Limits};
use wits_search::{Kind, Thread};
use wits_store::{Options, Store};
use wits_web::testing::{Client, House, Reply};

fn open() -> House {
    let catalog = Catalog::new(vec![
        wits_othello::entry().erase(),
        wits_matchbox::tictactoe::entry().erase(),
    ]);
    House::open(catalog, Store::memory().unwrap(), |_| {})
}

const START: &str = "---------------------------OX------XO---------------------------";
/// The number 40 of the endgame suite with ten squares filled: quickly solved.
const LATE: &str = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXXXXXOOOOXXXXXO--X--------+X";

/// A search that its clock ends looks as far as its time lasts. The thread of such a move tells the decision of the game,
/// with the value that the machine gave its move there, however long thinking again takes.
#[test]
fn the_thread_of_a_move_that_a_clock_ended_tells_of_that_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wits.db");
    let store = || Store::open(path.to_str().unwrap(), Options::default()).unwrap();
    let catalog = Catalog::new(vec![wits_othello::entry().erase()]);
    // Nothing but the clock ends it.
    let house = House::open(catalog, store(), |config| config.thinking = Limits::NONE);
    let mut me = house.visitor();
    let seats = ["human", "engine:seconds=0.1,book=false"];
    let new = json!({"game": "othello", "seats": seats, "seed": 7});
    let page = me.post("/games", &new).unwrap().json()["page"].clone();
    let page = page.as_str().unwrap();
    let mut events = me.listen(&format!("{page}/events"), None).unwrap();
    let mv = json!({"ply": 0, "seat": 1, "move": "f5"});
    assert_eq!(me.post(&format!("{page}/move"), &mv).unwrap().status, 200);
    let state = events.wait(|state| state["ply"] == 2).unwrap();
    let played = state["moves"][1]["move"].as_str().unwrap().to_owned();
    let follow = |me: &mut Client, lang: &str| {
        let head = [("accept-language", lang)];
        let reply = me.send("GET", &format!("{page}/thread/1"), &head, "");
        Thread::read(&reply.unwrap().body).unwrap()
    };
    let thread = follow(&mut me, "en");
    let summary = &thread.header.summary;
    assert_eq!(thread.footer.result, played);
    assert!(summary.starts_with("Looked "), "{summary}");
    let choose = thread.steps.iter().rfind(|step| step.kind == Kind::Choose);
    let value = choose.unwrap().data["value"].clone();
    let id = page.rsplit('/').next().unwrap();
    let name = format!("{id}/clock/1");
    let store = store();
    let mut kept = store.blob("thread", &name).unwrap().unwrap();
    let mut timed: Value = serde_json::from_slice(&kept.bytes).unwrap();
    assert_eq!(timed["value"], value, "as the machine said in the game");
    assert!(timed["nodes"].as_u64() > Some(0), "{timed}");
    // Where the game says otherwise, the thread says so.
    timed["value"] = json!(61.5);
    kept.bytes = serde_json::to_vec(&timed).unwrap();
    store.put_blob(&kept).unwrap();
    let summary = follow(&mut me, "pl").header.summary;
    assert!(summary.starts_with("W partii po "), "{summary}");
    assert!(summary.contains("+61,50"), "{summary}");
    // Where nothing was kept, it says that it may be another search.
    assert!(store.delete_blob("thread", &name).unwrap());
    let summary = follow(&mut me, "cs").header.summary;
    let unsure = ["Hledání ukončil čas", "Při novém přemýšlení"];
    assert!(
        unsure.iter().any(|says| summary.starts_with(says)),
        "{summary}"
    );
}

#[test]
fn what_is_asked_wrongly_is_explained() {
    let house = open();
    let mut visitor = house.guest();
    for (path, code, says) in [
        (
            "/othello/board?moves=f5a1",
            "bad-moves",
            "would turn over nothing",
        ),
        ("/othello/board?moves=f5zz", "bad-moves", "is not a square"),
        ("/othello/board?from=hello", "bad-board", "is not a board"),
        ("/othello/board?text=hello", "bad-board", "is not a board"),
        ("/othello/board?text=(%3BGM[Go]%3B)", "bad-ggf", "GGF"),
        ("/othello/board?moves=f5&ply=7", "bad-ply", "it has 1 moves"),
        ("/othello/board?moves=f5&ply=-1", "bad-ply", "no place"),
        ("/othello/board?moves=f5&play=a1", "illegal", "a1"),
        ("/othello/scores", "unreadable", "board"),
        ("/othello/scores?board=abc", "bad-board", "is not a board"),
        ("/othello/review?moves=e5", "bad-moves", "e5"),
        ("/othello/thread?board=hello", "bad-board", "is not a board"),
    ] {
        let reply = visitor.get(path).unwrap();
        assert!(
            (400..500).contains(&reply.status),
            "{path}: {}",
            reply.status
        );
        let error = &reply.json()["error"];
        assert_eq!(error["code"], code, "{path}");
        assert!(
            error["message"].as_str().unwrap().contains(says),
            "{path}: {error}"
        );
        assert!(!error["hint"].as_str().unwrap().is_empty());
    }
    for (more, code) in [
        ("&depth=9", "bad-depth"),
        ("&eval=best", "bad-eval"),
        ("&depth=x", "bad-depth"),
    ] {
        let reply = visitor
            .get(&format!("/othello/thread?board={START}{more}"))
            .unwrap();
        assert_eq!(reply.json()["error"]["code"], code);
    }
    let long = visitor
        .get(&format!("/othello/board?text={}", "f5".repeat(15_000)))
        .unwrap();
    assert_eq!(long.json()["error"]["code"], "too-long");
    assert_eq!(
        visitor.get("/othello/export/board.png").unwrap().status,
        404
    );
    assert_eq!(visitor.get("/othello/game/00").unwrap().status, 404);
    // A wrong board is shown again beside the sentence, escaped.
    let again = visitor
        .get("/othello/setup?text=%3Cb%3E&ask=reach")
        .unwrap();
    assert_eq!(again.status, 200);
    assert!(
        again.body.contains("&lt;b&gt;") && !again.body.contains("<b>"),
        "escaped"
    );
    assert!(again.body.contains("is not a board"));
}

/// The events of a stream until `done`.
fn heard(client: &Client, path: &str) -> Vec<Value> {
    let mut events = client.listen(path, None).unwrap();
    let mut all = Vec::new();
    loop {
        let (name, value) = events.hear().unwrap();
        if name == "done" {
            return all;
        }
        all.push(value);
    }
}

#[test]
fn scores_deepen_until_they_are_exact() {
    let house = open();
    let told = heard(&house.guest(), &format!("/othello/scores?board={LATE}"));
    assert!(told.len() > 2);
    let (first, last) = (&told[0]["moves"], &told[told.len() - 1]["moves"]);
    assert_eq!(first[0]["sure"], "estimate");
    let moves = last.as_array().unwrap();
    assert_eq!(moves.len(), first.as_array().unwrap().len());
    assert!(moves.iter().all(|m| m["sure"] == "exact"), "{last}");
    let over = heard(
        &house.guest(),
        &format!("/othello/scores?board={}+X", "X".repeat(64)),
    );
    assert_eq!(over[0]["moves"], json!([]));
}

#[test]
fn a_game_is_reviewed_from_its_end() {
    let house = open();
    let path = "/othello/review?moves=e6f4e3f6g5d6e7f5c5";
    let told = heard(&house.guest(), path);
    let plies: Vec<u64> = told.iter().map(|r| r["ply"].as_u64().unwrap()).collect();
    assert_eq!(plies, [8, 7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(told[0]["value"], 64.0);
    assert!(
        told.iter()
            .any(|r| r["decisive"] == true && r["sign"] == "??")
    );
    // White sees the same game from the other side.
    let white = heard(&house.guest(), &format!("{path}&for=O"));
    assert_eq!(white[0]["value"], -64.0);
    // Somebody who goes away leaves the thinkers free for the next.
    let perfect =
        "/othello/review?moves=f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7";
    for _ in 0..3 {
        let visitor = house.guest();
        let mut events = visitor.listen(perfect, None).unwrap();
        events.hear().unwrap();
        drop(events);
    }
    assert_eq!(heard(&house.guest(), "/othello/review?moves=f5d6").len(), 2);
}

fn to(reply: &Reply) -> String {
    reply.header("location").unwrap().to_owned()
}

#[test]
fn a_game_that_was_played_is_analysed_and_exported() {
    let house = open();
    let mut visitor = house.guest();
    let begin = |visitor: &mut Client, game: &str| -> String {
        let body = json!({"game": game, "seats": ["human", "human"]});
        let reply = visitor.post("/games", &body).unwrap();
        reply.json()["id"].as_str().unwrap().to_owned()
    };
    let id = begin(&mut visitor, "othello");
    for (ply, mv) in ["f5", "d6", "c3"].into_iter().enumerate() {
        if ply == 1 {
            visitor
                .post(&format!("/games/{id}/sit"), &json!({"seat": "2"}))
                .unwrap();
        }
        let body = json!({"ply": ply.to_string(), "seat": (ply % 2 + 1).to_string(), "move": mv});
        let reply = visitor.post(&format!("/games/{id}/move"), &body).unwrap();
        assert_eq!(reply.status, 200, "{}", reply.body);
    }
    let reply = visitor.get(&format!("/othello/game/{id}")).unwrap();
    assert_eq!(to(&reply), "/othello/board?moves=f5d6c3&ply=3");
    let page = visitor.get(&to(&reply)).unwrap();
    assert!(page.body.contains("White to move"));
    assert_eq!(page.body.matches("data-heuristic=").count(), 19);
    let small = begin(&mut visitor, "othello:size=6");
    let reply = visitor.get(&format!("/othello/game/{small}")).unwrap();
    assert_eq!(reply.json()["error"]["code"], "other-rules");
    let other = begin(&mut visitor, "tictactoe");
    assert_eq!(
        visitor
            .get(&format!("/othello/game/{other}"))
            .unwrap()
            .status,
        404
    );

    let file = |visitor: &mut Client, name: &str| {
        let path = format!("/othello/export/{name}?moves=f5d6c3&ply=2");
        visitor.get(&path).unwrap()
    };
    assert_eq!(file(&mut visitor, "game.txt").body, "f5d6c3\n");
    let ggf = file(&mut visitor, "game.ggf").body;
    assert!(ggf.starts_with("(;GM[Othello]") && ggf.contains("B[F5]W[D6]B[C3]"));
    let svg = file(&mut visitor, "board.svg");
    assert_eq!(svg.header("content-type"), Some("image/svg+xml"));
    assert_eq!(
        svg.body.matches("r=\"19\"").count(),
        6,
        "six discs at ply 2"
    );
    let moved = visitor
        .get("/othello/board?moves=f5d6c3&ply=1&play=F6")
        .unwrap();
    assert_eq!(to(&moved), "/othello/board?moves=f5f6&ply=2");
    let pasted = visitor
        .get(&format!("/othello/board?text={START}"))
        .unwrap();
    assert_eq!(to(&pasted), "/othello/board?moves=&ply=0");
    let thread = visitor
        .get(&format!(
            "/othello/thread?board={START}+X&depth=3&eval=iago"
        ))
        .unwrap();
    assert!(thread.body.contains("\"kind\":\"cut\"") && thread.body.contains("eval=iago"));
}

#[test]
fn a_board_is_reached_or_not_with_a_witness_or_a_reason() {
    let house = open();
    let mut visitor = house.guest();
    let five = "---------------------------OX------XXX--------------------------";
    let yes = visitor
        .get(&format!("/othello/setup?text={five}&ask=reach"))
        .unwrap();
    assert!(yes.body.contains("othello-reach-yes"), "{}", yes.body);
    assert!(yes.body.contains("/othello/board?moves=f5&amp;ply=0"));
    let no = visitor
        .get(&format!("/othello/setup?text={five}&side=X&ask=reach"))
        .unwrap();
    assert!(
        no.body.contains("othello-reach-no"),
        "Black is not to move after one move"
    );
    let old = "---------------------------XX------OO---------------------------";
    let path = |start: &str| format!("/othello/setup?text={old}&side=X&start={start}&ask=reach");
    assert!(
        visitor
            .get(&path("othello"))
            .unwrap()
            .body
            .contains("othello-reach-no")
    );
    assert!(
        visitor
            .get(&path("reversi"))
            .unwrap()
            .body
            .contains("othello-reach-yes")
    );
    assert!(
        visitor
            .get(&path("parallel"))
            .unwrap()
            .body
            .contains("othello-reach-yes")
    );
}
