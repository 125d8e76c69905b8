//! *Threads*: a gallery with one decision of every machine, the threads that a visitor kept, and a place
//! for a file.

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::Value;
use wits_store::Item;

use super::machines::title as machine;
use super::{frame, page, say};
use crate::keep::LINES;
use crate::own::{bytes, is_address, shown};
use crate::routes::blocking;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// One thread of every machine, as `wits thread gallery crates/web/gallery` writes them.
pub(crate) const GALLERY: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// What kind of thing a kept thread is in the store.
pub(crate) const KIND: &str = "thread";

/// The rooms with a desk, and what people call them.
const DESKS: [(&str, &str); 4] = [
    ("transit", "threads-transit"),
    ("expert", "threads-expert"),
    ("learn", "threads-learn"),
    ("arena", "threads-arena"),
];

/// `GET /threads`
pub(crate) async fn list(State(app): State<App>, visitor: Visitor) -> Response {
    let title = say("threads-title");
    let store = std::sync::Arc::clone(&app.store);
    let own = blocking(move || Ok(store.items(&visitor.text())?)).await;
    let games = app.catalog.entries().iter();
    let games = games.map(|entry| (entry.title().to_string(), threads_of(entry.id())));
    let desks = DESKS.iter().map(|(room, key)| (say(key), threads_of(room)));
    let body = html! {
        main #main {
            h1 { (title) }
            p { (say("threads-gallery-lead")) }
            @match own {
                Ok(own) => (kept(own)),
                // The gallery is part of the program and needs no database.
                Err(fault) => p.muted { (fault.message) "; " (fault.hint) },
            }
            div.cards {
                @for (title, shown) in games.chain(desks) {
                    @if !shown.is_empty() { (card(&title, &shown)) }
                }
            }
            h2 { (say("threads-own")) }
            p { (say("threads-lead")) }
            wits-thread file {}
        }
    };
    page(visitor, frame(&title, &["thread.js"], &body))
}

/// The threads among what a visitor kept, the newest first; nothing where there are none.
fn kept(mut own: Vec<Item>) -> Markup {
    own.retain(|item| item.kind == KIND);
    own.sort_by_key(|item| std::cmp::Reverse(item.made));
    html! {
        @if !own.is_empty() {
            section #kept {
                h2 { (say("threads-kept")) }
                ul.plain.kept-threads {
                    @for item in own {
                        li {
                            a href={ "/threads/" (item.name) } { (shown(item.clone())) }
                            " " span.muted { (crate::rooms::day(item.made)) " · " (bytes(item.size)) }
                            (delete(&item))
                        }
                    }
                }
            }
        }
    }
}

fn delete(item: &Item) -> Markup {
    html! {
        form.inline action={ "/threads/" (item.name) "/delete" } method="post" {
            button.button.quiet.small type="submit" { (say("mine-delete")) span.sr-only { ": " (item.title) } }
        }
    }
}

/// The room that a thread of the gallery is about.
fn room_of(text: &str) -> Option<String> {
    let head: Value = serde_json::from_str(text.lines().next()?).ok()?;
    Some(head["room"].as_str()?.to_owned())
}

/// The names of the threads of a room, and of the machine that decided in each.
fn threads_of(room: &str) -> Vec<(&'static str, &'static str)> {
    let own = |(name, text): &(&'static str, &'static str)| {
        let by = name.strip_prefix(room)?.strip_prefix('-')?;
        // `thue-solitaire-greedy` is not a machine of `thue`.
        (room_of(text).as_deref() == Some(room)).then_some((*name, by))
    };
    GALLERY.iter().filter_map(own).collect()
}

fn card(title: &str, shown: &[(&str, &str)]) -> Markup {
    html! {
        section.panel {
            h2 { (title) }
            ul.plain {
                @for (name, by) in shown { li { a href={ "/threads/" (name) } { (machine(by)) } } }
            }
        }
    }
}

