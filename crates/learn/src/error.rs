//! What can go wrong at the desk, each in a sentence that says what to do next.
//!
//! The sentences are in `texts/`; [`LearnError::message`] says what is wrong and
//! [`LearnError::hint`] what to do, so that a page and a terminal can set them apart.

use std::fmt;

use wits_game::Message;

use crate::words::WORDS;

/// Something the desk could not do.
#[derive(Debug, Clone, PartialEq)]
pub enum LearnError {
    /// The file holds no rows.
    EmptyFile,
    /// A file has a header and nothing below it, or every row was left out.
    NoRows(Message),
    /// A line with another number of fields.
    Ragged {
        /// The line, from 1.
        line: usize,
        /// Its fields.
        found: usize,
        /// The fields of the first line.
        expected: usize,
    },
    /// A field that should be a number and is not.
    NotANumber {
        /// The line, from 1.
        line: usize,
        /// The column's name.
        column: String,
        /// What stands there.
        text: String,
    },
    /// An infinite number.
    NotFinite {
        /// The line, from 1.
        line: usize,
        /// The column's name.
        column: String,
        /// What stands there.
        text: String,
    },
    /// A quotation mark that is never closed.
    OpenQuote(usize),
    /// Text that is not UTF-8.
    NotText(usize),
    /// A column that does not exist.
    NoColumn {
        /// The name asked for.
        name: String,
        /// The columns there are.
        known: String,
        /// The most similar one.
        close: Option<String>,
    },
    /// Two columns of one name.
    TwoColumns(String),
    /// No column is left to learn from.
    NoFeatures,
    /// Everything is of one class.
    OneClass(String),
    /// A class column that is a measurement.
    NotClasses {
        /// The column.
        column: String,
        /// Different values.
        distinct: usize,
        /// Rows.
        rows: usize,
    },
    /// More folds than can be dealt.
    TooManyFolds {
        /// Folds asked for.
        folds: usize,
        /// Rows there are.
        rows: usize,
        /// Rows of the largest class.
        largest: usize,
    },
    /// Too few folds.
    TooFewFolds(usize),
    /// A split that leaves one side empty.
    BadSplit {
        /// The share asked for.
        share: f64,
        /// Rows there are.
        rows: usize,
        /// Classes there are.
        classes: usize,
    },
    /// A method that is not known.
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
    BadSpec {
        /// The text.
        text: String,
        /// What is wrong with it.
        why: Message,
    },
    /// A step that cannot be fitted to these rows.
    CannotFit {
        /// The step's spec.
        step: String,
        /// Why not.
        why: Message,
    },
    /// A cell is missing and nothing fills it.
    StillMissing {
        /// The row, from 1.
        row: usize,
        /// The column.
        column: String,
        /// The step that met it.
        step: String,
    },
    /// A model file that cannot be read.
    BadModel(String),
    /// A run file that cannot be read.
    BadRun(String),
    /// Data that does not have the model's columns.
    OtherColumns {
        /// The column missing.
        missing: String,
        /// The columns found.
        found: String,
    },
    /// A plan that asks for nothing.
    BadPlan(Message),
    /// A table with more of something than the limits allow.
    TooLarge {
        /// Of what.
        what: TooLarge,
        /// The most that is allowed.
        most: usize,
    },
    /// The work was stopped before its end.
    Stopped,
}

/// What a table has too much of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// Bytes of the file.
    Bytes,
    /// Rows.
    Rows,
    /// Columns.
    Columns,
    /// Rows times columns.
    Cells,
    /// Bytes of a cell, on this line.
    Cell(usize),
    /// Different texts in this column.
    Labels(String),
    /// Names given to columns.
    Names,
}

