//! What a visitor keeps here: looking at it, deleting it, taking it to another browser.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use maud::{Markup, html};
use wits_play::Header;
use wits_store::{Id, Item, Session};

use super::{blocking, fields};
use crate::own::{bytes, not_yours};
use crate::pages::{back, frame, page, say};
use crate::seal::operator_secret as secret;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// How long a link to another browser holds, in microseconds.
const LINK_HOLDS: i64 = 15 * 60 * 1_000_000;
/// So many games are listed.
const GAMES: u32 = 100;
/// Parts that belong to another thing, or that rooms keep for themselves.
const HIDDEN: [&str; 1] = ["matchbox-bench"];

/// What a kind of thing is called, and where one is looked at.
pub(super) fn described(item: &Item) -> (String, Option<String>) {
    let at = |path: &str| Some(format!("{path}{}", item.name));
    let (key, to) = match item.kind.as_str() {
        "item" => ("mine-machine", at("/matchbox/")),
        "learn-data" => ("mine-table", at("/learn/data/")),
        "learn-run" => ("mine-run", at("/learn/runs/")),
        "timetable" => ("mine-timetable", at("/transit/feed/")),
        "thread" => ("mine-thread", at("/threads/")),
        "expert-base" => ("mine-base", at("/expert/base/")),
        "scrabble-players" => ("mine-players", Some("/scrabble#players".to_owned())),
        "bot" => ("mine-bot", at("/bots/")),
        "scrabble-sheet" => ("mine-sheet", at("/scrabble/sheet/")),
        _ => ("mine-other", None),
    };
    (say(key), to)
}

/// A day as people and machines read it.
pub(crate) fn day(at: i64) -> Markup {
    let text = crate::rooms::day(at);
    html! { time datetime=(text) { (text) } }
}

/// `GET /mine`
pub(super) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let store = std::sync::Arc::clone(&app.store);
    let work = blocking(move || {
        let token = visitor.text();
        Ok((store.items(&token)?, store.sessions_of(&token, GAMES)?))
    });
    let (items, sessions) = work.await.map_err(|f| f.for_reader(&headers))?;
    let quota = app.config.quotas.kept;
    let total: u64 = items.iter().map(|item| item.size).sum();
    let title = say("mine-title");
    let body = html! {
        main #main {
            h1 { (title) }
            p.lead { (say("mine-lead")) }
            p {
                (WORDS.say("mine-usage").with("bytes", bytes(total)).with("most", bytes(quota.bytes))
                    .with("things", quota.items))
            }
            (things(&items))
            h2 { (say("mine-games")) }
            (games(&app, &sessions))
            h2 { (say("mine-elsewhere")) }
            p { (say("mine-elsewhere-lead")) }
            form action="/mine/link" method="post" { button.button type="submit" { (say("mine-link")) } }
            h2 { (say("mine-everything")) }
            p { (say("mine-everything-lead")) }
            p { a.button href="/mine/everything" { (say("mine-everything")) } }
        }
    };
    Ok(page(visitor, frame(&title, &[], &body)))
}

