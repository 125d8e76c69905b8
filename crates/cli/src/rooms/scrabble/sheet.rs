//! `gcg`: the score sheet of a game that was played here.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde_json::json;
use wits_play::{Match, Record};
use wits_scrabble::files::gcg;
use wits_scrabble::files::transcript;

use crate::Answer;
use crate::out::Out;
use crate::problem::Problem;
use crate::shelf::write_whole;

#[derive(Args)]
pub(crate) struct GcgArgs {
    /// The record of a game (`wits play --save`)
    #[arg(value_name = "RECORD")]
    record: PathBuf,
    /// Where the score sheet goes; printed where it is left out
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// `wits scrabble gcg`
pub(crate) fn export(args: &GcgArgs, out: &Out) -> Result<Answer> {
    let text =
        std::fs::read_to_string(&args.record).map_err(|e| Problem::file(&args.record, &e))?;
    let record = Record::read(&text).map_err(Problem::from)?;
    let spec: wits_play::Spec = record.header.game.parse().map_err(Problem::from)?;
    if spec.name != "scrabble" {
        let message = format!("the record is of `{}`", spec.name);
        return Err(Problem::new(
            "other-game",
            message,
            "give the record of a game of `scrabble`",
        )
        .into());
    }
    let game = wits_scrabble::game(&spec, &wits_play::Shelf::new()).map_err(Problem::from)?;
    let game = std::sync::Arc::new(game);
    let table = Match::replay(std::sync::Arc::clone(&game), &record).map_err(Problem::from)?;
    let start = match &record.header.start {
        Some(text) => wits_game::Game::position(&*game, text).map_err(Problem::from)?,
        None => wits_game::Game::start(&*game),
    };
    let sheet = transcript(&game, &start, table.events(), &record.header.players);
    let text = gcg::write(&sheet, game.engine().tiles());
    if let Some(path) = &args.out {
        write_whole(path, text.as_bytes())?;
    }
    let file = args.out.as_ref().map(|p| p.display().to_string());
    out.tell(&json!({"gcg": text, "file": file}), || match &file {
        Some(file) => format!("the score sheet is in `{file}`"),
        None => text.clone(),
    })?;
    Ok(Answer::Yes)
}