impl LearnError {
    /// What is wrong.
    pub fn message(&self) -> Message {
        let say = |key| WORDS.say(key);
        match self {
            LearnError::EmptyFile => say("bad-empty"),
            LearnError::NoRows(why) => say("bad-no-rows").with("why", why.clone()),
            LearnError::Ragged {
                line,
                found,
                expected,
            } => say("bad-ragged")
                .with("line", *line)
                .with("found", *found)
                .with("expected", *expected),
            LearnError::NotANumber { line, column, text } => {
                at(say("bad-not-a-number"), *line, column, text)
            }
            LearnError::NotFinite { line, column, text } => {
                at(say("bad-not-finite"), *line, column, text)
            }
            LearnError::OpenQuote(line) => say("bad-open-quote").with("line", *line),
            LearnError::NotText(line) => say("bad-not-text").with("line", *line),
            LearnError::NoColumn { name, .. } => say("bad-no-column").with("name", name),
            LearnError::TwoColumns(name) => say("bad-two-columns").with("name", name),
            LearnError::NoFeatures => say("bad-no-features"),
            LearnError::OneClass(class) => say("bad-one-class").with("class", class),
            LearnError::NotClasses {
                column,
                distinct,
                rows,
            } => say("bad-not-classes")
                .with("column", column)
                .with("distinct", *distinct)
                .with("rows", *rows),
            LearnError::TooManyFolds {
                folds,
                rows,
                largest,
            } => say("bad-many-folds")
                .with("folds", *folds)
                .with("rows", *rows)
                .with("largest", *largest),
            LearnError::TooFewFolds(folds) => say("bad-few-folds").with("folds", *folds),
            LearnError::BadSplit { share, .. } => say("bad-split").with("share", *share),
            LearnError::NoMethod { kind, name, .. } => {
                say("bad-no-method").with("kind", *kind).with("name", name)
            }
            LearnError::NoParameter { method, name, .. } => say("bad-no-parameter")
                .with("method", method)
                .with("name", name),
            LearnError::BadValue {
                method,
                name,
                value,
                ..
            } => say("bad-value")
                .with("method", method)
                .with("name", name)
                .with("value", value),
            LearnError::BadSpec { text, why } => {
                say("bad-spec").with("text", text).with("why", why.clone())
            }
            LearnError::CannotFit { step, why } => {
                say("bad-fit").with("step", step).with("why", why.clone())
            }
            LearnError::StillMissing { row, column, .. } => say("bad-still-missing")
                .with("row", *row)
                .with("column", column),
            LearnError::BadModel(what) => say("bad-model").with("what", what),
            LearnError::BadRun(what) => say("bad-run").with("what", what),
            LearnError::OtherColumns { missing, .. } => {
                say("bad-other-columns").with("missing", missing)
            }
            LearnError::BadPlan(why) => why.clone(),
            LearnError::TooLarge { what, most } => match what {
                TooLarge::Bytes => say("bad-large-bytes").with("most", *most >> 20),
                TooLarge::Rows => say("bad-large-rows").with("most", *most),
                TooLarge::Columns => say("bad-large-columns").with("most", *most),
                TooLarge::Cells => say("bad-large-cells").with("most", *most),
                TooLarge::Names => say("bad-large-names").with("most", *most),
                TooLarge::Cell(line) => say("bad-large-cell")
                    .with("line", *line)
                    .with("most", *most),
                TooLarge::Labels(column) => say("bad-large-labels")
                    .with("column", column)
                    .with("most", *most),
            },
            LearnError::Stopped => say("bad-stopped"),
        }
    }

    /// What to do next, where the message does not say it all.
    pub fn hint(&self) -> Option<Message> {
        let say = |key| WORDS.say(key);
        Some(match self {
            LearnError::EmptyFile => say("bad-empty-hint"),
            LearnError::Ragged { .. } => say("bad-ragged-hint"),
            LearnError::NotANumber { line, column, text } => {
                at(say("bad-not-a-number-hint"), *line, column, text)
            }
            LearnError::NotFinite { .. } => say("bad-not-finite-hint"),
            LearnError::OpenQuote(_) => say("bad-open-quote-hint"),
            LearnError::NotText(_) => say("bad-not-text-hint"),
            LearnError::NoColumn { known, close, .. } => {
                listed(say("bad-no-column-hint"), known, close.as_deref())
            }
            LearnError::TwoColumns(_) => say("bad-two-columns-hint"),
            LearnError::NoFeatures => say("bad-no-features-hint"),
            LearnError::OneClass(_) => say("bad-one-class-hint"),
            LearnError::NotClasses { .. } => say("bad-not-classes-hint"),
            LearnError::TooManyFolds { largest, .. } => {
                say("bad-many-folds-hint").with("largest", *largest)
            }
            LearnError::BadSplit { rows, classes, .. } => say("bad-split-hint")
                .with("rows", *rows)
                .with("classes", *classes),
            LearnError::NoMethod { known, close, .. } => {
                listed(say("bad-no-method-hint"), known, close.as_deref())
            }
            LearnError::NoParameter { known, close, .. } => {
                listed(say("bad-no-parameter-hint"), known, close.as_deref())
            }
            LearnError::BadValue { allowed, .. } => say("bad-value-hint").with("allowed", allowed),
            LearnError::StillMissing { step, .. } => {
                say("bad-still-missing-hint").with("step", step)
            }
            LearnError::TooLarge { .. } => say("bad-large-hint"),
            LearnError::OtherColumns { found, .. } => {
                say("bad-other-columns-hint").with("found", found)
            }
            _ => return None,
        })
    }
}

impl fmt::Display for LearnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message())?;
        self.hint().map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}

impl std::error::Error for LearnError {}

/// A message about a field of a file.
fn at(message: Message, line: usize, column: &str, text: &str) -> Message {
    message
        .with("line", line)
        .with("column", column)
        .with("text", text)
}

/// A hint that lists what there is and guesses what was meant.
fn listed(message: Message, known: &str, close: Option<&str>) -> Message {
    let message = message.with("known", known);
    match close {
        Some(close) => message.with("close", WORDS.say("did-you-mean").with("close", close)),
        None => message.with("close", ""),
    }
}

/// The most similar of the known words, if one is similar at all.
pub(crate) fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    wits_desk::nearest(word, known).map(str::to_owned)
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
    }
}
