//! Verbs that rooms describe, at the doors of the page and of scripts.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::process::{Command, Stdio};

use serde_json::{Value, json};
use wits_learn::{Control, Validation, bench, cross_validate, verbs};
use wits_play::Catalog;
use wits_store::Store;
use wits_web::testing::{Client, House, Reply};

const JSON: (&str, &str) = ("content-type", "application/json");
const ROWS: &str = "a;b;class\n1;2;x\n2;1;y\n1;3;x\n3;1;y\n1;4;x\n4;1;y\n";

fn open() -> House {
    let store = Store::memory().unwrap();
    House::open(Catalog::new(Vec::new()), store, |_| {})
}

/// A program: no page, no cookie.
fn script(house: &House, path: &str, body: &Value) -> Reply {
    let mut client = Client::script(house.address());
    client
        .send("POST", path, &[JSON], &body.to_string())
        .unwrap()
}

fn code(reply: &Reply) -> String {
    reply.json()["error"]["code"].as_str().unwrap().to_owned()
}

#[test]
fn a_script_gets_what_the_library_finds() {
    let house = open();
    let asked = json!({"data": "glass", "pipeline": "mean + tree:depth=3", "folds": 4, "seed": 7, "missing": 0.05});
    let reply = script(&house, "/api/learn/cv", &asked);
    assert_eq!(reply.status, 200, "{}", reply.body);
    let data = bench::glass().with_missing(0.05, 7);
    let pipeline = "mean + tree:depth=3".parse().unwrap();
    let quiet = Control::quiet();
    let own = cross_validate(&data, &pipeline, Validation::folds(4), 7, &quiet).unwrap();
    assert_eq!(reply.json(), serde_json::to_value(own).unwrap());
    // Files come as text or as bytes, lists as lists, what is null as the default.
    let bytes = "YTtiO2NsYXNzCjE7Mjt4CjI7MTt5CjE7Mzt4CjM7MTt5CjE7NDt4CjQ7MTt5Cg==";
    for file in [json!({"text": ROWS}), json!({"base64": bytes})] {
        let asked = json!({"data": file, "text": ["a"], "head": 1, "target": null});
        let found = script(&house, "/api/learn/describe", &asked).json();
        assert_eq!(found["rows"], 6, "{found}");
        assert_eq!(found["columns"][0]["kind"], "text", "{found}");
        assert_eq!(found["head"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn what_a_script_gets_wrong_is_named() {
    let house = open();
    for (path, body, status, says) in [
        (
            "learn/cv",
            json!({"data": "glass"}),
            422,
            "missing-parameter",
        ),
        (
            "learn/cv",
            json!({"data": "glass", "pipelin": "x"}),
            422,
            "unknown-parameter",
        ),
        (
            "learn/cv",
            json!({"data": "glass", "pipeline": "mean + oracle"}),
            422,
            "bad-pipeline",
        ),
        (
            "learn/cv",
            json!({"data": "glass", "pipeline": "knn", "folds": 1}),
            422,
            "bad-value",
        ),
        (
            "learn/cv",
            json!({"data": "glass", "pipeline": "knn", "folds": [5, 6]}),
            422,
            "bad-value",
        ),
        (
            "learn/cv",
            json!({"data": "glass", "pipeline": "knn", "save": "/etc/passwd"}),
            400,
            "unreadable",
        ),
        (
            "learn/cv",
            json!({"data": "/etc/passwd", "pipeline": "knn"}),
            404,
            "missing",
        ),
        (
            "learn/cv",
            json!({"data": {"base64": "?"}, "pipeline": "knn"}),
            400,
            "unreadable",
        ),
        ("learn/cv", json!([1]), 400, "unreadable"),
        (
            "learn/describe",
            json!({"data": {"text": "a,b\n1\n"}}),
            422,
            "bad-data",
        ),
        ("learn/bench", json!({}), 404, "missing"),
        ("nowhere/cv", json!({}), 404, "missing"),
    ] {
        let reply = script(&house, &format!("/api/{path}"), &body);
        assert_eq!(
            (reply.status, code(&reply).as_str()),
            (status, says),
            "{path} {body}: {}",
            reply.body
        );
        assert!(
            reply.json()["error"]["hint"]
                .as_str()
                .is_some_and(|hint| !hint.is_empty())
        );
    }
}

#[test]
fn a_script_hears_how_much_it_may_send() {
    let house = open();
    let rows = "1,2,x\n".repeat(1 << 20);
    let reply = script(
        &house,
        "/api/learn/describe",
        &json!({"data": {"text": rows}}),
    );
    assert_eq!((reply.status, code(&reply).as_str()), (413, "too-large"));
    assert!(reply.body.contains("4 MiB"), "{}", reply.body);
}

#[test]
fn only_programs_and_our_own_pages_may_ask() {
    let house = open();
    let body = json!({"data": "glass"}).to_string();
    let path = "/api/learn/describe";
    let mut program = Client::script(house.address());
    for header in [
        ("origin", "http://evil.example"),
        ("sec-fetch-site", "cross-site"),
        ("cookie", "wits=stolen"),
    ] {
        let reply = program.send("POST", path, &[JSON, header], &body).unwrap();
        assert_eq!(reply.status, 403, "{header:?}: {}", reply.body);
    }
    // A form on a page elsewhere cannot send JSON.
    let plain = ("content-type", "text/plain");
    let reply = program.send("POST", path, &[plain], &body).unwrap();
    assert_eq!(reply.status, 403, "{}", reply.body);
    // Other changes still need a page of ours.
    let reply = program.send("POST", "/games", &[JSON], "{}").unwrap();
    assert_eq!(reply.status, 403, "{}", reply.body);
    let mut guest = house.guest();
    assert_eq!(
        guest.post(path, &json!({"data": "glass"})).unwrap().status,
        200
    );
}

#[test]
fn a_closed_house_wants_the_invitation_from_scripts() {
    let store = Store::memory().unwrap();
    let house = House::open(Catalog::new(Vec::new()), store, |config| {
        config.invite = Some("rook-and-pawn".to_owned());
    });
    let body = json!({"data": "glass"}).to_string();
    let path = "/api/learn/describe";
    for (bearer, status) in [
        ("Bearer rook-and-pawn", 200),
        ("Bearer guess", 401),
        ("", 401),
    ] {
        let mut program = Client::script(house.address());
        let headers = [JSON, ("authorization", bearer)];
        let reply = program.send("POST", path, &headers, &body).unwrap();
        assert_eq!(reply.status, status, "{bearer}: {}", reply.body);
    }
}

#[test]
fn a_page_is_made_from_the_description() {
    let house = open();
    let mut ada = house.guest();
    let list = ada.get("/desk").unwrap().body;
    assert!(list.contains("/desk/learn/compare"), "{list}");
    let form = ada.get("/desk/learn/cv").unwrap().body;
    for param in &verbs::room().verb("cv").unwrap().params {
        let field = format!("name=\"{}\"", param.name);
        let output = param.kind.is_place();
        assert_eq!(form.contains(&field), !output, "{}", param.name);
    }
    let asked = "/desk/learn/cv?data=glass&pipeline=mean+%2B+tree:depth%3D3&folds=4&na=&id=";
    let html = ada.get(asked).unwrap().body;
    assert!(
        html.contains("id=\"scores\"") && html.contains("always naming"),
        "{html}"
    );
    assert!(
        html.contains("/desk/learn/compare?"),
        "what one would ask next"
    );
    for (part, begins) in [("scores", "class,support"), ("svg", "<svg"), ("save", "{")] {
        let kept = ada.get(&format!("{asked}&keep={part}")).unwrap();
        assert_eq!(kept.status, 200, "{part}");
        assert!(kept.body.starts_with(begins), "{part}: {}", kept.body);
        assert!(
            kept.header("content-disposition")
                .unwrap()
                .contains("attachment")
        );
    }
    assert_eq!(ada.get(&format!("{asked}&keep=else")).unwrap().status, 404);
    // A wrong answer keeps the form.
    let page = ("accept", "text/html");
    let wrong = "/desk/learn/cv?data=glass&pipeline=mean+%2B+oracle";
    let reply = ada.send("GET", wrong, &[page], "").unwrap();
    assert_eq!(reply.status, 422);
    assert!(reply.body.contains("no classifier called") && reply.body.contains("desk-form"));
    // Somebody whom another page sent here is asked before anything is computed.
    let mut stranger = house.visitor();
    let offered = stranger.send("GET", asked, &[page], "").unwrap().body;
    assert!(offered.contains("action=\"/run\"") && !offered.contains("id=\"scores\""));
    // In the reader's language, numbers too.
    ada.send(
        "POST",
        "/language",
        &[("content-type", "application/x-www-form-urlencoded")],
        "lang=cs&to=/",
    )
    .unwrap();
    let html = ada.get(asked).unwrap().body;
    assert!(
        html.contains("třída") && html.contains(',') && !html.contains("precision"),
        "{html}"
    );
}

#[test]
fn rooms_of_words_and_numbers_answer_scripts_too() {
    let house = open();
    for (path, body, pointer, value) in [
        ("thue/find", json!({"word": "abcabc"}), "/period", json!(3)),
        (
            "thue/gaps",
            json!({"word": "acbc", "symbols": 3}),
            "/dead",
            json!([1]),
        ),
        (
            "thue/words",
            json!({"generator": "thue-morse", "from": "1000000000000000000", "count": 3}),
            "/letters",
            json!("abb"),
        ),
        (
            "thue/count",
            json!({"kind": "square-free", "symbols": 3, "length": 20}),
            "/count",
            json!(2388),
        ),
        ("thue/extremal", json!({"length": 12}), "/count", json!(0)),
        (
            "thue/value",
            json!({"symbols": 4}),
            "/builder_picks",
            json!(6),
        ),
        (
            "thue/marathon",
            json!({"moves": 1000, "seed": 1}),
            "/word_hash",
            json!("1936002d52063cfc"),
        ),
        ("rainbow/aw", json!({"n": 20, "k": 4}), "/aw", json!(10)),
        (
            "rainbow/table",
            json!({"k": "3", "to": 12}),
            "/rows/9/aw",
            json!(5),
        ),
        (
            "rainbow/count",
            json!({"n": 9, "k": 3, "r": 3}),
            "/count",
            json!(35),
        ),
        (
            "rainbow/check",
            json!({"colouring": "-ab-c", "k": 3}),
            "/free",
            json!(true),
        ),
        (
            "rainbow/solve",
            json!({"n": 8, "k": 3, "c": 4}),
            "/move",
            json!("4=1"),
        ),
        (
            "rainbow/pairing",
            json!({"n": 10, "k": 4}),
            "/checked",
            json!(true),
        ),
        (
            "rainbow/potential",
            json!({"n": 300, "k": 30}),
            "/decides",
            json!(true),
        ),
        (
            "rainbow/hold",
            json!({"n": 12, "k": 4, "c": 4}),
            "/positions",
            json!(53),
        ),
        (
            "rainbow/forecast",
            json!({"n": 1000, "k": 3, "c": 20}),
            "/winner",
            json!("maker"),
        ),
        (
            "rainbow/hint",
            json!({"n": 30, "k": 5, "c": 10, "seed": 1}),
            "/level",
            json!(4),
        ),
        (
            "rainbow/matrix",
            json!({"n": 12, "k": 3, "c": 5, "games": 1}),
            "/makers/4",
            json!("level:level=4"),
        ),
    ] {
        let reply = script(&house, &format!("/api/{path}"), &body);
        assert_eq!(reply.status, 200, "{path}: {}", reply.body);
        assert_eq!(reply.json().pointer(pointer), Some(&value), "{path}");
    }
    for (path, body, status, says) in [
        ("thue/find", json!({"word": "0!1"}), 422, "thue"),
        (
            "thue/verify",
            json!({"file": {"text": "nothing"}}),
            422,
            "thue",
        ),
        (
            "thue/value",
            json!({"symbols": 4, "keep": "/tmp/x"}),
            400,
            "unreadable",
        ),
        ("thue/value", json!({"symbols": 9}), 422, "bad-value"),
        (
            "thue/refute",
            json!({"symbols": 4, "depth": 3}),
            404,
            "missing",
        ),
        ("rainbow/aw", json!({"n": 9, "k": 10}), 422, "bad-value"),
        (
            "rainbow/check",
            json!({"colouring": "a?", "k": 3}),
            422,
            "bad-colouring",
        ),
        (
            "rainbow/solve",
            json!({"n": 9, "k": 4}),
            422,
            "missing-parameter",
        ),
    ] {
        let reply = script(&house, &format!("/api/{path}"), &body);
        let seen = (reply.status, code(&reply));
        assert_eq!(seen, (status, says.to_owned()), "{path}: {}", reply.body);
    }
    // What a verb keeps is offered as a file.
    let mut ada = house.guest();
    let kept = ada
        .get("/desk/thue/value?symbols=3&keep=certificate")
        .unwrap();
    let proof = json!({"file": {"text": kept.body}});
    assert_eq!(
        script(&house, "/api/thue/verify", &proof).json()["picks"],
        4
    );
}

#[test]
fn the_description_is_openapi() {
    let house = open();
    let text = house.visitor().get("/api").unwrap().body;
    let all: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(all["openapi"], "3.1.0");
    let served = |verb: &wits_desk::Verb| verb.served == wits_desk::Served::Everywhere;
    for verb in verbs::room().verbs.into_iter().filter(served) {
        let path = format!("/api/learn/{}", verb.path());
        let schema =
            &all["paths"][&path]["post"]["requestBody"]["content"]["application/json"]["schema"];
        for param in &verb.params {
            let shown = !param.kind.is_place();
            assert_eq!(
                schema["properties"].get(param.name).is_some(),
                shown,
                "{path} {}",
                param.name
            );
        }
    }
    // A validator that others wrote, where it is installed.
    let python = std::env::var("WITS_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let validate = "import json,sys\ntry:\n import openapi_spec_validator as v\nexcept ImportError:\n sys.exit(7)\nv.validate(json.load(sys.stdin))";
    let child = Command::new(python)
        .args(["-c", validate])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        println!("skipped: there is no Python here");
        return;
    };
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), text.as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    if done.status.code() == Some(7) {
        assert!(
            std::env::var_os("WITS_REQUIRE_OPENAPI").is_none(),
            "openapi-spec-validator is not installed"
        );
        println!("skipped: openapi-spec-validator is not installed");
        return;
    }
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
}
