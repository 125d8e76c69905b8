//! The rows of `docs/security.md`: what is promised, and what a test measured.

use std::path::{Path, PathBuf};

/// Every promise: name, limit, item of the OWASP ASVS 5.0, the test, and what it fails without.
const ROWS: &str = include_str!("rows.txt");

/// One promise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// What is promised.
    pub limit: &'static str,
    /// The matching item of the OWASP ASVS 5.0.
    pub asvs: &'static str,
    /// The test that fails without the protection: crate, target and name.
    pub test: &'static str,
    /// What was taken out to see the test fail.
    pub without: &'static str,
}

/// All promises, in the order of the page.
///
/// # Panics
/// When a line of the list has not five parts.
pub fn rows() -> Vec<Row> {
    ROWS.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let parts: Vec<&str> = line.split('|').map(str::trim).collect();
            let [name, limit, asvs, test, without] = parts[..] else {
                panic!("`{line}` has not five parts");
            };
            Row {
                name,
                limit,
                asvs,
                test,
                without,
            }
        })
        .collect()
}

/// The folder where measured results wait for the page: `target/security` of the workspace.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/security")
}

/// Keeps what a test measured for a row.
///
/// # Panics
/// When no row has that name.
pub fn measured(name: &str, result: impl std::fmt::Display) {
    assert!(rows().iter().any(|row| row.name == name), "no row `{name}`");
    let folder = folder();
    // The figure is for the page; a folder that cannot be written is no reason to fail.
    let _ = std::fs::create_dir_all(&folder);
    let _ = std::fs::write(folder.join(name), result.to_string());
}
