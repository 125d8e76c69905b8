//! What most verbs take: a table, how it is read, what is learned from it, and how rows are dealt.

use std::io::Read as _;

use wits_desk::{Args, Param, Refusal, Shelf, Work, unread};

use super::{refusal, refusal_in};
use crate::control::Control;
use crate::dataset::{Dataset, Roles};
use crate::error::LearnError;
use crate::intake::{HeldOut, Intake};
use crate::samples::{SAMPLE_NAMES, Sample};
use crate::spec::Pipeline;
use crate::split::Validation;
use crate::table::{ReadOptions, Table, TableReader};
use crate::words::WORDS;

/// Numbers that JavaScript and JSON keep whole.
const MOST_SEED: i64 = 9_007_199_254_740_991;

/// The names of [`params`].
pub(super) const NAMES: [&str; 11] = [
    "data",
    "delimiter",
    "names",
    "na",
    "text",
    "target",
    "id",
    "sample",
    "missing",
    "holdout",
    "seed",
];
/// The names of [`fold_params`].
pub(super) const FOLD_NAMES: [&str; 4] = ["folds", "repeats", "shuffle", "leave-one-out"];

/// A table, how it is read, and what is learned from it.
pub(super) fn params() -> Vec<Param> {
    let mut params = read_params();
    params.extend([
        Param::text("target", &WORDS, "param-target").shown_as("COLUMN"),
        Param::text("id", &WORDS, "param-id")
            .many()
            .shown_as("COLUMN"),
        Param::int("sample", 0, 100_000_000, 0, &WORDS, "param-sample").shown_as("ROWS"),
        Param::real("missing", 0.0, 0.99, 0.0, &WORDS, "param-missing").shown_as("SHARE"),
        Param::real("holdout", 0.0, 0.9, 0.0, &WORDS, "param-holdout").shown_as("SHARE"),
        Param::int("seed", 0, MOST_SEED, 0, &WORDS, "param-seed"),
    ]);
    params
}

/// A table and how it is read.
pub(super) fn read_params() -> Vec<Param> {
    let data = Param::file("data", &WORDS, "param-data");
    vec![
        data.positional().shown_as("DATA").offering(&SAMPLE_NAMES),
        Param::text("delimiter", &WORDS, "param-delimiter").shown_as("CHAR"),
        Param::text("names", &WORDS, "param-names").shown_as("A,B,..."),
        Param::text("na", &WORDS, "param-na")
            .many()
            .shown_as("WORD"),
        Param::text("text", &WORDS, "param-text")
            .many()
            .shown_as("COLUMN"),
    ]
}

/// How rows are dealt.
pub(super) fn fold_params() -> Vec<Param> {
    vec![
        Param::int("folds", 2, 1_000_000, 5, &WORDS, "param-folds"),
        Param::int("repeats", 1, 1_000, 1, &WORDS, "param-repeats"),
        Param::flag("shuffle", false, &WORDS, "param-shuffle"),
        Param::flag("leave-one-out", false, &WORDS, "param-leave-one-out"),
    ]
}

/// How rows are dealt, from the arguments of [`fold_params`].
pub(super) fn validation(args: &Args) -> Result<Validation, Refusal> {
    if !args.flag("leave-one-out") {
        return Ok(Validation::Folds {
            folds: args.int("folds") as usize,
            repeats: args.int("repeats") as usize,
            shuffle: args.flag("shuffle"),
        });
    }
    if let Some(other) = FOLD_NAMES[..3].iter().find(|name| args.given(name)) {
        let why = WORDS.say("not-both").with("other", *other);
        return Err(Refusal::new("bad-value", why, WORDS.say("not-both-hint")));
    }
    Ok(Validation::LeaveOneOut)
}

