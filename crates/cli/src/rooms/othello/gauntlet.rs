//! `wits othello gauntlet`: the strong engine against any program that speaks `NBoard` or GTP.
//!
//! Openings are random moves after which the engine sees little difference; each is played both ways round. What both sides
//! work is counted as processor time, so that games at equal effort can be told from others.

use std::time::Duration;

use anyhow::Result;
use clap::Args;
use serde_json::json;
use wits_bots::{Heard, Launch, Process, split};
use wits_game::{Dice, Seat, Seed};
use wits_othello::engine::Engine;
use wits_othello::engine::duel::{Score, opening};
use wits_othello::engine::levels::Level;
use wits_othello::engine::plan::share;
use wits_othello::{Position, Square};
use wits_play::{Spec, Value, wilson};
use wits_search::{Budget, Limits};

use crate::Answer;
use crate::args::{Seeded, seconds};
use crate::bench::worked_seconds;
use crate::out::{Out, Progress};
use crate::problem::Problem;
use crate::stop;

#[derive(Args)]
pub(crate) struct GauntletArgs {
    /// The other program: nboard:run="ntest x",depth=6 or gtp:run="wits othello gtp --nodes 5000"
    #[arg(long, value_name = "PROGRAM")]
    against: Spec,
    /// How many games
    #[arg(long, default_value_t = 100)]
    games: u32,
    /// Positions a move of our engine, on the average of a game
    #[arg(long, default_value_t = 10_000)]
    nodes: u64,
    /// Each game begins with so many random moves
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=40))]
    random: u32,
    /// Openings that differ by more discs are left out
    #[arg(long, default_value_t = 2.5)]
    balance: f64,
    /// Seconds that the other program may take for an answer
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    patience: f64,
    #[command(flatten)]
    seed: Seeded,
}

/// What another program speaks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tongue {
    NBoard,
    Gtp,
}

/// Another program, running.
struct Other {
    tongue: Tongue,
    process: Process,
    patience: Duration,
    pings: u32,
}

fn wrong(message: impl Into<String>) -> Problem {
    let hint = "write nboard:run=\"COMMAND\",depth=N or gtp:run=\"COMMAND\"";
    Problem::new("bad-program", message, hint)
}

impl Other {
    fn start(spec: &Spec, patience: Duration) -> Result<Other> {
        let tongue = match spec.name.as_str() {
            "nboard" => Tongue::NBoard,
            "gtp" => Tongue::Gtp,
            other => return Err(wrong(format!("`{other}` is no protocol")).into()),
        };
        let mut depth = None;
        let mut run = None;
        for (key, value) in &spec.args {
            let Value::Text(text) = value else {
                return Err(wrong(format!("`{key}` is a text")).into());
            };
            match key.as_str() {
                "run" => run = Some(text.as_str()),
                "depth" if tongue == Tongue::NBoard => depth = Some(text.as_str()),
                other => return Err(wrong(format!("`{other}` is nothing it takes")).into()),
            }
        }
        let run = run.ok_or_else(|| wrong("no command is given"))?;
        let command = split(run).map_err(|bad| wrong(bad.0.to_string()))?;
        let process = Process::start(&Launch::new(command))
            .map_err(|e| wrong(format!("`{run}` does not start: {e}")))?;
        let other = Other {
            tongue,
            process,
            patience,
            pings: 0,
        };
        if tongue == Tongue::NBoard {
            other.process.say("nboard 2");
            if let Some(depth) = depth {
                other.process.say(&format!("set depth {depth}"));
            }
        }
        Ok(other)
    }

    /// The next line that begins like this.
    fn hear(&mut self, start: &str) -> Result<String> {
        loop {
            let Heard::Line(line) = self.process.hear(self.patience) else {
                let errors = self.process.errors();
                let last = errors.lines().last().unwrap_or_default();
                return Err(wrong(format!("no line `{start}…` has come; {last}")).into());
            };
            if let Some(refused) = line
                .strip_prefix('?')
                .filter(|_| self.tongue == Tongue::Gtp)
            {
                return Err(wrong(format!("the program refuses: {}", refused.trim())).into());
            }
            if line.starts_with(start) {
                return Ok(line);
            }
        }
    }

    /// Its move in a game; the moves so far with who made them, nothing for a pass.
    fn choose(&mut self, turn: Seat, made: &[(Seat, Option<Square>)]) -> Result<Square> {
        let answer = match self.tongue {
            Tongue::NBoard => {
                let name = |mv: &Option<Square>| match mv {
                    Some(square) => square.to_string().to_ascii_uppercase(),
                    None => "PA".into(),
                };
                let moves: Vec<String> = made
                    .iter()
                    .map(|(seat, mv)| format!("{}[{}]", ["B", "W"][seat.index()], name(mv)))
                    .collect();
                let board = "---------------------------O*------*O---------------------------";
                let moves = moves.concat();
                self.process.say(&format!(
                    "set game (;GM[Othello]PC[wits]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 {board} *]{moves};)"
                ));
                self.pings += 1;
                let pong = format!("pong {}", self.pings);
                self.process.say(&format!("ping {}", self.pings));
                self.hear(&pong)?;
                self.process.say("go");
                self.hear("===")?
            }
            Tongue::Gtp => {
                self.process.say("clear_board");
                self.hear("=")?;
                for (seat, mv) in made {
                    let text = mv.map_or_else(|| "pass".to_owned(), |s| s.to_string());
                    self.process
                        .say(&format!("play {} {text}", ["b", "w"][seat.index()]));
                    self.hear("=")?;
                }
                self.process
                    .say(&format!("genmove {}", ["b", "w"][turn.index()]));
                self.hear("=")?
            }
        };
        let word = answer.trim_start_matches('=').trim();
        let word = word.split(['/', ' ']).next().unwrap_or_default();
        word.parse()
            .map_err(|_| wrong(format!("`{answer}` is no move")).into())
    }

