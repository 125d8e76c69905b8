//! The verbs of the Scrabble room.

pub(crate) mod install;
pub(crate) mod larder;
mod lexicon;
pub(crate) mod library;
mod positions;
mod sheet;
pub(crate) mod speed;
mod tables;

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
    /// The best moves of a position
    #[command(
        after_help = "Examples:\n  wits scrabble moves --rack AEINRS?\n  wits scrabble moves --lexicon polish --rack ZAŻÓŁĆE --top 5"
    )]
    Moves(positions::MovesArgs),
    /// The score sheet of a game that was played here
    #[command(after_help = "Example:\n  wits scrabble gcg game.record --out game.gcg")]
    Gcg(sheet::GcgArgs),
    /// Learn what tiles are worth in the hand, from self-play
    #[command(
        after_help = "Example:\n  wits scrabble learn-leaves --lexicon english --out leaves.txt"
    )]
    LearnLeaves(tables::LearnArgs),
    /// Each level against the one below
    #[command(after_help = "Example:\n  wits scrabble levels --games 1000")]
    Levels(tables::TableArgs),
    /// The thesis's table of heuristics against the most points, with enough games
    #[command(after_help = "Example:\n  wits scrabble thesis --games 10000")]
    Thesis(tables::TableArgs),
    /// How fast moves are found, beside the old methods
    #[command(after_help = "Example:\n  wits scrabble bench --lexicon english")]
    Bench(speed::BenchArgs),
}

/// Does what a verb of this room asks.
pub(crate) fn run(verb: Verb, out: &Out) -> Result<Answer> {
    match verb {
        Verb::Lexicon(verb) => lexicon::run(verb, out),
        Verb::Moves(args) => positions::moves(&args, out),
        Verb::Gcg(args) => sheet::export(&args, out),
        Verb::LearnLeaves(args) => tables::learn_leaves(&args, out),
        Verb::Levels(args) => tables::levels(&args, out),
        Verb::Thesis(args) => tables::thesis(&args, out),
        Verb::Bench(args) => speed::run(&args, out),
    }
}

/// The shipped English lexicon, ready for play.
pub(crate) fn english() -> Result<std::sync::Arc<wits_scrabble::Engine>> {
    positions::engine("english")
}
