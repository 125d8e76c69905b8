//! The manual is true: every example in it is run, and every command has one.
//!
//! An example is a line `$ wits …` in a block marked `console`, followed by what it prints. `…` in a
//! line stands for anything, a line that is only `…` for any lines: times, and output that would be
//! too long for a page. Examples of a page share a folder, in order. To accept new outputs, run the
//! test with `WITS_ACCEPT=1` and read the difference.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The most lines of an output that are taken into the manual by themselves.
const LINES: usize = 14;
/// The widest of them.
const WIDTH: usize = 118;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn pages() -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = fs::read_dir(docs())
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect();
    all.sort();
    all
}

/// A page in pieces: text that stays, and examples.
enum Piece {
    Text(String),
    Example {
        command: String,
        output: Vec<String>,
    },
}

fn pieces(page: &str) -> Vec<Piece> {
    let mut all = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside && line.starts_with("$ ") {
            all.push(Piece::Example {
                command: line[2..].to_owned(),
                output: Vec::new(),
            });
            continue;
        } else if inside && let Some(Piece::Example { output, .. }) = all.last_mut() {
            output.push(line.to_owned());
            continue;
        }
        all.push(Piece::Text(line.to_owned()));
    }
    all
}

fn examples(page: &str) -> Vec<String> {
    let command = |piece| match piece {
        Piece::Example { command, .. } => Some(command),
        Piece::Text(_) => None,
    };
    pieces(page).into_iter().filter_map(command).collect()
}

/// Whether a line is as the manual says.
fn fits(says: &str, line: &str) -> bool {
    let mut parts = says.split('…');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Whether an output is as the manual says.
fn all_fit(says: &[String], lines: &[String]) -> bool {
    match says.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first.trim() == "…" => {
            (0..=lines.len()).any(|skipped| all_fit(rest, &lines[skipped..]))
        }
        Some((first, rest)) => lines
            .split_first()
            .is_some_and(|(line, more)| fits(first, line) && all_fit(rest, more)),
    }
}

/// Hides what differs from run to run: numbers before a unit of time or speed.
fn masked(line: &str) -> String {
    let mut line = line.to_owned();
    for key in ["\"seconds\":", "\"ms\":", "\"micros\":", "\"millis\":"] {
        if let Some(at) = line.find(key).map(|i| i + key.len()) {
            let end = line[at..].find([',', '}']).map_or(line.len(), |i| at + i);
            line.replace_range(at..end, "…");
        }
    }
    let words: Vec<&str> = line.split(' ').collect();
    let number = |word: &str| word.trim_start_matches('(').parse::<f64>().is_ok();
    let unit = |word: &&str| {
        let word = word.trim_end_matches([',', '.', ';', ')']);
        [
            "s",
            "ms",
            "µs",
            "us",
            "seconds",
            "milliseconds",
            "microseconds",
        ]
        .contains(&word)
            || word.ends_with("/s")
    };
    let mut out: Vec<String> = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let timed = number(word) && words.get(i + 1).is_some_and(unit);
        out.push(if timed {
            "…".to_owned()
        } else {
            (*word).to_owned()
        });
    }
    out.join(" ")
}

/// What the manual shows of an output.
fn shown(lines: &[String]) -> Vec<String> {
    let cut = |line: &String| {
        let line = masked(line);
        if line.chars().count() <= WIDTH {
            return line;
        }
        line.chars().take(WIDTH).collect::<String>() + "…"
    };
    let mut all: Vec<String> = lines.iter().take(LINES).map(cut).collect();
    if lines.len() > LINES {
        all.push("…".to_owned());
    }
    all
}

fn run(folder: &Path, command: &str) -> (Vec<String>, Option<i32>) {
    let bin = folder.join("bin");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder.join("work"))
        .env("PATH", format!("{}:{path}", bin.display()))
        .env("HOME", folder)
        .env("WITS_DATA", folder.join("data"))
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let text = text.replace(&folder.display().to_string(), "~");
    (
        text.lines().map(|l| l.trim_end().to_owned()).collect(),
        output.status.code(),
    )
}

