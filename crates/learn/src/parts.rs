//! The shared parts of a grid: a fold filled once per imputer, and made ready once per transformer.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::classify::{Classifier, Prepared};
use crate::dataset::Dataset;
use crate::grid::Outcome;
use crate::impute::Imputer;
use crate::matrix::Matrix;
use crate::metrics::Score;
use crate::pipeline::{apply_chain, fit_chain};
use crate::spec::Spec;
use crate::split::Fold;

/// A fold with its gaps filled.
pub(crate) struct Filled {
    train: Matrix,
    test: Matrix,
    train_y: Vec<u32>,
    test_y: Vec<u32>,
}

impl Filled {
    /// Fits the imputer on the training part and fills both.
    pub(crate) fn new(data: &Dataset, spec: &Spec, fold: &Fold, stop: &AtomicBool) -> Filled {
        let train = data.x.pick(&fold.train);
        let imputer = Imputer::fit(spec, &train);
        Filled {
            test: imputer.apply_unless_stopped(&data.x.pick(&fold.test), stop),
            train: imputer.apply_unless_stopped(&train, stop),
            train_y: fold.train.iter().map(|&i| data.y[i]).collect(),
            test_y: fold.test.iter().map(|&i| data.y[i]).collect(),
        }
    }
}

/// A filled fold as classifiers see it, or why it cannot be transformed.
pub(crate) struct Ready<'s> {
    rows: Result<(Prepared<'s>, Matrix), String>,
    stop: &'s AtomicBool,
    test_y: Vec<u32>,
    classes: usize,
}

impl<'s> Ready<'s> {
    /// Fits the transformers on the training part and changes both.
    pub(crate) fn new(
        part: &Filled,
        chain: &[Spec],
        classes: usize,
        stop: &'s AtomicBool,
    ) -> Ready<'s> {
        let fitted = fit_chain(chain, part.train.clone(), &part.train_y, stop);
        let rows = fitted.map_err(|why| why.to_string()).map(|(chain, x)| {
            let test = apply_chain(&chain, part.test.clone());
            (
                Prepared::until(x, part.train_y.clone(), classes, stop),
                test,
            )
        });
        Ready {
            rows,
            stop,
            test_y: part.test_y.clone(),
            classes,
        }
    }

    /// Fits one classifier and asks it about the test part; nothing if it was stopped.
    pub(crate) fn outcome(&self, spec: &Spec, score: Score, seed: u64) -> Option<Outcome> {
        let (rows, test) = match &self.rows {
            Ok(ready) => ready,
            Err(why) => return (!self.stopped()).then(|| Err(why.clone())),
        };
        let predicted = Classifier::fit(spec, rows, seed)
            .and_then(|fitted| fitted.predict_unless_stopped(test, self.stop));
        // Whatever was found while somebody raised the flag may be half of an answer.
        if self.stopped() {
            return None;
        }
        let predicted = predicted.map_err(|e| e.to_string());
        Some(predicted.map(|predicted| score.of(&self.test_y, &predicted, self.classes)))
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
