//! The k nearest neighbours.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Prepared;
use crate::matrix::{Matrix, squared_distance};

/// The training rows, kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Neighbours {
    k: usize,
    by_distance: bool,
    classes: usize,
    x: Matrix,
    y: Vec<u32>,
}

impl Neighbours {
    pub(super) fn fit(rows: &Prepared<'_>, k: usize, by_distance: bool) -> Neighbours {
        Neighbours {
            k: k.min(rows.y.len()),
            by_distance,
            classes: rows.classes,
            x: rows.x.clone(),
            y: rows.y.clone(),
        }
    }

    /// Checks what came from a file.
    pub(crate) fn check(&self, width: usize, classes: usize) -> Result<(), String> {
        let whole = self.classes == classes
            && self.x.is_whole()
            && self.x.columns() == width
            && self.x.rows() == self.y.len()
            && (1..=self.y.len()).contains(&self.k)
            && self.y.iter().all(|&c| (c as usize) < classes);
        if whole {
            Ok(())
        } else {
            Err("its neighbours are damaged".to_owned())
        }
    }

    /// The share of votes of each class for every row.
    pub fn probabilities(&self, x: &Matrix) -> Vec<Vec<f64>> {
        (0..x.rows())
            .into_par_iter()
            .with_min_len(16)
            .map(|i| self.votes(x.row(i)))
            .collect()
    }

    /// The nearest training rows, with squared distances.
    pub fn nearest(&self, row: &[f64]) -> Vec<(usize, f64)> {
        let mut near = Nearest::new(self.k);
        for i in 0..self.x.rows() {
            near.offer(squared_distance(row, self.x.row(i)), i);
        }
        near.kept
    }

    fn votes(&self, row: &[f64]) -> Vec<f64> {
        let near = self.nearest(row);
        let mut votes = vec![0.0; self.classes];
        let touching = near.iter().any(|&(_, d)| d <= 0.0);
        for &(i, d) in &near {
            votes[self.y[i] as usize] += match (self.by_distance, touching) {
                (false, _) => 1.0,
                (true, true) => f64::from(u8::from(d <= 0.0)),
                (true, false) => 1.0 / d.sqrt(),
            };
        }
        let all: f64 = votes.iter().sum();
        for v in &mut votes {
            *v /= all;
        }
        votes
    }
}

/// The smallest few of a stream, as a heap with the largest kept on top. Of equal distances the
/// first offered stay.
struct Nearest {
    size: usize,
    kept: Vec<(usize, f64)>,
}

impl Nearest {
    fn new(size: usize) -> Nearest {
        Nearest {
            size,
            kept: vec![(usize::MAX, f64::INFINITY); size],
        }
    }

    fn offer(&mut self, distance: f64, row: usize) {
        if distance >= self.kept[0].1 {
            return;
        }
        let mut hole = 0;
        loop {
            let (left, right) = (2 * hole + 1, 2 * hole + 2);
            if left >= self.size {
                break;
            }
            let larger = if right < self.size && self.kept[right].1 > self.kept[left].1 {
                right
            } else {
                left
            };
            if self.kept[larger].1 <= distance {
                break;
            }
            self.kept[hole] = self.kept[larger];
            hole = larger;
        }
        self.kept[hole] = (row, distance);
    }
}
