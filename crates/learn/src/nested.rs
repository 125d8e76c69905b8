//! Nested cross-validation: what choosing the best of a grid really gives on rows it never saw.

use serde::{Deserialize, Serialize};

use crate::control::Control;
use crate::cross::{answer, fold_seed};
use crate::dataset::Dataset;
use crate::error::LearnError;
use crate::grid::{GridPlan, Line, grid};
use crate::honesty::{score_interval, test_to_train};
use crate::numbers::mean;
use crate::spec::Pipeline;
use crate::split::{Fold, Validation};

/// What choosing the best of a grid really gives on rows it never saw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Nested {
    /// The chosen pipeline of each outer fold.
    pub winners: Vec<String>,
    /// Its score on the inner folds, where it was chosen.
    pub inner: Vec<f64>,
    /// Its score on the outer fold, which the choice never saw.
    pub outer: Vec<f64>,
    /// The mean of the outer scores.
    pub mean: f64,
    /// Its 95 % interval, corrected for folds that share rows.
    pub interval: [f64; 2],
    /// Mean inner score minus mean outer score: how much the winner's own score flatters it.
    pub optimism: f64,
}

/// Nested cross-validation (Stone 1974): the whole choice is repeated inside every outer training
/// part.
pub fn nested(
    data: &Dataset,
    plan: &GridPlan,
    outer: Validation,
    control: &Control<'_>,
) -> Result<Nested, LearnError> {
    let folds = outer.deal(&data.y, plan.seed)?;
    let mut result = Nested::empty();
    for (f, fold) in folds.iter().enumerate() {
        let inside = data.pick(&fold.train);
        let mut found = grid(&inside, plan, control)?;
        // The best of a grid that was not tried to its end is no winner.
        control.go_on()?;
        let best = found.pipelines.swap_remove(0);
        result.judge(data, plan, (f, fold), &best, control)?;
    }
    result.sum_up(&folds);
    Ok(result)
}

impl Nested {
    /// Before the first outer fold.
    pub(crate) fn empty() -> Nested {
        Nested {
            winners: Vec::new(),
            inner: Vec::new(),
            outer: Vec::new(),
            mean: 0.0,
            interval: [0.0, 1.0],
            optimism: 0.0,
        }
    }

    /// Asks the winner of an outer training part about the rows left out.
    pub(crate) fn judge(
        &mut self,
        data: &Dataset,
        plan: &GridPlan,
        (f, fold): (usize, &Fold),
        best: &Line,
        control: &Control<'_>,
    ) -> Result<(), LearnError> {
        let pipeline: Pipeline = best.pipeline().parse()?;
        let (_, predicted) = answer(&pipeline, data, fold, fold_seed(plan.seed, f), control.stop)?;
        let truth: Vec<u32> = fold.test.iter().map(|&i| data.y[i]).collect();
        let score = plan.score.of(&truth, &predicted, data.classes().len());
        self.outer.push(score);
        self.inner.push(best.mean);
        self.winners.push(best.pipeline());
        Ok(())
    }

    /// After the last outer fold.
    pub(crate) fn sum_up(&mut self, folds: &[Fold]) {
        self.mean = mean(&self.outer);
        self.interval = score_interval(&self.outer, test_to_train(folds));
        self.optimism = mean(&self.inner) - self.mean;
    }
}
