//! The verbs of Othello: counting, judging, solving, and talking to other programs.

mod book;
mod gauntlet;
mod reach;
mod report;
mod whole;

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use clap::Subcommand;
use serde_json::json;
use wits_game::Game;
use wits_othello::endgame::{self, Solver};
use wits_othello::engine::Engine;
use wits_othello::gtp::Gtp;
use wits_othello::nboard::NBoard;
use wits_othello::notation::{Replay, Side, board_text};
use wits_othello::perft::{Passes, perft, perft_merged};
use wits_othello::{Heuristic, NoMove, Othello, Position, Start, ffo, record};
use wits_search::{Budget, Limits};

use crate::Answer;
use crate::args::seconds;
use crate::out::{Out, Progress};
use crate::problem::Problem;

/// Count, judge, solve and drive Othello.
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Count the leaves of the game tree
    #[command(
        after_help = "Examples:\n  wits othello perft 10\n  wits othello perft 13 --merge --passes free"
    )]
    Perft {
        /// How many plies deep
        #[arg(value_parser = clap::value_parser!(u32).range(0..=16))]
        depth: u32,
        /// Whether a pass is a ply or free
        #[arg(long, value_parser = ["ply", "free"], default_value = "ply")]
        passes: String,
        /// Merge positions that look the same, and use many threads
        #[arg(long)]
        merge: bool,
        /// How many threads with --merge (0: one for each core)
        #[arg(long, default_value_t = 0)]
        threads: usize,
        /// Start from this board
        #[arg(long, value_name = "BOARD")]
        #[arg(allow_hyphen_values = true)]
        board: Option<String>,
    },
    /// Show what every heuristic says of a board
    #[command(
        after_help = "Example: wits othello eval \"---------------------------OX------XO--------------------------- X\""
    )]
    Eval {
        /// 64 squares and the side to move, OBF, a transcript, GGF, or a file of them (FILE#2: its second)
        #[arg(allow_hyphen_values = true)]
        board: String,
    },
    /// Play a position out exactly, with the score of every move
    #[command(
        after_help = "Example: wits othello exact \"O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X\""
    )]
    Exact {
        /// 64 squares and the side to move, OBF, a transcript, GGF, or a file of them (FILE#2: its second)
        #[arg(allow_hyphen_values = true)]
        board: String,
        /// Stop after so many seconds
        #[arg(long, value_name = "SECONDS", value_parser = seconds)]
        time: Option<f64>,
    },
    /// Solve positions of the FFO endgame suite
    #[command(after_help = "Example: wits othello ffo 40-44")]
    Ffo {
        /// Which, such as 40-44
        #[arg(default_value = "40-44")]
        range: String,
        /// Stop after so many seconds
        #[arg(long, value_name = "SECONDS", value_parser = seconds)]
        time: Option<f64>,
    },
    /// Ask whether a board can come up in play
    #[command(
        after_help = "Examples:\n  wits othello reach \"---------------------------OX------XXX-------------------------- O\"\n  wits othello reach --measure 100 --move 30 --seed 1"
    )]
    Reach(reach::ReachArgs),
    /// Play a transcript over
    #[command(after_help = "Example: wits othello replay e6f4e3f6g5d6e7f5c5")]
    Replay {
        /// The moves, such as f5d6c3; GGF, or a file of transcripts, GGF or WTHOR (FILE#2: its second game)
        #[arg(allow_hyphen_values = true)]
        transcript: String,
    },
    /// Play a board from standard input to the end, both sides by machines
    #[command(
        after_help = "Example: wits othello solve --bh korman --bd 4 --wh iago --wd 3 < board.txt"
    )]
    Solve(report::SolveArgs),
    /// One of two machines coupled by pipes: moves in, moves out, board on standard error
    #[command(
        after_help = "Example: mkfifo back; wits othello step --player p1 < back | wits othello step --player p2 > back"
    )]
    Step(report::StepArgs),
    /// Fit the strong engine's weights to games against itself
    #[command(
        after_help = "Examples:\n  wits othello train first.bin --games 20000\n  wits othello train second.bin --games 100000 --depth 4 --exact 12 --from first.bin"
    )]
    Train(super::othello_train::TrainArgs),
    /// Grow the strong engine's book of openings by its own search
    #[command(
        after_help = "Example: wits othello book openings.txt --positions 2500 --nodes 500000"
    )]
    Book(book::BookArgs),
    /// Measure the strong engine by games: against Korman, selective against plain, with and without the book, level against level
    #[command(
        after_help = "Examples:\n  wits othello strength --table korman\n  wits othello strength --games 400 --table levels"
    )]
    Strength(super::othello_strength::StrengthArgs),
    /// Play another program that speaks `NBoard` or GTP, and count share and processor time
    #[command(
        after_help = "Examples:\n  wits othello gauntlet --against 'nboard:run=\"ntest x\",depth=6' --nodes 15000 --games 300\n  wits othello gauntlet --against 'gtp:run=\"wits othello gtp --nodes 5000\"' --nodes 10000"
    )]
    Gauntlet(gauntlet::GauntletArgs),
    /// Play random games and count what they look like
    #[command(
        after_help = "Examples:\n  wits othello stats --games 10000 --seed 1 --svg figures\n  wits othello stats --nodes --games 3 --depth 3"
    )]
    Stats(report::StatsArgs),
    /// Solve the whole game on a small board; what is solved is kept, and the next run goes on
    #[command(
        after_help = "Examples:\n  wits othello solve-board --size 4\n  wits othello solve-board --size 6 --file six.solved --threads 16"
    )]
    SolveBoard(whole::WholeArgs),
    /// Speak the Go Text Protocol on standard input and output
    #[command(after_help = "Example: wits othello gtp --time 2")]
    Gtp {
        /// Seconds for a move
        #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "1")]
        time: f64,
        /// Positions for a move instead of seconds, on the average of a game
        #[arg(long)]
        nodes: Option<u64>,
    },
    /// Speak the `NBoard` protocol on standard input and output
    #[command(after_help = "Example: wits othello nboard")]
    Nboard {
        /// Seconds for a move
        #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "5")]
        time: f64,
        /// Positions for a move instead of seconds
        #[arg(long)]
        nodes: Option<u64>,
    },
}

