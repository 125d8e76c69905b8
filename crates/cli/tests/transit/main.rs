//! The verbs of the transit room, with the keys that scripts rely on.

#![allow(clippy::print_stdout, reason = "a test that rests says so")]

mod asis;
#[path = "../common/mod.rs"]
mod common;
mod feeds;
mod prompts;
mod routes;
mod said;
mod studies;
mod wrong;

use std::path::Path;

use serde_json::Value;

/// Runs a command in a folder and reads the one JSON object it prints.
pub(crate) fn ask(folder: &Path, args: &[&str], code: i32) -> Value {
    common::ask(folder, &[&["transit"], args].concat(), code)
}

/// A folder with a small city in `city.wits`, and two of its stops that a journey joins.
pub(crate) fn city() -> (tempfile::TempDir, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let make = [
        "generate",
        "--size",
        "0.1",
        "--seed",
        "5",
        "-o",
        "city.wits",
    ];
    let made = ask(folder.path(), &make, 0);
    assert!(made["connections"].as_u64() > Some(1000), "{made}");
    let list = ["stops", "--feed", "city.wits", "--limit", "1000"];
    let stops = ask(folder.path(), &list, 0);
    let names: Vec<String> = stops["stops"]
        .as_array()
        .expect("stops")
        .iter()
        .filter(|stop| {
            stop["posts"][0]["lines"]
                .as_array()
                .is_some_and(|l| !l.is_empty())
        })
        .filter_map(|stop| stop["name"].as_str().map(ToOwned::to_owned))
        .collect();
    let (first, last) = (names[0].clone(), names[names.len() - 1].clone());
    (folder, first, last)
}
