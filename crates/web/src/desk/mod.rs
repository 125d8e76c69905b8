//! The page's and the scripts' door to the verbs that rooms describe.
//!
//! - `ask`: a question, its items, and its answer from the house or a sandbox;
//! - `form`: the question as a form; `blocks`: the answer as HTML; `page`: both at `/desk/ROOM/VERB`;
//! - `api`: the same for scripts at `POST /api/ROOM/VERB`; `openapi`: its description at `GET /api`.

mod api;
mod ask;
mod blocks;
mod form;
mod openapi;
mod page;

use axum::Router;
use axum::routing::{get, post};

pub(crate) use ask::{Answers, AskVerb, Item, Question, Ready};
pub(crate) use blocks::{blocks, keep, prose};
pub(crate) use form::field;

use crate::{App, uploads};

/// The most bytes of a question that brings its files along.
const MOST_BYTES: usize = 4 << 20;

/// The addresses of this door.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/desk", get(page::list))
        .route("/desk/{room}/{*verb}", get(page::show))
        .route("/api", get(openapi::show))
        .route(
            "/api/{room}/{*verb}",
            uploads::taking(post(api::answer), MOST_BYTES),
        )
}
