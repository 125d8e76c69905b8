//! Records on disk: broken, newer and cut files are named and left untouched; threads that come with the program.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common;

use std::fs;

const HEADER: &str = "{\"record\":1,\"rules\":1,\"game\":\"tictactoe\",\"seed\":7,\"players\":[\"human\",\"random\"]}\n";

/// What `wits replay` and `wits play --resume` say about a file, which they must not change.
fn refused(content: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.record");
    fs::write(&file, content).unwrap();
    let replay = common::run(folder.path(), &["replay", "x.record"], "");
    let resume = common::run(folder.path(), &["play", "--resume", "x.record"], "");
    assert_eq!(replay.status.code(), Some(2));
    assert_eq!(resume.status.code(), Some(2));
    assert_eq!(fs::read(&file).unwrap(), content, "the file is untouched");
    String::from_utf8(resume.stderr).unwrap()
}

#[test]
fn broken_and_newer_records_are_named_by_line() {
    let line = "{\"event\":\"move\",\"ply\":0,\"seat\":1,\"move\":\"b2\"}\n";
    for (content, says) in [
        (
            format!("{HEADER}{line}garbage\n{line}"),
            "line 3: this is not an event",
        ),
        (
            format!("{HEADER}{line}{line}"),
            "line 3: the move cannot be replayed",
        ),
        (
            HEADER.replace("\"record\":1", "\"record\":9"),
            "line 1: the record has format 9",
        ),
        (
            HEADER.replace("\"rules\":1", "\"rules\":5"),
            "line 1: the record was made by rules 5",
        ),
        (
            HEADER.replace("tictactoe", "chess"),
            "there is no game `chess`",
        ),
        (
            "{\"record\":1}\n".to_owned(),
            "line 1: this is not the header of a record",
        ),
        (String::new(), "line 1"),
    ] {
        let said = refused(content.as_bytes());
        assert!(said.contains(says), "{content}\n{said}");
    }
    assert!(refused(&[0xff, 0xfe, 0x00]).contains("line 1"));
}

#[test]
fn a_record_cut_by_a_kill_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.record");
    let whole = format!("{HEADER}{{\"event\":\"move\",\"ply\":0,\"seat\":1,\"move\":\"b2\"}}\n");
    for cut in [
        "{",
        "{\"event\":\"mo",
        "{\"event\":\"move\",\"ply\":1,\"seat\":2,\"move\":\"a",
    ] {
        fs::write(&file, format!("{whole}{cut}")).unwrap();
        let resumed = common::run(
            folder.path(),
            &["play", "--resume", "x.record"],
            "moves\nquit\n",
        );
        assert_eq!(
            resumed.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&resumed.stderr)
        );
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with(&whole), "nothing that was whole is lost");
        assert!(
            text.lines()
                .all(|l| serde_json::from_str::<serde_json::Value>(l).is_ok()),
            "{text}"
        );
    }
}

#[test]
fn every_move_is_on_disk_before_the_next_prompt() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;
    let folder = tempfile::tempdir().unwrap();
    let mut child = common::wits(folder.path())
        .args([
            "play",
            "tictactoe",
            "--seat",
            "human",
            "--seat",
            "human",
            "--save",
            "k.record",
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut wait_for = |what: &str| {
        let mut line = String::new();
        while !line.contains(what) {
            line.clear();
            assert!(
                stdout.read_line(&mut line).unwrap() > 0,
                "it ended before {what}"
            );
        }
    };
    stdin.write_all(b"b2\n").unwrap();
    wait_for("2 │   │ X │   │");
    child.kill().unwrap();
    child.wait().unwrap();
    let text = fs::read_to_string(folder.path().join("k.record")).unwrap();
    assert!(text.contains("\"move\":\"b2\""), "{text}");
    let resumed = common::run(folder.path(), &["play", "--resume", "k.record"], "quit\n");
    assert!(String::from_utf8_lossy(&resumed.stdout).contains("2 │   │ X │   │"));
}

/// Who oversteps is given minutes for a price once, not a stroke of lateness for every thought.
#[test]
fn minutes_that_were_paid_for_are_given() {
    let folder = tempfile::tempdir().unwrap();
    let seats = ["--seat", "greedy", "--seat", "greedy"];
    let time = ["--game-time", "0.003", "--seed", "3"];
    let game = ["play", "scrabble:late=minutes"];
    let told = common::ask(folder.path(), &[&game[..], &seats, &time].concat(), 0);
    let moves = told["moves"].as_array().unwrap();
    let late = moves.iter().filter(|mv| *mv == "late").count();
    assert!((1..=2).contains(&late), "{told}");
    assert!(moves.len() > 10, "{told}");
}

/// A game that is taken up again goes on with what was left on its clocks.
#[test]
fn a_resumed_game_keeps_its_clocks() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.record");
    for (ms, late) in [(0, false), (1000, true)] {
        let header = "{\"record\":1,\"rules\":1,\"game\":\"tictactoe\",\"seed\":7,\"players\":[\"random\",\"random\"],\"clock\":{\"clock\":\"per-game\",\"ms\":1000,\"increment_ms\":0}}";
        let first =
            format!("{{\"event\":\"move\",\"ply\":0,\"seat\":1,\"move\":\"b2\",\"ms\":{ms}}}");
        let second = "{\"event\":\"move\",\"ply\":1,\"seat\":2,\"move\":\"a1\",\"ms\":0}";
        fs::write(&file, format!("{header}\n{first}\n{second}\n")).unwrap();
        common::ask(folder.path(), &["play", "--resume", "x.record"], 0);
        let record = fs::read_to_string(&file).unwrap();
        assert_eq!(record.contains("\"flag\""), late, "{record}");
    }
}

/// The desks' threads on the page are those that the command writes from its fixed seeds.
#[test]
fn the_gallery_of_the_desks_is_what_the_command_writes() {
    let shown = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/gallery");
    let folder = tempfile::tempdir().unwrap();
    for desk in ["transit", "expert", "arena"] {
        let made = common::run(
            folder.path(),
            &["thread", "gallery", ".", "--game", desk],
            "",
        );
        assert_eq!(made.status.code(), Some(0), "{desk}");
    }
    let mut count = 0;
    for file in fs::read_dir(folder.path()).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|end| end != "thread") {
            continue;
        }
        let name = path.file_name().unwrap();
        let same = fs::read(&path).unwrap() == fs::read(shown.join(name)).unwrap_or_default();
        assert!(
            same,
            "{name:?} is another: wits thread gallery crates/web/gallery"
        );
        count += 1;
    }
    assert_eq!(count, 13);
}
