//! The verbs of the rooms: one file a room, and three lines here (`mod`, a variant, an arm).
//!
//! A room's file holds a clap `Subcommand` called `Verb` with its verbs (each with `after_help`
//! that shows an example) and `pub(crate) fn run(verb: Verb, out: &Out) -> anyhow::Result<Answer>`
//! that prints what the room's library found by `out.tell(&json, || text)`: one JSON object with
//! `--json`, text for people otherwise. Shared pieces: `crate::out::Progress` for long work,
//! `crate::stop::flag()` for Ctrl-C, `crate::args::Seeded` for `--seed`, `crate::matches::threads`
//! for `--threads`, `crate::problem::Problem` for errors with a hint, `crate::shelf::write_whole`
//! for files. `Answer::No` makes exit code 1.

mod thue;

use clap::Subcommand;

use crate::Answer;
use crate::out::Out;

/// A room with verbs of its own.
#[derive(Subcommand)]
pub(crate) enum Room {
    /// Words without repetition: find them, make them, solve the game of gaps and symbols
    #[command(subcommand)]
    Thue(thue::Verb),
}

/// Does what a room's verb asks.
pub(crate) fn run(room: Room, out: &Out) -> anyhow::Result<Answer> {
    match room {
        Room::Thue(verb) => thue::run(verb, out),
    }
}
