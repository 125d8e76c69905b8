//! `wits transit bench` and `wits bench transit`: every search on one file of queries.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use serde_json::json;
use wits_desk::{Answer, Args, Block, Cell, Cost, Param, Progress, Refusal, Served, Shelf, Table};
use wits_desk::{Value, Verb, Work, unread};
use wits_game::Seed;
use wits_search::Budget;
use wits_transit::thread::WORDS;
use wits_transit::verbs::{feed_params, planner, refusal, table, unplanned};
use wits_transit::{Ends, Figure, Planner, Walking, pack};

use crate::problem::Problem;
use crate::{desk, matches};

/// How often reading and starting are measured; the quickest time counts.
const REPEATS: usize = 3;

/// `wits transit bench`
pub(crate) fn verb() -> Verb {
    let own = [
        Param::int("queries", 1, 10_000_000, 1000, &WORDS, "param-queries"),
        Param::text("file", &WORDS, "param-queries-file").shown_as("FILE"),
        Param::int("seed", 0, i64::MAX, 1, &WORDS, "param-seed"),
    ];
    Verb {
        id: "bench",
        about: WORDS.say("verb-bench"),
        params: own.into_iter().chain(feed_params()).collect(),
        examples: &["wits transit bench --feed city.zip --queries 1000 --file queries.txt"],
        served: Served::Terminal,
        cost: Cost::QUICK,
        run: |args, shelf, work| {
            let planner = planner(args, shelf, work)?;
            let seed = Seed::new(args.int("seed") as u64);
            let (file, count) = (args.text_if("file"), args.int("queries") as usize);
            let asked = queries(&planner, file.map(Path::new), count, seed)?;
            let figures = searches(&planner, &asked);
            let answer = Answer::yes(json!({
                "figures": figures, "queries": asked.len(), "date": planner.date(), "cores": matches::threads(0),
            }));
            let heads = ["search", "value", "unit", "times-as-quick"];
            let heads = heads.map(|key| WORDS.say(key)).to_vec();
            let table = Table::new("figures", WORDS.say("title-bench"), heads);
            let table = figures.iter().fold(table, |table, f| {
                table.row(vec![
                    Cell::text(&f.name),
                    Cell::decimal(f.value, 1),
                    Cell::text(f.unit),
                    f.ratio.map_or(Cell::Empty, |ratio| Cell::decimal(ratio, 2)),
                ])
            });
            Ok(answer.with(Block::Table(table)))
        },
    }
}

/// Every search on a feed, and how long the feed takes; on the generated city without one.
pub(crate) fn figures(feed: Option<&Path>, file: Option<&Path>) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    let name = feed.map(|path| ("feed".to_owned(), Value::Text(path.display().to_string())));
    let args = Args::read("bench transit", name.as_slice(), &verb().params)?;
    let shelf = desk::shelf(&verb(), &args);
    let mut quiet = |_: Progress| {};
    let work = Work::new(Budget::endless(), &mut quiet);
    let mut read = || Ok(table(&args, &shelf, &work)?);
    let (seconds, table) = quickest(&mut read)?;
    if feed.is_some() {
        figures.push(plain("the feed is read", seconds * 1e3, "ms"));
    }
    let bytes = pack::write(&table);
    figures.push(plain("packed timetable", bytes.len() as f64 / 1e6, "MB"));
    let planner = Planner::new(Arc::new(table), Walking::Real, None);
    let planner = planner.map_err(|error| unplanned(&error))?;
    let asked = queries(&planner, file, 1000, Seed::new(1))?;
    figures.extend(first_answer(&planner, &bytes, &asked)?);
    figures.extend(searches(&planner, &asked));
    Ok(figures)
}

/// The queries of a file, or random ones. A file that is not there yet is written, so that others
/// can be asked the same.
fn queries(
    planner: &Planner,
    file: Option<&Path>,
    count: usize,
    seed: Seed,
) -> Result<Vec<Ends>, Refusal> {
    let unused = |path: &Path, error: &std::io::Error| unread(&path.display().to_string(), error);
    let text = match file {
        Some(path) if path.exists() => {
            std::fs::read_to_string(path).map_err(|e| unused(path, &e))?
        }
        Some(path) => {
            let text = planner.query_lines(count, seed);
            std::fs::write(path, &text).map_err(|e| unused(path, &e))?;
            text
        }
        None => planner.query_lines(count, seed),
    };
    let asked = planner.read_queries(&text);
    let asked = asked.map_err(|error| refusal("bad-query", &error))?;
    if asked.is_empty() {
        let why = "there is no query to ask; write one as `from;to;HH:MM` on a line";
        return Err(refusal("bad-query", &why));
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
    let mut ask = || -> Result<serde_json::Value> {
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

/// `wits transit route`, which also says how much memory this process took.
pub(crate) fn route(args: &Args, shelf: &Shelf, work: &mut Work<'_>) -> Result<Answer, Refusal> {
    let room = wits_transit::verbs::room();
    let route = room.verb("route").expect("a verb of the room");
    let mut answer = (route.run)(args, shelf, work)?;
    answer.data["resident_bytes"] = json!(resident_bytes());
    Ok(answer)
}

/// The most memory this process ever held, where the system says so.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
