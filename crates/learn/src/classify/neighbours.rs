//! The k nearest neighbours.

use std::sync::OnceLock;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Prepared;
use super::nearest::{Nearest, Search};
use crate::matrix::Matrix;

/// The training rows, kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Neighbours {
    k: usize,
    by_distance: bool,
    classes: usize,
    x: Matrix,
    y: Vec<u32>,
    /// Made from the rows when the first question comes.
    #[serde(skip)]
    search: OnceLock<Search>,
}

impl PartialEq for Neighbours {
    fn eq(&self, other: &Neighbours) -> bool {
        let settings = |n: &Neighbours| (n.k, n.by_distance, n.classes);
        settings(self) == settings(other) && self.x == other.x && self.y == other.y
    }
}

impl Neighbours {
    pub(super) fn fit(rows: &Prepared<'_>, k: usize, by_distance: bool) -> Neighbours {
        Neighbours {
            k: k.min(rows.y.len()),
            by_distance,
            classes: rows.classes,
            x: rows.x.as_ref().clone(),
            y: rows.y.clone(),
            search: OnceLock::new(),
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
        let search = self.search.get_or_init(|| Search::new(&self.x));
        let rows: Vec<usize> = (0..x.rows()).collect();
        rows.par_chunks(TOGETHER)
            .flat_map_iter(|rows| {
                let rows: Vec<&[f64]> = rows.iter().map(|&i| x.row(i)).collect();
                let found = search.nearest(&self.x, &rows, self.k);
                found.into_iter().map(|near| self.votes(near))
            })
            .collect()
    }

    /// The nearest training rows, with squared distances, nearest first.
    pub fn nearest(&self, row: &[f64]) -> Vec<(usize, f64)> {
        let search = self.search.get_or_init(|| Search::new(&self.x));
        search.nearest(&self.x, &[row], self.k).remove(0).sorted()
    }

    fn votes(&self, near: Nearest) -> Vec<f64> {
        let near = near.sorted();
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

/// Questions that are answered in one pass over the training rows.
const TOGETHER: usize = 64;
