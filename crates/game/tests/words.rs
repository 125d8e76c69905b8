//! What players read is whole: every book of every room in every language, no key too few or too
//! many, no argument lost, every counted word with its forms.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use wits_game::{Book, Lang};

/// A crate that has a book.
struct Room {
    name: String,
    path: PathBuf,
    book: Book,
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every crate with a folder of texts, so that a new room is looked at as soon as it has one.
fn rooms() -> Vec<Room> {
    let mut all = Vec::new();
    for entry in fs::read_dir(crates()).unwrap() {
        let path = entry.unwrap().path();
        if !path.join("texts/en.txt").exists() {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let page = |lang: Lang| {
            let file = path.join(format!("texts/{}.txt", lang.code()));
            let text =
                fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            (lang, &*text.leak())
        };
        let pages = Lang::ALL.map(page).to_vec().leak();
        all.push(Room {
            book: Book::new(name.clone().leak(), pages),
            name,
            path,
        });
    }
    assert!(all.len() >= 13, "only {} crates have texts", all.len());
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// All files below a folder whose names end in a certain way.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path, end));
        } else if path.to_str().is_some_and(|p| p.ends_with(end)) {
            all.push(path);
        }
    }
    all.sort();
    all
}

fn source(folder: &Path, end: &str) -> String {
    files(folder, end)
        .iter()
        .map(|file| fs::read_to_string(file).unwrap())
        .collect()
}

#[test]
fn every_book_says_everything_in_every_language() {
    let mut flaws = Vec::new();
    for room in rooms() {
        for lang in Lang::ALL {
            flaws.extend(room.book.flaws(lang));
            let text = format!("../texts/{}.txt", lang.code());
            assert!(
                source(&room.path.join("src"), ".rs").contains(&text),
                "the book of `{}` does not include `{text}`",
                room.name
            );
            let file = fs::read_to_string(room.path.join("src").join(&text)).unwrap();
            let mut seen = BTreeSet::new();
            for line in file.lines().filter(|l| !l.starts_with('#')) {
                if let Some((key, _)) = line.split_once('=')
                    && !seen.insert(key.trim())
                {
                    flaws.push(format!("`{}` is twice in {} {text}", key.trim(), room.name));
                }
            }
        }
    }
    assert!(flaws.is_empty(), "{}", flaws.join("\n"));
}

#[test]
fn no_text_is_kept_that_nobody_says() {
    let everything: String = rooms()
        .iter()
        .map(|room| source(&room.path.join("src"), ".rs"))
        .chain([source(&crates().join("cli/src"), ".rs")])
        .collect();
    let scripts = source(&crates().join("web/assets"), ".js");
    let mut unsaid = Vec::new();
    for room in rooms() {
        for key in room.book.keys() {
            // Patterns of errors are checked where they are matched.
            if key.starts_with("told-") {
                continue;
            }
            let said = match key.strip_prefix("js-") {
                Some(name) => {
                    scripts.contains(&format!("\"{name}\""))
                        || name.starts_with("counted-")
                        || everything.contains(&format!("\"{key}\""))
                }
                None => everything.contains(&format!("\"{key}\"")),
            };
            if !said {
                unsaid.push(format!("{}.{key}", room.name));
            }
        }
    }
    assert!(unsaid.is_empty(), "nobody says: {}", unsaid.join(", "));
}

/// The words after `before` in a text, as far as they are keys in quotation marks, with one of
/// `after` behind them.
fn keys_after<'a>(text: &'a str, before: &str, after: &[char]) -> impl Iterator<Item = &'a str> {
    text.match_indices(before).filter_map(move |(at, _)| {
        let rest = text[at + before.len()..].strip_prefix('"')?;
        let (key, rest) = rest.split_once('"')?;
        if !rest.starts_with(after) {
            return None;
        }
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
        key.chars().all(plain).then_some(key)
    })
}

#[test]
fn no_key_is_said_that_has_no_text() {
    let rooms = rooms();
    let known: BTreeSet<&str> = rooms.iter().flat_map(|room| room.book.keys()).collect();
    let mut unknown = Vec::new();
    for room in &rooms {
        for file in files(&room.path.join("src"), ".rs") {
            let text = fs::read_to_string(&file).unwrap();
            // Toys for tests have small books of their own.
            if file.ends_with("toys.rs") {
                continue;
            }
            let code = text.split("#[cfg(test)]").next().unwrap();
            let code: String = code
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .collect();
            for key in keys_after(&code, "say(", &[')']).filter(|key| !known.contains(key)) {
                let name = file.file_name().unwrap_or_default();
                unknown.push(format!("{} {name:?}: {key}", room.name));
            }
        }
    }
    let scripts = source(&crates().join("web/assets"), ".js");
    for name in keys_after(&scripts, "word(", &[')', ',']) {
        if !known.contains(&*format!("js-{name}")) {
            unknown.push(format!("a script: {name}"));
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

#[test]
fn scripts_hold_no_sentences_of_their_own() {
    let mut found = Vec::new();
    for file in files(&crates().join("web/assets"), ".js") {
        let text = fs::read_to_string(&file).unwrap();
        for line in text.lines() {
            let code = line.trim_start();
            if code.starts_with(['*', '/']) {
                continue;
            }
            let plain = line.split('"').skip(1).step_by(2);
            for quoted in plain.chain(line.split('`').skip(1).step_by(2)) {
                if sentence(quoted) {
                    found.push(format!("{}: {quoted}", file.display()));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Whether a text reads like something for people: three words or more, and not the names of
/// elements or classes.
fn sentence(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    if ["button", "form,", "input,"].contains(&words[0]) {
        return false;
    }
    let word = |w: &&str| {
        let bare = w.trim_end_matches([',', ';', '.', ':', '?']);
        bare.len() > 1 && bare.chars().all(char::is_alphabetic)
    };
    words.len() >= 3 && words.iter().filter(|w| word(w)).count() * 4 >= words.len() * 3
}
