//! A board as a picture, a game as a file.

use axum::extract::{Path, Query};
use axum::http::HeaderMap;
use axum::response::Response;
use wits_othello::drawing;
use wits_othello::ggf::Ggf;

use super::asked::{Asked, Subject};
use crate::keep::{SVG, TEXT, download};
use crate::{Fault, WORDS};

/// The files that can be had, and what they are called on the page.
pub(super) const FILES: [(&str, &str); 3] = [
    ("board.svg", "othello-as-svg"),
    ("game.txt", "othello-as-transcript"),
    ("game.ggf", "othello-as-ggf"),
];

/// The addresses of the files of a game at a place.
pub(super) fn address(subject: &Subject, file: &str) -> String {
    format!(
        "/othello/export/{file}?{}&ply={}",
        subject.game_query(),
        subject.ply
    )
}

/// `GET /othello/export/FILE`
pub(super) async fn file(
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let (subject, _) = asked.subject().map_err(|f| f.for_reader(&headers))?;
    let (kind, text) = match name.as_str() {
        "board.svg" => {
            let (black, white) = subject.position().score();
            let caption = WORDS.say("othello-svg-caption").with("black", black);
            let caption = caption.with("white", white).to_string();
            let svg = drawing::board(&subject.position(), subject.last(), &caption);
            (SVG, svg)
        }
        "game.txt" => (TEXT, subject.replay.transcript() + "\n"),
        "game.ggf" => (TEXT, Ggf::of(&subject.replay, "", "").write() + "\n"),
        _ => return Err(Fault::missing().for_reader(&headers)),
    };
    Ok(download(kind, &format!("othello-{name}"), text))
}
