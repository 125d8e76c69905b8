//! Promises about the repository itself.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The plan of the house is wrong if a crate is missing from it.
#[test]
fn every_crate_is_in_the_plan() {
    let plan = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for crate_dir in fs::read_dir(root().join("crates")).unwrap() {
        let name = crate_dir.unwrap().file_name().into_string().unwrap();
        assert!(
            plan.contains(&format!("**{name}** – ")),
            "ARCHITECTURE.md says nothing about `{name}`"
        );
    }
}

#[test]
fn every_crate_forbids_unsafe_code() {
    for crate_dir in fs::read_dir(root().join("crates")).unwrap() {
        let src = crate_dir.unwrap().path().join("src");
        let file = ["lib.rs", "main.rs"]
            .iter()
            .map(|f| src.join(f))
            .find(|f| f.exists())
            .unwrap();
        assert!(
            fs::read_to_string(&file)
                .unwrap()
                .contains("#![forbid(unsafe_code)]"),
            "{}",
            file.display()
        );
    }
}

/// The continuous integration runs the very test command that the README gives.
#[test]
fn the_readme_shows_both_commands() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let lines: Vec<&str> = readme.lines().collect();
    assert!(lines.contains(&"cargo run --release") && lines.contains(&"cargo test --workspace"));
    assert!(lines.len() < 150, "the README is read in one sitting");
}
