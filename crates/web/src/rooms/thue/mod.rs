//! The Thue room: words without repetition on the page.
//!
//! - `room`: the page itself, its forms, and how people begin a game;
//! - `asked`: what its forms ask for;
//! - `lab`: a word with its repetitions and its gaps;
//! - `think`: what machines make of a word, and how soon it is lost;
//! - `scores`: the best scores of solitaire;
//! - `replay`: a game again, move by move;
//! - `ending`: why a round is over, in words for whoever played it.

mod asked;
mod ending;
mod lab;
mod replay;
mod room;
mod scores;
mod think;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::{get, post};
use wits_game::Message;

pub(crate) use ending::{ending, remark};
pub(crate) use scores::day;

use crate::{App, Fault, WORDS};

/// The addresses of this room.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/thue", get(room::show))
        .route("/thue/windows", get(lab::windows))
        .route("/thue/tree", get(think::tree))
        .route("/thue/scores/{id}", post(scores::keep))
        .route("/thue/replay/{id}", get(replay::show))
}

/// Something that was typed and cannot be.
fn bad(code: &'static str, why: Message) -> Fault {
    let hint = WORDS.say("thue-bad-hint");
    Fault::new(StatusCode::UNPROCESSABLE_ENTITY, code, why, hint)
}
