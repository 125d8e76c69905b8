//! The arena on the page: tournaments to start and to look at while they are played, ladders, tunings.
//!
//! - `start`: the door, with everything that was played and a form;
//! - `at_work`: small tournaments on the engine's threads;
//! - `run`: the page of one tournament, live whoever plays it, since it follows the store;
//! - `table`: standings and cross table; `ladder`: the ladder of a game;
//! - `tuning`: the page of one tuning, with its `curve`.

mod at_work;
mod curve;
mod ladder;
mod run;
mod start;
mod table;
mod tuning;

use std::sync::Arc;

use axum::Router;
use axum::extract::Extension;
use axum::http::StatusCode;
use axum::routing::{get, post};
use wits_arena::ArenaError;

use crate::told::told;
use crate::{App, Fault, WORDS};

/// The addresses of this room.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/arena", get(start::show).post(start::begin))
        .route("/arena/run", get(run::show))
        .route("/arena/run/thread", get(run::thread))
        .route("/arena/run/events", get(run::events))
        .route("/arena/run/stop", post(run::stop))
        .route("/arena/run/resume", post(run::resume))
        .route("/arena/ladder", get(ladder::show))
        .route("/arena/tuning", get(tuning::show))
        .route("/arena/tuning/events", get(tuning::events))
        .route("/arena/tuning/csv", get(tuning::csv))
        .route("/arena/tuning/svg", get(tuning::svg))
        .layer(Extension(Arc::<at_work::AtWork>::default()))
}

impl From<ArenaError> for Fault {
    fn from(error: ArenaError) -> Fault {
        let status = match &error {
            ArenaError::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
            ArenaError::Unknown { .. } => StatusCode::NOT_FOUND,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        let what = WORDS.say("arena-wrong").with("what", told(&error));
        let hint = WORDS
            .say("arena-wrong-hint")
            .with("hint", told(error.hint()));
        Fault::new(status, error.code(), what, hint)
    }
}

/// A name in an address; it may hold anything.
fn encoded(name: &str) -> String {
    form_urlencoded::byte_serialize(name.as_bytes()).collect()
}

/// The address of a run's page.
fn address(name: &str) -> String {
    format!("/arena/run?name={}", encoded(name))
}
