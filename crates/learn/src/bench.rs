//! Work to be timed by whoever has a clock, and the same work for scikit-learn.

use crate::chance::{For, dice, gauss};
use crate::classify::{Classifier, Prepared};
use crate::control::Control;
use crate::cross::cross_validate;
use crate::dataset::Dataset;
use crate::error::LearnError;
use crate::grid::{GridPlan, grid};
use crate::impute::Imputer;
use crate::matrix::Matrix;
use crate::metrics::Score;
use crate::python::python_step;
use crate::samples::SAMPLES;
use crate::spec::{Kind, Pipeline, Spec, methods};
use crate::split::Validation;
use crate::transform::Transformer;

/// The Glass data, read.
pub fn glass() -> Dataset {
    SAMPLES[0].dataset()
}

/// One piece of work.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Its name.
    pub name: String,
    /// What it must not exceed, in seconds of one core.
    pub bar: Option<f64>,
    task: Task,
}

#[derive(Clone, Debug)]
enum Task {
    /// The report's grid on Glass, with these imputers.
    Grid(&'static [&'static str]),
    /// One step, fitted on so many made-up rows and applied to others (a classifier) or to the
    /// same (an imputer or transformer).
    Step(Spec, usize),
    /// Naive Bayes cross-validated on so many rows of ten columns.
    Cross(usize),
}

/// What the peer does for the same work.
#[derive(Clone, Debug)]
pub struct Peer {
    /// Python source that makes `step`, where the work is one step; empty where it is the grid.
    pub source: String,
    /// Whether the step is a classifier.
    pub predicts: bool,
    /// The files that it reads: rows of numbers in eight bytes each, the class last.
    pub files: Vec<Vec<u8>>,
    /// Columns of the files, the class included.
    pub columns: usize,
}

impl Workload {
    /// Gets ready what the work needs; what is given does it once, on one thread, and tells the
    /// accuracy reached where there is one, so that speed is not bought with it.
    pub fn prepare(&self) -> Box<dyn Fn() -> Result<Option<f64>, LearnError> + Send + Sync> {
        match self.task.clone() {
            Task::Grid(imputers) => {
                let data = gaps();
                let mut plan = GridPlan::report();
                plan.imputers.retain(|spec| imputers.contains(&spec.name()));
                Box::new(move || {
                    let found = grid(&data, &plan, &Control::quiet())?;
                    Ok(Some(found.pipelines[0].mean))
                })
            }
            Task::Cross(rows) => {
                let (x, y) = sample(rows, 10, 2, 1);
                let data = Dataset::made_up(x, y);
                let pipeline: Pipeline = "naive-bayes".parse().expect("it is in the table");
                Box::new(move || {
                    let (folds, quiet) = (Validation::folds(5), Control::quiet());
                    let found = cross_validate(&data, &pipeline, folds, 1, &quiet)?;
                    Ok(Some(found.mean))
                })
            }
            Task::Step(spec, rows) => {
                let (train, test) = (step_rows(&spec, rows), sample(TESTED, COLUMNS, CLASSES, 2));
                Box::new(move || step(&spec, &train, &test))
            }
        }
    }

    /// The same work for scikit-learn, where it does the same: its cross-validation has no intervals.
    pub fn peer(&self) -> Option<Peer> {
        Some(match &self.task {
            Task::Cross(_) => return None,
            Task::Grid(_) => {
                let data = gaps();
                Peer {
                    source: String::new(),
                    predicts: false,
                    columns: data.x.columns() + 1,
                    files: vec![bytes(&data.x, &data.y)],
                }
            }
            Task::Step(spec, rows) => {
                let files = [step_rows(spec, *rows), sample(TESTED, COLUMNS, CLASSES, 2)];
                Peer {
                    source: python_step(spec, 1),
                    predicts: spec.kind() == Kind::Classifier,
                    columns: COLUMNS + 1,
                    files: files.iter().map(|(x, y)| bytes(x, y)).collect(),
                }
            }
        })
    }
}

/// The same work for scikit-learn: a Python program, called with the name of the work, the
/// number of columns and the names of its files; it prints seconds of processor, accuracy and
/// version as JSON.
pub const PEER: &str = include_str!("peer.py");

