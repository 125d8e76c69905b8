//! `wits bench`: figures, each beside a baseline measured in the same run where there is one.

mod arena;
mod expert;
pub(crate) use expert::worked_seconds;
mod othello;
mod report;
mod server;
mod threads;

use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::json;
use wits_game::{Dice, Game, Seed};
use wits_matchbox::tictactoe::TicTacToe;
use wits_matchbox::{Course, Opponent, Preset, train};
use wits_play::Catalog;
use wits_search::tree::{MctsOptions, Payoffs, alphabeta, mcts, minimax};
use wits_search::{Budget, Recorder, Step, Watch};

use report::{Change, Run};

use crate::Answer;
use crate::args::BenchArgs;
use crate::matches;
use crate::out::{Out, Progress};
use crate::problem::Problem;
use crate::shelf::write_whole;

/// One figure. The ratio is how many times better than the baseline; above one is better.
#[derive(Serialize, Deserialize)]
struct Figure {
    #[serde(default)]
    room: String,
    name: String,
    value: f64,
    unit: String,
    baseline: Option<f64>,
    ratio: Option<f64>,
}

/// The rooms that have figures, in the order they are measured.
const ROOMS: [&str; 11] = [
    "spine", "threads", "matchbox", "othello", "thue", "learn", "transit", "scrabble", "expert",
    "server", "arena",
];

/// A figure whose room is filled in later.
fn figure(name: String, value: f64, unit: &str, baseline: Option<f64>, ratio: f64) -> Figure {
    Figure {
        room: String::new(),
        name,
        value,
        unit: unit.to_owned(),
        baseline,
        ratio: baseline.map(|_| ratio),
    }
}

/// `wits bench [ROOM]`
pub(crate) fn run(catalog: &Catalog, args: &BenchArgs, out: &Out) -> Result<Answer> {
    let room = args.room.as_deref();
    let (feed, queries) = (args.feed.as_deref(), args.queries.as_deref());
    // What cannot be read is said before minutes are spent.
    let earlier = args.against.as_deref().map(Run::read).transpose()?;
    if (feed.is_some() || queries.is_some()) && room != Some("transit") {
        let hint = "write `wits bench transit`";
        let message = "only the room `transit` takes a feed and queries";
        return Err(Problem::new("usage", message, hint).into());
    }
    if args.only.is_some() && !matches!(room, Some("learn" | "threads")) {
        let message = "only the rooms `learn` and `threads` can leave work out";
        let hint = "write `wits bench learn` or `wits bench threads`";
        return Err(Problem::new("usage", message, hint).into());
    }
    if let Some(name) = room.filter(|name| !ROOMS.contains(name)) {
        let near = wits_play::nearest(name, ROOMS)
            .map_or(String::new(), |n| format!("did you mean `{n}`? "));
        let hint = format!("{near}there are: {}", ROOMS.join(", "));
        return Err(Problem::new("unknown-room", format!("`{name}` has no figures"), hint).into());
    }
    let chosen: Vec<&str> = ROOMS
        .into_iter()
        .filter(|name| room.is_none_or(|r| r == *name))
        .collect();
    let progress = Progress::start();
    let mut figures = Vec::new();
    for (done, name) in chosen.iter().enumerate() {
        progress.show(done as u64, chosen.len() as u64, name);
        let measured = match *name {
            "spine" => spine(),
            "threads" => threads::figures(catalog, args.only.as_deref())?,
            "matchbox" => matchbox(),
            "othello" => othello::figures(),
            "thue" => wits_thue::bench::figures(|_| {})
                .into_iter()
                .map(|f| Figure {
                    room: String::new(),
                    name: f.name,
                    value: f.value,
                    unit: f.unit.to_owned(),
                    baseline: f.baseline,
                    ratio: f.ratio,
                })
                .collect(),
            "learn" => learn(args.only.as_deref(), &progress)?,
            "scrabble" => scrabble()?,
            "expert" => expert::figures(),
            "server" => server::figures()?,
            "arena" => arena::figures()?,
            _ => transit(feed, queries, &progress)?,
        };
        figures.extend(measured.into_iter().map(|figure| Figure {
            room: (*name).to_owned(),
            ..figure
        }));
    }
    progress.done();
    let unknown = |f: &&Figure| f.value.is_nan() || f.baseline.is_some_and(f64::is_nan);
    if let Some(figure) = figures.iter().find(unknown) {
        let message = format!("`{}` is over before the clock moves", figure.name);
        let hint = "the work is too small or was optimised away; this is a fault of the benchmark";
        return Err(Problem::new("too-short", message, hint).into());
    }
    let run = Run::here(figures);
    if let Some(path) = &args.save {
        run.keep(path)?;
    }
    if let Some(path) = &args.markdown {
        // A room alone has its place in the page of all.
        let there = std::fs::read_to_string(path).ok();
        let there = there.as_deref().filter(|_| room.is_some());
        write_whole(path, run.page(there).as_bytes())?;
    }
    let changes = earlier.as_ref().map(|earlier| run.beside(earlier));
    let mut said = json!(run);
    if let Some(changes) = &changes {
        said["against"] = json!(changes);
    }
    out.tell(&said, || {
        let row = |f: &Figure| {
            let ratio = f.ratio.map_or(String::new(), |r| {
                format!(
                    "  {r:.2} times the baseline of {:.3}",
                    f.baseline.unwrap_or(0.0)
                )
            });
            format!("{:<64} {:>14.3} {}{ratio}\n", f.name, f.value, f.unit)
        };
        let mut text: String = run.figures.iter().map(row).collect();
        if let Some(changes) = &changes {
            text.push_str("\nbeside the kept run (above 1 is better now):\n");
            text.extend(changes.iter().map(Change::line));
        }
        text
    })?;
    Ok(Answer::Yes)
}

