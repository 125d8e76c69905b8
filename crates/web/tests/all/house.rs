//! The house over HTTP: playing, watching, resuming, and what bad input gets.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::time::Duration;

use serde_json::{Value, json};
use wits_game::Game;
use wits_matchbox::tictactoe::TicTacToe;
use wits_play::{Catalog, Choice, Desk, Entry, Limits, Player, PlayerEntry};
use wits_store::{Options, Store};
use wits_web::Config;
use wits_web::testing::{Client, Events, House, measured};

fn open(store: Store, change: impl FnOnce(&mut Config)) -> House {
    let catalog = Catalog::new(vec![tictactoe().erase(), wits_play::toys::tricks().erase()]);
    House::open(catalog, store, change)
}

fn plain() -> House {
    open(Store::memory().unwrap(), |_| {})
}

/// A machine that breaks down at its first move.
struct Broken;

impl Player<TicTacToe> for Broken {
    fn choose(
        &mut self,
        _: &TicTacToe,
        _: &<TicTacToe as Game>::View,
        _: &mut Desk<'_, <TicTacToe as Game>::Move>,
    ) -> Choice<<TicTacToe as Game>::Move> {
        panic!("on purpose")
    }
}

/// Tic-tac-toe with a machine that breaks down.
fn tictactoe() -> Entry<TicTacToe> {
    let broken = PlayerEntry::new("broken", &wits_play::WORDS, "about-random", |_, _, _| {
        Ok(Broken)
    });
    wits_matchbox::tictactoe::entry().player(broken)
}

/// A new game; its address.
fn begin(client: &mut Client, game: &str, seats: &[&str]) -> String {
    let reply = client
        .post("/games", &json!({"game": game, "seats": seats, "seed": 7}))
        .unwrap();
    assert_eq!(reply.status, 201, "{}", reply.body);
    reply.json()["page"].as_str().unwrap().to_owned()
}

fn play(client: &mut Client, page: &str, ply: u64, seat: u64, text: &str) -> (u16, Value) {
    let reply = client
        .post(
            &format!("{page}/move"),
            &json!({"ply": ply, "seat": seat, "move": text}),
        )
        .unwrap();
    (reply.status, reply.json())
}

#[test]
fn a_person_plays_a_machine_to_the_end() {
    let house = plain();
    let mut me = house.visitor();
    let page = begin(&mut me, "tictactoe", &["human", "perfect"]);
    let mut events = me.listen(&format!("{page}/events"), None).unwrap();
    let mut state = events.wait(|_| true).unwrap();
    while state["over"].is_null() {
        let text = state["scene"]["targets"][0]["text"]
            .as_str()
            .unwrap()
            .to_owned();
        let ply = state["ply"].as_u64().unwrap();
        assert_eq!(play(&mut me, &page, ply, 1, &text).0, 200);
        state = events
            .wait(|s| !s["over"].is_null() || (s["turn"] == 1 && s["ply"].as_u64() > Some(ply)))
            .unwrap();
    }
    assert_ne!(
        state["over"]["winner"], 1,
        "nobody beats the perfect player"
    );
    let record = me.get(&format!("{page}/record")).unwrap();
    assert!(record.body.starts_with("{\"record\":1"));
    let html = me
        .send("GET", &page, &[("accept", "text/html")], "")
        .unwrap();
    assert!(html.body.contains("Tic-tac-toe") && html.body.contains("wits-board"));
}

