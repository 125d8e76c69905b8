//! The programs of the report: a board played out, one half of a coupled game, and statistics.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use serde_json::json;
use wits_game::{Game, Seat, Turn};
use wits_othello::drawing::Plot;
use wits_othello::notation::{Side, board_text, grid};
use wits_othello::stats::Row;
use wits_othello::teach::{Lesson, Teacher, plain};
use wits_othello::{Heuristic, Othello, Position, reach, stats};

use super::{board, budget};
use crate::args::Seeded;
use crate::out::{Out, Progress};
use crate::problem::Problem;
use crate::shelf::write_whole;
use crate::{Answer, input};

/// Who plays which side of `solve`.
#[derive(clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub(crate) struct SolveArgs {
    /// Leave the first board out
    #[arg(short = 'i', long)]
    no_initial: bool,
    /// Do not ask whether the board can come up in play
    #[arg(short = 'v', long)]
    no_verification: bool,
    /// Black's heuristic
    #[arg(long, default_value = "korman")]
    bh: Heuristic,
    /// Black's depth
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=20))]
    bd: u32,
    /// Black plays by plain minimax, without cuts
    #[arg(long)]
    bm: bool,
    /// White's heuristic
    #[arg(long, default_value = "korman")]
    wh: Heuristic,
    /// White's depth
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=20))]
    wd: u32,
    /// White plays by plain minimax, without cuts
    #[arg(long)]
    wm: bool,
}

/// One half of a coupled game.
#[derive(clap::Args)]
pub(crate) struct StepArgs {
    /// p1 is Black and begins, p2 is White
    #[arg(short, long, value_parser = ["p1", "p2"])]
    player: String,
    /// The heuristic
    #[arg(long, default_value = "korman")]
    heuristic: Heuristic,
    /// How many moves ahead
    #[arg(short, long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Plain minimax, without cuts
    #[arg(short, long)]
    no_pruning: bool,
}

/// What is counted.
#[derive(clap::Args)]
pub(crate) struct StatsArgs {
    /// How many games
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Compare the nodes of minimax and alpha-beta instead
    #[arg(long)]
    nodes: bool,
    /// How deep they look with --nodes
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=6))]
    depth: u32,
    /// Write the figures into this folder
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    seed: Seeded,
}

/// One of the two searches, by a heuristic.
struct Machine {
    heuristic: Heuristic,
    depth: u32,
    cuts: bool,
    teacher: Teacher,
}

impl Machine {
    fn new(heuristic: Heuristic, depth: u32, cuts: bool) -> Machine {
        Machine {
            heuristic,
            depth,
            cuts,
            teacher: Teacher::new(heuristic),
        }
    }

    fn decide(&mut self, position: &Position) -> Lesson {
        if self.cuts {
            self.teacher.decide(position, self.depth)
        } else {
            plain(position, self.heuristic, self.depth, false)
        }
    }
}

