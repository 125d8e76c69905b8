//! The little linear algebra the desk needs: eigenvectors of a symmetric matrix, and solving a
//! positive definite system.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::matrix::dot;

/// Eigenvalues (descending) and unit eigenvectors (one per row) of a symmetric matrix given row by
/// row: Householder's reflections make it tridiagonal, implicitly shifted QL rotations diagonal
/// (Martin, Reinsch, Wilkinson 1968; Dubrulle 1970). Once the flag is raised it ends soon, with
/// numbers that mean nothing.
///
/// # Complexity
/// About `5 n^3`.
pub(crate) fn eigen(symmetric: &[f64], n: usize, stop: &AtomicBool) -> (Vec<f64>, Vec<Vec<f64>>) {
    let largest = symmetric.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
    // Squares of entries neither overflow nor vanish once the largest is about one. A power of
    // two changes no digit.
    let exponent = f64::from_bits(largest.to_bits() & (0x7ff << 52));
    let unit = if exponent.is_normal() { exponent } else { 1.0 };
    let scaled = symmetric.iter().map(|v| v / unit).collect();
    let (mut values, mut beside, mut vectors) = tridiagonal(scaled, n, stop);
    diagonal(&mut values, &mut beside, &mut vectors, stop);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| values[j].total_cmp(&values[i]));
    let vectors = order
        .iter()
        .map(|&i| vectors[i * n..(i + 1) * n].to_vec())
        .collect();
    (order.iter().map(|&i| values[i] * unit).collect(), vectors)
}

/// The diagonal, the elements beside it (the last is zero), and the turned axes as rows.
fn tridiagonal(mut a: Vec<f64>, n: usize, stop: &AtomicBool) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let stopped = || stop.load(Ordering::Relaxed);
    let mut beside = vec![0.0; n];
    let mut mirrors = Vec::with_capacity(n.saturating_sub(2));
    for k in 0..n.saturating_sub(2) {
        if stopped() {
            break;
        }
        // The matrix is symmetric: its row stands for its column.
        let mut mirror = a[k * n + k + 1..(k + 1) * n].to_vec();
        let length = dot(&mirror, &mirror).sqrt();
        beside[k] = if mirror[0] > 0.0 { -length } else { length };
        mirror[0] -= beside[k];
        // Half the squared length of what the mirror stands on.
        let half = length * (length + (mirror[0] + beside[k]).abs());
        if half > 0.0 {
            reflect(&mut a, n, k + 1, &mirror, half);
        }
        mirrors.push((mirror, half));
    }
    if n > 1 {
        beside[n - 2] = a[n * n - 2];
    }
    let mut axes = vec![0.0; n * n];
    for i in 0..n {
        axes[i * n + i] = 1.0;
    }
    for (k, (mirror, half)) in mirrors.iter().enumerate().rev() {
        if *half <= 0.0 || stopped() {
            continue;
        }
        // Rows further up are still axes that the mirror does not touch.
        for row in axes.chunks_exact_mut(n).skip(k + 1) {
            let row = &mut row[k + 1..];
            let share = dot(row, mirror) / half;
            row.iter_mut()
                .zip(mirror)
                .for_each(|(r, m)| *r -= share * m);
        }
    }
    ((0..n).map(|i| a[i * n + i]).collect(), beside, axes)
}

/// Reflects the rows and columns from `start` on.
fn reflect(a: &mut [f64], n: usize, start: usize, mirror: &[f64], half: f64) {
    let rows = || (start..n).map(|i| i * n + start..(i + 1) * n);
    let mut pull: Vec<f64> = rows().map(|row| dot(&a[row], mirror) / half).collect();
    let back = dot(&pull, mirror) / (2.0 * half);
    pull.iter_mut()
        .zip(mirror)
        .for_each(|(p, m)| *p -= back * m);
    for (row, (m, p)) in rows().zip(mirror.iter().zip(&pull)) {
        let both = pull.iter().zip(mirror);
        for (v, (pull, mirror)) in a[row].iter_mut().zip(both) {
            *v -= m * pull + p * mirror;
        }
    }
}

