//! A grid of pipelines: every imputer with every transformer with every classifier.
//!
//! A fold is imputed once per imputer and transformed once per transformer; the classifiers share
//! the result, and all trees share one sorting of its columns. Every fit takes its seed from the
//! fold, never from the thread, so the numbers do not depend on how many there are.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::control::{Cell, Control, Progress};
use crate::cross::{baseline, fold_seed};
use crate::dataset::Dataset;
use crate::error::LearnError;
use crate::honesty::{self, resampled, score_interval, test_to_train};
use crate::intake::HeldOut;
use crate::metrics::{Score, share};
use crate::numbers::{mean, population_sd};
use crate::parts::{Filled, Ready};
use crate::spec::{Kind, Pipeline, Spec};
use crate::split::{Fold, Validation};
use crate::table::Warning;
use crate::words::WORDS;

/// What to try.
#[derive(Clone, Debug, PartialEq)]
pub struct GridPlan {
    /// Imputers.
    pub imputers: Vec<Spec>,
    /// Transformers, each perhaps a chain.
    pub transformers: Vec<Vec<Spec>>,
    /// Classifiers.
    pub classifiers: Vec<Spec>,
    /// How rows are dealt.
    pub validation: Validation,
    /// What the leaderboard is ordered by.
    pub score: Score,
    /// The seed.
    pub seed: u64,
}

impl GridPlan {
    /// A grid from texts; a transformer may be a chain, `standard + pca`.
    pub fn new<T: AsRef<str>>(
        imputers: &[T],
        transformers: &[T],
        classifiers: &[T],
    ) -> Result<GridPlan, LearnError> {
        let plan = GridPlan {
            imputers: imputers
                .iter()
                .map(|t| Spec::read(Kind::Imputer, t.as_ref()))
                .collect::<Result<_, _>>()?,
            transformers: transformers
                .iter()
                .map(|t| {
                    t.as_ref()
                        .split('+')
                        .map(|p| Spec::read(Kind::Transformer, p))
                        .collect()
                })
                .collect::<Result<_, _>>()?,
            classifiers: classifiers
                .iter()
                .map(|t| Spec::read(Kind::Classifier, t.as_ref()))
                .collect::<Result<_, _>>()?,
            validation: Validation::folds(5),
            score: Score::Accuracy,
            seed: 0,
        };
        if plan.is_empty() {
            return Err(LearnError::BadPlan(WORDS.say("plan-few")));
        }
        Ok(plan)
    }

    /// The report's grid: 4 imputers, 11 transformers, 11 classifiers, five folds in file order.
    pub fn report() -> GridPlan {
        GridPlan::new(&REPORT_IMPUTERS, &REPORT_TRANSFORMERS, &REPORT_CLASSIFIERS)
            .expect("the report's methods are in the tables")
    }

    /// A grid for a first look: few methods, quick.
    pub fn quick() -> GridPlan {
        GridPlan::new(
            &["mean", "knn:k=3"],
            &["passthrough", "standard", "quantile"],
            &[
                "naive-bayes",
                "tree:depth=10",
                "knn:k=3",
                "svc-rbf",
                "random-forest:trees=50",
            ],
        )
        .expect("the quick grid's methods are in the tables")
    }

    /// How many pipelines.
    pub fn len(&self) -> usize {
        self.imputers.len() * self.transformers.len() * self.classifiers.len()
    }

