//! The verbs of the Scrabble room.

mod lexicon;
pub(crate) mod library;

use anyhow::Result;
use clap::Subcommand;

use crate::Answer;
use crate::out::Out;

/// Crossword play with lettered tiles
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Lexicons: build, look into, search, measure, export, rebuild
    #[command(subcommand)]
    Lexicon(lexicon::Verb),
}

/// Does what a verb of this room asks.
pub(crate) fn run(verb: Verb, out: &Out) -> Result<Answer> {
    match verb {
        Verb::Lexicon(verb) => lexicon::run(verb, out),
    }
}