/// Seconds of the best of some runs: what else the machine does only ever adds. Not a number where the clock cannot tell
/// the work from nothing, as when the compiler has moved it elsewhere.
fn best(runs: u32, mut work: impl FnMut()) -> f64 {
    let once = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    let seconds = (0..runs)
        .map(|_| once(&mut work))
        .fold(f64::INFINITY, f64::min);
    if seconds < 20.0 * resolution() {
        f64::NAN
    } else {
        seconds
    }
}

/// The smallest step of the clock, in seconds.
fn resolution() -> f64 {
    let step = || {
        let start = Instant::now();
        loop {
            let passed = start.elapsed();
            if !passed.is_zero() {
                return passed.as_secs_f64();
            }
        }
    };
    (0..100).map(|_| step()).fold(f64::INFINITY, f64::min)
}

/// A time beside the time of a baseline.
fn timed(name: &str, seconds: f64, baseline: Option<f64>) -> Figure {
    let (value, unit) = (seconds * 1e3, "ms".to_owned());
    Figure {
        room: String::new(),
        name: name.to_owned(),
        value,
        unit,
        baseline: baseline.map(|b| b * 1e3),
        ratio: baseline.map(|b| b / seconds),
    }
}

/// A watcher to whom everything is offered and who takes nothing.
struct Idle;

impl Watch for Idle {
    const ON: bool = true;

    fn step(&mut self, _: impl FnOnce() -> Step) {}
}

/// The spine on tic-tac-toe: what cutting saves, and what watching costs.
fn spine() -> Vec<Figure> {
    let (game, budget) = (TicTacToe, Budget::endless());
    let start = game.start();
    let plain = best(3, || {
        drop(black_box(minimax(
            &game,
            black_box(&start),
            &Payoffs,
            9,
            &budget,
            &mut (),
        )));
    });
    let offered = best(3, || {
        let found = minimax(&game, &start, &Payoffs, 9, &budget, &mut Idle);
        drop(black_box(found));
    });
    let cut = best(5, || {
        drop(black_box(alphabeta(
            &game,
            black_box(&start),
            &Payoffs,
            9,
            &budget,
            &mut (),
        )));
    });
    let recorded = best(5, || {
        drop(black_box(alphabeta(
            &game,
            black_box(&start),
            &Payoffs,
            9,
            &budget,
            &mut Recorder::new(4000),
        )));
    });
    let stopped = (0..5).map(|_| stop_latency()).fold(0.0, f64::max);
    vec![
        timed(
            "a search with no other limit ends after stop is raised, worst of 5",
            stopped,
            None,
        ),
        timed("minimax of the whole of tic-tac-toe", plain, None),
        timed(
            "the same, nobody watching (baseline: a watcher who takes nothing)",
            plain,
            Some(offered),
        ),
        timed(
            "alpha-beta of the same, nobody watching (baseline: minimax)",
            cut,
            Some(plain),
        ),
        timed(
            "alpha-beta of the same, recorded (baseline: nobody watching)",
            recorded,
            Some(cut),
        ),
    ]
}

