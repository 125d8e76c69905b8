//! From a table to features and classes: which column is the class, which is only a label.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::chance::{For, dice};
use crate::error::LearnError;
use crate::matrix::Matrix;
use crate::table::{NO_TEXT, Table, Values, Warning};
use crate::words::WORDS;

/// A text column with more different texts than this is left out.
const MOST_LEVELS: usize = 30;
/// Names a class column usually has.
const TARGETS: [&str; 12] = [
    "class",
    "target",
    "label",
    "type",
    "species",
    "outcome",
    "diagnosis",
    "category",
    "survived",
    "variety",
    "churn",
    "y",
];
/// More different values than this are not taken for classes where nobody named them.
const FEW_CLASSES: usize = 20;
/// Names a column of row labels usually has.
const IDS: [&str; 6] = ["id", "index", "row", "no", "nr", "unnamed: 0"];
/// A column of numbers with more different values than this is a measurement, not a class.
const MOST_NUMBERS: usize = 100;

/// What is known about the columns beforehand.
#[derive(Clone, Debug, Default)]
pub struct Roles {
    /// The class column.
    pub target: Option<String>,
    /// Columns that only label rows. `None`: they are guessed.
    pub ids: Option<Vec<String>>,
}

/// How one column of a file becomes features.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The column's name.
    pub name: String,
    /// The texts that each become a column of zeros and ones; `null` for a column of numbers.
    pub levels: Option<Vec<String>>,
}

/// Which columns a pipeline reads, and what the classes are called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema {
    /// The columns read, in order.
    pub sources: Vec<Source>,
    /// The class column.
    pub target: String,
    /// The classes, in order.
    pub classes: Vec<String>,
}

impl Schema {
    /// The names of the features.
    pub fn features(&self) -> Vec<String> {
        self.sources
            .iter()
            .flat_map(|s| match &s.levels {
                None => vec![s.name.clone()],
                Some(levels) => levels.iter().map(|l| format!("{}={l}", s.name)).collect(),
            })
            .collect()
    }

    /// The features that each source became.
    pub fn spans(&self) -> Vec<Range<usize>> {
        let mut at = 0;
        let span = |source: &Source| {
            let from = at;
            at += source.levels.as_ref().map_or(1, Vec::len);
            from..at
        };
        self.sources.iter().map(span).collect()
    }

    /// The features of every row of a table that has these columns.
    pub fn encode(&self, table: &Table) -> Result<Matrix, LearnError> {
        let width = self.features().len();
        let mut x = Matrix::zeros(table.rows, width);
        let mut at = 0;
        for source in &self.sources {
            let column = table
                .columns
                .iter()
                .find(|c| c.name == source.name)
                .ok_or_else(|| LearnError::OtherColumns {
                    missing: source.name.clone(),
                    found: table.names(),
                })?;
            match (&source.levels, &column.values) {
                (None, Values::Numbers(values)) => {
                    values
                        .iter()
                        .enumerate()
                        .for_each(|(i, &v)| x.set(i, at, v));
                    at += 1;
                }
                (None, Values::Texts { codes, labels }) => {
                    if let Some(i) = codes.iter().position(|&c| c != NO_TEXT) {
                        return Err(LearnError::NotANumber {
                            line: i + 1 + usize::from(table.header),
                            column: source.name.clone(),
                            text: labels[codes[i] as usize].clone(),
                        });
                    }
                    (0..table.rows).for_each(|i| x.set(i, at, f64::NAN));
                    at += 1;
                }
                (Some(levels), values) => {
                    for i in 0..table.rows {
                        let text = values.text(i);
                        for (l, level) in levels.iter().enumerate() {
                            let value = if text.is_empty() {
                                f64::NAN
                            } else {
                                f64::from(u8::from(*level == text))
                            };
                            x.set(i, at + l, value);
                        }
                    }
                    at += levels.len();
                }
            }
        }
        Ok(x)
    }

    /// The class of every row of a table, `None` where the table does not say or the class is new.
    pub fn answers(&self, table: &Table) -> Option<Vec<Option<u32>>> {
        let column = table.columns.iter().find(|c| c.name == self.target)?;
        Some(
            (0..table.rows)
                .map(|i| {
                    let text = column.values.text(i);
                    self.classes
                        .iter()
                        .position(|c| *c == text)
                        .map(|c| c as u32)
                })
                .collect(),
        )
    }
}

