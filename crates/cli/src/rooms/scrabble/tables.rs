//! `learn-leaves`, `levels`, `thesis`: the long runs whose tables are in the docs.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use wits_game::Seed;
use wits_play::{Runner, Series, Shelf, Spec, Tally};
use wits_scrabble::players::learn::{Lessons, learn};
use wits_scrabble::players::thesis::FALLBACKS;
use wits_scrabble::{bench, house};

use super::positions::engine;
use crate::matches::threads;
use crate::out::{Out, Progress};
use crate::problem::Problem;
use crate::shelf::write_whole;
use crate::{Answer, stop};

#[derive(Args)]
pub(crate) struct LearnArgs {
    /// The lexicon: `english`, `polish`, `czech`, or a file
    #[arg(long, value_name = "NAME", default_value = "english")]
    lexicon: String,
    /// Games in each generation
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    games: u64,
    /// Generations; the first plays for points alone
    #[arg(long, value_name = "N", default_value_t = 3)]
    generations: u32,
    /// Where the table goes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Threads; as many as there are cores where it is left out
    #[arg(long, value_name = "T", default_value_t = 0)]
    threads: usize,
    /// Where all chance comes from
    #[arg(long, value_name = "N", default_value_t = Seed::new(1))]
    seed: Seed,
}

#[derive(Args)]
pub(crate) struct TableArgs {
    /// The lexicon: `english`, `polish`, `czech`, or a file
    #[arg(long, value_name = "NAME", default_value = "english")]
    lexicon: String,
    /// Games of each row, on paired bags
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    games: u64,
    /// Threads; as many as there are cores where it is left out
    #[arg(long, value_name = "T", default_value_t = 0)]
    threads: usize,
    /// Where all chance comes from
    #[arg(long, value_name = "N", default_value_t = Seed::new(1))]
    seed: Seed,
}

/// `wits scrabble learn-leaves`
pub(crate) fn learn_leaves(args: &LearnArgs, out: &Out) -> Result<Answer> {
    let engine = engine(&args.lexicon)?;
    house::warm(&engine);
    let lessons = Lessons {
        games: args.games,
        generations: args.generations,
        threads: threads(args.threads),
        seed: args.seed,
    };
    let progress = Progress::start();
    let all = args.games * u64::from(args.generations);
    let flag = stop::flag();
    let learned = learn(&engine, &lessons, &flag, &|generation, game| {
        let done = u64::from(generation) * args.games + game;
        progress.show(done, all, &format!("generation {}", generation + 1));
    });
    progress.done();
    let lexicon = engine.lexicon();
    let mut text = format!(
        "# What tiles are worth in the hand, in hundredths of a point. Made by:\n# wits scrabble learn-leaves --lexicon {} --games {} --generations {} --seed {}\n# Lexicon {:016x}, {} words.\n",
        args.lexicon,
        args.games,
        args.generations,
        args.seed,
        lexicon.hash(),
        lexicon.len()
    );
    text.push_str(&learned.leaves.write(engine.tiles()));
    write_whole(&args.out, text.as_bytes())?;
    let rows: Vec<Value> = learned
        .generations
        .iter()
        .map(|(turns, points)| json!({"turns": turns, "points": points}))
        .collect();
    let value = json!({"lexicon": args.lexicon, "file": args.out.display().to_string(), "bytes": text.len(),
        "generations": rows, "seconds": progress.seconds()});
    out.tell(&value, || {
        let mut said = String::new();
        for (n, (turns, points)) in learned.generations.iter().enumerate() {
            let _ = writeln!(
                said,
                "generation {}: {turns} turns, {points:.1} points a side",
                n + 1
            );
        }
        format!(
            "{said}{} bytes in `{}`, {:.0} s",
            text.len(),
            args.out.display(),
            progress.seconds()
        )
    })?;
    Ok(if learned.generations.len() == args.generations as usize {
        Answer::Yes
    } else {
        Answer::No
    })
}

/// A series of games on paired bags between two specs.
fn series(args: &TableArgs, a: &str, b: &str, progress: &Progress) -> Result<Tally> {
    let catalog = wits_catalog::all();
    let spec: Spec = format!("scrabble:lexicon=\"{}\"", args.lexicon)
        .parse()
        .map_err(Problem::from)?;
    let game = catalog.game(&spec, &Shelf::new()).map_err(Problem::from)?;
    let flag = stop::flag();
    let (a, b): (Spec, Spec) = (
        a.parse().map_err(Problem::from)?,
        b.parse().map_err(Problem::from)?,
    );
    let series = Series {
        game: &*game,
        a: &a,
        b: &b,
        shelf: &Shelf::new(),
        runner: Runner {
            stop: Arc::clone(&flag),
            ..Runner::default()
        },
        seed: args.seed,
        games: args.games,
    };
    let played = series
        .play(threads(args.threads), &flag, &|tally| {
            let note = format!(
                "{a} against {b}: +{} ={} -{}",
                tally.a_wins, tally.draws, tally.b_wins
            );
            progress.show(tally.games, args.games, &note);
        })
        .map_err(Problem::from)?;
    Ok(played.tally)
}

fn row(a: &str, b: &str, tally: &Tally) -> Value {
    let (low, high) = tally.interval();
    json!({"a": a, "b": b, "games": tally.games, "a_wins": tally.a_wins, "draws": tally.draws, "b_wins": tally.b_wins,
        "a_score": tally.score(), "interval": [low, high]})
}

fn line(a: &str, b: &str, tally: &Tally) -> String {
    let (low, high) = tally.interval();
    format!(
        "{a:<46} {b:<16} {:>6} {:>6} {:>5} {:>6}  {:>5.1}% ({:.1} to {:.1})",
        tally.games,
        tally.a_wins,
        tally.draws,
        tally.b_wins,
        100.0 * tally.score(),
        100.0 * low,
        100.0 * high
    )
}

