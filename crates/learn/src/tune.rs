//! Curves: a parameter, the number of training rows, and how much each feature matters.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::chance::{For, dice};
use crate::control::{Control, Progress};
use crate::cross::{answer, fold_seed};
use crate::dataset::Dataset;
use crate::error::LearnError;
use crate::honesty::{resampled, score_interval, test_to_train};
use crate::metrics::Score;
use crate::numbers::{mean, population_sd};
use crate::spec::{Kind, Pipeline};
use crate::split::{Fold, Validation};
use crate::words::WORDS;

/// One point of a curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The parameter's value as text.
    pub value: String,
    /// Where it stands on a numeric axis, if it is a number.
    pub at: Option<f64>,
    /// Mean score.
    pub mean: f64,
    /// Standard deviation over folds.
    pub sd: f64,
    /// The 95 % interval of the mean.
    pub interval: [f64; 2],
    /// The score of each fold.
    pub folds: Vec<f64>,
    /// The corrected resampled test cannot tell it from the best point.
    pub indistinguishable: bool,
}

/// The score as one parameter changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// The pipeline the others are made from.
    pub pipeline: Pipeline,
    /// What is on the axis.
    pub axis: String,
    /// The points.
    pub points: Vec<Point>,
    /// The place of the best point, the first of equals.
    pub best: usize,
    /// Somebody stopped it: points that were not through every fold are missing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
    /// Filled in by whoever has a clock.
    pub seconds: Option<f64>,
}

/// Values from text: `1..150:10` (from, to, step) or a list `gini|entropy`.
pub fn read_values(text: &str) -> Result<Vec<String>, LearnError> {
    let bad = |why| LearnError::BadSpec {
        text: text.to_owned(),
        why: WORDS.say(why),
    };
    if let Some((from, rest)) = text.split_once("..") {
        let (to, step) = rest.split_once(':').unwrap_or((rest, "1"));
        let read = |t: &str| t.trim().parse::<usize>().map_err(|_| bad("spec-range"));
        let (from, to, step) = (read(from)?, read(to)?, read(step)?);
        if step == 0 || from > to || (to - from) / step > 10_000 {
            return Err(bad("spec-range-steps"));
        }
        return Ok((from..=to).step_by(step).map(|n| n.to_string()).collect());
    }
    let values: Vec<String> = text
        .split('|')
        .map(|v| v.trim().to_owned())
        .filter(|v| !v.is_empty())
        .collect();
    if values.is_empty() {
        Err(bad("spec-no-values"))
    } else {
        Ok(values)
    }
}

/// A pipeline with one parameter changed; `name` is the parameter or `method.parameter`.
pub fn changed(pipeline: &Pipeline, name: &str, value: &str) -> Result<Pipeline, LearnError> {
    let (method, key) = match name.split_once('.') {
        Some((method, key)) => (Some(method), key),
        None => (None, name),
    };
    let mut copy = pipeline.clone();
    let steps = std::iter::once(&mut copy.classifier)
        .chain(copy.transformers.iter_mut())
        .chain(std::iter::once(&mut copy.imputer));
    for step in steps {
        let fits = method
            .is_none_or(|m| m == step.name() || step.kind() == Kind::Imputer && m == "imputer");
        let has = crate::spec::methods(step.kind())
            .iter()
            .any(|m| m.name == step.name() && m.params.iter().any(|p| p.name == key));
        if fits && has {
            *step = step.with(key, value)?;
            return Ok(copy);
        }
    }
    Err(LearnError::BadPlan(
        WORDS
            .say("plan-parameter")
            .with("pipeline", pipeline.to_string())
            .with("name", name),
    ))
}

