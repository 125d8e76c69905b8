//! `wits othello strength`: how strong the engine is, by games.
//!
//! Four tables: against Korman at depth 5 with fewer and more positions a move; selective search against plain search; with the
//! book of openings against without; each level against the one below. Games begin with random moves; each opening is played both ways round.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use wits_game::{Dice, Seed};
use wits_othello::engine::duel::{Score, opening, pair};
use wits_othello::engine::levels::Level;
use wits_othello::engine::plan::share;
use wits_othello::engine::{Engine, Judgement, Selection};
use wits_othello::teach::Teacher;
use wits_othello::{Heuristic, Position, Square};
use wits_play::wilson;
use wits_search::{Budget, Limits};

use crate::Answer;
use crate::args::Seeded;
use crate::matches::threads;
use crate::out::{Out, Progress};

#[derive(Args)]
pub(crate) struct StrengthArgs {
    /// How many games a row
    #[arg(long, default_value_t = 200)]
    games: u64,
    /// Each game begins with so many random moves
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=40))]
    random: u32,
    /// Which table: korman, selective, book, levels or all
    #[arg(long, default_value = "all", value_parser = ["korman", "selective", "book", "levels", "all"])]
    table: String,
    /// Positions a move in all tables but the levels
    #[arg(long, value_delimiter = ',', default_value = "2000,5000,20000")]
    nodes: Vec<u64>,
    /// Positions a move of the strongest level
    #[arg(long, default_value_t = 300_000)]
    full: u64,
    /// Use these weights instead of those that come with the program
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// How many threads (0: one for each core)
    #[arg(long, default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    seed: Seeded,
}

/// One line of a table.
#[derive(Serialize)]
struct Row {
    table: &'static str,
    a: String,
    b: String,
    games: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    share: f64,
    interval: (f64, f64),
    a_ms_per_game: f64,
    b_ms_per_game: f64,
}

/// Somebody who plays, with dice of its own.
type Somebody = Box<dyn FnMut(&Position, &mut Dice) -> Square>;
/// A fresh one for every pair of games, so that no row depends on the number of threads.
type Maker<'a> = dyn Fn(&Judgement) -> Somebody + Sync + 'a;

pub(crate) fn run(args: &StrengthArgs, out: &Out) -> Result<Answer> {
    let judgement = match &args.weights {
        Some(file) => Judgement::Patterns(super::othello_train::read_weights(file)?.into()),
        None => Judgement::fitted(),
    };
    let hall = Hall {
        args,
        judgement,
        progress: Progress::start(),
    };
    let mut rows = Vec::new();
    let wants = |table: &str| args.table == "all" || args.table == table;
    for &nodes in &args.nodes {
        if wants("korman") {
            let a = format!("engine:nodes={nodes}");
            let b = "alphabeta:depth=5,eval=korman".to_owned();
            rows.push(hall.row("korman", a, b, &engine(nodes, true, false), &korman));
        }
        if wants("selective") {
            let a = format!("selective, nodes={nodes}");
            let b = format!("plain, nodes={nodes}");
            rows.push(hall.row(
                "selective",
                a,
                b,
                &engine(nodes, true, false),
                &engine(nodes, false, false),
            ));
        }
    }
    for &nodes in args.nodes.iter().filter(|_| wants("book")) {
        let a = format!("with the book, nodes={nodes}");
        let b = format!("without, nodes={nodes}");
        let (with, without) = (engine(nodes, true, true), engine(nodes, true, false));
        rows.push(hall.row("book", a, b, &with, &without));
    }
    if wants("levels") {
        for number in 2..=10 {
            let (a, b) = (format!("level {number}"), format!("level {}", number - 1));
            let (upper, lower) = (level(number, args.full), level(number - 1, args.full));
            rows.push(hall.row("levels", a, b, &upper, &lower));
        }
    }
    hall.progress.done();
    out.tell(&rows, || table(&rows))?;
    Ok(Answer::Yes)
}

struct Hall<'a> {
    args: &'a StrengthArgs,
    judgement: Judgement,
    progress: Progress,
}