/// Turns a tridiagonal matrix until nothing is left beside the diagonal, and the axes with it.
fn diagonal(values: &mut [f64], beside: &mut [f64], axes: &mut [f64], stop: &AtomicBool) {
    let n = values.len();
    for low in 0..n {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        // Two or three rounds are usual; the bound ends it where a value is not a number.
        for _ in 0..60 {
            let small = |m: &usize| {
                let around = values[*m].abs() + values[m + 1].abs();
                beside[*m].abs() <= f64::EPSILON * around
            };
            let high = (low..n - 1).find(small).unwrap_or(n - 1);
            if high == low {
                break;
            }
            round(low, high, values, beside, axes);
        }
    }
}

#[expect(clippy::many_single_char_names, reason = "the letters of the formula")]
/// One round of QL rotations between two places, shifted by an eigenvalue of the upper corner.
fn round(low: usize, high: usize, values: &mut [f64], beside: &mut [f64], axes: &mut [f64]) {
    let n = values.len();
    let slope = (values[low + 1] - values[low]) / (2.0 * beside[low]);
    let root = (slope * slope + 1.0).sqrt().copysign(slope);
    let mut g = values[high] - values[low] + beside[low] / (slope + root);
    let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
    for i in (low..high).rev() {
        let (f, b) = (s * beside[i], c * beside[i]);
        let r = (f * f + g * g).sqrt();
        beside[i + 1] = r;
        if r <= 0.0 {
            // The matrix has fallen in two; the next round takes the parts.
            values[i + 1] -= p;
            beside[high] = 0.0;
            return;
        }
        (s, c) = (f / r, g / r);
        let d = values[i + 1] - p;
        let t = (values[i] - d) * s + 2.0 * c * b;
        p = s * t;
        values[i + 1] = d + p;
        g = c * t - b;
        let (head, tail) = axes.split_at_mut((i + 1) * n);
        for (x, y) in head[i * n..].iter_mut().zip(&mut tail[..n]) {
            (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
        }
    }
    values[low] -= p;
    beside[low] = g;
    beside[high] = 0.0;
}

/// The lower triangle of a symmetric positive definite matrix's root.
pub(crate) struct Cholesky {
    root: Vec<f64>,
    n: usize,
}

impl Cholesky {
    /// Factors a matrix; where it is not positive definite the pivot is taken as one, so that
    /// solving still goes downhill.
    pub(crate) fn new(mut a: Vec<f64>, n: usize) -> Cholesky {
        factor(&mut a, n, |_| Some(1.0));
        Cholesky { root: a, n }
    }

    /// How many unknowns.
    pub(crate) fn size(&self) -> usize {
        self.n
    }

    /// Solves for one right side, which is overwritten by the answer.
    pub(crate) fn solve(&self, b: &mut [f64]) {
        substitute(&self.root, self.n, b);
    }
}

/// Cholesky's factor, in place; `instead` stands in for a pivot that is not positive.
fn factor(a: &mut [f64], n: usize, instead: impl Fn(f64) -> Option<f64>) -> bool {
    for j in 0..n {
        for i in j..n {
            let mut sum = a[i * n + j];
            for k in 0..j {
                sum -= a[i * n + k] * a[j * n + k];
            }
            if i == j {
                if sum <= 0.0 || sum.is_nan() {
                    let Some(other) = instead(sum) else {
                        return false;
                    };
                    sum = other;
                }
                a[j * n + j] = sum.sqrt();
            } else {
                a[i * n + j] = sum / a[j * n + j];
            }
        }
    }
    true
}

fn substitute(root: &[f64], n: usize, b: &mut [f64]) {
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| root[i * n + k] * b[k]).sum();
        b[i] = (b[i] - sum) / root[i * n + i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| root[k * n + i] * b[k]).sum();
        b[i] = (b[i] - sum) / root[i * n + i];
    }
}

