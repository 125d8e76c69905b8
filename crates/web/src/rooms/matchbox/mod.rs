//! The matchbox room: machines of boxes and beads on the page, and the complexity corner.
//!
//! - `shelf`: machines as the store keeps them, and changes by hand that can be taken back;
//! - `list`: all machines; making, copying, taking in and throwing away;
//! - `machine`: the page of one; `wall` and `picture` draw its boxes;
//! - `school`: training in slices with a curve that grows;
//! - `lesson`: the thread of the last game, from the draws to the teaching;
//! - `maxsum`: the largest fragment, three ways.

mod lesson;
mod list;
mod machine;
mod maxsum;
pub(crate) mod picture;
mod school;
mod shelf;
mod wall;

use std::sync::Arc;

use axum::Router;
use axum::extract::Extension;
use axum::http::StatusCode;
use axum::routing::{get, post};

use self::shelf::Deed;
use crate::pages::back;
use crate::routes::Fields;
use crate::{App, Fault, WORDS};

/// The addresses of this room.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/matchbox", get(list::show).post(list::create))
        .route("/matchbox/{name}", get(machine::show))
        .route("/matchbox/{name}/state", get(machine::state))
        .route("/matchbox/{name}/file", get(machine::file))
        .route("/matchbox/{name}/labels", get(machine::labels))
        .route("/matchbox/{name}/labels/{page}", get(machine::label_page))
        .route("/matchbox/{name}/bead", post(machine::bead))
        .route(
            "/matchbox/{name}/reset",
            post(|wish| machine::handle(wish, Deed::Reset)),
        )
        .route(
            "/matchbox/{name}/undo",
            post(|wish| machine::handle(wish, Deed::Undo)),
        )
        .route(
            "/matchbox/{name}/redo",
            post(|wish| machine::handle(wish, Deed::Redo)),
        )
        .route("/matchbox/{name}/clone", post(list::clone))
        .route("/matchbox/{name}/scheme", post(list::scheme))
        .route("/matchbox/{name}/replace", post(list::replace))
        .route("/matchbox/{name}/delete", post(list::delete))
        .route("/matchbox/{name}/share", post(list::share))
        .route("/matchbox/{name}/train", post(school::begin))
        .route("/matchbox/{name}/stop", post(school::stop))
        .route("/matchbox/{name}/school", get(school::show))
        .route("/matchbox/{name}/curve/{kind}", get(school::curve))
        .route("/matchbox/{name}/thread", get(lesson::thread))
        .route("/maxsum", get(maxsum::show))
        .layer(Extension(Arc::<school::Schools>::default()))
}

/// A field of a form, without the blanks around it; empty where it is missing.
fn field<'a>(fields: &'a Fields, name: &str) -> &'a str {
    fields.get(name).map_or("", |value| value.trim())
}

/// A refusal whose sentences are two keys of the pages' book.
fn refusal(status: StatusCode, code: &'static str, why: &'static str, hint: &'static str) -> Fault {
    Fault::new(status, code, WORDS.say(why), WORDS.say(hint))
}

/// The page of the stored machine behind a player, if it has one.
pub(super) fn page_of(spec: &wits_play::Spec) -> Option<String> {
    let name = spec.value("file").filter(|_| spec.name == "matchbox")?;
    let name = name.to_string();
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    ((1..=40).contains(&name.len()) && name.chars().all(plain)).then(|| format!("/matchbox/{name}"))
}

/// How mirror images share boxes, in words.
fn mirrors(scheme: &str) -> wits_game::Message {
    crate::WORDS.say(match scheme {
        "full" => "matchbox-mirrors-full",
        "gardner" => "matchbox-mirrors-gardner",
        _ => "matchbox-mirrors-none",
    })
}

/// What people call the game of a machine, by its spec.
fn game_called(spec: &str) -> String {
    let id = spec.split(':').next().unwrap_or_default();
    let catalog = wits_catalog::all();
    let entry = catalog.entry(id);
    entry.map_or_else(|_| spec.to_owned(), |entry| entry.title().to_string())
}
