//! The `wits` binary: reads the command line, does one thing, and says how it went.
//!
//! Exit codes: 0 done, 1 the answer is no, 2 something was wrong, 130 it was stopped.
#![forbid(unsafe_code)]

mod args;
mod backup;
mod bench;
mod board;
mod bot;
mod data;
mod desk;
mod doctor;
mod gallery;
mod games;
mod input;
mod live;
mod matches;
mod out;
mod play;
mod problem;
mod record_file;
mod replay;
mod rooms;
mod serve;
mod shelf;
mod stop;
mod thread;
mod watch;

use std::process::ExitCode;

use args::{Asked, Cli, Command};
use out::Out;
use problem::Problem;
use wits_play::Catalog;

/// How a command ended that went well.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Done, or the answer is yes.
    Yes,
    /// The answer is no.
    No,
    /// What was asked about is wrong in itself, and the output says how.
    Wrong,
    /// It would have gone on for ever, and was told to leave.
    Left,
}

fn main() -> ExitCode {
    // The server starts itself again for work on what visitors send; nobody types this.
    if std::env::args_os().skip(1).eq([wits_web::SANDBOX]) {
        return ExitCode::from(wits_web::sandbox());
    }
    // Programs of others run under a supervisor, which is this program started again, too.
    if std::env::args_os()
        .nth(1)
        .is_some_and(|verb| verb == wits_bots::SUPERVISOR)
    {
        return ExitCode::from(wits_bots::supervise(std::env::args_os().skip(2)));
    }
    args::language().speak(answer)
}

/// Every game of the house, with programs of others as players: whoever types a command on this machine
/// could start it without us. The page has a catalog without them.
pub(crate) fn catalog() -> Catalog {
    let boxes = wits_matchbox::graph::everywhere(&wits_catalog::all());
    wits_bots::welcome(&boxes, &wits_bots::Admission::Any, None)
}

/// Reads the command line and does what it asks.
fn answer() -> ExitCode {
    let rooms = rooms::described();
    let asked = match args::read(&rooms) {
        Ok(asked) => asked,
        Err(error) => return problem::usage(&error),
    };
    let out = Out::new(match &asked {
        Asked::Command(cli) => cli.json,
        Asked::Verb { json, .. } => *json,
    });
    // Verbs that rooms describe need the lexicons, too.
    rooms::scrabble::larder::open();
    let done = match asked {
        Asked::Command(cli) => run(*cli, &out),
        Asked::Verb { matches, .. } => match desk::asked(&rooms, &matches) {
            Some((room, verb, matches)) => desk::run(room, verb, matches, &out),
            None => unreachable!("the command line was read as a verb"),
        },
    };
    let code = match done {
        Ok(Answer::Left) => return ExitCode::SUCCESS,
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Ok(Answer::Wrong) => ExitCode::from(2),
        Err(error) => problem::report(&error, &out),
    };
    if stop::raised() {
        return ExitCode::from(stop::CODE);
    }
    code
}

fn run(cli: Cli, out: &Out) -> anyhow::Result<Answer> {
    let catalog = catalog();
    match cli.command {
        None => serve::run(&args::ServeArgs::default(), out),
        Some(Command::Serve(args)) => serve::run(&args, out),
        Some(Command::Backup(args)) => backup::save(&args, out),
        Some(Command::Restore(args)) => backup::load(&args, out),
        Some(Command::Games) => games::games(&catalog, out),
        Some(Command::Players { game, .. }) => match game {
            Some(game) => games::players(&catalog, &game, out),
            None => games::markdown(&wits_catalog::all(), out),
        },
        Some(Command::Doctor(args)) => doctor::run(&args, out),
        Some(Command::Play(args)) => play::run(&catalog, &args, out),
        Some(Command::Match(args)) => matches::run(&catalog, &args, out),
        Some(Command::Watch(args)) => watch::run(&catalog, &args, out),
        Some(Command::Replay(args)) => replay::run(&catalog, &args, out),
        Some(Command::Bot { command }) => bot::run(&catalog, &command, out),
        Some(Command::Thread { command }) => thread::run(&wits_catalog::all(), &command, out),
        Some(Command::Bench(args)) => bench::run(&wits_catalog::all(), &args, out),
        Some(Command::Completions { shell }) => games::completions(shell),
        Some(Command::Room(room)) => rooms::run(room, out),
    }
}