    /// Seconds of processor time so far, where the system tells.
    fn worked(&self) -> Option<f64> {
        self.process.cpu().map(|cpu| cpu.as_secs_f64())
    }
}

/// The position after an opening, if it is even.
fn even(seed: Seed, args: &GauntletArgs) -> Option<Position> {
    let position = opening(seed, args.random);
    if position.over() {
        return None;
    }
    let budget = Budget::start(Limits::nodes(5_000));
    let mut engine = Engine::new();
    let found = engine.think(&position, (60, 0), 1, &budget, &mut |_| ());
    let discs = found.ideas.first()?.discs;
    (discs.abs() <= args.balance).then_some(position)
}

/// `wits othello gauntlet`
pub(super) fn run(args: &GauntletArgs, out: &Out) -> Result<Answer> {
    let mut other = Other::start(&args.against, Duration::from_secs_f64(args.patience))?;
    let seed = args.seed.seed.unwrap_or(Seed::new(1));
    let progress = Progress::start();
    let mut score = Score::default();
    let mut ours = 0.0;
    let mut number = 0;
    while score.games() < args.games && !stop::flag().load(std::sync::atomic::Ordering::Relaxed) {
        number += 1;
        let Some(start) = even(seed.nth(number), args) else {
            continue;
        };
        for first in [true, false] {
            progress.show(score.games().into(), args.games.into(), "games");
            let game = Game {
                seed: seed.nth(number),
                random: args.random,
                nodes: args.nodes,
                ours_first: first,
            };
            let discs = game.play(&mut other, &start, &mut ours)?;
            let won = Score {
                won: u32::from(discs > 0),
                drawn: u32::from(discs == 0),
                lost: u32::from(discs < 0),
                discs,
            };
            score = score.and(won);
        }
    }
    progress.done();
    let theirs = other.worked();
    let (games, share) = (score.games(), score.share());
    let (low, high) = wilson(share, u64::from(games));
    let json = json!({
        "against": args.against.to_string(), "nodes": args.nodes, "games": games, "won": score.won, "drawn": score.drawn,
        "lost": score.lost, "share": share, "interval": [low, high],
        "discs": f64::from(score.discs) / f64::from(games.max(1)),
        "cpu_seconds": ours, "other_cpu_seconds": theirs,
    });
    out.tell(&json, || {
        let theirs = theirs.map_or_else(|| "unknown".to_owned(), |s| format!("{s:.1} s"));
        format!(
            "{games} games: won {}, drawn {}, lost {}; share {:.1}% ({:.1}% to {:.1}%)\nprocessor time: ours {ours:.1} s, theirs {theirs}",
            score.won,
            score.drawn,
            score.lost,
            100.0 * share,
            100.0 * low,
            100.0 * high
        )
    })?;
    Ok(Answer::Yes)
}

/// One game from an opening.
struct Game {
    seed: Seed,
    random: u32,
    nodes: u64,
    ours_first: bool,
}

impl Game {
    /// Plays it; our discs more than theirs.
    fn play(&self, other: &mut Other, start: &Position, ours: &mut f64) -> Result<i32> {
        // The opening again, move by move: the other program is told whole games.
        let mut made = Vec::new();
        let mut position = Position::START;
        let mut dice = Dice::new(self.seed);
        for _ in 0..self.random {
            let open: Vec<Square> = Square::all(position.moves()).collect();
            let Some(&square) = dice.pick(&open) else {
                break;
            };
            step(&mut position, square, &mut made);
        }
        let mut engine = Engine::new();
        let mut dice = Dice::new(self.seed);
        while !position.over() {
            let our_turn = (position.turn == start.turn) == self.ours_first;
            let square = if our_turn {
                let before = worked_seconds();
                let budget = Budget::start(Limits::nodes(share(&position, self.nodes)));
                let level = Level::of(10);
                let (square, _) =
                    level.pick(&mut engine, &position, &budget, &mut dice, &mut |_| ());
                let cpu = worked_seconds()
                    .zip(before)
                    .map(|(after, before)| after - before);
                *ours += cpu.unwrap_or_else(|| budget.elapsed().as_secs_f64());
                square.ok_or_else(|| wrong("our engine has no move"))?
            } else {
                other.choose(position.turn, &made)?
            };
            if position.moves() & square.bit() == 0 {
                return Err(wrong(format!("`{square}` is no legal move of the program")).into());
            }
            step(&mut position, square, &mut made);
        }
        let (black, white) = position.score();
        let diff = black as i32 - white as i32;
        let for_first = if start.turn == Seat::FIRST {
            diff
        } else {
            -diff
        };
        Ok(if self.ours_first {
            for_first
        } else {
            -for_first
        })
    }
}

/// Makes a move and writes it down, with the pass that it forces.
fn step(position: &mut Position, square: Square, made: &mut Vec<(Seat, Option<Square>)>) {
    let mover = position.turn;
    made.push((mover, Some(square)));
    *position = position.played(square);
    if position.turn == mover && !position.over() {
        made.push((mover.other(), None));
    }
}
