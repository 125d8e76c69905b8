//! `wits bot`: tries a program against the contract, and sends it a turn of a saved game again.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::Result;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use wits_bots::trial::Trial;
use wits_bots::{Launch, first_turn, split};
use wits_play::{AnyGame, Budget, Catalog, Event, Limits, Spec};

use crate::args::{Seeded, seconds};
use crate::out::Out;
use crate::{Answer, Problem, record_file, shelf, stop};

#[derive(Subcommand)]
pub(crate) enum BotCommand {
    /// Play the contract against a program, and say what to mend
    #[command(after_help = "Example: wits bot try \"python3 mine.py\" --game othello")]
    Try(TryArgs),
    /// Send one turn of a saved game to a program, without clocks
    #[command(
        after_help = "Examples:\n  wits bot debug \"python3 mine.py\" --record lost.record --turn 12\n  wits bot debug --record lost.record --turn 12 > turn.jsonl"
    )]
    Debug(DebugArgs),
}

#[derive(Args)]
pub(crate) struct TryArgs {
    /// The program with its arguments, as in a terminal; no shell reads it
    #[arg(value_name = "COMMAND")]
    command: String,
    /// The game
    #[arg(long, value_name = "GAMESPEC")]
    game: Spec,
    /// How many games in each seat
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1000))]
    games: u32,
    /// Seconds of processor time that it has for a move
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "5")]
    move_time: f64,
    /// MiB of memory that it may use
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(16..=65_536))]
    memory: u64,
    #[command(flatten)]
    seed: Seeded,
}

#[derive(Args)]
pub(crate) struct DebugArgs {
    /// The program with its arguments; without one the lines are printed
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
    /// The record of the game, as `wits play --save FILE` writes it
    #[arg(long, value_name = "FILE")]
    record: PathBuf,
    /// The turn: how many moves and deals came before; the last one if left out
    #[arg(long, value_name = "N")]
    turn: Option<u32>,
}

/// `wits bot`
pub(crate) fn run(catalog: &Catalog, command: &BotCommand, out: &Out) -> Result<Answer> {
    match command {
        BotCommand::Try(args) => attempt(catalog, args, out),
        BotCommand::Debug(args) => debug(catalog, args, out),
    }
}

fn words(command: &str) -> Result<Vec<String>> {
    split(command).map_err(|bad| {
        let hint = "write the command in quotes, such as \"python3 mine.py\"";
        Problem::new("bad-command", bad.0.to_string(), hint).into()
    })
}

fn attempt(catalog: &Catalog, args: &TryArgs, out: &Out) -> Result<Answer> {
    let shelf = shelf::fill(catalog, &args.game, &[])?;
    let trial = Trial {
        game: catalog.game(&args.game, &shelf)?,
        shelf,
        launch: Launch {
            memory: args.memory << 20,
            ..Launch::new(words(&args.command)?)
        },
        games: args.games,
        move_time: Duration::from_secs_f64(args.move_time),
        seed: args.seed.or_fresh(),
    };
    let report = trial.run(&Budget::with_stop(Limits::NONE, stop::flag()))?;
    let mut value = json!(report);
    value["game"] = json!(trial.game.spec());
    value["seed"] = json!(trial.seed);
    out.tell(&value, || {
        let mut text = match &report.name {
            Some(name) => format!("{}\n", out.bold(name)),
            None => String::new(),
        };
        for held in &report.held {
            let _ = writeln!(text, "  ok    {held}");
        }
        for finding in &report.findings {
            let what = finding.what.replace('\n', "\n        ");
            let _ = writeln!(
                text,
                "  {}  {what}\n        -> {}",
                finding.code, finding.hint
            );
        }
        let games = format!(
            "{} games of {}, seed {}: won {}, at most {} ms for a game",
            report.games,
            trial.game.spec(),
            trial.seed,
            report.won,
            report.most_ms
        );
        let next = if report.ok {
            next(&*trial.game, args)
        } else {
            "something has to be mended".to_owned()
        };
        format!("{text}{games}\n{next}")
    })?;
    Ok(if report.ok { Answer::Yes } else { Answer::No })
}