/// `wits scrabble levels`
pub(crate) fn levels(args: &TableArgs, out: &Out) -> Result<Answer> {
    house::warm(&*engine(&args.lexicon)?);
    let progress = Progress::start();
    let mut rows = Vec::new();
    let mut text = format!(
        "{:<46} {:<16} {:>6} {:>6} {:>5} {:>6}\n",
        "level", "against", "games", "won", "drawn", "lost"
    );
    let mut within = true;
    for level in 2..=5 {
        let (a, b) = (
            format!("level:level={level}"),
            format!("level:level={}", level - 1),
        );
        let tally = series(args, &a, &b, &progress)?;
        within &= (0.58..=0.68).contains(&tally.score());
        let _ = writeln!(text, "{}", line(&a, &b, &tally));
        rows.push(row(&a, &b, &tally));
    }
    progress.done();
    let value = json!({"lexicon": args.lexicon, "seed": args.seed, "rows": rows, "within": within, "seconds": progress.seconds()});
    out.tell(&value, || text)?;
    Ok(if within { Answer::Yes } else { Answer::No })
}

/// The settings of the thesis's table 5.1: longest, exchange, safe, bonus; and its wins, draws and losses in 150 games.
const THESIS: [([i32; 4], [u32; 3]); 7] = [
    ([-1, 3, 1, 6], [82, 4, 64]),
    ([1, 6, 1, 6], [78, 0, 72]),
    ([1, 3, 1, 10], [58, 0, 92]),
    ([1, 5, 2, 5], [80, 2, 68]),
    ([-1, 0, 2, 5], [79, 1, 70]),
    ([2, 6, 1, 6], [84, 1, 65]),
    ([2, 10, 1, 6], [75, 0, 75]),
];

/// `wits scrabble thesis`
pub(crate) fn thesis(args: &TableArgs, out: &Out) -> Result<Answer> {
    let engine = engine(&args.lexicon)?;
    house::warm(&engine);
    let progress = Progress::start();
    let (first, lead) = first_mover(args, &engine);
    let mut rows = Vec::new();
    let mut text = format!(
        "{:<46} {:<16} {:>6} {:>6} {:>5} {:>6}\n",
        "heuristics", "against", "games", "won", "drawn", "lost"
    );
    for ([longest, exchange, safe, bonus], theirs) in THESIS {
        let a = format!("thesis:longest={longest},exchange={exchange},safe={safe},bonus={bonus}");
        FALLBACKS.reset();
        let tally = series(args, &a, "greedy", &progress)?;
        let (turns, greedy) = FALLBACKS.counts();
        let share = greedy as f64 / turns.max(1) as f64;
        let mut found = row(&a, "greedy", &tally);
        found["fallback"] = json!(share);
        found["thesis"] = json!(theirs);
        rows.push(found);
        let (low, high) = wits_play::wilson(
            (f64::from(theirs[0]) + f64::from(theirs[1]) / 2.0) / 150.0,
            150,
        );
        let _ = writeln!(
            text,
            "{}  most points in {:.1}% of turns; the thesis: {} {} {} (95%: {:.1} to {:.1})",
            line(&a, "greedy", &tally),
            100.0 * share,
            theirs[0],
            theirs[1],
            theirs[2],
            100.0 * low,
            100.0 * high
        );
    }
    progress.done();
    let games: u64 = first.iter().sum();
    let edge = (first[0] as f64 + first[1] as f64 / 2.0) / games.max(1) as f64;
    let mean = lead as f64 / games.max(1) as f64;
    let value = json!({"lexicon": args.lexicon, "seed": args.seed, "rows": rows,
        "first_mover": {"games": games, "wins": first[0], "draws": first[1], "losses": first[2], "score": edge, "lead": mean},
        "seconds": progress.seconds()});
    out.tell(&value, || {
        let (low, high) = wits_play::wilson(edge, games);
        format!(
            "{text}the first seat, greedy against greedy, {games} games: {:.1}% ({:.1} to {:.1}), {mean:+.1} points\n",
            100.0 * edge,
            100.0 * low,
            100.0 * high
        )
    })?;
    Ok(Answer::Yes)
}

/// How often the first seat wins, greedy against greedy.
fn first_mover(args: &TableArgs, engine: &wits_scrabble::Engine) -> ([u64; 3], i64) {
    const SLICE: u64 = 50;
    let next = AtomicU64::new(0);
    let flag = stop::flag();
    let parts = std::thread::scope(|scope| {
        let work = || {
            let (mut counts, mut lead) = ([0; 3], 0);
            loop {
                let start = next.fetch_add(SLICE, Ordering::Relaxed);
                if start >= args.games || flag.load(Ordering::Relaxed) {
                    return (counts, lead);
                }
                let games = start..(start + SLICE).min(args.games);
                let (more, gained) = bench::first_mover(engine, games, args.seed);
                for (count, n) in counts.iter_mut().zip(more) {
                    *count += n;
                }
                lead += gained;
            }
        };
        let running: Vec<_> = (0..threads(args.threads))
            .map(|_| scope.spawn(work))
            .collect();
        running
            .into_iter()
            .map(|h| h.join().expect("a game of two machines does not panic"))
            .collect::<Vec<([u64; 3], i64)>>()
    });
    let mut total = ([0; 3], 0);
    for (counts, lead) in parts {
        for (sum, n) in total.0.iter_mut().zip(counts) {
            *sum += n;
        }
        total.1 += lead;
    }
    total
}
