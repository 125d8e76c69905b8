//! The verbs of the rooms: one file a room, one line here.
//!
//! A room's file holds a clap `Subcommand` with its verbs and a `run` that prints what the room's
//! library found: one JSON object with `--json`, text for people otherwise.

use clap::Subcommand;

use crate::Answer;
use crate::out::Out;

/// A room with verbs of its own.
#[derive(Subcommand)]
pub(crate) enum Room {}

/// Does what a room's verb asks.
pub(crate) fn run(room: Room, _out: &Out) -> anyhow::Result<Answer> {
    match room {}
}