/// Rows that classifiers are asked about, columns and classes of the made-up data.
const TESTED: usize = 4_000;
const COLUMNS: usize = 20;
const CLASSES: usize = 4;

/// The work that is timed: the report's grid, and every method on 14,000 and 100,000 rows of 20
/// columns. On more rows ensembles have fewer trees and the `knn` imputer has fewer gaps, here and
/// there.
pub fn workloads() -> Vec<Workload> {
    let every: &[&str] = &["knn", "mean", "median"];
    let mut all = vec![Workload {
        name: "report grid, 484 pipelines x 5 folds".to_owned(),
        bar: Some(5.0),
        task: Task::Grid(every),
    }];
    all.push(Workload {
        name: "cv of naive-bayes, 1000000 x 10".to_owned(),
        bar: Some(6.0),
        task: Task::Cross(1_000_000),
    });
    for rows in [14_000, 100_000] {
        for kind in [Kind::Imputer, Kind::Transformer, Kind::Classifier] {
            for method in methods(kind) {
                let large = rows > 14_000;
                let text = match method.name {
                    "passthrough" => continue,
                    "knn" if kind == Kind::Imputer => "knn:k=3".to_owned(),
                    "random-forest" | "extra-trees" if large => format!("{}:trees=10", method.name),
                    "random-forest" | "extra-trees" => format!("{}:trees=50", method.name),
                    "boosting" if large => "boosting:trees=2".to_owned(),
                    "boosting" => "boosting:trees=10".to_owned(),
                    "variance" => "variance:threshold=0.5".to_owned(),
                    name => name.to_owned(),
                };
                let spec = Spec::read(kind, &text).expect("the tables' own methods are read");
                let what = if kind == Kind::Imputer {
                    " imputer"
                } else {
                    ""
                };
                all.push(Workload {
                    name: format!("{text}{what}, {rows} x {COLUMNS}"),
                    bar: None,
                    task: Task::Step(spec, rows),
                });
                if text == "quantile" {
                    let normal = "quantile:output=normal";
                    let spec = Spec::read(kind, normal).expect("it is the table's own method");
                    all.push(Workload {
                        name: format!("{normal}, {rows} x {COLUMNS}"),
                        bar: None,
                        task: Task::Step(spec, rows),
                    });
                }
            }
        }
    }
    all
}

/// Made-up rows for a step; for an imputer with gaps.
fn step_rows(spec: &Spec, rows: usize) -> (Matrix, Vec<u32>) {
    let (x, y) = sample(rows, COLUMNS, CLASSES, 1);
    if spec.kind() != Kind::Imputer {
        return (x, y);
    }
    let mut dice = dice(1, For::Missing, 0);
    // Every row with a gap is compared with every row.
    let share = if spec.name() == "knn" && rows > 14_000 {
        0.001
    } else {
        0.02
    };
    let cells = x.cells().iter();
    let cells = cells.map(|&v| if dice.unit() < share { f64::NAN } else { v });
    (Matrix::new(rows, COLUMNS, cells.collect()), y)
}

fn step(
    spec: &Spec,
    train: &(Matrix, Vec<u32>),
    test: &(Matrix, Vec<u32>),
) -> Result<Option<f64>, LearnError> {
    match spec.kind() {
        Kind::Imputer => {
            std::hint::black_box(Imputer::fit(spec, &train.0).apply(&train.0));
            Ok(None)
        }
        Kind::Transformer => {
            std::hint::black_box(Transformer::fit(spec, &train.0, &train.1)?.apply(&train.0));
            Ok(None)
        }
        Kind::Classifier => {
            let rows = Prepared::lent(&train.0, train.1.clone(), CLASSES);
            let predicted = Classifier::fit(spec, &rows, 1)?.predict(&test.0);
            Ok(Some(Score::Accuracy.of(&test.1, &predicted, CLASSES)))
        }
    }
}

/// Glass with five per cent of its values removed.
fn gaps() -> Dataset {
    glass().with_missing(0.05, 1)
}

/// Rows as the peer reads them: features, then the class, eight bytes each.
fn bytes(x: &Matrix, y: &[u32]) -> Vec<u8> {
    let rows = (0..x.rows()).zip(y);
    rows.flat_map(|(i, &class)| x.row(i).iter().copied().chain([f64::from(class)]))
        .flat_map(f64::to_le_bytes)
        .collect()
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