/// The score as one parameter changes, on the same folds.
pub fn tune(
    data: &Dataset,
    pipeline: &Pipeline,
    parameter: &str,
    values: &[String],
    validation: Validation,
    seed: u64,
    control: &Control<'_>,
) -> Result<Curve, LearnError> {
    let folds = validation.deal(&data.y, seed)?;
    let pipelines = values
        .iter()
        .map(|v| changed(pipeline, parameter, v))
        .collect::<Result<Vec<_>, _>>()?;
    let done = std::sync::atomic::AtomicUsize::new(0);
    let scores = pipelines
        .par_iter()
        .map(|p| {
            let Some(scores) = fold_scores(data, p, &folds, seed, control)? else {
                return Ok(None);
            };
            let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
            (control.tell)(&Progress {
                done,
                total: values.len(),
                cell: None,
            });
            Ok(Some(scores))
        })
        .collect::<Result<Vec<_>, LearnError>>()?;
    let ratio = test_to_train(&folds);
    curve(pipeline, parameter, values, scores, ratio)
}

/// The score in every fold; nothing where the end came first.
fn fold_scores(
    data: &Dataset,
    pipeline: &Pipeline,
    folds: &[Fold],
    seed: u64,
    control: &Control<'_>,
) -> Result<Option<Vec<f64>>, LearnError> {
    let scores: Result<Vec<f64>, LearnError> = folds
        .par_iter()
        .enumerate()
        .map(|(f, fold)| {
            control.go_on()?;
            let seed = fold_seed(seed, f);
            let (_, predicted) = answer(pipeline, data, fold, seed, control.stop)?;
            let truth: Vec<u32> = fold.test.iter().map(|&i| data.y[i]).collect();
            Ok(Score::Accuracy.of(&truth, &predicted, data.classes().len()))
        })
        .collect();
    match scores {
        _ if control.stopped() => Ok(None),
        scores => scores.map(Some),
    }
}

fn curve(
    pipeline: &Pipeline,
    axis: &str,
    values: &[String],
    scores: Vec<Option<Vec<f64>>>,
    ratio: f64,
) -> Result<Curve, LearnError> {
    let mut points: Vec<Point> = values
        .iter()
        .zip(scores)
        .filter_map(|(value, folds)| Some((value, folds?)))
        .map(|(value, folds)| Point {
            value: value.clone(),
            at: value.parse().ok(),
            mean: mean(&folds),
            sd: population_sd(&folds),
            interval: score_interval(&folds, ratio),
            folds,
            indistinguishable: true,
        })
        .collect();
    if points.is_empty() {
        return Err(LearnError::Stopped);
    }
    let means: Vec<f64> = points.iter().map(|p| p.mean).collect();
    let best = crate::numbers::place_of_max(&means);
    let top = points
        .get(best)
        .map(|p| p.folds.clone())
        .unwrap_or_default();
    for point in &mut points {
        let gaps: Vec<f64> = top.iter().zip(&point.folds).map(|(a, b)| a - b).collect();
        point.indistinguishable = resampled(&gaps, ratio).p >= 0.05;
    }
    Ok(Curve {
        pipeline: pipeline.clone(),
        axis: axis.to_owned(),
        stopped: points.len() < values.len(),
        points,
        best,
        seconds: None,
    })
}

/// The score as the number of training rows grows. The test rows stay the same; of each training
/// part a random share is taken.
pub fn learning_curve(
    data: &Dataset,
    pipeline: &Pipeline,
    shares: &[f64],
    validation: Validation,
    seed: u64,
    control: &Control<'_>,
) -> Result<Curve, LearnError> {
    let folds = validation.deal(&data.y, seed)?;
    let train = folds.iter().map(|f| f.train.len()).min().unwrap_or(0);
    let mut values = Vec::new();
    let mut scores = Vec::new();
    for (done, &share) in shares.iter().enumerate() {
        if !(share > 0.0 && share <= 1.0) {
            return Err(LearnError::BadPlan(
                WORDS.say("plan-share").with("share", share),
            ));
        }
        let rows = ((train as f64 * share).round() as usize).max(2);
        let smaller: Vec<Fold> = folds
            .iter()
            .enumerate()
            .map(|(f, fold)| {
                let mut order = fold.train.clone();
                dice(fold_seed(seed, f), For::Sample, 0).shuffle(&mut order);
                order.truncate(rows);
                order.sort_unstable();
                Fold {
                    train: order,
                    test: fold.test.clone(),
                }
            })
            .collect();
        values.push(rows.to_string());
        scores.push(fold_scores(data, pipeline, &smaller, seed, control)?);
        (control.tell)(&Progress {
            done: done + 1,
            total: shares.len(),
            cell: None,
        });
    }
    let ratio = test_to_train(&folds);
    curve(pipeline, "training rows", &values, scores, ratio)
}