/// Does what a verb asks.
pub(crate) fn run(verb: Verb, out: &Out) -> anyhow::Result<Answer> {
    match verb {
        Verb::Perft {
            depth,
            passes,
            merge,
            threads,
            board,
        } => count(
            depth,
            &passes,
            merge.then_some(threads),
            board.as_deref(),
            out,
        ),
        Verb::Eval { board } => judge(&board, out),
        Verb::Exact { board, time } => exact(&board, time, out),
        Verb::Ffo { range, time } => suite(&range, time, out),
        Verb::Reach(args) => reach::run(&args, out),
        Verb::Replay { transcript } => replayed(&transcript, out),
        Verb::Solve(args) => report::solve(&args, out),
        Verb::Step(args) => report::step(&args),
        Verb::Gauntlet(args) => gauntlet::run(&args, out),
        Verb::Stats(args) => report::statistics(&args, out),
        Verb::Train(args) => super::othello_train::run(&args, out),
        Verb::Book(args) => book::run(&args, out),
        Verb::Strength(args) => super::othello_strength::run(&args, out),
        Verb::SolveBoard(args) => whole::run(&args, out),
        Verb::Gtp { time, nodes } => talk_gtp(thinking(time, nodes)),
        Verb::Nboard { time, nodes } => talk_nboard(thinking(time, nodes)),
    }
}

