//! `wits othello train`: games against itself, then weights fitted to them.
//!
//! Games are made in parts, each with seeds of its own and a file of its own, so that a run that was broken off goes
//! on where it stopped and the result does not depend on the number of threads.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use anyhow::Result;
use clap::Args;
use serde_json::json;
use wits_game::Seed;
use wits_othello::engine::Judgement;
use wits_othello::engine::patterns::Patterns;
use wits_othello::engine::train::{Fit, Games, Sample, fit, play};

use crate::Answer;
use crate::args::Seeded;
use crate::matches::threads;
use crate::out::{Out, Progress};
use crate::problem::Problem;
use crate::shelf::write_whole;

/// Games are made in this many parts, whatever the number of threads.
const PARTS: u32 = 128;

#[derive(Args)]
pub(crate) struct TrainArgs {
    /// The file of weights to write
    out: PathBuf,
    /// How many games to play
    #[arg(long, default_value_t = 20_000)]
    games: u32,
    /// How many moves ahead the games are played
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=12))]
    depth: u32,
    /// From how many empty squares on play is exact
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=20))]
    exact: u32,
    /// How much later searches count in a label: 0 nothing, 1 only the end of the game counts
    #[arg(long, default_value_t = 0.75, value_parser = share)]
    trace: f32,
    /// In how many percent of positions a move that was not chosen is looked at, too
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(0..=100))]
    aside: u32,
    /// Each game begins with up to so many random moves
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=40))]
    random: u32,
    /// How often the fit goes over all positions
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=200))]
    rounds: u32,
    /// Play the games with these weights; without, by a few counts set by hand
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Fit also the games kept in this folder by an earlier run (may be repeated)
    #[arg(long, value_name = "FOLDER")]
    also: Vec<PathBuf>,
    /// Keep the games in this folder and go on from what is there (default: OUT.games)
    #[arg(long, value_name = "FOLDER")]
    work: Option<PathBuf>,
    /// How many threads (0: one for each core)
    #[arg(long, default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    seed: Seeded,
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|n| (0.0..=1.0).contains(n));
    number.ok_or_else(|| "give a number from 0 to 1".to_owned())
}

pub(crate) fn run(args: &TrainArgs, out: &Out) -> Result<Answer> {
    let judgement = match &args.from {
        Some(file) => Judgement::Patterns(read_weights(file)?.into()),
        None => Judgement::Counts,
    };
    let how = Games {
        games: args.games.div_ceil(PARTS),
        random: args.random,
        depth: args.depth,
        exact: args.exact,
        trace: args.trace,
        aside: args.aside,
        seed: args.seed.seed.unwrap_or(Seed::new(1)),
    };
    let work = args.work.clone().unwrap_or_else(|| {
        let mut name = args.out.as_os_str().to_owned();
        name.push(".games");
        name.into()
    });
    begin(&work, &how, args.from.as_deref())?;
    let progress = Progress::start();
    let Some(mut samples) = games(&work, &judgement, &how, threads(args.threads), &progress)?
    else {
        out.say(format!(
            "stopped; the same command goes on from the games in `{}`",
            work.display()
        ))?;
        return Ok(Answer::Wrong);
    };
    for folder in &args.also {
        for part in 0..PARTS {
            samples.extend(read_part(&part_file(folder, part))?);
        }
    }
    let played = progress.seconds();
    let fitted = AtomicU64::new(0);
    let heard = |_: usize, _: f64| {
        let done = fitted.fetch_add(1, Ordering::Relaxed) + 1;
        progress.show(done, 15, "phases fitted");
    };
    let (patterns, fit) = fit(&samples, args.rounds, how.seed, &heard);
    progress.done();
    let bytes = patterns.write();
    write_whole(&args.out, &bytes)?;
    let value = json!({
        "weights": args.out, "bytes": bytes.len(), "games": how.games * PARTS, "how": how, "fit": fit,
        "seconds_playing": played, "seconds": progress.seconds(),
    });
    out.tell(&value, || report(args, &fit, bytes.len(), played))?;
    Ok(Answer::Yes)
}