    /// Nothing to try.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

const REPORT_IMPUTERS: [&str; 4] = ["knn:k=1", "knn:k=3", "mean", "median"];
const REPORT_TRANSFORMERS: [&str; 11] = [
    "passthrough",
    "standard",
    "normalize",
    "kbins:bins=3",
    "variance:threshold=0.5",
    "select:k=3",
    "pca",
    "robust",
    "power",
    "quantile:output=uniform",
    "quantile:output=normal",
];
const REPORT_CLASSIFIERS: [&str; 11] = [
    "naive-bayes:smoothing=1e-9",
    "naive-bayes:smoothing=1e-6",
    "naive-bayes:smoothing=1e-3",
    "tree:depth=2,criterion=gini",
    "tree:depth=10,criterion=gini",
    "tree:depth=2,criterion=entropy",
    "tree:depth=10,criterion=entropy",
    "knn:k=3",
    "svc-linear",
    "svc-rbf:gamma=auto",
    "random-forest:trees=100",
];

/// One line of the leaderboard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Imputer.
    pub imputer: String,
    /// Transformer or chain.
    pub transformer: String,
    /// Classifier.
    pub classifier: String,
    /// Mean score over folds.
    pub mean: f64,
    /// Standard deviation over folds (dividing by n).
    pub sd: f64,
    /// The score of each fold.
    pub folds: Vec<f64>,
    /// The 95 % interval of the mean, corrected for folds that share rows.
    pub interval: [f64; 2],
    /// The corrected resampled test against the best line.
    pub p: f64,
    /// Its place in the plan: imputer by transformer by classifier.
    pub place: usize,
    /// The test cannot tell it from the best (at 5 %).
    pub indistinguishable: bool,
}

impl Line {
    /// The pipeline as text.
    pub fn pipeline(&self) -> String {
        format!(
            "{} + {} + {}",
            self.imputer, self.transformer, self.classifier
        )
    }
}

/// A pipeline that could not be fitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The pipeline.
    pub pipeline: String,
    /// Why not.
    pub why: String,
}

/// A grid with its leaderboard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GridResult {
    /// The leaderboard, best first.
    pub pipelines: Vec<Line>,
    /// The place of the best line.
    pub best: usize,
    /// How many lines the test cannot tell from the best, the best included.
    pub indistinguishable: usize,
    /// The score of always naming the most frequent class.
    pub baseline: f64,
    /// Pipelines that could not be fitted.
    pub failed: Vec<Failure>,
    /// How rows were dealt.
    pub validation: Validation,
    /// What the leaderboard is ordered by.
    pub score: Score,
    /// The seed.
    pub seed: u64,
    /// What is worth knowing.
    pub warnings: Vec<Warning>,
    /// Filled in by whoever has a clock.
    pub seconds: Option<f64>,
    /// Somebody stopped it: pipelines that were not through are missing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
    /// Pipelines that were through some folds only when it was stopped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unfinished: Vec<Unfinished>,
    /// How the best fares on rows that were kept aside, where some were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holdout: Option<HeldOut>,
}

/// A pipeline that was stopped between its folds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unfinished {
    /// Imputer.
    pub imputer: String,
    /// Transformer or chain.
    pub transformer: String,
    /// Classifier.
    pub classifier: String,
    /// The mean score of the folds it was through.
    pub mean: f64,
    /// Their scores.
    pub folds: Vec<f64>,
}

/// A score, or why there is none.
pub(crate) type Outcome = Result<f64, String>;

/// Runs a grid. One that is stopped gives the leaderboard of the pipelines that went through every
/// fold by then and the scores of the folds that others were through, and says so. Where none was
/// through every fold, the leaderboard has those that were through the most; it is
/// [`LearnError::Stopped`] only where no fold was done.
pub fn grid(
    data: &Dataset,
    plan: &GridPlan,
    control: &Control<'_>,
) -> Result<GridResult, LearnError> {
    if plan.is_empty() {
        return Err(LearnError::BadPlan(WORDS.say("plan-few")));
    }
    let folds = plan.validation.deal(&data.y, plan.seed)?;
    let outcomes = all_outcomes(data, plan, &folds, test_to_train(&folds), control);
    if control.stopped() && outcomes.iter().all(Vec::is_empty) {
        return Err(LearnError::Stopped);
    }
    leaderboard(data, plan, &folds, &outcomes)
}

