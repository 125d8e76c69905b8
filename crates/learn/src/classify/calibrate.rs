//! Probabilities that mean what they say: a classifier's scores, mapped to shares of right answers
//! on rows that it did not see (Platt 1999; Zadrozny and Elkan 2002).
//!
//! The training rows are dealt into five stratified folds. For each, the classifier learns from
//! the other four and one curve per class learns from its scores on this one; what is asked
//! later is the mean of the five. Scikit-learn's `CalibratedClassifierCV` does the same.

use serde::{Deserialize, Serialize};

use super::{Classifier, Prepared};
use crate::error::LearnError;
use crate::matrix::Matrix;
use crate::spec::Spec;
use crate::split::Validation;

const FOLDS: usize = 5;

/// Classifiers of several folds with their curves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibrated {
    /// How many classes there are.
    pub classes: usize,
    /// A classifier and its curves: one per class, or one in all where there are two classes.
    /// `null` where a class was not among the rows the classifier learned from.
    pub parts: Vec<(Classifier, Vec<Option<Curve>>)>,
}

/// From a score to a probability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Curve {
    /// `1 / (1 + exp(slope * score + shift))`.
    Sigmoid {
        /// The slope; negative where a higher score means a higher probability.
        slope: f64,
        /// The shift.
        shift: f64,
    },
    /// Straight between points that never fall, flat outside.
    Isotonic {
        /// Ascending scores.
        scores: Vec<f64>,
        /// Their probabilities.
        shares: Vec<f64>,
    },
}

impl Calibrated {
    pub(super) fn fit(
        spec: &Spec,
        rows: &Prepared<'_>,
        isotonic: bool,
        seed: u64,
    ) -> Result<Calibrated, LearnError> {
        let counts = rows.counts();
        let least = counts.iter().copied().filter(|&c| c > 0).min();
        let folds = least.unwrap_or(0).clamp(2, FOLDS);
        let plain = spec.with("calibrate", "none")?;
        let mut parts = Vec::with_capacity(folds);
        for fold in Validation::folds(folds).deal(&rows.y, seed)? {
            if rows.stopped() {
                return Err(LearnError::Stopped);
            }
            let pick = |part: &[usize]| -> Vec<u32> { part.iter().map(|&i| rows.y[i]).collect() };
            let (x, y) = (rows.x.pick(&fold.train), pick(&fold.train));
            let train = Prepared::until(x, y, rows.classes, rows.stop);
            let known = train.counts();
            let fitted = Classifier::fit(&plain, &train, seed)?;
            let scores = fitted.decisions(&rows.x.pick(&fold.test));
            let truth = pick(&fold.test);
            let curves = (0..scores.first().map_or(0, Vec::len))
                .map(|k| {
                    let class = if rows.classes == 2 { 1 } else { k };
                    let pairs: Vec<(f64, bool)> = scores
                        .iter()
                        .zip(&truth)
                        .map(|(s, &t)| (s[k], t as usize == class))
                        .collect();
                    let seen = known[class] > 0 && pairs.iter().all(|(s, _)| s.is_finite());
                    seen.then(|| {
                        if isotonic {
                            steps(pairs)
                        } else {
                            sigmoid(&pairs)
                        }
                    })
                })
                .collect();
            parts.push((fitted, curves));
        }
        Ok(Calibrated {
            classes: rows.classes,
            parts,
        })
    }

    /// Whether the curves are as many as the classes ask for.
    pub(crate) fn is_whole(&self, classes: usize) -> bool {
        let scores = if classes == 2 { 1 } else { classes };
        let whole = |curve: &Option<Curve>| match curve {
            Some(Curve::Isotonic { scores, shares }) => {
                !scores.is_empty() && scores.len() == shares.len()
            }
            _ => true,
        };
        self.classes == classes
            && !self.parts.is_empty()
            && self.parts.iter().all(|(classifier, curves)| {
                let nested = matches!(classifier, Classifier::Calibrated(_));
                !nested && curves.len() == scores && curves.iter().all(whole)
            })
    }

    /// The probability of each class for every row.
    pub fn probabilities(&self, x: &Matrix) -> Vec<Vec<f64>> {
        let mut all = vec![vec![0.0; self.classes]; x.rows()];
        let part = 1.0 / self.parts.len() as f64;
        for (fitted, curves) in &self.parts {
            for (scores, all) in fitted.decisions(x).iter().zip(&mut all) {
                let mut shares: Vec<f64> = curves
                    .iter()
                    .zip(scores)
                    .map(|(curve, &score)| curve.as_ref().map_or(0.0, |c| c.share(score)))
                    .collect();
                if self.classes == 2 {
                    shares = vec![1.0 - shares[0], shares[0]];
                }
                let sum: f64 = shares.iter().sum();
                for (a, s) in all.iter_mut().zip(&shares) {
                    let even = 1.0 / self.classes as f64;
                    *a += part * if sum > 0.0 { s / sum } else { even };
                }
            }
        }
        all
    }
}

impl Curve {
    fn share(&self, score: f64) -> f64 {
        match self {
            Curve::Sigmoid { slope, shift } => 1.0 / (1.0 + libm::exp(slope * score + shift)),
            Curve::Isotonic { scores, shares } => {
                let after = scores.partition_point(|&s| s <= score);
                let last = scores.len() - 1;
                if after == 0 {
                    return shares[0];
                }
                if after > last {
                    return shares[last];
                }
                let (a, b) = (scores[after - 1], scores[after]);
                let t = (score - a) / (b - a);
                shares[after - 1] + t * (shares[after] - shares[after - 1])
            }
        }
    }
}

