//! Work to be timed by whoever has a clock, and the same work for scikit-learn.

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
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// Its name.
    pub name: &'static str,
    /// Threads it may use.
    pub threads: usize,
    /// What scikit-learn 1.9.1 once needed for the same work, in seconds of one core.
    pub recorded: Option<f64>,
    /// What it must not exceed, in seconds.
    pub bar: Option<f64>,
    /// What [`PEER`] calls the same work, where it does it.
    pub peer: Option<&'static str>,
    work: fn() -> Result<f64, LearnError>,
    files: fn() -> Vec<String>,
}

impl Workload {
    /// Does the work; gives the accuracy reached, so that speed is not bought with it.
    pub fn run(&self) -> Result<f64, LearnError> {
        with_threads(self.threads, self.work)?
    }

    /// The files that [`PEER`] reads for the same work.
    pub fn files(&self) -> Vec<String> {
        (self.files)()
    }
}

/// The same work for scikit-learn: a Python program, called with the name of the work and the
/// names of its files; it prints seconds, accuracy and version as JSON.
pub const PEER: &str = include_str!("peer.py");

/// The work that is timed.
pub fn workloads() -> [Workload; 4] {
    [
        Workload {
            name: "report grid, 484 pipelines x 5 folds, 2 threads",
            threads: 2,
            recorded: Some(144.0),
            bar: Some(5.0),
            peer: None,
            work: report_grid,
            files: Vec::new,
        },
        Workload {
            name: "its quarter with the mean imputer, 121 pipelines, 1 thread",
            threads: 1,
            recorded: None,
            bar: None,
            peer: Some("grid"),
            work: quarter,
            files: || vec![as_csv(&gaps())],
        },
        Workload {
            name: "random forest, 100 trees on 14,000 x 20, 1 thread",
            threads: 1,
            recorded: Some(4.5),
            bar: Some(4.0),
            peer: Some("forest"),
            work: forest,
            files: || {
                [TRAIN, TEST]
                    .map(|(n, seed)| sample_csv(n, 20, 4, seed))
                    .to_vec()
            },
        },
        Workload {
            name: "gradient boosting, 100 rounds on Glass, 1 thread",
            threads: 1,
            recorded: None,
            bar: Some(2.0),
            peer: Some("boosting"),
            work: boosting,
            files: || vec![as_csv(&glass())],
        },
    ]
}

/// Rows and seed of the forest's training and test part.
const TRAIN: (usize, u64) = (14_000, 1);
const TEST: (usize, u64) = (4_000, 2);

/// Glass with five per cent of its values removed.
fn gaps() -> Dataset {
    glass().with_missing(0.05, 1)
}

fn report_grid() -> Result<f64, LearnError> {
    Ok(grid(&gaps(), &GridPlan::report(), &Control::quiet())?.pipelines[0].mean)
}

fn quarter() -> Result<f64, LearnError> {
    let mut plan = GridPlan::report();
    plan.imputers.retain(|spec| spec.name() == "mean");
    Ok(grid(&gaps(), &plan, &Control::quiet())?.pipelines[0].mean)
}

fn forest() -> Result<f64, LearnError> {
    let [train, test] = [TRAIN, TEST].map(|(n, seed)| sample(n, 20, 4, seed));
    fit_and_score("random-forest:trees=100", &train, &test)
}

fn boosting() -> Result<f64, LearnError> {
    let data = glass();
    let rows = (data.x, data.y);
    fit_and_score("boosting", &rows, &rows)
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

/// Made-up rows as text for the peer: features, then the class.
pub fn sample_csv(rows: usize, columns: usize, classes: usize, seed: u64) -> String {
    let (x, y) = sample(rows, columns, classes, seed);
    csv(&x, &y)
}

fn as_csv(data: &Dataset) -> String {
    csv(&data.x, &data.y)
}

fn csv(x: &Matrix, y: &[u32]) -> String {
    use std::fmt::Write as _;
    let mut out = String::new();
    for (i, class) in y.iter().enumerate() {
        for v in x.row(i) {
            let _ = if v.is_nan() {
                out.write_char(',')
            } else {
                write!(out, "{v},")
            };
        }
        let _ = writeln!(out, "{class}");
    }
    out
}
