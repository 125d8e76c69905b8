//! Promises about the repository itself.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;
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

/// Whoever looks for a module finds it in the paragraph of its crate, and finds nothing there that
/// is gone.
#[test]
fn every_module_is_on_the_map() {
    let plan = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for crate_dir in fs::read_dir(root().join("crates")).unwrap() {
        let path = crate_dir.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let (_, rest) = plan.split_once(&format!("**{name}** – ")).unwrap();
        let paragraph = rest.split("\n\n").next().unwrap();
        let map = paragraph.split("*Map:* ").nth(1).unwrap_or_default();
        let modules: BTreeSet<String> = fs::read_dir(path.join("src"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|file| file.file_stem().unwrap().to_str().unwrap().to_owned())
            .filter(|module| module != "lib" && module != "main")
            .collect();
        for module in &modules {
            assert!(
                map.contains(&format!("`{module}`")),
                "ARCHITECTURE.md does not lead to `{module}` of `{name}`"
            );
        }
        let below = |word: &str| {
            let folders = modules.iter().map(String::as_str);
            let mut files = folders
                .chain(["rooms/scrabble", "rooms/transit"])
                .map(|folder| path.join(format!("src/{folder}/{word}.rs")));
            files.any(|file| file.exists())
        };
        for word in map.split('`').skip(1).step_by(2) {
            assert!(
                modules.contains(word) || below(word) || path.join("src").join(word).is_dir(),
                "ARCHITECTURE.md leads to `{word}` of `{name}`, which is not there"
            );
        }
    }
}

/// The container copies every folder that the program is built from.
#[test]
fn the_container_is_built_from_all_that_is_needed() {
    let root = root().canonicalize().unwrap();
    let file = fs::read_to_string(root.join("dist/Containerfile")).unwrap();
    let copied: BTreeSet<&str> = file
        .lines()
        .filter_map(|line| line.strip_prefix("COPY ")?.rsplit_once(' '))
        .flat_map(|(from, _)| from.split(' '))
        .collect();
    let needs = |what: &str, by: &Path| {
        let first = what.split('/').next().unwrap();
        assert!(
            copied.contains(first),
            "dist/Containerfile lacks `{first}`, for {}",
            by.display()
        );
    };
    // The members of the workspace.
    let manifest = root.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let members = text.lines().find(|l| l.starts_with("members = ")).unwrap();
    let mut count = 0;
    for member in members.split('"').skip(1).step_by(2) {
        needs(member, &manifest);
        count += 1;
    }
    assert!(count > 1, "{members}");
    // What sources and build scripts name by a path that leads out of their crate.
    let mut open: Vec<PathBuf> = Vec::new();
    for crate_dir in fs::read_dir(root.join("crates")).unwrap() {
        let path = crate_dir.unwrap().path();
        open.extend([path.join("src"), path.join("build.rs")]);
    }
    let mut found = 0;
    while let Some(path) = open.pop() {
        if let Ok(entries) = fs::read_dir(&path) {
            open.extend(entries.map(|entry| entry.unwrap().path()));
            continue;
        }
        let text = fs::read_to_string(&path).unwrap_or_default();
        for named in text.split('"').filter(|word| word.starts_with("../")) {
            let to = path.parent().unwrap().join(named).canonicalize();
            let to = to.unwrap_or_default();
            if let Ok(inside) = to.strip_prefix(&root) {
                needs(inside.to_str().unwrap(), &path);
                found += 1;
            }
        }
    }
    assert!(found > 10, "{found} paths were found");
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
