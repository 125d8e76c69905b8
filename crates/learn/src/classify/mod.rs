//! Classifiers: fitted on prepared training rows, then asked for classes and probabilities.

mod bayes;
mod boost;
mod calibrate;
mod discriminant;
mod duel;
mod features;
mod forest;
mod gaussian;
mod grow;
mod kernel;
mod linear_svc;
mod logistic;
mod nearest;
mod neighbours;
mod tree;

pub use bayes::Bayes;
pub use boost::Boosting;
pub use calibrate::{Calibrated, Curve};
pub use discriminant::{Linear, Normal, Quadratic};
pub use features::Features;
pub use forest::Forest;
pub use kernel::KernelSvc;
pub use linear_svc::LinearSvc;
pub use logistic::Logistic;
pub(crate) use nearest::Nearest;
pub use neighbours::Neighbours;
pub use tree::{Node, Tree};

use std::borrow::Cow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::chance::{For, dice};
use crate::control::{NEVER, go_on};
use crate::error::LearnError;
use crate::matrix::Matrix;
use crate::numbers::place_of_max;
use crate::spec::Spec;
use crate::words::WORDS;
use grow::{Growth, Purity};

/// Training rows ready for classifiers: no gaps, transformed, with what several classifiers share.
#[derive(Debug)]
pub struct Prepared<'s> {
    /// The rows.
    pub x: Cow<'s, Matrix>,
    /// Their classes.
    pub y: Vec<u32>,
    /// How many classes there are in all (some may be absent here).
    pub classes: usize,
    sorted: OnceLock<Features>,
    columns: OnceLock<Vec<f64>>,
    stop: &'s AtomicBool,
}

impl Prepared<'static> {
    /// Training rows with their classes.
    pub fn new(x: Matrix, y: Vec<u32>, classes: usize) -> Prepared<'static> {
        Prepared::until(x, y, classes, &NEVER)
    }
}

impl<'s> Prepared<'s> {
    /// Training rows with their classes, and a flag that ends every fit on them.
    pub fn until(x: Matrix, y: Vec<u32>, classes: usize, stop: &'s AtomicBool) -> Prepared<'s> {
        Prepared::over(Cow::Owned(x), y, classes, stop)
    }

    /// The same over rows that belong to somebody else.
    pub fn lent(x: &'s Matrix, y: Vec<u32>, classes: usize) -> Prepared<'s> {
        Prepared::over(Cow::Borrowed(x), y, classes, &NEVER)
    }

    fn over(x: Cow<'s, Matrix>, y: Vec<u32>, classes: usize, stop: &'s AtomicBool) -> Prepared<'s> {
        Prepared {
            x,
            y,
            classes,
            sorted: OnceLock::new(),
            columns: OnceLock::new(),
            stop,
        }
    }

    /// Whether a fit is to end now. What it has learnt by then is thrown away.
    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The columns in sorted order: made once, used by every tree of every classifier.
    pub fn sorted(&self) -> &Features {
        self.sorted
            .get_or_init(|| Features::until(&self.x, self.stop))
    }

    /// The columns one after the other, made once as well.
    pub(crate) fn columns(&self) -> &[f64] {
        self.columns.get_or_init(|| self.x.by_columns())
    }

    /// Rows of each class.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.classes];
        for &c in &self.y {
            counts[c as usize] += 1;
        }
        counts
    }
}

/// Classes of rows and, where there are any, their probabilities.
pub(crate) type Told = (Vec<u32>, Option<Vec<Vec<f64>>>);

/// A classifier that has seen its training rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub enum Classifier {
    /// Always the same answer.
    Majority {
        /// The share of each class.
        shares: Vec<f64>,
    },
    /// Gaussian naive Bayes.
    NaiveBayes(Bayes),
    /// One decision tree.
    Tree(Tree),
    /// Nearest neighbours.
    Neighbours(Neighbours),
    /// Linear support vector machine.
    LinearSvc(LinearSvc),
    /// Support vector machine with Gaussian kernel.
    KernelSvc(KernelSvc),
    /// Random forest or extra-trees.
    Forest(Forest),
    /// Gradient boosting.
    Boosting(Boosting),
    /// Logistic regression.
    Logistic(Logistic),
    /// Linear discriminant analysis.
    Linear(Linear),
    /// Quadratic discriminant analysis.
    Quadratic(Quadratic),
    /// Another one with calibrated probabilities.
    Calibrated(Calibrated),
}

