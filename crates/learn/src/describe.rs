//! A first look at a table: shape, types, gaps, first rows, statistics, classes, correlations.

use std::sync::atomic::AtomicBool;

use serde::Serialize;

use crate::control::{NEVER, go_on};
use crate::dataset::Dataset;
use crate::error::LearnError;
use crate::honesty;
use crate::numbers::{correlation, mean, quantile, sample_sd, sorted};
use crate::split::Validation;
use crate::table::{Column, Table, Values, Warning};
use crate::transform::f_scores;

/// One column of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColumnSummary {
    /// Its name.
    pub name: String,
    /// `number`, `integer` or `text`.
    pub kind: &'static str,
    /// What it is used for: `feature`, `target`, or `left out`.
    pub role: &'static str,
    /// Rows with a value.
    pub count: usize,
    /// Rows without.
    pub missing: usize,
    /// Different values.
    pub distinct: usize,
    /// Statistics of a column of numbers.
    pub numbers: Option<Statistics>,
}

/// What `describe` says about numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Statistics {
    /// The mean.
    pub mean: f64,
    /// The standard deviation (dividing by n - 1).
    pub sd: f64,
    /// The smallest.
    pub min: f64,
    /// A quarter is below.
    pub q25: f64,
    /// Half is below.
    pub median: f64,
    /// Three quarters are below.
    pub q75: f64,
    /// The largest.
    pub max: f64,
}

impl Statistics {
    /// Of values without gaps; `None` of nothing.
    pub fn of(values: &[f64]) -> Option<Statistics> {
        Statistics::sorted(values, &sorted(values))
    }

    /// The same where they were sorted before.
    fn sorted(values: &[f64], ascending: &[f64]) -> Option<Statistics> {
        if values.is_empty() {
            return None;
        }
        let at = |share| quantile(ascending, share);
        Some(Statistics {
            mean: mean(values),
            sd: sample_sd(values),
            min: ascending[0],
            q25: at(0.25),
            median: at(0.5),
            q75: at(0.75),
            max: ascending[ascending.len() - 1],
        })
    }
}

/// How many rows a class has.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassCount {
    /// The class.
    pub class: String,
    /// Its rows.
    pub rows: usize,
}

/// A first look at a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Description {
    /// Rows.
    pub rows: usize,
    /// The separator found.
    pub delimiter: char,
    /// Whether the first line names the columns.
    pub header: bool,
    /// The file's fingerprint.
    pub hash: String,
    /// The columns.
    pub columns: Vec<ColumnSummary>,
    /// The first rows as text.
    pub head: Vec<Vec<String>>,
    /// The class column.
    pub target: String,
    /// The classes.
    pub classes: Vec<ClassCount>,
    /// What is worth knowing.
    pub warnings: Vec<Warning>,
}

/// Describes a table and what would be learned from it.
pub fn describe(table: &Table, data: &Dataset, head: usize) -> Description {
    describe_until(table, data, head, &NEVER).expect("nobody stops it")
}

/// The same, unless somebody raises the flag.
pub(crate) fn describe_until(
    table: &Table,
    data: &Dataset,
    head: usize,
    stop: &AtomicBool,
) -> Result<Description, LearnError> {
    let mut columns = Vec::with_capacity(table.columns.len());
    for column in &table.columns {
        go_on(stop)?;
        columns.push(summary(table, data, column));
    }
    let dealt = Validation::folds(5).deal(&data.y, 0).unwrap_or_default();
    let warnings = honesty::warnings(data, &dealt);
    go_on(stop)?;
    Ok(Description {
        rows: table.rows,
        delimiter: table.delimiter,
        header: table.header,
        hash: table.hash.clone(),
        columns,
        head: (0..table.rows.min(head))
            .map(|i| table.columns.iter().map(|c| c.values.text(i)).collect())
            .collect(),
        target: data.schema.target.clone(),
        classes: data
            .classes()
            .iter()
            .zip(data.counts())
            .map(|(class, rows)| ClassCount {
                class: class.clone(),
                rows,
            })
            .collect(),
        warnings,
    })
}