impl Hall<'_> {
    fn row(
        &self,
        table: &'static str,
        a: String,
        b: String,
        one: &Maker<'_>,
        two: &Maker<'_>,
    ) -> Row {
        let pairs = self.args.games.div_ceil(2);
        let seed = self.args.seed.seed.unwrap_or(Seed::new(1));
        let next = AtomicU64::new(0);
        let sum = Mutex::new((Score::default(), Duration::ZERO, Duration::ZERO));
        std::thread::scope(|scope| {
            for _ in 0..threads(self.args.threads) {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= pairs {
                            return;
                        }
                        let played = self.pair(seed.nth(number), one, two);
                        self.progress
                            .show(number, pairs, &format!("{a} against {b}"));
                        if let Ok(mut sum) = sum.lock() {
                            *sum = (sum.0.and(played.0), sum.1 + played.1, sum.2 + played.2);
                        }
                    }
                });
            }
        });
        let (score, ta, tb) = sum.into_inner().unwrap_or_default();
        let games = score.games();
        let ms = |time: Duration| time.as_secs_f64() * 1000.0 / f64::from(games.max(1));
        Row {
            table,
            a,
            b,
            games,
            won: score.won,
            drawn: score.drawn,
            lost: score.lost,
            share: score.share(),
            interval: wilson(score.share(), u64::from(games)),
            a_ms_per_game: ms(ta),
            b_ms_per_game: ms(tb),
        }
    }

    fn pair(&self, seed: Seed, one: &Maker<'_>, two: &Maker<'_>) -> (Score, Duration, Duration) {
        let start = opening(seed, self.args.random);
        let (mut ta, mut tb) = (Duration::ZERO, Duration::ZERO);
        let (mut one, mut two) = (one(&self.judgement), two(&self.judgement));
        let (mut da, mut db) = (Dice::new(seed.nth(1)), Dice::new(seed.nth(2)));
        let mut timed = |who: &mut dyn FnMut() -> Square, time: &mut Duration| {
            let begin = Instant::now();
            let square = who();
            *time += begin.elapsed();
            square
        };
        let score = {
            let timed = std::cell::RefCell::new(&mut timed);
            pair(
                &start,
                &mut |p| (timed.borrow_mut())(&mut || one(p, &mut da), &mut ta),
                &mut |p| (timed.borrow_mut())(&mut || two(p, &mut db), &mut tb),
            )
        };
        (score, ta, tb)
    }
}

fn engine(nodes: u64, selective: bool, book: bool) -> impl Fn(&Judgement) -> Somebody + Sync {
    at(Level::of(10), nodes, (selective, book))
}

/// A level as people meet it; the strongest has its book.
fn level(number: u32, full: u64) -> impl Fn(&Judgement) -> Somebody + Sync {
    at(Level::of(number), full, (true, true))
}

fn at(
    level: Level,
    nodes: u64,
    (selective, book): (bool, bool),
) -> impl Fn(&Judgement) -> Somebody + Sync {
    move |judgement| {
        let mut engine = Engine::with(judgement.clone(), 15);
        engine.select(selective.then_some(Selection::USUAL));
        engine.use_book(book);
        Box::new(move |p, dice| {
            let budget = Budget::start(Limits::nodes(share(p, nodes)));
            let (square, _) = level.pick(&mut engine, p, &budget, dice, &mut |_| ());
            square.expect("asked only where there is a move")
        })
    }
}

fn korman(_: &Judgement) -> Somebody {
    let mut teacher = Teacher::new(Heuristic::Korman);
    Box::new(move |p, _| {
        let best = teacher.decide(p, 5).best;
        best.expect("asked only where there is a move")
    })
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| A | B | games | won | drawn | lost | A's share | 95% interval | A ms/game | B ms/game |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for row in rows {
        use std::fmt::Write as _;
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {:.1}% | {:.1}% to {:.1}% | {:.1} | {:.1} |",
            row.a,
            row.b,
            row.games,
            row.won,
            row.drawn,
            row.lost,
            100.0 * row.share,
            100.0 * row.interval.0,
            100.0 * row.interval.1,
            row.a_ms_per_game,
            row.b_ms_per_game,
        );
    }
    text
}
