//! Work to be timed by whoever has a clock, and the same work for scikit-learn.

use serde::Serialize;

use crate::chance::{For, dice, gauss};
use crate::control::{Control, with_threads};
use crate::dataset::{Dataset, Roles};
use crate::error::LearnError;
use crate::grid::{GridPlan, grid};
use crate::matrix::Matrix;
use crate::metrics::Score;
use crate::pipeline::Fitted;
use crate::spec::Pipeline;
use crate::table::{ReadOptions, read_table};

/// The shipped Glass data.
pub const GLASS: &str = include_str!("../../../data/learn/glass.csv");

/// The Glass data, read.
pub fn glass() -> Dataset {
    let table = read_table(GLASS.as_bytes(), &ReadOptions::default())
        .expect("the shipped file is well formed");
    let roles = Roles {
        target: Some("class".to_owned()),
        ids: Some(vec!["id".to_owned()]),
    };
    Dataset::new(&table, &roles).expect("the shipped file has classes")
}

/// One piece of work.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Workload {
    /// Its name.
    pub name: &'static str,
    /// Threads it may use.
    pub threads: usize,
    /// What scikit-learn 1.9.1 needed for the same work, in seconds, and on how many cores.
    pub baseline: Option<f64>,
    /// What the baseline is.
    pub baseline_about: &'static str,
    /// What it must not exceed, in seconds.
    pub bar: f64,
    #[serde(skip)]
    work: fn() -> Result<f64, LearnError>,
}

impl Workload {
    /// Does the work; gives the accuracy reached, so that speed is not bought with it.
    pub fn run(&self) -> Result<f64, LearnError> {
        with_threads(self.threads, self.work)?
    }
}

/// The work that is timed.
pub fn workloads() -> [Workload; 3] {
    [
        Workload {
            name: "report grid, 484 pipelines x 5 folds",
            threads: 2,
            baseline: Some(144.0),
            baseline_about: "scikit-learn 1.9.1, seconds of one core",
            bar: 5.0,
            work: report_grid,
        },
        Workload {
            name: "random forest, 100 trees on 14,000 x 20",
            threads: 1,
            baseline: Some(4.5),
            baseline_about: "scikit-learn 1.9.1, one core",
            bar: 4.0,
            work: forest,
        },
        Workload {
            name: "gradient boosting, 100 rounds on Glass",
            threads: 1,
            baseline: None,
            baseline_about: "",
            bar: 2.0,
            work: boosting,
        },
    ]
}

fn report_grid() -> Result<f64, LearnError> {
    let data = glass().with_missing(0.05, 1);
    Ok(grid(&data, &GridPlan::report(), &Control::quiet())?.pipelines[0].mean)
}

fn forest() -> Result<f64, LearnError> {
    let (train, test) = (sample(14_000, 20, 4, 1), sample(4_000, 20, 4, 2));
    fit_and_score("random-forest:trees=100", &train, &test)
}

fn boosting() -> Result<f64, LearnError> {
    let data = glass();
    fit_and_score(
        "boosting",
        &(data.x.clone(), data.y.clone()),
        &(data.x, data.y),
    )
}

fn fit_and_score(
    text: &str,
    train: &(Matrix, Vec<u32>),
    test: &(Matrix, Vec<u32>),
) -> Result<f64, LearnError> {
    let pipeline: Pipeline = text.parse()?;
    let classes = train.1.iter().map(|&c| c as usize + 1).max().unwrap_or(0);
    let fitted = Fitted::fit(&pipeline, &train.0, &train.1, classes, 1)?;
    Ok(Score::Accuracy.of(&test.1, &fitted.predict(&test.0), classes))
}

/// Made-up rows: three clouds per class in the first half of the columns, noise in the others,
/// two per cent of the answers wrong. The clouds are the same for every seed.
pub fn sample(rows: usize, columns: usize, classes: usize, seed: u64) -> (Matrix, Vec<u32>) {
    let told = columns / 2;
    let mut fixed = dice(0, For::Sample, 1);
    let clouds: Vec<Vec<f64>> = (0..classes * 3)
        .map(|_| (0..told).map(|_| 4.0 * fixed.unit() - 2.0).collect())
        .collect();
    let mut dice = dice(seed, For::Sample, 0);
    let mut cells = Vec::with_capacity(rows * columns);
    let mut y = Vec::with_capacity(rows);
    for _ in 0..rows {
        let cloud = dice.below(clouds.len());
        let centres = clouds[cloud].iter().copied().chain(std::iter::repeat(0.0));
        cells.extend(
            centres
                .take(columns)
                .map(|centre| centre + gauss(&mut dice)),
        );
        let class = if dice.unit() < 0.02 {
            dice.below(classes)
        } else {
            cloud / 3
        };
        y.push(class as u32);
    }
    (Matrix::new(rows, columns, cells), y)
}

/// Rows as text for the peer: features, then the class.
pub fn sample_csv(rows: usize, columns: usize, classes: usize, seed: u64) -> String {
    use std::fmt::Write as _;
    let (x, y) = sample(rows, columns, classes, seed);
    let mut out = String::new();
    for (i, class) in y.iter().enumerate() {
        for v in x.row(i) {
            let _ = write!(out, "{v},");
        }
        let _ = writeln!(out, "{class}");
    }
    out
}

/// A Python program that does the forest's work with scikit-learn: `python3 - TRAIN TEST`, both as
/// written by [`sample_csv`]; prints seconds and accuracy as JSON.
pub const PEER: &str = r#"
import json, sys, time
import numpy as np
from sklearn.ensemble import RandomForestClassifier
train, test = (np.loadtxt(path, delimiter=",") for path in sys.argv[1:3])
start = time.perf_counter()
forest = RandomForestClassifier(100, n_jobs=1, random_state=1).fit(train[:, :-1], train[:, -1])
right = (forest.predict(test[:, :-1]) == test[:, -1]).mean()
print(json.dumps({"seconds": time.perf_counter() - start, "accuracy": right}))
"#;
