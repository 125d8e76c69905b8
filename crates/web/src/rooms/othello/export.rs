//! A board as a picture, a game as a file.

use axum::extract::{Path, Query};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use wits_othello::drawing;
use wits_othello::ggf::Ggf;

use super::asked::{Asked, Subject};
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
            ("image/svg+xml", svg)
        }
        "game.txt" => (
            "text/plain; charset=utf-8",
            subject.replay.transcript() + "\n",
        ),
        "game.ggf" => (
            "text/plain; charset=utf-8",
            Ggf::of(&subject.replay, "", "").write() + "\n",
        ),
        _ => return Err(Fault::missing().for_reader(&headers)),
    };
    let head = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"othello-{name}\""),
        ),
    ];
    Ok((head, text).into_response())
}
