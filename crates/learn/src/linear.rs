//! The little linear algebra the desk needs: eigenvectors of a symmetric matrix, and solving a
//! positive definite system.

/// Eigenvalues (descending) and unit eigenvectors (one per row) of a symmetric matrix given row by
/// row, by Jacobi's rotations.
///
/// # Complexity
/// About ten sweeps of `n^3` each: meant for up to a few hundred columns.
pub(crate) fn eigen(symmetric: &[f64], n: usize) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut a = symmetric.to_vec();
    let mut v = vec![0.0; n * n];
    for i in 0..n {
        v[i * n + i] = 1.0;
    }
    for _ in 0..100 {
        let off: f64 = (0..n)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| a[i * n + j].powi(2))
            .sum();
        let on: f64 = (0..n).map(|i| a[i * n + i].powi(2)).sum();
        if off <= 1e-34 * on || off <= 0.0 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut v, n, p, q);
            }
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| a[j * n + j].total_cmp(&a[i * n + i]));
    let values = order.iter().map(|&i| a[i * n + i]).collect();
    let vectors = order
        .iter()
        .map(|&i| v[i * n..(i + 1) * n].to_vec())
        .collect();
    (values, vectors)
}

#[expect(clippy::many_single_char_names, reason = "the letters of the formula")]
/// One rotation that makes the element at (p, q) zero; the vectors are the rows of `v`.
fn rotate(a: &mut [f64], v: &mut [f64], n: usize, p: usize, q: usize) {
    let apq = a[p * n + q];
    if apq.abs() < f64::MIN_POSITIVE {
        return;
    }
    let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * apq);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for k in 0..n {
        let (x, y) = (a[k * n + p], a[k * n + q]);
        a[k * n + p] = c * x - s * y;
        a[k * n + q] = s * x + c * y;
    }
    turn(a, n, p, q, c, s);
    turn(v, n, p, q, c, s);
}

#[expect(clippy::many_single_char_names, reason = "the letters of the formula")]
/// Turns two rows against each other.
fn turn(m: &mut [f64], n: usize, p: usize, q: usize, c: f64, s: f64) {
    let (head, tail) = m.split_at_mut(q * n);
    for (x, y) in head[p * n..(p + 1) * n].iter_mut().zip(&mut tail[..n]) {
        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    }
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

    #[test]
    fn eigenvectors_keep_their_equation() {
        let a = [4.0, 1.0, 0.5, 1.0, 3.0, -1.0, 0.5, -1.0, 2.0];
        let (values, vectors) = eigen(&a, 3);
        assert!(values.windows(2).all(|w| w[0] >= w[1]));
        for (value, vector) in values.iter().zip(&vectors) {
            for i in 0..3 {
                let left: f64 = (0..3).map(|k| a[i * 3 + k] * vector[k]).sum();
                assert!((left - value * vector[i]).abs() < 1e-12);
            }
        }
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
