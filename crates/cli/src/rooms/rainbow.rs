//! The verbs of the rainbow room: anti-van der Waerden numbers, and the game solved and measured.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Result;
use clap::{Args, Subcommand};
use serde_json::json;
use wits_game::{Dice, Game, Lang, Seed, Stream};
use wits_rainbow::drawing::draw;
use wits_rainbow::exact::Solver;
use wits_rainbow::forecast::{forecast, solve};
use wits_rainbow::matrix::{Machine, MatrixPlan};
use wits_rainbow::numbers::{self, Colouring, Method, Table};
use wits_rainbow::players::Hint;
use wits_rainbow::{BadTerms, Board, Rainbow, Series, Side, Terms};
use wits_search::{Budget, Limits, Recorder, ThreadHeader};

use crate::args::{Seeded, seconds};
use crate::out::{Out, Progress};
use crate::problem::Problem;
use crate::shelf::write_whole;
use crate::{Answer, matches, stop};

/// Rainbow progressions: the anti-van der Waerden numbers and their game
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Find how many colours force a rainbow, with a witness for one less
    #[command(
        after_help = "Examples:\n  wits rainbow aw --n 20 --k 4\n  wits rainbow aw --n 1000000000000000000 --k 3\n  wits rainbow aw --n 27 --k 3 --search --svg witness.svg"
    )]
    Aw(AwArgs),
    /// Make a table of these numbers
    #[command(
        after_help = "Examples:\n  wits rainbow table --k 4 --to 24\n  wits rainbow table --k 4-10 --to 26 --csv > aw.csv"
    )]
    Table(TableArgs),
    /// Count the colourings without a rainbow, up to renaming the colours
    #[command(after_help = "Example: wits rainbow count --n 9 --k 3 --r 3")]
    Count(CountArgs),
    /// Find every rainbow in a colouring, and the longest
    #[command(
        after_help = "Examples:\n  wits rainbow check abacabad --k 3\n  wits rainbow check \"1 2 2 3 - 1\" --k 3 --svg rainbows.svg"
    )]
    Check(CheckArgs),
    /// Find who wins a game under perfect play, by which move, and how large the proof is
    #[command(
        after_help = "Examples:\n  wits rainbow solve --n 9 --k 4 --c 4 --first maker\n  wits rainbow solve --n 8 --k 4 --c 4 --first breaker --thread proof.thread"
    )]
    Solve(SolveArgs),
    /// Say what is decided before the first move, and why
    #[command(after_help = "Example: wits rainbow forecast --n 1000 --k 3 --c 20")]
    Forecast(GameArgs),
    /// Ask for a hint, any number of times
    #[command(
        after_help = "Example: wits rainbow hint --n 30 --k 5 --c 10 --moves \"15=1 16=1 14=2\" --level 4 --times 3"
    )]
    Hint(HintArgs),
    /// Let every machine level play against every hint level
    #[command(
        after_help = "Example: wits rainbow matrix --n 30 --k 5 --c 10 --first breaker --games 60 --strong 1000"
    )]
    Matrix(MatrixArgs),
}

#[derive(Args)]
pub(crate) struct AwArgs {
    /// How many numbers
    #[arg(long, value_name = "N")]
    n: u64,
    /// How long a rainbow is
    #[arg(long, value_name = "K")]
    k: u64,
    /// Search also where there is a closed form
    #[arg(long)]
    search: bool,
    /// Draw the witness into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Seconds it may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
}

#[derive(Args)]
pub(crate) struct TableArgs {
    /// How long a rainbow is: one length, or a range such as 4-10
    #[arg(long, value_name = "K", value_parser = lengths)]
    k: (u64, u64),
    /// Up to which n
    #[arg(long, value_name = "N")]
    to: u64,
    /// Print comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Seconds it may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
    /// How many lengths at once (0: one for each core)
    #[arg(long, value_name = "T", default_value_t = 0)]
    threads: usize,
}

/// `4` or `4-10`.
fn lengths(text: &str) -> Result<(u64, u64), String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.trim().parse(), to.trim().parse()) {
        (Ok(from), Ok(to)) if from <= to => Ok((from, to)),
        _ => Err("give a length such as 4, or a range such as 4-10".to_owned()),
    }
}

#[derive(Args)]
pub(crate) struct CountArgs {
    /// How many numbers
    #[arg(long, value_name = "N")]
    n: u32,
    /// How long a rainbow is
    #[arg(long, value_name = "K")]
    k: u32,
    /// Exactly how many colours
    #[arg(long, value_name = "R")]
    r: u32,
    /// Seconds it may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
}

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// Numbers with blanks or commas, or one letter or digit for each; `-` is uncoloured
    #[arg(allow_hyphen_values = true)]
    colouring: String,
    /// How long a rainbow is
    #[arg(long, value_name = "K")]
    k: u32,
    /// List at most this many
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
    /// Draw the colouring with its rainbows into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

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