/// The leaderboard of all pipelines that went through every fold. A pipeline with fewer outcomes
/// than folds was stopped: it is among the unfinished, unless nothing else is there.
pub(crate) fn leaderboard(
    data: &Dataset,
    plan: &GridPlan,
    folds: &[Fold],
    outcomes: &[Vec<Outcome>],
) -> Result<GridResult, LearnError> {
    let ratio = test_to_train(folds);
    // Every fold, or as many as the farthest was through.
    let enough = outcomes.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let mut lines = Vec::with_capacity(plan.len());
    let (mut failed, mut unfinished) = (Vec::new(), Vec::new());
    for (at, scores) in outcomes.iter().enumerate().filter(|(_, s)| !s.is_empty()) {
        let pipeline = plan.pipeline(at);
        let (imputer, transformer) = (pipeline.imputer.to_string(), pipeline.transformer());
        let classifier = pipeline.classifier.to_string();
        let folds: Result<Vec<f64>, &String> = scores.iter().map(|s| s.as_ref().copied()).collect();
        match folds {
            Ok(folds) if folds.len() < enough => unfinished.push(Unfinished {
                imputer,
                transformer,
                classifier,
                mean: mean(&folds),
                folds,
            }),
            Ok(folds) => lines.push(Line {
                imputer,
                transformer,
                classifier,
                mean: mean(&folds),
                sd: population_sd(&folds),
                interval: score_interval(&folds, ratio),
                folds,
                p: 1.0,
                place: at,
                indistinguishable: true,
            }),
            Err(why) => {
                failed.push(Failure {
                    pipeline: pipeline.to_string(),
                    why: why.clone(),
                });
            }
        }
    }
    if lines.is_empty() {
        return Err(LearnError::BadPlan(match failed.first() {
            Some(first) => WORDS.say("plan-none-fitted").with("why", &first.why),
            None => WORDS.say("plan-stopped-early"),
        }));
    }
    lines.sort_by(|a, b| b.mean.total_cmp(&a.mean));
    let best = lines[0].folds.clone();
    for line in &mut lines {
        let gaps: Vec<f64> = best.iter().zip(&line.folds).map(|(b, s)| b - s).collect();
        line.p = resampled(&gaps, ratio).p;
        line.indistinguishable = line.p >= 0.05;
    }
    let baseline = baseline(data, folds, plan.score);
    let mut warnings = honesty::warnings(data, folds);
    let rows = share_of(lines[0].mean, folds, plan.score);
    if enough == folds.len() && !honesty::learned(lines[0].interval, rows, baseline) {
        warnings.push(Warning::new(&WORDS.say("warn-nothing-learned")));
    }
    let through = |o: &&Vec<Outcome>| o.len() == folds.len();
    let tried = outcomes.iter().filter(through).count();
    if tried < outcomes.len() {
        let says = WORDS.say("warn-stopped").with("tried", tried);
        warnings.push(Warning::new(&says.with("all", outcomes.len())));
    }
    if enough < folds.len() {
        let says = WORDS.say("warn-some-folds").with("done", enough);
        warnings.push(Warning::new(&says.with("folds", folds.len())));
    }
    unfinished.sort_by(|a, b| b.mean.total_cmp(&a.mean));
    Ok(GridResult {
        indistinguishable: lines.iter().filter(|l| l.indistinguishable).count(),
        pipelines: lines,
        best: 0,
        baseline,
        failed,
        validation: plan.validation,
        score: plan.score,
        seed: plan.seed,
        warnings,
        seconds: None,
        stopped: tried < outcomes.len(),
        unfinished,
        holdout: None,
    })
}

/// The interval of a share of all tested rows; of another score nothing is known row by row.
fn share_of(mean: f64, folds: &[Fold], score: Score) -> [f64; 2] {
    if score != Score::Accuracy {
        return [0.0, 1.0];
    }
    // Repeats ask about the same rows again: they count once.
    let tested: usize = folds.iter().map(|f| f.test.len()).sum();
    let rows = folds.first().map_or(0, |f| f.train.len() + f.test.len());
    let rows = rows.min(tested);
    share((mean * rows as f64).round() as usize, rows).interval
}

impl GridPlan {
    /// The imputers that differ on this data: without gaps none does anything, and one stands for
    /// all.
    pub fn needed_imputers(&self, data: &Dataset) -> &[Spec] {
        let needed = if data.missing() == 0 { 1 } else { usize::MAX };
        &self.imputers[..needed.min(self.imputers.len())]
    }

