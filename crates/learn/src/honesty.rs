//! What keeps numbers honest: intervals that know folds overlap, tests between pipelines, and
//! warnings about data that would flatter any of them.

use serde::{Deserialize, Serialize};

use crate::dataset::Dataset;
use crate::distributions::{t_critical, t_two_sided};
use crate::numbers::{mean, mean_and_variance, sample_sd};
use crate::split::Fold;
use crate::table::Warning;
use crate::words::WORDS;

/// The interval of a mean over folds and, against another pipeline, whether they differ.
///
/// Folds share training rows, so their scores vary together and the plain t interval is too
/// narrow. Nadeau and Bengio (2003) put `1/J + test/train` in place of `1/J`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resampled {
    /// The mean difference (or mean).
    pub mean: f64,
    /// Its 95 % interval.
    pub interval: [f64; 2],
    /// The chance of a mean this far from zero if there were no difference.
    pub p: f64,
}

/// The corrected resampled t test of values over folds.
pub fn resampled(values: &[f64], test_to_train: f64) -> Resampled {
    let centre = mean(values);
    let folds = values.len() as f64;
    let spread = sample_sd(values) * (1.0 / folds + test_to_train).sqrt();
    if values.len() < 2 {
        return Resampled {
            mean: centre,
            interval: [f64::MIN, f64::MAX],
            p: 1.0,
        };
    }
    if spread <= 1e-15 {
        let p = if centre.abs() <= 1e-15 { 1.0 } else { 0.0 };
        return Resampled {
            mean: centre,
            interval: [centre, centre],
            p,
        };
    }
    let half = t_critical(0.95, folds - 1.0) * spread;
    Resampled {
        mean: centre,
        interval: [centre - half, centre + half],
        p: t_two_sided(centre / spread, folds - 1.0),
    }
}

/// The interval of a mean score over folds, kept inside 0 to 1.
pub fn score_interval(scores: &[f64], test_to_train: f64) -> [f64; 2] {
    let [low, high] = resampled(scores, test_to_train).interval;
    [low.max(0.0), high.min(1.0)]
}

/// Whether a score stands clear of always naming the most frequent class: over folds, or, where they
/// are too few for a narrow interval (two of them tell next to nothing), over the rows they tested.
pub fn learned(interval: [f64; 2], over_rows: [f64; 2], baseline: f64) -> bool {
    interval[0] > baseline || over_rows[0] > baseline
}

/// Test rows per training row, over all folds.
pub fn test_to_train(folds: &[Fold]) -> f64 {
    let test: usize = folds.iter().map(|f| f.test.len()).sum();
    let train: usize = folds.iter().map(|f| f.train.len()).sum();
    test as f64 / train.max(1) as f64
}

/// What about this data and these folds would flatter a score.
pub fn warnings(data: &Dataset, folds: &[Fold]) -> Vec<Warning> {
    let mut found = data.warnings.clone();
    small_classes(data, folds, &mut found);
    duplicates(data, folds, &mut found);
    scaled_before(data, &mut found);
    found
}

fn small_classes(data: &Dataset, folds: &[Fold], found: &mut Vec<Warning>) {
    if folds.is_empty() {
        return;
    }
    for (class, &count) in data.counts().iter().enumerate() {
        let absent = folds
            .iter()
            .filter(|f| f.test.len() > 1 && !f.test.iter().any(|&i| data.y[i] as usize == class))
            .count();
        if absent > 0 {
            found.push(Warning::new(
                &WORDS
                    .say("warn-small-class")
                    .with("class", &data.classes()[class])
                    .with("rows", count)
                    .with("folds", absent),
            ));
        }
        let untaught = folds
            .iter()
            .filter(|f| !f.train.iter().any(|&i| data.y[i] as usize == class))
            .count();
        if untaught > 0 && count > 0 {
            found.push(Warning::new(
                &WORDS
                    .say("warn-untaught-class")
                    .with("class", &data.classes()[class])
                    .with("folds", untaught),
            ));
        }
    }
}

/// Rows equal in every feature: a copy in the training part gives the answer away.
fn duplicates(data: &Dataset, folds: &[Fold], found: &mut Vec<Warning>) {
    let n = data.x.rows();
    // Rows are compared where they lie: a key for each would be a copy of the table. Those whose
    // hashes differ need not be.
    let bits = |i: usize| data.x.row(i).iter().map(|v| v.to_bits());
    let hash = |i: usize| {
        bits(i).fold(0u64, |h, b| {
            (h ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
        })
    };
    let mut hashed: Vec<(u64, usize)> = (0..n).map(|i| (hash(i), i)).collect();
    hashed.sort_unstable();
    let mut order: Vec<usize> = hashed
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|alike| alike.len() > 1)
        .flat_map(|alike| alike.iter().map(|&(_, i)| i))
        .collect();
    drop(hashed);
    order.sort_by(|&a, &b| bits(a).cmp(bits(b)));
    let groups: Vec<&[usize]> = order
        .chunk_by(|&a, &b| bits(a).eq(bits(b)))
        .filter(|g| g.len() > 1)
        .collect();
    if groups.is_empty() {
        return;
    }
    let copies: usize = groups.iter().map(|g| g.len()).sum();
    let mut split = vec![false; groups.len()];
    let mut tested = vec![false; n];
    for fold in folds {
        fold.test.iter().for_each(|&i| tested[i] = true);
        for (group, split) in groups.iter().zip(&mut split) {
            let inside = group.iter().filter(|&&i| tested[i]).count();
            *split |= inside > 0 && inside < group.len();
        }
        fold.test.iter().for_each(|&i| tested[i] = false);
    }
    let split = split.iter().filter(|&&split| split).count();
    let first = groups[0];
    let says = WORDS
        .say("warn-duplicates")
        .with("rows", copies)
        .with("first", data.rows[first[0]])
        .with("second", data.rows[first[1]]);
    found.push(Warning::new(&if folds.is_empty() {
        says.with("where", "")
    } else if split == 0 {
        says.with("where", WORDS.say("where-within"))
    } else {
        says.with("where", WORDS.say("where-split").with("groups", split))
    }));
}

/// Columns that look scaled over the whole file, test rows included.
fn scaled_before(data: &Dataset, found: &mut Vec<Warning>) {
    if data.missing() > 0 || data.x.rows() < 10 || data.x.columns() < 2 {
        return;
    }
    let scaled = (0..data.x.columns()).all(|j| {
        let (centre, variance) = mean_and_variance(&data.x.column(j));
        let n = data.x.rows() as f64;
        let plain = (variance - 1.0).abs() < 1e-6;
        let sample = (variance * n / (n - 1.0) - 1.0).abs() < 1e-6;
        centre.abs() < 1e-6 && (plain || sample)
    });
    if scaled {
        found.push(Warning::new(&WORDS.say("warn-scaled-before")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corrected_interval_is_wider() {
        let scores = [0.7, 0.72, 0.68, 0.75, 0.66];
        let plain = resampled(&scores, 0.0);
        let corrected = resampled(&scores, 0.25);
        assert!(corrected.interval[0] < plain.interval[0]);
        // 1/5 + 1/4 in place of 1/5: wider by sqrt(2.25).
        let ratio = (corrected.interval[1] - corrected.mean) / (plain.interval[1] - plain.mean);
        assert!((ratio - 1.5).abs() < 1e-9);
        assert!(corrected.p > plain.p);
    }

    #[test]
    fn no_difference_is_no_evidence() {
        assert!((resampled(&[0.0; 5], 0.25).p - 1.0).abs() < 1e-12);
        assert!(resampled(&[0.1; 5], 0.25).p < 1e-12);
    }
}
