//! How good probabilities are: ROC, precision and recall, and calibration, class against the rest,
//! on rows that were not trained on.

use serde::Serialize;

use crate::control::Control;
use crate::cross::fold_answers;
use crate::dataset::Dataset;
use crate::distributions::normal_quantile;
use crate::error::LearnError;
use crate::metrics::{Measured, share, wilson};
use crate::spec::Pipeline;
use crate::split::Validation;
use crate::table::Warning;
use crate::words::WORDS;

/// Points that a drawn curve has at most.
const POINTS: usize = 200;
/// Groups of rows on a calibration curve.
const BINS: usize = 10;

/// The curves of every class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProbabilityCurves {
    /// The pipeline.
    pub pipeline: Pipeline,
    /// Rows that were tested.
    pub rows: usize,
    /// Class by class.
    pub classes: Vec<ClassCurves>,
    /// Somebody stopped it: everything here is about the folds that were finished by then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
    /// What is worth knowing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// One class against the rest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassCurves {
    /// The class.
    pub class: String,
    /// Rows of it.
    pub support: usize,
    /// False and true positive rate as the threshold falls.
    pub roc: Vec<[f64; 2]>,
    /// The area under it, with the interval of `DeLong` et al. (1988); that has no width where the
    /// ranking is perfect, so Wilson's interval of a share of the smaller group's rows stands there.
    pub auc: Measured,
    /// Recall and precision as the threshold falls.
    pub precision_recall: Vec<[f64; 2]>,
    /// The mean precision over the steps of recall, with Wilson's interval of a share of the class's
    /// rows. (On the logistic scale, which Boyd, Eng and Page took in 2013, the interval of a perfect
    /// ranking is everything.)
    pub average_precision: Measured,
    /// Groups of rows by the probability they were given.
    pub calibration: Vec<Bin>,
}

/// Rows that were given about the same probability.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bin {
    /// The mean probability given.
    pub given: f64,
    /// The share that was so, with Wilson's interval.
    pub found: Measured,
    /// How many rows.
    pub rows: usize,
}

/// Cross-validates a pipeline and draws up the curves of its probabilities. What is stopped has the
/// folds that were finished by then and says so; it is [`LearnError::Stopped`] only where none was.
pub fn probability_curves(
    data: &Dataset,
    pipeline: &Pipeline,
    validation: Validation,
    seed: u64,
    control: &Control<'_>,
) -> Result<ProbabilityCurves, LearnError> {
    let folds = validation.deal(&data.y, seed)?;
    let told = fold_answers(data, [pipeline], &folds, seed, control)?;
    let mut tested: Vec<(u32, Vec<f64>)> = Vec::with_capacity(data.y.len());
    let mut finished = 0;
    for (fold, [told]) in folds.iter().zip(told) {
        let Some((_, shares)) = told else { continue };
        let shares = shares.ok_or_else(|| {
            let classifier = pipeline.classifier.to_string();
            LearnError::BadPlan(WORDS.say("plan-no-shares").with("classifier", classifier))
        })?;
        tested.extend(fold.test.iter().map(|&i| data.y[i]).zip(shares));
        finished += 1;
    }
    if finished == 0 {
        return Err(LearnError::Stopped);
    }
    let stopped = finished < folds.len();
    let says = WORDS.say("warn-cv-stopped").with("done", finished);
    let warning = stopped.then(|| Warning::new(&says.with("folds", folds.len())));
    let classes = data.classes().iter().enumerate().map(|(c, class)| {
        let pairs = tested.iter().map(|(t, s)| (s[c], *t as usize == c));
        ClassCurves::of(class, pairs.collect())
    });
    Ok(ProbabilityCurves {
        pipeline: pipeline.clone(),
        rows: tested.len(),
        classes: classes.collect(),
        stopped,
        warnings: warning.into_iter().collect(),
    })
}