fn summary(table: &Table, data: &Dataset, column: &Column) -> ColumnSummary {
    let role = if column.name == data.schema.target {
        "target"
    } else if data.left_out.contains(&column.name) {
        "left out"
    } else {
        "feature"
    };
    let missing = column.values.missing();
    let (kind, distinct, numbers) = match &column.values {
        Values::Numbers(values) => {
            let known: Vec<f64> = values.iter().copied().filter(|v| !v.is_nan()).collect();
            let whole = known.iter().all(|v| v.fract().abs() < f64::EPSILON);
            let mut different = sorted(&known);
            let numbers = Statistics::sorted(&known, &different);
            different.dedup_by(|a, b| a.total_cmp(b).is_eq());
            let kind = if whole { "integer" } else { "number" };
            (kind, different.len(), numbers)
        }
        Values::Texts { labels, .. } => ("text", labels.len(), None),
    };
    ColumnSummary {
        name: column.name.clone(),
        kind,
        role,
        count: table.rows - missing,
        missing,
        distinct,
        numbers,
    }
}

/// What the features have to do with each other and with the class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Exploration {
    /// The features.
    pub features: Vec<String>,
    /// Pearson's correlations; `null` where a column is constant.
    pub correlations: Vec<Vec<Option<f64>>>,
    /// How much each feature differs between classes: F and its p-value; `null` where constant.
    pub anova: Vec<Option<[f64; 2]>>,
    /// Values beyond one and a half box widths from the box, per feature.
    pub outliers: Vec<usize>,
    /// The most correlated pair.
    pub closest_pair: Option<(String, String, f64)>,
}

/// Looks at features and classes together. Rows with a gap in one of two columns are left out of
/// that pair.
pub fn explore(data: &Dataset) -> Exploration {
    explore_until(data, &NEVER).expect("nobody stops it")
}

/// The same, unless somebody raises the flag.
pub(crate) fn explore_until(data: &Dataset, stop: &AtomicBool) -> Result<Exploration, LearnError> {
    let p = data.x.columns();
    let features = data.features();
    let columns: Vec<Vec<f64>> = (0..p).map(|j| data.x.column(j)).collect();
    let mut correlations = vec![vec![None; p]; p];
    for a in 0..p {
        for b in 0..=a {
            go_on(stop)?;
            let (x, y): (Vec<f64>, Vec<f64>) = columns[a]
                .iter()
                .zip(&columns[b])
                .filter(|(u, v)| !u.is_nan() && !v.is_nan())
                .map(|(u, v)| (*u, *v))
                .unzip();
            correlations[a][b] = correlation(&x, &y);
            correlations[b][a] = correlations[a][b];
        }
    }
    go_on(stop)?;
    let anova = (0..p)
        .map(|j| {
            let rows: Vec<usize> = (0..data.x.rows())
                .filter(|&i| !data.x.at(i, j).is_nan())
                .collect();
            let y: Vec<u32> = rows.iter().map(|&i| data.y[i]).collect();
            let (f, chance) = f_scores(&data.x.pick(&rows).pick_columns(&[j]), &y)[0];
            f.is_finite().then_some([f, chance])
        })
        .collect();
    go_on(stop)?;
    let outliers = columns
        .iter()
        .map(|column| {
            let known: Vec<f64> = column.iter().copied().filter(|v| !v.is_nan()).collect();
            Statistics::of(&known).map_or(0, |s| {
                let reach = 1.5 * (s.q75 - s.q25);
                known
                    .iter()
                    .filter(|&&v| v < s.q25 - reach || v > s.q75 + reach)
                    .count()
            })
        })
        .collect();
    // The features of one text column exclude each other: that they do says nothing.
    let source: Vec<usize> = (0..)
        .zip(data.schema.spans())
        .flat_map(|(s, span)| span.map(move |_| s))
        .collect();
    let mut closest_pair: Option<(String, String, f64)> = None;
    for a in 0..p {
        for b in 0..a {
            if let Some(r) = correlations[a][b]
                && source[a] != source[b]
                && closest_pair
                    .as_ref()
                    .is_none_or(|(_, _, best)| r.abs() > best.abs())
            {
                closest_pair = Some((features[b].clone(), features[a].clone(), r));
            }
        }
    }
    Ok(Exploration {
        features,
        correlations,
        anova,
        outliers,
        closest_pair,
    })
}