fn things(items: &[Item]) -> Markup {
    let shown = |item: &&Item| !HIDDEN.contains(&item.kind.as_str());
    let items: Vec<&Item> = items.iter().filter(shown).collect();
    if items.is_empty() {
        return html! { p.muted { (say("mine-none")) } };
    }
    html! {
        div.arena-scroll tabindex="0" role="region" aria-label=(say("mine-title")) {
            table.data #things {
                thead { tr {
                    @for key in ["mine-name", "mine-kind", "mine-size", "mine-made", "mine-used", "mine-delete"] { th scope="col" { (say(key)) } }
                } }
                tbody {
                    @for item in items {
                        @let (kind, to) = described(item);
                        @let name = if item.title.is_empty() { &kind } else { &item.title };
                        tr {
                            th scope="row" { @if let Some(to) = to { a href=(to) { (name) } } @else { (name) } }
                            td { (kind) }
                            td { (bytes(item.size)) }
                            td { (day(item.made)) }
                            td { (day(item.used)) }
                            td {
                                form action="/mine/delete" method="post" {
                                    input type="hidden" name="name" value=(item.name);
                                    button.button.quiet.small type="submit" { (say("mine-delete")) span.sr-only { ": " (name) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn games(app: &App, sessions: &[Session]) -> Markup {
    if sessions.is_empty() {
        return html! { p.muted { (say("recent-none")) } };
    }
    let listed = sessions.iter().map(|session| {
        let header = serde_json::from_value::<Header>(session.header.clone());
        match header {
            Ok(header) => {
                let name = header.game.split(':').next().unwrap_or_default();
                let title = app
                    .catalog
                    .entry(name)
                    .map(|entry| entry.title().to_string());
                (
                    format!("/games/{}", session.id),
                    title.unwrap_or(header.game),
                )
            }
            Err(_) => (format!("/expert/talk/{}", session.id), say("mine-dialogue")),
        }
    });
    html! {
        ul.recent {
            @for ((to, name), session) in listed.zip(sessions) {
                li { a href=(to) { (name) } " " span.muted { (day(session.updated)) @if session.finished { " · " (say("mine-finished")) } } }
            }
        }
    }
}

/// `POST /mine/delete`
pub(super) async fn delete(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let work = async {
        let fields = fields(&headers, &body)?;
        let name = fields.get("name").cloned().unwrap_or_default();
        blocking(move || {
            if app.store.discard(&name, &visitor.text())? {
                Ok(())
            } else {
                Err(not_yours())
            }
        })
        .await
    };
    work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(back(&headers, visitor, "/mine"))
}

/// `GET /mine/everything`: asks once more.
pub(super) async fn confirm(visitor: Visitor) -> Response {
    let title = say("mine-everything");
    let body = html! {
        main #main {
            h1 { (title) }
            p { (say("mine-everything-lead")) }
            form action="/mine/everything" method="post" {
                p {
                    input #sure name="sure" type="checkbox" value="yes" required;
                    " " label for="sure" { (say("mine-sure")) }
                }
                div.row {
                    button.button.primary type="submit" { (title) }
                    a.button href="/mine" { (say("mine-keep")) }
                }
            }
        }
    };
    page(visitor, frame(&title, &[], &body))
}

/// `POST /mine/everything`
pub(super) async fn delete_everything(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let work = async {
        let fields = fields(&headers, &body)?;
        if fields.get("sure").map(String::as_str) != Some("yes") {
            let (why, hint) = (WORDS.say("mine-unsure"), WORDS.say("mine-unsure-hint"));
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            return Err(Fault::new(status, "unsure", why, hint));
        }
        blocking(move || {
            let token = visitor.text();
            let sessions = app.store.sessions_of(&token, u32::MAX >> 1)?;
            let ids: Vec<Id> = sessions.into_iter().map(|s| s.id).collect();
            app.store.forget_visitor(&token)?;
            app.store.unset(&format!("learn-runs-{token}"))?;
            app.tables.forget(&ids);
            Ok(())
        })
        .await
    };
    work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(back(&headers, visitor, "/mine"))
}

/// `POST /mine/link`: a link for one browser, once, and soon.
pub(super) async fn link(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let secret = secret();
    let hash = app.seal.link(&secret);
    let house = app.clone();
    let work = blocking(move || {
        let now = house.now();
        let until = now + LINK_HOLDS;
        Ok(visitor.owning(|owner| house.store.put_link(owner, &hash, until, now))?)
    });
    work.await.map_err(|f| f.for_reader(&headers))?;
    let host = headers.get(header::HOST).and_then(|v| v.to_str().ok());
    let scheme = if app.config.proxy.is_some() {
        "https"
    } else {
        "http"
    };
    let address = format!("{scheme}://{}/take#{secret}", host.unwrap_or_default());
    if !crate::fault::reads_pages(&headers) {
        return Ok(back(&headers, visitor, &format!("/take#{secret}")));
    }
    let title = say("mine-elsewhere");
    let body = html! {
        main #main {
            h1 { (title) }
            p { (say("mine-link-lead")) }
            p { label for="link" { (say("mine-link")) } " " input #link type="text" readonly size="60" value=(address); }
            p { a.button href="/mine" { (say("mine-title")) } }
        }
    };
    Ok(page(visitor, frame(&title, &[], &body)))
}

/// `GET /take`: the other browser. The link's secret is behind the `#`, as with an invitation.
pub(super) async fn arrive(visitor: Visitor) -> Response {
    let title = say("mine-take");
    let body = html! {
        main #main {
            h1 { (title) }
            p { (say("mine-take-lead")) }
            form method="post" action="/take" {
                p {
                    label for="invite" { (say("mine-link")) }
                    " "
                    input #invite name="link" type="password" autocomplete="off" required maxlength="64";
                }
                p { button.button.primary type="submit" { (title) } }
            }
        }
    };
    page(visitor, frame(&title, &["login.js"], &body))
}

/// `POST /take`: this browser becomes the visitor who made the link; what it had comes along.
pub(super) async fn take(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let work = async {
        let fields = fields(&headers, &body)?;
        let said = fields.get("link").map_or("", |v| v.trim()).to_owned();
        blocking(move || {
            let now = app.now();
            let taken = app.store.take_link(&app.seal.link(&said), now)?;
            let token = taken.and_then(|token| u128::from_str_radix(&token, 16).ok());
            let Some(token) = token else {
                let (why, hint) = (WORDS.say("mine-bad-link"), WORDS.say("mine-bad-link-hint"));
                return Err(Fault::new(StatusCode::GONE, "bad-link", why, hint));
            };
            let other = visitor.known_by(token, &app.seal, app.config.proxy.is_some());
            let old = visitor.text();
            other.owning(|owner| app.store.merge_visitors(&old, owner, now))?;
            Ok(other)
        })
        .await
    };
    let other = work.await.map_err(|f: Fault| f.for_reader(&headers))?;
    Ok(back(&headers, other, "/mine"))
}
