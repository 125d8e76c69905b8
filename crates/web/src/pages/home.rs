//! The home page: every room as a card, and the games that can go on.

use axum::extract::State;
use axum::response::Response;
use maud::html;
use wits_play::Header;
use wits_store::{Session, Which};

use super::{frame, page, say};
use crate::routes::blocking;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// Rooms that are more than a game: address, name, what it is about.
const ROOMS: &[(&str, &str, &str)] = &[
    ("/othello", "othello-title", "othello-about"),
    ("/matchbox", "matchbox-title", "matchbox-about"),
    ("/thue", "thue-title", "thue-about"),
    ("/rainbow", "rainbow-title", "rainbow-about"),
    ("/learn", "learn-title", "learn-about"),
    ("/expert", "expert-title", "expert-about"),
    ("/transit", "transit-title", "transit-about"),
    ("/arena", "arena-title", "arena-about"),
];

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
        main #main {
            h1 { (say("welcome")) }
            p.lead { (say("intro")) }
            h2 { (say("games")) }
            ul.cards {
                @for entry in app.catalog.entries() {
                    li.card {
                        a href={ "/new/" (entry.id()) } {
                            h3 { (entry.title()) }
                            p { (entry.about()) }
                        }
                    }
                }
            }
            h2 { (say("rooms")) }
            ul.cards {
                @for &(to, title, about) in ROOMS {
                    li.card { a href=(to) { h3 { (say(title)) } p { (say(about)) } } }
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
