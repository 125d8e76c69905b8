//! `wits match`: many games between two machines.

use std::fmt::Write as _;
use std::sync::Arc;

use anyhow::Result;
use serde_json::json;
use wits_play::{Catalog, Comparison, Runner, Series};

use crate::args::MatchArgs;
use crate::out::{Out, Progress};
use crate::play::{control, did, limits};
use crate::{Answer, Problem, shelf, stop};

/// `wits match`
pub(crate) fn run(catalog: &Catalog, args: &MatchArgs, out: &Out) -> Result<Answer> {
    let shelf = shelf::fill(catalog, &args.game, &[&args.a, &args.b])?;
    let game = catalog.game(&args.game, &shelf)?;
    if game.seats() != 2 {
        let what = format!("`{}` is no game of two, and a match is", args.game);
        let hint = if game.seats() < 2 {
            "`wits play` plays it, with one `--seat`"
        } else {
            "`wits arena run` lets any number of players meet"
        };
        return Err(Problem::new("wrong-seats", what, hint).into());
    }
    let stop = stop::flag();
    let runner = Runner {
        limits: limits(args.time.time),
        clock: control(&args.time),
        max_moves: args.max_moves,
        stop: Arc::clone(&stop),
        ..Runner::default()
    };
    let seed = args.seed.or_fresh();
    let series = Series {
        game: &*game,
        a: &args.a,
        b: &args.b,
        shelf: &shelf,
        runner,
        seed,
        games: args.games,
    };
    let progress = Progress::start();
    let played = series.play(threads(args.threads), &stop, &|tally| {
        progress.show(
            tally.games,
            args.games,
            &format!("+{} ={} -{}", tally.a_wins, tally.draws, tally.b_wins),
        );
    })?;
    progress.done();
    let seconds = progress.seconds();
    for (spec, memory) in [
        (&args.a, &played.memories[0]),
        (&args.b, &played.memories[1]),
    ] {
        shelf::keep(spec, memory.as_ref())?;
    }
    let tally = played.tally;
    let (low, high) = tally.interval();
    let unit = if game.comparison() == Comparison::Pair {
        "pairs of games"
    } else {
        "games"
    };
    let mut result = json!({
        "game": game.spec(), "seed": seed, "a": args.a.to_string(), "b": args.b.to_string(),
        "games": tally.games, "unit": unit, "a_wins": tally.a_wins, "b_wins": tally.b_wins, "draws": tally.draws,
        "a_score": tally.score(), "interval": [low, high],
        "a_faults": tally.a_faults, "b_faults": tally.b_faults, "seconds": seconds,
    });
    for (key, fault) in ["a_fault", "b_fault"].into_iter().zip(&played.faults) {
        if let Some(fault) = fault {
            result[key] = json!({"fault": fault.name(), "why": fault.why()});
        }
    }
    out.tell(&result, || {
        let mut faults = match (tally.a_faults, tally.b_faults) {
            (0, 0) => String::new(),
            (a, b) => format!("lost by illegal moves, crashes or the clock: A {a}, B {b}\n"),
        };
        for (name, fault) in ["A", "B"].into_iter().zip(&played.faults) {
            if let Some(fault) = fault {
                let _ = writeln!(faults, "{name} {}", did(fault));
            }
        }
        let stopped = if tally.games < args.games { " (stopped early)" } else { "" };
        format!(
            "A = {}, B = {}: {} {unit} of {}{stopped}, seed {seed}\nA won {}, drew {}, lost {}\nA scored {:.1}% (95% interval {:.1}% to {:.1}%)\n{faults}{:.2} s",
            args.a, args.b, tally.games, game.spec(), tally.a_wins, tally.draws, tally.b_wins,
            100.0 * tally.score(), 100.0 * low, 100.0 * high, seconds,
        )
    })?;
    Ok(Answer::Yes)
}

/// How many threads: as many as asked, or one for each core.
pub(crate) fn threads(asked: usize) -> usize {
    if asked > 0 {
        asked
    } else {
        std::thread::available_parallelism().map_or(1, usize::from)
    }
}
