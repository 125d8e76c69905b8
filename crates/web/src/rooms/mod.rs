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
