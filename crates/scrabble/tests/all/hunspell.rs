//! Affixes: cases in a text file, one loop.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::BTreeSet;

use wits_scrabble::lexicon::hunspell::{Affixes, Form, expand};

/// Every form that is told and not forbidden.
fn forms(affixes: &str, dictionary: &str) -> BTreeSet<String> {
    let affixes = Affixes::parse(affixes.as_bytes()).unwrap();
    let mut words = BTreeSet::new();
    let mut forbidden = BTreeSet::new();
    expand(&affixes, dictionary.as_bytes(), |form| {
        match form {
            Form::Base(text) | Form::Affixed(text) => words.insert(text.to_owned()),
            Form::Forbidden(text) => forbidden.insert(text.to_owned()),
        };
        true
    })
    .unwrap();
    words.difference(&forbidden).cloned().collect()
}

#[test]
fn the_cases_come_out_as_written() {
    let mut seen = 0;
    for case in include_str!("../cases/hunspell.txt").split("\n== ").skip(1) {
        let (name, case) = case.split_once('\n').unwrap();
        let (affixes, rest) = case.split_once("\n-- dic\n").unwrap();
        let (dictionary, wanted) = rest.split_once("\n-- forms\n").unwrap();
        let wanted: BTreeSet<String> = wanted.split_whitespace().map(str::to_owned).collect();
        assert_eq!(forms(affixes, dictionary), wanted, "{name}");
        seen += 1;
    }
    assert!(seen >= 10, "the cases are found");
}

#[test]
fn bad_files_are_refused_with_their_line() {
    let error = |text: &str| Affixes::parse(text.as_bytes()).unwrap_err().to_string();
    assert!(error("SET UTF-8\nSFX A 0\n").contains("line 2"));
    assert!(error("SFX A Y 1\nSFX A 0 s [ab\n").contains("`[ab` has a bracket"));
    assert!(error("SET KOI8-R\n").contains("`KOI8-R` is not known"));
    assert!(error("COMPLEXPREFIXES\n").contains("line 1"));
    let affixes = Affixes::parse(b"FLAG num\n").unwrap();
    let bad = expand(&affixes, b"2\nfine\nword/x\n", |_| true).unwrap_err();
    assert!(bad.to_string().contains("line 3"));
}

#[test]
fn the_watcher_can_stop() {
    let affixes = Affixes::parse(b"").unwrap();
    let mut told = 0;
    expand(&affixes, b"3\none\ntwo\nthree\n", |_| {
        told += 1;
        told < 2
    })
    .unwrap();
    assert_eq!(told, 2);
}
