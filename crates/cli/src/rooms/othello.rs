//! The verbs of Othello: counting, judging, solving, and talking to other programs.

use std::fmt::Write as _;
use std::io::{self, BufRead, Read, Write};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::Subcommand;
use serde_json::json;
use wits_game::{Game, Seat, Turn};
use wits_othello::endgame::{self, Solver};
use wits_othello::engine::Engine;
use wits_othello::gtp::Gtp;
use wits_othello::nboard::NBoard;
use wits_othello::notation::{Replay, Side, board_text, grid, read_board};
use wits_othello::perft::{Passes, perft, perft_merged};
use wits_othello::stats::Row;
use wits_othello::teach::{Teacher, plain};
use wits_othello::{Heuristic, NoMove, Othello, Position, Square, Start, ffo, reach, stats};
use wits_search::{Budget, Limits};

use crate::Answer;
use crate::args::{Seeded, seconds};
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
        /// 64 squares and the side to move
        #[arg(allow_hyphen_values = true)]
        board: String,
    },
    /// Play a position out exactly, with the score of every move
    #[command(
        after_help = "Example: wits othello exact \"O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X\""
    )]
    Exact {
        /// 64 squares and the side to move
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
        after_help = "Example: wits othello reach \"---------------------------OX------XXX-------------------------- O\""
    )]
    Reach {
        /// 64 squares, perhaps with the side to move
        #[arg(allow_hyphen_values = true)]
        board: String,
        /// Give up after so many seconds
        #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "5")]
        time: f64,
        /// What the game starts from
        #[arg(long, value_parser = ["othello", "reversi", "parallel"], default_value = "othello")]
        start: String,
    },
    /// Play a transcript over
    #[command(after_help = "Example: wits othello replay e6f4e3f6g5d6e7f5c5")]
    Replay {
        /// The moves, such as f5d6c3
        #[arg(allow_hyphen_values = true)]
        transcript: String,
    },
    /// Play a board from standard input to the end, both sides by machines
    #[command(
        after_help = "Example: wits othello solve --bh korman --bd 4 --wh iago --wd 3 < board.txt"
    )]
    Solve(SolveArgs),
    /// One of two machines coupled by pipes: moves in, moves out, board on standard error
    #[command(
        after_help = "Example: mkfifo back; wits othello step --player p1 < back | wits othello step --player p2 > back"
    )]
    Step {
        /// p1 is Black and begins, p2 is White
        #[arg(long, value_parser = ["p1", "p2"])]
        player: String,
        /// The heuristic
        #[arg(long, default_value = "korman")]
        heuristic: Heuristic,
        /// How many moves ahead
        #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=20))]
        depth: u32,
    },
    /// Fit the strong engine's weights to games against itself
    #[command(
        after_help = "Examples:\n  wits othello train first.bin --games 20000\n  wits othello train second.bin --games 100000 --depth 4 --exact 12 --from first.bin"
    )]
    Train(super::othello_train::TrainArgs),
    /// Measure the strong engine by games: against Korman, selective against plain, level against level
    #[command(
        after_help = "Examples:\n  wits othello strength --table korman\n  wits othello strength --games 400 --table levels"
    )]
    Strength(super::othello_strength::StrengthArgs),
    /// Play random games and count what they look like
    #[command(
        after_help = "Examples:\n  wits othello stats --games 10000 --seed 1\n  wits othello stats --nodes --games 3 --depth 3"
    )]
    Stats {
        /// How many games
        #[arg(long, default_value_t = 1000)]
        games: u64,
        /// Compare the nodes of minimax and alpha-beta instead
        #[arg(long)]
        nodes: bool,
        /// How deep they look with --nodes
        #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=6))]
        depth: u32,
        #[command(flatten)]
        seed: Seeded,
    },
    /// Solve the whole game on a small board
    #[command(after_help = "Example: wits othello solve-board --size 4")]
    SolveBoard {
        /// Rows and columns: 4, or 6 (many hours)
        #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(4..=6))]
        size: u8,
        /// What the game starts from
        #[arg(long, value_parser = ["othello", "parallel"], default_value = "othello")]
        start: String,
        /// Stop after so many seconds
        #[arg(long, value_name = "SECONDS", value_parser = seconds)]
        time: Option<f64>,
    },
    /// Speak the Go Text Protocol on standard input and output
    #[command(after_help = "Example: wits othello gtp --time 2")]
    Gtp {
        /// Seconds for a move
        #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "1")]
        time: f64,
    },
    /// Speak the `NBoard` protocol on standard input and output
    #[command(after_help = "Example: wits othello nboard")]
    Nboard {
        /// Seconds for a move
        #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "5")]
        time: f64,
    },
}