#[test]
fn the_thread_of_a_machines_move_can_be_followed() {
    let house = plain();
    let mut me = house.visitor();
    let page = begin(&mut me, "tictactoe", &["human", "alphabeta:depth=3"]);
    let mut events = me.listen(&format!("{page}/events"), None).unwrap();
    play(&mut me, &page, 0, 1, "b2");
    let state = events.wait(|s| s["ply"] == 2).unwrap();
    assert_eq!(state["moves"][1]["thread"], true);
    assert_eq!(state["moves"][0]["thread"], false);
    let thread = me.get(&format!("{page}/thread/1")).unwrap();
    let lines: Vec<Value> = thread
        .body
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(lines[0]["thread"], 2);
    assert!(
        lines.iter().any(|l| l["kind"] == "cut"),
        "alpha-beta cuts something"
    );
    assert_eq!(
        lines.last().unwrap()["result"],
        state["moves"][1]["move"],
        "thought again, it chooses the same"
    );
    assert_eq!(me.get(&format!("{page}/thread/0")).unwrap().status, 404);
    assert_eq!(me.get(&format!("{page}/thread/99")).unwrap().status, 404);
    // Why not that one? For a move of the machine, and legal ones only.
    let chosen = state["moves"][1]["move"].as_str().unwrap().to_owned();
    let other = ["a1", "a2"].into_iter().find(|mv| *mv != chosen).unwrap();
    let mut ask = |ply: u32, mv: &str| {
        let address = format!("{page}/why-not/{ply}");
        let reply = me.post(&address, &json!({"move": mv})).unwrap();
        (reply.status, reply.json())
    };
    let (status, told) = ask(1, other);
    assert_eq!((status, &told["chosen"]), (200, &json!(chosen)), "{told}");
    assert!(
        told["line"]
            .as_array()
            .is_some_and(|l| l.len() > 1 && l[0] == other)
    );
    assert!(told["text"].as_str().is_some_and(|t| t.contains(other)));
    assert_eq!(ask(1, "b2").0, 422, "the square is taken");
    assert_eq!(ask(0, other).0, 404, "a person's move");
}

#[test]
fn a_thread_is_kept_shared_and_deleted() {
    let house = plain();
    let (mut me, mut other) = (house.visitor(), house.visitor());
    let page = begin(&mut me, "tictactoe", &["human", "alphabeta:depth=3"]);
    let mut events = me.listen(&format!("{page}/events"), None).unwrap();
    play(&mut me, &page, 0, 1, "b2");
    events.wait(|s| s["ply"] == 2).unwrap();
    let thread = me.get(&format!("{page}/thread/1")).unwrap().body;
    let rests = |text: &str| text.matches("\"rests\":true").count();
    assert!(rests(&thread) > 1, "the steps that matter are marked");
    let keep = |client: &mut Client, text: &str| {
        let head = [("content-type", "application/jsonl")];
        let reply = client.send("POST", "/threads", &head, text).unwrap();
        (reply.status, reply.json())
    };
    let (status, told) = keep(&mut me, &thread);
    assert_eq!(status, 200, "{told}");
    let address = told["page"].as_str().unwrap().to_owned();
    let file = other.get(&format!("{address}/file")).unwrap();
    assert_eq!(
        (file.status, &file.body),
        (200, &thread),
        "read by whoever has the address"
    );
    assert_eq!(other.get(&address).unwrap().status, 200);
    // The same once more has a title of its own, and both are listed for their owner alone.
    let (status, again) = keep(&mut me, &thread);
    assert!(status == 200 && again["page"] != told["page"], "{again}");
    let listed = me.get("/threads").unwrap().body;
    assert_eq!(
        listed.matches("/threads/t-").count(),
        4,
        "two links, two buttons"
    );
    assert!(!other.get("/threads").unwrap().body.contains("/threads/t-"));
    assert!(me.get("/mine").unwrap().body.contains(&address));
    // What cannot be: no thread, a false value, a move that the rules refuse, a game that nobody knows.
    let lines: Vec<&str> = thread.lines().collect();
    let cut_short = lines[..lines.len() - 1].join("\n");
    let illegal = thread.replacen("\"move\":\"a1\"", "\"move\":\"b2\"", 1);
    let foreign = thread.replacen("tictactoe", "chess", 2);
    for text in ["", "{}", &cut_short, &illegal, &foreign] {
        let (status, told) = keep(&mut me, text);
        assert!((400..500).contains(&status), "{status} {told}");
        assert!(told["error"]["hint"].is_string(), "{told}");
    }
    let long = format!("{thread}{}", "\n".repeat(5 << 20));
    assert_eq!(keep(&mut me, &long).0, 413);
    // Others neither delete it nor guess it.
    let delete = format!("{address}/delete");
    assert_eq!(other.post(&delete, &json!({})).unwrap().status, 403);
    assert_eq!(me.post(&delete, &json!({})).unwrap().status, 200);
    assert_eq!(other.get(&address).unwrap().status, 404);
    assert_eq!(other.get("/threads/t-00").unwrap().status, 404);
}

