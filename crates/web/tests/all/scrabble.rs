//! The Scrabble room over HTTP: nobody sees what is hidden, clocks cost what they should, wrong questions are explained.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::{Value, json};
use wits_play::Catalog;
use wits_store::Store;
use wits_web::testing::{Client, House, Reply};

fn house() -> House {
    let catalog = Catalog::new(vec![wits_scrabble::entry().erase()]);
    House::open(catalog, Store::memory().unwrap(), |_| {})
}

fn state(me: &mut Client, page: &str) -> Value {
    me.get(&format!("{page}/state")).unwrap().json()
}

fn code(reply: &Reply) -> String {
    reply.json()["error"]["code"]
        .as_str()
        .unwrap_or("none")
        .to_owned()
}

fn faces(room: &Value) -> Vec<String> {
    let rack = room["rack"].as_array().unwrap();
    rack.iter()
        .map(|f| f.as_str().unwrap().to_owned())
        .collect()
}

/// What is drawn after the move decided nothing: the rack of the decision spells the word that was chosen.
#[test]
fn the_board_at_a_decision_shows_the_rack_that_decided() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/gallery/scrabble-leave.thread");
    let thread = wits_search::Thread::read(&std::fs::read_to_string(path).unwrap()).unwrap();
    let header = &thread.header;
    let house = house();
    let mut me = house.guest();
    let lines = json!([[], [thread.footer.result]]);
    let node = json!({"game": header.game, "subject": header.subject, "lines": lines});
    let told = me.post("/api/house/scene", &node).unwrap().json();
    let [before, after] = [0, 1].map(|at| told["scenes"][at].clone());
    assert_ne!(before["cells"], after["cells"], "the word lies there");
    assert_eq!(before["trays"], after["trays"]);
    let tokens = after["trays"][0]["tokens"].as_array().unwrap().iter();
    let rack: String = tokens.map(|t| t["glyph"].as_str().unwrap()).collect();
    let held = header.subject.split([' ', '/']).find(|part| *part == rack);
    assert!(
        held.is_some() && rack.len() == 7,
        "{rack}: {}",
        header.subject
    );
}

