//! Scalers: subtract a centre, divide by a width.

use serde::{Deserialize, Serialize};

use crate::dense::{means, variances};
use crate::matrix::Matrix;
use crate::numbers::quantiles;

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
        let means = means(x);
        let n = x.rows() as f64;
        let variances = variances(x, &means);
        let widths = means.iter().zip(&variances).map(|(mean, &variance)| {
            // A column whose variance is only rounding noise of its mean counts as constant.
            let noise = n * f64::EPSILON * variance + (n * mean * f64::EPSILON).powi(2);
            if variance <= noise {
                0.0
            } else {
                variance.sqrt()
            }
        });
        Scale::by(means.iter().copied().zip(widths))
    }

    /// Median and the width of the middle half.
    pub fn robust(x: &Matrix) -> Scale {
        let mut columns = x.by_columns();
        Scale::by(columns.chunks_exact_mut(x.rows().max(1)).map(|column| {
            let [low, middle, high] = quantiles(column, [0.25, 0.5, 0.75]);
            (middle, high - low)
        }))
    }

    /// Smallest value and range.
    pub fn minmax(x: &Matrix) -> Scale {
        let mut least = vec![f64::INFINITY; x.columns()];
        let mut most = vec![f64::NEG_INFINITY; x.columns()];
        for row in x.cells().chunks_exact(x.columns().max(1)) {
            for ((low, high), &v) in least.iter_mut().zip(&mut most).zip(row) {
                (*low, *high) = (low.min(v), high.max(v));
            }
        }
        Scale::by(
            least
                .iter()
                .zip(&most)
                .map(|(low, high)| (*low, high - low)),
        )
    }

    fn by(columns: impl Iterator<Item = (f64, f64)>) -> Scale {
        let (centre, width) = columns
            .map(|(centre, width)| {
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
