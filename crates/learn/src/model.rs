//! A trained pipeline as one JSON file that predicts anywhere.

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use crate::control::{Control, NEVER};
use crate::dataset::{Dataset, Schema};
use crate::error::LearnError;
use crate::metrics::{Scores, measure};
use crate::pipeline::Fitted;
use crate::spec::Pipeline;
use crate::table::{Table, Warning};
use crate::words::WORDS;

/// What a model file calls itself.
const FORMAT: &str = "wits-learn-model";
/// The version of the format.
const VERSION: u32 = 1;
/// The most bytes of a model file.
const LARGEST: usize = 256 << 20;

/// A trained pipeline with everything it needs to read a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    format: String,
    version: u32,
    /// The program's version that trained it.
    pub made_with: String,
    /// The pipeline, every parameter written out.
    pub pipeline: Pipeline,
    /// Columns and classes.
    pub schema: Schema,
    /// Training rows.
    pub rows: usize,
    /// The training file's fingerprint.
    pub data: String,
    /// The seed.
    pub seed: u64,
    /// The fitted steps.
    pub fitted: Fitted,
}

/// Trains a pipeline on all rows.
pub fn train(data: &Dataset, pipeline: &Pipeline, seed: u64) -> Result<Model, LearnError> {
    train_controlled(data, pipeline, seed, &Control::quiet())
}

/// The same, until somebody stops it.
pub fn train_controlled(
    data: &Dataset,
    pipeline: &Pipeline,
    seed: u64,
    control: &Control<'_>,
) -> Result<Model, LearnError> {
    let classes = data.classes().len();
    let fitted = Fitted::fit_until(pipeline, &data.x, &data.y, classes, seed, control.stop)?;
    Ok(Model {
        format: FORMAT.to_owned(),
        version: VERSION,
        made_with: env!("CARGO_PKG_VERSION").to_owned(),
        pipeline: pipeline.clone(),
        schema: data.schema.clone(),
        rows: data.y.len(),
        data: data.hash.clone(),
        seed,
        fitted,
    })
}

/// One predicted row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// The row of the file, from 1.
    pub row: usize,
    /// The class.
    pub class: String,
    /// The probability of each class, where the classifier has them.
    pub probabilities: Option<Vec<f64>>,
}

/// The predictions for a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Predictions {
    /// The classes, in the order of the probabilities.
    pub classes: Vec<String>,
    /// One entry per row.
    pub rows: Vec<Prediction>,
    /// What is worth knowing.
    pub warnings: Vec<Warning>,
}

/// How a model fares on a file that has the answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    /// The pipeline.
    pub pipeline: Pipeline,
    /// Everything measured.
    pub scores: Scores,
    /// The classes, in the order of the confusion matrix.
    pub classes: Vec<String>,
    /// Rows that were wrong: row, truth, prediction.
    pub wrong: Vec<(usize, String, String)>,
    /// What is worth knowing.
    pub warnings: Vec<Warning>,
}

