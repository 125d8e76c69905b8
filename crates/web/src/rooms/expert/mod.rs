//! The expert room on the page: a diagnosis that explains itself, a query pane, and an editor for
//! knowledge bases.
//!
//! - `shelf`: bases by name, those of the program and those that were written here;
//! - `list`: the room's page; `talk`: conversations as the store keeps them; `desk`: their page;
//! - `network` and `proof` draw the parts and the proofs;
//! - `query`: any goal, its solutions as a table; `scratch`: a program and a query side by side;
//! - `editor`: writing and checking a base.

mod desk;
mod editor;
mod list;
mod network;
mod proof;
mod query;
mod scratch;
mod shelf;
mod talk;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::keep::LINES;
use crate::sandbox::{Named, named};
use crate::{App, Fault, WORDS};

/// The addresses of this room.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/expert", get(list::show))
        .route("/expert/talk", post(talk::begin))
        .route("/expert/talk/{id}", get(talk::show))
        .route("/expert/talk/{id}/state", get(talk::state))
        .route("/expert/talk/{id}/say", post(talk::hear))
        .route("/expert/talk/{id}/report", get(talk::report))
        .route("/expert/talk/{id}/thread", get(talk::thread))
        .route("/expert/scratch", get(scratch::show).post(scratch::ask))
        .route("/expert/query", get(query::show))
        .route("/expert/query/thread", get(query::thread))
        .route("/expert/base", post(editor::save))
        .route("/expert/base/{name}", get(editor::show))
        .route("/expert/base/{name}/file", get(editor::file))
        .route("/expert/base/{name}/delete", post(editor::delete))
        .route("/expert/check", post(editor::check))
}

/// What this room does in a sandbox: bases and goals are programs that anybody may write.
pub(crate) fn tasks() -> Vec<Named> {
    vec![
        named::<list::Cards>(),
        named::<talk::Begin>(),
        named::<talk::Ask>(),
        named::<scratch::Draft>(),
        named::<query::Pose>(),
        named::<query::Follow>(),
        named::<editor::LookOver>(),
    ]
}

/// A refusal whose sentences are two keys of the pages' book.
fn refusal(status: StatusCode, code: &'static str, why: &'static str, hint: &'static str) -> Fault {
    Fault::new(status, code, WORDS.say(why), WORDS.say(hint))
}

/// A thread as an answer.
fn thread(text: String) -> Response {
    ([(header::CONTENT_TYPE, LINES)], text).into_response()
}
