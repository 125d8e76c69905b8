//! Logistic regression with a squared penalty: binomial for two classes, multinomial for more.
//!
//! Minimised by the limited-memory method of Broyden, Fletcher, Goldfarb and Shanno (Nocedal
//! 1980). Its first guess of the curvature is Böhning's bound (1992), half of the rows' Gram
//! matrix, so that columns of any scale need the same number of steps.

use serde::{Deserialize, Serialize};

use super::Prepared;
use super::bayes::softmax;
use super::discriminant::plane_scores;
use crate::dense::{Gram, Projection};
use crate::expo::{LANES, exp};
use crate::linear::Cholesky;
use crate::matrix::{Matrix, dot};

/// The greatest entry of the gradient of the mean loss at the end.
const TOLERANCE: f64 = 1e-6;
/// Steps remembered.
const MEMORY: usize = 10;

/// One plane a class; for two classes one plane in all, whose side is the second class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Logistic {
    /// Weights; the last is the intercept. Empty where a class has no rows.
    pub planes: Vec<Vec<f64>>,
    /// How many classes there are.
    pub classes: usize,
    /// The one class that there was, where there was only one.
    pub only: Option<u32>,
}

impl Logistic {
    pub(super) fn fit(rows: &Prepared<'_>, c: f64) -> Logistic {
        let counts = rows.counts();
        let present: Vec<usize> = (0..rows.classes).filter(|&k| counts[k] > 0).collect();
        let mut planes = vec![Vec::new(); if rows.classes == 2 { 1 } else { rows.classes }];
        let only = (present.len() == 1).then_some(present[0] as u32);
        if only.is_none() {
            // What the columns of scores stand for.
            let scored = if rows.classes == 2 { vec![1] } else { present };
            let problem = Problem::new(rows, &scored, c);
            let found = problem.solve();
            let width = rows.x.columns() + 1;
            for (plane, &k) in found.chunks_exact(width).zip(&scored) {
                planes[if rows.classes == 2 { 0 } else { k }] = plane.to_vec();
            }
        }
        Logistic {
            planes,
            classes: rows.classes,
            only,
        }
    }

    /// The planes' scores of every row.
    pub fn scores(&self, x: &Matrix) -> Vec<Vec<f64>> {
        plane_scores(&self.planes, x)
    }

    /// The probability of each class for every row.
    pub fn probabilities(&self, x: &Matrix) -> Vec<Vec<f64>> {
        if let Some(only) = self.only {
            let mut shares = vec![0.0; self.classes];
            shares[only as usize] = 1.0;
            return vec![shares; x.rows()];
        }
        let shares = |scores: &Vec<f64>| match scores[..] {
            [one] if self.classes == 2 => softmax(&[0.0, one]),
            _ => softmax(scores),
        };
        self.scores(x).iter().map(shares).collect()
    }
}

/// The mean loss and what it is computed from.
struct Problem<'a> {
    rows: &'a Prepared<'a>,
    /// The rows with a one at the end.
    x: Matrix,
    /// The same, every row filled up with zeros to whole vectors.
    lines: Vec<f64>,
    /// For every row the column of its class among the scores, or none.
    own: Vec<usize>,
    scores: usize,
    /// The weight of the penalty beside the mean loss.
    penalty: f64,
    curvature: Cholesky,
}

