//! The verbs of the rooms: one file a room, and three lines here (`mod`, a variant, an arm).
//!
//! A room's file holds a clap `Subcommand` called `Verb` with its verbs (each with `after_help`
//! that shows an example) and `pub(crate) fn run(verb: Verb, out: &Out) -> anyhow::Result<Answer>`
//! that prints what the room's library found by `out.tell(&json, || text)`: one JSON object with
//! `--json`, text for people otherwise. Shared pieces: `crate::out::Progress` for long work,
//! `crate::stop::flag()` for Ctrl-C, `crate::args::Seeded` for `--seed`, `crate::matches::threads`
//! for `--threads`, `crate::problem::Problem` for errors with a hint, `crate::shelf::write_whole`
//! for files. `Answer::No` makes exit code 1.

mod arena;
mod expert;
mod growth;
mod hexapawn;
pub(crate) mod learn;
mod matchbox;
mod maxsum;
mod othello;
mod othello_strength;
mod othello_train;
pub(crate) mod scrabble;
mod thue;
pub(crate) mod transit;
mod worker;

use clap::Subcommand;

use wits_desk::{Args, Shelf};

use crate::Answer;
use crate::desk::Pairs;
use crate::out::Out;

/// A room with verbs of its own.
#[derive(Subcommand)]
pub(crate) enum Room {
    /// Tournaments, ratings, tests and tuning: machines of any game against each other
    #[command(subcommand)]
    Arena(arena::Verb),
    /// A logic engine and the diagnosis built on it: query, check, ask
    #[command(subcommand)]
    Expert(expert::Verb),
    /// Othello: perft, heuristics, exact endgames, reachable boards, and clients' protocols
    #[command(subcommand)]
    Othello(othello::Verb),
    /// Crossword play with lettered tiles: lexicons in three languages
    #[command(subcommand)]
    Scrabble(scrabble::Verb),
    /// Measure how fast methods grow, fit a law, foretell larger sizes
    #[command(after_help = "Examples:\n  wits growth maxsum\n  wits growth trees --svg trees.svg")]
    Growth(growth::GrowthArgs),
    /// Hexapawn on any board: prove who wins
    #[command(subcommand)]
    Hexapawn(hexapawn::Verb),
    /// The learning desk: look at a table, try pipelines on it, keep and use a model
    #[command(subcommand)]
    Learn(learn::Verb),
    /// Machines made of boxes and beads: build them, teach them, measure them
    #[command(subcommand)]
    Matchbox(matchbox::Verb),
    /// Find the largest fragment in cubic, quadratic and linear time
    #[command(
        after_help = "Examples:\n  wits maxsum --n 2000\n  wits maxsum --numbers \"-2,1,-3,4,-1,2,1,-5,4\"\n  wits maxsum --overflow"
    )]
    Maxsum(maxsum::MaxsumArgs),
    /// Words without repetition: find them, make them, solve the game of gaps and symbols
    #[command(subcommand)]
    Thue(thue::Verb),
    /// Play jobs of tournaments that are led elsewhere (`wits arena run FILE --nats URL`)
    #[command(
        after_help = "Examples:\n  wits worker --nats nats://127.0.0.1:4222\n  wits worker --nats nats://10.0.0.1:4222 --threads 8 --name lab-3"
    )]
    Worker(worker::WorkerArgs),
}

/// Does what a room's verb asks.
pub(crate) fn run(room: Room, out: &Out) -> anyhow::Result<Answer> {
    match room {
        Room::Arena(verb) => arena::run(verb, out),
        Room::Expert(verb) => expert::run(verb, out),
        Room::Othello(verb) => othello::run(verb, out),
        Room::Scrabble(verb) => scrabble::run(verb, out),
        Room::Growth(args) => growth::run(&args, out),
        Room::Hexapawn(verb) => hexapawn::run(verb, out),
        Room::Learn(verb) => learn::run(verb, out),
        Room::Matchbox(verb) => matchbox::run(verb, out),
        Room::Maxsum(args) => maxsum::run(&args, out),
        Room::Thue(verb) => thue::run(verb, out),
        Room::Worker(args) => worker::run(&args, out),
    }
}

/// Every room that describes its verbs, with those that measure this machine.
pub(crate) fn described() -> Vec<wits_desk::Room> {
    let mut rooms = wits_catalog::rooms();
    for room in rooms.iter_mut().filter(|room| room.id == "transit") {
        let route = room.verbs.iter_mut().find(|verb| verb.id == "route");
        route.expect("a verb of the room").run = transit::bench::route;
        room.verbs.push(transit::bench::verb());
    }
    for room in rooms.iter_mut().filter(|room| room.id == "scrabble") {
        room.verbs.push(scrabble::install::verb());
    }
    rooms
}

/// Asks for what a verb's arguments lack; gives the shelf of what was read on the way.
pub(crate) fn prompt(
    room: &wits_desk::Room,
    pairs: &mut Pairs,
    shelf: &dyn Fn(&Args) -> Shelf,
    out: &Out,
) -> anyhow::Result<Shelf> {
    match room.id {
        "transit" => transit::prompt(pairs, shelf, out),
        _ => Ok(Shelf::new()),
    }
}
