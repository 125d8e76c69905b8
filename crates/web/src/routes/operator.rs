//! The page of whoever runs the house: what is used, what to remove, closing.
//!
//! The link has its secret behind the `#`, as an invitation has. Whoever shows it gets a cookie that
//! holds for one session of this server.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use maud::{Markup, html};
use wits_store::{BlobInfo, Item, Usage};

use super::mine::{day, described};
use super::{blocking, fields};
use crate::own::bytes;
use crate::pages::{back, frame, page, say};
use crate::seal::hex;
use crate::visitor::{Visitor, cookie};
use crate::{App, Fault, WORDS};

const COOKIE: &str = "wits-operator";
/// So many items are listed.
const LISTED: u32 = 200;
/// Kinds of which the house itself has things.
const HOUSE: [&str; 4] = ["item", "learn-data", "expert-base", "arena"];

/// What the cookie of an operator holds, where there is an operator.
fn right(app: &App, visitor: Visitor) -> Option<String> {
    let secret = app.config.operator.as_deref()?;
    Some(hex(&app.seal.operator(visitor.token, secret)))
}

/// Only the operator goes on. Both sides are signatures, so the time of comparing tells nothing
/// that helps to make one.
fn check(app: &App, visitor: Visitor, headers: &HeaderMap) -> Result<(), Fault> {
    let right = right(app, visitor).ok_or_else(Fault::missing)?;
    if cookie(headers, COOKIE) == Some(&right) {
        return Ok(());
    }
    let (why, hint) = (WORDS.say("operator-only"), WORDS.say("operator-only-hint"));
    Err(Fault::new(StatusCode::UNAUTHORIZED, "operator", why, hint))
}

/// `GET /operator`
pub(super) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    if app.config.operator.is_none() {
        return Err(Fault::missing().for_reader(&headers));
    }
    if check(&app, visitor, &headers).is_err() {
        return Ok(door(visitor));
    }
    let house = app.clone();
    let work = blocking(move || {
        let mut own = Vec::new();
        for kind in HOUSE {
            let all = house.store.house_blobs(kind)?.into_iter();
            own.extend(all.map(|info| (kind, info)));
        }
        Ok((
            house.store.usage()?,
            house.store.largest_items(LISTED)?,
            own,
        ))
    });
    let (usage, items, own) = work.await.map_err(|f| f.for_reader(&headers))?;
    let title = say("operator-title");
    let closed = app.gate.is_closed();
    let body = html! {
        main #main {
            h1 { (title) }
            (figures(&app, usage))
            div.row {
                form action="/operator/close" method="post" {
                    input type="hidden" name="closed" value=(if closed { "no" } else { "yes" });
                    button.button type="submit" { (say(if closed { "operator-reopen" } else { "operator-close" })) }
                }
                form action="/operator/end" method="post" { button.button type="submit" { (say("operator-end")) } }
            }
            @if closed { p role="status" { (say("house-closed")) } }
            h2 { (say("operator-items")) }
            (listed(&items))
            h2 { (say("operator-house")) }
            (of_house(&own))
        }
    };
    Ok(page(visitor, frame(&title, &[], &body)))
}

fn door(visitor: Visitor) -> Response {
    let title = say("operator-title");
    let body = html! {
        main #main {
            h1 { (title) }
            p { (say("operator-lead")) }
            form method="post" action="/operator" {
                p {
                    label for="invite" { (say("operator-secret")) }
                    " "
                    input #invite name="secret" type="password" autocomplete="off" required maxlength="64";
                }
                p { button.button.primary type="submit" { (say("login-enter")) } }
            }
        }
    };
    page(visitor, frame(&title, &["login.js"], &body))
}

fn figures(app: &App, usage: Usage) -> Markup {
    let (running, waiting, _) = app.engine.load();
    let most = app.config.quotas.kept.house_bytes;
    let disk = WORDS
        .say("operator-of")
        .with("bytes", bytes(usage.bytes))
        .with("most", bytes(most));
    let rows = [
        ("operator-disk", disk.to_string()),
        ("operator-visitors", usage.visitors.to_string()),
        ("operator-kept", usage.items.to_string()),
        ("operator-kept-bytes", bytes(usage.item_bytes)),
        ("operator-games", usage.sessions.to_string()),
        ("operator-open", usage.open.to_string()),
        ("operator-running", running.to_string()),
        ("operator-waiting", waiting.to_string()),
        ("operator-refusals", app.gate.refusals().to_string()),
    ];
    html! {
        table.data #usage {
            tbody { @for (key, value) in rows { tr { th scope="row" { (say(key)) } td { (value) } } } }
        }
    }
}

