//! Building lexicons on the command line: every kind of list, and every kind of trouble.

use crate::common;

use std::fs;
use std::path::Path;

use serde_json::Value;

/// Runs `wits scrabble lexicon ...` and reads the one JSON object it prints.
fn ask(folder: &Path, args: &[&str], code: i32) -> Value {
    common::ask(folder, &[&["scrabble", "lexicon"], args].concat(), code)
}

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).expect("written");
    }
    folder
}

/// How many were left out for a reason.
fn dropped(report: &Value, reason: &str) -> u64 {
    let rows = report["dropped"].as_array().expect("rows");
    let row = rows.iter().find(|row| row["reason"] == reason);
    row.map_or(0, |row| row["count"].as_u64().expect("a count"))
}

fn message(answer: &Value) -> &str {
    answer["error"]["message"].as_str().expect("a message")
}

#[test]
fn a_list_with_a_mark_and_mixed_case_is_built_and_accounted_for() {
    let list =
        "\u{feff}qi\r\nza\r\nQi\r\nquiz\r\nza\r\nx\r\nit's\r\nabcdefghijklmnop\r\nvs.\r\nhouse\r\n";
    let dir = folder(&[
        ("words.txt", list.as_bytes()),
        ("bad.txt", b"# not ours\nhouse"),
    ]);
    let args = [
        "build",
        "words.txt",
        "--tiles",
        "english",
        "--stop",
        "bad.txt",
        "-o",
        "mine.lex",
    ];
    let report = ask(dir.path(), &args, 0);
    assert_eq!(
        (&report["words"], &report["offered"]),
        (&3.into(), &10.into()),
        "{report}"
    );
    for reason in [
        "twice",
        "capital",
        "short",
        "letter",
        "long",
        "abbreviation",
        "stop-list",
    ] {
        assert_eq!(dropped(&report, reason), 1, "{reason}: {report}");
    }
    let info = ask(dir.path(), &["info", "mine.lex"], 0);
    assert_eq!(
        (&info["words"], &info["letters"], &info["name"]),
        (&3.into(), &26.into(), &"mine".into())
    );
    let check = ask(dir.path(), &["check", "mine.lex", "qi", "house"], 1);
    assert_eq!(
        check["words"],
        serde_json::json!({"QI": true, "HOUSE": false})
    );
}

#[test]
fn a_list_in_capitals_is_words_unless_said_otherwise() {
    let dir = folder(&[("words.txt", b"QI\nZA\n")]);
    let build = |capitals: &str, code| {
        let args = [
            "build",
            "words.txt",
            "--tiles",
            "english",
            "--capitals",
            capitals,
            "-o",
            "x.lex",
        ];
        ask(dir.path(), &args, code)
    };
    assert_eq!(build("guess", 0)["words"], 2);
    assert_eq!(build("any", 0)["words"], 2);
    let none = build("names", 2);
    assert!(message(&none).contains("no words"), "{none}");
}

#[test]
fn a_dictionary_gives_all_forms_or_some() {
    let aff = "SET UTF-8\nSFX A Y 2\nSFX A 0 s .\nSFX A 0 ing [^e]\n";
    let dir = folder(&[
        ("en.dic", b"2\ncat/A\nLondon/A\n"),
        ("en.aff", aff.as_bytes()),
    ]);
    for (forms, words) in [("all", 3), ("base", 1), ("up-to:4", 2)] {
        let args = [
            "build", "en.dic", "--tiles", "english", "--forms", forms, "-o", "x.lex",
        ];
        assert_eq!(ask(dir.path(), &args, 0)["words"], words, "{forms}");
    }
    let args = [
        "sizes",
        "--from",
        "en.dic",
        "--letters",
        "english",
        "--forms",
        "all",
        "--forms",
        "base",
    ];
    let tables = ask(dir.path(), &args, 0);
    assert_eq!(tables["tables"][1]["words"], 1, "{tables}");
    let bad = [
        "build", "en.dic", "--tiles", "english", "--forms", "some", "-o", "x.lex",
    ];
    assert!(message(&ask(dir.path(), &bad, 2)).contains("up-to:N"));
    fs::remove_file(dir.path().join("en.aff")).expect("there");
    let args = ["build", "en.dic", "--tiles", "english", "-o", "x.lex"];
    assert!(message(&ask(dir.path(), &args, 2)).contains("affixes"));
}

