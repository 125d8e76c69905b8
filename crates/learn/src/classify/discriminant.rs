//! Linear and quadratic discriminant analysis: a normal distribution for every class, with one
//! covariance for all of them (Fisher 1936) or one each.

use serde::{Deserialize, Serialize};
use wits_game::Message;

use super::Prepared;
use super::bayes::softmax;
use crate::dense::{Gram, Groups, Projection, means};
use crate::linear::eigen;
use crate::matrix::{Matrix, dot};
use crate::words::WORDS;

/// Directions along which the classes together vary less than this share of a column's spread
/// are left out, as scikit-learn does.
const FLAT: f64 = 1e-4;

/// Linear discriminants: one plane a class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Linear {
    /// Weights, class by class; the last is the intercept. Empty where a class has no rows.
    pub planes: Vec<Vec<f64>>,
}

impl Linear {
    pub(super) fn fit(rows: &Prepared<'_>) -> Result<Linear, Message> {
        let (x, p) = (&rows.x, rows.x.columns());
        let groups = Groups::of(x, &rows.y, rows.classes);
        let present = groups.counts.iter().filter(|&&c| c > 0).count();
        if rows.y.len() <= present {
            return Err(WORDS.say("fit-few-rows").with("rows", rows.y.len()));
        }
        let n = rows.y.len() as f64;
        // Columns are brought to one spread first, so that what counts as flat has no unit.
        let spread: Vec<f64> = (0..p)
            .map(|j| {
                let parts = groups.counts.iter().zip(&groups.variances);
                let inside: f64 = parts.map(|(&c, v)| c as f64 * v[j]).sum();
                let sd = (inside / n).sqrt();
                if sd > 0.0 { sd } else { 1.0 }
            })
            .collect();
        let mut gram = Gram::new(p, rows.stop);
        for (i, &c) in rows.y.iter().enumerate() {
            let centre = &groups.means[c as usize];
            let row = x.row(i).iter().zip(centre).zip(&spread);
            gram.add(row.map(|((v, m), s)| (v - m) / s));
        }
        let mut within = gram.finish();
        // Divided by the rows, as scikit-learn does since 1.9.
        for v in &mut within {
            *v /= n;
        }
        let (values, vectors) = eigen(&within, p, rows.stop);
        // Axes along which every class has variance one.
        let axes: Vec<Vec<f64>> = values
            .iter()
            .zip(&vectors)
            .filter(|(value, _)| value.max(0.0).sqrt() > FLAT)
            .map(|(value, axis)| {
                let parts = axis.iter().zip(&spread);
                parts.map(|(a, s)| a / s / value.sqrt()).collect()
            })
            .collect();
        // From the mean of all rows, so that the scores are scikit-learn's and not only their
        // differences.
        let middle = means(x);
        let planes = groups
            .counts
            .iter()
            .zip(&groups.means)
            .map(|(&count, mean)| {
                if count == 0 {
                    return Vec::new();
                }
                let away: Vec<f64> = mean.iter().zip(&middle).map(|(m, c)| m - c).collect();
                let along: Vec<f64> = axes.iter().map(|axis| dot(axis, &away)).collect();
                let mut plane = vec![0.0; p];
                for (axis, a) in axes.iter().zip(&along) {
                    for (w, v) in plane.iter_mut().zip(axis) {
                        *w += a * v;
                    }
                }
                let prior = libm::log(count as f64 / n);
                plane.push(prior - 0.5 * dot(&along, &along) - dot(&plane, &middle));
                plane
            })
            .collect();
        Ok(Linear { planes })
    }

    /// The logarithm of prior times density, up to what all classes share.
    pub fn scores(&self, x: &Matrix) -> Vec<Vec<f64>> {
        plane_scores(&self.planes, x)
    }

    /// The probability of each class for every row.
    pub fn probabilities(&self, x: &Matrix) -> Vec<Vec<f64>> {
        self.scores(x).iter().map(|s| softmax(s)).collect()
    }
}