impl<'a> Problem<'a> {
    fn new(rows: &'a Prepared<'a>, scored: &[usize], c: f64) -> Problem<'a> {
        let width = rows.x.columns() + 1;
        let n = rows.y.len();
        let mut cells = Vec::with_capacity(n * width);
        let mut lines = Vec::with_capacity(n * width.next_multiple_of(LANES));
        let mut gram = Gram::new(width);
        for i in 0..n {
            let row = rows.x.row(i).iter().copied().chain([1.0]);
            cells.extend(row.clone());
            lines.extend(row.clone());
            lines.resize(lines.len().next_multiple_of(LANES), 0.0);
            gram.add(row);
        }
        let penalty = 1.0 / (c * n as f64);
        let bound = if scored.len() == 1 { 0.25 } else { 0.5 };
        let mut curvature = gram.finish();
        for v in &mut curvature {
            *v *= bound / n as f64;
        }
        let largest = (0..width)
            .map(|j| curvature[j * width + j])
            .fold(0.0, f64::max);
        for j in 0..width {
            let pulled = if j + 1 < width { penalty } else { 0.0 };
            curvature[j * width + j] += pulled + 1e-12 * largest;
        }
        let place = |y: u32| scored.iter().position(|&k| k == y as usize);
        Problem {
            rows,
            x: Matrix::new(n, width, cells),
            lines,
            own: rows
                .y
                .iter()
                .map(|&y| place(y).unwrap_or(usize::MAX))
                .collect(),
            scores: scored.len(),
            penalty,
            curvature: Cholesky::new(curvature, width),
        }
    }

    /// The mean loss with its penalty, and the gradient.
    fn loss(&self, w: &[f64], gradient: &mut [f64]) -> f64 {
        let (width, k) = (self.x.columns(), self.scores);
        let planes: Vec<Vec<f64>> = w.chunks_exact(width).map(<[f64]>::to_vec).collect();
        let scores = Projection::new(&planes).apply(&self.x, &vec![0.0; width]);
        let mut shares = scores.into_cells();
        let mut loss = 0.0;
        // Scores less the row's greatest (for one score: it or zero), so that nothing overflows.
        let mut tops = Vec::with_capacity(self.own.len());
        for (row, &own) in shares.chunks_exact_mut(k).zip(&self.own) {
            let zero = if k == 1 { 0.0 } else { f64::NEG_INFINITY };
            let top = row.iter().copied().fold(zero, f64::max);
            loss -= row.get(own).copied().unwrap_or(0.0) - top;
            for s in row.iter_mut() {
                *s -= top;
            }
            tops.push(top);
        }
        exp_all(&mut shares);
        let mut logs = 0.0;
        // The logarithm of a product is the sum of logarithms. A sum is between 1 and the number
        // of scores, or 2 for one, so a few of them neither overflow nor vanish.
        let (mut product, mut factors) = (1.0, 0);
        let together = 900 / usize::BITS.saturating_sub(k.leading_zeros()).max(1);
        for ((row, &own), &top) in shares.chunks_exact_mut(k).zip(&self.own).zip(&tops) {
            // With one score the other class has score zero.
            let other = if k == 1 { libm::exp(-top) } else { 0.0 };
            let sum = row.iter().sum::<f64>() + other;
            product *= sum;
            factors += 1;
            if factors == together {
                logs += libm::log(product);
                (product, factors) = (1.0, 0);
            }
            let share = 1.0 / sum;
            for s in row.iter_mut() {
                *s *= share;
            }
            if let Some(share) = row.get_mut(own) {
                *share -= 1.0;
            }
        }
        logs += libm::log(product);
        let lines = width.next_multiple_of(LANES);
        let mut sums = vec![0.0; lines * k];
        pull(&self.lines, &shares, k, &mut sums);
        for (g, sums) in gradient
            .chunks_exact_mut(width)
            .zip(sums.chunks_exact(lines))
        {
            g.copy_from_slice(&sums[..width]);
        }
        let n = self.own.len() as f64;
        let mut squares = 0.0;
        for (g, w) in gradient.chunks_exact_mut(width).zip(w.chunks_exact(width)) {
            for g in g.iter_mut() {
                *g /= n;
            }
            for (g, w) in g.iter_mut().zip(w).take(width - 1) {
                *g += self.penalty * w;
                squares += w * w;
            }
        }
        (loss + logs) / n + 0.5 * self.penalty * squares
    }

    fn solve(&self) -> Vec<f64> {
        let size = self.x.columns() * self.scores;
        let mut w = vec![0.0; size];
        let mut gradient = vec![0.0; size];
        let mut now = self.loss(&w, &mut gradient);
        let mut memory: Vec<(Vec<f64>, Vec<f64>, f64)> = Vec::new();
        for _ in 0..1000 {
            let worst = gradient.iter().fold(0.0, |a: f64, g| a.max(g.abs()));
            if worst <= TOLERANCE || self.rows.stopped() {
                break;
            }
            let step = self.direction(&gradient, &memory);
            let slope = dot(&gradient, &step);
            let (mut length, mut moved) = (1.0, false);
            let mut there = vec![0.0; size];
            for _ in 0..40 {
                let next: Vec<f64> = w.iter().zip(&step).map(|(a, s)| a - length * s).collect();
                let then = self.loss(&next, &mut there);
                if then <= now - 1e-4 * length * slope {
                    let moves: Vec<f64> = step.iter().map(|s| -length * s).collect();
                    let turns: Vec<f64> = there.iter().zip(&gradient).map(|(a, b)| a - b).collect();
                    let bend = dot(&moves, &turns);
                    moved = then < now;
                    if bend > 1e-300 {
                        memory.push((moves, turns, bend));
                        memory.drain(..memory.len().saturating_sub(MEMORY));
                    }
                    (w, now) = (next, then);
                    gradient.copy_from_slice(&there);
                    break;
                }
                length *= 0.5;
            }
            if !moved {
                break;
            }
        }
        w
    }

    /// The gradient through what is known of the inverse curvature (the two loops of L-BFGS).
    fn direction(&self, gradient: &[f64], memory: &[(Vec<f64>, Vec<f64>, f64)]) -> Vec<f64> {
        let mut q = gradient.to_vec();
        let mut factors = Vec::with_capacity(memory.len());
        for (moves, turns, bend) in memory.iter().rev() {
            let factor = dot(moves, &q) / bend;
            q.iter_mut().zip(turns).for_each(|(q, t)| *q -= factor * t);
            factors.push(factor);
        }
        for part in q.chunks_exact_mut(self.x.columns()) {
            self.curvature.solve(part);
        }
        for ((moves, turns, bend), factor) in memory.iter().zip(factors.iter().rev()) {
            let back = factor - dot(turns, &q) / bend;
            q.iter_mut().zip(moves).for_each(|(q, m)| *q += back * m);
        }
        q
    }
}

#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"), dispatcher = "direct")]
fn exp_all(values: &mut [f64]) {
    for part in values.chunks_mut(LANES) {
        let mut block = [0.0; LANES];
        block[..part.len()].copy_from_slice(part);
        part.copy_from_slice(&exp(&block)[..part.len()]);
    }
}

/// Adds every row times its residuals, score by score; lines are whole vectors.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"), dispatcher = "direct")]
fn pull(cells: &[f64], residuals: &[f64], scores: usize, out: &mut [f64]) {
    let width = out.len() / scores;
    for (row, residuals) in cells
        .chunks_exact(width)
        .zip(residuals.chunks_exact(scores))
    {
        for (sums, r) in out.chunks_exact_mut(width).zip(residuals) {
            let blocks = sums.chunks_exact_mut(LANES).zip(row.chunks_exact(LANES));
            for (sums, row) in blocks {
                for (sum, v) in sums.iter_mut().zip(row) {
                    *sum += r * v;
                }
            }
        }
    }
}