#[test]
fn nobody_sees_another_rack_before_the_end() {
    let house = house();
    let (mut ann, mut bo, mut cy) = (house.visitor(), house.visitor(), house.visitor());
    let new = json!({"lexicon": "english", "seat.1": "human", "seat.2": "human", "seat.3": "level:level=1", "seed": "8", "start": "seat"});
    let page = ann.post("/scrabble/new", &new).unwrap().json()["page"]
        .as_str()
        .unwrap()
        .to_owned();
    let id = page.rsplit('/').next().unwrap().to_owned();
    assert_eq!(
        bo.post(&format!("{page}/sit"), &json!({"seat": "2"}))
            .unwrap()
            .status,
        200
    );
    let (first, second) = (state(&mut ann, &page), state(&mut bo, &page));
    let (own, other) = (faces(&first["room"]), faces(&second["room"]));
    assert_eq!((own.len(), other.len()), (7, 7));
    assert_ne!(own, other);
    for (me, seat) in [(&mut ann, 1), (&mut bo, 2), (&mut cy, 0)] {
        let seen = state(me, &page);
        let room = &seen["room"];
        for rack in room["racks"].as_array().unwrap() {
            assert_eq!((&rack["count"], &rack["tiles"]), (&json!(7), &json!(null)));
        }
        // The trays of the scene show tiles of the own seat alone.
        for (tray, of) in seen["scene"]["trays"].as_array().unwrap().iter().zip(1..) {
            let open = tray["tokens"]
                .as_array()
                .unwrap()
                .iter()
                .any(|t| t["glyph"] != " ");
            assert_eq!(open, of == seat, "tray {of} for seat {seat}");
        }
        let unseen: u64 = room["unseen"]
            .as_array()
            .unwrap()
            .iter()
            .map(|u| u[1].as_u64().unwrap())
            .sum();
        assert_eq!(unseen, if seat == 0 { 100 } else { 93 });
        for address in ["gcg", ""] {
            let reply = me
                .get(format!("/scrabble/game/{id}/{address}").trim_end_matches('/'))
                .unwrap();
            assert_eq!(code(&reply), "not-yet");
        }
        for address in ["checks", "hint"] {
            let reply = me.get(&format!("/scrabble/game/{id}/{address}")).unwrap();
            assert_eq!(code(&reply), "no-help", "people at the table: no help");
        }
    }
    // Whoever watches cannot even try tiles; who waits can, with the own ones.
    let preview = |me: &mut Client, tiles: &str| {
        let fields = json!({ "tiles": tiles });
        me.post(&format!("/scrabble/game/{id}/preview"), &fields)
            .unwrap()
    };
    assert_eq!(preview(&mut cy, "112:A").status, 403);
    let letters: Vec<&String> = other.iter().filter(|f| *f != "?").collect();
    let tried = preview(&mut bo, &format!("112:{},113:{}", letters[0], letters[1])).json();
    assert_ne!(tried["refused"], "rule", "{tried}");
    let foreign = own.iter().find(|f| !other.contains(f)).unwrap();
    let tried = preview(&mut bo, &format!("112:{foreign},113:{}", letters[0])).json();
    assert_eq!(tried["refused"], "rule", "{tried}");
    assert_eq!(code(&preview(&mut bo, "112")), "unreadable");
    // An exchange is known to who made it, and to the others as a number.
    let fields =
        json!({"ply": first["ply"], "seat": "1", "move": format!("exchange {}{}", own[0], own[1])});
    assert_eq!(
        ann.post(&format!("{page}/move"), &fields).unwrap().status,
        200
    );
    let row = |me: &mut Client| {
        state(me, &page)["room"]["sheet"][0]["text"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(row(&mut bo).contains('2') && !row(&mut bo).contains(&format!("exchange {}", own[0])));
    assert!(row(&mut ann).starts_with("exchange "), "{}", row(&mut ann));
    // At the end everything lies open.
    assert_eq!(
        ann.post(&format!("{page}/resign"), &json!({"seat": "1"}))
            .unwrap()
            .status,
        200
    );
    let seen = state(&mut cy, &page);
    assert!(seen["room"]["racks"][1]["tiles"].is_string(), "{seen}");
    assert_eq!(
        cy.get(&format!("/scrabble/game/{id}/gcg")).unwrap().status,
        200
    );
}

#[test]
fn where_bad_words_stand_nobody_is_told_beforehand() {
    let house = house();
    let mut me = house.visitor();
    let mut tried = |challenge: &str| {
        let new = json!({"lexicon": "english", "seat.1": "human", "seat.2": "greedy", "seed": "8", "start": "seat", "challenge": challenge});
        let page = me.post("/scrabble/new", &new).unwrap().json()["page"]
            .as_str()
            .unwrap()
            .to_owned();
        let rack = faces(&state(&mut me, &page)["room"]);
        let letters: Vec<&String> = rack.iter().filter(|f| *f != "?").collect();
        let tiles: Vec<String> = letters
            .iter()
            .take(6)
            .enumerate()
            .map(|(at, f)| format!("{}:{f}", 110 + at))
            .collect();
        let room = page.replace("/games/", "/scrabble/game/");
        let made = me
            .post(
                &format!("{room}/preview"),
                &json!({"tiles": tiles.join(",")}),
            )
            .unwrap()
            .json();
        (
            made["words"][0]["good"].clone(),
            made["refused"].clone(),
            made["score"].is_number(),
        )
    };
    assert_eq!(tried("void"), (json!(false), json!("words"), true));
    for challenge in ["single", "double", "free", "off"] {
        assert_eq!(
            tried(challenge),
            (json!(null), json!(null), true),
            "{challenge}"
        );
    }
}

#[test]
fn a_clock_over_the_game_costs_every_minute_begun() {
    let house = house();
    let mut me = house.visitor();
    let new = json!({"game": "scrabble:late=minutes", "seats": ["human", "greedy"], "clock": "game", "seconds": 1, "seed": 5});
    let page = me.post("/games", &new).unwrap().json()["page"]
        .as_str()
        .unwrap()
        .to_owned();
    let mut events = me.listen(&format!("{page}/events"), None).unwrap();
    let late = events.wait(|s| s["room"]["scores"][0] == -10).unwrap();
    assert!(late["over"].is_null(), "the game goes on");
    assert_eq!(late["turn"], 1, "with the same turn");
    let left = late["seats"][0]["clock_ms"].as_u64().unwrap();
    assert!((55_000..=60_000).contains(&left), "a minute more: {left}");
    let fields = json!({"ply": late["ply"], "seat": "1", "move": "pass"});
    assert_eq!(
        me.post(&format!("{page}/move"), &fields).unwrap().status,
        200
    );
    let next = events
        .wait(|s| s["turn"] == 1 && s["ply"].as_u64() > late["ply"].as_u64())
        .unwrap();
    assert_eq!(next["room"]["scores"][0], -10);
}

#[test]
fn what_is_asked_wrongly_is_explained() {
    let house = house();
    let mut me = house.visitor();
    for (fields, wanted) in [
        (
            json!({"lexicon": "klingon", "seat.1": "human"}),
            "bad-language",
        ),
        (json!({"lexicon": "english"}), "no-players"),
        (
            json!({"lexicon": "english", "seat.1": "matchbox:file=x"}),
            "bad-player",
        ),
        (
            json!({"lexicon": "english", "seat.1": "profile:7"}),
            "bad-player",
        ),
    ] {
        let reply = me.post("/scrabble/new", &fields).unwrap();
        assert_eq!(
            (reply.status, code(&reply).as_str()),
            (422, wanted),
            "{fields}"
        );
    }
    for (fields, wanted) in [
        (json!({"name": " ", "player": "human"}), "bad-name"),
        (
            json!({"name": "x".repeat(41), "player": "human"}),
            "bad-name",
        ),
        (json!({"name": "Zed", "player": "engine"}), "bad-player"),
    ] {
        let reply = me.post("/scrabble/players", &fields).unwrap();
        assert_eq!(
            (reply.status, code(&reply).as_str()),
            (422, wanted),
            "{fields}"
        );
    }
    for n in 0..20 {
        let fields = json!({"name": format!("p{n}"), "player": "level:level=2"});
        assert_eq!(me.post("/scrabble/players", &fields).unwrap().status, 200);
    }
    let more = json!({"name": "more", "player": "human"});
    assert_eq!(
        code(&me.post("/scrabble/players", &more).unwrap()),
        "many-players"
    );
    let again = json!({"name": "p3", "player": "human"});
    assert_eq!(me.post("/scrabble/players", &again).unwrap().status, 200);
    for (address, wanted) in [
        ("/scrabble/simulate?rack=AEINRSTU", "bad-position"),
        ("/scrabble/simulate?rack=%C3%89", "bad-position"),
        ("/scrabble/simulate?position=15/15", "bad-position"),
        ("/scrabble/simulate", "no-rack"),
        (
            "/scrabble/simulate?lexicon=nosuch&rack=A",
            "unknown-lexicon",
        ),
        ("/scrabble/sheet/ffff", "missing"),
        ("/scrabble/game/0123", "missing"),
    ] {
        assert_eq!(code(&me.get(address).unwrap()), wanted, "{address}");
    }
    let sheet = json!({"lexicon": "english", "gcg": "#player1 a A\n>a: ABC 8H CAB +14"});
    let reply = me.post("/scrabble/open", &sheet).unwrap();
    assert_eq!(code(&reply), "bad-gcg");
    assert!(reply.body.contains("line 2, column"), "{}", reply.body);
    let page = me
        .send(
            "GET",
            "/scrabble?words=<b>qi</b>",
            &[("accept", "text/html")],
            "",
        )
        .unwrap();
    assert!(!page.body.contains("<b>qi"), "escaped");
}