/// Reads a file of weights.
pub(super) fn read_weights(file: &Path) -> Result<Patterns> {
    let bytes = std::fs::read(file).map_err(|e| Problem::file(file, &e))?;
    Ok(Patterns::read(&bytes).map_err(|e| {
        let message = format!("`{}`: {e}", file.display());
        Problem::new(
            "weights",
            message,
            "give a file that `wits othello train` wrote",
        )
    })?)
}

/// Opens the folder of games; refuses one that was begun in another way.
fn begin(work: &Path, how: &Games, from: Option<&Path>) -> Result<()> {
    std::fs::create_dir_all(work).map_err(|e| Problem::file(work, &e))?;
    let file = work.join("how.json");
    let text = serde_json::to_string(&json!({"parts": PARTS, "how": how, "from": from}))?;
    match std::fs::read_to_string(&file) {
        Ok(old) if old == text => Ok(()),
        Ok(old) => {
            let message = format!(
                "the games in `{}` were begun otherwise: {old}",
                work.display()
            );
            let hint = "give the same settings, or another folder by --work";
            Err(Problem::new("mixed", message, hint).into())
        }
        Err(_) => write_whole(&file, text.as_bytes()),
    }
}

fn part_file(work: &Path, part: u32) -> PathBuf {
    work.join(format!("part-{part:03}"))
}

fn read_part(file: &Path) -> Result<Vec<Sample>> {
    let bytes = std::fs::read(file).map_err(|e| Problem::file(file, &e))?;
    let samples = bytes.chunks(Sample::BYTES).map(Sample::read);
    let all = samples.collect::<Option<Vec<_>>>();
    Ok(all.ok_or_else(|| {
        let message = format!("`{}` holds no positions", file.display());
        Problem::new(
            "games",
            message,
            "delete it: its games will be played again",
        )
    })?)
}

/// All games, read where they were played before. Nothing if it was stopped.
fn games(
    work: &Path,
    judgement: &Judgement,
    how: &Games,
    threads: usize,
    progress: &Progress,
) -> Result<Option<Vec<Sample>>> {
    let stop = crate::stop::flag();
    let (next, done) = (AtomicU32::new(0), AtomicU64::new(0));
    let failed: Mutex<Option<anyhow::Error>> = Mutex::new(None);
    let parts = Mutex::new(vec![Vec::<Sample>::new(); PARTS as usize]);
    let all = u64::from(how.games) * u64::from(PARTS);
    let one = |part: u32| -> Result<Vec<Sample>> {
        let file = part_file(work, part);
        if file.exists() {
            done.fetch_add(u64::from(how.games), Ordering::Relaxed);
            return read_part(&file);
        }
        let seed = how.seed.nth(u64::from(part));
        let samples = play(judgement, &Games { seed, ..*how }, &mut |_| {
            progress.show(done.fetch_add(1, Ordering::Relaxed), all, "games");
            !stop.load(Ordering::Relaxed)
        });
        if !stop.load(Ordering::Relaxed) {
            let mut bytes = Vec::with_capacity(samples.len() * Sample::BYTES);
            for sample in &samples {
                sample.write(&mut bytes);
            }
            write_whole(&file, &bytes)?;
        }
        Ok(samples)
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let part = next.fetch_add(1, Ordering::Relaxed);
                    if part >= PARTS {
                        return;
                    }
                    match one(part) {
                        Ok(samples) => {
                            if let Ok(mut parts) = parts.lock() {
                                parts[part as usize] = samples;
                            }
                        }
                        Err(error) => {
                            if let Ok(mut failed) = failed.lock() {
                                *failed = Some(error);
                            }
                            return;
                        }
                    }
                }
            });
        }
    });
    if let Ok(Some(error)) = failed.into_inner() {
        return Err(error);
    }
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let parts = parts.into_inner().unwrap_or_default();
    Ok(Some(parts.into_iter().flatten().collect()))
}

fn report(args: &TrainArgs, fit: &Fit, bytes: usize, played: f64) -> String {
    let phases: Vec<String> = fit.by_phase.iter().map(|e| format!("{e:.1}")).collect();
    format!(
        "{}: {bytes} bytes, fitted to {} positions\n\
         games {played:.0} s; mean error {:.2} discs on what was fitted, {:.2} on {} positions of games held out\n\
         by phase of four discs: {}\n",
        args.out.display(),
        fit.fitted,
        fit.error_fitted,
        fit.error_held_out,
        fit.held_out,
        phases.join(" "),
    )
}