/// How far on its own side of every plane each row lies; the last weight of a plane is its
/// intercept, and an empty plane is never chosen.
pub(super) fn plane_scores(planes: &[Vec<f64>], x: &Matrix) -> Vec<Vec<f64>> {
    let p = x.columns();
    let weights: Vec<Vec<f64>> = planes
        .iter()
        .map(|w| {
            w.iter()
                .copied()
                .chain(std::iter::repeat(0.0))
                .take(p)
                .collect()
        })
        .collect();
    let sums = Projection::new(&weights).apply(x, &vec![0.0; p]);
    (0..x.rows())
        .map(|i| {
            let row = sums.row(i).iter().zip(planes);
            row.map(|(s, w)| w.last().map_or(f64::NEG_INFINITY, |b| s + b))
                .collect()
        })
        .collect()
}

/// A normal distribution of its own for every class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quadratic {
    /// The classes' distributions; `null` where a class has no rows.
    pub classes: Vec<Option<Normal>>,
}

/// A normal distribution in several columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Normal {
    /// Its mean.
    pub mean: Vec<f64>,
    /// Its axes, each divided by the standard deviation along it.
    pub axes: Vec<Vec<f64>>,
    /// The logarithm of prior times density at the mean, up to what all classes share.
    pub top: f64,
}

impl Quadratic {
    /// Fits one distribution a class; `shrink` draws the variances along its axes towards one.
    pub(super) fn fit(rows: &Prepared<'_>, shrink: f64) -> Result<Quadratic, Message> {
        let p = rows.x.columns();
        let groups = Groups::of(&rows.x, &rows.y, rows.classes);
        let n = rows.y.len() as f64;
        let mut grams: Vec<Gram<'_>> = (0..rows.classes).map(|_| Gram::new(p, rows.stop)).collect();
        for (i, &c) in rows.y.iter().enumerate() {
            let row = rows.x.row(i).iter().zip(&groups.means[c as usize]);
            grams[c as usize].add(row.map(|(v, m)| v - m));
        }
        let mut classes = Vec::with_capacity(rows.classes);
        for (c, gram) in grams.into_iter().enumerate() {
            let count = groups.counts[c];
            if count == 0 {
                classes.push(None);
                continue;
            }
            let mut covariance = gram.finish();
            // Divided by the rows, as scikit-learn does since 1.9.
            for v in &mut covariance {
                *v /= count as f64;
            }
            let (values, vectors) = eigen(&covariance, p, rows.stop);
            let largest = values.first().copied().unwrap_or(0.0);
            let widths: Vec<f64> = values
                .iter()
                .map(|v| (1.0 - shrink) * v.max(0.0) + shrink)
                .collect();
            if widths
                .iter()
                .any(|&w| w <= 1e-12 * largest.max(f64::MIN_POSITIVE))
            {
                return Err(WORDS.say("fit-singular").with("rows", count));
            }
            let logs: f64 = widths.iter().map(|&w| libm::log(w)).sum();
            let axes = vectors.iter().zip(&widths);
            classes.push(Some(Normal {
                mean: groups.means[c].clone(),
                axes: axes
                    .map(|(axis, w)| axis.iter().map(|a| a / w.sqrt()).collect())
                    .collect(),
                top: libm::log(count as f64 / n) - 0.5 * logs,
            }));
        }
        Ok(Quadratic { classes })
    }

    /// The logarithm of prior times density, up to what all classes share.
    pub fn scores(&self, x: &Matrix) -> Vec<Vec<f64>> {
        let mut all = vec![vec![f64::NEG_INFINITY; self.classes.len()]; x.rows()];
        for (c, normal) in self.classes.iter().enumerate() {
            let Some(normal) = normal else { continue };
            let along = Projection::new(&normal.axes).apply(x, &normal.mean);
            for (i, scores) in all.iter_mut().enumerate() {
                scores[c] = normal.top - 0.5 * dot(along.row(i), along.row(i));
            }
        }
        all
    }

    /// The probability of each class for every row.
    pub fn probabilities(&self, x: &Matrix) -> Vec<Vec<f64>> {
        self.scores(x).iter().map(|s| softmax(s)).collect()
    }
}
