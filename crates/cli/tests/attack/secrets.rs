//! What the program prints: one link, and no secret besides.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use serde_json::{Value, json};
use wits_store::Store;
use wits_web::testing::{Client, measured};

use crate::common::wits;

#[test]
fn secrets_are_never_printed() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = wits(folder.path())
        .args(["serve", "--listen", "127.0.0.1:0", "--invite", "--json"])
        .args(["--log", "requests,json"])
        .env("RUST_BACKTRACE", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    out.read_line(&mut first).unwrap();
    let said: Value = serde_json::from_str(&first).unwrap();
    let link = said["invite"].as_str().unwrap().to_owned();
    let (page, token) = link.split_once('#').unwrap();
    assert!(page.ends_with("/login") && token.len() == 32, "{link}");
    let address = page
        .trim_start_matches("http://")
        .trim_end_matches("/login");
    let mut me = Client::new(address.parse().unwrap());
    assert_eq!(me.get("/").unwrap().status, 401);
    assert_eq!(me.get("/assets/wits.css").unwrap().status, 200);
    let wrong = me.post("/login", &json!({"invite": "wrong"})).unwrap();
    assert!(wrong.status == 401 && !wrong.body.contains(token));
    let right = me.post("/login", &json!({ "invite": token })).unwrap();
    assert_eq!(right.status, 200);
    let cookie = me.cookies["wits"].clone();
    let game = json!({"game": "tictactoe", "seats": ["human", "random"]});
    let made = me.post("/games", &game).unwrap();
    assert_eq!(made.status, 201);
    // The name of a game opens it.
    let id = made.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(me.get(&format!("/games/{id}")).unwrap().status, 200);
    // What goes wrong is said without what was sent along.
    let _ = me.send(
        "POST",
        "/games",
        &[("content-type", "application/json")],
        "{",
    );
    let _ = me.get(&format!("/{token}"));
    child.kill().unwrap();
    child.wait().unwrap();
    let mut printed = String::new();
    out.read_to_string(&mut printed).unwrap();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut printed)
        .unwrap();
    let store = Store::sqlite(folder.path().join("data/wits.sqlite")).unwrap();
    let key = store.blob("secret", "session-key").unwrap().unwrap().bytes;
    let hex = key.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    });
    let value = cookie.as_str();
    for secret in [token, value, &value[..32], &hex, &id] {
        assert!(!printed.contains(secret), "{printed}");
    }
    assert!(
        printed.contains("\"route\":\"/games\""),
        "requests are written: {printed}"
    );
    assert!(!first.contains(&hex));
    measured(
        "unlogged-secrets",
        format!(
            "{} bytes printed after the link, a line for each request, none of 5 secrets among them",
            printed.len()
        ),
    );
}
