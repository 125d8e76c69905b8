//! The game: solved, forecast, hinted, and machines measured against each other.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use serde_json::json;
use wits_game::{Dice, Game, Lang, Seed, Stream};
use wits_rainbow::exact::Solver;
use wits_rainbow::forecast::{By, Solution, SolveOptions, forecast, solve_with};
use wits_rainbow::hold::hold;
use wits_rainbow::matrix::{Machine, MatrixPlan};
use wits_rainbow::players::{Hint, Strong};
use wits_rainbow::{Board, Rainbow, Side, Terms};
use wits_search::{Recorder, ThreadHeader};

use super::{budget, wrong};
use crate::args::{Seeded, seconds};
use crate::out::{Out, Progress};
use crate::problem::Problem;
use crate::shelf::write_whole;
use crate::{Answer, matches, stop};

/// The terms of a game.
#[derive(Args, Clone, Copy)]
pub(crate) struct GameArgs {
    /// How many numbers
    #[arg(long, value_name = "N")]
    n: u64,
    /// How long a rainbow is
    #[arg(long, value_name = "K")]
    k: u64,
    /// How many colours
    #[arg(long, value_name = "C")]
    c: u64,
    /// Who moves first: maker or breaker
    #[arg(long, value_name = "SIDE", default_value_t = Side::Maker)]
    first: Side,
}

impl GameArgs {
    fn terms(self) -> Result<Terms> {
        Terms::new(self.n, self.k, self.c, self.first).map_err(wrong)
    }
}

#[derive(Args)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Save the search, to be replayed step by step
    #[arg(long, value_name = "FILE")]
    thread: Option<PathBuf>,
    /// Keep at most about this many steps of it
    #[arg(long, value_name = "STEPS", default_value_t = 4000, value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    limit: u32,
    /// Seconds it may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
    /// How many threads (0: one for each core); more help where it is long
    #[arg(long, value_name = "T", default_value_t = 1)]
    threads: usize,
    /// The most positions to remember, about 40 bytes each
    #[arg(long, value_name = "N", default_value_t = Solver::MOST_POSITIONS)]
    positions: usize,
    /// Search the game even where a pairing or the potential decides it
    #[arg(long)]
    search: bool,
    /// Keep what is proved here at the end, and take it up again from there
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct HoldArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Seconds it may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
    /// How many threads (0: one for each core); more help where it is long
    #[arg(long, value_name = "T", default_value_t = 1)]
    threads: usize,
}

#[derive(Args)]
pub(crate) struct HintArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The moves before, such as "15=1 16=1"
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// Which kind of hint: 0 none to 4 the best
    #[arg(long, value_name = "L", default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..=4))]
    level: u8,
    /// How many hints
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    times: u32,
    #[command(flatten)]
    seed: Seeded,
}

/// Somebody in a list of machines.
#[derive(Clone, Copy)]
enum Entrant {
    Level(u8),
    Strong,
}

impl Entrant {
    fn machine(self, nodes: Option<u64>) -> Machine {
        match self {
            Entrant::Level(level) => Machine::Level(level),
            Entrant::Strong => Machine::Strong(nodes.unwrap_or(Strong::NODES)),
        }
    }
}

/// `0` to `4`, or `strong`.
fn entrant(text: &str) -> Result<Entrant, String> {
    match text.trim() {
        "strong" => Ok(Entrant::Strong),
        digits => match digits.parse() {
            Ok(level @ 0..=4) => Ok(Entrant::Level(level)),
            _ => Err("give levels from 0 to 4 and `strong`, such as 3,4,strong".to_owned()),
        },
    }
}

#[derive(Args)]
pub(crate) struct MatrixArgs {
    #[command(flatten)]
    game: GameArgs,
    /// How many games for each pair
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// Who plays Maker: levels 0 to 4 and `strong`, such as 3,4,strong (default: all levels)
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = entrant)]
    makers: Vec<Entrant>,
    /// Who plays Breaker: hints 0 to 4 and `strong` (default: all hints)
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = entrant)]
    breakers: Vec<Entrant>,
    /// Positions for a move of the strong player; it joins where no list says who plays
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    strong: Option<u64>,
    #[command(flatten)]
    seed: Seeded,
    /// How many games at once (0: one for each core)
    #[arg(long, value_name = "T", default_value_t = 0)]
    threads: usize,
}

