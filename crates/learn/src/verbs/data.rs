//! What most verbs take: a table, how it is read, what is learned from it, and how rows are dealt.

use std::io::Read as _;

use wits_desk::{Args, Param, Refusal, Shelf, unread};

use super::refusal_in;
use crate::bench::GLASS;
use crate::dataset::{Dataset, Roles};
use crate::split::Validation;
use crate::table::{ReadOptions, Table, TableReader};
use crate::words::WORDS;

/// The table that comes with the program.
const OWN: &str = "glass";
/// Numbers that JavaScript and JSON keep whole.
const MOST_SEED: i64 = 9_007_199_254_740_991;

/// The names of [`params`].
pub(super) const NAMES: [&str; 8] = [
    "data",
    "delimiter",
    "na",
    "text",
    "target",
    "id",
    "missing",
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
        Param::real("missing", 0.0, 0.99, 0.0, &WORDS, "param-missing").shown_as("SHARE"),
        Param::int("seed", 0, MOST_SEED, 0, &WORDS, "param-seed"),
    ]);
    params
}

/// A table and how it is read.
pub(super) fn read_params() -> Vec<Param> {
    let data = Param::file("data", &WORDS, "param-data");
    vec![
        data.positional().shown_as("DATA").offering(&[OWN]),
        Param::text("delimiter", &WORDS, "param-delimiter").shown_as("CHAR"),
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
pub(super) fn read(args: &Args, shelf: &Shelf) -> Result<Table, Refusal> {
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
        ..ReadOptions::default()
    };
    let wrong = |error| refusal_in(name, &error);
    let mut reader = TableReader::new(options);
    if is_own(args, shelf) {
        reader.feed(GLASS.as_bytes()).map_err(wrong)?;
        return reader.finish().map_err(wrong);
    }
    let mut bytes = shelf.open(name)?;
    let mut piece = vec![0; 1 << 18];
    loop {
        match bytes.read(&mut piece).map_err(|e| unread(name, &e))? {
            0 => return reader.finish().map_err(wrong),
            n => reader.feed(&piece[..n]).map_err(wrong)?,
        }
    }
}

fn is_own(args: &Args, shelf: &Shelf) -> bool {
    args.text("data") == OWN && !shelf.has(OWN)
}

/// The table of the arguments, and the rows and classes chosen from it.
pub(super) fn load(args: &Args, shelf: &Shelf) -> Result<(Table, Dataset), Refusal> {
    let table = read(args, shelf)?;
    let own = is_own(args, shelf);
    let ids = match args.list("id") {
        none if none == ["-"] => Some(Vec::new()),
        ids if !ids.is_empty() => Some(ids),
        _ if own => Some(vec!["id".to_owned()]),
        _ => None,
    };
    let named = args.text_if("target").map(str::to_owned);
    let target = named.or_else(|| own.then(|| "class".to_owned()));
    let mut data = Dataset::new(&table, &Roles { target, ids })
        .map_err(|error| refusal_in(args.text("data"), &error))?;
    let missing = args.real("missing");
    if missing > 0.0 {
        data = data.with_missing(missing, args.int("seed") as u64);
    }
    Ok((table, data))
}

/// The rows and classes alone.
pub(super) fn rows(args: &Args, shelf: &Shelf) -> Result<Dataset, Refusal> {
    Ok(load(args, shelf)?.1)
}
