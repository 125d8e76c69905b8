//! The arena on the page: tournaments to start and to look at while they are played, ladders, tunings.
//!
//! - `open`: tournaments that bots join by a link;
//! - `start`: the door, with everything that was played and a form;
//! - `at_work`: small tournaments on the engine's threads;
//! - `games`: the games of two players, each to be opened and played through;
//! - `run`: the page of one tournament, live whoever plays it, since it follows the store;
//! - `table`: standings and cross table; `ladder`: the ladder of a game;
//! - `tuning`: the page of one tuning, with its `curve`.

mod at_work;
mod curve;
mod games;
mod ladder;
mod open;
mod run;
mod start;
mod table;
mod tuning;

use std::sync::Arc;

use axum::Router;
use axum::extract::Extension;
use axum::http::StatusCode;
use axum::routing::{get, post};
use wits_arena::{ArenaError, Tournament};
use wits_play::Spec;

use crate::pages::machines;
use crate::told::told;
use crate::{App, Fault, WORDS};

pub(crate) use open::{Opens, can_begin, enter, lead};

/// The addresses of this room.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/arena", get(start::show).post(start::begin))
        .route("/arena/run", get(run::show))
        .route("/arena/run/games", get(games::show))
        .route("/arena/run/game", post(games::open))
        .route("/arena/run/thread", get(run::thread))
        .route("/arena/run/events", get(run::events))
        .route("/arena/run/stop", post(run::stop))
        .route("/arena/run/resume", post(run::resume))
        .route("/arena/ladder", get(ladder::show))
        .route("/arena/tuning", get(tuning::show))
        .route("/arena/tuning/events", get(tuning::events))
        .route("/arena/tuning/csv", get(tuning::csv))
        .route("/arena/tuning/svg", get(tuning::svg))
        .merge(open::routes())
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

/// What people call a tournament: who plays, where nobody gave it a name of its own.
fn title_of(tournament: &Tournament) -> String {
    let game = tournament.game.split(':').next().unwrap_or_default();
    let end = tournament.name.strip_prefix(game).unwrap_or_default();
    let numbered = end.len() == 9 && end[1..].bytes().all(|b| b.is_ascii_hexdigit());
    if !numbered {
        return tournament.name.clone();
    }
    let names = machines::apart(tournament.players.iter().map(|p| p.given.as_str()));
    match &names[..] {
        [first, second, _, _, ..] => WORDS
            .say("arena-title-many")
            .with("first", first)
            .with("second", second)
            .with("n", names.len() - 2)
            .to_string(),
        few => few.join(" – "),
    }
}

/// What people call a game, by its spec.
fn game_title(app: &App, spec: &str) -> String {
    let made = spec.parse::<Spec>().ok();
    let made = made.and_then(|spec| app.catalog.game(&spec, &app.shelf).ok());
    made.map_or_else(|| spec.to_owned(), |game| game.title().to_string())
}
