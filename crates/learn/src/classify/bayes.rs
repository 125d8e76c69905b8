//! Gaussian naive Bayes.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::Prepared;
use crate::dense::{Groups, means, variances};
use crate::matrix::Matrix;

/// A normal distribution per class and column, taken as independent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bayes {
    /// The share of each class.
    pub priors: Vec<f64>,
    /// Means, class by class.
    pub means: Vec<Vec<f64>>,
    /// Variances with smoothing added, class by class.
    pub variances: Vec<Vec<f64>>,
}

impl Bayes {
    pub(super) fn fit(rows: &Prepared<'_>, smoothing: f64) -> Bayes {
        let widest = variances(&rows.x, &means(&rows.x))
            .into_iter()
            .fold(0.0, f64::max);
        let floor = (smoothing * widest).max(f64::MIN_POSITIVE);
        let n = rows.y.len() as f64;
        let mut groups = Groups::of(&rows.x, &rows.y, rows.classes);
        for variance in groups.variances.iter_mut().flatten() {
            *variance += floor;
        }
        Bayes {
            priors: groups.counts.iter().map(|&c| c as f64 / n).collect(),
            means: groups.means,
            variances: groups.variances,
        }
    }

    /// The probability of each class for every row.
    pub fn probabilities(&self, x: &Matrix) -> Vec<Vec<f64>> {
        // What does not depend on the row: the prior and the densities at their means.
        let tops: Vec<f64> = (0..self.priors.len())
            .map(|c| {
                let logs = self.variances[c].iter().map(|s| libm::log(2.0 * PI * s));
                libm::log(self.priors[c]) - 0.5 * logs.sum::<f64>()
            })
            .collect();
        (0..x.rows())
            .map(|i| {
                let joint = |(c, &top): (usize, &f64)| {
                    if self.priors[c] <= 0.0 {
                        return f64::NEG_INFINITY;
                    }
                    let parts = x.row(i).iter().zip(&self.means[c]).zip(&self.variances[c]);
                    top - 0.5 * parts.map(|((v, m), s)| (v - m) * (v - m) / s).sum::<f64>()
                };
                softmax(&tops.iter().enumerate().map(joint).collect::<Vec<_>>())
            })
            .collect()
    }
}

/// Logarithms to probabilities; even where all are minus infinity.
pub(super) fn softmax(logs: &[f64]) -> Vec<f64> {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY || most.is_nan() {
        return vec![1.0 / logs.len() as f64; logs.len()];
    }
    let mut shares: Vec<f64> = logs.iter().map(|l| libm::exp(l - most)).collect();
    let sum: f64 = shares.iter().sum();
    for s in &mut shares {
        *s /= sum;
    }
    shares
}
