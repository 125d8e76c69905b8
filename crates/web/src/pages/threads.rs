//! *Threads*: a gallery with one decision of every machine, and a place for a file of one's own.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use wits_game::Message;

use super::{frame, page, say};
use crate::keep::LINES;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// One thread of every machine, as `wits thread gallery crates/web/gallery` writes them.
pub(crate) const GALLERY: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// `GET /threads`
pub(crate) async fn list(State(app): State<App>, visitor: Visitor) -> Response {
    let title = say("threads-title");
    let body = html! {
        main #main {
            h1 { (title) }
            p { (say("threads-gallery-lead")) }
            div.cards {
                @for entry in app.catalog.entries() {
                    @let shown = threads_of(entry.id());
                    @if !shown.is_empty() { (card(&entry.title(), &shown)) }
                }
            }
            h2 { (say("threads-own")) }
            p { (say("threads-lead")) }
            wits-thread file {}
        }
    };
    page(visitor, frame(&title, &["thread.js"], &body))
}

/// The names of the threads of a game, and of the machine that decided in each.
fn threads_of(game: &str) -> Vec<(&'static str, &'static str)> {
    let own = |(name, text): &(&'static str, &'static str)| {
        let by = name.strip_prefix(game)?.strip_prefix('-')?;
        // `thue-solitaire-greedy` is not a machine of `thue`.
        let head = text.lines().next()?;
        let of = serde_json::from_str::<serde_json::Value>(head).ok()?;
        (of["room"] == game).then_some((*name, by))
    };
    GALLERY.iter().filter_map(own).collect()
}

fn card(title: &Message, shown: &[(&str, &str)]) -> Markup {
    html! {
        section.panel {
            h2 { (title) }
            ul.plain {
                @for (name, by) in shown { li { a href={ "/threads/" (name) } { (by) } } }
            }
        }
    }
}

fn find(name: &str) -> Result<&'static str, Fault> {
    let found = GALLERY.iter().find(|(one, _)| *one == name);
    found.map(|(_, text)| *text).ok_or_else(Fault::missing)
}

/// `GET /threads/NAME`: one thread of the gallery.
pub(crate) async fn show(
    visitor: Visitor,
    headers: HeaderMap,
    Path(name): Path<String>,
) -> Result<Response, Fault> {
    find(&name).map_err(|f| f.for_reader(&headers))?;
    let title = WORDS
        .say("threads-one")
        .with("name", name.replace('-', " "))
        .to_string();
    let body = html! {
        main #main {
            h1 { (title) }
            wits-thread src={ "/threads/" (name) "/file" } {}
            p { a href="/threads" { (say("threads-all")) } }
        }
    };
    Ok(page(visitor, frame(&title, &["thread.js"], &body)))
}

/// `GET /threads/NAME/file`
pub(crate) async fn file(Path(name): Path<String>) -> Result<Response, Fault> {
    Ok(([(header::CONTENT_TYPE, LINES)], find(&name)?).into_response())
}