/// `wits othello solve`
pub(super) fn solve(args: &SolveArgs, out: &Out) -> anyhow::Result<Answer> {
    let text = input::all(&mut io::stdin().lock())?;
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
        let game = Othello::default();
        let answer = reach::reachable(&game, &position, side == Side::Guessed, &limit);
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
    let mut machines = [
        Machine::new(args.bh, args.bd, !args.bm),
        Machine::new(args.wh, args.wd, !args.wm),
    ];
    while position.moves() != 0 {
        let side = position.turn.index();
        let lesson = machines[side].decide(&position);
        nodes[side] += lesson.nodes;
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

/// `wits othello step`
pub(super) fn step(args: &StepArgs) -> anyhow::Result<Answer> {
    let mine = if args.player == "p1" {
        Seat::FIRST
    } else {
        Seat::SECOND
    };
    let game = Othello::default();
    let mut machine = Machine::new(args.heuristic, args.depth, !args.no_pruning);
    let mut position = game.start();
    let mut other = io::stdin().lock();
    loop {
        writeln!(io::stderr(), "{}", grid(8, &position))?;
        let Turn::Of(seat) = game.turn(&position) else {
            return Ok(Answer::Yes);
        };
        let square = if seat == mine {
            let Some(square) = machine.decide(&position).best else {
                return Ok(Answer::Yes);
            };
            let mut stdout = io::stdout().lock();
            writeln!(stdout, "{square}")?;
            stdout.flush()?;
            square
        } else {
            let Some(line) = input::line(&mut other)? else {
                return Ok(Answer::Yes);
            };
            if line.trim().is_empty() {
                continue;
            }
            game.read(&position, &line).map_err(Problem::from)?
        };
        game.legal(&position, &square).map_err(Problem::from)?;
        game.play(&mut position, &square);
    }
}

/// Writes plots as `figure-N.svg`; the names of the files.
fn write_figures(folder: Option<&Path>, plots: &[(u32, Plot)]) -> anyhow::Result<Vec<String>> {
    let Some(folder) = folder else {
        return Ok(Vec::new());
    };
    std::fs::create_dir_all(folder).map_err(|e| Problem::file(folder, &e))?;
    let mut files = Vec::new();
    for (number, plot) in plots {
        let path = folder.join(format!("figure-{number}.svg"));
        write_whole(&path, plot.svg().as_bytes())?;
        files.push(path.display().to_string());
    }
    Ok(files)
}

/// `wits othello stats`
pub(super) fn statistics(args: &StatsArgs, out: &Out) -> anyhow::Result<Answer> {
    let (seed, games) = (args.seed.or_fresh(), args.games);
    let progress = Progress::start();
    let stop = crate::stop::flag();
    let mut going = |done: u64| {
        progress.show(done, games, "games");
        !stop.load(Ordering::Relaxed)
    };
    if args.nodes {
        let depth = args.depth;
        let rows = stats::nodes(games, depth, Heuristic::Korman, seed, &mut going);
        progress.done();
        let files = write_figures(args.svg.as_deref(), &[stats::nodes_figure(&rows, depth)])?;
        let json =
            json!({"seed": seed, "games": games, "depth": depth, "nodes": rows, "files": files});
        out.tell(&json, || {
            let lines = rows.iter().map(|r| {
                format!(
                    "{:4} {:14.1} {:14.1} {:8.1}\n",
                    r.move_number,
                    r.minimax,
                    r.alphabeta,
                    r.minimax / r.alphabeta.max(1.0)
                )
            });
            "move        minimax      alphabeta    ratio\n".to_owned()
                + &lines.collect::<String>()
                + &written(&files)
        })?;
        return Ok(Answer::Yes);
    }
    let found = stats::random_games(games, seed, &mut going);
    progress.done();
    let early = stats::early(8);
    let files = write_figures(args.svg.as_deref(), &stats::figures(&found, &early))?;
    let mut json = serde_json::to_value(&found)?;
    json["seed"] = json!(seed);
    json["early"] = json!(early);
    json["files"] = json!(files);
    out.tell(&json, || {
        let mut text = format!(
            "{} games, {} distinct positions (seed {seed})\n\
             black to move iff the discs are even: {:.2} %\n\
             equal counts mean Black, else White:  {:.2} %\n\
             games with a pass {:.1} %, positions after a pass {:.2} %, full boards {:.1} %\n\
             legal moves: fewest {}, most {}, mean {:.2}, expected (mean of the means) {:.2}\n\n\
             move  positions  finals  branching  least  most\n",
            found.games,
            found.states,
            100.0 * found.parity_rule,
            100.0 * found.equal_rule,
            100.0 * found.games_with_pass,
            100.0 * found.states_after_pass,
            100.0 * found.full,
            found.least,
            found.most,
            found.mean,
            found.expected,
        );
        for r in &found.rows {
            let Row {
                move_number,
                states,
                finals,
                branching,
                least,
                most,
            } = r;
            let _ = writeln!(
                text,
                "{move_number:4} {states:10} {finals:7} {branching:10.2} {least:6} {most:5}"
            );
        }
        text += "\nall positions from the empty board of the old Reversi\nmove  positions\n";
        for row in &early {
            let _ = writeln!(text, "{:4} {:10}", row.move_number, row.states);
        }
        text + &written(&files)
    })?;
    Ok(Answer::Yes)
}

fn written(files: &[String]) -> String {
    let mut text = String::new();
    for file in files {
        let _ = writeln!(text, "written: {file}");
    }
    text
}