impl Model {
    /// The file's text.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a model has nothing that JSON cannot hold")
    }

    /// Reads a model file and checks that its parts fit together.
    pub fn from_json(text: &str) -> Result<Model, LearnError> {
        #[derive(Deserialize)]
        struct Head {
            format: Option<String>,
            version: Option<u32>,
        }
        let bad = |why: String| LearnError::BadModel(why);
        if text.len() > LARGEST {
            let most = LARGEST >> 20;
            return Err(bad(format!("it is larger than {most} MB")));
        }
        let head: Head = serde_json::from_str(text).map_err(|e| bad(e.to_string()))?;
        if head.format.as_deref() != Some(FORMAT) {
            return Err(bad(format!("its `format` is not `{FORMAT}`")));
        }
        if head.version != Some(VERSION) {
            return Err(bad(format!(
                "it has version {:?}; this program reads {VERSION}",
                head.version
            )));
        }
        let model: Model = serde_json::from_str(text).map_err(|e| bad(e.to_string()))?;
        model
            .fitted
            .check(model.schema.features().len(), model.schema.classes.len())
            .map_err(bad)?;
        Ok(model)
    }

    /// Predicts every row of a table.
    pub fn predict(&self, table: &Table) -> Result<Predictions, LearnError> {
        self.predict_until(table, &NEVER)
    }

    /// The same, unless somebody raises the flag.
    pub(crate) fn predict_until(
        &self,
        table: &Table,
        stop: &AtomicBool,
    ) -> Result<Predictions, LearnError> {
        let x = self.schema.encode(table)?;
        let (classes, shares) = self.fitted.answers_unless_stopped(&x, stop)?;
        let mut warnings = Vec::new();
        let gaps = x.cells().iter().filter(|v| v.is_nan()).count();
        if gaps > 0 {
            warnings.push(Warning::new(
                &WORDS
                    .say("warn-filled")
                    .with("gaps", gaps)
                    .with("imputer", self.pipeline.imputer.to_string()),
            ));
        }
        self.unknown_levels(table, &mut warnings);
        Ok(Predictions {
            classes: self.schema.classes.clone(),
            rows: classes
                .iter()
                .enumerate()
                .map(|(i, &c)| Prediction {
                    row: i + 1,
                    class: self.schema.classes[c as usize].clone(),
                    probabilities: shares.as_ref().map(|s| s[i].clone()),
                })
                .collect(),
            warnings,
        })
    }

    /// Measures the model on a table that has its class column.
    pub fn evaluate(&self, table: &Table) -> Result<Evaluation, LearnError> {
        self.evaluate_until(table, &NEVER)
    }

    /// The same, unless somebody raises the flag.
    pub(crate) fn evaluate_until(
        &self,
        table: &Table,
        stop: &AtomicBool,
    ) -> Result<Evaluation, LearnError> {
        let answers = self
            .schema
            .answers(table)
            .ok_or_else(|| LearnError::OtherColumns {
                missing: self.schema.target.clone(),
                found: table.names(),
            })?;
        let known: Vec<usize> = (0..table.rows).filter(|&i| answers[i].is_some()).collect();
        if known.is_empty() {
            return Err(LearnError::NoRows(
                WORDS
                    .say("rows-unknown-class")
                    .with("column", &self.schema.target),
            ));
        }
        let x = self.schema.encode(table)?.pick(&known);
        let truth: Vec<u32> = known.iter().filter_map(|&i| answers[i]).collect();
        let (predicted, shares) = self.fitted.answers_unless_stopped(&x, stop)?;
        let classes = &self.schema.classes;
        let mut warnings = Vec::new();
        if known.len() < table.rows {
            warnings.push(Warning::new(
                &WORDS
                    .say("warn-unknown-class")
                    .with("rows", table.rows - known.len()),
            ));
        }
        if table.hash == self.data {
            warnings.push(Warning::new(&WORDS.say("warn-trained-on-this")));
        }
        self.unknown_levels(table, &mut warnings);
        Ok(Evaluation {
            pipeline: self.pipeline.clone(),
            scores: measure(&truth, &predicted, shares.as_deref(), classes, self.seed),
            classes: classes.clone(),
            wrong: known
                .iter()
                .zip(truth.iter().zip(&predicted))
                .filter(|(_, (t, p))| t != p)
                .map(|(&i, (&t, &p))| {
                    (
                        i + 1,
                        classes[t as usize].clone(),
                        classes[p as usize].clone(),
                    )
                })
                .collect(),
            warnings,
        })
    }

    /// Predicts one sample given by its features in order; a gap is NaN.
    pub fn predict_one(&self, features: &[f64]) -> Result<Prediction, LearnError> {
        let width = self.schema.features().len();
        if features.len() != width {
            return Err(LearnError::BadPlan(
                WORDS
                    .say("plan-features")
                    .with("width", width)
                    .with("found", features.len()),
            ));
        }
        let x = crate::matrix::Matrix::new(1, width, features.to_vec());
        let class = self.fitted.predict(&x)[0];
        Ok(Prediction {
            row: 1,
            class: self.schema.classes[class as usize].clone(),
            probabilities: self.fitted.probabilities(&x).map(|mut s| s.remove(0)),
        })
    }

    fn unknown_levels(&self, table: &Table, warnings: &mut Vec<Warning>) {
        for source in &self.schema.sources {
            let (Some(levels), Some(column)) = (
                &source.levels,
                table.columns.iter().find(|c| c.name == source.name),
            ) else {
                continue;
            };
            let strange = (0..table.rows)
                .map(|i| column.values.text(i))
                .filter(|t| !t.is_empty() && !levels.contains(t))
                .count();
            if strange > 0 {
                warnings.push(Warning::new(
                    &WORDS
                        .say("warn-unknown-text")
                        .with("rows", strange)
                        .with("column", &source.name),
                ));
            }
        }
    }
}