/// The position or game that an argument means: written out, or in a file, where `FILE#3` is the third.
fn entry(text: &str) -> anyhow::Result<record::Entry> {
    let (path, number) = match text.rsplit_once('#') {
        Some((path, number)) if Path::new(path).is_file() => (path, number.parse().unwrap_or(0)),
        _ => (text, 1),
    };
    let path = Path::new(path);
    let bytes = if path.is_file() {
        std::fs::read(path).map_err(|e| Problem::file(path, &e))?
    } else {
        text.as_bytes().to_vec()
    };
    let bad = |why: String| {
        let hint = "give the board and the side in one argument, or a file such as games.wtb#2";
        Problem::new("bad-board", why, hint)
    };
    let entries = record::read(&bytes).map_err(|e| bad(e.to_string()))?;
    let count = entries.len();
    let found = entries.into_iter().nth(usize::wrapping_sub(number, 1));
    Ok(found.ok_or_else(|| bad(format!("there is no number {number} among {count} entries")))?)
}

fn board(text: &str) -> anyhow::Result<(Position, Side)> {
    let entry = entry(text)?;
    Ok((entry.position(), entry.side))
}

fn budget(time: Option<f64>) -> Budget {
    let time = time.map(Duration::from_secs_f64);
    Budget::with_stop(
        Limits {
            time,
            ..Limits::NONE
        },
        crate::stop::flag(),
    )
}

fn timeout() -> Problem {
    Problem::new(
        "timeout",
        "not solved within the limit",
        "give more seconds with --time",
    )
}

fn count(
    depth: u32,
    passes: &str,
    merge: Option<usize>,
    text: Option<&str>,
    out: &Out,
) -> anyhow::Result<Answer> {
    let position = text.map_or(Ok(Position::START), |t| board(t).map(|b| b.0))?;
    let how = if passes == "free" {
        Passes::Free
    } else {
        Passes::Ply
    };
    let start = Instant::now();
    let (own, other) = (position.own(), position.other());
    let leaves = match merge {
        Some(threads) => perft_merged(own, other, depth, how, crate::matches::threads(threads)),
        None => perft(own, other, depth, how),
    };
    let seconds = start.elapsed().as_secs_f64();
    let speed = leaves as f64 / seconds.max(1e-9) / 1e6;
    out.tell(
        &json!({"depth": depth, "leaves": leaves, "passes": passes, "seconds": seconds}),
        || {
            format!(
                "{leaves} leaves at depth {depth} in {seconds:.2} s, {speed:.0} million a second"
            )
        },
    )?;
    Ok(Answer::Yes)
}

fn judge(text: &str, out: &Out) -> anyhow::Result<Answer> {
    let (position, side) = board(text)?;
    let values: serde_json::Map<String, serde_json::Value> = Heuristic::ALL
        .iter()
        .map(|h| (h.id().to_owned(), json!(h.value(&position))))
        .collect();
    let guessed = side == Side::Guessed;
    let number = position.move_number();
    out.tell(
        &json!({"move_number": number, "heuristics": values, "side_guessed": guessed}),
        || {
            let mut lines = vec![format!("move {number}; values are for Black")];
            lines.extend(
                Heuristic::ALL
                    .iter()
                    .map(|h| format!("{h:12} {:+.4}", h.value(&position))),
            );
            lines.join("\n")
        },
    )?;
    Ok(Answer::Yes)
}

fn exact(text: &str, time: Option<f64>, out: &Out) -> anyhow::Result<Answer> {
    let (position, side) = board(text)?;
    let start = Instant::now();
    let solved = endgame::exact(&position, &budget(time)).ok_or_else(timeout)?;
    let seconds = start.elapsed().as_secs_f64();
    let moves: Vec<_> = solved
        .moves
        .iter()
        .map(|(m, s)| json!({"move": m.to_string(), "score": s}))
        .collect();
    let best: Vec<String> = solved.best.iter().map(ToString::to_string).collect();
    let json = json!({
        "score": solved.score, "best": best, "moves": moves, "nodes": solved.nodes,
        "seconds": seconds, "side_guessed": side == Side::Guessed,
    });
    out.tell(&json, || {
        let mut text = format!("{:+} with {}\n", solved.score, best.join(" or "));
        for (square, score) in &solved.moves {
            let _ = writeln!(text, "  {square} {score:+}");
        }
        let _ = write!(text, "{} positions in {seconds:.2} s", solved.nodes);
        text
    })?;
    Ok(Answer::Yes)
}

