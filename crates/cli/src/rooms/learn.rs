//! What the learning desk does at the terminal alone; its verbs are described in its own crate.

mod bench;

use anyhow::Result;
use clap::Subcommand;

use crate::Answer;
use crate::out::Out;

pub(crate) use self::bench::{Measured, measure};

/// The learning desk: look at a table, try pipelines on it, keep and use a model
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Measure the desk beside scikit-learn, which does the same work in the same run
    ///
    /// The Python that `WITS_PYTHON` names, or `python3`, is asked; where it has no scikit-learn the
    /// figures stand alone. Both work on one core and are measured in seconds of processor.
    #[command(
        after_help = "Examples:\n  wits learn bench\n  wits learn bench --only knn\n  python3 -m venv venv && venv/bin/pip install scikit-learn && WITS_PYTHON=venv/bin/python wits learn bench"
    )]
    Bench {
        /// Only the work with this in its name
        #[arg(long, value_name = "NAME")]
        only: Option<String>,
    },
}

/// Does what a verb of this room asks.
pub(crate) fn run(verb: Verb, out: &Out) -> Result<Answer> {
    let Verb::Bench { only } = verb;
    let args = crate::args::BenchArgs {
        room: Some("learn".to_owned()),
        only,
        ..crate::args::BenchArgs::default()
    };
    crate::bench::run(&wits_catalog::all(), &args, out)
}
