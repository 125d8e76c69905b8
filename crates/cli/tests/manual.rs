//! The manual is true: every example in it is run, and every command has one.
//!
//! An example is a line `$ wits …` in a block marked `console`, followed by what it prints. `…` in a
//! line stands for anything, a line that is only `…` for any lines: times, and output that would be
//! too long for a page. Examples of a page share a folder, in order. To accept new outputs, run the
//! test with `WITS_ACCEPT=1` and read the difference.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "common/example.rs"]
mod example;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use example::{CONSOLE, Folder, NATS, Piece, all_fit, docs, examples, fits, masked, pieces, shown};

fn pages() -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = fs::read_dir(docs())
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect();
    all.sort();
    all
}

#[test]
fn every_example_prints_what_the_manual_says() {
    let accept = std::env::var_os("WITS_ACCEPT").is_some();
    let mut wrong = String::new();
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        let folder = Folder::new();
        let mut written = String::new();
        for piece in pieces(&page, CONSOLE) {
            match piece {
                Piece::Text(line) => {
                    let _ = writeln!(written, "{line}");
                }
                Piece::Example { command, output } => {
                    // What the page says of a program without NATS is not true of this one.
                    let other = cfg!(feature = "nats") && command.contains("--nats");
                    let (lines, code) = if other {
                        (output.clone(), Some(0))
                    } else {
                        folder.run(&command)
                    };
                    let good = all_fit(&output, &lines);
                    let kept = if good { output.clone() } else { shown(&lines) };
                    let _ = writeln!(written, "$ {command}\n{}", kept.join("\n"));
                    if kept.is_empty() {
                        written.truncate(written.trim_end().len());
                        written.push('\n');
                    }
                    let refused = output.first().is_some_and(|l| l.starts_with("error: "));
                    let ended = matches!(code, Some(0 | 1 | 124)) || (refused && code == Some(2));
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
        .flat_map(|p| {
            let page = fs::read_to_string(p).unwrap();
            [examples(&page, CONSOLE), examples(&page, NATS)].concat()
        })
        // Help is no example.
        .filter(|command| !command.contains("--help"))
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

/// The rows of a room in `docs/performance.md`: name, value, ratio.
fn measured(room: &str) -> Vec<(String, f64, Option<f64>)> {
    let page = fs::read_to_string(docs().join("performance.md")).unwrap();
    let (_, part) = page.split_once(&format!("\n## {room}\n")).unwrap();
    let rows = part.split("\n## ").next().unwrap().lines();
    let cells = rows.map(|row| row.split(" | ").map(str::to_owned).collect::<Vec<_>>());
    let numbers = |row: Vec<String>| {
        let value = row.get(1)?.parse().ok()?;
        let ratio = row.get(4)?.trim_end_matches(" |").trim().parse().ok();
        Some((row[0].trim_start_matches("| ").to_owned(), value, ratio))
    };
    cells.filter_map(numbers).collect()
}

/// The table of ratios in `docs/learn.md` is made of the run in `docs/performance.md`, where no ratio is
/// below 1.
#[test]
fn ratios_beside_scikit_learn_are_those_of_one_run() {
    let mut made = "| work | 14,000 rows | 100,000 rows |\n| --- | ---: | ---: |\n".to_owned();
    let mut works: Vec<(String, [String; 2])> = Vec::new();
    for (name, value, ratio) in measured("learn") {
        let Some(ratio) = ratio else {
            continue;
        };
        assert!(ratio >= 1.0, "{name}: {ratio}");
        let cell = format!("{ratio:.1} ({value} ms)");
        let (work, _) = name.split_once(", one core").unwrap();
        if let Some((grid, _)) = work.split_once(", 484") {
            let _ = writeln!(made, "| the {grid} on Glass, 484 pipelines: {cell} | | |");
            continue;
        }
        let (method, rows) = work.rsplit_once(", ").unwrap();
        // Ensembles have fewer trees on more rows.
        let method = method.split(":trees=").next().unwrap();
        let place = usize::from(rows == "100000 x 20");
        if let Some((_, cells)) = works.iter_mut().find(|(known, _)| known == method) {
            cells[place] = cell;
        } else {
            let mut cells = [String::new(), String::new()];
            cells[place] = cell;
            works.push((method.to_owned(), cells));
        }
    }
    for (method, [fewer, more]) in &works {
        let _ = writeln!(made, "| `{method}` | {fewer} | {more} |");
    }
    assert!(works.len() > 20, "{made}");
    let path = docs().join("learn.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once("| work | 14,000 rows").unwrap();
    let (kept, after) = rest.split_once("\n\n").unwrap();
    if std::env::var_os("WITS_ACCEPT").is_some() {
        fs::write(&path, format!("{before}{made}\n{after}")).unwrap();
        return;
    }
    let kept = format!("| work | 14,000 rows{kept}\n");
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
    let row = "csa      12.5 µs    63.20 times the baseline of 790.0";
    let mark = masked(row);
    assert_eq!(mark, "csa … µs … times the baseline of …");
    assert!(fits(&mark, row));
    assert_eq!(
        masked("[{\"seconds\":1.5,\"n\":2},{\"seconds\":3}]"),
        "[{\"seconds\":…,\"n\":2},{\"seconds\":…}]"
    );
}
