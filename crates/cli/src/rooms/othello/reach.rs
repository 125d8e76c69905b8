//! Whether a board can come up in play, and how often that is found out.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::json;
use wits_othello::Othello;
use wits_othello::notation::Side;
use wits_othello::reach::{Reachable, random_board, reachable};
use wits_search::{Budget, Limits};

use super::{board, budget, variant};
use crate::Answer;
use crate::args::{Seeded, seconds};
use crate::matches::threads;
use crate::out::{Out, Progress};
use crate::problem::Problem;

/// A board, or how many random ones.
#[derive(clap::Args)]
pub(crate) struct ReachArgs {
    /// 64 squares, perhaps with the side to move
    #[arg(allow_hyphen_values = true, required_unless_present = "measure")]
    board: Option<String>,
    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "5")]
    time: f64,
    /// What the game starts from
    #[arg(long, value_parser = ["othello", "reversi", "parallel"], default_value = "othello")]
    start: String,
    /// Instead of one board, ask for so many random ones and say how often a game was found
    #[arg(long, value_name = "BOARDS", conflicts_with = "board")]
    measure: Option<u64>,
    /// After how many moves of random games the boards are taken
    #[arg(long = "move", value_name = "MOVES", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=60))]
    moves: u32,
    /// How many boards at once with --measure (0: one for each core); each has one thread
    #[arg(long, default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    seed: Seeded,
}

/// `wits othello reach`
pub(super) fn run(args: &ReachArgs, out: &Out) -> anyhow::Result<Answer> {
    if let Some(boards) = args.measure {
        return measured(args, boards, out);
    }
    let text = args.board.as_deref().unwrap_or_default();
    let (position, side) = board(text)?;
    let game = variant(8, &args.start);
    let either = side == Side::Guessed;
    let answer = reachable(&game, &position, either, &budget(Some(args.time)));
    out.tell(&answer, || {
        let word = match answer.reachable {
            Reachable::Yes => "yes",
            Reachable::No => "no",
            Reachable::Unknown => "unknown",
        };
        let game = answer.game.as_deref().unwrap_or_default();
        format!("{word}: {}\n{game}", answer.reason)
    })?;
    Ok(if answer.reachable == Reachable::No {
        Answer::No
    } else {
        Answer::Yes
    })
}

/// Asks for many random boards. Every witness was played over before it counts.
fn measured(args: &ReachArgs, boards: u64, out: &Out) -> anyhow::Result<Answer> {
    let (game, seed) = (Othello::default(), args.seed.or_fresh());
    let (next, found) = (AtomicU64::new(0), AtomicU64::new(0));
    let times = Mutex::new(Vec::new());
    let wrong = Mutex::new(None);
    let stop = crate::stop::flag();
    let progress = Progress::start();
    let begun = Instant::now();
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= boards || stop.load(Ordering::Relaxed) {
                return;
            }
            let position = random_board(args.moves, seed.nth(number));
            let limits = Limits::time(Duration::from_secs_f64(args.time));
            let limit = Budget::with_stop(limits, std::sync::Arc::clone(&stop));
            let start = Instant::now();
            let answer = reachable(&game, &position, false, &limit);
            let took = start.elapsed().as_secs_f64();
            match answer.reachable {
                Reachable::Yes => {
                    found.fetch_add(1, Ordering::Relaxed);
                    let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
                    times.push(took);
                }
                Reachable::No => {
                    *wrong.lock().unwrap_or_else(PoisonError::into_inner) = Some(number);
                }
                Reachable::Unknown => {}
            }
            progress.show(number + 1, boards, "boards");
        }
    };
    let count = threads(args.threads);
    std::thread::scope(|scope| {
        for _ in 1..count {
            scope.spawn(work);
        }
        work();
    });
    progress.done();
    if let Some(number) = wrong.into_inner().unwrap_or_else(PoisonError::into_inner) {
        let message =
            format!("board {number} of seed {seed} came up in play and was called unreachable");
        return Err(Problem::new(
            "wrong",
            message,
            "this is a fault of the program; keep the seed",
        )
        .into());
    }
    let asked = next.into_inner().min(boards);
    let found = found.into_inner();
    let mut times = times.into_inner().unwrap_or_else(PoisonError::into_inner);
    times.sort_by(f64::total_cmp);
    let median = times.get(times.len() / 2).copied();
    let slowest = times.last().copied();
    let rate = found as f64 / asked.max(1) as f64;
    let took = begun.elapsed().as_secs_f64();
    let json = json!({
        "move": args.moves, "boards": asked, "witnesses": found, "rate": rate, "seed": seed,
        "limit": args.time, "threads": count, "median": median, "slowest": slowest, "seconds": took,
    });
    out.tell(&json, || {
        format!(
            "move {}: {found} of {asked} random boards got a witness ({:.1} %), {} s each at most; \
             median {:.2} s, slowest {:.2} s (seed {seed})",
            args.moves,
            100.0 * rate,
            args.time,
            median.unwrap_or(0.0),
            slowest.unwrap_or(0.0)
        )
    })?;
    Ok(Answer::Yes)
}
