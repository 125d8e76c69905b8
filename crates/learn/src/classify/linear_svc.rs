//! The linear support vector machine: one class against the rest, squared hinge loss, the
//! intercept penalised like any weight (Fan et al. 2008, LIBLINEAR).
//!
//! The primal is smooth enough for Newton's method and the number of columns is small, so each
//! step solves its system exactly and the result is the optimum, not a stage on the way.

use serde::{Deserialize, Serialize};

use super::Prepared;
use crate::linear::solve;
use crate::matrix::{Matrix, dot};
use crate::numbers::place_of_max;

/// One plane per class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinearSvc {
    /// Weights, class by class; the last is the intercept. Empty where a class has no rows.
    pub planes: Vec<Vec<f64>>,
}

impl LinearSvc {
    pub(super) fn fit(rows: &Prepared<'_>, c: f64) -> LinearSvc {
        let p = rows.x.columns() + 1;
        let mut cells = Vec::with_capacity(rows.x.rows() * p);
        for i in 0..rows.x.rows() {
            cells.extend_from_slice(rows.x.row(i));
            cells.push(1.0);
        }
        let x = Matrix::new(rows.x.rows(), p, cells);
        let counts = rows.counts();
        let planes = (0..rows.classes)
            .map(|class| {
                if counts[class] == 0 {
                    return Vec::new();
                }
                let sides: Vec<f64> = rows
                    .y
                    .iter()
                    .map(|&y| if y as usize == class { 1.0 } else { -1.0 })
                    .collect();
                plane(&x, &sides, c, rows)
            })
            .collect();
        LinearSvc { planes }
    }

    /// How far on its own side of each class's plane a row lies.
    pub fn margins(&self, row: &[f64]) -> Vec<f64> {
        self.planes
            .iter()
            .map(|w| match w.split_last() {
                Some((intercept, w)) => dot(w, row) + intercept,
                None => f64::NEG_INFINITY,
            })
            .collect()
    }

    pub(super) fn predict(&self, x: &Matrix) -> Vec<u32> {
        (0..x.rows())
            .map(|i| place_of_max(&self.margins(x.row(i))) as u32)
            .collect()
    }
}

fn loss(x: &Matrix, sides: &[f64], c: f64, w: &[f64]) -> f64 {
    let mut sum = 0.5 * dot(w, w);
    for (i, side) in sides.iter().enumerate() {
        let short = 1.0 - side * dot(w, x.row(i));
        if short > 0.0 {
            sum += c * short * short;
        }
    }
    sum
}

fn plane(x: &Matrix, sides: &[f64], c: f64, rows: &Prepared<'_>) -> Vec<f64> {
    let p = x.columns();
    let mut w = vec![0.0; p];
    let mut now = loss(x, sides, c, &w);
    for _ in 0..200 {
        let mut gradient = w.clone();
        let mut curvature = vec![0.0; p * p];
        for a in 0..p {
            curvature[a * p + a] = 1.0;
        }
        for (i, side) in sides.iter().enumerate() {
            if rows.stopped() {
                return w;
            }
            let row = x.row(i);
            let short = 1.0 - side * dot(&w, row);
            if short <= 0.0 {
                continue;
            }
            for a in 0..p {
                gradient[a] -= 2.0 * c * side * short * row[a];
                let scaled = 2.0 * c * row[a];
                for b in 0..=a {
                    curvature[a * p + b] += scaled * row[b];
                }
            }
        }
        let slope: f64 = dot(&gradient, &gradient);
        if slope.sqrt() < 1e-10 * (1.0 + now) {
            break;
        }
        let mut step = gradient.clone();
        if !solve(&mut curvature, &mut step) {
            step.clone_from(&gradient);
        }
        let descent = dot(&gradient, &step);
        let mut length = 1.0;
        let mut moved = false;
        for _ in 0..60 {
            let next: Vec<f64> = w.iter().zip(&step).map(|(a, s)| a - length * s).collect();
            let then = loss(x, sides, c, &next);
            if then <= now - 1e-4 * length * descent {
                (w, moved) = (next, then < now);
                now = then;
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