    /// The table's cell for a place of the grid.
    pub(crate) fn cell(&self, at: usize, scores: &[f64], ratio: f64) -> Cell {
        let pipeline = self.pipeline(at);
        Cell {
            place: at,
            row: format!("{} + {}", pipeline.imputer, pipeline.transformer()),
            column: pipeline.classifier.to_string(),
            value: mean(scores),
            interval: score_interval(scores, ratio),
        }
    }

    /// The pipeline at a place of the grid: imputer by transformer by classifier.
    pub(crate) fn pipeline(&self, at: usize) -> Pipeline {
        let (c, rest) = (at % self.classifiers.len(), at / self.classifiers.len());
        let (t, i) = (
            rest % self.transformers.len(),
            rest / self.transformers.len(),
        );
        Pipeline {
            imputer: self.imputers[i].clone(),
            transformers: self.transformers[t].clone(),
            classifier: self.classifiers[c].clone(),
        }
    }
}

/// The score of every pipeline in every fold.
fn all_outcomes(
    data: &Dataset,
    plan: &GridPlan,
    folds: &[Fold],
    ratio: f64,
    control: &Control<'_>,
) -> Vec<Vec<Outcome>> {
    let (t, f, c) = (plan.transformers.len(), folds.len(), plan.classifiers.len());
    let imputers = plan.needed_imputers(data);
    let total = imputers.len() * t * f;
    let done = AtomicUsize::new(0);
    let open: Vec<AtomicUsize> = (0..imputers.len() * t)
        .map(|_| AtomicUsize::new(f))
        .collect();
    // One place for every classifier of every part, so that what is finished when somebody stops
    // the work stays.
    let table: Vec<OnceLock<Outcome>> = (0..total * c).map(|_| OnceLock::new()).collect();
    let work = |filled: &[Filled], at: usize| {
        if control.stopped() {
            return;
        }
        let (block, fold) = (at / f, at % f);
        let part = &filled[fold];
        let (chain, classes) = (&plan.transformers[block % t], data.classes().len());
        let ready = Ready::new(part, chain, classes, control.stop);
        let seed = fold_seed(plan.seed, fold);
        for (class, spec) in plan.classifiers.iter().enumerate() {
            let Some(outcome) = ready.outcome(spec, plan.score, seed) else {
                return;
            };
            let place = &table[at * c + class];
            place.set(outcome).expect("each part is computed once");
        }
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        (control.tell)(&Progress {
            done,
            total,
            cell: None,
        });
        if open[block].fetch_sub(1, Ordering::AcqRel) == 1 {
            for class in 0..c {
                let folds: Option<Vec<f64>> = (0..f)
                    .map(|k| {
                        table[(block * f + k) * c + class]
                            .get()?
                            .as_ref()
                            .ok()
                            .copied()
                    })
                    .collect();
                if let Some(scores) = folds {
                    let cell = plan.cell(block * c + class, &scores, ratio);
                    (control.tell)(&Progress {
                        done,
                        total,
                        cell: Some(cell),
                    });
                }
            }
        }
    };
    // One imputer after the other, those that compare all rows last: filling every fold in every
    // way first would leave nothing to somebody who stops it soon.
    let mut order: Vec<usize> = (0..imputers.len()).collect();
    order.sort_by_key(|&i| imputers[i].name() == "knn");
    for i in order {
        let fill = |fold: &Fold| Filled::new(data, &imputers[i], fold, control.stop);
        let filled: Vec<Filled> = folds.par_iter().map(fill).collect();
        let own = i * t * f..(i + 1) * t * f;
        own.into_par_iter().for_each(|at| work(&filled, at));
    }
    // A pipeline that is not through all folds keeps those that it is through.
    (0..plan.len())
        .map(|at| {
            let (class, rest) = (at % c, at / c);
            let (i, t_at) = ((rest / t).min(imputers.len() - 1), rest % t);
            let part = |fold: usize| ((i * t + t_at) * f + fold) * c + class;
            (0..f)
                .filter_map(|fold| table[part(fold)].get().cloned())
                .collect()
        })
        .collect()
}