/// Solves `a x = b` for a symmetric positive definite `a` (Cholesky); both are overwritten, the
/// answer stands in `b`. Gives `false` where `a` is not positive definite.
pub(crate) fn solve(a: &mut [f64], b: &mut [f64]) -> bool {
    let whole = factor(a, b.len(), |_| None);
    if whole {
        substitute(a, b.len(), b);
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::NEVER;

    /// Every vector keeps its equation and is square to the others, whatever the matrix: dense,
    /// with equal eigenvalues, of low rank, in blocks, of tiny and of huge numbers.
    #[test]
    fn eigenvectors_keep_their_equation() {
        for n in [0, 1, 2, 3, 8, 20, 45] {
            let (x, _) = crate::bench::sample(n.max(1), n.max(1), 2, 3);
            let low = n / 3;
            let of = |f: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
                (0..n * n).map(|at| f(at / n, at % n)).collect()
            };
            let product = |i: usize, j: usize, k: usize| -> f64 {
                (0..k).map(|t| x.at(i, t) * x.at(j, t)).sum()
            };
            let same = |i: usize, j: usize| f64::from(u8::from(i == j));
            for a in [
                of(&|i, j| product(i, j, n)),
                of(&|i, j| product(i, j, low)),
                of(&|i, j| 1e-170 * (x.at(i, j) + x.at(j, i))),
                of(&|i, j| 1e170 * (x.at(i, j) + x.at(j, i))),
                of(&|i, j| {
                    if (i < low) == (j < low) {
                        product(i, j, 2.min(n))
                    } else {
                        0.0
                    }
                }),
                of(&same),
                of(&|_, _| 1.0),
                of(&|_, _| 0.0),
            ] {
                let (values, vectors) = eigen(&a, n, &NEVER);
                assert!(values.windows(2).all(|w| w[0] >= w[1]));
                let scale = a.iter().fold(0.0, |most: f64, v| most.max(v.abs())) * n as f64;
                for (k, (value, vector)) in values.iter().zip(&vectors).enumerate() {
                    for i in 0..n {
                        let left = dot(&a[i * n..(i + 1) * n], vector);
                        let apart = (left - value * vector[i]).abs();
                        assert!(apart <= 1e-13 * scale, "{n}: {apart} of {scale}");
                    }
                    for (l, other) in vectors.iter().enumerate() {
                        assert!((dot(vector, other) - same(k, l)).abs() < 1e-12, "{n}");
                    }
                }
                let trace: f64 = (0..n).map(|i| a[i * n + i]).sum();
                assert!((values.iter().sum::<f64>() - trace).abs() <= 1e-12 * scale);
            }
        }
        // What is no number ends, too.
        assert_eq!(eigen(&[f64::NAN; 9], 3, &NEVER).0.len(), 3);
    }

    #[test]
    fn eigenvectors_are_left_unturned_after_a_stop() {
        let n = 40;
        let (x, _) = crate::bench::sample(n, n, 3, 1);
        let at = |i: usize, j: usize| x.at(i, j) + x.at(j, i);
        let a: Vec<f64> = (0..n * n).map(|k| at(k / n, k % n)).collect();
        let mut own: Vec<f64> = (0..n).map(|i| a[i * n + i]).collect();
        own.sort_by(|a, b| b.total_cmp(a));
        assert_eq!(eigen(&a, n, &AtomicBool::new(true)).0, own);
        assert_ne!(eigen(&a, n, &NEVER).0, own);
    }

    #[test]
    fn solves_and_refuses() {
        let mut b = [1.0, 2.0];
        assert!(solve(&mut [4.0, 2.0, 2.0, 3.0], &mut b));
        assert!((4.0 * b[0] + 2.0 * b[1] - 1.0).abs() < 1e-12);
        assert!((2.0 * b[0] + 3.0 * b[1] - 2.0).abs() < 1e-12);
        assert!(!solve(&mut [1.0, 2.0, 2.0, 1.0], &mut [1.0, 1.0]));
    }
}
