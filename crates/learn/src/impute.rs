//! Filling missing values with what the training rows know.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::classify::Nearest;
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
                let donors = Donors::new(rows, x.columns());
                let filled: Vec<Vec<f64>> = gaps
                    .par_chunks(GROUP)
                    .flat_map_iter(|group| {
                        let asked: Vec<&[f64]> = group.iter().map(|&i| x.row(i)).collect();
                        if stop.load(Ordering::Relaxed) {
                            return asked.into_iter().map(<[f64]>::to_vec).collect();
                        }
                        donors.fill(&asked, *k, otherwise)
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

/// Training rows in blocks of eight, column by column: distances to eight rows are computed side
/// by side. A value that is missing, and what fills up the last block, is NaN.
struct Donors {
    rows: usize,
    columns: usize,
    cells: Vec<f64>,
}

/// Rows in a block.
const LANES: usize = 8;
/// Blocks that are compared with every row of a group before the next ones: 32 of 8 rows of 20
/// columns are 40 KB.
const STRETCH: usize = 32;
/// Rows that are filled together.
const GROUP: usize = 16;

/// A row with gaps: what it knows, and for each gap the nearest rows that know a value.
struct Gaps {
    known: Vec<(usize, f64)>,
    missing: Vec<(usize, Nearest)>,
}

impl Donors {
    fn new(rows: &[Vec<Option<f64>>], columns: usize) -> Donors {
        let mut cells = vec![f64::NAN; rows.len().div_ceil(LANES) * columns * LANES];
        for (i, row) in rows.iter().enumerate() {
            for (j, value) in row.iter().enumerate() {
                cells[place(columns, i, j)] = value.unwrap_or(f64::NAN);
            }
        }
        Donors {
            rows: rows.len(),
            columns,
            cells,
        }
    }

    /// Rows with their gaps filled by the mean of the `k` nearest rows that know a value; of equal
    /// distances the earlier row is nearer.
    fn fill(&self, asked: &[&[f64]], k: usize, otherwise: &[f64]) -> Vec<Vec<f64>> {
        let size = k.min(self.rows).max(1);
        let mut all: Vec<Gaps> = asked
            .iter()
            .map(|row| {
                let cells = || row.iter().copied().enumerate();
                let gaps = cells().filter(|(_, v)| v.is_nan());
                Gaps {
                    known: cells().filter(|(_, v)| !v.is_nan()).collect(),
                    missing: gaps.map(|(j, _)| (j, Nearest::new(size))).collect(),
                }
            })
            .collect();
        let mut distances = vec![0.0; STRETCH * LANES];
        let stretches = self.cells.chunks(STRETCH * LANES * self.columns);
        for (at, stretch) in stretches.enumerate() {
            let found = &mut distances[..stretch.len() / self.columns];
            for gaps in &mut all {
                mean_squares(stretch, self.columns, &gaps.known, found);
                for (column, nearest) in &mut gaps.missing {
                    for (i, &distance) in found.iter().enumerate() {
                        if distance <= nearest.limit()
                            && !stretch[place(self.columns, i, *column)].is_nan()
                        {
                            nearest.offer(distance, at * STRETCH * LANES + i);
                        }
                    }
                }
            }
        }
        let filled = asked.iter().zip(all).map(|(row, gaps)| {
            let mut full = row.to_vec();
            for (column, nearest) in gaps.missing {
                let near = nearest.sorted().into_iter().map(|(i, _)| i);
                let values: Vec<f64> = near
                    .filter(|&i| i < self.rows)
                    .map(|i| self.cells[place(self.columns, i, column)])
                    .collect();
                full[column] = if values.is_empty() {
                    otherwise[column]
                } else {
                    mean(&values)
                };
            }
            full
        });
        filled.collect()
    }
}

/// Where a cell lies in blocks.
fn place(columns: usize, row: usize, column: usize) -> usize {
    (row / LANES * columns + column) * LANES + row % LANES
}

/// The mean squared distance over the columns that both rows know, so that a row with gaps is not
/// near for lack of evidence; NaN where they share none.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"), dispatcher = "direct")]
fn mean_squares(cells: &[f64], columns: usize, known: &[(usize, f64)], out: &mut [f64]) {
    let blocks = cells.chunks_exact(columns * LANES);
    for (block, out) in blocks.zip(out.chunks_exact_mut(LANES)) {
        let (mut sums, mut shared) = ([0.0; LANES], [0.0; LANES]);
        for &(j, value) in known {
            let column = &block[j * LANES..(j + 1) * LANES];
            for ((sum, shared), other) in sums.iter_mut().zip(&mut shared).zip(column) {
                let apart = value - other;
                // Adding zero changes no digit, and needs no branch.
                *sum += if apart.is_nan() { 0.0 } else { apart * apart };
                *shared += if apart.is_nan() { 0.0 } else { 1.0 };
            }
        }
        for ((out, sum), shared) in out.iter_mut().zip(&sums).zip(&shared) {
            *out = sum / shared;
        }
    }
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

    /// Blocks fill gaps with the very bits of a plain loop over sorted rows, ties included.
    #[test]
    fn neighbours_in_blocks_equal_a_full_sort() {
        let mut dice = crate::chance::dice(1, crate::chance::For::Missing, 0);
        for (n, p, k) in [(3, 2, 1), (8, 3, 2), (300, 5, 3), (257, 4, 1000)] {
            // Few different values: many distances are equal.
            let cell = |unit: f64, gap: f64| {
                if gap < 0.3 {
                    f64::NAN
                } else {
                    (5.0 * unit).floor()
                }
            };
            let cells = (0..n * p).map(|_| cell(dice.unit(), dice.unit())).collect();
            let x = Matrix::new(n, p, cells);
            let imputer = Imputer::fit(
                &Spec::read(Kind::Imputer, &format!("knn:k={k}")).unwrap(),
                &x,
            );
            let full = imputer.apply(&x);
            for i in 0..n {
                let mut near: Vec<(f64, usize)> = (0..n)
                    .filter_map(|other| {
                        let apart = x.row(i).iter().zip(x.row(other)).map(|(a, b)| a - b);
                        let apart: Vec<f64> = apart.filter(|d| !d.is_nan()).collect();
                        let sum: f64 = apart.iter().map(|d| d * d).sum();
                        (!apart.is_empty()).then(|| (sum / apart.len() as f64, other))
                    })
                    .collect();
                near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                for j in (0..p).filter(|&j| x.at(i, j).is_nan()) {
                    let values = near.iter().map(|&(_, other)| x.at(other, j));
                    let values: Vec<f64> = values.filter(|v| !v.is_nan()).take(k).collect();
                    if !values.is_empty() {
                        assert_eq!(
                            full.at(i, j).to_bits(),
                            mean(&values).to_bits(),
                            "{n} {i} {j}"
                        );
                    }
                }
            }
        }
    }
}