#[test]
fn a_thread_of_version_1_is_kept_and_opened() {
    let house = plain();
    let mut me = house.visitor();
    let old = concat!(
        r#"{"thread":1,"room":"tictactoe","subject":"X to move","by":"minimax:depth=1","seed":7,"lens":"tree","title":"X to move"}"#,
        "\n",
        r#"{"at":0,"kind":"open","text":"X to move","data":{"id":0,"parent":null,"move":null}}"#,
        "\n",
        r#"{"at":1,"kind":"close","text":"worth 0, proved","data":{"id":0,"value":0,"proved":true}}"#,
        "\n",
        r#"{"end":true,"counts":{"open":1,"close":1},"kept":2,"dropped":0,"result":"b2"}"#,
        "\n"
    );
    let head = [("content-type", "application/jsonl")];
    let reply = me.send("POST", "/threads", &head, old).unwrap();
    assert_eq!(reply.status, 200, "{}", reply.body);
    let page = reply.json()["page"].as_str().unwrap().to_owned();
    let file = me.get(&format!("{page}/file")).unwrap().body;
    assert!(file.starts_with("{\"thread\":1,"), "{file}");
    assert_eq!(file.lines().count(), old.lines().count());
    let told = me.send("POST", "/api/house/check", &head, old).unwrap();
    assert_eq!(told.json()["rules"], false, "version 1 names no game");
}

#[test]
fn positions_come_as_scenes_many_at_once() {
    let house = plain();
    let mut me = house.guest();
    let mut ask = |body: Value| {
        let reply = me.post("/api/house/scene", &body).unwrap();
        (reply.status, reply.json())
    };
    let lines = json!([[], ["b2"], ["b2", "b2"], ["b2", "a1"]]);
    let (status, told) = ask(json!({"game": "tictactoe", "subject": "c3", "lines": lines}));
    assert_eq!(status, 200, "{told}");
    let pieces = |scene: &Value| {
        let cells = scene["cells"].as_array().unwrap().iter();
        cells.filter(|c| c["token"].is_object()).count()
    };
    let scenes = told["scenes"].as_array().unwrap();
    let counts: Vec<usize> = [0, 1, 3].map(|i| pieces(&scenes[i])).to_vec();
    assert_eq!(counts, [1, 2, 3], "{told}");
    assert!(scenes[2].is_null(), "the square is taken");
    let many = vec![Vec::<String>::new(); 257];
    let (status, told) = ask(json!({"game": "tictactoe", "lines": many}));
    assert_eq!((status, &told["error"]["code"]), (422, &json!("too-many")));
    let (status, told) = ask(json!({"game": "tictactoe", "subject": "z9", "lines": [[]]}));
    assert_eq!((status, &told["error"]["code"]), (422, &json!("position")));
    let (status, told) = ask(json!({"game": "tricks", "subject": "z9", "lines": [[]]}));
    assert_eq!((status, &told["scenes"]), (200, &json!([null])), "secrets");
    let (status, told) = ask(json!({"game": "chess", "lines": [[]]}));
    assert!(
        status >= 400 && told["error"]["message"].is_string(),
        "{told}"
    );
}

