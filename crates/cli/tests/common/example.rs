//! Examples in the manual: finding them, running them, and saying what their output looks like.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The most lines of an output that are taken into the manual by themselves.
const LINES: usize = 14;
/// The widest of them.
const WIDTH: usize = 118;

/// How a block of examples begins.
pub(crate) const CONSOLE: &str = "```console";
/// How a block begins whose examples need a NATS server, and a program that can speak to it.
pub(crate) const NATS: &str = "```console nats";

/// The folder of the manual.
pub(crate) fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// A page in pieces: text that stays, and examples.
pub(crate) enum Piece {
    Text(String),
    Example {
        command: String,
        output: Vec<String>,
    },
}

/// The pieces of a page; examples are in blocks that begin with `fence`.
pub(crate) fn pieces(page: &str, fence: &str) -> Vec<Piece> {
    let mut all = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == fence;
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

/// The commands of a page's examples.
pub(crate) fn examples(page: &str, fence: &str) -> Vec<String> {
    let command = |piece| match piece {
        Piece::Example { command, .. } => Some(command),
        Piece::Text(_) => None,
    };
    pieces(page, fence)
        .into_iter()
        .filter_map(command)
        .collect()
}

/// Whether a line is as the manual says.
pub(crate) fn fits(says: &str, line: &str) -> bool {
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
pub(crate) fn all_fit(says: &[String], lines: &[String]) -> bool {
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

/// Hides what differs from run to run: numbers before a unit of time or speed, and what they are
/// compared with.
pub(crate) fn masked(line: &str) -> String {
    let mut line = line.to_owned();
    for key in ["\"seconds\":", "\"ms\":", "\"micros\":", "\"millis\":"] {
        let mut from = 0;
        while let Some(at) = line[from..].find(key).map(|i| from + i + key.len()) {
            let end = line[at..].find([',', '}']).map_or(line.len(), |i| at + i);
            line.replace_range(at..end, "…");
            from = at;
        }
    }
    let words: Vec<&str> = line.split(' ').collect();
    let number = |word: &str| word.trim_start_matches('(').parse::<f64>().is_ok();
    let mut out: Vec<&str> = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let timed = words.get(i + 1).is_some_and(|next| unit(next));
        let compared = i > 1 && words[i - 2..i] == ["baseline", "of"];
        if number(word) && (timed || compared) {
            // A column's width goes with its number.
            while out.last().is_some_and(|blank| blank.is_empty()) {
                out.pop();
            }
            out.push("…");
        } else {
            out.push(word);
        }
    }
    out.join(" ")
}

/// Whether a word says that the number before it was measured.
fn unit(word: &str) -> bool {
    const UNITS: [&str; 11] = [
        "s",
        "ms",
        "µs",
        "us",
        "ns",
        "seconds",
        "milliseconds",
        "microseconds",
        "times",
        "million",
        "MB",
    ];
    let word = word.trim_end_matches([',', '.', ';', ')']);
    UNITS.contains(&word) || word.ends_with("/s")
}

/// What the manual shows of an output.
pub(crate) fn shown(lines: &[String]) -> Vec<String> {
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

/// Where the examples of a page are run: one after the other, in one place.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    /// An empty one.
    pub(crate) fn new() -> Folder {
        let folder = tempfile::tempdir().unwrap();
        for part in ["bin", "work"] {
            fs::create_dir_all(folder.path().join(part)).unwrap();
        }
        let program = folder.path().join("bin/wits");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_wits"), program).unwrap();
        Folder(folder)
    }

    /// A command line, ready to be started here.
    pub(crate) fn shell(&self, command: &str) -> Command {
        let (folder, path) = (self.0.path(), std::env::var("PATH").unwrap_or_default());
        let mut shell = Command::new("sh");
        shell
            .args(["-c", command])
            .current_dir(folder.join("work"))
            .env("PATH", format!("{}:{path}", folder.join("bin").display()))
            .env("HOME", folder)
            .env("WITS_DATA", folder.join("data"))
            .env("NO_COLOR", "1")
            .env("COLUMNS", "100");
        shell
    }

    /// Runs a command; what it prints, and how it ends.
    pub(crate) fn run(&self, command: &str) -> (Vec<String>, Option<i32>) {
        let output = self.shell(command).output().unwrap();
        let text =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        (self.lines(&text), output.status.code())
    }

    /// The lines of what was printed, as the manual would show them.
    pub(crate) fn lines(&self, text: &str) -> Vec<String> {
        let text = text.replace(&self.0.path().display().to_string(), "~");
        text.lines().map(|l| l.trim_end().to_owned()).collect()
    }
}
