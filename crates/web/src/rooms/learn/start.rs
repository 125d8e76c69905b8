//! The door of the desk: samples to look at, and a place for one's own table.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use futures_util::StreamExt as _;
use maud::{Markup, html};
use wits_game::Figure;
use wits_learn::{Control, SAMPLES, Sample, Validation, draw, regions};

use super::asked::Asked;
use super::files::{self, Label, MOST_BYTES, MOST_FEATURES, MOST_LEARNED, MOST_ROWS};
use super::parts::{per_cent, picture};
use super::work::{CheckTable, TABLE};
use super::{runs, wrong};
use crate::own::kept;
use crate::pages::{frame, page, say};
use crate::routes::{blocking, day};
use crate::sandbox::Order;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The pipeline whose regions stand on the samples' cards, and how large they are drawn.
const PICTURED: &str = "mean + standard + knn:k=15";
const SIDE: f64 = 240.0;

/// `GET /learn`
pub(super) async fn show(State(app): State<App>, visitor: Visitor) -> Result<Response, Fault> {
    let mine = blocking(move || runs::of_visitor(&app.store, visitor)).await?;
    let title = say("learn-title");
    let body = html! {
        main.learn-page #main {
            h1 { (title) }
            p.lead { (say("learn-lead")) }
            ul.learn-samples #samples {
                @for sample in &SAMPLES { (card(sample)) }
            }
            p.muted { (say("learn-regions-about")) }
            div.learn-doors {
                section.panel {
                    h2 { (say("learn-own-title")) }
                    (form())
                }
                @if !mine.is_empty() {
                    section.panel { h2 { (say("learn-runs")) } (listed(&mine)) }
                }
            }
            p.muted { (say("learn-glass-licence")) }
        }
    };
    Ok(page(visitor, frame(&title, &["learn-file.js"], &body)))
}

/// A sample: its plane, what it asks, and where it opens.
fn card(sample: &Sample) -> Markup {
    let (title, question) = files::titles(sample);
    let page = format!("/learn/data/{}", sample.name);
    html! {
        li.panel {
            a id=(sample.name) href=(page) {
                img src={ "/learn/picture/" (sample.name) } width=(SIDE) height=(SIDE) alt="";
                strong { (title) }
            }
            p { (question) }
            p { a href={ (page) "/grid" } aria-label=(WORDS.say("learn-grid-of").with("name", title)) { (say("learn-tab-grid")) } }
        }
    }
}

/// The grids of a visitor: when, of what, and how well the best did.
fn listed(mine: &[runs::Listed]) -> Markup {
    html! {
        ul.recent #runs {
            @for run in mine {
                li {
                    a href={ "/learn/runs/" (run.id) } { (run.title) } " "
                    span.muted {
                        @if run.at > 0 { (day(run.at)) " · " }
                        @if !run.target.is_empty() { (run.target) " · " }
                        (run.pipelines)
                        @if let Some(best) = run.best { " · " (WORDS.say("learn-best-score").with("mean", per_cent(best))) }
                    }
                }
            }
        }
    }
}

/// `GET /learn/picture/NAME`: the decision regions of a sample, drawn once.
pub(super) async fn picture_of(Path(name): Path<String>) -> Result<Response, Fault> {
    static DRAWN: LazyLock<Mutex<BTreeMap<&str, String>>> = LazyLock::new(Mutex::default);
    let sample = Sample::named(&name).ok_or_else(Fault::missing)?;
    let made = blocking(move || {
        let mut drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = drawn.get(sample.name) {
            return Ok(known.clone());
        }
        let (folds, quiet) = (Validation::folds(5), Control::quiet());
        let pipeline = PICTURED.parse().map_err(|e| wrong(&e))?;
        let found = regions(&sample.dataset(), &pipeline, None, folds, 0, &quiet);
        let svg = draw::picture_of_regions(&found.map_err(|e| wrong(&e))?, SIDE);
        drawn.insert(sample.name, svg.clone());
        Ok(svg)
    });
    Ok(picture(made.await?))
}

fn form() -> Markup {
    let limit = WORDS
        .say("learn-own-about")
        .with("megabytes", MOST_BYTES >> 20)
        .with("rows", Figure::whole(MOST_ROWS))
        .with("learned", Figure::whole(MOST_LEARNED))
        .with("features", MOST_FEATURES);
    html! {
        p { (limit) }
        form #own action="/learn/data" method="post" data-limit=(MOST_BYTES)
            data-large=(WORDS.say("learn-file-large").with("megabytes", MOST_BYTES >> 20)) data-drop=(say("learn-drop")) data-away=(say("learn-away")) {
            p #message.error role="alert" hidden {}
            details.no-script-open {
                summary { (say("learn-paste")) }
                div.field.wide {
                    label for="csv" { (say("learn-pasted")) }
                    textarea #csv name="csv" rows="4" spellcheck="false" required {}
                }
                button.button type="submit" { (say("learn-open")) }
            }
            details {
                summary { (say("learn-reading")) }
                div.field { label for="names" { (say("learn-names")) } input #names name="names" type="text"; small { (say("learn-names-about")) } }
                div.field { label for="na" { (say("learn-na")) } input #na name="na" type="text"; small { (say("learn-na-about")) } }
                div.field { label for="text" { (say("learn-text")) } input #text name="text" type="text"; small { (say("learn-text-about")) } }
            }
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
        let (asked, text) = if let Some(from) = again(form, &pairs) {
            let house = app.clone();
            let (label, text) = blocking(move || files::bytes(&house.store, &from)).await?;
            let mut asked = Asked(pairs);
            asked.0.extend(form_urlencoded::parse(&bytes).into_owned());
            // What was said about the file before still holds.
            asked.0.push(("name".to_owned(), label.title));
            asked
                .0
                .extend(label.na.into_iter().map(|word| ("na".to_owned(), word)));
            (asked, text)
        } else if form {
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

/// The table that is to be read again in another way, where a form says so.
fn again(form: bool, pairs: &[(String, String)]) -> Option<String> {
    let mut pairs = pairs.iter().filter(|_| form);
    pairs
        .find(|(key, _)| key == "from")
        .map(|(_, name)| name.clone())
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
