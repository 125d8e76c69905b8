//! The learning desk on the page: look at a table, try many pipelines, look closely at one.
//!
//! - `asked`: what addresses and forms say; `files`: tables that were brought along, and samples;
//! - `start`: the door; `look`: a table with its pictures; `tables`: the same as numbers to keep;
//! - `sheet`: a grid from check boxes; `runs`: grids at work, each in a sandbox (`work`); `run`: the
//!   page of one, live, with its leaderboard (`board`);
//! - `pipeline`: one pipeline closely, down to the rows it gets wrong; `plots`: its curves; `what_if`: one sample under
//!   sliders; `compare`: two pipelines on the same folds;
//! - `thinking`: how such questions wait for the engine.

mod asked;
mod board;
mod compare;
mod files;
mod look;
mod parts;
mod pipeline;
mod plots;
mod run;
mod runs;
mod scores;
mod sheet;
mod start;
mod tables;
mod thinking;
mod what_if;
mod work;

use std::sync::Arc;

use axum::Router;
use axum::extract::Extension;
use axum::http::StatusCode;
use axum::routing::{get, post};
use wits_game::Message;
use wits_learn::LearnError;

use crate::desk::Item;
use crate::sandbox::{Named, named};
use crate::{App, Fault, WORDS, uploads};

/// The addresses of this room.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/learn", get(start::show))
        .route("/learn/picture/{name}", get(start::picture_of))
        .route(
            "/learn/data",
            uploads::taking(post(start::take), files::MOST_BYTES),
        )
        .route("/learn/data/{name}", get(look::show))
        .route("/learn/data/{name}/file", get(tables::file))
        .route("/learn/data/{name}/draw/{what}", get(look::draw))
        .route("/learn/data/{name}/table/{what}", get(tables::table))
        .route(
            "/learn/data/{name}/grid",
            get(sheet::show).post(sheet::begin),
        )
        .route("/learn/data/{name}/pipeline", get(pipeline::show))
        .route("/learn/data/{name}/keep/{what}", get(pipeline::keep))
        .route("/learn/data/{name}/plot/{what}", get(plots::plot))
        .route("/learn/data/{name}/what-if", get(what_if::show))
        .route("/learn/data/{name}/response", get(what_if::response))
        .route("/learn/data/{name}/compare", get(compare::show))
        .route("/learn/runs/{id}", get(run::show))
        .route("/learn/runs/{id}/events", get(run::events))
        .route("/learn/runs/{id}/stop", post(run::stop))
        .route("/learn/runs/{id}/keep/{what}", get(run::keep))
        .layer(Extension(Arc::<files::Desk>::default()))
}

/// What this room does in a sandbox.
pub(crate) fn tasks() -> Vec<Named> {
    vec![named::<work::CheckTable>(), named::<work::WorkThrough>()]
}

/// A table that a question names, read as its owner said.
pub(crate) fn item(app: &App, name: &str) -> Result<Item, Fault> {
    let (label, bytes) = files::bytes(&app.store, name)?;
    let na = label.na.into_iter().map(|word| ("na", word));
    let text = label.text.into_iter().map(|column| ("text", column));
    let names = (!label.names.is_empty()).then(|| ("names", label.names.join(",")));
    Ok(Item {
        bytes,
        args: na.chain(text).chain(names).collect(),
    })
}

/// Something that was asked for and cannot be.
fn bad(code: &'static str, why: Message) -> Fault {
    let hint = WORDS.say("learn-bad-hint");
    Fault::new(StatusCode::UNPROCESSABLE_ENTITY, code, why, hint)
}

/// A sentence of the library as a refusal.
fn wrong(error: &LearnError) -> Fault {
    wits_learn::verbs::refusal(error).into()
}
