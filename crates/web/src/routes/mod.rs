//! Which address does what.

mod events;
mod games;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::TimeoutLayer;

pub(crate) use games::{
    Fields, Gone, analyse, answer, blocking, fields, lacking, not_a_number, open, put_up,
};

use crate::{App, Fault, WORDS, assets, docs, glossary, guard, lang, lessons, pages, rooms};

/// The whole house as one service.
pub(crate) fn router(app: App) -> Router {
    let calm = Router::new()
        .route("/", get(pages::home))
        .route("/new/{game}", get(pages::new_game))
        .route("/threads", get(pages::threads))
        .route("/language", post(lang::choose))
        .route("/games", post(games::create))
        .route("/games/{id}", get(pages::game))
        .route("/games/{id}/state", get(games::state))
        .route("/games/{id}/move", post(games::play))
        .route("/games/{id}/undo", post(games::undo))
        .route("/games/{id}/resign", post(games::resign))
        .route("/games/{id}/hint", post(games::hint))
        .route("/games/{id}/sit", post(games::sit))
        .route("/games/{id}/record", get(games::record))
        .route("/games/{id}/thread/{ply}", get(games::thread))
        .route("/assets/{name}", get(assets::serve))
        .merge(rooms::routes())
        .merge(lessons::routes())
        .merge(docs::routes())
        .merge(glossary::routes())
        .layer(TimeoutLayer::with_status_code(
            StatusCode::SERVICE_UNAVAILABLE,
            app.config.request_time,
        ));
    Router::new()
        .merge(calm)
        .route("/games/{id}/events", get(events::stream))
        .fallback(nothing)
        .layer(DefaultBodyLimit::max(app.config.body_limit))
        .layer(CatchPanicLayer::custom(breakdown))
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .layer(from_fn(lang::speak))
        .with_state(app)
}

async fn nothing(headers: axum::http::HeaderMap) -> Fault {
    Fault::missing().for_reader(&headers)
}

/// A handler that panicked: the asker gets a sentence, everybody else notices nothing.
fn breakdown(_: Box<dyn std::any::Any + Send>) -> Response {
    let hint = WORDS.say("breakdown-hint");
    Fault::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "breakdown",
        WORDS.say("breakdown"),
        hint,
    )
    .into_response()
}
