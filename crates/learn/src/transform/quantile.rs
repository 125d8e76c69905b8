//! A value becomes its rank among the training values, spread evenly or normally.

use serde::{Deserialize, Serialize};

use crate::distributions::normal_quantile;
use crate::matrix::Matrix;
use crate::numbers::{evenly, quantile, sorted};

/// Closer to the ends than this counts as the end; keeps the normal output finite.
const END: f64 = 1e-7;

/// Landmarks of every column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quantile {
    /// Ascending values of the training rows at evenly spaced shares, one list per column.
    pub landmarks: Vec<Vec<f64>>,
    /// Spread normally rather than evenly.
    pub normal: bool,
}

impl Quantile {
    /// Finds the landmarks of training rows, at most one per row.
    pub fn fit(x: &Matrix, landmarks: usize, normal: bool) -> Quantile {
        let shares = evenly(landmarks.clamp(1, x.rows()));
        let columns = x.by_columns();
        let landmarks = columns
            .chunks_exact(x.rows().max(1))
            .map(|column| {
                let ascending = sorted(column);
                let mut highest = f64::NEG_INFINITY;
                shares
                    .iter()
                    .map(|&share| {
                        // Rounding may put a quantile a hair below the one before.
                        highest = quantile(&ascending, share).max(highest);
                        highest
                    })
                    .collect()
            })
            .collect();
        Quantile { landmarks, normal }
    }

    /// Ranks of rows.
    pub fn apply(&self, x: &Matrix) -> Matrix {
        let shares = evenly(self.landmarks.first().map_or(0, Vec::len));
        let bounds = [END - f64::EPSILON, 1.0 - (END - f64::EPSILON)].map(normal_quantile);
        super::by_column(x, |j, column| {
            let marks = &self.landmarks[j];
            for v in column {
                *v = self.rank(*v, marks, &shares);
                if self.normal {
                    *v = normal_quantile(*v).clamp(bounds[0], bounds[1]);
                }
            }
        })
    }

    fn rank(&self, x: f64, marks: &[f64], shares: &[f64]) -> f64 {
        let (low, high) = (marks[0], marks[marks.len() - 1]);
        let at_low = if self.normal { x - END < low } else { x <= low };
        let at_high = if self.normal {
            x + END > high
        } else {
            x >= high
        };
        // Equal values stand for a range of ranks: the middle of the range is taken.
        if at_high && !at_low {
            1.0
        } else if at_low {
            0.0
        } else {
            0.5 * (from_left(x, marks, shares) + from_right(x, marks, shares))
        }
    }
}

/// Linear interpolation that, among equal landmarks, starts from the last.
fn from_left(x: f64, marks: &[f64], shares: &[f64]) -> f64 {
    let after = marks.partition_point(|&m| m <= x);
    if after == 0 {
        return shares[0];
    }
    if after == marks.len() {
        return shares[marks.len() - 1];
    }
    between(x, marks, shares, after - 1, after)
}

/// Linear interpolation that, among equal landmarks, starts from the first.
fn from_right(x: f64, marks: &[f64], shares: &[f64]) -> f64 {
    let after = marks.partition_point(|&m| m < x);
    if after == marks.len() {
        return shares[marks.len() - 1];
    }
    if after == 0 {
        return shares[0];
    }
    between(x, marks, shares, after, after - 1)
}

fn between(x: f64, marks: &[f64], shares: &[f64], from: usize, to: usize) -> f64 {
    let slope = (shares[to] - shares[from]) / (marks[to] - marks[from]);
    slope * (x - marks[from]) + shares[from]
}