/// How long a search goes on after somebody raised the stop flag.
fn stop_latency() -> f64 {
    let budget = Budget::endless();
    let thinking = budget.clone();
    let search = std::thread::spawn(move || {
        let (game, options) = (TicTacToe, MctsOptions::default());
        let mut dice = Dice::new(Seed::new(1));
        black_box(mcts(
            &game,
            &game.start(),
            &options,
            &mut dice,
            &thinking,
            &mut |_| {},
            &mut (),
        ));
    });
    std::thread::sleep(std::time::Duration::from_millis(50));
    let raised = Instant::now();
    budget.stop();
    let _ = search.join();
    raised.elapsed().as_secs_f64()
}

/// A million games of MENACE, and lives of HER.
fn matchbox() -> Vec<Figure> {
    let mut figures = Vec::new();
    for (name, machines, games) in [("menace", 1_000, 1_000), ("her", 10_000, 100)] {
        let Ok(preset) = Preset::named(name) else {
            continue;
        };
        let Ok(machine) = preset.machine() else {
            continue;
        };
        let mut cabinets = [None, None];
        cabinets[preset.seat.index()] = Some(&**machine.cabinet());
        let Ok(chart) = preset.subject.chart(cabinets) else {
            continue;
        };
        let course = Course {
            threads: matches::threads(0),
            ..Course::new(machines, games, Seed::new(1))
        };
        let start = Instant::now();
        let trained = train(
            &chart,
            &machine,
            &Opponent::Random,
            &course,
            &|_| {},
            &AtomicBool::new(false),
        );
        black_box(&trained);
        let played = (machines * u64::from(games)) as f64;
        figures.push(Figure {
            room: String::new(),
            name: format!(
                "games of {name} while learning, random opponent, {} threads",
                matches::threads(0)
            ),
            value: played / start.elapsed().as_secs_f64(),
            unit: "games/s".to_owned(),
            baseline: None,
            ratio: None,
        });
    }
    figures
}

/// The classification workbench beside scikit-learn, in the same run, where a Python has it.
fn learn(only: Option<&str>, progress: &Progress) -> Result<Vec<Figure>> {
    let measured = crate::rooms::learn::measure(only, progress)?;
    let figure = |m: crate::rooms::learn::Measured| Figure {
        room: String::new(),
        name: m.name,
        value: m.seconds * 1e3,
        unit: "ms".to_owned(),
        baseline: m.baseline.map(|b| b * 1e3),
        ratio: m.baseline.map(|b| b / m.seconds),
    };
    Ok(measured.into_iter().map(figure).collect())
}

/// Every search on a feed, or on the generated city.
fn transit(
    feed: Option<&Path>,
    queries: Option<&Path>,
    progress: &Progress,
) -> Result<Vec<Figure>> {
    let figure = |f: wits_transit::Figure| Figure {
        room: String::new(),
        name: if feed.is_some() {
            f.name
        } else {
            format!("{}, generated city", f.name)
        },
        value: f.value,
        unit: f.unit.to_owned(),
        baseline: f.baseline,
        ratio: f.ratio,
    };
    let mut tell = |at: wits_desk::Progress| progress.tell(&at);
    let figures = crate::rooms::transit::bench::figures(feed, queries, &mut tell)?;
    Ok(figures.into_iter().map(figure).collect())
}

/// The crossword room on the shipped English lexicon (`wits scrabble bench --lexicon FILE` takes another).
fn scrabble() -> Result<Vec<Figure>> {
    use crate::rooms::scrabble::speed;
    let engine = crate::rooms::scrabble::english()?;
    let figures = speed::figures(&engine, 1_000, speed::POSITIONS);
    let figure = |(name, value, unit, baseline): speed::Figure| Figure {
        room: String::new(),
        name,
        value,
        unit: unit.to_owned(),
        baseline,
        ratio: baseline.map(|b| value / b),
    };
    Ok(figures.into_iter().map(figure).collect())
}
