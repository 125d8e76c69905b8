//! The command line of the Thue room, as clap reads it.

use std::path::PathBuf;

use clap::builder::TypedValueParser as _;
use clap::{Args, Subcommand, ValueEnum};
use wits_thue::Word;
use wits_thue::marathon::MarathonBuilder;
use wits_thue::words::Variant;
use wits_thue::words::source::Source;

use crate::args::{Seeded, seconds};

/// Words without repetition
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Find squares, overlaps and runs in a word
    #[command(
        after_help = "Examples:\n  wits thue find abcabc\n  wits thue find 0110100110010110 --kind overlap\n  wits thue find abcacb --thread windows.thread"
    )]
    Find(FindArgs),
    /// Show how many symbols fit into each gap of a word
    #[command(after_help = "Example: wits thue gaps acbc --symbols 3")]
    Gaps(GapsArgs),
    /// Write letters of a famous infinite word, from any index
    #[command(
        after_help = "Examples:\n  wits thue words thue-1906 --count 64\n  wits thue words thue-morse --from 1000000000000000000 --count 20\n  wits thue words 'a->abcab,b->acabcb,c->acbcacb' --count 29"
    )]
    Words(WordsArgs),
    /// Count the words without repetition
    #[command(after_help = "Example: wits thue count --kind square-free --symbols 3 --length 20")]
    Count(CountArgs),
    /// Find square-free words into which nothing fits
    #[command(after_help = "Example: wits thue extremal --symbols 3 --length 25")]
    Extremal(ExtremalArgs),
    /// Find the exact value of the insertion game, with a certificate
    #[command(
        after_help = "Examples:\n  wits thue value --variant square --symbols 4 --certificate four.cert\n  wits thue value --symbols 5 --depth 16\n  wits thue value --symbols 5 --time 86400 --keep five.search"
    )]
    Value(ValueArgs),
    /// Show that so many picks are not enough, with the Painter's answers as a proof in pieces
    #[command(
        after_help = "Example: wits thue refute --symbols 5 --depth 13 --folder five-13 && wits thue verify five-13"
    )]
    Refute(RefuteArgs),
    /// Check a certificate, or a proof in pieces, with code that shares nothing with the search
    #[command(
        after_help = "Examples:\n  wits thue verify four.cert\n  wits thue verify five-13\n  wits thue verify five-13/piece-002.txt"
    )]
    Verify(VerifyArgs),
    /// Play millions of moves against the Painter that never loses with 12 symbols
    #[command(after_help = "Example: wits thue marathon --moves 10000000 --builder random")]
    Marathon(MarathonArgs),
    /// Play a game from the thesis's configuration file
    #[command(after_help = "Example: wits thue run thesis.properties --lang pl")]
    Run(RunArgs),
    /// Repeat the thesis's tables 3.1 to 3.3 and figures 3.1 to 3.6
    #[command(after_help = "Example: wits thue tables --games 12 --figures figures/")]
    Tables(TablesArgs),
    /// Run the thesis's overall test: every pair of levels on every alphabet
    #[command(
        after_help = "Example: wits thue overall --levels 6 --symbols 7 --think 1 --keep overall.jsonl"
    )]
    Overall(OverallArgs),
}

#[derive(Args)]
pub(crate) struct FindArgs {
    /// The word: digits, letters, or numbers with commas
    pub(super) word: Word,
    /// What to look for: square, overlap or overlap-thesis
    #[arg(long, default_value_t)]
    pub(super) kind: Variant,
    /// List at most this many
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(super) limit: usize,
    /// Save how the two windows slide, to be replayed
    #[arg(long, value_name = "FILE")]
    pub(super) thread: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct GapsArgs {
    /// The word
    pub(super) word: Word,
    /// How many symbols there are
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(super) symbols: u8,
    /// What counts as a repetition
    #[arg(long, default_value_t)]
    pub(super) variant: Variant,
}

#[derive(Args)]
pub(crate) struct WordsArgs {
    /// thue-morse, thue-morse-automaton, thue-morse-morphism, thue-1906, thue-1912, prouhet-K, u-N, v-N, or rules
    pub(super) generator: Source,
    /// The index of the first letter
    #[arg(long, value_name = "I", default_value_t = 0)]
    pub(super) from: u128,
    /// How many letters
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub(super) count: usize,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Free {
    SquareFree,
    OverlapFree,
}

#[derive(Args)]
pub(crate) struct CountArgs {
    /// Which words
    #[arg(long)]
    pub(super) kind: Free,
    /// How many symbols there are
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(super) symbols: u8,
    /// How long the words are
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub(super) length: u16,
}

#[derive(Args)]
pub(crate) struct ExtremalArgs {
    /// How many symbols there are
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(super) symbols: u8,
    /// How long the words are
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u16).range(1..=100))]
    pub(super) length: u16,
}