/// What to do with a program that passed: a match where two play, a game else.
fn next(game: &dyn AnyGame, args: &TryArgs) -> String {
    let program = format!("'program:run=\"{}\"'", args.command);
    if game.seats() == 2 {
        return format!(
            "next: wits match {} --a {program} --b random --games 20",
            args.game
        );
    }
    let others = " --seat random".repeat(usize::from(game.seats()) - 1);
    format!("next: wits play {} --seat {program}{others}", args.game)
}

fn debug(catalog: &Catalog, args: &DebugArgs, out: &Out) -> Result<Answer> {
    let record = record_file::read(&args.record)?;
    let spec: Spec = record.header.game.parse()?;
    let shelf = shelf::fill(catalog, &spec, &[])?;
    let game = catalog.game(&spec, &shelf)?;
    let moves: Vec<(usize, u32)> = record
        .events
        .iter()
        .enumerate()
        .filter_map(|(at, event)| match event {
            Event::Move { ply, .. } => Some((at, *ply)),
            _ => None,
        })
        .collect();
    let before = |at: usize| {
        let mut record = record.clone();
        record.events.truncate(at);
        let mut table = game.replay(&record).map_err(Problem::from)?;
        table.settle();
        Ok::<_, anyhow::Error>(table)
    };
    // The turn at which a program was at fault has no move: it is behind the last one.
    let last = moves.last().map_or(0, |(at, _)| at + 1);
    let named = |turn: u32| moves.iter().find(|(_, ply)| *ply == turn);
    let mut table = match args.turn.and_then(named) {
        Some((at, _)) => before(*at)?,
        None => before(last)?,
    };
    if args.turn.is_none() && table.turn().seat().is_none() {
        table = before(last.saturating_sub(1))?;
    }
    let turn = table
        .turn()
        .seat()
        .filter(|_| args.turn.is_none_or(|turn| turn == table.ply()));
    let Some(seat) = turn else {
        let hint = format!(
            "the record has {} moves and deals; name a turn before a move",
            table.ply()
        );
        return Err(Problem::new("no-turn", "nobody is to move on that turn", hint).into());
    };
    let lines = first_turn(&*game, &*table, seat);
    let Some(command) = &args.command else {
        return print(&lines, out);
    };
    let words = words(command)?;
    let (program, rest) = words.split_first().unwrap_or((command, &[]));
    let start = Command::new(program)
        .args(rest)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = start.map_err(|error| {
        let what = format!("`{program}` cannot be started: {error}");
        Problem::new(
            "not-started",
            what,
            "give a program that can be found from here",
        )
    })?;
    let pipes = (child.stdin.take(), child.stdout.take());
    let (Some(mut input), Some(output)) = pipes else {
        return Err(Problem::new("not-started", "it has no pipes", "try again").into());
    };
    let mut answers = Vec::new();
    let mut output = BufReader::new(output).lines();
    for line in &lines {
        out.say(format!("-> {line}"))?;
        let sent = writeln!(input, "{line}").and_then(|()| input.flush());
        let answer = output.next().and_then(Result::ok).filter(|_| sent.is_ok());
        let Some(answer) = answer else {
            let ended = child.wait()?;
            let what = format!("the program ended: {ended}");
            return Err(Problem::new("crashed", what, "its standard error is above").into());
        };
        out.say(format!("<- {answer}"))?;
        answers.push(answer);
    }
    drop(input);
    let _ = child.wait();
    let read: Vec<Value> = answers
        .iter()
        .map(|text| serde_json::from_str(text).unwrap_or_else(|_| json!(text)))
        .collect();
    if out.json {
        out.tell(&json!({"sent": sent(&lines), "answers": read}), String::new)?;
    }
    Ok(Answer::Yes)
}

fn sent(lines: &[String]) -> Vec<Value> {
    lines
        .iter()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

fn print(lines: &[String], out: &Out) -> Result<Answer> {
    out.tell(&json!({"sent": sent(lines)}), || lines.join("\n"))?;
    Ok(Answer::Yes)
}