#[derive(Args)]
pub(crate) struct MatrixArgs {
    #[command(flatten)]
    game: GameArgs,
    /// How many games for each pair
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// Add the strong player on both sides, with so many positions for a move
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    strong: Option<u64>,
    #[command(flatten)]
    seed: Seeded,
    /// How many games at once (0: one for each core)
    #[arg(long, value_name = "T", default_value_t = 0)]
    threads: usize,
}

/// Does what a verb of this room asks.
pub(crate) fn run(verb: Verb, out: &Out) -> Result<Answer> {
    match verb {
        Verb::Aw(args) => aw(&args, out),
        Verb::Table(args) => table(&args, out),
        Verb::Count(args) => count(&args, out),
        Verb::Check(args) => check(&args, out),
        Verb::Solve(args) => solved(&args, out),
        Verb::Forecast(args) => decided(args, out),
        Verb::Hint(args) => hint(&args, out),
        Verb::Matrix(args) => matrix(&args, out),
    }
}

/// A parameter out of range, as a problem with a hint.
fn wrong(bad: BadTerms) -> anyhow::Error {
    let error = wits_play::SpecError::from(bad);
    Problem::from(error).into()
}

/// What a search may spend: the time that was given, and Ctrl-C.
fn budget(time: Option<f64>) -> Budget {
    let limits = time.map_or(Limits::NONE, |s| Limits::time(Duration::from_secs_f64(s)));
    Budget::with_stop(limits, stop::flag())
}

fn row(colours: &[u32]) -> String {
    let all: Vec<String> = colours.iter().map(ToString::to_string).collect();
    all.join(" ")
}

fn save_drawing(path: &Path, colours: &[u32], k: u32, arcs: &[Series]) -> Result<()> {
    let colours: Vec<u16> = colours.iter().map(|&colour| colour as u16).collect();
    write_whole(path, draw(&colours, k, arcs).as_bytes())
}

fn aw(args: &AwArgs, out: &Out) -> Result<Answer> {
    let found = numbers::aw(args.n, args.k, args.search, &budget(args.time)).map_err(wrong)?;
    if let (Some(path), Some(witness)) = (&args.svg, &found.witness) {
        save_drawing(path, witness, args.k as u32, &[])?;
    }
    out.tell(&found, || {
        let head = match (found.aw, found.method) {
            (Some(aw), Method::Formula) => {
                format!("aw({}, {}) = {aw}, by the closed form", found.n, found.k)
            }
            (Some(aw), _) => format!(
                "aw({}, {}) = {aw}, by search: no colouring with {aw} colours is without a rainbow ({} cells filled)",
                found.n, found.k, found.nodes
            ),
            (None, _) => format!(
                "aw({}, {}) is from {} to {}; the search did not end ({} cells filled)",
                found.n, found.k, found.at_least, found.at_most, found.nodes
            ),
        };
        match &found.witness {
            Some(witness) if witness.len() <= 2_000 => {
                format!("{head}\n{} colours without a rainbow: {}", found.at_least - 1, row(witness))
            }
            _ => head,
        }
    })?;
    Ok(if found.aw.is_some() {
        Answer::Yes
    } else {
        Answer::No
    })
}

fn table(args: &TableArgs, out: &Out) -> Result<Answer> {
    let (from, last) = args.k;
    let budget = budget(args.time);
    let lengths: Vec<u64> = (from..=last)
        .filter(|&k| k <= args.to || from == last)
        .collect();
    // Say what is wrong before any work is done.
    for &k in &lengths {
        Table::make(k, args.to, &budget.within(Limits::nodes(0)), |_| {}).map_err(wrong)?;
    }
    let rows: u64 = lengths.iter().map(|k| args.to + 1 - k).sum();
    let progress = Progress::start();
    let done = Mutex::new(0);
    let next = AtomicUsize::new(0);
    let tables = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..matches::threads(args.threads).min(lengths.len()) {
            scope.spawn(|| {
                while let Some(&k) = lengths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let each = |row: &numbers::Row| {
                        if let Ok(mut done) = done.lock() {
                            *done += 1;
                            progress.show(*done, rows, &format!("aw({}, {k}) = {}", row.n, row.aw));
                        }
                    };
                    if let (Ok(table), Ok(mut tables)) =
                        (Table::make(k, args.to, &budget, each), tables.lock())
                    {
                        tables.push(table);
                    }
                }
            });
        }
    });
    progress.done();
    let mut tables = tables.into_inner().unwrap_or_default();
    tables.sort_by_key(|table| table.k);
    let complete = tables.iter().all(|table| table.complete);
    if args.csv {
        let lines: Vec<String> = tables.iter().map(Table::csv).collect();
        let head = lines
            .first()
            .and_then(|t| t.lines().next())
            .unwrap_or_default()
            .to_owned();
        let body: Vec<&str> = lines.iter().flat_map(|text| text.lines().skip(1)).collect();
        out.say(format!("{head}\n{}", body.join("\n")))?;
    } else {
        let text = || {
            tables.iter().fold(String::new(), |mut text, table| {
                let values: Vec<String> = table.rows.iter().map(|row| row.aw.to_string()).collect();
                let end = table.rows.last().map_or(table.k, |row| row.n);
                let _ = writeln!(
                    text,
                    "k={} n={}..{end}: {}{}",
                    table.k,
                    table.k,
                    values.join(" "),
                    if table.complete {
                        ""
                    } else {
                        " (stopped early)"
                    }
                );
                text
            })
        };
        if let ([one], true) = (tables.as_slice(), from == last) {
            out.tell(one, text)?;
        } else {
            let value = json!({"to": args.to, "complete": complete, "tables": tables, "seconds": progress.seconds()});
            out.tell(&value, text)?;
        }
    }
    Ok(if complete { Answer::Yes } else { Answer::No })
}

