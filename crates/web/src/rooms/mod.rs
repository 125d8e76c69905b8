//! What is special to a room on the page: one file a room, one line here.

mod arena;
mod expert;
mod learn;
mod live;
mod matchbox;
mod othello;
mod rainbow;
mod thue;
pub(crate) mod transit;

use axum::Router;
use maud::Markup;

use crate::App;

/// The addresses of all rooms.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .merge(matchbox::routes())
        .merge(thue::routes())
        .merge(rainbow::routes())
        .merge(othello::routes())
        .merge(learn::routes())
        .merge(expert::routes())
        .merge(transit::routes())
        .merge(arena::routes())
}

/// The page of the room that a game belongs to, if the room has one.
pub(crate) fn home_of(game: &str) -> Option<&'static str> {
    match game {
        "hexapawn" | "tictactoe" => Some("/matchbox"),
        "othello" => Some("/othello"),
        "rainbow" => Some("/rainbow"),
        _ if game.starts_with("thue") => Some("/thue"),
        _ => None,
    }
}

/// What a room adds to the page of its games: a panel beside the board, and the script that fills it.
pub(crate) fn beside(game: &str, id: &str) -> Option<(&'static str, Markup)> {
    match game {
        "othello" => Some(("othello-game.js", othello::beside(id))),
        _ => None,
    }
}
