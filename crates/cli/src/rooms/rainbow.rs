//! The verbs of the rainbow room: anti-van der Waerden numbers, and the game solved and measured.

mod games;
mod numbers;
mod pairing;

use std::time::Duration;

use anyhow::Result;
use clap::Subcommand;
use wits_rainbow::BadTerms;
use wits_search::{Budget, Limits};

use crate::out::Out;
use crate::problem::Problem;
use crate::{Answer, stop};
use games::{GameArgs, HintArgs, HoldArgs, MatrixArgs, SolveArgs};
use numbers::{AwArgs, CheckArgs, CountArgs, TableArgs};
use pairing::{PairingArgs, PotentialArgs};

/// Rainbow progressions: the anti-van der Waerden numbers and their game
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Find how many colours force a rainbow, with a witness for one less
    #[command(
        after_help = "Examples:\n  wits rainbow aw --n 20 --k 4\n  wits rainbow aw --n 1000000000000000000 --k 3\n  wits rainbow aw --n 27 --k 3 --search --svg witness.svg"
    )]
    Aw(AwArgs),
    /// Make a table of these numbers
    #[command(
        after_help = "Examples:\n  wits rainbow table --k 4 --to 24\n  wits rainbow table --k 4-10 --to 26 --csv > aw.csv"
    )]
    Table(TableArgs),
    /// Count the colourings without a rainbow, up to renaming the colours
    #[command(after_help = "Example: wits rainbow count --n 9 --k 3 --r 3")]
    Count(CountArgs),
    /// Find every rainbow in a colouring, and the longest
    #[command(
        after_help = "Examples:\n  wits rainbow check abacabad --k 3\n  wits rainbow check \"1 2 2 3 - 1\" --k 3 --svg rainbows.svg"
    )]
    Check(CheckArgs),
    /// Find who wins a game under perfect play, by which move, and how large the proof is
    #[command(
        after_help = "Examples:\n  wits rainbow solve --n 9 --k 4 --c 4 --first maker\n  wits rainbow solve --n 8 --k 4 --c 4 --first breaker --thread proof.thread\n  wits rainbow solve --n 28 --k 6 --c 28 --threads 16 --positions 1000000000 --time 3600"
    )]
    Solve(SolveArgs),
    /// Find partners for all numbers so that every progression contains a pair, or show that there are none
    #[command(
        after_help = "Examples:\n  wits rainbow pairing --n 27 --k 6\n  wits rainbow pairing --k 6 --pairs \"1-2 3-4 5-6\" --n 6"
    )]
    Pairing(PairingArgs),
    /// Show the sum with which one colour is enough for Breaker
    #[command(after_help = "Example: wits rainbow potential --n 300 --k 30")]
    Potential(PotentialArgs),
    /// Find the best chance to hold level 4, by following every game against it
    #[command(
        after_help = "Examples:\n  wits rainbow hold --n 21 --k 5 --c 10 --first maker\n  wits rainbow hold --n 24 --k 5 --c 10 --first breaker --threads 2"
    )]
    Hold(HoldArgs),
    /// Say what is decided before the first move, and why
    #[command(after_help = "Example: wits rainbow forecast --n 1000 --k 3 --c 20")]
    Forecast(GameArgs),
    /// Ask for a hint, any number of times
    #[command(
        after_help = "Example: wits rainbow hint --n 30 --k 5 --c 10 --moves \"15=1 16=1 14=2\" --level 4 --times 3"
    )]
    Hint(HintArgs),
    /// Let every machine level play against every hint level
    #[command(
        after_help = "Examples:\n  wits rainbow matrix --n 30 --k 5 --c 10 --first breaker --games 60 --strong 1000\n  wits rainbow matrix --n 20 --k 5 --c 10 --games 1000 --makers 4 --breakers 4,strong"
    )]
    Matrix(MatrixArgs),
}

/// Does what a verb of this room asks.
pub(crate) fn run(verb: Verb, out: &Out) -> Result<Answer> {
    match verb {
        Verb::Aw(args) => numbers::aw(&args, out),
        Verb::Table(args) => numbers::table(&args, out),
        Verb::Count(args) => numbers::count(&args, out),
        Verb::Check(args) => numbers::check(&args, out),
        Verb::Solve(args) => games::solved(&args, out),
        Verb::Pairing(args) => pairing::pairing(&args, out),
        Verb::Potential(args) => pairing::potential(args, out),
        Verb::Hold(args) => games::held(&args, out),
        Verb::Forecast(args) => games::decided(args, out),
        Verb::Hint(args) => games::hint(&args, out),
        Verb::Matrix(args) => games::matrix(&args, out),
    }
}

/// A parameter out of range, as a problem with a hint.
fn wrong(bad: BadTerms) -> anyhow::Error {
    let error = wits_play::Refusal::from(bad);
    Problem::from(error).into()
}

/// What a search may spend: the time that was given, and Ctrl-C.
fn budget(time: Option<f64>) -> Budget {
    let limits = time.map_or(Limits::NONE, |s| Limits::time(Duration::from_secs_f64(s)));
    Budget::with_stop(limits, stop::flag())
}