fn count(args: &CountArgs, out: &Out) -> Result<Answer> {
    let counted = numbers::count(args.n, args.k, args.r, &budget(args.time)).map_err(wrong)?;
    out.tell(&counted, || {
        let least = if counted.complete { "" } else { "at least " };
        format!(
            "{least}{} colourings of 1..{} with exactly {} colours have no rainbow of {}, up to renaming",
            counted.count, counted.n, counted.r, counted.k
        )
    })?;
    Ok(if counted.complete {
        Answer::Yes
    } else {
        Answer::No
    })
}

fn check(args: &CheckArgs, out: &Out) -> Result<Answer> {
    let colouring: Colouring = args
        .colouring
        .parse()
        .map_err(|bad: numbers::BadColouring| {
            let hint = "write it as `1 2 2 3` or `abbc`, with `-` for uncoloured";
            Problem::new("bad-colouring", bad.to_string(), hint)
        })?;
    let checked = numbers::check(&colouring, args.k, args.limit).map_err(wrong)?;
    if let Some(path) = &args.svg {
        let svg = draw(colouring.colours(), args.k, &checked.rainbows);
        write_whole(path, svg.as_bytes())?;
    }
    out.tell(&checked, || {
        let mut text = format!(
            "{} numbers, {} colours, {} rainbows of {}\n",
            checked.n, checked.colours, checked.count, checked.k
        );
        for series in &checked.rainbows {
            let _ = writeln!(text, "  {}", series.text(checked.k));
        }
        if checked.count > checked.rainbows.len() as u64 {
            let _ = writeln!(
                text,
                "  … and {} more",
                checked.count - checked.rainbows.len() as u64
            );
        }
        let longest = checked.longest;
        let series = Series {
            step: longest.step,
            start: longest.start,
        };
        let _ = write!(
            text,
            "the longest rainbow has {}: {}",
            longest.length,
            series.text(longest.length)
        );
        text
    })?;
    Ok(Answer::Yes)
}

fn solved(args: &SolveArgs, out: &Out) -> Result<Answer> {
    let terms = args.game.terms()?;
    let solution = solve(&terms, &budget(args.time));
    if let Some(path) = &args.thread {
        save_thread(path, &terms, args, solution.best.as_deref())?;
    }
    out.tell(&solution, || {
        let Some(winner) = solution.winner else {
            return format!("not solved: {} positions were not enough", solution.nodes);
        };
        let mut text = format!("{winner} wins");
        if let Some(best) = &solution.best {
            let _ = write!(text, " with {best}");
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
        thread: 1,
        room: "rainbow".to_owned(),
        subject: format!("rainbow:n={n},k={k},c={c},first={first}"),
        by: "perfect".to_owned(),
        seed: 0,
        lens: "tree".to_owned(),
        title: format!("{first} to move on {n} numbers, rainbows of {k}, {c} colours"),
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

fn decided(args: GameArgs, out: &Out) -> Result<Answer> {
    let terms = args.terms()?;
    let told = forecast(&terms, &budget(None));
    out.tell(&told, || told.why.to_string())?;
    Ok(if told.winner.is_some() {
        Answer::Yes
    } else {
        Answer::No
    })
}

fn hint(args: &HintArgs, out: &Out) -> Result<Answer> {
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

fn matrix(args: &MatrixArgs, out: &Out) -> Result<Answer> {
    let strong = args.strong.map(Machine::Strong);
    let machines = || {
        Machine::levels()
            .into_iter()
            .chain(strong)
            .collect::<Vec<Machine>>()
    };
    let seed: Seed = args.seed.or_fresh();
    let plan = MatrixPlan {
        terms: args.game.terms()?,
        makers: machines(),
        breakers: machines(),
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
