//! The support vector machine with Gaussian kernel: one class against one, each pair solved by
//! sequential minimal optimisation with second-order choice of the pair of multipliers (Platt
//! 1998; Fan, Chen, Lin 2005).

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Prepared;
use crate::matrix::{Matrix, squared_distance};
use crate::numbers::mean_and_variance;

/// How closely the optimality conditions are met.
const TOLERANCE: f64 = 1e-3;
/// Up to this many rows the kernel is computed once for all pairs (n^2 * 8 bytes: 72 MB).
const WHOLE: usize = 3000;

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

/// Kernel values between training rows.
struct Kernel<'a> {
    x: &'a Matrix,
    gamma: f64,
    whole: Option<Vec<f64>>,
}

impl<'a> Kernel<'a> {
    fn new(rows: &'a Prepared<'_>, gamma: f64) -> Kernel<'a> {
        let (x, n) = (&rows.x, rows.x.rows());
        let mut kernel = Kernel {
            x,
            gamma,
            whole: None,
        };
        if n <= WHOLE {
            let mut whole = vec![0.0; n * n];
            for i in 0..n {
                if rows.stopped() {
                    break;
                }
                for j in 0..=i {
                    let value = kernel.value(i, j);
                    whole[i * n + j] = value;
                    whole[j * n + i] = value;
                }
            }
            kernel.whole = Some(whole);
        }
        kernel
    }

    fn value(&self, i: usize, j: usize) -> f64 {
        libm::exp(-self.gamma * squared_distance(self.x.row(i), self.x.row(j)))
    }

    /// The kernel of one row with all members of a pair.
    fn fill(&self, i: usize, members: &[usize], out: &mut Vec<f64>) {
        out.clear();
        match &self.whole {
            Some(whole) => {
                let row = &whole[i * self.x.rows()..(i + 1) * self.x.rows()];
                out.extend(members.iter().map(|&j| row[j]));
            }
            None => out.extend(members.iter().map(|&j| self.value(i, j))),
        }
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
        let kernel = Kernel::new(rows, gamma);
        let duels: Vec<(usize, usize)> = present
            .iter()
            .enumerate()
            .flat_map(|(at, &a)| present[at + 1..].iter().map(move |&b| (a, b)))
            .collect();
        let solved: Vec<(Vec<(usize, f64)>, f64)> = duels
            .par_iter()
            .map(|&(a, b)| duel(&kernel, &members[a], &members[b], c, rows))
            .collect();
        let mut used: Vec<usize> = solved
            .iter()
            .flat_map(|(parts, _)| parts.iter().map(|&(i, _)| i))
            .collect();
        used.sort_unstable();
        used.dedup();
        let place = |i: usize| used.binary_search(&i).expect("every part was collected") as u32;
        let pairs = duels
            .iter()
            .zip(&solved)
            .map(|(&(a, b), (parts, offset))| Pair {
                first: a as u32,
                second: b as u32,
                parts: parts.iter().map(|&(i, v)| (place(i), v)).collect(),
                offset: *offset,
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
        (0..x.rows())
            .into_par_iter()
            .with_min_len(16)
            .map(|i| self.one(x.row(i)))
            .collect()
    }

    fn one(&self, row: &[f64]) -> u32 {
        let near: Vec<f64> = (0..self.support.rows())
            .map(|i| libm::exp(-self.gamma * squared_distance(row, self.support.row(i))))
            .collect();
        let mut votes = vec![0u32; self.classes];
        votes[self.only as usize] = u32::from(self.pairs.is_empty());
        for pair in &self.pairs {
            let sum: f64 = pair.parts.iter().map(|&(i, v)| v * near[i as usize]).sum();
            let winner = if sum - pair.offset > 0.0 {
                pair.first
            } else {
                pair.second
            };
            votes[winner as usize] += 1;
        }
        let most = votes.iter().copied().max().unwrap_or(0);
        votes.iter().position(|&v| v == most).unwrap_or(0) as u32
    }
}

/// Solves one pair: support vectors with signed multipliers, and the offset.
fn duel(
    kernel: &Kernel<'_>,
    first: &[usize],
    second: &[usize],
    c: f64,
    rows: &Prepared<'_>,
) -> (Vec<(usize, f64)>, f64) {
    let members: Vec<usize> = first.iter().chain(second).copied().collect();
    let n = members.len();
    let side: Vec<f64> = (0..n)
        .map(|t| if t < first.len() { 1.0 } else { -1.0 })
        .collect();
    let mut alpha = vec![0.0; n];
    let mut gradient = vec![-1.0; n];
    let (mut row_i, mut row_j) = (Vec::with_capacity(n), Vec::with_capacity(n));
    let may_rise = |t: usize, a: f64| if side[t] > 0.0 { a < c } else { a > 0.0 };
    let may_fall = |t: usize, a: f64| if side[t] > 0.0 { a > 0.0 } else { a < c };
    for _ in 0..(100 * n).max(1_000_000) {
        if rows.stopped() {
            break;
        }
        let mut highest = (f64::NEG_INFINITY, usize::MAX);
        for t in 0..n {
            let push = -side[t] * gradient[t];
            if may_rise(t, alpha[t]) && push >= highest.0 {
                highest = (push, t);
            }
        }
        let (top, i) = highest;
        if i == usize::MAX {
            break;
        }
        kernel.fill(members[i], &members, &mut row_i);
        let (mut bottom, mut best, mut j) = (f64::INFINITY, f64::INFINITY, usize::MAX);
        for t in 0..n {
            if !may_fall(t, alpha[t]) {
                continue;
            }
            let push = -side[t] * gradient[t];
            bottom = bottom.min(push);
            let gap = top - push;
            if gap > 0.0 {
                // On the diagonal a Gaussian kernel is one.
                let curve = (2.0 - 2.0 * row_i[t]).max(1e-12);
                let gain = -gap * gap / curve;
                if gain <= best {
                    (best, j) = (gain, t);
                }
            }
        }
        if top - bottom < TOLERANCE || j == usize::MAX {
            break;
        }
        kernel.fill(members[j], &members, &mut row_j);
        let curve = (2.0 - 2.0 * row_i[j]).max(1e-12);
        let (old_i, old_j) = (alpha[i], alpha[j]);
        // Along the pair's own line: one rises as the other falls, both stay inside the box.
        let step = (-side[i] * gradient[i] + side[j] * gradient[j]) / curve;
        let room_i = if side[i] > 0.0 { c - old_i } else { old_i };
        let room_j = if side[j] > 0.0 { old_j } else { c - old_j };
        let step = step.min(room_i).min(room_j);
        alpha[i] = (old_i + side[i] * step).clamp(0.0, c);
        alpha[j] = (old_j - side[j] * step).clamp(0.0, c);
        let (change_i, change_j) = (alpha[i] - old_i, alpha[j] - old_j);
        for t in 0..n {
            gradient[t] +=
                side[t] * (side[i] * row_i[t] * change_i + side[j] * row_j[t] * change_j);
        }
    }
    let parts = (0..n)
        .filter(|&t| alpha[t] > 0.0)
        .map(|t| (members[t], alpha[t] * side[t]))
        .collect();
    (parts, offset(&alpha, &gradient, &side, c))
}

/// The offset: the mean over free multipliers, or the middle of what the bounds allow.
fn offset(alpha: &[f64], gradient: &[f64], side: &[f64], c: f64) -> f64 {
    let (mut sum, mut free) = (0.0, 0usize);
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for t in 0..alpha.len() {
        let value = side[t] * gradient[t];
        let (at_top, at_zero) = (alpha[t] >= c, alpha[t] <= 0.0);
        if !at_top && !at_zero {
            sum += value;
            free += 1;
        } else if at_top == (side[t] > 0.0) {
            low = low.max(value);
        } else {
            high = high.min(value);
        }
    }
    if free > 0 {
        sum / free as f64
    } else {
        0.5 * (low + high)
    }
}
