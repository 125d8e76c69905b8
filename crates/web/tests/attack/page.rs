//! `docs/security.md`: every row with what its test measured last.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use wits_web::testing::{Row, folder, rows};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Whether a test said what it saw: a number, and not that it was skipped.
fn is_figure(measured: &str) -> bool {
    measured.contains(|c: char| c.is_ascii_digit()) && !measured.contains("skipped")
}

/// The cells of a row on the written page; none for a row that is new.
fn cells<'a>(written: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!("| {name} | ");
    let line = written.lines().find(|line| line.starts_with(&start));
    let cells = line.into_iter().flat_map(|l| l.split('|').skip(1));
    cells.map(str::trim).collect()
}

/// The whole page from the rows and the measured results. A row that was not measured since keeps its
/// figure.
fn page(written: &str) -> String {
    let mut table = String::from(
        "| row | promise | measured | OWASP ASVS 5.0 | test | fails without |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for row in rows() {
        let measured = std::fs::read_to_string(folder().join(row.name));
        let measured = match measured {
            Ok(measured) => measured.replace('|', "/").replace('\n', " "),
            Err(_) => (cells(written, row.name).get(2).copied())
                .unwrap_or_default()
                .to_owned(),
        };
        assert!(
            is_figure(&measured),
            "nothing was measured for `{}` ({:?}): run {} first",
            row.name,
            measured,
            row.test
        );
        let Row {
            name,
            limit,
            asvs,
            test,
            without,
        } = row;
        let _ = writeln!(
            table,
            "| {name} | {limit} | {measured} | {asvs} | `{test}` | {without} |"
        );
    }
    include_str!("security.md").replace("{rows}", table.trim_end())
}

/// All Rust of a folder of a crate.
fn sources(folder: &str) -> String {
    let mut text = String::new();
    let mut open = vec![root().join("crates").join(folder)];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            if entry.path().is_dir() {
                open.push(entry.path());
            } else if entry.path().extension().is_some_and(|e| e == "rs") {
                text += &std::fs::read_to_string(entry.path()).unwrap();
            }
        }
    }
    text
}

/// The page lists every row with a result, and every row has its test. With `WITS_ACCEPT=1` the page
/// is written anew from what the tests measured last.
#[test]
fn the_page_lists_every_row() {
    let file = root().join("docs/security.md");
    let mut written = std::fs::read_to_string(&file).unwrap();
    if std::env::var_os("WITS_ACCEPT").is_some() {
        written = page(&written);
        std::fs::write(&file, &written).unwrap();
    }
    for row in rows() {
        let cells = cells(&written, row.name);
        assert!(
            cells.get(1) == Some(&row.limit),
            "docs/security.md lacks `{}`: run all attacks, then this test with WITS_ACCEPT=1",
            row.name
        );
        assert_eq!(cells.len(), 7, "{cells:?}");
        assert!(
            is_figure(cells[2]),
            "`{}` has no figure: {cells:?}",
            row.name
        );
        assert_eq!(cells[5], row.without, "{}", row.name);
        let (place, name) = row.test.split_once(": ").unwrap();
        let (folder, target) = place.split_once(' ').unwrap();
        let part = if target == "lib" { "src" } else { "tests" };
        assert!(
            sources(&format!("{folder}/{part}")).contains(&format!("fn {name}()")),
            "{}: no test {name} in crates/{folder}/{part}",
            row.name
        );
    }
}