/// Features and classes, ready to learn from.
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    /// Where the features come from and what the classes are called.
    pub schema: Schema,
    /// The features; NaN where missing.
    pub x: Matrix,
    /// The class of each row.
    pub y: Vec<u32>,
    /// Which row of the file (from 1, header not counted) each row is.
    pub rows: Vec<usize>,
    /// Columns that were left out.
    pub left_out: Vec<String>,
    /// What is worth knowing about the choice of columns.
    pub warnings: Vec<Warning>,
    /// The file's fingerprint.
    pub hash: String,
}

impl Dataset {
    /// Chooses class and features.
    pub fn new(table: &Table, roles: &Roles) -> Result<Dataset, LearnError> {
        let mut warnings = Vec::new();
        let target = match &roles.target {
            Some(name) => table.place(name)?,
            None => guess_target(table, &mut warnings),
        };
        let left_out = leave_out(table, target, roles, &mut warnings)?;
        let (keep, y, classes) = classes(table, target, &mut warnings)?;
        let mut sources = Vec::new();
        for (j, column) in table.columns.iter().enumerate() {
            if j == target || left_out.contains(&column.name) {
                continue;
            }
            sources.push(Source {
                name: column.name.clone(),
                levels: match &column.values {
                    Values::Numbers(_) => None,
                    Values::Texts { labels, .. } => {
                        let mut levels = labels.clone();
                        levels.sort();
                        Some(levels)
                    }
                },
            });
        }
        if sources.is_empty() {
            return Err(LearnError::NoFeatures);
        }
        let schema = Schema {
            sources,
            target: table.columns[target].name.clone(),
            classes,
        };
        let mut x = schema.encode(table)?;
        // Of a large file there should not be two copies even for a moment.
        if keep.len() < table.rows {
            x = x.pick(&keep);
        }
        let features = schema.features();
        for (j, name) in features.iter().enumerate() {
            let column = x.column(j);
            let mut known = column.iter().filter(|v| !v.is_nan());
            match known.next() {
                None => warnings.push(Warning::new(
                    &WORDS.say("warn-empty-column").with("column", name),
                )),
                Some(first) if known.all(|v| v.total_cmp(first).is_eq()) => {
                    warnings.push(Warning::new(
                        &WORDS.say("warn-constant-column").with("column", name),
                    ));
                }
                Some(_) => {}
            }
        }
        Ok(Dataset {
            schema,
            x,
            y,
            rows: keep.iter().map(|i| i + 1).collect(),
            left_out,
            warnings,
            hash: table.hash.clone(),
        })
    }

    /// Made-up rows: columns `x1`, `x2`, ..., classes `0`, `1`, ...
    pub fn made_up(x: Matrix, y: Vec<u32>) -> Dataset {
        let classes = y.iter().map(|&c| c + 1).max().unwrap_or(0);
        let source = |j: usize| Source {
            name: format!("x{j}"),
            levels: None,
        };
        Dataset {
            schema: Schema {
                sources: (1..=x.columns()).map(source).collect(),
                target: "class".to_owned(),
                classes: (0..classes).map(|c| c.to_string()).collect(),
            },
            rows: (1..=x.rows()).collect(),
            x,
            y,
            left_out: Vec::new(),
            warnings: Vec::new(),
            hash: String::new(),
        }
    }

    /// The names of the features.
    pub fn features(&self) -> Vec<String> {
        self.schema.features()
    }

    /// The classes.
    pub fn classes(&self) -> &[String] {
        &self.schema.classes
    }

