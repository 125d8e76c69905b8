//! Checks that the parts of a model read from a file fit together, so that a damaged or forged
//! file gives a sentence and never a panic.

use crate::classify::Classifier;
use crate::impute::Imputer;
use crate::pipeline::Fitted;
use crate::transform::Transformer;

impl Fitted {
    /// Checks every step against the number of features and classes.
    pub(crate) fn check(&self, features: usize, classes: usize) -> Result<(), String> {
        if classes == 0 {
            return Err("it knows no classes".to_owned());
        }
        match &self.imputer {
            Imputer::Constant { values } => exactly("imputer", values.len(), features)?,
            Imputer::Neighbours { k, rows, otherwise } => {
                exactly("imputer", otherwise.len(), features)?;
                at_least("imputer", *k, 1)?;
                rows.iter()
                    .try_for_each(|r| exactly("imputer", r.len(), features))?;
            }
        }
        let mut width = features;
        for step in &self.transformers {
            width = transformed(step, width)?;
        }
        at_least("transformer", width, 1)?;
        classifier(&self.classifier, width, classes)
    }
}

fn exactly(what: &str, found: usize, expected: usize) -> Result<(), String> {
    if found == expected {
        Ok(())
    } else {
        Err(format!(
            "its {what} is made for {found} columns where there are {expected}"
        ))
    }
}

fn at_least(what: &str, found: usize, least: usize) -> Result<(), String> {
    if found >= least {
        Ok(())
    } else {
        Err(format!("its {what} is damaged"))
    }
}

fn transformed(step: &Transformer, width: usize) -> Result<usize, String> {
    let what = "transformer";
    match step {
        Transformer::Passthrough | Transformer::Normalize => {}
        Transformer::Scale(scale) => {
            exactly(what, scale.centre.len(), width)?;
            exactly(what, scale.width.len(), width)?;
        }
        Transformer::Bins(bins) => {
            exactly(what, bins.edges.len(), width)?;
            bins.edges
                .iter()
                .try_for_each(|e| at_least(what, e.len(), 1))?;
            if bins.onehot {
                return Ok((0..width).map(|j| bins.count(j)).sum());
            }
        }
        Transformer::Keep { columns } => {
            columns
                .iter()
                .try_for_each(|&j| at_least(what, width, j + 1))?;
            return Ok(columns.len());
        }
        Transformer::Pca(pca) => {
            exactly(what, pca.centre.len(), width)?;
            pca.axes
                .iter()
                .try_for_each(|a| exactly(what, a.len(), width))?;
            return Ok(pca.width());
        }
        Transformer::Power(power) => exactly(what, power.columns.len(), width)?,
        Transformer::Quantile(quantile) => {
            exactly(what, quantile.landmarks.len(), width)?;
            let marks = quantile.landmarks.first().map_or(0, Vec::len);
            at_least(what, marks, 1)?;
            quantile
                .landmarks
                .iter()
                .try_for_each(|m| exactly(what, m.len(), marks))?;
        }
    }
    Ok(width)
}

/// Weights and an intercept each, or nothing.
fn planes(planes: &[Vec<f64>], width: usize) -> Result<(), String> {
    let mut known = planes.iter().filter(|p| !p.is_empty());
    known.try_for_each(|p| exactly("classifier", p.len(), width + 1))
}

fn classifier(classifier: &Classifier, width: usize, classes: usize) -> Result<(), String> {
    let what = "classifier";
    match classifier {
        Classifier::Majority { shares } => exactly(what, shares.len(), classes),
        Classifier::NaiveBayes(bayes) => {
            exactly(what, bayes.priors.len(), classes)?;
            exactly(what, bayes.means.len(), classes)?;
            exactly(what, bayes.variances.len(), classes)?;
            bayes
                .means
                .iter()
                .chain(&bayes.variances)
                .try_for_each(|row| exactly(what, row.len(), width))
        }
        Classifier::Tree(tree) => tree.check(width, classes),
        Classifier::Neighbours(near) => near.check(width, classes),
        Classifier::LinearSvc(svc) => {
            exactly(what, svc.planes.len(), classes)?;
            planes(&svc.planes, width)
        }
        Classifier::KernelSvc(svc) => svc.check(width, classes),
        Classifier::Forest(forest) => {
            at_least(what, forest.trees.len(), 1)?;
            forest
                .trees
                .iter()
                .try_for_each(|t| t.check(width, classes))
        }
        Classifier::Boosting(boosting) => boosting.check(width, classes),
        Classifier::Logistic(logistic) => {
            let scores = if classes == 2 { 1 } else { classes };
            exactly(what, logistic.planes.len(), scores)?;
            exactly(what, logistic.classes, classes)?;
            at_least(what, classes, logistic.only.map_or(0, |c| c as usize + 1))?;
            planes(&logistic.planes, width)
        }
        Classifier::Linear(linear) => {
            exactly(what, linear.planes.len(), classes)?;
            planes(&linear.planes, width)
        }
        Classifier::Quadratic(quadratic) => {
            exactly(what, quadratic.classes.len(), classes)?;
            quadratic.classes.iter().flatten().try_for_each(|normal| {
                exactly(what, normal.mean.len(), width)?;
                let mut axes = normal.axes.iter();
                axes.try_for_each(|axis| exactly(what, axis.len(), width))
            })
        }
        Classifier::Calibrated(calibrated) => {
            at_least(what, usize::from(calibrated.is_whole(classes)), 1)?;
            let mut parts = calibrated.parts.iter();
            parts.try_for_each(|(part, _)| self::classifier(part, width, classes))
        }
    }
}
