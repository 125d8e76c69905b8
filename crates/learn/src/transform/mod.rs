//! Changing features: fitted on training rows, applied to any.

mod bins;
mod pca;
mod power;
mod quantile;
mod scale;
mod select;

pub use bins::Bins;
pub use pca::Pca;
pub use power::Power;
pub use quantile::Quantile;
pub use scale::Scale;
pub use select::f_scores;

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use wits_game::Message;

use crate::control::NEVER;
use crate::error::LearnError;
use crate::matrix::{BLOCK, Matrix};
use crate::spec::Spec;

/// A transformer that has seen its training rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub enum Transformer {
    /// Nothing is changed.
    Passthrough,
    /// Subtract and divide, column by column.
    Scale(Scale),
    /// Every row has length one.
    Normalize,
    /// Sort into bins.
    Bins(Bins),
    /// Keep some columns.
    Keep {
        /// The columns kept.
        columns: Vec<usize>,
    },
    /// Turn the axes.
    Pca(Pca),
    /// Power transform.
    Power(Power),
    /// Ranks.
    Quantile(Quantile),
}

impl Transformer {
    /// Learns from training rows without gaps and their classes.
    pub fn fit(spec: &Spec, x: &Matrix, y: &[u32]) -> Result<Transformer, LearnError> {
        Transformer::fit_until(spec, x, y, &NEVER)
    }

    /// The same, unless somebody raises the flag.
    pub fn fit_until(
        spec: &Spec,
        x: &Matrix,
        y: &[u32],
        stop: &AtomicBool,
    ) -> Result<Transformer, LearnError> {
        let cannot = |why: Message| LearnError::CannotFit {
            step: spec.to_string(),
            why,
        };
        Ok(match spec.name() {
            "passthrough" => Transformer::Passthrough,
            "standard" => Transformer::Scale(Scale::standard(x)),
            "robust" => Transformer::Scale(Scale::robust(x)),
            "minmax" => Transformer::Scale(Scale::minmax(x)),
            "normalize" => Transformer::Normalize,
            "kbins" => Transformer::Bins(Bins::fit(spec, x)),
            "variance" => Transformer::Keep {
                columns: select::by_variance(x, spec.real("threshold")).map_err(cannot)?,
            },
            "select" => Transformer::Keep {
                columns: select::best(x, y, spec.whole("k")),
            },
            "pca" => Transformer::Pca(
                Pca::fit(
                    x,
                    spec.whole_or_word("components").ok(),
                    spec.real("share"),
                    stop,
                )
                .map_err(cannot)?,
            ),
            "power" => Transformer::Power(Power::fit(x, stop)),
            "quantile" => Transformer::Quantile(Quantile::fit(
                x,
                spec.whole("n_quantiles"),
                spec.word("output") == "normal",
            )),
            other => unreachable!("`{other}` is not in the table of transformers"),
        })
    }

    /// Changes rows.
    pub fn apply(&self, x: &Matrix) -> Matrix {
        match self {
            Transformer::Passthrough => x.clone(),
            Transformer::Scale(scale) => scale.apply(x),
            Transformer::Normalize => scale::normalize(x),
            Transformer::Bins(bins) => bins.apply(x),
            Transformer::Keep { columns } => x.pick_columns(columns),
            Transformer::Pca(pca) => pca.apply(x),
            Transformer::Power(power) => power.apply(x),
            Transformer::Quantile(quantile) => quantile.apply(x),
        }
    }

    /// What the columns are called afterwards.
    pub fn names(&self, before: &[String]) -> Vec<String> {
        match self {
            Transformer::Bins(bins) => bins.names(before),
            Transformer::Keep { columns } => columns.iter().map(|&j| before[j].clone()).collect(),
            Transformer::Pca(pca) => (1..=pca.width()).map(|i| format!("pca{i}")).collect(),
            _ => before.to_vec(),
        }
    }
}

/// Applies a function to every column, a block of rows at a time.
fn by_column(x: &Matrix, mut f: impl FnMut(usize, &mut [f64])) -> Matrix {
    let (n, p) = (x.rows(), x.columns());
    let mut cells = Vec::with_capacity(n * p);
    let mut columns = vec![0.0; BLOCK * p];
    for block in x.cells().chunks(BLOCK * p.max(1)) {
        let rows = block.len() / p;
        for (j, column) in columns.chunks_exact_mut(BLOCK).enumerate() {
            let column = &mut column[..rows];
            for (cell, row) in column.iter_mut().zip(block.chunks_exact(p)) {
                *cell = row[j];
            }
            f(j, column);
        }
        for i in 0..rows {
            cells.extend((0..p).map(|j| columns[j * BLOCK + i]));
        }
    }
    Matrix::new(n, p, cells)
}
