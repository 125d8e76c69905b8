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
use wits_search::{Budget, Limits};
use wits_transit::thread::WORDS;
use wits_transit::verbs::{feed_params, planner, refusal, table, unplanned};
use wits_transit::{CityPlan, Ends, Figure, Planner, Walking, generate, pack, with_threads};

use crate::problem::Problem;
use crate::{desk, matches, stop};

/// How often reading and starting are measured; the quickest time counts.
const REPEATS: usize = 3;

/// `wits transit bench`
pub(crate) fn verb() -> Verb {
    let own = [
        Param::int("queries", 1, 10_000_000, 1000, &WORDS, "param-queries"),
        Param::text("file", &WORDS, "param-queries-file").shown_as("FILE"),
        Param::int("seed", 0, i64::MAX, 1, &WORDS, "param-seed"),
        Param::flag("country", false, &WORDS, "param-country"),
    ];
    Verb {
        id: "bench",
        about: WORDS.say("verb-bench"),
        params: own.into_iter().chain(feed_params()).collect(),
        examples: &["wits transit bench --feed city.zip --queries 1000 --file queries.txt"],
        served: Served::Terminal,
        cost: Cost::LONG,
        run: |args, shelf, work| {
            if args.flag("country") {
                return country(args, shelf, work);
            }
            let planner = planner(args, shelf, work)?;
            let seed = Seed::new(args.int("seed") as u64);
            let (file, count) = (args.text_if("file"), args.int("queries") as usize);
            let asked = queries(&planner, file.map(Path::new), count, seed)?;
            let mut told = Told::new(work, SEARCHES);
            told.searches(&planner, &asked);
            let figures = told.figures;
            let answer = Answer::yes(json!({
                "figures": figures, "queries": asked.len(), "date": planner.date(), "cores": matches::threads(0),
            }));
            Ok(answer.with(Block::Table(table_of(&figures))))
        },
    }
}

fn table_of(figures: &[Figure]) -> Table {
    let heads = ["search", "value", "unit", "times-as-quick"];
    let heads = heads.map(|key| WORDS.say(key)).to_vec();
    let table = Table::new("figures", WORDS.say("title-bench"), heads);
    figures.iter().fold(table, |table, f| {
        table.row(vec![
            Cell::text(&f.name),
            Cell::decimal(f.value, 1),
            Cell::text(f.unit),
            f.ratio.map_or(Cell::Empty, |ratio| Cell::decimal(ratio, 2)),
        ])
    })
}

/// How large a country is, against a city: about 20,000 stops and 2.8 million stop times.
const COUNTRY: f64 = 40.0;
/// Random queries that are asked in a country.
const ASKED: usize = 200;

/// How many figures there are of all searches, and of a country.
const SEARCHES: u64 = 13;
const OF_A_COUNTRY: u64 = 17;

/// Figures, each told as soon as it is known. Whoever stops the work gets those that are.
struct Told<'a, 'w> {
    work: &'a mut Work<'w>,
    figures: Vec<Figure>,
    total: u64,
}

impl<'a, 'w> Told<'a, 'w> {
    fn new(work: &'a mut Work<'w>, total: u64) -> Told<'a, 'w> {
        Told {
            work,
            figures: Vec::new(),
            total,
        }
    }

    /// Whether to go on.
    fn add(&mut self, figure: &Figure) -> bool {
        self.figures.push(figure.clone());
        let said = format!("{}: {:.1} {}", figure.name, figure.value, figure.unit);
        self.work.tell(Progress {
            done: self.figures.len() as u64,
            total: Some(self.total),
            news: json!(said),
        });
        !self.work.over()
    }

    /// Something that was counted or timed by itself.
    fn plain(&mut self, name: &str, value: f64, unit: &'static str) {
        self.add(&plain(name, value, unit));
    }

    /// How long something has taken since.
    fn millis(&mut self, name: &str, since: Instant) {
        self.plain(name, since.elapsed().as_secs_f64() * 1e3, "ms");
    }

    fn memory(&mut self, name: &str) {
        if let Some(bytes) = resident_bytes() {
            self.plain(name, bytes as f64 / 1e6, "MB");
        }
    }

    /// Asks a planner something that ends when the work is over; what was told by then stays.
    fn ask(&mut self, planner: &Planner, question: impl FnOnce(&Planner, &mut Self) + Send) {
        if self.work.over() {
            return;
        }
        let budget = self.work.budget().clone();
        let threads = self.work.threads();
        let ask = || planner.ask(&budget, |planner| question(&planner, self));
        // Cut short, it has told what it could.
        let _ = with_threads(threads, ask);
    }

    /// Every search on the same queries.
    fn searches(&mut self, planner: &Planner, asked: &[Ends]) {
        let begin = Instant::now();
        let wall = || begin.elapsed().as_nanos() as u64;
        let mut busy = || worked_nanos().unwrap_or_else(wall);
        self.ask(planner, |planner, told| {
            planner.bench(asked, &mut busy, &mut { wall }, &mut |f| told.add(f));
        });
    }
}

