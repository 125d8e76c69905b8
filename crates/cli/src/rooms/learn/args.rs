//! What can be asked of the learning desk.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::args::seconds;

/// The learning desk: look at a table, try pipelines on it, keep and use a model
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Look at features and classes together, in numbers and in drawings
    #[command(
        after_help = "Examples:\n  wits learn explore glass\n  wits learn explore glass --out drawings"
    )]
    Explore(ExploreArgs),
    /// Try every imputer with every transformer with every classifier
    #[command(
        after_help = "Examples:\n  wits learn grid glass --preset report --missing 0.05\n  wits learn grid glass --imputer mean --transformer standard --transformer \"standard + pca\" --classifier knn:k=3 --save run.json"
    )]
    Grid(GridArgs),
    /// See how the score changes with one parameter, with the number of rows, or without a feature
    #[command(
        after_help = "Examples:\n  wits learn tune glass --pipeline \"mean + standard + knn\" --parameter knn.k --values 1..15:2\n  wits learn tune glass --pipeline random-forest --learning\n  wits learn tune glass --pipeline random-forest --importance"
    )]
    Tune(TuneArgs),
    /// Train a pipeline on all rows and keep it as one file
    #[command(
        after_help = "Examples:\n  wits learn train glass --pipeline \"mean + tree:depth=4\" -o model.json --tree tree.svg\n  wits learn train glass --pipeline random-forest:trees=20 -o model.json --rust model.rs"
    )]
    Train(TrainArgs),
    /// Measure a model on a file that has the answers
    #[command(after_help = "Example: wits learn evaluate model.json new.csv --svg confusion.svg")]
    Evaluate(EvaluateArgs),
    /// Let a model name the class of every row of a file
    #[command(after_help = "Example: wits learn predict model.json new.csv")]
    Predict(PredictArgs),
    /// Print a table as a classifier would see it
    #[command(
        after_help = "Examples:\n  wits learn transform glass --with standard\n  wits learn transform rows.csv --with \"knn:k=1 + standard + pca:components=2\""
    )]
    Transform(TransformArgs),
    /// Reopen a run that was kept
    #[command(after_help = "Example: wits learn open run.json")]
    Open {
        /// The run's file
        #[arg(value_name = "RUN")]
        run: PathBuf,
    },
    /// Repeat a student's report on Glass and set its statements beside what is found
    #[command(
        after_help = "Examples:\n  wits learn report --glass\n  wits learn report --glass --seeds 5 --no-nested --out drawings"
    )]
    Report(ReportArgs),
    /// Measure the desk beside scikit-learn's figures
    #[command(after_help = "Examples:\n  wits learn bench\n  wits learn bench --only boosting")]
    Bench {
        /// Only the work with this in its name
        #[arg(long, value_name = "NAME")]
        only: Option<String>,
    },
}

/// A file of rows and how to read it.
#[derive(Args)]
pub(crate) struct DataArgs {
    /// A file of rows, or `glass` for the data that comes with the program
    #[arg(value_name = "DATA")]
    pub(super) data: String,
    #[command(flatten)]
    pub(super) reading: ReadArgs,
    /// The class column (guessed otherwise)
    #[arg(long, value_name = "COLUMN")]
    pub(super) target: Option<String>,
    /// A column that only labels rows; may be repeated (guessed otherwise)
    #[arg(long = "id", value_name = "COLUMN")]
    pub(super) ids: Vec<String>,
    /// Remove each value with this chance
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(super) missing: Option<f64>,
    /// Where all chance comes from; the same seed gives the same numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
}

#[derive(Args)]
pub(crate) struct ReadArgs {
    /// The separator (found out otherwise)
    #[arg(long, value_name = "CHAR")]
    pub(super) delimiter: Option<char>,
    /// A further word that stands for a missing value; may be repeated
    #[arg(long = "na", value_name = "WORD")]
    pub(super) na: Vec<String>,
    /// A column that is text although it looks like numbers; may be repeated
    #[arg(long = "text", value_name = "COLUMN")]
    pub(super) text: Vec<String>,
}

#[derive(Args)]
pub(crate) struct FoldArgs {
    /// How many stratified folds
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(super) folds: usize,
    /// How often all of it is repeated with another shuffle
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) repeats: usize,
    /// Shuffle rows by the seed instead of dealing them in file order
    #[arg(long)]
    pub(super) shuffle: bool,
    /// Test every row alone
    #[arg(long, conflicts_with_all = ["folds", "repeats", "shuffle"])]
    pub(super) leave_one_out: bool,
}

#[derive(Args, Clone, Copy)]
pub(crate) struct LongArgs {
    /// How many threads (0: one for each core); the numbers are the same for any
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub(super) threads: usize,
    /// Seconds it may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) time: Option<f64>,
}

#[derive(Args)]
pub(crate) struct ExploreArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
    /// Draw into this folder
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// The two features of the transformed views, `A,B`
    #[arg(long, value_name = "A,B")]
    pub(super) pair: Option<String>,
}

