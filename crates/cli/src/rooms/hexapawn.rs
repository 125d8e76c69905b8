//! The verbs of Hexapawn.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::Result;
use clap::{Args, Subcommand};
use wits_matchbox::hexapawn::solve;
use wits_search::{Budget, Limits};

use crate::args::seconds;
use crate::out::{Out, Progress};
use crate::problem::Problem;
use crate::{Answer, stop};

/// Hexapawn on any board
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Prove who wins, and on small boards count all games
    #[command(after_help = "Example: wits hexapawn solve --rows 5 --cols 6")]
    Solve(SolveArgs),
}

#[derive(Args)]
pub(crate) struct SolveArgs {
    /// Rows of the board, at least 3
    #[arg(long, value_name = "R", default_value_t = 3)]
    rows: u8,
    /// Columns of the board; rows times columns is at most 64
    #[arg(long, value_name = "C", default_value_t = 3)]
    cols: u8,
    /// Seconds it may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
    /// Count all games on boards with up to this many positions
    #[arg(long, value_name = "POSITIONS", default_value_t = 500_000)]
    count: u64,
    /// The proof runs on one thread; the option is here so that scripts can give it everywhere
    #[arg(long, value_name = "T", hide = true)]
    threads: Option<usize>,
}

/// Does what a verb asks.
pub(crate) fn run(verb: Verb, out: &Out) -> Result<Answer> {
    let Verb::Solve(args) = verb;
    let limits = args
        .time
        .map_or(Limits::NONE, |s| Limits::time(Duration::from_secs_f64(s)));
    let budget = Budget::with_stop(limits, stop::flag());
    let progress = Progress::start();
    let solved = solve(args.rows, args.cols, &budget, args.count, &mut |p| {
        progress.show(p.nodes, p.nodes.max(1), "positions looked at");
    })
    .map_err(|e| Problem::new("bad-size", e.to_string(), "try --rows 3 --cols 3"))?;
    progress.done();
    let mut value = serde_json::to_value(&solved)?;
    value["seconds"] = progress.seconds().into();
    out.tell(&value, || {
        let mut text = format!("{} rows, {} columns: ", solved.rows, solved.cols);
        match solved.winner {
            Some(winner) => { let _ = writeln!(text, "the {winner} player wins"); }
            None => { let _ = writeln!(text, "not decided in time (up to {} positions)", solved.at_most); }
        }
        let _ = writeln!(text, "{} positions looked at, {:.2} s", solved.nodes, progress.seconds());
        match (&solved.games, solved.positions, solved.distance, solved.longest) {
            (games, Some(positions), Some(distance), Some(longest)) => {
                let games = games.as_deref().unwrap_or("more than 2^128");
                let _ = writeln!(text, "{games} complete games over {positions} positions; with best play over after {distance} moves, at most after {longest}"
                );
            }
            _ if solved.winner.is_some() => {
                let _ = writeln!(text, "too large to count all games: more than {} positions, at most {}",
                    args.count, solved.at_most
                );
            }
            _ => {}
        }
        text
    })?;
    Ok(if solved.winner.is_some() {
        Answer::Yes
    } else {
        Answer::No
    })
}
