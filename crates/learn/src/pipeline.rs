//! A fitted pipeline: imputer, transformers, classifier.

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use crate::classify::{Classifier, Prepared, Told};
use crate::control::{NEVER, go_on};
use crate::error::LearnError;
use crate::impute::Imputer;
use crate::matrix::Matrix;
use crate::spec::{Pipeline, Spec};
use crate::transform::Transformer;

/// Fitted steps in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fitted {
    /// Fills gaps.
    pub imputer: Imputer,
    /// Change features.
    pub transformers: Vec<Transformer>,
    /// Predicts.
    pub classifier: Classifier,
}

impl Fitted {
    /// Fits every step on the same training rows.
    pub fn fit(
        pipeline: &Pipeline,
        x: &Matrix,
        y: &[u32],
        classes: usize,
        seed: u64,
    ) -> Result<Fitted, LearnError> {
        Fitted::fit_until(pipeline, x, y, classes, seed, &NEVER)
    }

    /// The same, unless somebody raises the flag.
    pub fn fit_until(
        pipeline: &Pipeline,
        x: &Matrix,
        y: &[u32],
        classes: usize,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<Fitted, LearnError> {
        let imputer = Imputer::fit(&pipeline.imputer, x);
        let full = imputer.apply_unless_stopped(x, stop);
        let (transformers, changed) = fit_chain(&pipeline.transformers, full, y, stop)?;
        let rows = Prepared::until(changed, y.to_vec(), classes, stop);
        let classifier = Classifier::fit(&pipeline.classifier, &rows, seed)?;
        Ok(Fitted {
            imputer,
            transformers,
            classifier,
        })
    }

    /// The rows as the classifier sees them.
    pub fn prepare(&self, x: &Matrix) -> Matrix {
        apply_chain(&self.transformers, self.imputer.apply(x))
    }

    /// The class of every row.
    pub fn predict(&self, x: &Matrix) -> Vec<u32> {
        self.classifier.predict(&self.prepare(x))
    }

    /// The class of every row, unless somebody raises the flag.
    pub(crate) fn predict_unless_stopped(
        &self,
        x: &Matrix,
        stop: &AtomicBool,
    ) -> Result<Vec<u32>, LearnError> {
        Ok(self.answers_unless_stopped(x, stop)?.0)
    }

    /// The class of every row and, where the classifier has them, the probabilities, unless
    /// somebody raises the flag.
    pub(crate) fn answers_unless_stopped(
        &self,
        x: &Matrix,
        stop: &AtomicBool,
    ) -> Result<Told, LearnError> {
        let full = self.imputer.apply_unless_stopped(x, stop);
        let rows = apply_chain(&self.transformers, full);
        self.classifier.answers_unless_stopped(&rows, stop)
    }

    /// The probabilities of every row, where the classifier has them.
    pub fn probabilities(&self, x: &Matrix) -> Option<Vec<Vec<f64>>> {
        self.classifier.probabilities(&self.prepare(x))
    }
}

/// Fits transformers one after the other; gives them and the rows they make of these.
pub(crate) fn fit_chain(
    chain: &[Spec],
    mut x: Matrix,
    y: &[u32],
    stop: &AtomicBool,
) -> Result<(Vec<Transformer>, Matrix), LearnError> {
    let mut fitted = Vec::with_capacity(chain.len());
    for spec in chain {
        go_on(stop)?;
        let step = Transformer::fit_until(spec, &x, y, stop);
        // A fit that was cut short may also say that it could not be done.
        go_on(stop)?;
        let step = step?;
        x = step.apply(&x);
        fitted.push(step);
    }
    Ok((fitted, x))
}

pub(crate) fn apply_chain(chain: &[Transformer], mut x: Matrix) -> Matrix {
    for step in chain {
        x = step.apply(&x);
    }
    x
}