#[test]
fn trouble_is_named_and_nothing_is_lost() {
    let dir = folder(&[
        ("latin.txt", b"fine\ncaf\xe9\n"),
        ("words.txt", b"kot\npies\n"),
        ("old.lex", b"kept"),
        ("odd.tiles", b"name odd\ntile A 1\n"),
    ]);
    let not_text = ask(
        dir.path(),
        &["build", "latin.txt", "--tiles", "english", "-o", "old.lex"],
        2,
    );
    assert!(
        message(&not_text).contains("line 2 is not UTF-8"),
        "{not_text}"
    );
    let odd = ask(
        dir.path(),
        &[
            "build",
            "words.txt",
            "--tiles",
            "odd.tiles",
            "-o",
            "old.lex",
        ],
        2,
    );
    assert!(message(&odd).contains("line 2"), "{odd}");
    let base = [
        "build",
        "words.txt",
        "--tiles",
        "polish",
        "--forms",
        "base",
        "-o",
        "old.lex",
    ];
    assert!(message(&ask(dir.path(), &base, 2)).contains("base forms"));
    assert_eq!(
        fs::read(dir.path().join("old.lex")).expect("there"),
        b"kept"
    );
    let latin = [
        "build",
        "latin.txt",
        "--tiles",
        "english",
        "--encoding",
        "iso8859-1",
        "--unaccent",
        "-o",
        "x.lex",
    ];
    assert_eq!(ask(dir.path(), &latin, 0)["unaccented"], 1);

    ask(
        dir.path(),
        &["build", "words.txt", "--tiles", "polish", "-o", "pl.lex"],
        0,
    );
    let other = ask(
        dir.path(),
        &["check", "pl.lex", "kot", "--tiles", "english"],
        2,
    );
    assert!(
        message(&other).contains("`polish`, not for `english`"),
        "{other}"
    );
    let mut bytes = fs::read(dir.path().join("pl.lex")).expect("there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(dir.path().join("pl.lex"), bytes).expect("written");
    assert!(message(&ask(dir.path(), &["info", "pl.lex"], 2)).contains("damaged"));
    assert!(message(&ask(dir.path(), &["info", "words.txt"], 2)).contains("not a lexicon file"));
}

#[test]
fn tile_sets_of_ones_own_need_no_code() {
    let tiles = "name toy\nblank 1\ntile A 3 1\ntile C 2 2\ntile CH 2 5\ntile H 2 3\n";
    let dir = folder(&[
        ("toy.tiles", tiles.as_bytes()),
        ("words.txt", "chach\nha\n".as_bytes()),
    ]);
    ask(
        dir.path(),
        &[
            "build",
            "words.txt",
            "--tiles",
            "toy.tiles",
            "-o",
            "toy.lex",
        ],
        0,
    );
    let args = [
        "search",
        "toy.lex",
        "--tiles",
        "toy.tiles",
        "--anagram",
        "CHCHA",
    ];
    let found = ask(dir.path(), &args, 0);
    assert_eq!(found["words"][0], "CHACH");
    assert!(message(&ask(dir.path(), &["info", "toy.lex"], 2)).contains("no tile set `toy`"));
}

#[test]
fn lists_come_back_as_they_went_in() {
    let dir = folder(&[("words.txt", "lis\nkot\nźrebię\n".as_bytes())]);
    ask(
        dir.path(),
        &["build", "words.txt", "--tiles", "polish", "-o", "pl.lex"],
        0,
    );
    ask(
        dir.path(),
        &["export", "pl.lex", "--format", "list", "-o", "out.txt"],
        0,
    );
    let text = fs::read_to_string(dir.path().join("out.txt")).expect("there");
    assert_eq!(text, "KOT\nLIS\nŹREBIĘ\n");
    for format in ["kwg", "kwg-dawg", "thesis"] {
        let done = ask(
            dir.path(),
            &["export", "pl.lex", "--format", format, "-o", "out.bin"],
            0,
        );
        assert!(done["bytes"].as_u64() > Some(8), "{done}");
    }
}
