//! The command line of `wits scrabble lexicon`, as clap reads it.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
use wits_scrabble::lexicon::{BadForms, Capitals, Encoding, Forms};

use crate::problem::Problem;

/// Lexicons
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Build a lexicon from word lists or from a hunspell dictionary
    #[command(
        after_help = "Examples:\n  wits scrabble lexicon build words.txt --tiles english -o mine.lex\n  wits scrabble lexicon build cs_CZ.dic --tiles czech --forms up-to:5 -o small.lex\n  wits scrabble lexicon build LIST --tiles polish --stop bad.txt --capitals any -o mine.lex"
    )]
    Build(BuildArgs),
    /// Say what is in a lexicon; without a name, which lexicons there are
    #[command(
        after_help = "Examples:\n  wits scrabble lexicon info\n  wits scrabble lexicon info english\n  wits scrabble lexicon info mine.lex --json"
    )]
    Info(InfoArgs),
    /// Say whether words are in a lexicon; exit code 1 where one is not
    #[command(after_help = "Example: wits scrabble lexicon check english qi quiz za")]
    Check(CheckArgs),
    /// Find words by beginning, by pattern, by the tiles in hand, or by number
    #[command(
        after_help = "Examples:\n  wits scrabble lexicon search english --prefix quiz\n  wits scrabble lexicon search english --pattern '?u*zz'\n  wits scrabble lexicon search polish --anagram 'żółwia?'\n  wits scrabble lexicon search english --anagram 'aeinrs?' --some --limit 20\n  wits scrabble lexicon search english --word quiz\n  wits scrabble lexicon search english --rank 100000"
    )]
    Search(SearchArgs),
    /// Compare what each structure takes for the same words
    #[command(
        after_help = "Examples:\n  wits scrabble lexicon sizes english polish czech\n  wits scrabble lexicon sizes english --gaddag\n  wits scrabble lexicon sizes --from cs_CZ.dic --letters czech --forms base --forms up-to:5 --forms all"
    )]
    Sizes(SizesArgs),
    /// Write a lexicon for other programs
    #[command(
        after_help = "Examples:\n  wits scrabble lexicon export english --format kwg -o english.kwg\n  wits scrabble lexicon export czech --format list -o czech.txt"
    )]
    Export(ExportArgs),
    /// Make the shipped lexicons again from Debian's packages
    #[command(
        after_help = "Examples:\n  apt-get install scowl wpolish hunspell-cs && wits scrabble lexicon rebuild --check\n  wits scrabble lexicon rebuild czech --root unpacked\n  wits scrabble lexicon rebuild --out lexicons"
    )]
    Rebuild(RebuildArgs),
}

/// Where words come from.
#[derive(Args, Clone)]
pub(crate) struct SourceArgs {
    /// Word lists (one word a line), or dictionaries (`.dic`, with the `.aff` beside it)
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// The tile set: english, polish, czech, or a file
    #[arg(long)]
    pub(super) tiles: String,
    /// The affixes, where they are not beside the dictionary under the same name
    #[arg(long, value_name = "FILE")]
    pub(super) aff: Option<PathBuf>,
    /// Words to leave out (one or more a line, `#` begins a comment); may be repeated
    #[arg(long, value_name = "FILE")]
    pub(super) stop: Vec<PathBuf>,
    /// Which forms to keep: all, base, or up-to:N (all forms to N letters, longer words as in the dictionary)
    #[arg(long, default_value = "all")]
    pub(super) forms: String,
    /// The fewest letters
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=15))]
    pub(super) min: u8,
    /// The most letters
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u8).range(2..=15))]
    pub(super) max: u8,
    /// What a capital means
    #[arg(long, value_enum, default_value = "guess")]
    pub(super) capitals: CapitalsArg,
    /// Read letters that the tile set does not have without their accents
    #[arg(long)]
    pub(super) unaccent: bool,
    /// How the lists are encoded: utf-8, iso8859-1, iso8859-2
    #[arg(long, default_value = "utf-8")]
    pub(super) encoding: Encoding,
}

impl SourceArgs {
    pub(super) fn forms(&self) -> Result<Forms> {
        forms(&self.forms)
    }
}

fn forms(text: &str) -> Result<Forms> {
    text.parse().map_err(|e: BadForms| {
        Problem::new("forms", e.to_string(), "example: --forms up-to:5").into()
    })
}

/// What a capital at the start of a word means
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum CapitalsArg {
    /// A name or an abbreviation: left out
    Names,
    /// Nothing
    Any,
    /// Names where most of the list is in small letters
    Guess,
}

impl From<CapitalsArg> for Capitals {
    fn from(arg: CapitalsArg) -> Capitals {
        match arg {
            CapitalsArg::Names => Capitals::Names,
            CapitalsArg::Any => Capitals::Nothing,
            CapitalsArg::Guess => Capitals::Guess,
        }
    }
}

