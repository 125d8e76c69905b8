//! Principal components: the axes of greatest variance.

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use wits_game::Message;

use crate::dense::{Projection, centre_and_gram};
use crate::linear::eigen;
use crate::matrix::Matrix;
use crate::words::WORDS;

/// New axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pca {
    /// The training mean.
    pub centre: Vec<f64>,
    /// Unit vectors, one per new axis; the largest entry of each is positive.
    pub axes: Vec<Vec<f64>>,
    /// The variance (dividing by n - 1) along each axis.
    pub variance: Vec<f64>,
    /// The share of all variance along each axis.
    pub share: Vec<f64>,
}

impl Pca {
    /// Finds the axes of training rows: a number of them, or as few as hold a share of the
    /// variance (1 keeps all).
    pub fn fit(
        x: &Matrix,
        components: Option<usize>,
        share: f64,
        stop: &AtomicBool,
    ) -> Result<Pca, Message> {
        let (n, p) = (x.rows(), x.columns());
        let most = n.min(p);
        if let Some(wanted) = components
            && wanted > most
        {
            return Err(WORDS
                .say("fit-components")
                .with("wanted", wanted)
                .with("rows", n)
                .with("columns", p)
                .with("most", most));
        }
        let (centre, mut covariance) = centre_and_gram(x, stop);
        let freedom = (n.max(2) - 1) as f64;
        for c in &mut covariance {
            *c /= freedom;
        }
        let (values, mut axes) = eigen(&covariance, p, stop);
        let values: Vec<f64> = values.into_iter().map(|v| v.max(0.0)).collect();
        let total: f64 = values.iter().sum();
        let ratio: Vec<f64> = values
            .iter()
            .map(|v| if total > 0.0 { v / total } else { 0.0 })
            .collect();
        let kept = match components {
            Some(wanted) => wanted,
            None if share < 1.0 => {
                let mut sum = 0.0;
                let below = ratio.iter().take_while(|&&r| {
                    sum += r;
                    sum <= share
                });
                (below.count() + 1).min(most)
            }
            None => most,
        };
        axes.truncate(kept);
        for axis in &mut axes {
            let largest = axis
                .iter()
                .copied()
                .fold(0.0, |a: f64, b| if b.abs() > a.abs() { b } else { a });
            if largest < 0.0 {
                for v in axis {
                    *v = -*v;
                }
            }
        }
        Ok(Pca {
            centre,
            axes,
            variance: values[..kept].to_vec(),
            share: ratio[..kept].to_vec(),
        })
    }

    /// How many axes are kept.
    pub fn width(&self) -> usize {
        self.axes.len()
    }

    /// Rows along the new axes.
    pub fn apply(&self, x: &Matrix) -> Matrix {
        Projection::new(&self.axes).apply(x, &self.centre)
    }
}
