//! Logistic regression with a squared penalty: binomial for two classes, multinomial for more.
//!
//! Minimised by the limited-memory method of Broyden, Fletcher, Goldfarb and Shanno (Nocedal
//! 1980). Its first guess of the curvature is Böhning's bound (1992), half of the rows' Gram
//! matrix, so that columns of any scale need the same number of steps. Of many rows a sample is
//! solved first, roughly: from there, and with the curvature found there, all rows are passed over
//! six or eight times instead of fifty. The end is the same, the loss of all rows has one minimum.

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
/// The same on a sample, whose own optimum is about so far from that of all rows.
const ROUGH: f64 = 1e-3;
/// Rows of a sample, and how many times as many there must be in all. A sample of many weights
/// has more rows, so that its curvature is not chance.
const SAMPLED: usize = 2000;
const ROWS_A_WEIGHT: usize = 24;
const TIMES_AS_MANY: usize = 4;
/// With more weights than this the curvature found on a sample is too large to be solved for.
const MOST_WEIGHTS: usize = 400;
/// Rows whose scores are computed, compared and taken back before the next ones.
const BLOCK: usize = 128;
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
            let found = minimum(rows, &scored, c);
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

/// The weights of least loss, plane by plane.
fn minimum(rows: &Prepared<'_>, scored: &[usize], c: f64) -> Vec<f64> {
    let size = scored.len() * (rows.x.columns() + 1);
    let step = rows.y.len() / SAMPLED.max(ROWS_A_WEIGHT * size);
    let whole = Problem::new(rows, scored, c, 1);
    let nothing = vec![0.0; size];
    if step < TIMES_AS_MANY || size > MOST_WEIGHTS {
        return whole.solve(nothing, &whole.bound(), TOLERANCE);
    }
    let part = Problem::new(rows, scored, c, step);
    let near = part.solve(nothing, &part.bound(), ROUGH);
    let curvature = part.curvature(&near);
    whole.solve(near, &curvature, TOLERANCE)
}

/// The mean loss and what it is computed from.
struct Problem<'a> {
    rows: &'a Prepared<'a>,
    /// Columns and the one at the end.
    width: usize,
    /// The rows with a one at the end, each filled up with zeros to whole vectors.
    lines: Vec<f64>,
    /// For every row the column of its class among the scores, or none.
    own: Vec<usize>,
    scores: usize,
    /// The weight of the penalty beside the mean loss.
    penalty: f64,
}