#[derive(Args)]
pub(crate) struct ValueArgs {
    /// What counts as a repetition
    #[arg(long, default_value_t)]
    pub(super) variant: Variant,
    /// How many symbols there are
    #[arg(long, value_name = "K")]
    pub(super) symbols: usize,
    /// Look at most this many picks deep
    #[arg(long, value_name = "D", default_value_t = 41, value_parser = clap::value_parser!(u32).range(1..=41))]
    pub(super) depth: u32,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) time: Option<f64>,
    /// How many threads (0: one for each core)
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub(super) threads: usize,
    /// The most memory the table may take, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) memory: u32,
    /// Write the certificate here
    #[arg(long, value_name = "FILE")]
    pub(super) certificate: Option<PathBuf>,
    /// Keep what is known here every ten minutes and at the end, and take it up again from there
    #[arg(long, value_name = "FILE")]
    pub(super) keep: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct RefuteArgs {
    /// What counts as a repetition
    #[arg(long, default_value_t)]
    pub(super) variant: Variant,
    /// How many symbols there are
    #[arg(long, value_name = "K")]
    pub(super) symbols: usize,
    /// How many picks are to be refuted
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=41))]
    pub(super) depth: u32,
    /// Write the pieces here
    #[arg(long, value_name = "DIR")]
    pub(super) folder: PathBuf,
    /// How many pieces
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=999).map(usize::from))]
    pub(super) pieces: usize,
    /// Leave words with so many picks left to be searched by whoever checks
    #[arg(long, value_name = "L", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=41))]
    pub(super) leaf: u32,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) time: Option<f64>,
    /// How many threads (0: one for each core)
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub(super) threads: usize,
    /// The most memory the table may take, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) memory: u32,
}

#[derive(Args)]
pub(crate) struct VerifyArgs {
    /// The certificate, a piece of a proof, or the folder of its pieces
    pub(super) file: PathBuf,
    /// Stop after so many seconds (pieces only)
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) time: Option<f64>,
    /// How many pieces at once (0: one for each core)
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub(super) threads: usize,
    /// Search the refuted depth again up to this many picks
    #[arg(long, value_name = "D", default_value_t = 9)]
    pub(super) again: u32,
}

#[derive(Args)]
pub(crate) struct MarathonArgs {
    /// How many moves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=200_000_000))]
    pub(super) moves: u64,
    /// random, ends or greedy
    #[arg(long, default_value = "random")]
    pub(super) builder: MarathonBuilder,
    #[command(flatten)]
    pub(super) seed: Seeded,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) time: Option<f64>,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Tongue {
    Pl,
    En,
}

#[derive(Args)]
pub(crate) struct RunArgs {
    /// The configuration file
    pub(super) file: PathBuf,
    /// The language of the game
    #[arg(long, default_value = "en")]
    pub(super) lang: Tongue,
    /// Where the transcript goes
    #[arg(long, value_name = "DIR", default_value = "output")]
    pub(super) output: PathBuf,
    /// End the game after so many symbols
    #[arg(long, value_name = "M", default_value_t = 1000)]
    pub(super) max_moves: usize,
    #[command(flatten)]
    pub(super) seed: Seeded,
}

#[derive(Args)]
pub(crate) struct TablesArgs {
    /// Games for each of tables 3.2 and 3.3
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(super) games: u64,
    /// Games of the greedy Builder against the level-2 Painter
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(super) unbeaten: u64,
    /// Write the figures here as SVG
    #[arg(long, value_name = "DIR")]
    pub(super) figures: Option<PathBuf>,
    #[command(flatten)]
    pub(super) seed: Seeded,
    /// How many threads (0: one for each core)
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub(super) threads: usize,
}

#[derive(Args)]
pub(crate) struct OverallArgs {
    /// What counts as a repetition
    #[arg(long, default_value_t)]
    pub(super) variant: Variant,
    /// The highest level
    #[arg(long, value_name = "L", default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=16))]
    pub(super) levels: u32,
    /// The largest alphabet
    #[arg(long, value_name = "K", default_value_t = 7, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(super) symbols: u8,
    /// Seconds a decision may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "1")]
    pub(super) think: f64,
    /// The longest game
    #[arg(long, value_name = "M", default_value_t = 300)]
    pub(super) max_moves: usize,
    /// Keep finished games here, and go on from there
    #[arg(long, value_name = "FILE")]
    pub(super) keep: Option<PathBuf>,
    #[command(flatten)]
    pub(super) seed: Seeded,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) time: Option<f64>,
    /// How many threads (0: one for each core)
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub(super) threads: usize,
}