    /// Rows of each class.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.classes().len()];
        for &c in &self.y {
            counts[c as usize] += 1;
        }
        counts
    }

    /// The rows with these numbers only.
    pub fn pick(&self, rows: &[usize]) -> Dataset {
        Dataset {
            x: self.x.pick(rows),
            y: rows.iter().map(|&i| self.y[i]).collect(),
            rows: rows.iter().map(|&i| self.rows[i]).collect(),
            ..self.clone()
        }
    }

    /// The same rows with each value removed with this chance; a text goes with all the features
    /// that it became.
    pub fn with_missing(&self, share: f64, seed: u64) -> Dataset {
        let mut dice = dice(seed, For::Missing, 0);
        let (mut copy, spans) = (self.clone(), self.schema.spans());
        for i in 0..copy.x.rows() {
            let row = copy.x.row_mut(i);
            for span in &spans {
                if dice.unit() < share {
                    row[span.clone()].fill(f64::NAN);
                }
            }
        }
        copy
    }

    /// How many values are missing, each counted once, however many features its column became.
    pub fn missing(&self) -> usize {
        self.missing_by_source().iter().sum()
    }

    /// How many values of each source column are missing.
    pub fn missing_by_source(&self) -> Vec<usize> {
        let firsts = self.schema.spans().into_iter().map(|span| span.start);
        let rows = 0..self.x.rows();
        firsts
            .map(|j| rows.clone().filter(|&i| self.x.at(i, j).is_nan()).count())
            .collect()
    }

    /// Some of the features only, by their places.
    pub(crate) fn pick_features(&self, places: &[usize]) -> Dataset {
        let names = self.features();
        let cells = (0..self.x.rows()).flat_map(|i| places.iter().map(move |&j| self.x.at(i, j)));
        let x = Matrix::new(self.x.rows(), places.len(), cells.collect());
        let source = |&j: &usize| Source {
            name: names[j].clone(),
            levels: None,
        };
        Dataset {
            schema: Schema {
                sources: places.iter().map(source).collect(),
                ..self.schema.clone()
            },
            x,
            ..self.clone()
        }
    }
}

fn guess_target(table: &Table, warnings: &mut Vec<Warning>) -> usize {
    let lower: Vec<String> = table
        .columns
        .iter()
        .map(|c| c.name.to_lowercase())
        .collect();
    // A usual name, or one that ends in it: `class` before `wine_class`.
    let by_name = |fits: &dyn Fn(&str, &str) -> bool| {
        let mut names = TARGETS.iter();
        names.find_map(|t| lower.iter().position(|n| fits(n, t)))
    };
    let named = by_name(&|n, t| n == t).or_else(|| {
        by_name(&|n, t| {
            n.strip_suffix(t)
                .is_some_and(|n| n.ends_with(['_', '-', ' ', '.']))
        })
    });
    // The last column by custom, unless it has gaps or too many values and another one does not:
    // then the first of those with the fewest values.
    let last = table.columns.len() - 1;
    let values = |j: usize| few_values(&table.columns[j].values);
    let at = named.unwrap_or_else(|| {
        let fewest = || {
            (0..last)
                .filter(|&j| values(j).is_some())
                .min_by_key(|&j| values(j))
        };
        values(last).map_or_else(|| fewest().unwrap_or(last), |_| last)
    });
    let why = match named {
        Some(_) => WORDS.say("target-by-name"),
        None if at == last => WORDS.say("target-by-place"),
        None => WORDS.say("target-by-values"),
    };
    let says = WORDS.say("warn-target-guessed").with("why", why);
    warnings.push(Warning::new(&says.with("column", &table.columns[at].name)));
    at
}

/// How many different values a column has, if it has no gaps and they could be classes.
fn few_values(values: &Values) -> Option<usize> {
    if values.missing() > 0 {
        return None;
    }
    let count = match values {
        Values::Texts { labels, .. } => labels.len(),
        Values::Numbers(v) => {
            let mut different: Vec<f64> = Vec::new();
            for x in v {
                if !different.iter().any(|d| d.total_cmp(x).is_eq()) {
                    different.push(*x);
                }
                if different.len() > FEW_CLASSES {
                    return None;
                }
            }
            // Half a measurement is no class.
            let whole = different.iter().all(|x| x.fract().abs() < f64::EPSILON);
            if whole { different.len() } else { 0 }
        }
    };
    (2..=FEW_CLASSES).contains(&count).then_some(count)
}