fn suite(range: &str, time: Option<f64>, out: &Out) -> anyhow::Result<Answer> {
    let wrong = || {
        let message = format!("`{range}` is not a range of the suite");
        Problem::new(
            "bad-range",
            message,
            "give numbers from 40 to 49, such as 40-44",
        )
    };
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let first: u32 = first.trim().parse().map_err(|_| wrong())?;
    let last: u32 = last.trim().parse().map_err(|_| wrong())?;
    if first > last || first < 40 || last > 49 {
        return Err(wrong().into());
    }
    let budget = budget(time);
    let progress = Progress::start();
    let mut solver = Solver::new(20);
    let mut answers = Vec::new();
    for problem in ffo::suite()
        .iter()
        .filter(|p| (first..=last).contains(&p.number))
    {
        progress.show(
            u64::from(problem.number - first),
            u64::from(last - first + 1),
            "solving",
        );
        let (before, start) = (solver.nodes(), Instant::now());
        let p = problem.position;
        let score = solver
            .score(p.own(), p.other(), &budget)
            .ok_or_else(timeout)?;
        answers.push(ffo::Answer {
            number: problem.number,
            score,
            expected: problem.score(),
            best: solver.remembered(p.own(), p.other()),
            nodes: solver.nodes() - before,
            seconds: start.elapsed().as_secs_f64(),
        });
    }
    progress.done();
    let nodes: u64 = answers.iter().map(|a| a.nodes).sum();
    let seconds: f64 = answers.iter().map(|a| a.seconds).sum();
    let right = answers.iter().all(|a| a.score == a.expected);
    out.tell(
        &json!({"positions": answers, "nodes": nodes, "seconds": seconds}),
        || {
            let lines = answers.iter().map(|a| {
                let best = a.best.map_or(String::new(), |b| b.to_string());
                format!(
                    "#{}  {:+3} {best}  (known {:+}), {} positions, {:.2} s\n",
                    a.number, a.score, a.expected, a.nodes, a.seconds
                )
            });
            lines.collect::<Vec<String>>().concat()
                + &format!("together {nodes} positions in {seconds:.2} s")
        },
    )?;
    Ok(if right { Answer::Yes } else { Answer::No })
}

fn variant(size: usize, start: &str) -> Othello {
    let start = match start {
        "reversi" => Start::Reversi,
        "parallel" => Start::Parallel,
        _ => Start::Othello,
    };
    Othello::new(size, start, NoMove::Pass).unwrap_or_default()
}