impl ClassCurves {
    /// From probabilities and whether they were right to be high.
    fn of(class: &str, mut pairs: Vec<(f64, bool)>) -> ClassCurves {
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
        let hits = pairs.iter().filter(|(_, hit)| *hit).count();
        let misses = pairs.len() - hits;
        let (mut roc, mut precision_recall) = (vec![[0.0, 0.0]], Vec::new());
        let (mut above, mut called, mut average) = (0, 0, 0.0);
        // For every hit the share of misses below it, and for every miss the share of hits above:
        // equals count half.
        let (mut of_hits, mut of_misses) = (Vec::new(), Vec::new());
        let part = |n: usize, of: usize| n as f64 / of.max(1) as f64;
        for equal in pairs.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
            let new = equal.iter().filter(|(_, hit)| *hit).count();
            let missed = equal.len() - new;
            let misses_below = misses - (called - above) - missed;
            let halves = |whole: usize, half: usize, of: usize| {
                (whole as f64 + 0.5 * half as f64) / of.max(1) as f64
            };
            of_hits.extend(std::iter::repeat_n(
                halves(misses_below, missed, misses),
                new,
            ));
            of_misses.extend(std::iter::repeat_n(halves(above, new, hits), missed));
            above += new;
            called += equal.len();
            average += part(new, hits) * part(above, called);
            roc.push([part(called - above, misses), part(above, hits)]);
            precision_recall.push([part(above, hits), part(above, called)]);
        }
        ClassCurves {
            class: class.to_owned(),
            support: hits,
            roc: thinned(&roc),
            auc: area(&of_hits, &of_misses),
            precision_recall: thinned(&precision_recall),
            average_precision: average_precision(average, hits),
            calibration: bins(&pairs),
        }
    }
}

/// The area under a ROC curve: the mean of the hits' shares; its variance after `DeLong`.
fn area(of_hits: &[f64], of_misses: &[f64]) -> Measured {
    if of_hits.is_empty() || of_misses.is_empty() {
        return Measured {
            value: 0.5,
            interval: [0.0, 1.0],
        };
    }
    let value = crate::numbers::mean(of_hits);
    if value >= 1.0 || value <= 0.0 {
        return wilson(value, of_hits.len().min(of_misses.len()));
    }
    let spread = |part: &[f64]| crate::numbers::sample_sd(part).powi(2) / part.len() as f64;
    let half = normal_quantile(0.975) * (spread(of_hits) + spread(of_misses)).sqrt();
    Measured {
        value,
        interval: [(value - half).max(0.0), (value + half).min(1.0)],
    }
}

/// With an interval; that of a class without rows is everything.
fn average_precision(value: f64, hits: usize) -> Measured {
    if hits == 0 {
        let interval = [0.0, 1.0];
        return Measured { value, interval };
    }
    wilson(value.clamp(0.0, 1.0), hits)
}

/// Groups of equal size by descending probability; equal probabilities stay together.
fn bins(pairs: &[(f64, bool)]) -> Vec<Bin> {
    let size = pairs.len().div_ceil(BINS).max(1);
    let mut found: Vec<Bin> = Vec::new();
    let mut start = 0;
    while start < pairs.len() {
        let mut end = (start + size).min(pairs.len());
        while end < pairs.len() && pairs[end].0.total_cmp(&pairs[end - 1].0).is_eq() {
            end += 1;
        }
        let part = &pairs[start..end];
        let hits = part.iter().filter(|(_, hit)| *hit).count();
        found.push(Bin {
            given: part.iter().map(|(p, _)| p).sum::<f64>() / part.len() as f64,
            found: share(hits, part.len()),
            rows: part.len(),
        });
        start = end;
    }
    found.reverse();
    found
}

