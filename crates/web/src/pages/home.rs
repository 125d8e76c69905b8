//! The home page: what can be done here, every room with a first thing to try, and the games that
//! can go on.

use axum::extract::State;
use axum::response::Response;
use maud::html;
use serde_json::json;

use super::my_games::{list, listed};
use super::tries::ROOMS;
use super::{board, embedded, frame, page, pictures, say};
use crate::routes::blocking;
use crate::visitor::Visitor;
use crate::{App, Fault};

/// The thread of the gallery that is replayed at the top.
const HERO: &str = "othello-engine";

/// `GET /`
pub(crate) async fn home(State(app): State<App>, visitor: Visitor) -> Result<Response, Fault> {
    let house = app.clone();
    let recent = blocking(move || listed(&house, visitor, |_, finished| !finished, 4))
        .await
        .unwrap_or_default();
    let hero = pictures::scene_of(&app, HERO);
    let othello = ROOMS.iter().find(|room| room.to == "/othello");
    let body = html! {
        main.home #main {
            section.hero {
                div.hero-words {
                    h1 { (say("welcome")) }
                    p.lead { (say("intro")) }
                    @if hero.is_some() {
                        div.row {
                            @if let Some(room) = othello { (room.button("button primary")) }
                            a.button href={ "/threads/" (HERO) } { (say("hero-watch")) }
                        }
                        p #hero-says.muted data-says=(say("hero-says")) { (say("hero-still")) }
                    }
                }
                @if let Some(scene) = &hero {
                    wits-board.hero-board #hero data-thread={ "/threads/" (HERO) "/file" } label=(say("hero-board")) {
                        script.scene type="application/json" { (embedded(&json!(scene))) }
                        (board(scene))
                    }
                }
            }
            @if !recent.is_empty() {
                h2 { (say("recent")) }
                (list(&recent))
                p { a href="/games" { (say("my-games")) } }
            }
            h2 { (say("rooms")) }
            ul.cards.rooms { @for room in ROOMS { (room.card(&app)) } }
            section.strip {
                div.panel {
                    h2 { (say("home-learn")) }
                    ul.plain { @for (to, title) in crate::lessons::titles() { li { a href=(to) { (title) } } } }
                }
                div.panel {
                    h2 { (say("home-games")) }
                    ul.plain { @for entry in app.catalog.entries() { li { a href={ "/new/" (entry.id()) } { (entry.title()) } } } }
                }
            }
        }
    };
    Ok(page(
        visitor,
        frame(&say("home"), &["board.js", "hero.js"], &body),
    ))
}
