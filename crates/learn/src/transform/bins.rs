//! Sorting values into bins of equal count or equal width.

use serde::{Deserialize, Serialize};

use crate::matrix::Matrix;
use crate::numbers::{evenly, quantile, sorted, step_quantile};
use crate::spec::Spec;

/// Bin edges for every column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bins {
    /// Ascending edges, the outermost included; a column with two edges has one bin.
    pub edges: Vec<Vec<f64>>,
    /// One column per bin, rather than the bin's number.
    pub onehot: bool,
}

impl Bins {
    /// Finds the edges in training rows.
    pub fn fit(spec: &Spec, x: &Matrix) -> Bins {
        let shares = evenly(spec.whole("bins") + 1);
        let quantiles = spec.word("strategy") == "quantile";
        let linear = spec.word("quantiles") == "linear";
        let columns = x.by_columns();
        let edges = columns
            .chunks_exact(x.rows().max(1))
            .map(|column| {
                let ascending = sorted(column);
                let (low, high) = (ascending[0], ascending[ascending.len() - 1]);
                let raw: Vec<f64> = shares
                    .iter()
                    .map(|&share| match (quantiles, linear) {
                        (true, true) => quantile(&ascending, share),
                        (true, false) => step_quantile(&ascending, share),
                        (false, _) => low + share * (high - low),
                    })
                    .collect();
                distinct(raw, quantiles)
            })
            .collect();
        Bins {
            edges,
            onehot: spec.word("encode") == "onehot",
        }
    }

    /// How many bins a column has.
    pub fn count(&self, column: usize) -> usize {
        (self.edges[column].len() - 1).max(1)
    }

    /// The bin a value falls into; values outside go to the outermost bins.
    pub fn bin(&self, column: usize, value: f64) -> usize {
        let edges = &self.edges[column];
        if edges.len() <= 2 {
            return 0;
        }
        edges[1..edges.len() - 1].partition_point(|&edge| edge <= value)
    }

    pub(super) fn apply(&self, x: &Matrix) -> Matrix {
        let columns = self.edges.len();
        if !self.onehot {
            return super::by_column(x, |j, column| {
                for v in column {
                    *v = self.bin(j, *v) as f64;
                }
            });
        }
        let starts: Vec<usize> = (0..columns)
            .scan(0, |at, j| {
                let start = *at;
                *at += self.count(j);
                Some(start)
            })
            .collect();
        let width = (0..columns).map(|j| self.count(j)).sum();
        let mut out = Matrix::zeros(x.rows(), width);
        for i in 0..x.rows() {
            let line = out.row_mut(i);
            for ((j, &start), &v) in starts.iter().enumerate().zip(x.row(i)) {
                line[start + self.bin(j, v)] = 1.0;
            }
        }
        out
    }

    pub(super) fn names(&self, before: &[String]) -> Vec<String> {
        if !self.onehot {
            return before.to_vec();
        }
        before
            .iter()
            .enumerate()
            .flat_map(|(j, name)| (0..self.count(j)).map(move |bin| format!("{name}[{bin}]")))
            .collect()
    }
}

/// Quantiles of a column with many equal values coincide: bins without width are dropped.
fn distinct(raw: Vec<f64>, quantiles: bool) -> Vec<f64> {
    if !quantiles {
        return raw;
    }
    let mut edges: Vec<f64> = Vec::with_capacity(raw.len());
    let mut before = f64::NEG_INFINITY;
    for edge in raw {
        if edge - before > 1e-8 {
            edges.push(edge);
        }
        before = edge;
    }
    edges
}