impl Classifier {
    /// Learns. The same seed gives the same classifier, whatever the number of threads.
    ///
    /// # Errors
    ///
    /// Where there are no rows, and [`LearnError::Stopped`] soon after the flag was raised.
    pub fn fit(spec: &Spec, rows: &Prepared<'_>, seed: u64) -> Result<Classifier, LearnError> {
        let fitted = Classifier::fit_unless_stopped(spec, rows, seed);
        // A fit that was cut short may also say that it could not be done.
        go_on(rows.stop)?;
        fitted
    }

    fn fit_unless_stopped(
        spec: &Spec,
        rows: &Prepared<'_>,
        seed: u64,
    ) -> Result<Classifier, LearnError> {
        if rows.y.is_empty() {
            return Err(LearnError::CannotFit {
                step: spec.to_string(),
                why: WORDS.say("fit-no-rows"),
            });
        }
        let cannot = |why| LearnError::CannotFit {
            step: spec.to_string(),
            why,
        };
        let calibrated = spec.word_if_any("calibrate").unwrap_or("none");
        if calibrated != "none" {
            let isotonic = calibrated == "isotonic";
            let fitted = Calibrated::fit(spec, rows, isotonic, seed)?;
            return Ok(Classifier::Calibrated(fitted));
        }
        Ok(match spec.name() {
            "logistic" => Classifier::Logistic(Logistic::fit(rows, spec.real("c"))),
            "lda" => Classifier::Linear(Linear::fit(rows).map_err(cannot)?),
            "qda" => {
                let fitted = Quadratic::fit(rows, spec.real("shrink")).map_err(cannot)?;
                Classifier::Quadratic(fitted)
            }
            "majority" => {
                let n = rows.y.len() as f64;
                let shares = rows.counts().iter().map(|&c| c as f64 / n).collect();
                Classifier::Majority { shares }
            }
            "naive-bayes" => Classifier::NaiveBayes(Bayes::fit(rows, spec.real("smoothing"))),
            "tree" => {
                let mut growth = growth(spec, rows);
                growth.random_thresholds = spec.word("splitter") == "random";
                growth.features = rows.x.columns();
                let mut dice = dice(seed, For::Fit, 0);
                Classifier::Tree(Tree::grow(rows, None, &growth, &mut dice))
            }
            "knn" => Classifier::Neighbours(Neighbours::fit(
                rows,
                spec.whole("k"),
                spec.word("weights") == "distance",
            )),
            "svc-linear" => Classifier::LinearSvc(LinearSvc::fit(rows, spec.real("c"))),
            "svc-rbf" => Classifier::KernelSvc(KernelSvc::fit(
                rows,
                spec.real("c"),
                match spec.real_or_word("gamma") {
                    Ok(gamma) => gamma,
                    Err(word) => kernel::gamma(&rows.x, word == "scale"),
                },
            )),
            "random-forest" => Classifier::Forest(Forest::fit(
                rows,
                spec.whole("trees"),
                true,
                &growth(spec, rows),
                seed,
            )),
            "extra-trees" => {
                let mut growth = growth(spec, rows);
                growth.random_thresholds = true;
                Classifier::Forest(Forest::fit(rows, spec.whole("trees"), false, &growth, seed))
            }
            "boosting" => Classifier::Boosting(Boosting::fit(
                rows,
                &boost::Plan {
                    rounds: spec.whole("trees"),
                    rate: spec.real("rate"),
                    depth: spec.whole("depth"),
                    share: spec.real("share"),
                },
                seed,
            )),
            other => unreachable!("`{other}` is not in the table of classifiers"),
        })
    }

    /// The class of every row, a few hundred rows at a time: asking thousands of neighbours about
    /// thousands of rows takes as long as any fit.
    pub(crate) fn predict_unless_stopped(
        &self,
        x: &Matrix,
        stop: &AtomicBool,
    ) -> Result<Vec<u32>, LearnError> {
        let mut all = Vec::with_capacity(x.rows());
        for start in (0..x.rows()).step_by(PART) {
            if stop.load(Ordering::Relaxed) {
                return Err(LearnError::Stopped);
            }
            let rows: Vec<usize> = (start..x.rows().min(start + PART)).collect();
            all.extend(self.predict(&x.pick(&rows)));
        }
        Ok(all)
    }

