//! The programs of the Othello room from outside: pipes, files, statistics, long work that goes on.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io::pipe;
use std::process::Stdio;

use crate::common::{run, wits};
use serde_json::Value;

const START: &str = "---------------------------OX------XO---------------------------";

fn json(folder: &std::path::Path, args: &[&str], input: &str) -> Value {
    let args: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
    let out = run(folder, &args, input);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{args:?}: {text}"))
}

#[test]
fn two_steppers_coupled_by_pipes_play_a_whole_game() {
    let folder = tempfile::tempdir().unwrap();
    let (from_one, to_two) = pipe().unwrap();
    let (from_two, to_one) = pipe().unwrap();
    let stepper =
        |player: &str, heuristic: &str, input: std::io::PipeReader, output: std::io::PipeWriter| {
            // The command is dropped with this call, and with it our copies of the pipes: each side then
            // sees the end of the other.
            wits(folder.path())
                .args([
                    "othello",
                    "step",
                    "--player",
                    player,
                    "--heuristic",
                    heuristic,
                    "--depth",
                    "2",
                ])
                .stdin(input)
                .stdout(output)
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        };
    let one = stepper("p1", "korman", from_two, to_two);
    let two = stepper("p2", "iago", from_one, to_one);
    let two = std::thread::spawn(move || two.wait_with_output().unwrap());
    let one = one.wait_with_output().unwrap();
    let two = two.join().unwrap();
    assert!(one.status.success() && two.status.success());
    let boards = |text: &[u8]| -> Vec<String> {
        let text = String::from_utf8_lossy(text).into_owned();
        text.split("\n\n")
            .map(|b| b.trim().to_owned())
            .filter(|b| !b.is_empty())
            .collect()
    };
    let (seen, other) = (boards(&one.stderr), boards(&two.stderr));
    assert_eq!(seen, other, "both saw the same game");
    assert!(seen.len() > 50, "{} boards", seen.len());
    let last = seen.last().unwrap();
    // The game is over: nobody can move on the last board.
    let flat: String = last.split_whitespace().collect();
    for side in ["X", "O"] {
        let found = json(
            folder.path(),
            &["othello", "exact", &format!("{flat} {side}")],
            "",
        );
        assert_eq!(found["moves"], Value::Array(Vec::new()), "{last}");
    }
}

#[test]
fn a_stepper_answers_a_person_and_refuses_nonsense() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["othello", "step", "-p", "p2", "-d", "1"];
    let out = run(folder.path(), &args, "\nf5\n");
    assert!(out.status.success(), "the end of input ends the game");
    let moves = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(
        ["d6\n", "f6\n", "f4\n"].contains(&moves.as_str()),
        "{moves}"
    );
    let out = run(folder.path(), &args, "a1\n");
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("would turn over nothing"));
    let plain = run(
        folder.path(),
        &["othello", "step", "-p", "p1", "-d", "2", "-n"],
        "",
    );
    assert_eq!(String::from_utf8_lossy(&plain.stdout).lines().count(), 1);
}

#[test]
fn a_board_on_standard_input_is_played_out() {
    let folder = tempfile::tempdir().unwrap();
    // The board of the report's example, Black with Korman and White with discs.
    let grid = "00000000\n00000000\n00000000\n00021000\n00021100\n00010000\n00100000\n00000000\n";
    let args = [
        "othello", "solve", "--bh", "korman", "--bd", "3", "--wh", "max-disc", "--wd", "4",
    ];
    let out = run(folder.path(), &args, grid);
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let (board, told) = (
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr),
    );
    assert_eq!(board.lines().count(), 8);
    assert!(
        told.contains("guessed") && told.contains("nodes: black"),
        "{told}"
    );
    assert!(told.contains("0 0 0 2 1 0 0 0"), "the first board: {told}");
    let quiet: Vec<&str> = args
        .iter()
        .copied()
        .chain(["--no-initial", "--no-verification"])
        .collect();
    let quiet = run(folder.path(), &quiet, grid);
    assert_eq!(quiet.stdout, out.stdout, "the same game");
    assert!(!String::from_utf8_lossy(&quiet.stderr).contains("0 0 0 2 1 0 0 0"));
    // Without cuts the choices are the same and the nodes are more.
    let cut = json(
        folder.path(),
        &["othello", "solve", "--bd", "3", "--wd", "3"],
        grid,
    );
    let plain = json(
        folder.path(),
        &["othello", "solve", "--bd", "3", "--wd", "3", "--bm", "--wm"],
        grid,
    );
    assert_eq!(cut["board"], plain["board"]);
    assert!(plain["nodes"][0].as_u64() > cut["nodes"][0].as_u64());
    let apart = START.replacen('-', "X", 1);
    let out = run(folder.path(), &args, &apart);
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("--no-verification"));
}

