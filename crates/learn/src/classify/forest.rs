//! Random forest (Breiman 2001) and extra-trees (Geurts, Ernst, Wehenkel 2006).

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Prepared;
use super::grow::Growth;
use super::tree::Tree;
use crate::chance::{For, dice};
use crate::matrix::Matrix;

/// Many trees that vote with their leaves' class shares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forest {
    /// The trees.
    pub trees: Vec<Tree>,
}

impl Forest {
    pub(super) fn fit(
        rows: &Prepared<'_>,
        trees: usize,
        bootstrap: bool,
        growth: &Growth,
        seed: u64,
    ) -> Forest {
        // Made before the threads ask for it all at once.
        if growth.random_thresholds {
            rows.columns();
        } else {
            rows.sorted();
        }
        let n = rows.y.len();
        let trees = (0..trees as u64)
            .into_par_iter()
            .map(|t| {
                // Every tree has its own dice: which thread grows it changes nothing.
                let mut dice = dice(seed, For::Fit, t);
                let weights = bootstrap.then(|| {
                    let mut weights = vec![0u32; n];
                    (0..n).for_each(|_| weights[dice.below(n)] += 1);
                    weights
                });
                Tree::grow(rows, weights.as_deref(), growth, &mut dice)
            })
            .collect();
        Forest { trees }
    }

    /// The mean of the trees' class shares.
    pub fn probabilities(&self, x: &Matrix) -> Vec<Vec<f64>> {
        let classes = self.trees[0].classes();
        let share = 1.0 / self.trees.len() as f64;
        let one = |i: usize| {
            let mut sum = vec![0.0; classes];
            for tree in &self.trees {
                let counts = tree.counts(tree.leaf(x.row(i)));
                let all = f64::from(counts.iter().sum::<u32>());
                for (s, &c) in sum.iter_mut().zip(counts) {
                    *s += f64::from(c) / all;
                }
            }
            for s in &mut sum {
                *s *= share;
            }
            sum
        };
        (0..x.rows())
            .into_par_iter()
            .with_min_len(64)
            .map(one)
            .collect()
    }
}
