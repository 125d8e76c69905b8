//! `wits transit bench` and `wits bench transit`: every search on one file of queries.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use serde_json::{Value, json};
use wits_game::Seed;
use wits_transit::{CityPlan, Ends, Figure, Planner, Projection, Walking, generate, pack};

use super::args::BenchArgs;
use super::feed::{open, problem};
use crate::out::Out;
use crate::problem::Problem;
use crate::shelf::write_whole;
use crate::{Answer, matches};

/// How often reading and starting are measured; the quickest time counts.
const REPEATS: usize = 3;

/// `wits transit bench`
pub(super) fn show(args: &BenchArgs, out: &Out) -> Result<Answer> {
    let planner = args.feed.planner()?;
    let seed = args.seed.seed.unwrap_or(CityPlan::default().seed);
    let asked = queries(&planner, args.file.as_deref(), args.queries, seed)?;
    let figures = searches(&planner, &asked);
    let value = json!({
        "figures": figures, "queries": asked.len(), "date": planner.date(), "cores": matches::threads(0),
    });
    out.tell(&value, || {
        let head = super::day_line(&planner) + &format!("{} queries\n", asked.len());
        figures.iter().fold(head, |text, f| {
            let ratio = f.ratio.map_or(String::new(), |r| {
                format!("  {r:>9.2} times as quick as the report's way")
            });
            text + &format!("{:<40} {:>12.1} {}{ratio}\n", f.name, f.value, f.unit)
        })
    })?;
    Ok(Answer::Yes)
}

/// Every search on a feed, and how long the feed takes; on the generated city without one.
pub(crate) fn figures(feed: Option<&Path>, file: Option<&Path>) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    let table = match feed {
        None => generate(&CityPlan::default()),
        Some(path) => {
            let mut read = || open(path, Projection::default()).map(|(table, _)| table);
            let (seconds, table) = quickest(&mut read)?;
            figures.push(plain("the feed is read", seconds * 1e3, "ms"));
            table
        }
    };
    let bytes = pack::write(&table);
    figures.push(plain("packed timetable", bytes.len() as f64 / 1e6, "MB"));
    let planner = Planner::new(Arc::new(table), Walking::Real, None)
        .map_err(|e| problem("no-service", &e.to_string()))?;
    let asked = queries(&planner, file, 1000, Seed::new(1))?;
    figures.extend(first_answer(&planner, &bytes, &asked)?);
    figures.extend(searches(&planner, &asked));
    Ok(figures)
}

/// The queries of a file, or random ones. A file that is not there yet is written, so that others
/// can be asked the same.
fn queries(planner: &Planner, file: Option<&Path>, count: usize, seed: Seed) -> Result<Vec<Ends>> {
    let text = match file {
        Some(path) if path.exists() => {
            std::fs::read_to_string(path).map_err(|e| Problem::file(path, &e))?
        }
        Some(path) => {
            let text = planner.query_lines(count, seed);
            write_whole(path, text.as_bytes())?;
            text
        }
        None => planner.query_lines(count, seed),
    };
    let asked = planner.read_queries(&text);
    let asked = asked.map_err(|e| problem("bad-query", &e.to_string()))?;
    if asked.is_empty() {
        let hint = "write one as `from;to;HH:MM` on a line";
        return Err(Problem::new("bad-query", "there is no query to ask", hint).into());
    }
    Ok(asked)
}

fn searches(planner: &Planner, asked: &[Ends]) -> Vec<Figure> {
    let begin = Instant::now();
    let wall = || begin.elapsed().as_nanos() as u64;
    planner.bench(asked, &mut || worked_nanos().unwrap_or_else(wall), &mut {
        wall
    })
}

/// Nanoseconds that this thread has worked, where the system says so. Linux brings the figure up to
/// date only when the thread is switched or a tick is over, so it is asked to be switched.
fn worked_nanos() -> Option<u64> {
    std::thread::yield_now();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split_whitespace().next()?.parse().ok()
}

/// A fresh process that answers one question from a packed file: until when, and with how much
/// memory.
fn first_answer(planner: &Planner, bytes: &[u8], asked: &[Ends]) -> Result<Vec<Figure>> {
    let (Ok(program), Some(ends)) = (std::env::current_exe(), asked.first()) else {
        return Ok(Vec::new());
    };
    let path: PathBuf =
        std::env::temp_dir().join(format!("wits-bench-{}.wits", std::process::id()));
    std::fs::write(&path, bytes).map_err(|e| Problem::file(&path, &e))?;
    let name = |stops: &[u32]| planner.table.stop_name(stops[0]).to_owned();
    let mut ask = || -> Result<Value> {
        let output = Command::new(&program)
            .args([
                "transit",
                "route",
                &name(&ends.from),
                &name(&ends.to),
                "--at",
                "08:00",
            ])
            .args(["--by", "pareto", "--json", "--feed"])
            .arg(&path)
            .stdin(Stdio::null())
            .output()?;
        Ok(serde_json::from_slice(&output.stdout)?)
    };
    let answered = quickest(&mut ask);
    let _ = std::fs::remove_file(&path);
    let (seconds, answer) = answered?;
    let mut figures = vec![plain(
        "first answer from the packed file, process start included",
        seconds * 1e3,
        "ms",
    )];
    if let Some(bytes) = answer["resident_bytes"].as_u64() {
        figures.push(plain(
            "most memory of that process",
            bytes as f64 / 1e6,
            "MB",
        ));
    }
    Ok(figures)
}

/// The quickest of some runs, in seconds, and what it gave.
fn quickest<T>(work: &mut dyn FnMut() -> Result<T>) -> Result<(f64, T)> {
    let mut best = None;
    for _ in 0..REPEATS {
        let begin = Instant::now();
        let made = work()?;
        let seconds = begin.elapsed().as_secs_f64();
        if best.as_ref().is_none_or(|b: &(f64, T)| seconds < b.0) {
            best = Some((seconds, made));
        }
    }
    Ok(best.expect("it ran at least once"))
}

fn plain(name: &str, value: f64, unit: &'static str) -> Figure {
    Figure {
        name: name.to_owned(),
        value,
        unit,
        baseline: None,
        ratio: None,
    }
}

/// The most memory this process ever held, where the system says so.
pub(super) fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
