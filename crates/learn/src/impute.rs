//! Filling missing values with what the training rows know.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::control::NEVER;
use crate::matrix::Matrix;
use crate::numbers::{mean, quantile, sorted};
use crate::spec::Spec;

/// An imputer that has seen its training rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub enum Imputer {
    /// One value per column.
    Constant {
        /// The values.
        values: Vec<f64>,
    },
    /// The mean of the nearest rows that know the value.
    Neighbours {
        /// How many neighbours.
        k: usize,
        /// The training rows; `null` where a value is missing.
        rows: Vec<Vec<Option<f64>>>,
        /// What is used where no row is near: the column's mean.
        otherwise: Vec<f64>,
    },
}

impl Imputer {
    /// Learns from training rows. A column without any value is filled with zero.
    pub fn fit(spec: &Spec, x: &Matrix) -> Imputer {
        let known = |j: usize| -> Vec<f64> {
            (0..x.rows())
                .map(|i| x.at(i, j))
                .filter(|v| !v.is_nan())
                .collect()
        };
        let each = |f: &dyn Fn(&[f64]) -> f64| -> Vec<f64> {
            (0..x.columns())
                .map(|j| {
                    let values = known(j);
                    if values.is_empty() { 0.0 } else { f(&values) }
                })
                .collect()
        };
        match spec.name() {
            "mean" => Imputer::Constant {
                values: each(&mean),
            },
            "median" => Imputer::Constant {
                values: each(&|v| quantile(&sorted(v), 0.5)),
            },
            "most-frequent" => Imputer::Constant {
                values: each(&most_frequent),
            },
            _ => Imputer::Neighbours {
                k: spec.whole("k"),
                rows: (0..x.rows())
                    .map(|i| {
                        x.row(i)
                            .iter()
                            .map(|&v| (!v.is_nan()).then_some(v))
                            .collect()
                    })
                    .collect(),
                otherwise: each(&mean),
            },
        }
    }

    /// Fills the missing cells; what is there stays.
    pub fn apply(&self, x: &Matrix) -> Matrix {
        self.apply_unless_stopped(x, &NEVER)
    }

    /// The same; rows that are filled after the flag was raised stay as they are.
    pub(crate) fn apply_unless_stopped(&self, x: &Matrix, stop: &AtomicBool) -> Matrix {
        let mut full = x.clone();
        match self {
            Imputer::Constant { values } => {
                for i in 0..full.rows() {
                    for (cell, &value) in full.row_mut(i).iter_mut().zip(values) {
                        if cell.is_nan() {
                            *cell = value;
                        }
                    }
                }
            }
            Imputer::Neighbours { k, rows, otherwise } => {
                let gaps: Vec<usize> = (0..x.rows())
                    .filter(|&i| x.row(i).iter().any(|v| v.is_nan()))
                    .collect();
                if gaps.is_empty() {
                    return full;
                }
                let nan_rows: Vec<Vec<f64>> = rows
                    .iter()
                    .map(|r| r.iter().map(|v| v.unwrap_or(f64::NAN)).collect())
                    .collect();
                let filled: Vec<Vec<f64>> = gaps
                    .par_iter()
                    .map(|&i| {
                        if stop.load(Ordering::Relaxed) {
                            return x.row(i).to_vec();
                        }
                        from_neighbours(x.row(i), &nan_rows, *k, otherwise)
                    })
                    .collect();
                for (&i, row) in gaps.iter().zip(&filled) {
                    full.row_mut(i).copy_from_slice(row);
                }
            }
        }
        full
    }
}

fn most_frequent(values: &[f64]) -> f64 {
    let ascending = sorted(values);
    let (mut best, mut best_count) = (ascending[0], 0);
    for run in ascending.chunk_by(|a, b| a.total_cmp(b).is_eq()) {
        if run.len() > best_count {
            (best, best_count) = (run[0], run.len());
        }
    }
    best
}

/// One row with its gaps filled. Distances are over the columns both rows know, scaled up to all
/// columns, so that a row with gaps is not near for lack of evidence.
fn from_neighbours(row: &[f64], rows: &[Vec<f64>], k: usize, otherwise: &[f64]) -> Vec<f64> {
    let mut near: Vec<(f64, usize)> = Vec::with_capacity(rows.len());
    for (i, other) in rows.iter().enumerate() {
        let (mut sum, mut shared) = (0.0, 0usize);
        for (a, b) in row.iter().zip(other) {
            let d = a - b;
            if !d.is_nan() {
                sum += d * d;
                shared += 1;
            }
        }
        if shared > 0 {
            near.push((sum / shared as f64, i));
        }
    }
    near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    row.iter()
        .enumerate()
        .map(|(j, &value)| {
            if !value.is_nan() {
                return value;
            }
            let donors: Vec<f64> = near
                .iter()
                .map(|&(_, i)| rows[i][j])
                .filter(|v| !v.is_nan())
                .take(k)
                .collect();
            if donors.is_empty() {
                otherwise[j]
            } else {
                mean(&donors)
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Kind;

    #[test]
    fn the_most_frequent_value_is_the_smallest_of_equals() {
        assert!((most_frequent(&[3.0, 1.0, 3.0, 1.0, 2.0]) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn an_empty_column_and_a_row_without_evidence_do_not_hurt() {
        let nan = f64::NAN;
        let x = Matrix::from_rows(&[vec![1.0, nan], vec![nan, nan], vec![3.0, nan]]);
        for text in ["mean", "median", "most-frequent", "knn:k=2"] {
            let spec = Spec::read(Kind::Imputer, text).unwrap();
            let full = Imputer::fit(&spec, &x).apply(&x);
            assert_eq!(full.first_missing(), None, "{text}");
            assert!(full.at(2, 1).abs() < 1e-15);
        }
    }
}
