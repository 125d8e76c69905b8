//! The support vector machine with Gaussian kernel: one class against one, and a vote of all pairs.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Prepared;
use super::duel::{self, Solved};
use super::gaussian::Packed;
use crate::matrix::Matrix;
use crate::numbers::mean_and_variance;

/// Support vectors and one machine per pair of classes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KernelSvc {
    gamma: f64,
    classes: usize,
    /// What is answered when only one class was seen.
    only: u32,
    support: Matrix,
    support_class: Vec<u32>,
    pairs: Vec<Pair>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Pair {
    first: u32,
    second: u32,
    /// Support vectors of this pair with their signed multipliers.
    parts: Vec<(u32, f64)>,
    offset: f64,
}

/// The kernel's narrowness: one over the columns, and over the variance of all cells if scaled.
pub(super) fn gamma(x: &Matrix, scaled: bool) -> f64 {
    let columns = x.columns() as f64;
    let (_, variance) = mean_and_variance(x.cells());
    if scaled && variance > 0.0 {
        1.0 / (columns * variance)
    } else {
        1.0 / columns
    }
}

impl KernelSvc {
    pub(super) fn fit(rows: &Prepared<'_>, c: f64, gamma: f64) -> KernelSvc {
        let members: Vec<Vec<usize>> = (0..rows.classes as u32)
            .map(|class| (0..rows.y.len()).filter(|&i| rows.y[i] == class).collect())
            .collect();
        let present: Vec<usize> = (0..rows.classes)
            .filter(|&c| !members[c].is_empty())
            .collect();
        let duels: Vec<(usize, usize)> = present
            .iter()
            .enumerate()
            .flat_map(|(at, &a)| present[at + 1..].iter().map(move |&b| (a, b)))
            .collect();
        let solved: Vec<Solved> = duels
            .par_iter()
            .map(|&(a, b)| duel::solve(rows, &members[a], &members[b], c, gamma))
            .collect();
        let mut used: Vec<usize> = solved
            .iter()
            .flat_map(|solved| solved.parts.iter().map(|&(i, _)| i))
            .collect();
        used.sort_unstable();
        used.dedup();
        let place = |i: usize| used.binary_search(&i).expect("every part was collected") as u32;
        let pairs = duels
            .iter()
            .zip(&solved)
            .map(|(&(a, b), solved)| Pair {
                first: a as u32,
                second: b as u32,
                parts: solved.parts.iter().map(|&(i, v)| (place(i), v)).collect(),
                offset: solved.offset,
            })
            .collect();
        KernelSvc {
            gamma,
            classes: rows.classes,
            only: present[0] as u32,
            support: rows.x.pick(&used),
            support_class: used.iter().map(|&i| rows.y[i]).collect(),
            pairs,
        }
    }

    /// Checks what came from a file.
    pub(crate) fn check(&self, width: usize, classes: usize) -> Result<(), String> {
        let n = self.support.rows();
        let inside = |c: u32| (c as usize) < classes;
        let whole = self.classes == classes
            && self.support.is_whole()
            && (self.support.columns() == width || n == 0)
            && self.support_class.len() == n
            && inside(self.only)
            && self.support_class.iter().all(|&c| inside(c))
            && self.pairs.iter().all(|p| {
                inside(p.first)
                    && inside(p.second)
                    && p.parts.iter().all(|&(i, _)| (i as usize) < n)
            });
        if whole {
            Ok(())
        } else {
            Err("its support vectors are damaged".to_owned())
        }
    }

    /// Support vectors of each class.
    pub fn support_counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.classes];
        self.support_class
            .iter()
            .for_each(|&c| counts[c as usize] += 1);
        counts
    }

    pub(super) fn predict(&self, x: &Matrix) -> Vec<u32> {
        self.with_sums(x, |sums| {
            let votes = self.votes(sums);
            let most = votes.iter().copied().max().unwrap_or(0);
            votes.iter().position(|&v| v == most).unwrap_or(0) as u32
        })
    }

    /// Votes of every class, and less than a third of one for how clear they were, as
    /// scikit-learn makes one score a class of one score a pair.
    pub(super) fn decisions(&self, x: &Matrix) -> Vec<Vec<f64>> {
        self.with_sums(x, |sums| {
            if self.classes == 2 {
                return vec![0.0, sums.first().map_or(0.0, |s| -s)];
            }
            let mut clear = vec![0.0; self.classes];
            for (pair, sum) in self.pairs.iter().zip(sums) {
                clear[pair.first as usize] += sum;
                clear[pair.second as usize] -= sum;
            }
            let votes = self.votes(sums);
            let both = votes.iter().zip(&clear);
            both.map(|(&v, c)| f64::from(v) + c / (3.0 * (c.abs() + 1.0)))
                .collect()
        })
    }

    /// What comes of the pairs' sums, row by row: above zero the first class wins.
    fn with_sums<T: Send>(&self, x: &Matrix, f: impl Fn(&[f64]) -> T + Sync) -> Vec<T> {
        let all: Vec<usize> = (0..self.support.rows()).collect();
        let support = Packed::new(&self.support, &all);
        (0..x.rows())
            .into_par_iter()
            .with_min_len(16)
            .map_init(Vec::new, |near, i| {
                support.gaussian(x.row(i), self.gamma, near);
                let sum = |pair: &Pair| -> f64 {
                    let parts = pair.parts.iter();
                    let sum: f64 = parts.map(|&(i, v)| v * f64::from(near[i as usize])).sum();
                    sum - pair.offset
                };
                f(&self.pairs.iter().map(sum).collect::<Vec<_>>())
            })
            .collect()
    }

    fn votes(&self, sums: &[f64]) -> Vec<u32> {
        let mut votes = vec![0u32; self.classes];
        votes[self.only as usize] = u32::from(self.pairs.is_empty());
        for (pair, &sum) in self.pairs.iter().zip(sums) {
            let winner = if sum > 0.0 { pair.first } else { pair.second };
            votes[winner as usize] += 1;
        }
        votes
    }
}