#[test]
fn two_people_play_on_two_browsers() {
    let house = plain();
    let (mut a, mut b, mut c) = (house.visitor(), house.visitor(), house.visitor());
    let page = begin(&mut a, "tictactoe", &["human", "human"]);
    let mut seen = a.listen(&format!("{page}/events"), None).unwrap();
    assert_eq!(
        play(&mut b, &page, 0, 1, "a1").0,
        403,
        "the first seat is A's"
    );
    assert_eq!(
        b.post(&format!("{page}/sit"), &json!({"seat": 2}))
            .unwrap()
            .status,
        200
    );
    seen.wait(|s| s["seats"][1]["free"] == false).unwrap();
    assert_eq!(
        c.post(&format!("{page}/sit"), &json!({"seat": 2}))
            .unwrap()
            .status,
        409,
        "it is taken"
    );
    assert_eq!(play(&mut b, &page, 0, 2, "a1").0, 409, "it is not B's turn");
    assert_eq!(play(&mut a, &page, 0, 1, "a1").0, 200);
    assert_eq!(play(&mut b, &page, 1, 2, "b2").0, 200);
    assert_eq!(seen.wait(|s| s["ply"] == 2).unwrap()["turn"], 1);
    assert_eq!(
        a.post(&format!("{page}/undo"), &json!({})).unwrap().status,
        409,
        "B would lose a move"
    );
    assert_eq!(
        c.post(&format!("{page}/resign"), &json!({"seat": 1}))
            .unwrap()
            .status,
        403
    );
    assert_eq!(
        c.get(&format!("{page}/state")).unwrap().json()["scene"]["targets"],
        json!([]),
        "who watches cannot click"
    );
    assert_eq!(
        a.post(&format!("{page}/resign"), &json!({"seat": 1}))
            .unwrap()
            .status,
        200
    );
    assert_eq!(
        seen.wait(|s| !s["over"].is_null()).unwrap()["over"]["winner"],
        2
    );
}

#[test]
fn a_double_post_plays_once_and_another_move_is_refused() {
    let house = plain();
    let mut me = house.visitor();
    let page = begin(&mut me, "tictactoe", &["human", "human"]);
    me.post(&format!("{page}/sit"), &json!({"seat": 2}))
        .unwrap();
    assert_eq!(play(&mut me, &page, 0, 1, "b2").1["played"], true);
    let (status, again) = play(&mut me, &page, 0, 1, "b2");
    assert_eq!((status, &again["played"]), (200, &json!(false)));
    assert_eq!(play(&mut me, &page, 0, 1, "a1").0, 409);
    assert_eq!(play(&mut me, &page, 0, 2, "b2").0, 409);
    assert_eq!(play(&mut me, &page, 7, 2, "a1").0, 409);
    assert_eq!(me.get(&format!("{page}/state")).unwrap().json()["ply"], 1);
}

#[test]
fn undo_takes_back_to_ones_own_decision() {
    let house = plain();
    let mut me = house.visitor();
    let page = begin(&mut me, "tictactoe", &["human", "random"]);
    let mut events = me.listen(&format!("{page}/events"), None).unwrap();
    play(&mut me, &page, 0, 1, "b2");
    let first = events.wait(|s| s["ply"] == 2).unwrap()["moves"][1]["move"].clone();
    assert_eq!(
        me.post(&format!("{page}/undo"), &json!({})).unwrap().status,
        200
    );
    assert_eq!(events.wait(|s| s["ply"] == 0).unwrap()["turn"], 1);
    play(&mut me, &page, 0, 1, "b2");
    let again = events.wait(|s| s["ply"] == 2).unwrap()["moves"][1]["move"].clone();
    assert_eq!(first, again, "the dice are derived, not carried");
    let hint = me.post(&format!("{page}/hint"), &json!({})).unwrap();
    assert_eq!(hint.status, 200);
    assert!(
        hint.json()["move"].is_string() && hint.json()["why"].is_string(),
        "{}",
        hint.body
    );
}

