//! Cross-validation of one pipeline, and of two against each other.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::chance::{For, dice};
use crate::classify::Told;
use crate::control::{Control, Progress};
use crate::dataset::Dataset;
use crate::error::LearnError;
use crate::honesty::{self, Resampled, resampled, score_interval, test_to_train};
use crate::intake::HeldOut;
use crate::metrics::{Score, Scores, measure};
use crate::numbers::{mean, population_sd};
use crate::pipeline::Fitted;
use crate::spec::Pipeline;
use crate::split::{Fold, Validation};
use crate::table::Warning;
use crate::words::WORDS;

/// A pipeline cross-validated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrossValidated {
    /// The pipeline.
    pub pipeline: Pipeline,
    /// How rows were dealt.
    pub validation: Validation,
    /// The seed.
    pub seed: u64,
    /// The accuracy of each fold.
    pub folds: Vec<f64>,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation (dividing by n).
    pub sd: f64,
    /// The 95 % interval of the mean, corrected for folds that share rows.
    pub interval: [f64; 2],
    /// The accuracy of always naming the most frequent class.
    pub baseline: f64,
    /// Everything measured over all test rows together.
    pub scores: Scores,
    /// Truth, prediction and file row of every tested row.
    pub answers: Vec<Answer>,
    /// What is worth knowing.
    pub warnings: Vec<Warning>,
    /// Somebody stopped it: everything here is about the folds that were finished by then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
    /// How it fares on rows that were kept aside, where some were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holdout: Option<HeldOut>,
}

/// One tested row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The row of the file, from 1.
    pub row: usize,
    /// Its class, as a place in the list of classes.
    pub truth: u32,
    /// What was predicted.
    pub predicted: u32,
}

/// The seed a fold's classifier gets: the same for every pipeline, so comparisons are paired.
pub(crate) fn fold_seed(seed: u64, fold: usize) -> u64 {
    dice(seed, For::Fold, fold as u64).next()
}

/// Fits on the training part and answers the test part.
pub(crate) fn answer(
    pipeline: &Pipeline,
    data: &Dataset,
    fold: &Fold,
    seed: u64,
    stop: &AtomicBool,
) -> Result<(Fitted, Vec<u32>), LearnError> {
    let (fitted, (predicted, _)) = answers(pipeline, data, fold, seed, stop)?;
    Ok((fitted, predicted))
}

/// Fits on the training part and answers the test part, with probabilities.
pub(crate) fn answers(
    pipeline: &Pipeline,
    data: &Dataset,
    fold: &Fold,
    seed: u64,
    stop: &AtomicBool,
) -> Result<(Fitted, Told), LearnError> {
    let y: Vec<u32> = fold.train.iter().map(|&i| data.y[i]).collect();
    let fitted = Fitted::fit_until(
        pipeline,
        &data.x.pick(&fold.train),
        &y,
        data.classes().len(),
        seed,
        stop,
    )?;
    let told = fitted.answers_unless_stopped(&data.x.pick(&fold.test), stop)?;
    Ok((fitted, told))
}

/// The score of naming the most frequent training class in each test part, averaged.
pub(crate) fn baseline(data: &Dataset, folds: &[Fold], score: Score) -> f64 {
    let classes = data.classes().len();
    let each: Vec<f64> = folds
        .iter()
        .map(|fold| {
            let mut counts = vec![0; classes];
            fold.train
                .iter()
                .for_each(|&i| counts[data.y[i] as usize] += 1);
            let most = counts.iter().copied().max().unwrap_or(0);
            let class = counts.iter().position(|&c| c == most).unwrap_or(0) as u32;
            let truth: Vec<u32> = fold.test.iter().map(|&i| data.y[i]).collect();
            score.of(&truth, &vec![class; truth.len()], classes)
        })
        .collect();
    mean(&each)
}

/// Cross-validates a pipeline. What is stopped has the folds that were finished by then and says so;
/// it is [`LearnError::Stopped`] only where none was.
pub fn cross_validate(
    data: &Dataset,
    pipeline: &Pipeline,
    validation: Validation,
    seed: u64,
    control: &Control<'_>,
) -> Result<CrossValidated, LearnError> {
    let folds = validation.deal(&data.y, seed)?;
    let told = fold_answers(data, [pipeline], &folds, seed, control)?;
    let told: Vec<Option<Told>> = told.into_iter().map(|[one]| one).collect();
    if told.iter().all(Option::is_none) {
        return Err(LearnError::Stopped);
    }
    Ok(summed_up(data, pipeline, (validation, &folds), seed, told))
}

/// What pipelines say of the test part of every fold, one after the other within a fold, so that
/// what is stopped has them side by side. Nothing where the end came first.
pub(crate) fn fold_answers<const N: usize>(
    data: &Dataset,
    pipelines: [&Pipeline; N],
    folds: &[Fold],
    seed: u64,
    control: &Control<'_>,
) -> Result<Vec<[Option<Told>; N]>, LearnError> {
    let done = AtomicUsize::new(0);
    let one = |(f, fold): (usize, &Fold)| {
        let mut all = [const { None }; N];
        for (said, pipeline) in all.iter_mut().zip(pipelines) {
            // Even to pick the rows of hundreds of folds takes seconds.
            if control.stopped() {
                break;
            }
            match answers(pipeline, data, fold, fold_seed(seed, f), control.stop) {
                // An answer that the end overtook may be half of one.
                Ok(_) | Err(LearnError::Stopped) if control.stopped() => break,
                Ok((_, told)) => *said = Some(told),
                Err(error) => return Err(error),
            }
            (control.tell)(&Progress {
                done: done.fetch_add(1, Ordering::Relaxed) + 1,
                total: folds.len() * N,
                cell: None,
            });
        }
        Ok(all)
    };
    folds.par_iter().enumerate().map(one).collect()
}

