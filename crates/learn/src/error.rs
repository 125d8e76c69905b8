//! What can go wrong at the desk, each in a sentence that says what to do next.

/// Something the desk could not do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LearnError {
    /// The file holds no rows.
    #[error("the file is empty; it needs a line of numbers or words separated by commas")]
    EmptyFile,
    /// A file has a header and nothing below it, or every row was left out.
    #[error("there are no rows to learn from: {0}")]
    NoRows(String),
    /// A line with another number of fields.
    #[error(
        "line {line} has {found} fields where {expected} were expected; check the separator and the quotes"
    )]
    Ragged {
        /// The line, from 1.
        line: usize,
        /// Its fields.
        found: usize,
        /// The fields of the first line.
        expected: usize,
    },
    /// A field that should be a number and is not.
    #[error(
        "line {line}, column `{column}`: `{text}` is not a number; correct it, name `{text}` as a missing value, or name `{column}` as a text column"
    )]
    NotANumber {
        /// The line, from 1.
        line: usize,
        /// The column's name.
        column: String,
        /// What stands there.
        text: String,
    },
    /// An infinite number.
    #[error(
        "line {line}, column `{column}`: `{text}` is not a finite number; remove it or leave the field empty"
    )]
    NotFinite {
        /// The line, from 1.
        line: usize,
        /// The column's name.
        column: String,
        /// What stands there.
        text: String,
    },
    /// A quotation mark that is never closed.
    #[error("the quotation mark opened on line {0} is never closed")]
    OpenQuote(usize),
    /// Text that is not UTF-8.
    #[error("line {0} is not UTF-8 text; save the file as UTF-8")]
    NotText(usize),
    /// A column that does not exist.
    #[error("there is no column `{name}`; the columns are {known}{}", nearest(.close.as_ref()))]
    NoColumn {
        /// The name asked for.
        name: String,
        /// The columns there are.
        known: String,
        /// The most similar one.
        close: Option<String>,
    },
    /// Two columns of one name.
    #[error("two columns are called `{0}`; rename one")]
    TwoColumns(String),
    /// No column is left to learn from.
    #[error(
        "no column is left to learn from; besides the class there must be at least one other column"
    )]
    NoFeatures,
    /// Everything is of one class.
    #[error("every row has the class `{0}`; a classifier needs at least two")]
    OneClass(String),
    /// A class column that is a measurement.
    #[error(
        "column `{column}` has {distinct} different values in {rows} rows: that is a measurement, not a class; name another column as target"
    )]
    NotClasses {
        /// The column.
        column: String,
        /// Different values.
        distinct: usize,
        /// Rows.
        rows: usize,
    },
    /// More folds than can be dealt.
    #[error(
        "{folds} folds cannot be dealt from {rows} rows when the largest class has {largest}; use at most {largest} folds"
    )]
    TooManyFolds {
        /// Folds asked for.
        folds: usize,
        /// Rows there are.
        rows: usize,
        /// Rows of the largest class.
        largest: usize,
    },
    /// Too few folds.
    #[error("cross-validation needs at least 2 folds, not {0}")]
    TooFewFolds(usize),
    /// A split that leaves one side empty.
    #[error(
        "a test part of {share} leaves a side without rows of every class; {rows} rows, {classes} classes"
    )]
    BadSplit {
        /// The share asked for.
        share: f64,
        /// Rows there are.
        rows: usize,
        /// Classes there are.
        classes: usize,
    },
    /// A method that is not known.
    #[error("there is no {kind} called `{name}`; there are {known}{}", nearest(.close.as_ref()))]
    NoMethod {
        /// Imputer, transformer or classifier.
        kind: &'static str,
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
        /// The most similar one.
        close: Option<String>,
    },
    /// A parameter that the method does not have.
    #[error("`{method}` has no parameter `{name}`; it has {known}{}", nearest(.close.as_ref()))]
    NoParameter {
        /// The method.
        method: String,
        /// The parameter asked for.
        name: String,
        /// Those it has.
        known: String,
        /// The most similar one.
        close: Option<String>,
    },
    /// A value outside what a parameter allows.
    #[error("`{method}`: `{name}={value}` is not allowed; {allowed}")]
    BadValue {
        /// The method.
        method: String,
        /// The parameter.
        name: String,
        /// The value given.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// A method or pipeline text that cannot be read.
    #[error("`{text}` cannot be read: {why}")]
    BadSpec {
        /// The text.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// A step that cannot be fitted to these rows.
    #[error("`{step}` cannot be fitted: {why}")]
    CannotFit {
        /// The step's spec.
        step: String,
        /// Why not.
        why: String,
    },
    /// A cell is missing and nothing fills it.
    #[error("row {row}, column `{column}` is missing; put an imputer first, e.g. `mean + {step}`")]
    StillMissing {
        /// The row, from 1.
        row: usize,
        /// The column.
        column: String,
        /// The step that met it.
        step: String,
    },
    /// A model file that cannot be read.
    #[error("this is not a model file: {0}")]
    BadModel(String),
    /// Data that does not have the model's columns.
    #[error(
        "the model was trained on column `{missing}`, which this file does not have; its columns are {found}"
    )]
    OtherColumns {
        /// The column missing.
        missing: String,
        /// The columns found.
        found: String,
    },
    /// A plan that asks for nothing.
    #[error("{0}")]
    BadPlan(String),
    /// The work was stopped before its end.
    #[error("stopped before the end")]
    Stopped,
}

fn nearest(close: Option<&String>) -> String {
    close.map_or_else(String::new, |c| format!("; did you mean `{c}`?"))
}

/// The most similar of the known words, if one is similar at all (at most a third of it changed).
pub(crate) fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    known
        .into_iter()
        .map(|k| (changes(word, k), k))
        .filter(|&(d, k)| d <= 1 + k.len().max(word.len()) / 3)
        .min_by_key(|&(d, _)| d)
        .map(|(_, k)| k.to_owned())
}

/// How many letters must be added, removed or changed (Levenshtein's distance).
fn changes(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (corner + usize::from(x != y))
                .min(above + 1)
                .min(row[j] + 1);
            corner = above;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions() {
        assert_eq!(
            closest("standart", ["standard", "robust"]).as_deref(),
            Some("standard")
        );
        assert_eq!(closest("zzzzzz", ["standard", "robust"]), None);
        assert_eq!(changes("kitten", "sitting"), 3);
    }
}
