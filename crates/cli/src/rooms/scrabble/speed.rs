//! `wits scrabble bench` and the room's part of `wits bench`: games a second, and what the old methods needed.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use serde_json::json;
use wits_game::Seed;
use wits_scrabble::generate::older::Older;
use wits_scrabble::generate::{Method, NOTHING};
use wits_scrabble::{Engine, bench, house};

use super::positions::engine;
use crate::Answer;
use crate::bench::worked_seconds;
use crate::out::Out;

#[derive(Args)]
pub(crate) struct BenchArgs {
    /// The lexicon: `english`, `polish`, `czech`, or a file
    #[arg(long, value_name = "NAME", default_value = "english")]
    lexicon: String,
    /// Games of the fastest method; the others play fewer
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    games: u64,
    /// Positions for the old methods, which need a good part of a second for each
    #[arg(long, value_name = "N", default_value_t = POSITIONS)]
    positions: usize,
}

/// The old methods see every word, so a few positions are enough to know them.
pub(crate) const POSITIONS: usize = 12;

/// A figure: its name, the value, the unit, and the value of what it is compared with.
pub(crate) type Figure = (String, f64, &'static str, Option<f64>);

/// Starts a clock that tells the seconds that this thread has worked since, or that have passed where the system does not say.
fn clock() -> impl Fn() -> f64 {
    let (begun, passed) = (worked_seconds(), Instant::now());
    move || match (begun, worked_seconds()) {
        (Some(begun), Some(now)) => now - begun,
        _ => passed.elapsed().as_secs_f64(),
    }
}

/// All figures of one lexicon, by the processor time of one thread: other programs on the machine do not count.
pub(crate) fn figures(engine: &Engine, games: u64, positions: usize) -> Vec<Figure> {
    house::warm(engine);
    let seed = Seed::new(1);
    let name = engine.lexicon().name();
    let rate = |method: Method, games: u64| {
        let start = clock();
        let (turns, points) = black_box(bench::greedy_games(engine, method, games.max(1), seed));
        let seconds = start();
        (
            games.max(1) as f64 / seconds,
            turns as f64 / seconds,
            points,
        )
    };
    let dawg = rate(Method::Dawg, games / 20);
    let gaddag = rate(Method::Gaddag, games / 20);
    let shadow = rate(Method::Shadow, games);
    let mut figures: Vec<Figure> = vec![
        (
            format!("best-move games, {name}, all plays on the DAWG"),
            dawg.0,
            "games/s",
            None,
        ),
        (
            format!("best-move games, {name}, all plays on the GADDAG (baseline: DAWG)"),
            gaddag.0,
            "games/s",
            Some(dawg.0),
        ),
        (
            format!("best-move games, {name}, bounds on the GADDAG (baseline: DAWG)"),
            shadow.0,
            "games/s",
            Some(dawg.0),
        ),
        (
            format!("memory of the structures it uses, {name}"),
            engine.bytes() as f64 / 1e6,
            "MB",
            None,
        ),
    ];
    let leaves = house::leaves(engine.tiles());
    let leave_games = games / 4 + 1;
    let rate = |method: Method| {
        let start = clock();
        black_box(bench::leave_games(
            engine,
            method,
            &leaves,
            leave_games,
            seed,
        ));
        leave_games as f64 / start()
    };
    let (counts, shadow_leaves) = (rate(Method::Counts), rate(Method::Shadow));
    figures.push((
        format!("games by points and leaves, {name}, bounds by counts"),
        counts,
        "games/s",
        None,
    ));
    figures.push((
        format!("games by points and leaves, {name} (baseline: bounds by counts)"),
        shadow_leaves,
        "games/s",
        Some(counts),
    ));
    let old = Older::new(engine.lexicon());
    let positions = bench::positions(engine, positions.max(1), seed);
    let baseline = shadow.1;
    for (method, about) in [
        ("scan", "every word tried everywhere (Weinberger)"),
        ("longest", "longest words first (Turcan)"),
        (
            "dearest",
            "letters by value, the first play of 20 points (Shapiro)",
        ),
    ] {
        let start = clock();
        for (field, hand) in &positions {
            black_box(bench::older(method, &old, field, hand));
        }
        let moves = positions.len() as f64 / start();
        figures.push((
            format!("moves, {name}, {about} (baseline: bounds)"),
            moves,
            "moves/s",
            Some(baseline),
        ));
    }
    let worst = bench::crowded(engine, 40, seed)
        .iter()
        .map(|(field, hand)| {
            let start = clock();
            black_box(engine.best(field, hand, 50, &NOTHING));
            start() * 1e3
        })
        .fold(0.0, f64::max);
    figures.push((
        format!("best move with two blanks on crowded boards, {name}, worst of 40"),
        worst,
        "ms",
        None,
    ));
    figures
}

/// `wits scrabble bench`
pub(crate) fn run(args: &BenchArgs, out: &Out) -> Result<Answer> {
    let engine = engine(&args.lexicon)?;
    let found = figures(&engine, args.games, args.positions);
    let rows: Vec<_> = found
        .iter()
        .map(|(name, value, unit, baseline)| {
            json!({"name": name, "value": value, "unit": unit, "baseline": baseline, "ratio": baseline.map(|b| value / b)})
        })
        .collect();
    out.tell(&json!({ "figures": rows }), || {
        let mut text = String::new();
        for (name, value, unit, baseline) in &found {
            let ratio = baseline.map_or(String::new(), |b| {
                format!("  {:.4} times {b:.1}", value / b)
            });
            let _ = writeln!(text, "{name:<84} {value:>12.2} {unit}{ratio}");
        }
        text
    })?;
    Ok(Answer::Yes)
}
