//! The Othello room: a board to look at any game or position with the engine beside it.
//!
//! - `room`: where to begin: play, look at a game, set up a position;
//! - `board`: the analysis board, move by move, with everything that hangs on it;
//! - `breakdown`: what every heuristic says of a position;
//! - `think`: what the engine sees, live: scores of moves, remarks on a game, threads;
//! - `setup`: a position put together by hand, and whether it can come up in play;
//! - `export`: pictures and files;
//! - `asked`: what the forms ask for.

mod asked;
mod board;
mod breakdown;
mod export;
mod room;
mod setup;
mod think;
mod turning;

pub(crate) use board::review_of;
pub(crate) use turning::turning;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use maud::{Markup, html};
use wits_game::{Message, Outcome, Seat};
use wits_play::AnyMatch;

use crate::pages::say;
use crate::snapshot::Place;
use crate::{App, Fault, WORDS};

/// The addresses of this room.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/othello", get(room::show))
        .route("/othello/board", get(board::show))
        .route("/othello/game/{id}", get(board::of_game))
        .route("/othello/setup", get(setup::show))
        .route("/othello/scores", get(think::scores))
        .route("/othello/review", get(think::review))
        .route("/othello/thread", get(think::thread))
        .route("/othello/export/{file}", get(export::file))
}

/// The panel beside a game that is being played: scores on demand, and the way to the analysis.
pub(crate) fn beside(id: &str) -> Markup {
    html! {
        section.panel.oth-scores {
            h2 { (say("othello-scores")) }
            (toggle(false))
            (score_table(None))
            p { a href={ "/othello/game/" (id) } { (say("othello-analyse-game")) } }
        }
    }
}

/// Why a game is over: its points stand above already, so only those of tournaments are said.
pub(crate) fn ending(position: &dyn AnyMatch, outcome: &Outcome, place: &Place) -> Option<String> {
    match outcome.why.key().as_str() {
        "othello.black-wins" | "othello.white-wins" | "othello.drawn" => {
            Some(say("othello-end-full"))
        }
        "othello.with-empties" => {
            let mut points = position.points()?;
            let empty = 64 - points.iter().sum::<i32>();
            let winner = outcome.winner().map(Seat::index);
            for (seat, side) in points.iter_mut().enumerate() {
                *side += match winner {
                    Some(winner) if winner == seat => empty,
                    Some(_) => 0,
                    None => empty / 2,
                };
            }
            let own = place.seats.first().map_or(0, |seat| seat.index());
            let says = WORDS.say("othello-end-empties").with("own", points[own]);
            Some(says.with("other", points[1 - own]).to_string())
        }
        _ => None,
    }
}

/// Whether the scores of all moves are shown.
fn toggle(on: bool) -> Markup {
    html! {
        label.oth-toggle {
            input #show-scores type="checkbox" checked[on] autocomplete="off";
            " " (say("othello-show-scores"))
        }
    }
}

/// Where the scores go; they are those of one side, or of whoever is to move.
fn score_table(own: Option<Seat>) -> Markup {
    html! {
        p.muted #score-note role="status" data-waits=(say("othello-scores-wait")) data-lost=(say("othello-scores-lost")) {}
        div.mb-scroll.oth-scroll hidden #score-box tabindex="0" role="region" aria-label=(say("othello-scores")) {
            table.data.oth-table {
                thead { tr {
                    th scope="col" { (say("othello-move")) }
                    th scope="col" { @match own { Some(own) => (WORDS.say("othello-score-for").with("who", board::side(own))), None => (say("othello-score")) } }
                    th scope="col" { (say("othello-sure")) }
                    th scope="col" { (say("othello-line")) }
                } }
                tbody #score-rows {}
            }
        }
    }
}

/// Something that was asked for and cannot be.
fn bad(code: &'static str, why: Message) -> Fault {
    let hint = WORDS.say("othello-bad-hint");
    Fault::new(StatusCode::UNPROCESSABLE_ENTITY, code, why, hint)
}