/// Columns that only label rows, and text columns with too many different texts.
fn leave_out(
    table: &Table,
    target: usize,
    roles: &Roles,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<String>, LearnError> {
    let mut out = Vec::new();
    if let Some(ids) = &roles.ids {
        for id in ids {
            out.push(table.columns[table.place(id)?].name.clone());
        }
    }
    for (j, column) in table.columns.iter().enumerate() {
        if j == target || out.contains(&column.name) {
            continue;
        }
        if roles.ids.is_none() && is_label(&column.name, &column.values) {
            warnings.push(Warning::new(
                &WORDS.say("warn-id-column").with("column", &column.name),
            ));
            out.push(column.name.clone());
        } else if let Values::Texts { labels, .. } = &column.values
            && labels.len() > MOST_LEVELS
        {
            warnings.push(Warning::new(
                &WORDS
                    .say("warn-many-texts")
                    .with("column", &column.name)
                    .with("texts", labels.len())
                    .with("most", MOST_LEVELS),
            ));
            out.push(column.name.clone());
        }
    }
    Ok(out)
}

fn is_label(name: &str, values: &Values) -> bool {
    let named = IDS.contains(&name.to_lowercase().as_str());
    match values {
        Values::Numbers(v) => {
            let whole = v.iter().all(|x| x.fract().abs() < f64::EPSILON);
            let steps = || v.len() > 2 && v.windows(2).all(|w| (w[1] - w[0] - 1.0).abs() < 1e-9);
            let all_differ = || {
                let mut different = v.clone();
                different.sort_unstable_by(f64::total_cmp);
                different.dedup_by(|a, b| a.total_cmp(b).is_eq());
                different.len() == v.len()
            };
            whole && (steps() || named && all_differ())
        }
        Values::Texts { codes, labels } => labels.len() == codes.len() && codes.len() > 2,
    }
}

type Answers = (Vec<usize>, Vec<u32>, Vec<String>);

/// Rows that have a class, their classes, and the classes in order (numbers by size).
fn classes(
    table: &Table,
    target: usize,
    warnings: &mut Vec<Warning>,
) -> Result<Answers, LearnError> {
    let column = &table.columns[target];
    let keep: Vec<usize> = match &column.values {
        Values::Numbers(v) => (0..v.len()).filter(|&i| !v[i].is_nan()).collect(),
        Values::Texts { codes, .. } => (0..codes.len()).filter(|&i| codes[i] != NO_TEXT).collect(),
    };
    if keep.is_empty() {
        return Err(LearnError::NoRows(
            WORDS.say("rows-no-class").with("column", &column.name),
        ));
    }
    if keep.len() < table.rows {
        warnings.push(Warning::new(
            &WORDS
                .say("warn-no-class")
                .with("rows", table.rows - keep.len())
                .with("column", &column.name),
        ));
    }
    // The different ones first: a text for every row would be larger than the table.
    let (mut classes, codes) = match &column.values {
        Values::Numbers(v) => {
            let mut different: Vec<f64> = keep.iter().map(|&i| v[i]).collect();
            different.sort_unstable_by(f64::total_cmp);
            different.dedup_by(|a, b| a.total_cmp(b).is_eq());
            let whole = different.iter().all(|x| x.fract().abs() < f64::EPSILON);
            if different.len() > if whole { MOST_NUMBERS } else { FEW_CLASSES } {
                return Err(LearnError::NotClasses {
                    column: column.name.clone(),
                    distinct: different.len(),
                    rows: keep.len(),
                });
            }
            let code = |i: &usize| different.binary_search_by(|d| d.total_cmp(&v[*i]));
            let codes = keep.iter().map(|i| code(i).unwrap_or_default() as u32);
            let codes: Vec<u32> = codes.collect();
            (different.iter().map(f64::to_string).collect(), codes)
        }
        Values::Texts { codes, labels } => {
            (labels.clone(), keep.iter().map(|&i| codes[i]).collect())
        }
    };
    let named = classes.clone();
    // Numbers by size; one text among them makes all of them texts.
    let numbers: Option<Vec<f64>> = classes.iter().map(|c| c.parse().ok()).collect();
    match numbers {
        Some(_) => classes.sort_by(|a: &String, b| {
            let size = |t: &str| t.parse::<f64>().unwrap_or(f64::NAN);
            size(a).total_cmp(&size(b)).then(a.cmp(b))
        }),
        None => classes.sort(),
    }
    classes.dedup();
    if classes.len() < 2 {
        return Err(LearnError::OneClass(classes.remove(0)));
    }
    if classes.len() > 20 && classes.len() * 2 > keep.len() || classes.len() > 1000 {
        return Err(LearnError::NotClasses {
            column: column.name.clone(),
            distinct: classes.len(),
            rows: keep.len(),
        });
    }
    let place: std::collections::HashMap<&str, u32> = classes
        .iter()
        .enumerate()
        .map(|(c, t)| (t.as_str(), c as u32))
        .collect();
    let places: Vec<u32> = named.iter().map(|t| place[t.as_str()]).collect();
    let y = codes.iter().map(|&c| places[c as usize]).collect();
    Ok((keep, y, classes))
}
