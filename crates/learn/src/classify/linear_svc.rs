//! The linear support vector machine: one class against the rest, squared hinge loss, the
//! intercept penalised like any weight (Fan et al. 2008, LIBLINEAR).
//!
//! The primal is smooth enough for Newton's method and the number of columns is small, so each
//! step solves its system exactly and the result is the optimum, not a stage on the way.

use serde::{Deserialize, Serialize};

use super::Prepared;
use crate::dense::{Gram, Projection};
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

/// The loss along a line: how much each row falls short of its margin, and how fast that changes.
fn loss(w: &[f64], margins: &[f64], c: f64) -> f64 {
    let short: f64 = margins
        .iter()
        .map(|m| (1.0 - m).max(0.0))
        .map(|s| s * s)
        .sum();
    0.5 * dot(w, w) + c * short
}

/// Newton's method: margins are kept, so a step along a direction costs one pass over the rows
/// however often its length is halved.
fn plane(x: &Matrix, sides: &[f64], c: f64, rows: &Prepared<'_>) -> Vec<f64> {
    let p = x.columns();
    let mut w = vec![0.0; p];
    let mut margins = vec![0.0; sides.len()];
    let mut now = loss(&w, &margins, c);
    let nothing = vec![0.0; p];
    for _ in 0..200 {
        let mut gradient = w.clone();
        let mut gram = Gram::new(p, rows.stop);
        let all = x.cells().chunks_exact(p).zip(sides).zip(&margins);
        for (i, ((row, side), margin)) in all.enumerate() {
            if i % 4096 == 0 && rows.stopped() {
                return w;
            }
            if *margin < 1.0 {
                let pull = 2.0 * c * side * (1.0 - margin);
                gradient
                    .iter_mut()
                    .zip(row)
                    .for_each(|(g, v)| *g -= pull * v);
                gram.add(row.iter().copied());
            }
        }
        if dot(&gradient, &gradient).sqrt() < 1e-10 * (1.0 + now) {
            break;
        }
        let mut curvature = gram.finish();
        for v in &mut curvature {
            *v *= 2.0 * c;
        }
        for a in 0..p {
            curvature[a * p + a] += 1.0;
        }
        let mut step = gradient.clone();
        if !solve(&mut curvature, &mut step) {
            step.clone_from(&gradient);
        }
        let descent = dot(&gradient, &step);
        let along = Projection::new(std::slice::from_ref(&step)).apply(x, &nothing);
        let (mut length, mut moved) = (1.0, false);
        for _ in 0..60 {
            let next: Vec<f64> = w.iter().zip(&step).map(|(a, s)| a - length * s).collect();
            let changed = margins.iter().zip(sides).zip(along.cells());
            let then_margins: Vec<f64> = changed.map(|((m, s), d)| m - length * s * d).collect();
            let then = loss(&next, &then_margins, c);
            if then <= now - 1e-4 * length * descent {
                (w, margins, moved) = (next, then_margins, then < now);
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