/// Every bad request gets its status and a sentence, and changes nothing.
#[test]
fn bad_input_gets_a_sentence() {
    let house = plain();
    let mut me = house.visitor();
    let page = begin(&mut me, "tictactoe", &["human", "human"]);
    let to = format!("{page}/move");
    let json_type = [("content-type", "application/json")];
    let nowhere = "/games/00000000000000000000000000000000";
    let big = "x".repeat(300_000);
    let deep = "[".repeat(100_000);
    let cases: Vec<(&str, &str, &str, String, u16)> = vec![
        ("malformed JSON", "POST", &to, "{\"ply\":".into(), 400),
        ("deep JSON", "POST", &to, deep, 400),
        ("no object", "POST", &to, "[1]".into(), 400),
        ("no ply", "POST", &to, "{\"move\":\"b2\"}".into(), 400),
        (
            "a ply that is no number",
            "POST",
            &to,
            "{\"ply\":\"x\",\"move\":\"b2\"}".into(),
            400,
        ),
        ("no move", "POST", &to, "{\"ply\":0}".into(), 400),
        (
            "a square that is none",
            "POST",
            &to,
            "{\"ply\":0,\"move\":\"z9\"}".into(),
            422,
        ),
        (
            "a seat that is none",
            "POST",
            &to,
            "{\"ply\":0,\"seat\":9,\"move\":\"b2\"}".into(),
            400,
        ),
        ("too large", "POST", &to, big, 413),
        ("an unknown game", "GET", nowhere, String::new(), 404),
        (
            "an address that is none",
            "GET",
            "/games/zzz",
            String::new(),
            404,
        ),
        ("an unknown page", "GET", "/nothing", String::new(), 404),
        ("an unknown room", "GET", "/new/chess", String::new(), 404),
        ("a wrong method", "DELETE", &page, String::new(), 405),
        (
            "an unknown catalog game",
            "POST",
            "/games",
            "{\"game\":\"tictactow\"}".into(),
            422,
        ),
        (
            "an unknown player",
            "POST",
            "/games",
            "{\"game\":\"tictactoe\",\"seats\":[\"human\",\"alfabeta\"]}".into(),
            422,
        ),
        (
            "a bad parameter",
            "POST",
            "/games",
            "{\"game\":\"tictactoe\",\"seats\":[\"mcts:nodes=0\"]}".into(),
            422,
        ),
        (
            "a bad position",
            "POST",
            "/games",
            "{\"game\":\"tictactoe\",\"position\":\"XXX\"}".into(),
            422,
        ),
        (
            "a path that climbs",
            "GET",
            "/assets/..%2f..%2fCargo.toml",
            String::new(),
            404,
        ),
    ];
    for (name, method, path, body, status) in cases {
        let reply = me.send(method, path, &json_type, &body).unwrap();
        assert_eq!(reply.status, status, "{name}: {}", reply.body);
        let error = &reply.json()["error"];
        for key in ["code", "message", "hint"] {
            assert!(
                error[key]
                    .as_str()
                    .is_some_and(|t| !t.is_empty() && !t.contains('{')),
                "{name}: {}",
                reply.body
            );
        }
    }
    assert_eq!(
        me.get(&format!("{page}/state")).unwrap().json()["seq"],
        0,
        "nothing was changed"
    );
    let html = me
        .send("GET", nowhere, &[("accept", "text/html")], "")
        .unwrap();
    assert!(
        html.status == 404 && html.body.contains("role=\"alert\""),
        "people get a page"
    );
}

#[test]
fn only_our_own_pages_may_change_things() {
    let house = plain();
    let mut me = house.visitor();
    let page = begin(&mut me, "tictactoe", &["human", "human"]);
    for origin in [
        None,
        Some("http://evil.example".to_owned()),
        Some("null".to_owned()),
    ] {
        let mut other = me.clone();
        other.origin = origin;
        assert_eq!(play(&mut other, &page, 0, 1, "b2").0, 403);
    }
    let elsewhere = me
        .send("GET", "/", &[("host", "evil.example")], "")
        .unwrap();
    assert!(
        elsewhere.status == 403 || elsewhere.status == 400,
        "another name for this machine is not answered"
    );
}