/// `wits transit bench --country`: a generated country (or a large feed), from the packed file on: how
/// long it takes to load, memory, and the median of each search.
fn country(args: &Args, shelf: &Shelf, work: &mut Work<'_>) -> Result<Answer, Refusal> {
    let begin = Instant::now();
    let mut table = if args.given("feed") || args.given("size") {
        table(args, shelf, work)?
    } else {
        generate(&CityPlan {
            size: COUNTRY,
            ..CityPlan::default()
        })
    };
    let seed = Seed::new(args.int("seed") as u64);
    let mut told = Told::new(work, OF_A_COUNTRY);
    told.plain("stops", table.stops.len() as f64, "");
    told.plain("stop times", table.calls() as f64, "");
    told.millis("made or read", begin);
    let begin = Instant::now();
    table.prepare();
    told.millis("bounds prepared", begin);
    let bytes = pack::write(&table);
    drop(table);
    told.plain("packed, with bounds", bytes.len() as f64 / 1e6, "MB");
    let begin = Instant::now();
    let table = pack::read(&bytes).map_err(|error| refusal("bad-feed", &error))?;
    told.millis("loaded", begin);
    let failed = |error| refusal("bench", &error);
    let packed = Packed::new(&bytes).map_err(failed)?;
    drop(bytes);
    let planner = Planner::new(Arc::new(table), Walking::Real, None);
    let planner = planner.map_err(|error| unplanned(&error))?;
    told.millis("loaded and laid out", begin);
    let asked = queries(&planner, args.text_if("file").map(Path::new), ASKED, seed)?;
    if !told.work.over() {
        for figure in first_answer(&planner, &packed, &asked).map_err(failed)? {
            told.add(&figure);
        }
    }
    let mut clock = || worked_nanos().unwrap_or_else(|| begin.elapsed().as_nanos() as u64);
    told.ask(&planner, |planner, told| {
        planner.medians(&asked, &mut clock, &mut |f| told.add(f));
        if told.work.over() {
            return;
        }
        told.memory("most memory, without changes of trips");
        let begin = Instant::now();
        let changes = planner.layer().changes().len();
        if planner.stopped() {
            return;
        }
        told.millis("changes of trips prepared", begin);
        told.plain("changes of trips", changes as f64, "");
        let trips = planner.median_by_trips(&asked, &mut clock);
        if planner.stopped() {
            return;
        }
        told.plain("tripbased, pareto, median", trips, "ms");
        told.memory("most memory");
    });
    let figures = told.figures;
    let answer = Answer::yes(json!({"figures": figures, "queries": asked.len()}));
    Ok(answer.with(Block::Table(table_of(&figures))))
}

/// Every search on a feed, and how long the feed takes; on the generated city without one. `tell` hears of
/// each figure as soon as it is known. What Ctrl-C ends gives the figures until then.
pub(crate) fn figures(
    feed: Option<&Path>,
    file: Option<&Path>,
    tell: &mut (dyn FnMut(Progress) + Send),
) -> Result<Vec<Figure>> {
    let name = feed.map(|path| ("feed".to_owned(), Value::Text(path.display().to_string())));
    let args = Args::read("bench transit", name.as_slice(), &verb().params)?;
    let shelf = desk::shelf(&verb(), &args);
    let budget = Budget::with_stop(Limits::default(), stop::flag());
    let mut work = Work::new(budget, tell).on_threads(matches::threads(0));
    let mut read = || Ok(table(&args, &shelf, &work)?);
    let (seconds, table) = quickest(&mut read)?;
    let mut told = Told::new(&mut work, SEARCHES + 4);
    if feed.is_some() {
        told.plain("the feed is read", seconds * 1e3, "ms");
    }
    let bytes = pack::write(&table);
    told.plain("packed timetable", bytes.len() as f64 / 1e6, "MB");
    let planner = Planner::new(Arc::new(table), Walking::Real, None);
    let planner = planner.map_err(|error| unplanned(&error))?;
    let asked = queries(&planner, file, 1000, Seed::new(1))?;
    for figure in first_answer(&planner, &Packed::new(&bytes)?, &asked)? {
        told.add(&figure);
    }
    told.searches(&planner, &asked);
    Ok(told.figures)
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

/// Nanoseconds that this thread has worked, where the system says so. Linux brings the figure up to
/// date only when the thread is switched or a tick is over, so it is asked to be switched.
fn worked_nanos() -> Option<u64> {
    std::thread::yield_now();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split_whitespace().next()?.parse().ok()
}

/// A packed timetable in a file, as long as it is needed.
struct Packed(PathBuf);

impl Packed {
    fn new(bytes: &[u8]) -> Result<Packed> {
        let name = format!("wits-bench-{}.wits", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, bytes).map_err(|e| Problem::file(&path, &e))?;
        Ok(Packed(path))
    }
}

impl Drop for Packed {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A fresh process that answers one question from a packed file: until when, and with how much
/// memory.
fn first_answer(planner: &Planner, packed: &Packed, asked: &[Ends]) -> Result<Vec<Figure>> {
    let (Ok(program), Some(ends)) = (std::env::current_exe(), asked.first()) else {
        return Ok(Vec::new());
    };
    // Two places of a large feed may have one name; an id is one stop.
    let name = |stops: &[u32]| match &*planner.table.stops[stops[0] as usize].code {
        "" => planner.table.stop_name(stops[0]).to_owned(),
        code => format!("#{code}"),
    };
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
            .arg(&packed.0)
            .stdin(Stdio::null())
            .output()?;
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout)?;
        anyhow::ensure!(answer["error"].is_null(), "{}", answer["error"]["message"]);
        Ok(answer)
    };
    let (seconds, answer) = quickest(&mut ask)?;
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