/// Platt's sigmoid by Newton's method with his smoothed targets (Lin, Lin, Weng 2007).
fn sigmoid(pairs: &[(f64, bool)]) -> Curve {
    let hits = pairs.iter().filter(|(_, hit)| *hit).count() as f64;
    let misses = pairs.len() as f64 - hits;
    let (high, low) = ((hits + 1.0) / (hits + 2.0), 1.0 / (misses + 2.0));
    let target = |hit: bool| if hit { high } else { low };
    // Scores of any size, brought to about one: the curve is the same.
    let size = pairs.iter().fold(0.0, |a: f64, (s, _)| a.max(s.abs()));
    let size = if size > 0.0 { size } else { 1.0 };
    let loss = |a: f64, b: f64| -> f64 {
        pairs
            .iter()
            .map(|&(s, hit)| {
                let z = a * s / size + b;
                let (t, tail) = (target(hit), libm::log1p(libm::exp(-z.abs())));
                if z >= 0.0 {
                    t * z + tail
                } else {
                    (t - 1.0) * z + tail
                }
            })
            .sum()
    };
    let (mut a, mut b) = (0.0, libm::log((misses + 1.0) / (hits + 1.0)));
    let mut now = loss(a, b);
    for _ in 0..100 {
        let (mut ga, mut gb) = (0.0, 0.0);
        let (mut haa, mut hab, mut hbb) = (1e-12, 0.0, 1e-12);
        for &(s, hit) in pairs {
            let s = s / size;
            let share = 1.0 / (1.0 + libm::exp(a * s + b));
            let (off, bend) = (target(hit) - share, share * (1.0 - share));
            ga += s * off;
            gb += off;
            haa += s * s * bend;
            hab += s * bend;
            hbb += bend;
        }
        if ga.abs() < 1e-10 && gb.abs() < 1e-10 {
            break;
        }
        let bottom = haa * hbb - hab * hab;
        let (da, db) = (
            -(hbb * ga - hab * gb) / bottom,
            -(haa * gb - hab * ga) / bottom,
        );
        let slope = ga * da + gb * db;
        let mut length = 1.0;
        while length > 1e-10 {
            let then = loss(a + length * da, b + length * db);
            if then < now + 1e-4 * length * slope {
                (a, b, now) = (a + length * da, b + length * db, then);
                break;
            }
            length *= 0.5;
        }
        if length <= 1e-10 {
            break;
        }
    }
    Curve::Sigmoid {
        slope: a / size,
        shift: b,
    }
}

/// The nearest curve that never falls, by pooling neighbours that do (Ayer et al. 1955).
fn steps(mut pairs: Vec<(f64, bool)>) -> Curve {
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Blocks of scores with the sum of their hits and their number.
    let mut blocks: Vec<(Vec<f64>, f64, f64)> = Vec::new();
    let mut left = &pairs[..];
    while let Some(&(first, _)) = left.first() {
        // Scores closer than this count as one, as they do in scikit-learn.
        let (equal, others) = left.split_at(left.partition_point(|(s, _)| s - first < 1e-15));
        left = others;
        let hits = equal.iter().filter(|(_, hit)| *hit).count() as f64;
        let mut block = (vec![equal[0].0], hits, equal.len() as f64);
        while let Some(before) = blocks.pop() {
            if before.1 * block.2 < block.1 * before.2 {
                blocks.push(before);
                break;
            }
            let mut scores = before.0;
            scores.append(&mut block.0);
            block = (scores, before.1 + block.1, before.2 + block.2);
        }
        blocks.push(block);
    }
    // Inside a block the curve is flat: its ends are enough.
    let (mut scores, mut shares) = (Vec::new(), Vec::new());
    for (block, hits, count) in blocks {
        let ends = if block.len() > 1 { 2 } else { 1 };
        for s in block.first().into_iter().chain(block.last()).take(ends) {
            scores.push(*s);
            shares.push(hits / count);
        }
    }
    Curve::Isotonic { scores, shares }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pooling_gives_the_nearest_curve_that_never_falls() {
        let hits = [false, true, false, false, true, true, false, true];
        let pairs = hits.iter().enumerate().map(|(i, &h)| (i as f64, h));
        let Curve::Isotonic { scores, shares } = steps(pairs.collect()) else {
            panic!()
        };
        // By hand: 0, then 1 0 0 pooled to a third, then 1 1 0 to two thirds, then 1.
        assert_eq!(scores, [0.0, 1.0, 3.0, 4.0, 6.0, 7.0]);
        let by_hand = [0.0, 1.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0, 1.0];
        for (s, e) in shares.iter().zip(by_hand) {
            assert!((s - e).abs() < 1e-15);
        }
    }

    #[test]
    fn a_sigmoid_is_found_again() {
        // Many rows at a few scores, with the shares that a known curve gives them.
        let mut pairs = Vec::new();
        for i in -10..=10 {
            let s = f64::from(i) * 0.3;
            let share = 1.0 / (1.0 + libm::exp(-1.7 * s + 0.4));
            let hits = (share * 20_000.0).round() as usize;
            pairs.extend((0..20_000).map(|k| (s, k < hits)));
        }
        let Curve::Sigmoid { slope, shift } = sigmoid(&pairs) else {
            panic!()
        };
        assert!(
            (slope + 1.7).abs() < 1e-2 && (shift - 0.4).abs() < 1e-2,
            "{slope} {shift}"
        );
    }
}