/// The headers that protect a page, all of them, as they are.
#[test]
fn every_answer_is_signed() {
    let house = plain();
    let mut me = house.visitor();
    let paths = [
        "/",
        "/threads",
        "/new/tictactoe",
        "/assets/wits.css",
        "/nothing",
    ];
    let mut signatures = 0;
    for path in paths {
        let reply = me.get(path).unwrap();
        let mut seen: Vec<String> = reply
            .head
            .iter()
            .filter(|l| {
                !["date", "set-cookie", "content-length", "etag", "connection"]
                    .iter()
                    .any(|skip| l.starts_with(skip))
            })
            .cloned()
            .collect();
        seen.sort();
        let kept = if path.starts_with("/assets") {
            "cache-control: no-cache"
        } else {
            "cache-control: no-store"
        };
        let mut expected = vec![
            kept,
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
            "cross-origin-opener-policy: same-origin",
            "cross-origin-resource-policy: same-origin",
            "referrer-policy: same-origin",
            "x-content-type-options: nosniff",
            "x-frame-options: DENY",
        ];
        seen.retain(|l| !l.starts_with("content-type") && !l.starts_with("content-language"));
        expected.sort_unstable();
        assert_eq!(seen, expected, "{path}");
        signatures = expected.len();
        if path != "/nothing" {
            assert!(
                !reply.body.contains("<script>") && !reply.body.contains(" style="),
                "{path}: nothing inline"
            );
        }
    }
    measured(
        "signed-headers",
        format!(
            "{} answers, a refusal among them: {signatures} of {signatures} headers",
            paths.len()
        ),
    );
}

/// A seat sees its own cards; nobody else does, in any byte, until the game is over.
#[test]
fn hidden_hands_stay_hidden() {
    let house = plain();
    let (mut a, mut b, mut c) = (house.visitor(), house.visitor(), house.visitor());
    let page = begin(&mut a, "tricks", &["human", "human", "ismcts:nodes=50"]);
    b.post(&format!("{page}/sit"), &json!({"seat": 2})).unwrap();
    let hands = |client: &mut Client| -> Vec<String> {
        let state = client.get(&format!("{page}/state")).unwrap().json();
        let glyphs = |tray: &Value| {
            tray["tokens"]
                .as_array()
                .unwrap()
                .iter()
                .map(|t| t["glyph"].as_str().unwrap())
                .collect::<String>()
        };
        state["scene"]["trays"]
            .as_array()
            .unwrap()
            .iter()
            .map(glyphs)
            .collect()
    };
    let (of_a, of_b, of_c) = (hands(&mut a), hands(&mut b), hands(&mut c));
    assert!(
        of_a[0].chars().all(|c| c.is_ascii_digit()) && of_a[1..] == ["??", "??"],
        "{of_a:?}"
    );
    assert!(
        of_b[1].chars().all(|c| c.is_ascii_digit()) && of_b[0] == "??" && of_b[2] == "??",
        "{of_b:?}"
    );
    assert_eq!(of_c, ["??", "??", "??"]);
    let secret_of_a = format!("{}|", of_a[0]);
    let mut streams: Vec<Events> = [&b, &c]
        .iter()
        .map(|v| v.listen(&format!("{page}/events"), None).unwrap())
        .collect();
    let mut bytes = String::new();
    for stream in &mut streams {
        stream.wait(|_| true).unwrap();
        bytes.push_str(&stream.raw);
    }
    for client in [&mut b, &mut c] {
        for path in [
            page.clone(),
            format!("{page}/state"),
            format!("{page}/record"),
            format!("{page}/thread/0"),
            "/".to_owned(),
        ] {
            let reply = client.get(&path).unwrap();
            bytes.push_str(&reply.body);
            bytes.push_str(&reply.head.join("\n"));
        }
    }
    assert!(!bytes.contains(&secret_of_a), "A's hand is nowhere");
    assert!(
        !bytes.contains("\"seed\"") && !bytes.contains("seed"),
        "the seed of a live game with chance is never sent"
    );
    let own: Vec<&str> = of_a[0].split("").filter(|s| !s.is_empty()).collect();
    for card in own {
        let named = format!("card {card}\"");
        assert!(
            !c.get(&format!("{page}/state"))
                .unwrap()
                .body
                .contains(&named),
            "{named}"
        );
    }
    assert_eq!(
        a.post(&format!("{page}/undo"), &json!({})).unwrap().status,
        409
    );
    assert_eq!(a.get(&format!("{page}/record")).unwrap().status, 403);
    a.post(&format!("{page}/resign"), &json!({"seat": 1}))
        .unwrap();
    assert_eq!(
        c.get(&format!("{page}/record")).unwrap().status,
        200,
        "after the end everything is open"
    );
}

