//! The verbs of the Thue room, with the keys that scripts rely on.

use crate::common;

use serde_json::{Value, json};

/// Runs a command in a folder of its own and reads the one JSON object it prints.
fn ask(folder: &std::path::Path, command: &str, code: i32) -> Value {
    let args: Vec<&str> = command.split_whitespace().collect();
    common::ask(folder, &args, code)
}

/// What a command answers, as far as the expected keys go.
fn check(command: &str, expected: &Value) {
    let folder = tempfile::tempdir().expect("a folder");
    let seen = ask(folder.path(), command, 0);
    for (key, value) in expected.as_object().expect("an object of keys") {
        assert_eq!(&seen[key], value, "{command}: {key}");
    }
}

#[test]
fn answers() {
    check(
        "thue find 01212",
        &json!({"found": true, "start": 1, "period": 2, "length": 4, "all": [{"start": 1, "period": 2, "length": 4}]}),
    );
    check(
        "thue find aaa --kind overlap-thesis",
        &json!({"found": false, "start": null}),
    );
    check(
        "thue gaps acbc --symbols 3",
        &json!({"fits": [2, 0, 1, 1, 1], "total": 5, "dead": [1]}),
    );
    check(
        "thue words thue-1906 --from 24 --count 8",
        &json!({"letters": "babcacbc"}),
    );
    check(
        "thue words thue-morse --from 1000000000000000000 --count 3",
        &json!({"letters": "abb"}),
    );
    check(
        "thue count --kind square-free --symbols 3 --length 20",
        &json!({"count": 2388}),
    );
    check(
        "thue count --kind overlap-free --symbols 2 --length 12",
        &json!({"count": 60}),
    );
    check(
        "thue value --variant square --symbols 4",
        &json!({"builder_picks": 6, "safe_paints": 5, "final_length": 7, "proved": true, "refuted_depth": 5}),
    );
    check(
        "thue value --symbols 5 --depth 9",
        &json!({"builder_picks": null, "proved": false, "refuted_depth": 9}),
    );
    check(
        "thue marathon --moves 20000 --builder ends --seed 1",
        &json!({"moves": 20000, "square_free": true, "symbols_used": 3}),
    );
    check(
        "thue overall --levels 1 --symbols 3 --think 5 --seed 1",
        &json!({"count": 12, "of": 12}),
    );
}

#[test]
fn certificates_and_searches_are_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    ask(at, "thue value --symbols 3 --certificate three.cert", 0);
    assert_eq!(ask(at, "thue verify three.cert", 0)["valid"], true);
    let text = std::fs::read_to_string(at.join("three.cert")).expect("the certificate");
    let short = text.rsplit_once("end").expect("its last line").0;
    std::fs::write(at.join("cut.cert"), short).expect("a file");
    let error = ask(at, "thue verify cut.cert", 2);
    assert!(
        error["error"]["message"]
            .as_str()
            .expect("a message")
            .contains("cut short")
    );
    ask(at, "thue value --symbols 5 --depth 8 --keep five.search", 0);
    assert_eq!(
        ask(
            at,
            "thue value --symbols 5 --depth 10 --keep five.search",
            0
        )["refuted_depth"],
        10
    );
    let error = ask(at, "thue value --symbols 4 --keep five.search", 2);
    assert!(
        error["error"]["message"]
            .as_str()
            .expect("a message")
            .contains("not a saved search")
    );
}

/// The sample game of the thesis, typed by a person in Polish; the transcript holds what was typed, too.
#[test]
fn the_sample_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = "gameType=Square\ngameMode=humanHuman\nsetPower=3\n";
    std::fs::write(folder.path().join("thesis.properties"), file).expect("a file");
    let args = [
        "thue",
        "run",
        "thesis.properties",
        "--lang",
        "pl",
        "--seed",
        "1",
    ];
    let output = common::run(folder.path(), &args, "1\n2\n1\n1\n3\n1\n4\n2\n");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    for line in [
        "#> W grze dostępne są następujące liczby:",
        "0: { 0 } 1: { 1 } 2: { 2 } 3: { 1 } 4: { 2 } 5: { }",
        "#> Znaleziono kwadrat:",
        "1: { 1 } 2: { 2 } <-> 3: { 1 } 4: { 2 }",
    ] {
        assert!(text.lines().any(|l| l == line), "{line}\n{text}");
    }
    assert!(text.contains("#> Rozgrywka trwała 5 ruchów i "), "{text}");
    let transcripts: Vec<_> = std::fs::read_dir(folder.path().join("output"))
        .expect("a folder")
        .collect();
    assert_eq!(transcripts.len(), 1);
    std::fs::write(
        folder.path().join("bad.properties"),
        "setPower=3\nsetPovver=4\n",
    )
    .expect("a file");
    let error = ask(folder.path(), "thue run bad.properties", 2);
    assert!(
        error["error"]["message"]
            .as_str()
            .expect("a message")
            .starts_with("line 2: there is no key")
    );
}