impl<'a> Problem<'a> {
    /// Over every row, or of each class every so many, its first among them.
    fn new(rows: &'a Prepared<'a>, scored: &[usize], c: f64, step: usize) -> Problem<'a> {
        let width = rows.x.columns() + 1;
        let mut seen = vec![0_usize; rows.classes];
        let mut lines = Vec::with_capacity(rows.y.len() / step * width.next_multiple_of(LANES));
        let mut own = Vec::with_capacity(rows.y.len() / step);
        for (i, &y) in rows.y.iter().enumerate() {
            let before = &mut seen[y as usize];
            *before += 1;
            if !(*before - 1).is_multiple_of(step) {
                continue;
            }
            lines.extend(rows.x.row(i).iter().copied().chain([1.0]));
            lines.resize(lines.len().next_multiple_of(LANES), 0.0);
            let place = scored.iter().position(|&k| k == y as usize);
            own.push(place.unwrap_or(usize::MAX));
        }
        Problem {
            rows,
            width,
            lines,
            own,
            scores: scored.len(),
            penalty: 1.0 / (c * rows.y.len() as f64),
        }
    }

    /// Numbers of a line.
    fn line(&self) -> usize {
        self.width.next_multiple_of(LANES)
    }

    /// The rows times the square roots of these weights, and the mean of their outer products.
    fn gram(&self, roots: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut gram = Gram::new(self.width, self.rows.stop);
        for (i, line) in self.lines.chunks_exact(self.line()).enumerate() {
            let root = roots(i);
            gram.add(line[..self.width].iter().map(|v| v * root));
        }
        let mut sums = gram.finish();
        for v in &mut sums {
            *v /= self.own.len() as f64;
        }
        sums
    }

    /// Böhning's bound of the curvature, the same for every plane.
    fn bound(&self) -> Cholesky {
        let width = self.width;
        let bound = if self.scores == 1 { 0.25 } else { 0.5 };
        let mut curvature = self.gram(|_| 1.0);
        for v in &mut curvature {
            *v *= bound;
        }
        let largest = (0..width)
            .map(|j| curvature[j * width + j])
            .fold(0.0, f64::max);
        for j in 0..width {
            let pulled = if j + 1 < width { self.penalty } else { 0.0 };
            curvature[j * width + j] += pulled + 1e-12 * largest;
        }
        Cholesky::new(curvature, width)
    }

    /// The curvature at these weights, all planes together.
    fn curvature(&self, w: &[f64]) -> Cholesky {
        let (width, k) = (self.width, self.scores);
        let size = width * k;
        let mut shares = Vec::with_capacity(self.own.len() * k);
        let mut sums = vec![0.0; self.line() * k];
        self.pass(w, &mut sums, |part| shares.extend_from_slice(part));
        let mut all = vec![0.0; size * size];
        for a in 0..k {
            for b in 0..=a {
                // Between a plane and itself p (1 - p), between two of them - p q.
                let roots = |i: usize| {
                    let (p, q) = (shares[i * k + a], shares[i * k + b]);
                    (if a == b { p * (1.0 - p) } else { p * q }).max(0.0).sqrt()
                };
                let sign = if a == b { 1.0 } else { -1.0 };
                let gram = self.gram(roots);
                for (i, line) in gram.chunks_exact(width).enumerate() {
                    for (j, v) in line.iter().enumerate() {
                        all[(a * width + i) * size + b * width + j] = sign * v;
                        all[(b * width + j) * size + a * width + i] = sign * v;
                    }
                }
            }
        }
        for (j, at) in (0..size).map(|j| j * size + j).enumerate() {
            if (j + 1) % width > 0 {
                all[at] += self.penalty;
            }
            // All intercepts together may rise: that direction has no curvature of its own.
            all[at] *= 1.0 + 1e-9;
        }
        Cholesky::new(all, size)
    }

    /// The summed loss of all rows without its penalty; adds every row times its residuals to sums,
    /// lines of whole vectors. The shares of every block of rows are shown on the way.
    fn pass(&self, w: &[f64], sums: &mut [f64], mut seen: impl FnMut(&[f64])) -> f64 {
        let (line, k) = (self.line(), self.scores);
        let filled = |plane: &[f64]| {
            let zeros = std::iter::repeat(0.0);
            plane.iter().copied().chain(zeros).take(line).collect()
        };
        let planes: Vec<Vec<f64>> = w.chunks_exact(self.width).map(filled).collect();
        let projection = Projection::new(&planes);
        let centre = vec![0.0; line];
        let mut loss = 0.0;
        let mut logs = 0.0;
        // The logarithm of a product is the sum of logarithms. A sum is between 1 and the number
        // of scores, or 2 for one, so a few of them neither overflow nor vanish.
        let (mut product, mut factors) = (1.0, 0);
        let together = 900 / usize::BITS.saturating_sub(k.leading_zeros()).max(1);
        let mut buffer = vec![0.0; BLOCK * k];
        // With one score the other class has score zero.
        let mut others = vec![0.0; BLOCK];
        let blocks = self.lines.chunks(BLOCK * line).zip(self.own.chunks(BLOCK));
        for (lines, own) in blocks {
            let shares = &mut buffer[..own.len() * k];
            projection.project(lines, &centre, shares);
            // Scores less the row's greatest (for one score: it or zero), so that nothing overflows.
            for ((row, &own), other) in shares.chunks_exact_mut(k).zip(own).zip(&mut others) {
                let zero = if k == 1 { 0.0 } else { f64::NEG_INFINITY };
                let top = row.iter().copied().fold(zero, f64::max);
                loss -= row.get(own).copied().unwrap_or(0.0) - top;
                for s in row.iter_mut() {
                    *s -= top;
                }
                *other = -top;
            }
            exp_all(shares);
            if k == 1 {
                exp_all(&mut others[..own.len()]);
            } else {
                others.fill(0.0);
            }
            for (row, other) in shares.chunks_exact_mut(k).zip(&others) {
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
            }
            seen(shares);
            for (row, &own) in shares.chunks_exact_mut(k).zip(own) {
                if let Some(share) = row.get_mut(own) {
                    *share -= 1.0;
                }
            }
            pull(lines, shares, k, sums);
        }
        loss + logs + libm::log(product)
    }

    /// The mean loss with its penalty, and the gradient.
    fn loss(&self, w: &[f64], gradient: &mut [f64]) -> f64 {
        let (line, width) = (self.line(), self.width);
        let mut sums = vec![0.0; line * self.scores];
        let loss = self.pass(w, &mut sums, |_| {});
        for (g, sums) in gradient
            .chunks_exact_mut(width)
            .zip(sums.chunks_exact(line))
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
        loss / n + 0.5 * self.penalty * squares
    }

    /// Goes down from these weights until no entry of the gradient is greater than the tolerance.
    fn solve(&self, mut w: Vec<f64>, curvature: &Cholesky, tolerance: f64) -> Vec<f64> {
        let size = w.len();
        let mut gradient = vec![0.0; size];
        let mut now = self.loss(&w, &mut gradient);
        let mut memory = Memory::new();
        for _ in 0..1000 {
            let worst = gradient.iter().fold(0.0, |a: f64, g| a.max(g.abs()));
            if worst <= tolerance || self.rows.stopped() {
                break;
            }
            let step = direction(&gradient, &memory, curvature);
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
}

/// Steps and what they changed of the gradient, with the product of both.
type Memory = Vec<(Vec<f64>, Vec<f64>, f64)>;

/// The gradient through what is known of the inverse curvature (the two loops of L-BFGS).
fn direction(gradient: &[f64], memory: &Memory, curvature: &Cholesky) -> Vec<f64> {
    let mut q = gradient.to_vec();
    let mut factors = Vec::with_capacity(memory.len());
    for (moves, turns, bend) in memory.iter().rev() {
        let factor = dot(moves, &q) / bend;
        q.iter_mut().zip(turns).for_each(|(q, t)| *q -= factor * t);
        factors.push(factor);
    }
    for part in q.chunks_exact_mut(curvature.size()) {
        curvature.solve(part);
    }
    for ((moves, turns, bend), factor) in memory.iter().zip(factors.iter().rev()) {
        let back = factor - dot(turns, &q) / bend;
        q.iter_mut().zip(moves).for_each(|(q, m)| *q += back * m);
    }
    q
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::sample;

    /// The greatest entry of the gradient of the mean loss, counted row by row with the library's
    /// exponential: the loss is convex, so nothing else needs to be known of a minimum.
    fn slope(x: &Matrix, y: &[u32], model: &Logistic, c: f64) -> f64 {
        let n = y.len() as f64;
        let two = model.classes == 2;
        let mut sums = vec![vec![0.0; x.columns() + 1]; model.planes.len()];
        for (i, &truth) in y.iter().enumerate() {
            let score = |w: &Vec<f64>| dot(x.row(i), &w[..x.columns()]) + w[x.columns()];
            let scores: Vec<f64> = model.planes.iter().map(score).collect();
            let others = if two { 1.0 } else { 0.0 };
            let all: f64 = scores.iter().map(|s| libm::exp(*s)).sum::<f64>() + others;
            for (k, (sums, s)) in sums.iter_mut().zip(&scores).enumerate() {
                let own = truth as usize == if two { 1 } else { k };
                let residual = libm::exp(*s) / all - f64::from(u8::from(own));
                for (sum, v) in sums.iter_mut().zip(x.row(i).iter().chain([&1.0])) {
                    *sum += residual * v / n;
                }
            }
        }
        for (sums, w) in sums.iter_mut().zip(&model.planes) {
            for (sum, w) in sums.iter_mut().zip(&w[..x.columns()]) {
                *sum += w / (c * n);
            }
        }
        sums.iter().flatten().fold(0.0, |a: f64, g| a.max(g.abs()))
    }

    /// What begins with a sample ends at the minimum of all rows: with two classes and with more,
    /// classes in a row or taking turns, one of them rare, columns of other scales or twice the same.
    #[test]
    fn a_sample_leads_to_the_minimum_of_all_rows() {
        let n = 9_000;
        for (classes, c) in [(2, 1.0), (3, 1.0), (3, 1e-3)] {
            let (x, y) = sample(n, 5, classes, 11);
            let sorted = {
                let mut order: Vec<usize> = (0..n).collect();
                order.sort_by_key(|&i| y[i]);
                let y = order.iter().map(|&i| y[i]).collect::<Vec<u32>>();
                (x.pick(&order), y)
            };
            let rare = {
                let kept: Vec<usize> = (0..n).filter(|&i| y[i] < 1 || i % 100 == 0).collect();
                let many: Vec<usize> = kept.iter().cycle().take(n).copied().collect();
                let y = many.iter().map(|&i| y[i]).collect::<Vec<u32>>();
                (x.pick(&many), y)
            };
            let other = {
                let rows = x.cells().chunks_exact(5);
                let cells = rows.flat_map(|r| [r[0] * 1e-3, r[1] * 50.0, r[1], r[2] + 20.0, 7.0]);
                (Matrix::new(n, 5, cells.collect()), y.clone())
            };
            for (name, (x, y)) in [
                ("plain", (x.clone(), y.clone())),
                ("sorted", sorted),
                ("rare", rare),
                ("other scales", other),
            ] {
                let rows = Prepared::new(x.clone(), y.clone(), classes);
                let found = Logistic::fit(&rows, c);
                let slope = slope(&x, &y, &found, c);
                assert!(slope <= 1.1 * TOLERANCE, "{name}, {classes}, {c}: {slope}");
            }
        }
    }

    /// Where a plane parts the classes, weights grow until the penalty holds them.
    #[test]
    fn a_sample_that_can_be_parted_has_an_end() {
        let n = 12_000;
        let cells = (0..n).flat_map(|i| [f64::from(i % 2) * 4.0 - 2.0, f64::from(i % 7)]);
        let x = Matrix::new(n as usize, 2, cells.collect());
        let y: Vec<u32> = (0..n).map(|i| (i % 2) as u32).collect();
        let rows = Prepared::new(x.clone(), y.clone(), 2);
        let found = Logistic::fit(&rows, 1.0);
        assert!(slope(&x, &y, &found, 1.0) <= 1.1 * TOLERANCE);
    }
}