#[test]
fn a_stream_goes_on_where_it_stopped() {
    let house = plain();
    let mut me = house.visitor();
    let page = begin(&mut me, "tictactoe", &["human", "human"]);
    me.post(&format!("{page}/sit"), &json!({"seat": 2}))
        .unwrap();
    play(&mut me, &page, 0, 1, "b2");
    let mut fresh = me.listen(&format!("{page}/events"), None).unwrap();
    let state = fresh.wait(|_| true).unwrap();
    let last = state["seq"].as_u64().unwrap();
    drop(fresh);
    let mut resumed = me.listen(&format!("{page}/events"), Some(last)).unwrap();
    play(&mut me, &page, 1, 2, "a1");
    let (name, next) = resumed.hear().unwrap();
    assert_eq!(
        (name.as_str(), &next["ply"]),
        ("state", &json!(2)),
        "what was seen is not sent again"
    );
}

#[test]
fn a_game_outlives_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wits.sqlite");
    let house = open(Store::sqlite(&file).unwrap(), |_| {});
    let mut me = house.visitor();
    let page = begin(&mut me, "tictactoe", &["human", "alphabeta"]);
    let mut events = me.listen(&format!("{page}/events"), None).unwrap();
    play(&mut me, &page, 0, 1, "b2");
    let before = events.wait(|s| s["ply"] == 2).unwrap();
    drop(events);
    drop(house);
    let house = open(Store::sqlite(&file).unwrap(), |_| {});
    me.address = house.visitor().address;
    me.origin = Some(format!("http://{}", me.address));
    let after = me.get(&format!("{page}/state")).unwrap().json();
    assert_eq!(after["moves"], before["moves"]);
    assert_eq!(after["you"], json!([1]), "the cookie still holds the seat");
    assert!(
        me.get("/").unwrap().body.contains(&page),
        "home lists what can go on"
    );
}

#[test]
fn a_locked_database_is_said_and_harms_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wits.sqlite");
    let options = Options {
        patience: Duration::from_millis(100),
        ..Options::default()
    };
    let house = open(Store::sqlite_with(&file, options).unwrap(), |_| {});
    let mut me = house.visitor();
    let page = begin(&mut me, "tictactoe", &["human", "human"]);
    let other = rusqlite::Connection::open(&file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (status, body) = play(&mut me, &page, 0, 1, "b2");
    assert_eq!(status, 503, "{body}");
    assert!(
        body["error"]["message"].as_str().unwrap().contains("busy"),
        "{body}"
    );
    assert_eq!(me.get(&format!("{page}/state")).unwrap().json()["ply"], 0);
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(
        play(&mut me, &page, 0, 1, "b2").0,
        200,
        "afterwards it works"
    );
    assert_eq!(house.store.count(wits_store::Which::default()).unwrap(), 1);
}

#[test]
fn a_clock_that_runs_out_ends_the_game() {
    let house = plain();
    let mut me = house.visitor();
    let reply = me.post("/games", &json!({"game": "tictactoe", "seats": ["human", "random"], "clock": "move", "seconds": 1})).unwrap();
    let page = reply.json()["page"].as_str().unwrap().to_owned();
    let mut events = me.listen(&format!("{page}/events"), None).unwrap();
    let over = events.wait(|s| !s["over"].is_null()).unwrap();
    assert_eq!(over["over"]["winner"], 2);
    assert!(
        over["said"].as_str().unwrap().contains("ran out of time"),
        "{over}"
    );
}