#[test]
fn every_example_prints_what_the_manual_says() {
    let accept = std::env::var_os("WITS_ACCEPT").is_some();
    let mut wrong = String::new();
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::create_dir_all(folder.join("bin")).unwrap();
        fs::create_dir_all(folder.join("work")).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_wits"), folder.join("bin/wits")).unwrap();
        let mut written = String::new();
        for piece in pieces(&page) {
            match piece {
                Piece::Text(line) => {
                    let _ = writeln!(written, "{line}");
                }
                Piece::Example { command, output } => {
                    let (lines, code) = run(folder, &command);
                    let good = all_fit(&output, &lines);
                    let kept = if good { output.clone() } else { shown(&lines) };
                    let _ = writeln!(written, "$ {command}\n{}", kept.join("\n"));
                    if kept.is_empty() {
                        written.truncate(written.trim_end().len());
                        written.push('\n');
                    }
                    let ended = matches!(code, Some(0 | 1 | 124));
                    if !ended || (!good && !accept) {
                        let name = path.file_name().unwrap().to_string_lossy();
                        let _ = writeln!(
                            wrong,
                            "{name}: $ {command} (ends with {code:?})\n{}\n",
                            lines.join("\n")
                        );
                    }
                }
            }
        }
        if accept && written != page {
            fs::write(&path, written).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// All commands that do something, from the help of the program itself.
fn commands(path: &[String], all: &mut Vec<String>) {
    let output = Command::new(env!("CARGO_BIN_EXE_wits"))
        .args(path)
        .arg("--help")
        .output()
        .unwrap();
    let help = String::from_utf8_lossy(&output.stdout).into_owned();
    let Some((_, rest)) = help.split_once("Commands:\n") else {
        all.push(path.join(" "));
        return;
    };
    let names = rest
        .lines()
        .take_while(|l| !l.is_empty())
        .filter(|l| l.starts_with("  ") && !l.starts_with("   "));
    for name in names
        .filter_map(|l| l.split_whitespace().next())
        .filter(|n| *n != "help")
    {
        let mut path = path.to_vec();
        path.push(name.to_owned());
        commands(&path, all);
    }
}

#[test]
fn every_command_has_an_example() {
    let mut all = Vec::new();
    commands(&[], &mut all);
    assert!(all.len() > 90, "{all:?}");
    let shown: Vec<String> = pages()
        .iter()
        .flat_map(|p| examples(&fs::read_to_string(p).unwrap()))
        .collect();
    let missing: Vec<&String> = all
        .iter()
        .filter(|command| {
            let call = format!("wits {command}");
            !shown.iter().any(|s| {
                s.match_indices(&call).any(|(at, _)| {
                    s[at + call.len()..]
                        .chars()
                        .next()
                        .is_none_or(char::is_whitespace)
                })
            })
        })
        .collect();
    assert!(missing.is_empty(), "no example for {missing:?}");
}

#[test]
fn the_list_of_players_is_the_programs_own() {
    let path = docs().join("players.md");
    let output = Command::new(env!("CARGO_BIN_EXE_wits"))
        .args(["players", "--markdown"])
        .output()
        .unwrap();
    let made = String::from_utf8(output.stdout).unwrap();
    if std::env::var_os("WITS_ACCEPT").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert!(made.len() > 5000, "{made}");
    assert_eq!(kept, made, "run this test with WITS_ACCEPT=1");
}

#[test]
fn the_game_of_the_manual_is_the_one_that_is_tested() {
    let text = fs::read_to_string(docs().join("add-a-game.md")).unwrap();
    let code = fs::read_to_string(docs().join("../crates/catalog/examples/nim.rs")).unwrap();
    assert!(
        text.contains(&format!("```rust\n{code}```")),
        "docs/add-a-game.md and crates/catalog/examples/nim.rs differ"
    );
}

#[test]
fn anything_stands_for_dots() {
    assert!(fits("a … c", "a b c") && fits("…", "") && fits("a", "a"));
    assert!(!fits("a … c", "a b d") && !fits("a", "ab"));
    let list = |text: &str| text.split('|').map(str::to_owned).collect::<Vec<_>>();
    assert!(all_fit(&list("a|…|d"), &list("a|b|c|d")));
    assert!(!all_fit(&list("a|…|e"), &list("a|b|c|d")));
    assert_eq!(
        masked("solved in 1.25 s, 7 moves"),
        "solved in … s, 7 moves"
    );
}
