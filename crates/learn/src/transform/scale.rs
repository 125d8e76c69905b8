//! Scalers: subtract a centre, divide by a width.

use serde::{Deserialize, Serialize};

use crate::matrix::Matrix;
use crate::numbers::{mean_and_variance, quantile, sorted};

/// A centre and a width for every column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    /// What is subtracted.
    pub centre: Vec<f64>,
    /// What is divided by; one where a column does not vary.
    pub width: Vec<f64>,
}

impl Scale {
    /// Mean and population standard deviation.
    pub fn standard(x: &Matrix) -> Scale {
        Scale::by(x, |column| {
            let (mean, variance) = mean_and_variance(column);
            // A column whose variance is only rounding noise of its mean counts as constant.
            let n = column.len() as f64;
            let noise = n * f64::EPSILON * variance + (n * mean * f64::EPSILON).powi(2);
            (
                mean,
                if variance <= noise {
                    0.0
                } else {
                    variance.sqrt()
                },
            )
        })
    }

    /// Median and the width of the middle half.
    pub fn robust(x: &Matrix) -> Scale {
        Scale::by(x, |column| {
            let ascending = sorted(column);
            let middle_half = quantile(&ascending, 0.75) - quantile(&ascending, 0.25);
            (quantile(&ascending, 0.5), middle_half)
        })
    }

    /// Smallest value and range.
    pub fn minmax(x: &Matrix) -> Scale {
        Scale::by(x, |column| {
            let low = column.iter().copied().fold(f64::INFINITY, f64::min);
            let high = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            (low, high - low)
        })
    }

    fn by(x: &Matrix, f: impl Fn(&[f64]) -> (f64, f64)) -> Scale {
        let (centre, width) = (0..x.columns())
            .map(|j| {
                let (centre, width) = f(&x.column(j));
                (
                    centre,
                    if width > 10.0 * f64::EPSILON {
                        width
                    } else {
                        1.0
                    },
                )
            })
            .unzip();
        Scale { centre, width }
    }

    /// Scales rows.
    pub fn apply(&self, x: &Matrix) -> Matrix {
        let mut out = x.clone();
        for i in 0..out.rows() {
            for ((v, c), w) in out.row_mut(i).iter_mut().zip(&self.centre).zip(&self.width) {
                *v = (*v - c) / w;
            }
        }
        out
    }
}

/// Makes every row one long; a row of zeros stays.
pub(super) fn normalize(x: &Matrix) -> Matrix {
    let mut out = x.clone();
    for i in 0..out.rows() {
        let row = out.row_mut(i);
        let length = row.iter().map(|v| v * v).sum::<f64>().sqrt();
        if length > 0.0 {
            for v in row {
                *v /= length;
            }
        }
    }
    out
}