    /// Class and probabilities of every row in one pass, a few hundred rows at a time.
    pub(crate) fn answers_unless_stopped(
        &self,
        x: &Matrix,
        stop: &AtomicBool,
    ) -> Result<Told, LearnError> {
        let mut all = Vec::with_capacity(x.rows());
        for start in (0..x.rows()).step_by(PART) {
            if stop.load(Ordering::Relaxed) {
                return Err(LearnError::Stopped);
            }
            let rows: Vec<usize> = (start..x.rows().min(start + PART)).collect();
            match self.probabilities(&x.pick(&rows)) {
                Some(shares) => all.extend(shares),
                None => return Ok((self.predict_unless_stopped(x, stop)?, None)),
            }
        }
        let classes = all.iter().map(|p| place_of_max(p) as u32).collect();
        Ok((classes, Some(all)))
    }

    /// The class of every row.
    pub fn predict(&self, x: &Matrix) -> Vec<u32> {
        match self {
            Classifier::LinearSvc(svc) => svc.predict(x),
            Classifier::KernelSvc(svc) => svc.predict(x),
            Classifier::Majority { shares } => vec![place_of_max(shares) as u32; x.rows()],
            _ => self
                .probabilities(x)
                .expect("every classifier but the support vector machines has probabilities")
                .iter()
                .map(|p| place_of_max(p) as u32)
                .collect(),
        }
    }

    /// The probability of each class for every row; `None` for support vector machines, which
    /// have none.
    pub fn probabilities(&self, x: &Matrix) -> Option<Vec<Vec<f64>>> {
        match self {
            Classifier::Majority { shares } => Some(vec![shares.clone(); x.rows()]),
            Classifier::NaiveBayes(bayes) => Some(bayes.probabilities(x)),
            Classifier::Tree(tree) => Some((0..x.rows()).map(|i| tree.shares(x.row(i))).collect()),
            Classifier::Neighbours(knn) => Some(knn.probabilities(x)),
            Classifier::LinearSvc(_) | Classifier::KernelSvc(_) => None,
            Classifier::Forest(forest) => Some(forest.probabilities(x)),
            Classifier::Boosting(boosting) => Some(boosting.probabilities(x)),
            Classifier::Logistic(logistic) => Some(logistic.probabilities(x)),
            Classifier::Linear(linear) => Some(linear.probabilities(x)),
            Classifier::Quadratic(quadratic) => Some(quadratic.probabilities(x)),
            Classifier::Calibrated(calibrated) => Some(calibrated.probabilities(x)),
        }
    }

    /// What a curve can make probabilities of, as scikit-learn takes it: margins or raw scores
    /// where a classifier has them, probabilities otherwise; one per class, or one in all, for
    /// the second, where there are two classes.
    pub(crate) fn decisions(&self, x: &Matrix) -> Vec<Vec<f64>> {
        let scores = match self {
            Classifier::LinearSvc(svc) => (0..x.rows()).map(|i| svc.margins(x.row(i))).collect(),
            Classifier::KernelSvc(svc) => svc.decisions(x),
            Classifier::Boosting(boosting) => boosting.raw(x),
            Classifier::Logistic(logistic) => logistic.scores(x),
            Classifier::Linear(linear) => differences(linear.scores(x)),
            Classifier::Quadratic(quadratic) => differences(quadratic.scores(x)),
            _ => self
                .probabilities(x)
                .expect("every classifier but the support vector machines has probabilities"),
        };
        let second = |scores: Vec<f64>| match scores[..] {
            [_, second] => vec![second],
            _ => scores,
        };
        scores.into_iter().map(second).collect()
    }
}

/// Of two classes' scores only the difference counts.
fn differences(scores: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let one = |scores: Vec<f64>| match scores[..] {
        [first, second] => vec![second - first],
        _ => scores,
    };
    scores.into_iter().map(one).collect()
}

/// Rows that are predicted between two looks at the flag.
pub(crate) const PART: usize = 256;

fn growth(spec: &Spec, rows: &Prepared<'_>) -> Growth {
    let p = rows.x.columns();
    let has = |name: &str| {
        crate::spec::methods(spec.kind())
            .iter()
            .any(|m| m.name == spec.name() && m.params.iter().any(|q| q.name == name))
    };
    let features = if has("features") {
        match spec.whole_or_word("features") {
            Ok(n) => n.min(p),
            Err("sqrt") => ((p as f64).sqrt() as usize).max(1),
            Err("log2") => (libm::log2(p as f64) as usize).max(1),
            Err(_) => p,
        }
    } else {
        p
    };
    Growth {
        purity: if spec.word("criterion") == "entropy" {
            Purity::Entropy
        } else {
            Purity::Gini
        },
        depth: spec.whole_or_word("depth").unwrap_or(usize::MAX),
        min_split: spec.whole("min_split"),
        min_leaf: spec.whole("min_leaf"),
        features,
        random_thresholds: false,
    }
}
