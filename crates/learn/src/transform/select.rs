//! Keeping columns: by variance, or by how much they differ between classes.

use wits_game::Message;

use crate::dense::{Groups, means, variances};
use crate::distributions::f_above;
use crate::matrix::Matrix;
use crate::words::WORDS;

/// Columns whose population variance is above the threshold.
pub(super) fn by_variance(x: &Matrix, threshold: f64) -> Result<Vec<usize>, Message> {
    let variances = variances(x, &means(x));
    let kept: Vec<usize> = (0..x.columns())
        .filter(|&j| variances[j] > threshold)
        .collect();
    if kept.is_empty() {
        let most = variances.iter().copied().fold(0.0, f64::max);
        return Err(WORDS
            .say("fit-variance")
            .with("threshold", threshold)
            .with("most", format!("{most:.4}")));
    }
    Ok(kept)
}

/// The `k` columns with the greatest F, in file order; all where there are no more.
pub(super) fn best(x: &Matrix, y: &[u32], k: usize) -> Vec<usize> {
    let scores = f_scores(x, y);
    let mut order: Vec<usize> = (0..x.columns()).collect();
    let worth = |j: usize| {
        if scores[j].0.is_nan() {
            f64::NEG_INFINITY
        } else {
            scores[j].0
        }
    };
    order.sort_by(|&a, &b| worth(a).total_cmp(&worth(b)).then(a.cmp(&b)));
    let mut kept = order.split_off(order.len().saturating_sub(k));
    kept.sort_unstable();
    kept
}

/// The one-way ANOVA of every column between classes: F and its p-value. NaN for a constant
/// column.
pub fn f_scores(x: &Matrix, y: &[u32]) -> Vec<(f64, f64)> {
    let classes = y.iter().map(|&c| c as usize + 1).max().unwrap_or(0);
    let n = x.rows() as f64;
    let all = means(x);
    let groups = Groups::of(x, y, classes);
    let present: Vec<usize> = (0..classes).filter(|&c| groups.counts[c] > 0).collect();
    (0..x.columns())
        .map(|j| {
            let (mut between, mut within) = (0.0, 0.0);
            for &c in &present {
                let (count, mean) = (groups.counts[c] as f64, groups.means[c][j]);
                between += count * (mean - all[j]) * (mean - all[j]);
                within += count * groups.variances[c][j];
            }
            let (free_b, free_w) = (present.len() as f64 - 1.0, n - present.len() as f64);
            let f = (between / free_b) / (within / free_w);
            (
                f,
                if f.is_nan() {
                    f64::NAN
                } else {
                    f_above(f, free_b, free_w)
                },
            )
        })
        .collect()
}
