//! From files to a lexicon, with progress, and what was left out.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::Result;
use serde_json::{Value, json};
use wits_scrabble::lexicon::hunspell::{Affixes, Form, expand};
use wits_scrabble::lexicon::{Capitals, Encoding, Forms, Report, Rules, Sieve};
use wits_scrabble::{Lexicon, TileSet};

use super::super::library;
use super::args::SourceArgs;
use super::read;
use crate::out::Progress;
use crate::problem::Problem;
use crate::stop;

/// One file, read.
enum Text {
    List(PathBuf, Vec<u8>),
    Dictionary(PathBuf, Vec<u8>, Box<Affixes>),
}

/// Files, tile set and rules, read once.
pub(super) struct Source {
    texts: Vec<Text>,
    tiles: Arc<TileSet>,
    rules: Rules,
    stop: Vec<String>,
    encoding: Encoding,
}

impl Source {
    /// Reads everything that the command line names.
    pub(super) fn new(args: &SourceArgs) -> Result<Source> {
        let rules = Rules {
            shortest: usize::from(args.min),
            longest: usize::from(args.max),
            capitals: Capitals::from(args.capitals),
            forms: Forms::All,
            unaccent: args.unaccent,
        };
        let tiles = library::tile_set(&args.tiles)?;
        let mut source = Source::empty(tiles, rules, args.encoding);
        for path in &args.files {
            source.add(path, args.aff.as_deref())?;
        }
        for path in &args.stop {
            source.stop(path)?;
        }
        Ok(source)
    }

    pub(super) fn empty(tiles: Arc<TileSet>, rules: Rules, encoding: Encoding) -> Source {
        Source {
            texts: Vec::new(),
            tiles,
            rules,
            stop: Vec::new(),
            encoding,
        }
    }

    /// Adds a list, or a dictionary by its ending.
    pub(super) fn add(&mut self, path: &Path, aff: Option<&Path>) -> Result<()> {
        let bytes = read(path)?;
        let text = if path.extension().is_some_and(|e| e == "dic") {
            let aff = aff.map_or_else(|| path.with_extension("aff"), Path::to_owned);
            if !aff.exists() {
                let message = format!("the affixes of `{}` are missing", path.display());
                let hint = format!("put `{}` beside it, or name it with --aff", aff.display());
                return Err(Problem::new("affixes", message, hint).into());
            }
            let affixes = Affixes::parse(&read(&aff)?).map_err(|e| broken(&aff, &e))?;
            Text::Dictionary(path.to_owned(), bytes, Box::new(affixes))
        } else {
            Text::List(path.to_owned(), bytes)
        };
        self.texts.push(text);
        Ok(())
    }

    /// Adds a stop list.
    pub(super) fn stop(&mut self, path: &Path) -> Result<()> {
        let bytes = read(path)?;
        let text = Encoding::Utf8.read(&bytes).map_err(|e| broken(path, &e))?;
        self.stop.push(text.into_owned());
        Ok(())
    }

    /// Adds a stop list by its text.
    pub(super) fn stop_text(&mut self, text: &str) {
        self.stop.push(text.to_owned());
    }

    /// Adds words by their text, one a line.
    pub(super) fn add_text(&mut self, text: String) {
        self.texts
            .push(Text::List(PathBuf::from("words"), text.into_bytes()));
    }

    /// The lexicon of everything read.
    pub(super) fn lexicon(&self, name: &str, forms: Forms) -> Result<(Lexicon, Report)> {
        let rules = Rules {
            forms,
            ..self.rules.clone()
        };
        let dictionaries = self.texts.iter().any(|t| matches!(t, Text::Dictionary(..)));
        if forms != Forms::All && !dictionaries {
            let message = format!(
                "a word list does not say which of its words are base forms, so `{forms}` cannot be kept"
            );
            let hint = "give a dictionary (.dic with its .aff), or --forms all";
            return Err(Problem::new("forms", message, hint).into());
        }
        let mut sieve = Sieve::new(&self.tiles, rules);
        self.stop.iter().for_each(|list| sieve.stop(list));
        let progress = Progress::start();
        let flag = stop::flag();
        let goes_on = || !flag.load(Ordering::Relaxed);
        for text in &self.texts {
            match text {
                Text::List(path, bytes) => {
                    let text = self.encoding.read(bytes).map_err(|e| broken(path, &e))?;
                    let all = text.len() as u64;
                    sieve.list(&text, |done| {
                        progress.show(done as u64, all, "reading");
                        goes_on()
                    });
                }
                Text::Dictionary(path, bytes, affixes) => {
                    // Forms come many to a line, and how many is not known before.
                    let mut told = 0u64;
                    expand(affixes, bytes, |form| {
                        match form {
                            Form::Base(text) => sieve.offer(text, true),
                            Form::Affixed(text) => sieve.offer(text, false),
                            Form::Forbidden(text) => sieve.forbid(text),
                        }
                        told += 1;
                        if told.is_multiple_of(65_536) {
                            let guess = bytes.len() as u64 * 3 / 2;
                            progress.show(told, told.max(guess), "forms");
                        }
                        goes_on()
                    })
                    .map_err(|e| broken(path, &e))?;
                }
            }
        }
        if !goes_on() {
            let message = "stopped before the words were all read";
            return Err(Problem::new("stopped", message, "nothing was written").into());
        }
        let built = sieve.into_lexicon(name);
        progress.done();
        let hint = "check that the list is in the language of the tile set, one word a line";
        Ok(built.map_err(|e| Problem::new("no-words", e.to_string(), hint))?)
    }
}

fn broken(path: &Path, error: &dyn std::fmt::Display) -> Problem {
    let message = format!("`{}`: {error}", path.display());
    Problem::new("bad-file", message, "nothing was written")
}

/// What was left out, for scripts.
pub(super) fn drops_json(report: &Report) -> Vec<Value> {
    let row = |(reason, dropped): (
        &wits_scrabble::lexicon::Reason,
        &wits_scrabble::lexicon::Dropped,
    )| {
        json!({"reason": reason.id(), "about": reason.about(), "count": dropped.count, "examples": dropped.examples})
    };
    report.dropped.iter().map(row).collect()
}

/// What was left out, for people.
pub(super) fn drops_text(report: &Report) -> String {
    let mut text = String::new();
    for (reason, dropped) in &report.dropped {
        let _ = writeln!(
            text,
            "{:9} left out: {} ({})",
            dropped.count,
            reason.about(),
            dropped.examples.join(", ")
        );
    }
    if report.unaccented > 0 {
        let _ = writeln!(text, "{:9} read without accents", report.unaccented);
    }
    text
}