pub(super) fn solved(args: &SolveArgs, out: &Out) -> Result<Answer> {
    let terms = args.game.terms()?;
    let solution = searched(&terms, args)?;
    if let Some(path) = &args.thread {
        save_thread(path, &terms, args, solution.best.as_deref())?;
    }
    out.tell(&solution, || {
        let Some(winner) = solution.winner else {
            return if solution.nodes > 0 {
                format!("not solved: {} positions were not enough", solution.nodes)
            } else {
                format!(
                    "not solved: boards of up to {} numbers are searched, and no theorem decides this one; `wits rainbow forecast` says what is known",
                    wits_rainbow::exact::Solver::LONGEST
                )
            };
        };
        let mut text = format!("{winner} wins");
        if let Some(best) = &solution.best {
            let _ = write!(text, " with {best}");
        }
        if solution.nodes == 0 {
            let _ = write!(text, "; `wits rainbow forecast` says why");
            if let Some(by) = solution.by {
                let _ = write!(text, " (by {by})");
            }
            return text;
        }
        let _ = write!(text, " ({} positions looked at)", solution.nodes);
        if let Some(proof) = solution.proof {
            let _ = write!(
                text,
                "\nthe proof has {} positions, {} of them answers, and at most {} moves",
                proof.positions, proof.answers, proof.longest
            );
        }
        text
    })?;
    Ok(if solution.winner.is_some() {
        Answer::Yes
    } else {
        Answer::No
    })
}

/// Solves with the options of the command, and shows how many positions were looked at.
fn searched(terms: &Terms, args: &SolveArgs) -> Result<Solution> {
    let mut solver = Solver::sized(terms, args.positions);
    if let (Some(solver), Some(path)) = (&mut solver, args.keep.as_deref().filter(|p| p.exists())) {
        let file = File::open(path).map_err(|e| Problem::file(path, &e))?;
        solver
            .resume(&mut BufReader::new(file))
            .map_err(|e| Problem::file(path, &e))?;
    }
    let options = SolveOptions {
        threads: matches::threads(args.threads),
        positions: args.positions,
        search: args.search,
    };
    let progress = Progress::start();
    let (counter, over) = (solver.as_ref().map(Solver::counter), AtomicBool::new(false));
    let solution = std::thread::scope(|scope| {
        scope.spawn(|| {
            let looked = || {
                counter
                    .as_ref()
                    .map_or(0, |nodes| nodes.load(Ordering::Relaxed))
            };
            while !over.load(Ordering::Relaxed) {
                progress.show(looked(), args.positions as u64, "positions at most");
                std::thread::park_timeout(Duration::from_millis(200));
            }
        });
        let solution = solve_with(terms, solver.as_mut(), &options, &budget(args.time));
        over.store(true, Ordering::Relaxed);
        solution
    });
    progress.done();
    if let (Some(solver), Some(path)) = (&solver, &args.keep) {
        let mut file = BufWriter::new(File::create(path).map_err(|e| Problem::file(path, &e))?);
        solver
            .save(&mut file)
            .map_err(|e| Problem::file(path, &e))?;
        file.flush().map_err(|e| Problem::file(path, &e))?;
    }
    Ok(solution)
}

fn save_thread(path: &Path, terms: &Terms, args: &SolveArgs, best: Option<&str>) -> Result<()> {
    let Some(mut solver) = Solver::new(terms) else {
        let hint = format!("give at most {} numbers", Solver::MOST_NUMBERS);
        return Err(Problem::new("too-long", "this board is too long to follow", hint).into());
    };
    let mut recorder = Recorder::new(args.limit as usize);
    let solved = solver.solve(&Board::new(*terms), &budget(args.time), &mut recorder);
    let winner = solved.map_or("not solved".to_owned(), |solved| {
        format!("{} wins", solved.winner)
    });
    let (n, k, c, first) = (terms.n(), terms.k(), terms.c(), terms.first());
    let header = ThreadHeader {
        subject: format!("rainbow:n={n},k={k},c={c},first={first}"),
        by: "perfect".to_owned(),
        title: format!("{first} to move on {n} numbers, rainbows of {k}, {c} colours"),
        ..ThreadHeader::new("rainbow", "tree")
    };
    let result = best.map_or(winner, ToOwned::to_owned);
    write_whole(
        path,
        recorder
            .finish(&header, &result, Lang::En)
            .text()
            .as_bytes(),
    )
}

