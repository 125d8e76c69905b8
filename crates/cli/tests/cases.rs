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

/// Whatever comes in, and however it comes: a sentence and an exit code, never a panic.
#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_are_bad_input_only() {
    use std::ffi::OsStr;
    use std::io::Write as _;
    use std::os::unix::ffi::OsStrExt;
    use std::process::Stdio;

    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let odd = OsStr::from_bytes(b"\xff\xfe");
    for before in [
        [].as_slice(),
        &["play"],
        &["othello", "perft"],
        &["learn", "describe"],
    ] {
        let output = common::wits(here).args(before).arg(odd).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{before:?}: {said}");
        assert!(said.starts_with("error: "), "{before:?}: {said}");
    }
    let typed = |args: &[&str], bytes: &[u8]| {
        let mut child = common::wits(here)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(bytes).unwrap();
        let output = child.wait_with_output().unwrap();
        let both = [output.stdout, output.stderr].concat();
        (
            output.status.code(),
            String::from_utf8_lossy(&both).into_owned(),
        )
    };
    // A slip of the keyboard is a move that is refused; the game goes on.
    let play = ["play", "tictactoe", "--seat", "human", "--seat", "random"];
    let (code, said) = typed(&play, b"\xff\xfe\nb2\nquit\n");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("The game is kept"), "{said}");
    let (code, said) = typed(&["othello", "solve"], b"\xff\xfe");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("begins with no board"), "{said}");
    let (code, said) = typed(&["othello", "step", "--player", "p2"], b"\xff\xfe\n");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("hint: "), "{said}");
    // A conversation and a prompt go on as well.
    let (code, said) = typed(&["expert", "repl", "printer"], b"\xff\ntrue.\nquit\n");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("\ntrue"), "{said}");
    let (_, said) = typed(&["expert", "ask", "printer"], b"\xff\n1\n");
    assert!(said.contains("> 1\n"), "{said}");
    // What cannot be read at all is called the input.
    let folder_as_input = std::fs::File::open(here).unwrap();
    let output = common::wits(here)
        .args(play)
        .stdin(folder_as_input)
        .output();
    let output = output.unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("the input cannot be read"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_is_full_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let full = std::fs::File::create("/dev/full").unwrap();
    let output = common::wits(folder.path())
        .arg("games")
        .stdout(full)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("the output cannot be written") && said.contains("send it elsewhere"),
        "{said}"
    );
}

#[test]
fn a_data_folder_that_is_none_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    for (data, why) in [("file", "it is a file"), ("file/below", "file/below")] {
        let args = ["arena", "status", "--data", data, "--json"];
        let output = common::run(folder.path(), &args, "");
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(2), "{said}");
        for part in [data, why, "--data", "WITS_DATA"] {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
}

/// Somebody presses Ctrl-C: the command gives what it has, and its code says that this is not all.
#[cfg(unix)]
#[test]
fn what_was_stopped_says_so() {
    use std::process::{Command, Stdio};
    let long: [&[&str]; 3] = [
        &["rainbow", "aw", "--n", "90", "--k", "6"],
        &["othello", "solve-board", "--size", "6"],
        &[
            "match",
            "othello",
            "--a",
            "random",
            "--b",
            "random",
            "--games",
            "100000000",
        ],
    ];
    for args in long {
        let folder = tempfile::tempdir().unwrap();
        let mut child = common::wits(folder.path())
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_secs(2));
        let still = child.try_wait().unwrap();
        assert!(still.is_none(), "{args:?} ended by itself: {still:?}");
        let id = child.id().to_string();
        Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{args:?}");
    }
}