fn replayed(text: &str, out: &Out) -> anyhow::Result<Answer> {
    let game = Othello::default();
    // A file or a game in GGF; anything else is a transcript, whose first bad move is named.
    let read = if text.contains("(;") || Path::new(text.split('#').next().unwrap_or(text)).is_file()
    {
        Ok(entry(text)?.replay)
    } else {
        Replay::read(&game, text)
    };
    match read {
        // Numbers of moves, say, without the moves.
        Ok(replay) if replay.moves.is_empty() && !text.trim().is_empty() => {
            let message = format!("there is no move in `{text}`");
            let hint = "write squares one after the other, such as f5d6c3";
            Err(Problem::new("no-moves", message, hint).into())
        }
        Ok(replay) => {
            let last = replay.last();
            let (black, white) = last.score();
            let (full_black, full_white) = last.tournament_score();
            let board = game.notation(&last).unwrap_or_default();
            let moves = replay.moves.len();
            let (passes, over) = (replay.passes, replay.over);
            let json = json!({
                "legal": true, "moves": moves, "passes": passes, "black": black, "white": white,
                "board": board, "over": over, "transcript": replay.transcript(),
                "tournament": if over { json!([full_black, full_white]) } else { json!(null) },
            });
            out.tell(&json, || {
                let end = if over {
                    format!("; over, tournament score {full_black}-{full_white}")
                } else {
                    String::new()
                };
                format!(
                    "{}{moves} moves, {passes} passes, {black}-{white}{end}",
                    picture(&last)
                )
            })?;
            Ok(Answer::Yes)
        }
        Err(bad) => {
            let json = json!({"legal": false, "moves": bad.good, "reason": bad.to_string()});
            out.tell(&json, || bad.to_string())?;
            Ok(Answer::No)
        }
    }
}

fn picture(position: &Position) -> String {
    let text = board_text(8, position);
    let row = |r: usize| format!("{} {}\n", r + 1, &text[8 * r..8 * r + 8]);
    "  abcdefgh\n".to_owned() + &(0..8).map(row).collect::<Vec<String>>().concat()
}

/// What a move may spend: seconds, or positions where they are given.
fn thinking(time: f64, nodes: Option<u64>) -> Limits {
    nodes.map_or_else(
        || Limits::time(Duration::from_secs_f64(time)),
        Limits::nodes,
    )
}

/// The engine with its book of openings.
fn opened() -> Engine {
    let mut engine = Engine::new();
    engine.use_book(true);
    engine
}

fn talk_gtp(limits: Limits) -> anyhow::Result<Answer> {
    let mut gtp = Gtp::new(opened(), limits);
    for line in io::stdin().lock().split(b'\n') {
        let line = line?;
        if let Some(reply) = gtp.answer(&String::from_utf8_lossy(&line)) {
            let mut stdout = io::stdout().lock();
            stdout.write_all(reply.as_bytes())?;
            stdout.flush()?;
        }
        if gtp.over() {
            break;
        }
    }
    Ok(Answer::Yes)
}

/// Lines are read while the engine thinks, so that a `ping` stops it, as the protocol asks.
fn talk_nboard(limits: Limits) -> anyhow::Result<Answer> {
    let mut nboard = NBoard::new(opened());
    let (sender, lines) = mpsc::channel::<String>();
    // The flag of the search that runs now, and how many pings have come that nobody has answered.
    let now = Arc::new(Mutex::new((Arc::new(AtomicBool::new(false)), 0u32)));
    let reader = Arc::clone(&now);
    std::thread::spawn(move || {
        for line in io::stdin().lock().split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            if is_ping(&line)
                && let Ok(mut now) = reader.lock()
            {
                now.0.store(true, Ordering::Relaxed);
                now.1 += 1;
            }
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    while let Ok(line) = lines.recv() {
        let flag = Arc::new(AtomicBool::new(false));
        if let Ok(mut now) = now.lock() {
            if is_ping(&line) {
                now.1 = now.1.saturating_sub(1);
            }
            flag.store(now.1 > 0, Ordering::Relaxed);
            now.0 = Arc::clone(&flag);
        }
        let budget = Budget::with_stop(limits, flag);
        let mut broken = None;
        nboard.answer(&line, &budget, &mut |reply| {
            let mut stdout = io::stdout().lock();
            let wrote = writeln!(stdout, "{reply}").and_then(|()| stdout.flush());
            broken = broken.take().or(wrote.err());
        });
        if let Some(error) = broken {
            return Err(error.into());
        }
        if nboard.over() {
            break;
        }
    }
    Ok(Answer::Yes)
}

fn is_ping(line: &str) -> bool {
    let command = line.split_whitespace().next();
    command.is_some_and(|c| c.eq_ignore_ascii_case("ping"))
}