/// Reads a table from the shelf, or the one that comes with the program.
pub(super) fn read(args: &Args, shelf: &Shelf, work: &Work<'_>) -> Result<Table, Refusal> {
    let name = args.text("data");
    let separator = args.text("delimiter");
    let options = ReadOptions {
        delimiter: match separator.as_bytes() {
            [] => None,
            [one] => Some(*one),
            _ => {
                let why = WORDS.say("bad-delimiter").with("text", separator);
                return Err(Refusal::new(
                    "bad-value",
                    why,
                    WORDS.say("bad-delimiter-hint"),
                ));
            }
        },
        missing: args.list("na"),
        text: args.list("text"),
        names: names(args.text("names")),
        ..ReadOptions::default()
    };
    let wrong = |error| refusal_in(name, &error);
    let mut reader = TableReader::new(options);
    if let Some(sample) = own(args, shelf) {
        reader.feed(sample.text.as_bytes()).map_err(wrong)?;
        return reader.finish().map_err(wrong);
    }
    let mut bytes = shelf.open(name)?;
    let mut piece = vec![0; 1 << 18];
    loop {
        if work.over() {
            return Err(refusal(&LearnError::Stopped));
        }
        match bytes.read(&mut piece).map_err(|e| unread(name, &e))? {
            0 => return reader.finish().map_err(wrong),
            n => reader.feed(&piece[..n]).map_err(wrong)?,
        }
    }
}

/// Names between commas.
fn names(text: &str) -> Vec<String> {
    let each = text.split(',').map(|name| name.trim().to_owned());
    if text.trim().is_empty() {
        Vec::new()
    } else {
        each.collect()
    }
}

/// The sample that is meant: a file of the same name comes first.
fn own(args: &Args, shelf: &Shelf) -> Option<&'static Sample> {
    let name = args.text("data");
    Sample::named(name).filter(|_| !shelf.has(name))
}

/// Which rows are meant, from the arguments of [`params`].
fn intake(args: &Args, shelf: &Shelf) -> Intake {
    let ids = match args.list("id") {
        none if none == ["-"] => Some(Vec::new()),
        ids if !ids.is_empty() => Some(ids),
        _ => None,
    };
    let mut roles = Roles {
        target: args.text_if("target").map(str::to_owned),
        ids,
    };
    if let Some(sample) = own(args, shelf) {
        sample.fill_in(&mut roles);
    }
    Intake {
        roles,
        most: args.int("sample") as usize,
        missing: args.real("missing"),
        holdout: args.real("holdout"),
        seed: args.int("seed") as u64,
    }
}

/// The table of the arguments, and the rows that are learned from.
pub(super) fn load(
    args: &Args,
    shelf: &Shelf,
    work: &Work<'_>,
) -> Result<(Table, Dataset), Refusal> {
    let table = read(args, shelf, work)?;
    let (rows, _) = intake(args, shelf)
        .of(&table)
        .map_err(|error| refusal_in(args.text("data"), &error))?;
    Ok((table, rows))
}

/// The rows to learn from and, where `holdout` says so, those that are kept aside.
pub(super) fn split(
    args: &Args,
    shelf: &Shelf,
    work: &Work<'_>,
) -> Result<(Dataset, Option<Dataset>), Refusal> {
    let table = read(args, shelf, work)?;
    let found = intake(args, shelf).of(&table);
    found.map_err(|error| refusal_in(args.text("data"), &error))
}

/// How a pipeline fares on rows that were kept aside, where some were.
pub(super) fn check(
    (rows, held): (&Dataset, Option<&Dataset>),
    pipeline: &Pipeline,
    seed: u64,
    control: &Control<'_>,
) -> Result<Option<HeldOut>, LearnError> {
    let checked = held.map(|held| HeldOut::check(rows, held, pipeline, seed, control));
    match checked.transpose() {
        // What went before is kept without it.
        Err(LearnError::Stopped) => Ok(None),
        other => other,
    }
}

/// The rows and classes alone.
pub(super) fn rows(args: &Args, shelf: &Shelf, work: &Work<'_>) -> Result<Dataset, Refusal> {
    Ok(load(args, shelf, work)?.1)
}