fn remover(kind: &str, name: &str, shown: &str) -> Markup {
    html! {
        form action="/operator/remove" method="post" {
            input type="hidden" name="kind" value=(kind);
            input type="hidden" name="name" value=(name);
            button.button.quiet.small type="submit" { (say("operator-remove")) span.sr-only { ": " (shown) } }
        }
    }
}

fn listed(items: &[Item]) -> Markup {
    if items.is_empty() {
        return html! { p.muted { (say("operator-none")) } };
    }
    html! {
        table.data #items {
            thead { tr { @for key in ["mine-name", "mine-kind", "mine-size", "mine-used", "operator-remove"] { th scope="col" { (say(key)) } } } }
            tbody {
                @for item in items {
                    tr {
                        th scope="row" { (item.title) }
                        td { (described(item).0) }
                        td { (bytes(item.size)) }
                        td { (day(item.used)) }
                        td { (remover(&item.kind, &item.name, &item.title)) }
                    }
                }
            }
        }
    }
}

fn of_house(own: &[(&'static str, BlobInfo)]) -> Markup {
    if own.is_empty() {
        return html! { p.muted { (say("operator-none")) } };
    }
    html! {
        table.data #house {
            thead { tr { @for key in ["mine-name", "mine-kind", "mine-size", "mine-made", "operator-remove"] { th scope="col" { (say(key)) } } } }
            tbody {
                @for (kind, info) in own {
                    tr {
                        th scope="row" { (info.name) }
                        td { (kind) }
                        td { (bytes(info.size)) }
                        td { (day(info.at)) }
                        td { (remover(kind, &info.name, &info.name)) }
                    }
                }
            }
        }
    }
}

/// `POST /operator`
pub(super) async fn enter(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let enter = || {
        let said = fields(&headers, &body)?;
        let said = said.get("secret").map_or("", |v| v.trim());
        let right = right(&app, visitor).ok_or_else(Fault::missing)?;
        // Signatures are compared, not secrets.
        if hex(&app.seal.operator(visitor.token, said)) == right {
            return Ok(right);
        }
        let (why, hint) = (WORDS.say("operator-wrong"), WORDS.say("operator-only-hint"));
        Err(Fault::new(StatusCode::UNAUTHORIZED, "operator", why, hint))
    };
    let right = enter().map_err(|f| f.for_reader(&headers))?;
    let secure = if app.config.proxy.is_some() {
        "; Secure"
    } else {
        ""
    };
    let text = format!("{COOKIE}={right}; Path=/operator; HttpOnly; SameSite=Strict{secure}");
    let mut response = back(&headers, visitor, "/operator");
    let value = HeaderValue::try_from(text).expect("hexadecimal digits make a header");
    response.headers_mut().append(header::SET_COOKIE, value);
    Ok(response)
}

/// `POST /operator/remove`
pub(super) async fn remove(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let work = async {
        check(&app, visitor, &headers)?;
        let fields = fields(&headers, &body)?;
        let text = |key: &str| fields.get(key).cloned().unwrap_or_default();
        let (kind, name) = (text("kind"), text("name"));
        let owned = app.clone();
        blocking(move || {
            let item = owned.store.item(&kind, &name)?;
            let gone = match item {
                Some(item) => owned.store.discard(&name, &item.owner)?,
                None if kind == "arena" => {
                    wits_arena::Coordinator::forget(&owned.store, &name)?;
                    true
                }
                None if HOUSE.contains(&kind.as_str()) => owned.store.delete_blob(&kind, &name)?,
                None => false,
            };
            if gone { Ok(()) } else { Err(Fault::missing()) }
        })
        .await
    };
    work.await.map_err(|f: Fault| f.for_reader(&headers))?;
    Ok(back(&headers, visitor, "/operator"))
}

/// `POST /operator/close`: no new work, or again.
pub(super) async fn close(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    check(&app, visitor, &headers).map_err(|f| f.for_reader(&headers))?;
    let fields = fields(&headers, &body).map_err(|f| f.for_reader(&headers))?;
    let closed = fields.get("closed").is_none_or(|v| v == "yes");
    app.gate.close(closed);
    Ok(back(&headers, visitor, "/operator"))
}

/// `POST /operator/end`: the server ends as it does on Ctrl-C.
pub(super) async fn end(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    check(&app, visitor, &headers).map_err(|f| f.for_reader(&headers))?;
    app.gate.close(true);
    app.gate.end();
    let title = say("operator-title");
    let body = html! { main #main { h1 { (title) } p role="status" { (say("operator-ended")) } } };
    Ok(page(visitor, frame(&title, &[], &body)))
}
