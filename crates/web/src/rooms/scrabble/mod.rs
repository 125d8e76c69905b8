//! The Scrabble room: tables for one to four, and the engine beside any position or game.
//!
//! - `room`: where to begin: play at once, a table of one's own, players, positions, games, words;
//! - `profiles`: saved players: a name, and a person or a machine;
//! - `table`: the page of a game that is being played, `state`: what a seat sees of it;
//! - `sheet`: a game turn by turn, each move beside the best;
//! - `look`: one position: the best plays, anchors and cross-checks;
//! - `race`: simulations, live.

mod ending;
mod look;
mod profiles;
mod race;
mod room;
mod sheet;
mod state;
mod table;

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::{get, post};
use wits_game::Message;
use wits_play::Shelf;
use wits_scrabble::{Engine, house};

pub(crate) use ending::ending;
pub(crate) use state::state;
pub(crate) use table::page;

use crate::{App, Fault, WORDS};

/// The addresses of this room.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/scrabble", get(room::show))
        .route("/scrabble/new", post(room::begin))
        .route("/scrabble/players", post(profiles::change))
        .route("/scrabble/open", post(sheet::open))
        .route("/scrabble/sheet/{hash}", get(sheet::stored))
        .route("/scrabble/game/{id}", get(sheet::of_game))
        .route("/scrabble/game/{id}/gcg", get(sheet::export))
        .route("/scrabble/game/{id}/preview", post(table::preview))
        .route("/scrabble/game/{id}/checks", get(table::checks))
        .route("/scrabble/game/{id}/hint", get(race::of_game))
        .route("/scrabble/board", get(look::show))
        .route("/scrabble/simulate", get(race::of_position))
}

/// The lexicons that people choose from: the name, and what it is called in its own language.
const LEXICONS: [(&str, &str, &str); 3] = [
    ("english", "English", "en"),
    ("polish", "Polski", "pl"),
    ("czech", "Čeština", "cs"),
];

/// The engine of one of them; others are for the command line, where files can be named.
fn engine(name: &str) -> Result<Arc<Engine>, Fault> {
    Ok(house::engine(name, &Shelf::new())?)
}

/// Something that was asked for and cannot be.
fn bad(code: &'static str, why: Message) -> Fault {
    let hint = WORDS.say("scrabble-bad-hint");
    Fault::new(StatusCode::UNPROCESSABLE_ENTITY, code, why, hint)
}
