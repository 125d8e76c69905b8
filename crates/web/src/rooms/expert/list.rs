//! The room's page: what to talk about, what can go on, and where to write.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};
use wits_desk::Work;
use wits_expert::{Base, built_in};
use wits_game::Lang;
use wits_sandbox::Items;

use super::shelf::{self, Script};
use super::talk;
use crate::pages::{frame, page, say};
use crate::routes::blocking;
use crate::sandbox::Task;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// A base as a card.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Card {
    name: String,
    /// Title and counts, or what is wrong.
    about: Result<(String, String), String>,
    /// What it is about, drawn: for bases of the house, whose pictures are ours to trust.
    #[serde(skip)]
    sketch: Option<String>,
}

impl Card {
    fn of(text: Script) -> Card {
        let about = Base::read(&text.name, &text.body).map(|base| {
            let says = WORDS.say("expert-counts").with("parts", base.parts.len());
            let says = says.with("problems", base.problems.len());
            let says = says.with("paths", base.path_count());
            (base.title.clone(), says.to_string())
        });
        Card {
            about: about.map_err(|e| e.to_string()),
            name: text.name,
            sketch: None,
        }
    }
}

/// The card of a base that comes with the program. There are few, and working out all their answer
/// paths takes a moment, so each is made once in each language.
fn card_of_ours(text: Script) -> Card {
    static MADE: Mutex<BTreeMap<(&'static str, String), Card>> = Mutex::new(BTreeMap::new());
    let lock = || MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (Lang::spoken().code(), text.name.clone());
    if let Some(made) = lock().get(&key) {
        return made.clone();
    }
    let base = Base::read(&text.name, &text.body).ok();
    let sketch = base.and_then(|base| super::network::sketch(&base));
    let card = Card {
        sketch: sketch.map(Markup::into_string),
        ..Card::of(text)
    };
    lock().insert(key, card.clone());
    card
}

/// Texts that people wrote, to be shown as cards.
#[derive(Serialize, Deserialize)]
pub(super) struct Cards(Vec<Script>);

impl Task for Cards {
    const ROOM: &'static str = "expert";
    const VERB: &'static str = "cards";
    type Output = Vec<Card>;

    fn run(self, _: &mut Items, _: &mut Work<'_>) -> Result<Vec<Card>, Fault> {
        Ok(self.0.into_iter().map(Card::of).collect())
    }
}

/// All bases as cards: those of the program are ours to read, the others are not. A visitor's first
/// page shows those of the program alone.
async fn cards(app: &App, visitor: Visitor) -> Result<Vec<Card>, Fault> {
    let house = app.clone();
    let read = blocking(move || {
        let names = shelf::names(&house, visitor)?;
        let texts = names.iter().map(|name| shelf::text(&house, visitor, name));
        let texts = texts.collect::<Result<Vec<Script>, Fault>>()?;
        let (fixed, written): (Vec<_>, Vec<_>) = texts.into_iter().partition(|text| text.fixed);
        Ok((
            fixed.into_iter().map(card_of_ours).collect::<Vec<Card>>(),
            written,
        ))
    });
    let (mut all, written) = read.await?;
    if !written.is_empty() && !visitor.new {
        all.extend(app.confined(visitor, Cards(written)).await?);
    }
    Ok(all)
}

/// `GET /expert`
pub(super) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let house = app.clone();
    let work = blocking(move || talk::recent(&house.store, visitor));
    let recent = work.await.map_err(|f| f.for_reader(&headers))?;
    let cards = cards(&app, visitor).await;
    let cards = cards.map_err(|f| f.for_reader(&headers))?;
    let title = say("expert-title");
    let body = html! {
        main.expert-page #main {
            h1 { (title) }
            p.lead { (say("expert-lead")) }
            (listed(&cards))
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
                li.card { a href="/expert/scratch" { h3 { (say("scratch-title")) } p { (say("scratch-about")) } } }
                li.card { a href="/expert/query" { h3 { (say("expert-query")) } p { (say("expert-query-about")) } } }
                li.card { a href="/expert/base/new" { h3 { (say("expert-new")) } p { (say("expert-new-about")) } } }
            }
        }
    };
    Ok(page(visitor, frame(&title, &[], &body)))
}

/// What one can talk about.
fn listed(cards: &[Card]) -> Markup {
    html! {
        ul.cards {
            @for card in cards {
                li.card.expert-card {
                    @if let Some(sketch) = &card.sketch { (PreEscaped(sketch)) }
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