/// How much a column matters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Importance {
    /// The column of the file; one of texts is one, however many features it became.
    pub feature: String,
    /// How much accuracy falls when its values are shuffled among the test rows.
    pub drop: f64,
    /// The 95 % interval.
    pub interval: [f64; 2],
}

/// Permutation importance (Breiman 2001) on the test part of every fold, most important first.
pub fn importance(
    data: &Dataset,
    pipeline: &Pipeline,
    validation: Validation,
    shuffles: usize,
    seed: u64,
    control: &Control<'_>,
) -> Result<Vec<Importance>, LearnError> {
    let folds = validation.deal(&data.y, seed)?;
    let spans = data.schema.spans();
    let classes = data.classes().len();
    let drops = folds
        .par_iter()
        .enumerate()
        .map(|(f, fold)| {
            control.go_on()?;
            let own = fold_seed(seed, f);
            let (fitted, predicted) = answer(pipeline, data, fold, own, control.stop)?;
            let truth: Vec<u32> = fold.test.iter().map(|&i| data.y[i]).collect();
            let whole = Score::Accuracy.of(&truth, &predicted, classes);
            let test = data.x.pick(&fold.test);
            spans
                .iter()
                .enumerate()
                .map(|(j, span)| {
                    let drops = (0..shuffles.max(1))
                        .map(|s| {
                            let purpose = (j * 10_000 + s) as u64;
                            let mut dice = dice(fold_seed(seed, f), For::Importance, purpose);
                            // All features of a text move together, or a row would have two texts.
                            let mut order: Vec<usize> = (0..test.rows()).collect();
                            dice.shuffle(&mut order);
                            let mut mixed = test.clone();
                            for (i, &from) in order.iter().enumerate() {
                                let values = &test.row(from)[span.clone()];
                                mixed.row_mut(i)[span.clone()].copy_from_slice(values);
                            }
                            let now = fitted.predict_unless_stopped(&mixed, control.stop)?;
                            Ok(whole - Score::Accuracy.of(&truth, &now, classes))
                        })
                        .collect::<Result<Vec<f64>, LearnError>>()?;
                    Ok(mean(&drops))
                })
                .collect::<Result<Vec<f64>, LearnError>>()
        })
        .collect::<Result<Vec<_>, LearnError>>()?;
    let ratio = test_to_train(&folds);
    let mut list: Vec<Importance> = data
        .schema
        .sources
        .iter()
        .enumerate()
        .map(|(j, source)| {
            let each: Vec<f64> = drops.iter().map(|d| d[j]).collect();
            let measured = resampled(&each, ratio);
            Importance {
                feature: source.name.clone(),
                drop: measured.mean,
                interval: measured.interval,
            }
        })
        .collect();
    list.sort_by(|a, b| b.drop.total_cmp(&a.drop));
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_changes() {
        assert_eq!(read_values("1..7:3").unwrap(), ["1", "4", "7"]);
        assert_eq!(read_values("gini | entropy").unwrap(), ["gini", "entropy"]);
        assert!(
            read_values("5..1").is_err()
                && read_values("").is_err()
                && read_values("1..x").is_err()
        );
        let p: Pipeline = "knn:k=1 + quantile + random-forest".parse().unwrap();
        assert!(
            changed(&p, "trees", "7")
                .unwrap()
                .to_string()
                .contains("trees=7")
        );
        assert!(
            changed(&p, "knn.k", "7")
                .unwrap()
                .to_string()
                .starts_with("knn:k=7")
        );
        assert!(
            changed(&p, "n_quantiles", "9")
                .unwrap()
                .to_string()
                .contains("n_quantiles=9")
        );
        assert!(changed(&p, "gamma", "1").is_err());
    }
}
