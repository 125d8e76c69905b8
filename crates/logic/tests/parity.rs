//! Answers that SWI-Prolog gives, in order.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::path::PathBuf;

use serde_json::Value;
use wits_logic::{Machine, Outcome};

/// The folder of shared data beside the workspace, if it is there.
fn shared(path: &str) -> Option<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let file = root
        .ancestors()
        .find(|p| p.join("Cargo.lock").exists())?
        .join("../shared")
        .join(path);
    if file.exists() {
        return Some(file);
    }
    assert!(
        std::env::var_os("WITS_REQUIRE_SHARED").is_none(),
        "{path} is missing"
    );
    println!("skipped: there is no ../shared/{path}");
    None
}

/// One line per solution, in the form of the data file.
fn answers(item: &Value) -> Vec<String> {
    let text = |key: &str| item[key].as_str().unwrap_or_default();
    let mut m = Machine::new();
    m.consult("item.pl", text("program")).unwrap();
    if text("double_quotes") == "codes" {
        m.consult("flags.pl", ":- set_prolog_flag(double_quotes, codes).")
            .unwrap();
    }
    m.query(text("query")).unwrap();
    let wanted: Vec<&str> = item["vars"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_str().unwrap())
        .collect();
    let mut out = Vec::new();
    while out.len() < 50 {
        match m.solve() {
            Outcome::Solution(s) => {
                // The whole list as one term, so that `=` and its operands are written as there.
                let pairs: Vec<String> = wanted
                    .iter()
                    .map(|n| format!("('{n}')=({})", s.value(n).unwrap()))
                    .collect();
                out.push(rewrite(&format!("[{}]", pairs.join(","))));
            }
            Outcome::Done => break,
            Outcome::Error(t) => {
                out.push(format!("ERR {}", t.term));
                break;
            }
            other => panic!("{other:?}"),
        }
    }
    out
}

/// Reads a term and writes it again.
fn rewrite(term: &str) -> String {
    let mut m = Machine::new();
    m.query(&format!("X = {term}")).unwrap();
    match m.solve() {
        Outcome::Solution(s) => s.value("X").unwrap().to_owned(),
        other => panic!("{term}: {other:?}"),
    }
}

#[test]
fn every_answer_in_order() {
    let Some(file) = shared("data/prolog/parity.json") else {
        return;
    };
    let data: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let items = data["items"].as_array().unwrap();
    assert!(items.len() > 60);
    let mut wrong = Vec::new();
    for item in items {
        let expected: Vec<String> = item["answers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|a| a.as_str().unwrap().to_owned())
            .collect();
        let got = answers(item);
        if got != expected {
            wrong.push(format!(
                "{} {}: {got:?} instead of {expected:?}",
                item["id"], item["query"]
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
