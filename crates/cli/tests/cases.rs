//! Whole outputs of the command line: one file of cases a topic, one loop.
//!
//! A case is `$ wits ARGS`, lines `< INPUT` for standard input, `? CODE` for an exit code that is not
//! zero, and then everything that is printed, standard error after standard output. Times are
//! masked. To accept new outputs, run the test with `WITS_ACCEPT=1` and read the difference.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::fmt::Write as _;
use std::path::Path;

struct Case {
    command: String,
    input: String,
}

fn cases(text: &str) -> (String, Vec<Case>) {
    let mut intro = String::new();
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ wits") {
            cases.push(Case {
                command: command.trim().to_owned(),
                input: String::new(),
            });
        } else if let (Some(case), Some(input)) = (cases.last_mut(), line.strip_prefix("< ")) {
            case.input.push_str(input);
            case.input.push('\n');
        } else if cases.is_empty() {
            intro.push_str(line);
            intro.push('\n');
        }
    }
    (intro, cases)
}

/// Splits a command line as a shell would, as far as quotes go.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote, mut open) = (String::new(), None, false);
    for c in command.chars() {
        match (c, quote) {
            ('\'' | '"', None) => {
                quote = Some(c);
                open = true;
            }
            (c, Some(q)) if c == q => quote = None,
            (' ', None) => {
                if !word.is_empty() || open {
                    words.push(std::mem::take(&mut word));
                }
                open = false;
            }
            (c, _) => word.push(c),
        }
    }
    if !word.is_empty() || open {
        words.push(word);
    }
    words
}

/// Hides what differs from run to run: seconds, milliseconds and the folder.
fn masked(text: &str, folder: &Path) -> String {
    let mut out = String::new();
    for line in text
        .replace(&folder.display().to_string(), "[FOLDER]")
        .lines()
    {
        let mut line = line.to_owned();
        for key in ["\"seconds\":", "\"ms\":", "\"micros\":", "\"millis\":"] {
            if let Some(at) = line.find(key).map(|i| i + key.len()) {
                let end = line[at..].find([',', '}']).map_or(line.len(), |i| at + i);
                line.replace_range(at..end, "[..]");
            }
        }
        if line.ends_with(" s") && line.trim_end_matches(" s").parse::<f64>().is_ok() {
            "[..] s".clone_into(&mut line);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn check(file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cases")
        .join(file);
    let expected = std::fs::read_to_string(&path).expect("the file of cases");
    let folder = tempfile::tempdir().expect("a folder");
    let (mut seen, cases) = cases(&expected);
    assert!(!cases.is_empty(), "{file} has no cases");
    for case in cases {
        let args = split(&case.command);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = common::run(folder.path(), &args, &case.input);
        let _ = writeln!(seen, "$ wits {}", case.command);
        for line in case.input.lines() {
            let _ = writeln!(seen, "< {line}");
        }
        let code = output.status.code().unwrap_or(-1);
        if code != 0 {
            let _ = writeln!(seen, "? {code}");
        }
        seen.push_str(&masked(
            &String::from_utf8_lossy(&output.stdout),
            folder.path(),
        ));
        seen.push_str(&masked(
            &String::from_utf8_lossy(&output.stderr),
            folder.path(),
        ));
        seen.push('\n');
    }
    let seen = seen.trim_end().to_owned() + "\n";
    if std::env::var_os("WITS_ACCEPT").is_some() {
        std::fs::write(&path, &seen).expect("the file of cases can be written");
        return;
    }
    for (number, (a, b)) in expected.lines().zip(seen.lines()).enumerate() {
        assert_eq!(a, b, "{file}, line {}", number + 1);
    }
    assert_eq!(
        expected.lines().count(),
        seen.lines().count(),
        "{file} has another length"
    );
}

#[test]
fn play() {
    check("play.txt");
}

#[test]
fn errors() {
    check("errors.txt");
}

#[test]
fn json() {
    check("json.txt");
}

#[test]
fn scrabble_lexicon() {
    check("scrabble_lexicon.txt");
}

#[test]
fn scrabble() {
    check("scrabble.txt");
}