/// Everything measured over the folds that were finished.
fn summed_up(
    data: &Dataset,
    pipeline: &Pipeline,
    (validation, folds): (Validation, &[Fold]),
    seed: u64,
    told: Vec<Option<Told>>,
) -> CrossValidated {
    let mut scores = Vec::new();
    let (mut truth, mut called, mut answers) = (Vec::new(), Vec::new(), Vec::new());
    let mut shares: Option<Vec<Vec<f64>>> = Some(Vec::new());
    for (fold, told) in folds.iter().zip(told) {
        let Some((predicted, part)) = told else {
            continue;
        };
        let hits = fold
            .test
            .iter()
            .zip(&predicted)
            .filter(|(i, p)| data.y[**i] == **p)
            .count();
        scores.push(hits as f64 / fold.test.len().max(1) as f64);
        for (&i, &p) in fold.test.iter().zip(&predicted) {
            truth.push(data.y[i]);
            called.push(p);
            answers.push(Answer {
                row: data.rows[i],
                truth: data.y[i],
                predicted: p,
            });
        }
        match (&mut shares, part) {
            (Some(all), Some(part)) => all.extend(part),
            _ => shares = None,
        }
    }
    let mut warnings = honesty::warnings(data, folds);
    let measured = measure(&truth, &called, shares.as_deref(), data.classes(), seed);
    // A fold of one row is right or wrong: over single rows the plain share has the interval.
    let interval = if validation == Validation::LeaveOneOut {
        measured.accuracy.interval
    } else {
        score_interval(&scores, test_to_train(folds))
    };
    let baseline = baseline(data, folds, Score::Accuracy);
    if !honesty::learned(interval, measured.accuracy.interval, baseline) {
        warnings.push(Warning::new(&WORDS.say("warn-nothing-learned")));
    }
    let stopped = scores.len() < folds.len();
    if stopped {
        let says = WORDS.say("warn-cv-stopped").with("done", scores.len());
        warnings.push(Warning::new(&says.with("folds", folds.len())));
    }
    CrossValidated {
        pipeline: pipeline.clone(),
        validation,
        seed,
        mean: mean(&scores),
        sd: population_sd(&scores),
        interval,
        baseline,
        scores: measured,
        folds: scores,
        answers,
        warnings,
        stopped,
        holdout: None,
    }
}

/// Two pipelines on the same folds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The first.
    pub a: CrossValidated,
    /// The second.
    pub b: CrossValidated,
    /// First minus second, fold by fold, with the corrected resampled test.
    pub difference: Resampled,
    /// `a`, `b`, or `indistinguishable` (at 5 %).
    pub verdict: String,
    /// Rows only the first gets right.
    pub only_a: Vec<usize>,
    /// Rows only the second gets right.
    pub only_b: Vec<usize>,
}

/// Compares two pipelines on the same folds with the same seeds; where it is stopped, on those that
/// both were through.
pub fn compare(
    data: &Dataset,
    a: &Pipeline,
    b: &Pipeline,
    validation: Validation,
    seed: u64,
    control: &Control<'_>,
) -> Result<Comparison, LearnError> {
    let folds = validation.deal(&data.y, seed)?;
    let told = fold_answers(data, [a, b], &folds, seed, control)?;
    // Only folds that both were through can be compared, and one alone tells nothing.
    let both = |told: [Option<Told>; 2]| match told {
        [Some(a), Some(b)] => (Some(a), Some(b)),
        _ => (None, None),
    };
    let (of_a, of_b): (Vec<_>, Vec<_>) = told.into_iter().map(both).unzip();
    if folds.len() > 1 && of_a.iter().flatten().count() < 2 {
        return Err(LearnError::Stopped);
    }
    let a = summed_up(data, a, (validation, &folds), seed, of_a);
    let b = summed_up(data, b, (validation, &folds), seed, of_b);
    let gaps: Vec<f64> = a.folds.iter().zip(&b.folds).map(|(x, y)| x - y).collect();
    let difference = resampled(&gaps, test_to_train(&folds));
    let verdict = if difference.p >= 0.05 {
        "indistinguishable"
    } else if difference.mean > 0.0 {
        "a"
    } else {
        "b"
    };
    let only = |x: &CrossValidated, y: &CrossValidated| -> Vec<usize> {
        let mut rows: Vec<usize> = x
            .answers
            .iter()
            .zip(&y.answers)
            .filter(|(p, q)| p.predicted == p.truth && q.predicted != q.truth)
            .map(|(p, _)| p.row)
            .collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    };
    Ok(Comparison {
        only_a: only(&a, &b),
        only_b: only(&b, &a),
        a,
        b,
        difference,
        verdict: verdict.to_owned(),
    })
}