/// At most so many points, the ends among them.
fn thinned(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let last = points.len().saturating_sub(1);
    if points.len() <= POINTS {
        return points.to_vec();
    }
    let steps = POINTS - 1;
    (0..=steps).map(|k| points[k * last / steps]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::{For, dice};

    /// The area is the share of pairs in the right order, counted one by one; precision is
    /// averaged by its definition.
    #[test]
    fn areas_equal_a_count_of_pairs() {
        let mut dice = dice(4, For::Sample, 0);
        for n in [5, 60, 300] {
            let pairs: Vec<(f64, bool)> = (0..n)
                .map(|_| {
                    let hit = dice.unit() < 0.4;
                    // Few different probabilities, so that many are equal.
                    let p = (dice.below(8) as f64 + 3.0 * f64::from(u8::from(hit))) / 12.0;
                    (p, hit)
                })
                .collect();
            let found = ClassCurves::of("x", pairs.clone());
            let (mut right, mut all) = (0.0, 0.0);
            for (p, _) in pairs.iter().filter(|(_, hit)| *hit) {
                for (q, _) in pairs.iter().filter(|(_, hit)| !*hit) {
                    all += 1.0;
                    right += match p.total_cmp(q) {
                        std::cmp::Ordering::Greater => 1.0,
                        std::cmp::Ordering::Equal => 0.5,
                        std::cmp::Ordering::Less => 0.0,
                    };
                }
            }
            assert!((found.auc.value - right / all).abs() < 1e-12, "{n}");
            let trapezia: f64 = found
                .roc
                .windows(2)
                .map(|w| (w[1][0] - w[0][0]) * (w[1][1] + w[0][1]) / 2.0)
                .sum();
            assert!((trapezia - right / all).abs() < 1e-12);
            let hits = pairs.iter().filter(|(_, hit)| *hit).count() as f64;
            let above = |t: f64| pairs.iter().filter(move |(p, _)| *p >= t);
            let mut thresholds: Vec<f64> = pairs.iter().map(|(p, _)| *p).collect();
            thresholds.sort_by(|a, b| b.total_cmp(a));
            thresholds.dedup();
            let (mut before, mut average) = (0.0, 0.0);
            for t in thresholds {
                let right = above(t).filter(|(_, hit)| *hit).count() as f64;
                average += (right - before) / hits * right / above(t).count() as f64;
                before = right;
            }
            assert!((found.average_precision.value - average).abs() < 1e-12);
            assert_eq!(found.calibration.iter().map(|b| b.rows).sum::<usize>(), n);
            let [low, high] = found.auc.interval;
            assert!(low <= found.auc.value && found.auc.value <= high);
        }
    }

    /// No rows are so many that a perfect ranking of them leaves no doubt.
    #[test]
    fn the_area_of_a_perfect_ranking_has_an_interval() {
        let ranked = |up: bool| {
            (0..100)
                .map(move |i| (f64::from(i), (i >= 70) == up))
                .collect()
        };
        for (up, value) in [(true, 1.0), (false, 0.0)] {
            let found = ClassCurves::of("x", ranked(up)).auc;
            let [low, high] = found.interval;
            assert!((found.value - value).abs() < 1e-12);
            assert!(
                low <= value && value <= high && high - low > 0.1,
                "{low} to {high}"
            );
        }
    }

    /// The interval of a perfect ranking is as narrow as so many rows allow, and holds its value;
    /// so does that of one with a single row out of place.
    #[test]
    fn a_perfect_ranking_has_a_narrow_interval() {
        let ranked = |late: usize| -> Vec<(f64, bool)> {
            (0..100)
                .map(|i| {
                    (
                        1.0 - f64::from(i) / 100.0,
                        i < 49 || i as usize == 49 + late,
                    )
                })
                .collect()
        };
        for late in [0, 1, 5] {
            let found = ClassCurves::of("x", ranked(late)).average_precision;
            let [low, high] = found.interval;
            let least = if late > 0 { 0.98 } else { 1.0 };
            assert!(found.value <= 1.0 && found.value >= least);
            assert!(low > 0.88 && low < found.value && found.value <= high + 1e-12);
        }
        // 50 of 50, as Wilson's formula has it: n / (n + z^2).
        let [low, _] = ClassCurves::of("x", ranked(0)).average_precision.interval;
        assert!((low - 50.0 / (50.0 + 1.959_964 * 1.959_964)).abs() < 1e-6);
    }
}
