//! A grid one fit at a time, for a caller that must share its thread with others.
//!
//! The numbers are those of [`crate::grid()`]: every fit takes its seed from its fold. Besides the
//! leaderboard of a whole grid there is one of a grid that was stopped: the pipelines that were
//! through.

use std::sync::atomic::AtomicBool;

use crate::control::{Cell, Control, NEVER, Progress};
use crate::cross::fold_seed;
use crate::dataset::Dataset;
use crate::error::LearnError;
use crate::grid::{GridPlan, GridResult, Outcome, leaderboard};
use crate::honesty::test_to_train;
use crate::nested::Nested;
use crate::parts::{Filled, Ready};
use crate::split::{Fold, Validation};
use crate::words::WORDS;

/// A grid in the making.
pub struct GridWork {
    data: Dataset,
    plan: GridPlan,
    folds: Vec<Fold>,
    /// The scores of each pipeline so far.
    outcomes: Vec<Vec<Outcome>>,
    /// Fits done.
    done: usize,
    /// The folds as the current imputer fills them.
    filled: Vec<Filled>,
    ready: Option<Ready<'static>>,
    stop: &'static AtomicBool,
}

impl GridWork {
    /// Nothing is fitted yet. Imputers that do nothing on this data are left out of the plan.
    pub fn new(data: Dataset, mut plan: GridPlan) -> Result<GridWork, LearnError> {
        if plan.is_empty() {
            return Err(LearnError::BadPlan(WORDS.say("plan-few")));
        }
        plan.imputers = plan.needed_imputers(&data).to_vec();
        let folds = plan.validation.deal(&data.y, plan.seed)?;
        Ok(GridWork {
            outcomes: vec![Vec::with_capacity(folds.len()); plan.len()],
            data,
            plan,
            folds,
            done: 0,
            filled: Vec::new(),
            ready: None,
            stop: &NEVER,
        })
    }

    /// The same work, whose fits end early once the flag is raised.
    pub fn with_stop(self, stop: &'static AtomicBool) -> GridWork {
        GridWork { stop, ..self }
    }

    /// The plan that is followed.
    pub fn plan(&self) -> &GridPlan {
        &self.plan
    }

    /// Fits in all.
    pub fn total(&self) -> usize {
        self.plan.len() * self.folds.len()
    }

    /// One fit more; nothing once all are done or the flag is raised. The cell is that of a pipeline now through all
    /// folds.
    pub fn step(&mut self) -> Option<Progress> {
        if self.done == self.total() {
            return None;
        }
        // Imputer, transformer, fold, classifier, the last changing fastest.
        let (classifiers, folds) = (self.plan.classifiers.len(), self.folds.len());
        let (class, rest) = (self.done % classifiers, self.done / classifiers);
        let (fold, block) = (rest % folds, rest / folds);
        let transformers = self.plan.transformers.len();
        let (chain, imputer) = (block % transformers, block / transformers);
        if class == 0 {
            self.prepare(imputer, chain, fold);
        }
        let spec = &self.plan.classifiers[class];
        let seed = fold_seed(self.plan.seed, fold);
        let ready = self.ready.as_ref();
        let ready = ready.expect("the first classifier of a part has prepared it");
        let outcome = ready.outcome(spec, self.plan.score, seed);
        // A fit that was cut short says nothing about its pipeline.
        let outcome = outcome?;
        let at = block * classifiers + class;
        self.outcomes[at].push(outcome);
        self.done += 1;
        Some(Progress {
            done: self.done,
            total: self.total(),
            cell: self.cell(at),
        })
    }

    fn prepare(&mut self, imputer: usize, chain: usize, fold: usize) {
        // All transformers of an imputer share its folds: they are filled under the first.
        if chain == 0 {
            self.filled.truncate(fold);
            let spec = &self.plan.imputers[imputer];
            let filled = Filled::new(&self.data, spec, &self.folds[fold], self.stop);
            self.filled.push(filled);
        }
        let (chain, classes) = (&self.plan.transformers[chain], self.data.classes().len());
        self.ready = Some(Ready::new(&self.filled[fold], chain, classes, self.stop));
    }

    fn cell(&self, at: usize) -> Option<Cell> {
        let scores = &self.outcomes[at];
        if scores.len() < self.folds.len() {
            return None;
        }
        let scores: Result<Vec<f64>, _> = scores.iter().cloned().collect();
        let ratio = test_to_train(&self.folds);
        scores.ok().map(|s| self.plan.cell(at, &s, ratio))
    }

    /// The leaderboard of the pipelines that are through all folds.
    pub fn finish(&self) -> Result<GridResult, LearnError> {
        leaderboard(&self.data, &self.plan, &self.folds, &self.outcomes)
    }
}

/// Nested cross-validation in the making: one grid after the other.
pub struct NestedWork {
    data: Dataset,
    plan: GridPlan,
    folds: Vec<Fold>,
    fold: usize,
    inside: Option<GridWork>,
    found: Nested,
    done: usize,
    stop: &'static AtomicBool,
}

impl NestedWork {
    /// Nothing is fitted yet.
    pub fn new(data: Dataset, plan: GridPlan, outer: Validation) -> Result<NestedWork, LearnError> {
        Ok(NestedWork {
            folds: outer.deal(&data.y, plan.seed)?,
            data,
            plan,
            fold: 0,
            inside: None,
            found: Nested::empty(),
            done: 0,
            stop: &NEVER,
        })
    }

    /// The same work, whose fits end early once the flag is raised.
    pub fn with_stop(self, stop: &'static AtomicBool) -> NestedWork {
        NestedWork { stop, ..self }
    }

    /// One fit more; nothing once all are done or the flag is raised.
    pub fn step(&mut self) -> Result<Option<Progress>, LearnError> {
        let Some(fold) = self.folds.get(self.fold) else {
            return Ok(None);
        };
        let inside = match &mut self.inside {
            Some(inside) => inside,
            empty => empty.insert(
                GridWork::new(self.data.pick(&fold.train), self.plan.clone())?.with_stop(self.stop),
            ),
        };
        let total = inside.total() * self.folds.len();
        if inside.step().is_none() {
            return Ok(None);
        }
        self.done += 1;
        if inside.done == inside.total() {
            let best = inside.finish()?.pipelines.swap_remove(0);
            let place = (self.fold, fold);
            let control = Control {
                stop: self.stop,
                ..Control::quiet()
            };
            let judged = self
                .found
                .judge(&self.data, &self.plan, place, &best, &control);
            if judged == Err(LearnError::Stopped) {
                return Ok(None);
            }
            judged?;
            self.inside = None;
            self.fold += 1;
        }
        Ok(Some(Progress {
            done: self.done,
            total,
            cell: None,
        }))
    }

    /// What was found, once all outer folds are done.
    pub fn finish(mut self) -> Nested {
        self.found.sum_up(&self.folds);
        self.found
    }
}