#[test]
fn statistics_have_tables_and_figures() {
    let folder = tempfile::tempdir().unwrap();
    let args = [
        "othello", "stats", "--games", "200", "--seed", "1", "--svg", "figures",
    ];
    let found = json(folder.path(), &args, "");
    assert_eq!(found["early"][0]["states"], 1);
    assert_eq!(found["early"][4]["move_number"], 1);
    assert_eq!(
        (
            found["rows"][0]["states"].as_u64(),
            found["rows"][1]["states"].as_u64()
        ),
        (Some(1), Some(4))
    );
    for key in [
        "parity_rule",
        "equal_rule",
        "games_with_pass",
        "states_after_pass",
        "full",
    ] {
        let share = found[key].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&share), "{key}");
    }
    for number in [4, 5, 6] {
        let svg =
            std::fs::read_to_string(folder.path().join(format!("figures/figure-{number}.svg")))
                .unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("number of the move"));
    }
    let args = [
        "othello", "stats", "--nodes", "--games", "1", "--depth", "2", "--seed", "1", "--svg",
        "figures",
    ];
    let nodes = json(folder.path(), &args, "");
    let rows = nodes["nodes"].as_array().unwrap();
    assert!(rows.len() > 40);
    assert!(
        rows.iter()
            .all(|r| r["alphabeta"].as_f64() <= r["minimax"].as_f64())
    );
    assert!(folder.path().join("figures/figure-12.svg").exists());
    let text = run(
        folder.path(),
        &["othello", "stats", "--games", "50", "--seed", "1"],
        "",
    );
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(
        text.contains("expected (mean of the means)") && text.contains("  -3          1"),
        "{text}"
    );
}

#[test]
fn a_whole_board_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let four = json(
        folder.path(),
        &["othello", "solve-board", "--size", "4", "--threads", "1"],
        "",
    );
    assert_eq!(four["winner"], "second");
    assert_eq!(
        four["score"], -10,
        "3-11, and the winner takes the empty squares"
    );
    let six = [
        "othello",
        "solve-board",
        "--size",
        "6",
        "--file",
        "six.solved",
        "--threads",
        "1",
        "--time",
        "2",
    ];
    let path = folder.path().join("six.solved");
    let mut sizes = Vec::new();
    for _ in 0..2 {
        let told = json(folder.path(), &six, "");
        assert_eq!(told["error"]["code"], "timeout", "{told}");
        assert!(told["error"]["hint"].as_str().unwrap().contains("again"));
        let mut text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("wits othello solved 6 ") && text.ends_with('\n'));
        sizes.push(text.lines().count());
        // A crash in the middle of a line.
        text.push_str("1 2");
        std::fs::write(&path, text).unwrap();
    }
    assert!(sizes[1] >= sizes[0], "{sizes:?}");
    std::fs::write(&path, "something else\n").unwrap();
    let told = json(folder.path(), &six, "");
    assert_eq!(told["error"]["code"], "bad-file", "{told}");
    let out = run(
        folder.path(),
        &["othello", "solve-board", "--size", "5"],
        "",
    );
    assert_eq!(out.status.code(), Some(2));
}

#[test]
fn the_rate_of_witnesses_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let args = [
        "othello",
        "reach",
        "--measure",
        "6",
        "--move",
        "8",
        "--seed",
        "1",
        "--threads",
        "2",
    ];
    let told = json(folder.path(), &args, "");
    assert_eq!(
        (told["boards"].as_u64(), told["witnesses"].as_u64()),
        (Some(6), Some(6)),
        "{told}"
    );
    let board = format!("{} O", START.replace("XO-", "XXX"));
    let told = json(folder.path(), &["othello", "reach", &board], "");
    assert_eq!(
        (told["reachable"].as_str(), told["game"].as_str()),
        (Some("yes"), Some("f5"))
    );
    let out = run(folder.path(), &["othello", "reach"], "");
    assert_eq!(out.status.code(), Some(2), "a board or a number of boards");
}
