//! The door of the desk: bring a table, or open Glass.

use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use futures_util::StreamExt as _;
use maud::{Markup, html};

use super::asked::Asked;
use super::files::{self, GLASS, Label, MOST_BYTES, MOST_FEATURES, MOST_ROWS};
use super::runs;
use super::work::{CheckTable, TABLE};
use crate::own::kept;
use crate::pages::{frame, page, say};
use crate::routes::blocking;
use crate::sandbox::Order;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// `GET /learn`
pub(super) async fn show(State(app): State<App>, visitor: Visitor) -> Result<Response, Fault> {
    let mine = blocking(move || runs::of_visitor(&app.store, visitor)).await?;
    let title = say("learn-title");
    let body = html! {
        main.learn-page #main {
            h1 { (title) }
            p.lead { (say("learn-lead")) }
            div.learn-doors {
                section.panel {
                    h2 { (say("learn-glass-title")) }
                    p { (say("learn-glass-about")) }
                    p.row {
                        a.button.primary #glass href={ "/learn/data/" (GLASS) } { (say("learn-glass-open")) }
                        a.button href={ "/learn/data/" (GLASS) "/grid" } { (say("learn-glass-grid")) }
                    }
                    p.muted { (say("learn-glass-licence")) }
                }
                section.panel {
                    h2 { (say("learn-own-title")) }
                    (form())
                }
            }
            @if !mine.is_empty() {
                h2 { (say("learn-runs")) }
                ul.recent #runs {
                    @for run in &mine {
                        li { a href={ "/learn/runs/" (run.id) } { (run.title) } " " span.muted { (run.pipelines) } }
                    }
                }
            }
        }
    };
    Ok(page(visitor, frame(&title, &["learn-file.js"], &body)))
}

fn form() -> Markup {
    let limit = WORDS
        .say("learn-own-about")
        .with("megabytes", MOST_BYTES >> 20)
        .with("rows", MOST_ROWS)
        .with("features", MOST_FEATURES);
    html! {
        p { (limit) }
        form #own action="/learn/data" method="post" data-limit=(MOST_BYTES)
            data-large=(WORDS.say("learn-file-large").with("megabytes", MOST_BYTES >> 20)) data-drop=(say("learn-drop")) data-away=(say("learn-away")) {
            p #message.error role="alert" hidden {}
            div.field.wide {
                label for="csv" { (say("learn-paste")) }
                textarea #csv name="csv" rows="4" spellcheck="false" required {}
            }
            details {
                summary { (say("learn-reading")) }
                div.field { label for="na" { (say("learn-na")) } input #na name="na" type="text"; small { (say("learn-na-about")) } }
                div.field { label for="text" { (say("learn-text")) } input #text name="text" type="text"; small { (say("learn-text-about")) } }
            }
            button.button type="submit" { (say("learn-open")) }
        }
    }
}

/// `POST /learn/data`: a file as it is, or the form with the text in it.
pub(super) async fn take(
    State(app): State<App>,
    Query(pairs): Query<Vec<(String, String)>>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Fault> {
    let kind = headers.get(header::CONTENT_TYPE);
    let form = kind.is_some_and(|k| {
        k.as_bytes()
            .starts_with(b"application/x-www-form-urlencoded")
    });
    let taken = async {
        let bytes = bounded(body).await?;
        let (asked, text) = if form {
            let mut fields = Asked(form_urlencoded::parse(&bytes).into_owned().collect());
            let at = fields.0.iter().position(|(key, _)| key == "csv");
            let text = at.map_or(String::new(), |at| fields.0.swap_remove(at).1);
            (fields, text.into_bytes())
        } else {
            (Asked(pairs), bytes)
        };
        let label = Label::read(&asked);
        let order = Order::new(CheckTable(label.clone())).with(TABLE, text.clone());
        app.confined_with(visitor.account(), order).await?;
        blocking(move || files::keep(&app, visitor, &label, &text)).await
    };
    let table = taken.await.map_err(|f: Fault| f.for_reader(&headers))?;
    let to = format!("/learn/data/{}", table.name);
    Ok(kept(&headers, visitor, &to, &table.gone))
}

/// All bytes of a body, as long as they are not too many.
async fn bounded(body: Body) -> Result<Vec<u8>, Fault> {
    let mut stream = body.into_data_stream();
    let mut bytes = Vec::new();
    while let Some(piece) = stream.next().await {
        let piece = piece.map_err(|e| Fault::unreadable(e.to_string()))?;
        if bytes.len() + piece.len() > MOST_BYTES {
            let why = WORDS.say("learn-file-large");
            let why = why.with("megabytes", MOST_BYTES >> 20);
            let hint = WORDS.say("learn-too-large-hint");
            return Err(Fault::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "too-large",
                why,
                hint,
            ));
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}
