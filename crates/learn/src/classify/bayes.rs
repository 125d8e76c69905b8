//! Gaussian naive Bayes.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::Prepared;
use crate::matrix::Matrix;
use crate::numbers::mean_and_variance;

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
        let p = rows.x.columns();
        let widest = (0..p)
            .map(|j| mean_and_variance(&rows.x.column(j)).1)
            .fold(0.0, f64::max);
        let floor = (smoothing * widest).max(f64::MIN_POSITIVE);
        let n = rows.y.len() as f64;
        let mut bayes = Bayes {
            priors: Vec::new(),
            means: Vec::new(),
            variances: Vec::new(),
        };
        for class in 0..rows.classes as u32 {
            let members: Vec<usize> = (0..rows.y.len()).filter(|&i| rows.y[i] == class).collect();
            let part = rows.x.pick(&members);
            let (means, variances) = (0..p)
                .map(|j| {
                    let (mean, variance) = mean_and_variance(&part.column(j));
                    (mean, variance + floor)
                })
                .unzip();
            bayes.priors.push(members.len() as f64 / n);
            bayes.means.push(means);
            bayes.variances.push(variances);
        }
        bayes
    }

    /// The probability of each class for every row.
    pub fn probabilities(&self, x: &Matrix) -> Vec<Vec<f64>> {
        (0..x.rows())
            .map(|i| {
                let logs: Vec<f64> = (0..self.priors.len())
                    .map(|c| self.log_joint(c, x.row(i)))
                    .collect();
                softmax(&logs)
            })
            .collect()
    }

    fn log_joint(&self, class: usize, row: &[f64]) -> f64 {
        if self.priors[class] <= 0.0 {
            return f64::NEG_INFINITY;
        }
        let mut sum = libm::log(self.priors[class]);
        for ((&v, &m), &s) in row
            .iter()
            .zip(&self.means[class])
            .zip(&self.variances[class])
        {
            sum -= 0.5 * (libm::log(2.0 * PI * s) + (v - m) * (v - m) / s);
        }
        sum
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