/// Who plays which side of `solve`.
#[derive(clap::Args)]
pub(crate) struct SolveArgs {
    /// Leave the first board out
    #[arg(long)]
    no_initial: bool,
    /// Do not ask whether the board can come up in play
    #[arg(long)]
    no_verification: bool,
    /// Black's heuristic
    #[arg(long, default_value = "korman")]
    bh: Heuristic,
    /// Black's depth
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=20))]
    bd: u32,
    /// Black's method
    #[arg(long, value_parser = ["minimax", "alphabeta"], default_value = "alphabeta")]
    bm: String,
    /// White's heuristic
    #[arg(long, default_value = "korman")]
    wh: Heuristic,
    /// White's depth
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=20))]
    wd: u32,
    /// White's method
    #[arg(long, value_parser = ["minimax", "alphabeta"], default_value = "alphabeta")]
    wm: String,
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
        Verb::Reach { board, time, start } => reached(&board, time, &start, out),
        Verb::Replay { transcript } => replayed(&transcript, out),
        Verb::Solve(args) => solve(&args, out),
        Verb::Step {
            player,
            heuristic,
            depth,
        } => step(&player, heuristic, depth),
        Verb::Stats {
            games,
            nodes,
            depth,
            seed,
        } => statistics(games, nodes, depth, seed, out),
        Verb::Train(args) => super::othello_train::run(&args, out),
        Verb::Strength(args) => super::othello_strength::run(&args, out),
        Verb::SolveBoard { size, start, time } => whole_board(size, &start, time, out),
        Verb::Gtp { time } => talk_gtp(time),
        Verb::Nboard { time } => talk_nboard(time),
    }
}