/// What a thread of the gallery is called: its room and its machine.
fn called(app: &App, name: &str, text: &str) -> String {
    let room = room_of(text).unwrap_or_default();
    let by = name.strip_prefix(&room).and_then(|n| n.strip_prefix('-'));
    let desk = DESKS.iter().find(|(id, _)| *id == room);
    let title = match desk {
        Some((_, key)) => say(key),
        None => app
            .catalog
            .entry(&room)
            .map_or_else(|_| room.clone(), |entry| entry.title().to_string()),
    };
    WORDS
        .say("threads-one")
        .with("room", title)
        .with("name", machine(by.unwrap_or(name)))
        .to_string()
}

/// A thread by its name in the gallery, or by the address under which somebody kept it.
async fn find(app: &App, name: &str) -> Result<(String, Option<Item>), Fault> {
    if let Some((_, text)) = GALLERY.iter().find(|(one, _)| *one == name) {
        return Ok(((*text).to_owned(), None));
    }
    if !is_address(name) {
        return Err(Fault::missing());
    }
    let (app, name) = (app.clone(), name.to_owned());
    blocking(move || {
        let item = app.store.item(KIND, &name)?.ok_or_else(Fault::missing)?;
        let blob = app.store.blob(KIND, &name)?.ok_or_else(Fault::missing)?;
        crate::own::note_use(&app.store, KIND, &name, app.now())?;
        let text = String::from_utf8_lossy(&blob.bytes).into_owned();
        Ok((text, Some(item)))
    })
    .await
}

/// Another thread to look at beside the first.
#[derive(Deserialize)]
pub(crate) struct Beside {
    beside: Option<String>,
}

/// The other threads of the room, to look at beside this one.
fn others(name: &str, text: &str, chosen: Option<&str>) -> Markup {
    let room = room_of(text).unwrap_or_default();
    let mut others = threads_of(&room);
    others.retain(|(other, _)| *other != name);
    html! {
        @if !others.is_empty() {
            form.row method="get" action={ "/threads/" (name) } {
                label for="beside" { (say("threads-beside")) }
                select #beside name="beside" {
                    @for (other, by) in &others { option value=(other) selected[chosen == Some(*other)] { (machine(by)) } }
                }
                button.button.quiet type="submit" { (say("threads-beside-show")) }
            }
        }
    }
}

/// `GET /threads/NAME`: one thread, or two on one slider.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    Path(name): Path<String>,
    Query(Beside { beside }): Query<Beside>,
) -> Result<Response, Fault> {
    let found = find(&app, &name).await;
    let (text, item) = found.map_err(|f| f.for_reader(&headers))?;
    if let Some(other) = &beside {
        let there = find(&app, other).await;
        there.map_err(|f| f.for_reader(&headers))?;
    }
    let mine = item.as_ref().is_some_and(|i| i.owner == visitor.text());
    let title = match &item {
        Some(item) => shown(item.clone()),
        None => called(&app, &name, &text),
    };
    let body = html! {
        main #main {
            h1 { (title) }
            @if let Some(item) = &item {
                p.row {
                    span { (say(if mine { "threads-shared" } else { "threads-foreign" })) }
                    @if mine { (delete(item)) }
                }
            }
            @match &beside {
                None => wits-thread src={ "/threads/" (name) "/file" } kept[mine] {},
                Some(other) => wits-threads at="1" {
                    @for one in [&name, other] { wits-thread src={ "/threads/" (one) "/file" } {} }
                },
            }
            (others(&name, &text, beside.as_deref()))
            p { a href="/threads" { (say("threads-all")) } }
        }
    };
    Ok(page(
        visitor,
        frame(&title, &["thread.js", "threads.js"], &body),
    ))
}

/// `GET /threads/NAME/file`
pub(crate) async fn file(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<Response, Fault> {
    let (text, _) = find(&app, &name).await?;
    Ok(([(header::CONTENT_TYPE, LINES)], text).into_response())
}
