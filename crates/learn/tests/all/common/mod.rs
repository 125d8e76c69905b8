//! Finds the shared reference data, or says that it is not there.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::path::PathBuf;

use serde_json::Value;
use wits_learn::{Dataset, Matrix, ReadOptions, Roles, read_table};

/// The parsed reference outputs, or `None` (with a line saying so) where there are none.
#[allow(clippy::print_stdout, reason = "a skipped test says so")]
pub(crate) fn parity() -> Option<Value> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../..")
        .join("shared/data/glass");
    let Ok(text) = std::fs::read_to_string(root.join("parity.json")) else {
        assert!(
            std::env::var_os("WITS_REQUIRE_SHARED").is_none(),
            "the shared reference data is required and missing"
        );
        println!("skipped: no shared/data/glass/parity.json beside the workspace");
        return None;
    };
    Some(serde_json::from_str(&text).unwrap())
}

/// The Glass data that is shipped.
pub(crate) fn glass() -> Dataset {
    let bytes = include_bytes!("../../../../../data/learn/glass.csv");
    let table = read_table(bytes, &ReadOptions::default()).unwrap();
    Dataset::new(&table, &Roles::default()).unwrap()
}

/// Glass with the reference's fixed pattern of gaps.
pub(crate) fn masked() -> Dataset {
    let mut data = glass();
    for i in 0..214 {
        for j in 0..9 {
            if ((i * 9 + j) * 7 + 3) % 19 == 0 {
                data.x.set(i, j, f64::NAN);
            }
        }
    }
    data
}

pub(crate) fn floats(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_f64().unwrap())
        .collect()
}

pub(crate) fn matrix(value: &Value) -> Matrix {
    Matrix::from_rows(
        &value
            .as_array()
            .unwrap()
            .iter()
            .map(floats)
            .collect::<Vec<_>>(),
    )
}

/// Equal to 1e-8 relative or 1e-10 absolute, the reference's own tolerance.
pub(crate) fn same(found: f64, expected: f64) -> bool {
    within(found, expected, 1e-8, 1e-10)
}

pub(crate) fn within(found: f64, expected: f64, relative: f64, absolute: f64) -> bool {
    (found - expected).abs() <= absolute.max(relative * expected.abs())
}

pub(crate) fn all_same(what: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (k, (&f, &e)) in found.iter().zip(expected).enumerate() {
        assert!(same(f, e), "{what}[{k}]: {f} instead of {e}");
    }
}
