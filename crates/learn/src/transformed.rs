//! A table after its transformers: what a classifier would see.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::control::NEVER;
use crate::dataset::Dataset;
use crate::error::LearnError;
use crate::impute::Imputer;
use crate::pipeline::fit_chain;
use crate::spec::{Spec, chain_text};

/// Transformed rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Transformed {
    /// The columns' names.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<f64>>,
}

/// Fits the steps on all rows and applies them. For looking at, not for scoring: a pipeline in
/// cross-validation fits them on training rows only.
pub fn transform(
    data: &Dataset,
    imputer: Option<&Spec>,
    chain: &[Spec],
) -> Result<Transformed, LearnError> {
    transform_until(data, imputer, chain, &NEVER)
}

/// The same, unless somebody raises the flag.
pub(crate) fn transform_until(
    data: &Dataset,
    imputer: Option<&Spec>,
    chain: &[Spec],
    stop: &AtomicBool,
) -> Result<Transformed, LearnError> {
    let mut columns = data.features();
    let x = match imputer {
        Some(spec) => Imputer::fit(spec, &data.x).apply_unless_stopped(&data.x, stop),
        None => data.x.clone(),
    };
    if stop.load(Ordering::Relaxed) {
        return Err(LearnError::Stopped);
    }
    if let Some((row, column)) = x.first_missing() {
        return Err(LearnError::StillMissing {
            row: data.rows[row],
            column: columns[column].clone(),
            step: chain_text(chain),
        });
    }
    let (fitted, changed) = fit_chain(chain, x, &data.y, stop)?;
    for step in &fitted {
        columns = step.names(&columns);
    }
    Ok(Transformed {
        columns,
        rows: changed.to_rows(),
    })
}
