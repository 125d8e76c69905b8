//! Runs as files: what was run on which data with which seed, and every fold score.

use serde::{Deserialize, Serialize};

use crate::cross::{Comparison, CrossValidated};
use crate::dataset::{Dataset, Schema};
use crate::error::LearnError;
use crate::grid::GridResult;
use crate::nested::Nested;
use crate::tune::Curve;

const FORMAT: &str = "wits-learn-run";
const VERSION: u32 = 1;

/// What a run found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Found {
    /// A leaderboard, perhaps with its nested check.
    Grid {
        /// The leaderboard.
        result: Box<GridResult>,
        /// What the choice gives on rows it never saw.
        nested: Option<Nested>,
    },
    /// One pipeline.
    Cv(Box<CrossValidated>),
    /// A curve.
    Tune(Curve),
    /// Two pipelines.
    Compare(Box<Comparison>),
}

/// A run that can be kept, reopened and repeated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    format: String,
    version: u32,
    /// The program's version that ran it.
    pub made_with: String,
    /// The data file's fingerprint.
    pub data: String,
    /// Rows of the data.
    pub rows: usize,
    /// Cells that were missing.
    pub missing: usize,
    /// Columns and classes.
    pub schema: Schema,
    /// What was found.
    pub found: Found,
}

impl Run {
    /// A run on this data.
    pub fn new(data: &Dataset, found: Found) -> Run {
        Run {
            format: FORMAT.to_owned(),
            version: VERSION,
            made_with: env!("CARGO_PKG_VERSION").to_owned(),
            data: data.hash.clone(),
            rows: data.y.len(),
            missing: data.missing(),
            schema: data.schema.clone(),
            found,
        }
    }

    /// The file's text.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a run has nothing that JSON cannot hold")
    }

    /// Reopens a run.
    pub fn from_json(text: &str) -> Result<Run, LearnError> {
        let bad = |why: String| LearnError::BadRun(why);
        let run: Run = serde_json::from_str(text).map_err(|e| bad(e.to_string()))?;
        if run.format != FORMAT || run.version != VERSION {
            return Err(bad(format!(
                "it says `{}` version {}",
                run.format, run.version
            )));
        }
        Ok(run)
    }

    /// Whether a run was made on this data.
    pub fn is_about(&self, data: &Dataset) -> bool {
        self.data == data.hash && self.schema == data.schema
    }
}
