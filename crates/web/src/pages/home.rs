//! The home page: what can be done here, every room with a first thing to try, and the games that
//! can go on.

use axum::extract::State;
use axum::response::Response;
use maud::html;
use wits_play::Header;
use wits_store::{Session, Which};

use super::tries::ROOMS;
use super::{frame, page, say};
use crate::routes::blocking;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// `GET /`
pub(crate) async fn home(State(app): State<App>, visitor: Visitor) -> Result<Response, Fault> {
    let house = app.clone();
    let recent = blocking(move || {
        let which = Which {
            kind: Some("game"),
            finished: Some(false),
        };
        let all = house.store.recent(which, None, 50)?;
        let mine = |s: &Session| {
            house
                .store
                .seats(s.id, &visitor.text())
                .is_ok_and(|seats| !seats.is_empty())
        };
        Ok(all.into_iter().filter(mine).take(8).collect::<Vec<_>>())
    })
    .await
    .unwrap_or_default();
    let body = html! {
        main.home #main {
            h1 { (say("welcome")) }
            p.lead { (say("intro")) }
            ul.cards.rooms { @for room in ROOMS { (room.card(&app)) } }
            p.home-more {
                (say("home-learn")) " "
                @for (i, (to, title)) in crate::lessons::titles().enumerate() {
                    @if i > 0 { " · " }
                    a href=(to) { (title) }
                }
            }
            p.home-more {
                (say("home-games")) " "
                @for (i, entry) in app.catalog.entries().iter().enumerate() {
                    @if i > 0 { " · " }
                    a href={ "/new/" (entry.id()) } { (entry.title()) }
                }
            }
            h2 { (say("recent")) }
            @if recent.is_empty() {
                p.muted { (say("recent-none")) }
            } @else {
                ul.recent {
                    @for session in &recent {
                        @if let Ok(header) = serde_json::from_value::<Header>(session.header.clone()) {
                            li {
                                a href={ "/games/" (session.id) } { (header.game) }
                                " " span.muted { (header.players.join(" – ")) ", " (WORDS.say("moves-count").with("count", session.events)) }
                            }
                        }
                    }
                }
            }
        }
    };
    Ok(page(visitor, frame(&say("home"), &[], &body)))
}
