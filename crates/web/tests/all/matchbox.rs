//! The matchbox room over HTTP, as plain forms: machines, hands, lessons, school, bad input.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wits_play::Catalog;
use wits_store::Store;
use wits_web::testing::{Client, House, Reply};

fn open() -> House {
    let catalog = Catalog::new(vec![
        wits_matchbox::tictactoe::entry().erase(),
        wits_matchbox::hexapawn::entry().erase(),
    ]);
    House::open(catalog, Store::memory().unwrap(), |_| {})
}

/// A text as forms send it.
fn encoded(text: &str) -> String {
    let byte = |b: u8| match b {
        b'a'..=b'z' | b'0'..=b'9' => char::from(b).to_string(),
        _ => format!("%{b:02X}"),
    };
    text.bytes().map(byte).collect()
}

fn send(client: &mut Client, path: &str, fields: &[(&str, &str)]) -> Reply {
    let pairs: Vec<String> = (fields.iter())
        .map(|(key, value)| format!("{key}={}", encoded(value)))
        .collect();
    let kind = [("content-type", "application/x-www-form-urlencoded")];
    client.send("POST", path, &kind, &pairs.join("&")).unwrap()
}

fn refused(reply: &Reply) -> String {
    assert!((400..500).contains(&reply.status), "{}", reply.body);
    let error = &reply.json()["error"];
    assert!(error["message"].as_str().unwrap().len() > 10, "{error}");
    assert!(error["hint"].as_str().unwrap().len() > 5, "{error}");
    error["code"].as_str().unwrap().to_owned()
}

fn file(client: &mut Client, name: &str) -> String {
    let reply = client.get(&format!("/matchbox/{name}/file")).unwrap();
    assert_eq!(reply.status, 200, "{}", reply.body);
    reply.body
}

fn beads(client: &mut Client, name: &str) -> i64 {
    let machine: Value = serde_json::from_str(&file(client, name)).unwrap();
    let boxes = machine["boxes"].as_array().unwrap();
    let count = |b: &Value| -> i64 {
        let beads = b["beads"].as_object().unwrap();
        beads.values().map(|n| n.as_i64().unwrap()).sum()
    };
    boxes.iter().map(count).sum()
}

fn her(client: &mut Client, name: &str) {
    let reply = send(client, "/matchbox", &[("name", name), ("kind", "her")]);
    assert_eq!(reply.status, 200, "{}", reply.body);
    assert_eq!(reply.json()["page"], format!("/matchbox/{name}"));
}