#[derive(Args)]
pub(crate) struct GridArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
    /// A ready-made grid: `report` (484 pipelines) or `quick`
    #[arg(long, value_name = "NAME", default_value = "quick", value_parser = ["report", "quick"])]
    pub(super) preset: String,
    /// An imputer instead of the preset's; may be repeated
    #[arg(long = "imputer", value_name = "SPEC")]
    pub(super) imputers: Vec<String>,
    /// A transformer or a chain of them; may be repeated
    #[arg(long = "transformer", value_name = "SPEC")]
    pub(super) transformers: Vec<String>,
    /// A classifier; may be repeated
    #[arg(long = "classifier", value_name = "SPEC")]
    pub(super) classifiers: Vec<String>,
    #[command(flatten)]
    pub(super) folds: FoldArgs,
    /// What the leaderboard is ordered by
    #[arg(long, value_name = "SCORE", default_value = "accuracy", value_parser = ["accuracy", "balanced-accuracy", "macro-f1"])]
    pub(super) score: String,
    /// Also measure by nested cross-validation how much the choice flatters itself
    #[arg(long)]
    pub(super) nested: bool,
    /// Keep the run in this file
    #[arg(long, value_name = "FILE")]
    pub(super) save: Option<PathBuf>,
    /// Keep the grid's thread in this file; `wits replay FILE` and the page show it
    #[arg(long, value_name = "FILE")]
    pub(super) watch: Option<PathBuf>,
    /// Draw the bars of the methods into this folder
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) long: LongArgs,
}

#[derive(Args)]
pub(crate) struct TuneArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
    /// The pipeline to start from
    #[arg(long, value_name = "PIPELINE")]
    pub(super) pipeline: String,
    /// Which parameter changes, `parameter` or `method.parameter`
    #[arg(long, value_name = "NAME", requires = "values", required_unless_present_any = ["learning", "importance"])]
    pub(super) parameter: Option<String>,
    /// Its values: `1..15:2` or `gini|entropy`
    #[arg(long, value_name = "VALUES", requires = "parameter")]
    pub(super) values: Option<String>,
    /// Change the number of training rows instead
    #[arg(long, conflicts_with = "parameter")]
    pub(super) learning: bool,
    /// Shuffle one feature after the other instead
    #[arg(long, conflicts_with_all = ["parameter", "learning"])]
    pub(super) importance: bool,
    #[command(flatten)]
    pub(super) folds: FoldArgs,
    /// Keep the run in this file
    #[arg(long, value_name = "FILE", conflicts_with = "importance")]
    pub(super) save: Option<PathBuf>,
    /// Draw it into this file
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
    #[command(flatten)]
    pub(super) long: LongArgs,
}

#[derive(Args)]
pub(crate) struct TrainArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
    /// The pipeline
    #[arg(long, value_name = "PIPELINE")]
    pub(super) pipeline: String,
    /// Where to keep the model
    #[arg(short = 'o', long = "out", value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Write a tree or a forest as Rust source, too
    #[arg(long, value_name = "FILE")]
    pub(super) rust: Option<PathBuf>,
    /// Draw the tree into this file
    #[arg(long, value_name = "FILE")]
    pub(super) tree: Option<PathBuf>,
    #[command(flatten)]
    pub(super) long: LongArgs,
}

#[derive(Args)]
pub(crate) struct EvaluateArgs {
    #[command(flatten)]
    pub(super) used: PredictArgs,
    /// Draw the confusion matrix into this file
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct PredictArgs {
    /// The model's file
    #[arg(value_name = "MODEL")]
    pub(super) model: PathBuf,
    /// A file of rows, or `glass`
    #[arg(value_name = "DATA")]
    pub(super) data: String,
    #[command(flatten)]
    pub(super) reading: ReadArgs,
}

#[derive(Args)]
pub(crate) struct TransformArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
    /// `[IMPUTER +] TRANSFORMER [+ TRANSFORMER ...]`
    #[arg(long = "with", value_name = "SPEC")]
    pub(super) with: String,
}

#[derive(Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub(crate) struct ReportArgs {
    /// The report on Glass (there is no other yet)
    #[arg(long, required = true)]
    pub(super) glass: bool,
    /// How many seeds are paired
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(super) seeds: usize,
    /// Leave out the nested check (five more grids)
    #[arg(long)]
    pub(super) no_nested: bool,
    /// Leave out the two parameter curves
    #[arg(long)]
    pub(super) no_curves: bool,
    /// Where all chance comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Print the statements as a Markdown table
    #[arg(long)]
    pub(super) table: bool,
    /// Draw the figures into this folder
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) long: LongArgs,
}

fn share(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|share| (0.0..1.0).contains(share))
        .ok_or_else(|| "give a share from 0 to below 1, such as 0.05".to_owned())
}
