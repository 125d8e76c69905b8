//! The room's page: what to talk about, what can go on, and where to write.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use maud::{Markup, html};
use wits_expert::built_in;

use super::shelf::{self, Bases};
use super::{PATIENCE, talk};
use crate::pages::{LATER, frame, page, part, say};
use crate::routes::blocking;
use crate::think::soon;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// A base as a card.
struct Card {
    name: String,
    /// Title and counts, or what is wrong.
    about: Result<(String, String), String>,
}

/// `GET /expert`
pub(super) async fn show(
    State(app): State<App>,
    Extension(bases): Extension<Arc<Bases>>,
    visitor: Visitor,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let house = app.clone();
    let work = blocking(move || talk::recent(&house.store, visitor));
    let recent = work.await.map_err(|f| f.for_reader(&headers))?;
    let house = app.clone();
    // Reading what people wrote may take a moment.
    let work = soon(&app, visitor, &headers, PATIENCE, move |_| {
        let mut cards = Vec::new();
        for name in shelf::names(&house.store)? {
            let text = shelf::text(&house.store, &name)?;
            let about = bases.read(&name, &text.body).map(|base| {
                let says = WORDS.say("expert-counts").with("parts", base.parts.len());
                let says = says.with("problems", base.problems.len());
                let says = says.with("paths", base.path_count());
                (base.title.clone(), says.to_string())
            });
            let about = about.map_err(|e| e.to_string());
            cards.push(Card { name, about });
        }
        Ok(cards)
    });
    let cards = work.await.and_then(Option::transpose);
    let cards = cards.map_err(|f: Fault| f.for_reader(&headers))?;
    let shown = cards.as_deref().map(listed);
    let title = say("expert-title");
    let body = html! {
        main.expert-page #main {
            h1 { (title) }
            p.lead { (say("expert-lead")) }
            (part("bases-part", &uri, shown.as_ref()))
            @if !recent.is_empty() {
                h2 { (say("expert-recent")) }
                ul.recent {
                    @for (id, base, events) in &recent {
                        li { a href={ "/expert/talk/" (id) } { (base) } " " span.muted { (WORDS.say("expert-said-count").with("count", *events)) } }
                    }
                }
            }
            h2 { (say("expert-tools")) }
            ul.cards {
                li.card { a href="/expert/query" { h3 { (say("expert-query")) } p { (say("expert-query-about")) } } }
                li.card { a href="/expert/base/new" { h3 { (say("expert-new")) } p { (say("expert-new-about")) } } }
            }
        }
    };
    Ok(page(visitor, frame(&title, &[LATER], &body)))
}

/// What one can talk about.
fn listed(cards: &[Card]) -> Markup {
    html! {
        ul.cards {
            @for card in cards {
                li.card.expert-card {
                    @match &card.about {
                        Ok((title, counts)) => {
                            h2 { (title) }
                            p { (counts) }
                            div.row {
                                form action="/expert/talk" method="post" {
                                    input type="hidden" name="base" value=(card.name);
                                    button.button.primary type="submit" { (say("expert-begin")) span.sr-only { ": " (title) } }
                                }
                                a.button.quiet href={ "/expert/base/" (card.name) } { (say(if built_in(&card.name).is_some() { "expert-read" } else { "expert-edit" })) span.sr-only { ": " (title) } }
                            }
                        }
                        Err(why) => {
                            h2 { (card.name) }
                            p.error { (why) }
                            a.button.quiet href={ "/expert/base/" (card.name) } { (say("expert-edit")) span.sr-only { ": " (card.name) } }
                        }
                    }
                }
            }
        }
    }
}
