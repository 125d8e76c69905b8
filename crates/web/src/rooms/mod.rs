//! What is special to a room on the page: one file a room, one line here.

mod matchbox;
mod rainbow;
mod thue;

use axum::Router;

use crate::App;

/// The addresses of all rooms.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .merge(matchbox::routes())
        .merge(thue::routes())
        .merge(rainbow::routes())
}

/// The page of the room that a game belongs to, if the room has one.
pub(crate) fn home_of(game: &str) -> Option<&'static str> {
    match game {
        "hexapawn" | "tictactoe" => Some("/matchbox"),
        "rainbow" => Some("/rainbow"),
        _ if game.starts_with("thue") => Some("/thue"),
        _ => None,
    }
}