fn board(text: &str) -> anyhow::Result<(Position, Side)> {
    let read = read_board(8, text).map_err(|e| {
        Problem::new(
            "bad-board",
            e.to_string(),
            "give the board and the side in one argument",
        )
    })?;
    Ok((read.position, read.side))
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

fn reached(text: &str, time: f64, start: &str, out: &Out) -> anyhow::Result<Answer> {
    let (position, side) = board(text)?;
    let game = variant(8, start);
    let either = side == Side::Guessed;
    let answer = reach::reachable(&game, &position, either, &budget(Some(time)));
    out.tell(&answer, || {
        let word = match answer.reachable {
            reach::Reachable::Yes => "yes",
            reach::Reachable::No => "no",
            reach::Reachable::Unknown => "unknown",
        };
        let game = answer.game.as_deref().unwrap_or_default();
        format!("{word}: {}\n{game}", answer.reason)
    })?;
    Ok(if answer.reachable == reach::Reachable::No {
        Answer::No
    } else {
        Answer::Yes
    })
}

fn replayed(text: &str, out: &Out) -> anyhow::Result<Answer> {
    let game = Othello::default();
    match Replay::read(&game, text) {
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

fn solve(args: &SolveArgs, out: &Out) -> anyhow::Result<Answer> {
    let mut text = String::new();
    io::stdin().take(100_000).read_to_string(&mut text)?;
    let (mut position, side) = board(&text)?;
    if side == Side::Guessed {
        let who = if position.turn == Seat::FIRST {
            "Black"
        } else {
            "White"
        };
        writeln!(
            io::stderr(),
            "the side to move is guessed from the number of discs: {who}"
        )?;
    }
    if !args.no_verification {
        let limit = budget(Some(5.0));
        let answer = reach::reachable(
            &Othello::default(),
            &position,
            side == Side::Guessed,
            &limit,
        );
        if answer.reachable == reach::Reachable::No {
            let hint = "give --no-verification to go on all the same";
            return Err(Problem::new("unreachable", answer.reason.to_string(), hint).into());
        }
    }
    let game = Othello::default();
    position = game.settled(&position);
    if !args.no_initial {
        write!(io::stderr(), "{}", grid(8, &position))?;
    }
    let start = Instant::now();
    let mut nodes = [0u64; 2];
    let mut black = Teacher::new(args.bh);
    let mut white = Teacher::new(args.wh);
    while position.moves() != 0 {
        let blacks = position.turn == Seat::FIRST;
        let (teacher, h, depth, method) = if blacks {
            (&mut black, args.bh, args.bd, &args.bm)
        } else {
            (&mut white, args.wh, args.wd, &args.wm)
        };
        let lesson = if method == "minimax" {
            plain(&position, h, depth, false)
        } else {
            teacher.decide(&position, depth)
        };
        nodes[usize::from(!blacks)] += lesson.nodes;
        let Some(square) = lesson.best else { break };
        position = position.played(square);
        if crate::stop::flag().load(Ordering::Relaxed) {
            break;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let (b, w) = position.score();
    if !out.json {
        writeln!(
            io::stderr(),
            "nodes: black {}, white {}; {seconds:.3} s; {b}-{w}",
            nodes[0],
            nodes[1]
        )?;
    }
    let json = json!({
        "board": board_text(8, &position), "black": b, "white": w, "nodes": nodes,
        "seconds": seconds,
    });
    out.tell(&json, || grid(8, &position))?;
    Ok(Answer::Yes)
}

fn step(player: &str, heuristic: Heuristic, depth: u32) -> anyhow::Result<Answer> {
    let mine = if player == "p1" {
        Seat::FIRST
    } else {
        Seat::SECOND
    };
    let game = Othello::default();
    let mut teacher = Teacher::new(heuristic);
    let mut position = game.start();
    let mut lines = io::stdin().lock().lines();
    loop {
        writeln!(io::stderr(), "{}", grid(8, &position))?;
        let Turn::Of(seat) = game.turn(&position) else {
            return Ok(Answer::Yes);
        };
        let square = if seat == mine {
            let Some(square) = teacher.decide(&position, depth).best else {
                return Ok(Answer::Yes);
            };
            let mut stdout = io::stdout().lock();
            writeln!(stdout, "{square}")?;
            stdout.flush()?;
            square
        } else {
            let Some(line) = lines.next() else {
                return Ok(Answer::Yes);
            };
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            game.read(&position, &line).map_err(Problem::from)?
        };
        game.legal(&position, &square).map_err(Problem::from)?;
        game.play(&mut position, &square);
    }
}

fn statistics(
    games: u64,
    nodes: bool,
    depth: u32,
    seed: Seeded,
    out: &Out,
) -> anyhow::Result<Answer> {
    let seed = seed.or_fresh();
    if nodes {
        let rows = stats::nodes(games, depth, Heuristic::Korman, seed);
        let json = json!({"seed": seed, "games": games, "depth": depth, "nodes": rows});
        out.tell(&json, || {
            let lines = rows.iter().map(|r| {
                format!(
                    "{:4} {:14.1} {:14.1}\n",
                    r.move_number, r.minimax, r.alphabeta
                )
            });
            "move        minimax      alphabeta\n".to_owned()
                + &lines.collect::<Vec<String>>().concat()
        })?;
        return Ok(Answer::Yes);
    }
    let progress = Progress::start();
    let stop = crate::stop::flag();
    let found = stats::random_games(games, seed, &mut |done| {
        progress.show(done, games, "games");
        !stop.load(Ordering::Relaxed)
    });
    progress.done();
    out.tell(&found, || {
        let mut text = format!(
            "{} games, {} distinct positions (seed {seed})\n\
             black to move iff the discs are even: {:.2} %\n\
             equal counts mean Black, else White:  {:.2} %\n\
             games with a pass {:.1} %, positions after a pass {:.2} %, full boards {:.1} %\n\
             legal moves: most {}, mean {:.2}, mean of means {:.2}\n\nmove  positions  finals  branching  least  most\n",
            found.games,
            found.states,
            100.0 * found.parity_rule,
            100.0 * found.equal_rule,
            100.0 * found.games_with_pass,
            100.0 * found.states_after_pass,
            100.0 * found.full,
            found.most,
            found.mean,
            found.expected,
        );
        for r in &found.rows {
            let Row { move_number, states, finals, branching, least, most } = r;
            let _ = writeln!(
                text,
                "{move_number:4} {states:10} {finals:7} {branching:10.2} {least:6} {most:5}"
            );
        }
        text
    })?;
    Ok(Answer::Yes)
}

fn whole_board(size: u8, start: &str, time: Option<f64>, out: &Out) -> anyhow::Result<Answer> {
    let size = usize::from(size);
    if size == 5 {
        let hint = "take 4 or 6";
        return Err(Problem::new("bad-size", "a board of 5 rows is not possible", hint).into());
    }
    let game = variant(size, start);
    let p = game.start();
    let mut solver = Solver::sized(22, size);
    let begun = Instant::now();
    let score = solver
        .score(p.own(), p.other(), &budget(time))
        .ok_or_else(timeout)?;
    let seconds = begun.elapsed().as_secs_f64();
    let winner = match score.signum() {
        1 => "first",
        -1 => "second",
        _ => "draw",
    };
    let best = solver
        .remembered(p.own(), p.other())
        .map(|s: Square| s.to_string());
    let squares = (size * size) as i32;
    let (black, white) = (
        i32::midpoint(squares, score),
        i32::midpoint(squares, -score),
    );
    let nodes = solver.nodes();
    let json = json!({
        "size": size, "start": start, "score": score, "winner": winner, "black": black,
        "white": white, "best": best, "nodes": nodes, "seconds": seconds,
    });
    out.tell(&json, || {
        format!("best play ends {black}-{white}; {nodes} positions in {seconds:.2} s")
    })?;
    Ok(Answer::Yes)
}

fn talk_gtp(time: f64) -> anyhow::Result<Answer> {
    let mut gtp = Gtp::new(Engine::new(), Limits::time(Duration::from_secs_f64(time)));
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

fn talk_nboard(time: f64) -> anyhow::Result<Answer> {
    let mut nboard = NBoard::new(Engine::new());
    let limits = Limits::time(Duration::from_secs_f64(time));
    for line in io::stdin().lock().split(b'\n') {
        let line = line?;
        let replies = nboard.answer(&String::from_utf8_lossy(&line), limits);
        let mut stdout = io::stdout().lock();
        for reply in replies {
            writeln!(stdout, "{reply}")?;
        }
        stdout.flush()?;
        if nboard.over() {
            break;
        }
    }
    Ok(Answer::Yes)
}