pub(super) fn held(args: &HoldArgs, out: &Out) -> Result<Answer> {
    let terms = args.game.terms()?;
    let progress = Progress::start();
    let each = |share: f64| progress.show((1000.0 * share) as u64, 1000, "of the first moves");
    let threads = matches::threads(args.threads);
    let Some(found) = hold(&terms, &budget(args.time), threads, &each) else {
        let hint =
            "give n up to 30, k up to 8, c up to 14, and terms with 128 progressions at most";
        return Err(Problem::new("too-long", "this board is too large to follow", hint).into());
    };
    progress.done();
    out.tell(&found, || {
        if found.by != By::Search {
            return format!("Breaker holds level 4, and anybody else, by {}", found.by);
        }
        let size = format!("{} positions with a free choice", found.positions);
        if !found.exact {
            return format!(
                "not known: the best Breaker holds level 4 with a chance of {:.4} at least ({size} followed to the end)",
                found.chance
            );
        }
        if found.line.is_empty() {
            return format!("no Breaker can hold level 4 here, however lucky ({size}, all lost)");
        }
        let line: Vec<String> = found.line.iter().map(|p| format!("{}={}", p.number, p.colour)).collect();
        format!(
            "the best Breaker holds level 4 with a chance of {:.4} ({size})\nfor example: {}",
            found.chance,
            line.join(" ")
        )
    })?;
    Ok(if found.exact { Answer::Yes } else { Answer::No })
}

pub(super) fn decided(args: GameArgs, out: &Out) -> Result<Answer> {
    let terms = args.terms()?;
    let told = forecast(&terms, &budget(None));
    out.tell(&told, || told.why.to_string())?;
    Ok(if told.winner.is_some() {
        Answer::Yes
    } else {
        Answer::No
    })
}

pub(super) fn hint(args: &HintArgs, out: &Out) -> Result<Answer> {
    let game = Rainbow::new(args.game.terms()?);
    let mut board = game.start();
    for text in args.moves.split_whitespace() {
        let paint = game.read(&board, text).map_err(Problem::from)?;
        game.legal(&board, &paint).map_err(Problem::from)?;
        game.play(&mut board, &paint);
    }
    let seed = args.seed.or_fresh();
    let kind = Hint::new(args.level);
    let ask = |n: u32| {
        let mut dice = Dice::at(seed.nth(n.into()), Stream::Aside, board.coloured());
        kind.filter(|_| board.winner().is_none())
            .and_then(|kind| kind.advise(&board, &mut dice))
    };
    let hints: Vec<(String, String)> = (0..args.times)
        .filter_map(ask)
        .map(|advice| {
            (
                format!("{}={}", advice.paint.number, advice.paint.colour),
                advice.why.to_string(),
            )
        })
        .collect();
    let list: Vec<_> = hints
        .iter()
        .map(|(text, why)| json!({"move": text, "why": why}))
        .collect();
    let value =
        json!({"level": args.level, "seed": seed, "over": board.winner().is_some(), "hints": list});
    out.tell(&value, || match hints.as_slice() {
        [] => "no hint".to_owned(),
        hints => hints
            .iter()
            .map(|(text, why)| format!("{text}: {why}"))
            .collect::<Vec<_>>()
            .join("\n"),
    })?;
    Ok(if hints.is_empty() {
        Answer::No
    } else {
        Answer::Yes
    })
}

pub(super) fn matrix(args: &MatrixArgs, out: &Out) -> Result<Answer> {
    let machines = |list: &[Entrant]| -> Vec<Machine> {
        if list.is_empty() {
            let strong = args.strong.map(Machine::Strong);
            return Machine::levels().into_iter().chain(strong).collect();
        }
        list.iter()
            .map(|entrant| entrant.machine(args.strong))
            .collect()
    };
    let seed: Seed = args.seed.or_fresh();
    let plan = MatrixPlan {
        terms: args.game.terms()?,
        makers: machines(&args.makers),
        breakers: machines(&args.breakers),
        games: args.games,
        seed,
    };
    let total = args.games * (plan.makers.len() * plan.breakers.len()) as u64;
    let progress = Progress::start();
    let each = |done| progress.show(done, total, "games");
    let played = plan.play(matches::threads(args.threads), &stop::flag(), &each);
    progress.done();
    let Some(matrix) = played else {
        out.say("stopped")?;
        return Ok(Answer::No);
    };
    out.tell(&matrix, || {
        let mut text = format!(
            "share won by Maker in {} games each, seed {seed}\n{:<20}",
            matrix.games, ""
        );
        for breaker in &matrix.breakers {
            let _ = write!(text, "{breaker:>20}");
        }
        for (maker, cells) in matrix.makers.iter().zip(&matrix.cells) {
            let _ = write!(text, "\n{maker:<20}");
            for cell in cells {
                let _ = write!(text, "{:>20.3}", cell.share);
            }
        }
        text
    })?;
    Ok(Answer::Yes)
}