/// Waits until a condition holds.
fn until<T>(mut holds: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        if let Some(value) = holds() {
            return value;
        }
        assert!(Instant::now() < deadline, "it never came");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn chances_and_comparisons_have_pages() {
    let house = open();
    let mut client = house.visitor();
    let page = client.get("/matchbox").unwrap();
    for verb in ["chance", "compare", "curves"] {
        let link = format!("href=\"/desk/matchbox/{verb}\"");
        assert!(page.body.contains(&link), "{verb}: {}", page.body);
    }
    let page = client
        .get("/desk/matchbox/chance?machine=her&opponent=punishing")
        .unwrap();
    assert!(page.body.contains("7/8"), "{}", page.body);
    let mut script = Client::script(house.address());
    let mut ask = |verb: &str, asked: Value| {
        let path = format!("/api/matchbox/{verb}");
        let kind = [("content-type", "application/json")];
        let reply = script.send("POST", &path, &kind, &asked.to_string());
        reply.unwrap()
    };
    // Any small game of the catalog has boxes.
    let found = ask("chance", json!({"game": "rainbow:n=5,k=3,c=3", "side": 1})).json();
    assert_eq!(found["chances"].as_array().unwrap().len(), 3, "{found}");
    let asked = json!({"learners": true, "machines": 20, "games": 20, "seed": 1});
    let found = ask("compare", asked).json();
    assert_eq!(found["rows"].as_array().unwrap().len(), 30, "{found}");
    assert_eq!(found["rows"][1]["teaching"], "q", "{found}");
    let asked = json!({"machines": 20, "games": 40, "seed": 1, "opponent": "perfect"});
    let found = ask("curves", asked).json();
    let learners = found["learners"].as_array().unwrap();
    assert_eq!(learners.len(), 5, "{found}");
    let full = |one: &Value| one["machines"] == 20 && one["curve"][39]["game"] == 40;
    assert!(learners.iter().all(full), "{found}");
    let page = client
        .get("/desk/matchbox/curves?machines=20&games=40&learner=sarsa")
        .unwrap();
    assert!(page.body.contains("<svg"), "{}", page.body);
    assert_eq!(
        refused(&ask("chance", json!({"game": "othello"}))),
        "unknown-machine"
    );
}

#[test]
fn machines_are_built_copied_and_thrown_away() {
    let house = open();
    let mut client = house.visitor();
    her(&mut client, "her");
    let list = client.get("/matchbox").unwrap().body;
    assert!(list.contains("href=\"/matchbox/her\"") && list.contains("24 boxes"));
    for (scheme, boxes) in [("none", 37), ("full", 19)] {
        let fields = [("scheme", scheme), ("as", scheme)];
        let reply = send(&mut client, "/matchbox/her/scheme", &fields);
        assert_eq!(reply.status, 200, "{}", reply.body);
        let page = client.get(&format!("/matchbox/{scheme}")).unwrap().body;
        assert_eq!(page.matches("class=\"mb-box\"").count(), boxes, "{scheme}");
    }
    let reply = send(&mut client, "/matchbox/her/clone", &[("as", "twin")]);
    assert_eq!(reply.status, 200, "{}", reply.body);
    assert_eq!(file(&mut client, "her"), file(&mut client, "twin"));
    assert_eq!(send(&mut client, "/matchbox/twin/delete", &[]).status, 200);
    assert_eq!(client.get("/matchbox/twin").unwrap().status, 404);
    // Three hundred boxes come one move at a time.
    let menace = [("name", "menace"), ("kind", "menace")];
    assert_eq!(send(&mut client, "/matchbox", &menace).status, 200);
    let page = client.get("/matchbox/menace?move=3").unwrap().body;
    assert_eq!(page.matches("class=\"mb-box\"").count(), 12);
    let labels = client.get("/matchbox/her/labels").unwrap().body;
    assert_eq!(labels.matches("210mm").count(), 2, "24 boxes on two pages");
    let one = client.get("/matchbox/her/labels/2.svg").unwrap();
    assert_eq!(one.header("content-type"), Some("image/svg+xml"));
    assert_eq!(
        client.get("/matchbox/her/labels/3.svg").unwrap().status,
        404
    );
}

#[test]
fn a_bead_is_taken_and_put_back() {
    let house = open();
    let mut client = house.visitor();
    her(&mut client, "her");
    let all = beads(&mut client, "her");
    let take = [("box", "0"), ("take", "1")];
    assert_eq!(send(&mut client, "/matchbox/her/bead", &take).status, 200);
    assert_eq!(beads(&mut client, "her"), all - 1);
    assert_eq!(send(&mut client, "/matchbox/her/undo", &[]).status, 200);
    assert_eq!(beads(&mut client, "her"), all);
    assert_eq!(send(&mut client, "/matchbox/her/redo", &[]).status, 200);
    assert_eq!(beads(&mut client, "her"), all - 1);
    assert_eq!(send(&mut client, "/matchbox/her/reset", &[]).status, 200);
    assert_eq!(beads(&mut client, "her"), all);
    for fields in [
        &[("box", "99"), ("add", "0")],
        &[("box", "0"), ("add", "77")],
        &[("box", "x"), ("add", "0")],
        &[("box", "0"), ("burn", "0")],
    ] {
        let reply = send(&mut client, "/matchbox/her/bead", fields);
        assert_eq!(refused(&reply), "bad-edit");
    }
}

#[test]
fn the_mini_games_have_machines_too() {
    let house = open();
    let mut client = house.visitor();
    let form = client.get("/matchbox").unwrap().body;
    assert!(form.contains("value=\"chomp/2\""), "{form}");
    let fields = [("name", "heaps"), ("kind", "nim/1")];
    let reply = send(&mut client, "/matchbox", &fields);
    assert_eq!(reply.status, 200, "{}", reply.body);
    let machine: Value = serde_json::from_str(&file(&mut client, "heaps")).unwrap();
    assert_eq!(machine["game"], "nim:rows=3,cols=3");
    assert_eq!(machine["seat"], 1);
    let shown = client.get("/matchbox/heaps").unwrap();
    assert_eq!(shown.status, 200, "{}", shown.body);
}

#[test]
fn bad_input_gets_a_sentence_and_the_machine_stays() {
    let house = open();
    let mut client = house.visitor();
    her(&mut client, "her");
    let before = file(&mut client, "her");
    for name in ["", "Her", "../her", "a b", "<script>", &"a".repeat(41)] {
        let reply = send(&mut client, "/matchbox", &[("name", name), ("kind", "her")]);
        assert_eq!(refused(&reply), "bad-name", "{name}");
    }
    let taken = [("name", "her"), ("kind", "him")];
    assert_eq!(
        refused(&send(&mut client, "/matchbox", &taken)),
        "name-taken"
    );
    for (key, value) in [("kind", "hal"), ("scheme", "some"), ("teaching", "shout")] {
        let mut fields = vec![("name", "new")];
        if key != "kind" {
            fields.push(("kind", "her"));
        }
        fields.push((key, value));
        assert_eq!(
            refused(&send(&mut client, "/matchbox", &fields)),
            "unknown-word"
        );
    }
    let first = "\"position\": \"";
    for (text, code) in [
        ("", "not-a-machine"),
        ("{}", "not-a-machine"),
        (&before.replace("\"b3xa2\": 1", "\"b3xa2\": -1"), "negative"),
        (
            &before.replacen(first, "\"position\": \"B", 1),
            "unknown-position",
        ),
        (
            &before.replace("rows=3,cols=3", "rows=9,cols=9"),
            "other-game",
        ),
        (
            &before.replace("rows=3,cols=3", "rows=8,cols=8"),
            "too-large",
        ),
    ] {
        assert_ne!(text, before, "{code}: the example must differ");
        let reply = send(&mut client, "/matchbox/her/replace", &[("file", text)]);
        assert_eq!(refused(&reply), code);
        let fields = [("name", "other"), ("file", text)];
        assert_eq!(refused(&send(&mut client, "/matchbox", &fields)), code);
    }
    let menace = [("name", "menace"), ("kind", "menace")];
    send(&mut client, "/matchbox", &menace);
    let other = file(&mut client, "menace");
    let reply = send(&mut client, "/matchbox/her/replace", &[("file", &other)]);
    assert_eq!(refused(&reply), "other-game");
    assert_eq!(
        file(&mut client, "her"),
        before,
        "the stored one is untouched"
    );
    // Forty thousand signs of a form are no trouble.
    let twin = [("name", "menace-2"), ("file", other.as_str())];
    assert_eq!(send(&mut client, "/matchbox", &twin).status, 200);
    for games in ["0", "-3", "ten", "99999999"] {
        let fields = [("opponent", "perfect"), ("games", games)];
        let reply = send(&mut client, "/matchbox/her/train", &fields);
        assert_eq!(refused(&reply), "bad-games");
    }
    for path in [
        "/matchbox/nobody",
        "/matchbox/..%2Fher",
        "/matchbox/nobody/thread",
    ] {
        assert_eq!(client.get(path).unwrap().status, 404, "{path}");
    }
    for query in ["numbers=1+two", "n=0", "n=many", "n=10&seed=x"] {
        let reply = client.get(&format!("/maxsum?{query}")).unwrap();
        refused(&reply);
    }
}

#[test]
fn a_lost_game_takes_the_last_bead_and_leaves_its_thread() {
    let house = open();
    let mut client = house.visitor();
    her(&mut client, "her");
    assert_eq!(client.get("/matchbox/her/thread").unwrap().status, 404);
    // Only the bead that loses at once is left in the first box.
    for bead in ["0", "1"] {
        let take = [("box", "0"), ("take", bead)];
        assert_eq!(send(&mut client, "/matchbox/her/bead", &take).status, 200);
    }
    let all = beads(&mut client, "her");
    let seats = ["human", "matchbox:file=her,learn=true"];
    let game = json!({"game": "hexapawn", "seats": seats, "seed": 3});
    let page = client.post("/games", &game).unwrap().json()["page"].clone();
    let page = page.as_str().unwrap();
    let mut play = |ply: u64, text: &str| {
        let mv = json!({"ply": ply, "seat": 1, "move": text});
        let reply = client.post(&format!("{page}/move"), &mv).unwrap();
        assert_eq!(reply.status, 200, "{}", reply.body);
        until(|| {
            let state = client.get(&format!("{page}/state")).unwrap().json();
            (state["ply"] == ply + 2 || state["over"].is_object()).then_some(())
        });
    };
    play(0, "a1-a2");
    play(2, "a2xb3");
    assert_eq!(beads(&mut client, "her"), all - 1);
    let shown = client.get("/matchbox/her").unwrap().body;
    assert!(shown.contains("It lost.") && shown.contains("empty: it resigns"));
    // Beads put in afterwards do not change what happened then.
    for _ in 0..3 {
        let add = [("box", "0"), ("add", "2")];
        assert_eq!(send(&mut client, "/matchbox/her/bead", &add).status, 200);
    }
    let thread = client.get("/matchbox/her/thread").unwrap();
    assert_eq!(thread.status, 200, "{}", thread.body);
    let lines: Vec<Value> = (thread.body.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["lens"], "beads");
    let kinds: Vec<&str> = lines.iter().filter_map(|l| l["kind"].as_str()).collect();
    assert!(kinds.contains(&"draw"), "{kinds:?}");
    assert!(kinds.ends_with(&["choose", "note", "teach"]), "{kinds:?}");
    let last = lines.iter().rfind(|line| line["kind"] == "teach");
    let taught = &last.unwrap()["data"];
    let expected = json!({"box": 0, "bead": "c3-c2", "change": -1, "left": 0});
    for key in ["box", "bead", "change", "left"] {
        assert_eq!(taught[key], expected[key], "{taught}");
    }
    assert_eq!(lines.last().unwrap()["end"], true);
}

#[test]
fn school_ends_by_itself_or_when_it_is_stopped() {
    let house = open();
    let mut client = house.visitor();
    her(&mut client, "her");
    let fields = [("opponent", "perfect"), ("games", "400"), ("seed", "1")];
    assert_eq!(
        send(&mut client, "/matchbox/her/train", &fields).status,
        200
    );
    until(|| {
        let page = client.get("/matchbox/her/school").unwrap().body;
        page.contains("is saved").then_some(())
    });
    let machine: Value = serde_json::from_str(&file(&mut client, "her")).unwrap();
    let taught = &machine["taught"];
    let games = ["wins", "draws", "losses"].map(|k| taught[k].as_u64().unwrap());
    assert_eq!(games.iter().sum::<u64>(), 400);
    let page = client.get("/matchbox/her?view=knows").unwrap().body;
    assert!(
        page.contains("cannot be beaten"),
        "400 games make it perfect"
    );
    let csv = client.get("/matchbox/her/curve/csv").unwrap().body;
    assert_eq!(csv.lines().count(), 201);
    let svg = client.get("/matchbox/her/curve/svg").unwrap();
    assert!(svg.body.starts_with("<svg"));

    let menace = [("name", "menace"), ("kind", "menace")];
    send(&mut client, "/matchbox", &menace);
    let fields = [("opponent", "punishing"), ("games", "1000000")];
    assert_eq!(
        send(&mut client, "/matchbox/menace/train", &fields).status,
        200
    );
    let again = send(&mut client, "/matchbox/menace/train", &fields);
    assert_eq!(refused(&again), "at-school");
    assert_eq!(send(&mut client, "/matchbox/menace/stop", &[]).status, 200);
    until(|| {
        let page = client.get("/matchbox/menace/school").unwrap().body;
        page.contains("is saved").then_some(())
    });
}

#[test]
fn the_largest_fragment_is_found_and_overflow_is_said() {
    let house = open();
    let mut client = house.guest();
    let page = client.get("/maxsum?numbers=3+-5+4+-1+6+-9+2").unwrap().body;
    assert!(
        page.contains("largest sum is 9: numbers 3 to 5 of 7"),
        "{page}"
    );
    let page = client
        .get("/maxsum?numbers=9223372036854775807+9+-1")
        .unwrap()
        .body;
    assert!(page.contains("9223372036854775816") && page.contains("does not fit"));
    let page = client.get("/maxsum?numbers=-1+-2").unwrap().body;
    assert!(page.contains("subarray is empty"));
    let page = client.get("/maxsum?n=2000&seed=1").unwrap().body;
    for word in ["cubic", "quadratic", "linear", "n^", "<svg"] {
        assert!(page.contains(word), "{word}");
    }
}
