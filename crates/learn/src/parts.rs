//! The shared parts of a grid: a fold filled once per imputer, and made ready once per transformer.

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
    pub(crate) fn new(data: &Dataset, spec: &Spec, fold: &Fold) -> Filled {
        let train = data.x.pick(&fold.train);
        let imputer = Imputer::fit(spec, &train);
        Filled {
            test: imputer.apply(&data.x.pick(&fold.test)),
            train: imputer.apply(&train),
            train_y: fold.train.iter().map(|&i| data.y[i]).collect(),
            test_y: fold.test.iter().map(|&i| data.y[i]).collect(),
        }
    }
}

/// A filled fold as classifiers see it, or why it cannot be transformed.
pub(crate) struct Ready {
    rows: Result<(Prepared, Matrix), String>,
    test_y: Vec<u32>,
    classes: usize,
}

impl Ready {
    /// Fits the transformers on the training part and changes both.
    pub(crate) fn new(part: &Filled, chain: &[Spec], classes: usize) -> Ready {
        let fitted = fit_chain(chain, part.train.clone(), &part.train_y);
        let rows = fitted.map_err(|why| why.to_string()).map(|(chain, x)| {
            let test = apply_chain(&chain, part.test.clone());
            (Prepared::new(x, part.train_y.clone(), classes), test)
        });
        Ready {
            rows,
            test_y: part.test_y.clone(),
            classes,
        }
    }

    /// Fits one classifier and asks it about the test part.
    pub(crate) fn outcome(&self, spec: &Spec, score: Score, seed: u64) -> Outcome {
        let (rows, test) = self.rows.as_ref().map_err(Clone::clone)?;
        let classifier = Classifier::fit(spec, rows, seed).map_err(|e| e.to_string())?;
        Ok(score.of(&self.test_y, &classifier.predict(test), self.classes))
    }
}