#[derive(Args)]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    pub(super) source: SourceArgs,
    /// What the lexicon is called; the output file's name if not given
    #[arg(long)]
    pub(super) name: Option<String>,
    /// A line that says where the words come from, kept in the file
    #[arg(long, default_value = "")]
    pub(super) note: String,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    pub(super) out: PathBuf,
}

impl BuildArgs {
    pub(super) fn name(&self) -> String {
        let stem = self
            .out
            .file_stem()
            .map(|s| s.to_string_lossy().into_owned());
        self.name.clone().or(stem).unwrap_or_default()
    }
}

#[derive(Args)]
pub(crate) struct InfoArgs {
    /// A lexicon: english, polish, czech, or a file
    pub(super) name: Option<String>,
    /// The tile set's file, where the lexicon is for one that is not shipped
    #[arg(long)]
    pub(super) tiles: Option<String>,
}

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// A lexicon: english, polish, czech, or a file
    pub(super) name: String,
    /// The words
    #[arg(required = true)]
    pub(super) words: Vec<String>,
    /// The tile set's file, where the lexicon is for one that is not shipped
    #[arg(long)]
    pub(super) tiles: Option<String>,
}

#[derive(Args)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["word", "prefix", "pattern", "anagram", "rank"])))]
pub(crate) struct SearchArgs {
    /// A lexicon: english, polish, czech, or a file
    pub(super) name: String,
    /// One word, and its number among all words
    #[arg(long)]
    pub(super) word: Option<String>,
    /// Words that begin so
    #[arg(long)]
    pub(super) prefix: Option<String>,
    /// Words like this: `?` is one letter, `*` any number
    #[arg(long)]
    pub(super) pattern: Option<String>,
    /// Words of these tiles: `?` is a blank
    #[arg(long, value_name = "TILES")]
    pub(super) anagram: Option<String>,
    /// The word with this number, from 0
    #[arg(long)]
    pub(super) rank: Option<u32>,
    /// With --anagram: not all tiles need be used
    #[arg(long, requires = "anagram")]
    pub(super) some: bool,
    /// The most words shown
    #[arg(long, default_value_t = 100)]
    pub(super) limit: usize,
    /// The tile set's file, where the lexicon is for one that is not shipped
    #[arg(long)]
    pub(super) tiles: Option<String>,
}

#[derive(Args)]
pub(crate) struct SizesArgs {
    /// Lexicons: english, polish, czech, or files
    #[arg(required_unless_present = "from")]
    pub(super) names: Vec<String>,
    /// Measure a word list or a dictionary instead
    #[arg(
        long,
        value_name = "FILE",
        requires = "letters",
        conflicts_with = "names"
    )]
    from: Option<PathBuf>,
    /// The tile set for --from
    #[arg(long, value_name = "TILES")]
    letters: Option<String>,
    /// Which forms, with --from; may be repeated
    #[arg(long, default_value = "all")]
    forms: Vec<String>,
    /// Also the GADDAG, which takes seconds for millions of words
    #[arg(long)]
    pub(super) gaddag: bool,
    /// The tile set's file, where the lexicon is for one that is not shipped
    #[arg(long)]
    pub(super) tiles: Option<String>,
}

impl SizesArgs {
    /// What --from asks for, as a source.
    pub(super) fn source(&self) -> Option<SourceArgs> {
        Some(SourceArgs {
            files: vec![self.from.clone()?],
            tiles: self.letters.clone()?,
            aff: None,
            stop: Vec::new(),
            forms: String::new(),
            min: 2,
            max: 15,
            capitals: CapitalsArg::Guess,
            unaccent: false,
            encoding: Encoding::Utf8,
        })
    }

    pub(super) fn forms(&self) -> Result<Vec<Forms>> {
        self.forms.iter().map(|text| forms(text)).collect()
    }
}

#[derive(Args)]
pub(crate) struct ExportArgs {
    /// A lexicon: english, polish, czech, or a file
    pub(super) name: String,
    /// What to write
    #[arg(long, value_enum)]
    pub(super) format: Format,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// The tile set's file, where the lexicon is for one that is not shipped
    #[arg(long)]
    pub(super) tiles: Option<String>,
}

/// A file format
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Format {
    /// One word a line, in capitals
    List,
    /// KWG with DAWG and GADDAG, for other crossword programs
    Kwg,
    /// KWG with the DAWG only
    KwgDawg,
    /// The thesis's bytes with 18-bit jumps
    Thesis,
}

#[derive(Args)]
pub(crate) struct RebuildArgs {
    /// Which: english, polish, czech; all if none is named
    pub(super) names: Vec<String>,
    /// Where the packages are unpacked or installed
    #[arg(long, default_value = "/")]
    pub(super) root: PathBuf,
    /// Where to write; the data directory's folder `lexicons` if not given
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Write nothing: say whether what is made equals what is shipped (exit code 1 if not)
    #[arg(long)]
    pub(super) check: bool,
}
