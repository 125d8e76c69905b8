//! The rainbow room on the page: a sheet that says what is decided before it starts a game, an
//! explorer of the anti-van der Waerden numbers, and games with hints of five levels.
//!
//! - `room`: the room's page; `sheet` and `numbers` are its parts;
//! - `table`: a game in this room, its hints and its picture.

mod numbers;
mod room;
mod sheet;
mod table;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Extension, Path};
use axum::response::Redirect;
use axum::routing::{get, post};
use maud::{Markup, PreEscaped, html};
use wits_game::Message;
use wits_play::{Budget, Refusal};
use wits_rainbow::BadTerms;

use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// How long a question to this room may hold a thinker.
const PATIENCE: Duration = Duration::from_secs(3);

/// The addresses of this room.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/rainbow", get(room::show))
        .route("/rainbow/game/{id}", get(moved))
        .route("/rainbow/hint", post(table::hint))
        .route("/rainbow/picture/{file}", get(table::picture))
        .layer(Extension(Arc::<table::Asked>::default()))
}

pub(crate) use table::page_of;

/// `GET /rainbow/game/ID`: games of this room have the address of every game.
async fn moved(Path(id): Path<String>) -> Redirect {
    Redirect::permanent(&format!("/games/{id}"))
}

/// What is wrong with a form and what to do, shown beside it.
#[derive(Clone, Debug)]
struct Wrong {
    why: Message,
    hint: Message,
}

impl Wrong {
    fn new(why: Message, hint: Message) -> Wrong {
        Wrong { why, hint }
    }

    fn show(&self) -> Markup {
        html! { p.error role="alert" { (self.why) ": " (self.hint) } }
    }
}

impl From<BadTerms> for Wrong {
    fn from(bad: BadTerms) -> Wrong {
        let error = Refusal::from(bad);
        Wrong::new(error.why, error.hint)
    }
}

/// A field that was filled in, without the blanks around it.
fn given(field: Option<&String>) -> Option<&str> {
    field
        .map(|text| text.trim())
        .filter(|text| !text.is_empty())
}

/// A whole number of a form.
fn number(name: &'static str, field: Option<&String>, usual: u64) -> Result<u64, Wrong> {
    let Some(text) = given(field) else {
        return Ok(usual);
    };
    text.parse().map_err(|_| {
        let shown: String = text.chars().take(40).collect();
        let why = WORDS.say("rainbow-bad-number").with("text", shown);
        Wrong::new(why.with("name", name), WORDS.say("rainbow-bad-number-hint"))
    })
}

/// A picture that may be wider than the page.
fn picture(label: &str, svg: String) -> Markup {
    // The library draws numbers and its own words only.
    html! { div.rb-scroll tabindex="0" role="region" aria-label=(label) { (PreEscaped(svg)) } }
}

/// Thinks about a question of this room.
async fn think<T: Send + 'static>(
    app: &App,
    visitor: Visitor,
    work: impl FnOnce(&Budget) -> T + Send + 'static,
) -> Result<T, Fault> {
    crate::think::think(app, visitor, PATIENCE, work).await
}