#[test]
fn forms_work_without_scripts() {
    let house = plain();
    let mut me = house.visitor();
    let form = [
        ("content-type", "application/x-www-form-urlencoded"),
        ("accept", "text/html"),
    ];
    let reply = me
        .send(
            "POST",
            "/games",
            &form,
            "game=tictactoe&seats.1=human&seats.2=human&p.x=&seats.2.mcts.nodes=5",
        )
        .unwrap();
    assert_eq!(reply.status, 303);
    let page = reply.header("location").unwrap().to_owned();
    let reply = me
        .send("POST", &format!("{page}/move"), &form, "ply=0&move=b2")
        .unwrap();
    assert_eq!(
        (reply.status, reply.header("location")),
        (303, Some(page.as_str()))
    );
    let html = me.send("GET", &page, &form[1..], "").unwrap().body;
    assert!(html.contains("O to move"), "{html}");
    let refused = me
        .send(
            "POST",
            &format!("{page}/move"),
            &form,
            "ply=1&seat=2&move=a1",
        )
        .unwrap();
    assert!(refused.status == 403 && refused.body.contains("this seat is not yours"));
}

#[test]
fn every_asset_is_embedded_and_nothing_else_is_loaded() {
    let house = plain();
    let mut me = house.visitor();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    for file in std::fs::read_dir(folder).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let reply = me.get(&format!("/assets/{name}")).unwrap();
        assert_eq!(
            reply.status, 200,
            "{name} is not in the list of embedded files"
        );
        let tag = reply.header("etag").unwrap().to_owned();
        let again = me
            .send(
                "GET",
                &format!("/assets/{name}"),
                &[("if-none-match", &tag)],
                "",
            )
            .unwrap();
        assert_eq!(again.status, 304);
        for word in ["http://", "https://"] {
            let outside = reply
                .body
                .match_indices(word)
                .filter(|(i, _)| !reply.body[*i..].starts_with("http://www.w3.org/"))
                .count();
            assert_eq!(outside, 0, "{name} names another machine");
        }
    }
}

#[test]
fn a_machine_that_breaks_down_loses_its_own_game_only() {
    let house = plain();
    let mut me = house.visitor();
    let page = begin(&mut me, "tictactoe", &["human", "broken"]);
    let other = begin(&mut me, "tictactoe", &["human", "random"]);
    let mut events = me.listen(&format!("{page}/events"), None).unwrap();
    play(&mut me, &page, 0, 1, "b2");
    // The stream says that it is alive for as long as it is open: only a deadline ends the wait.
    let deadline = std::time::Instant::now() + Duration::from_secs(30);
    while me.get(&format!("{page}/state")).unwrap().json()["over"].is_null() {
        assert!(
            std::time::Instant::now() < deadline,
            "the game of a machine that broke down goes on"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    let over = events.wait(|s| !s["over"].is_null()).unwrap();
    assert_eq!(over["over"]["winner"], 1);
    let mut events = me.listen(&format!("{other}/events"), None).unwrap();
    play(&mut me, &other, 0, 1, "b2");
    assert_eq!(
        events.wait(|s| s["ply"] == 2).unwrap()["turn"],
        1,
        "the house is open"
    );
    measured(
        "player-panic",
        "1 machine broke down: its game lost, the next game of the same person answered at ply 2",
    );
}

/// A search that nobody waits for is stopped, and begins again when somebody comes back.
#[test]
fn closing_the_page_stops_the_search() {
    let house = open(Store::memory().unwrap(), |config| {
        config.thinking = Limits::NONE;
    });
    let mut me = house.visitor();
    let page = begin(&mut me, "tictactoe", &["human", "mcts:nodes=1000000"]);
    let mut events = me.listen(&format!("{page}/events"), None).unwrap();
    events.wait(|_| true).unwrap();
    play(&mut me, &page, 0, 1, "b2");
    let until = |busy: bool| {
        let deadline = std::time::Instant::now() + Duration::from_secs(20);
        while (house.engine.load().0 > 0) != busy {
            assert!(std::time::Instant::now() < deadline, "the search goes on");
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    until(true);
    drop(events);
    until(false);
    let again = me.listen(&format!("{page}/events"), None).unwrap();
    until(true);
    drop(again);
    until(false);
    assert_eq!(house.store.count(wits_store::Which::default()).unwrap(), 1);
}
