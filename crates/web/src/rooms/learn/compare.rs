//! Two pipelines on the same folds.

use std::sync::Arc;

use axum::extract::{Extension, Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use wits_learn::{Comparison, Found, Pipeline, Run};

use super::asked::Asked;
use super::files::{Desk, Subject};
use super::parts::{between, notes, per_cent, tabs};
use super::pipeline::{USUAL, hidden, opened};
use super::{thinking, wrong};
use crate::keep::{JSON, download};
use crate::pages::{frame, page, say};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// What the first is compared with where nothing is named.
const OTHER: &str = "mean + standard + knn:k=3";
/// Rows that are listed for each side.
const LISTED: usize = 60;

/// A comparison that was asked for, once it is done.
async fn asked_for(
    app: &App,
    desk: &Arc<Desk>,
    visitor: Visitor,
    name: String,
    asked: &Asked,
) -> Result<(Subject, [Pipeline; 2], Option<Comparison>), Fault> {
    let (subject, _) = opened(app, desk, name, asked).await?;
    let read = |text: &str| text.parse().map_err(|e| wrong(&e));
    let (a, b) = (asked.pipeline("a")?, asked.pipeline("b")?);
    let both = a.is_some() && b.is_some();
    let a: Pipeline = a.map_or_else(|| read(USUAL), Ok)?;
    let b: Pipeline = b.map_or_else(|| read(OTHER), Ok)?;
    if !both {
        return Ok((subject, [a, b], None));
    }
    let (data, first, second) = (Arc::clone(&subject.data), a.clone(), b.clone());
    let (validation, seed) = (subject.choice.validation(), subject.choice.seed);
    let found = thinking::think(app, visitor, move |control| {
        wits_learn::compare(&data, &first, &second, validation, seed, control)
    });
    let found = found.await?;
    Ok((subject, [a, b], Some(found)))
}

/// `GET /learn/data/NAME/compare`
pub(super) async fn show(
    State(app): State<App>,
    Extension(desk): Extension<Arc<Desk>>,
    Path(name): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let asked = Asked(pairs);
    let made = asked_for(&app, &desk, visitor, name, &asked).await;
    let (subject, [a, b], found) = made.map_err(|f| f.for_reader(&headers))?;
    let title = WORDS
        .say("learn-compare-title")
        .with("name", &subject.opened.title)
        .to_string();
    let body = html! {
        main.learn-page #main {
            h1 { (title) }
            (tabs(&subject.opened, &subject.choice, "compare"))
            (form(&subject, &a.to_string(), &b.to_string()))
            @if let Some(found) = &found { (told(&subject, found)) } @else { p.muted { (say("learn-compare-lead")) } }
        }
    };
    Ok(page(visitor, frame(&title, &[], &body)))
}

fn form(subject: &Subject, a: &str, b: &str) -> Markup {
    html! {
        form.learn-ask method="get" action=(subject.opened.page("compare", "")) {
            (hidden(subject, &["folds", "repeats"]))
            @for (name, key, text) in [("a", "learn-first", a), ("b", "learn-second", b)] {
                div.field.wide {
                    label for=(name) { (say(key)) }
                    input id=(name) name=(name) type="text" value=(text) spellcheck="false" required;
                }
            }
            div.row {
                span.mb-pair { label for="folds" { (say("learn-folds")) } input #folds name="folds" type="number" min="2" max="50" value=(subject.choice.folds); }
                span.mb-pair { label for="repeats" { (say("learn-repeats")) } input #repeats name="repeats" type="number" min="1" max="20" value=(subject.choice.repeats); }
                button.button.primary type="submit" { (say("learn-compare")) }
            }
        }
    }
}

fn told(subject: &Subject, found: &Comparison) -> Markup {
    let points = |x: f64| format!("{:+.1}", 100.0 * x);
    let [low, high] = found.difference.interval.map(points);
    let verdict = match found.verdict.as_str() {
        "a" => "learn-a-better",
        "b" => "learn-b-better",
        _ => "learn-no-telling",
    };
    let sides = [
        ("A", &found.a, &found.only_a, "learn-only-a"),
        ("B", &found.b, &found.only_b, "learn-only-b"),
    ];
    let (a, b) = (found.a.pipeline.to_string(), found.b.pipeline.to_string());
    html! {
        p #verdict role="status" {
            strong { (say(verdict)) } " "
            (WORDS.say("learn-difference").with("mean", points(found.difference.mean)).with("low", low).with("high", high).with("p", format!("{:.3}", found.difference.p)))
        }
        (notes(&found.a.warnings))
        div.learn-scroll tabindex="0" role="region" aria-label=(say("learn-compare")) {
            table.data #sides {
                thead { tr { @for key in ["learn-side", "learn-pipeline", "learn-mean-score", "learn-interval", "learn-spread"] { th scope="col" { (say(key)) } } } }
                tbody {
                    @for (name, one, ..) in sides {
                        tr { th scope="row" { (name) } td { a href=(subject.page("pipeline", &[("pipeline", &one.pipeline.to_string())])) { (one.pipeline.to_string()) } } td { (per_cent(one.mean)) } td { (between(one.interval)) } td { (per_cent(one.sd)) } }
                    }
                }
            }
        }
        (folds(found))
        @for (_, one, rows, key) in sides {
            details.panel { summary { (WORDS.say(key).with("count", rows.len())) }
                p { @for row in rows.iter().take(LISTED) { a href=(subject.page("what-if", &[("pipeline", &one.pipeline.to_string()), ("row", &row.to_string())])) { (row) } " " } @if rows.len() > LISTED { "…" } } }
        }
        p { a.button href=(subject.page("compare/run", &[("a", &a), ("b", &b)])) { (say("learn-keep-run")) } }
    }
}

/// Fold by fold: what each scored, and the difference.
fn folds(found: &Comparison) -> Markup {
    html! {
        details.panel {
            summary { (say("learn-fold-by-fold")) }
            div.learn-scroll tabindex="0" role="region" aria-label=(say("learn-fold-by-fold")) {
                table.data {
                    thead { tr { th scope="col" { (say("learn-fold")) } th scope="col" { "A" } th scope="col" { "B" } th scope="col" { "A − B" } } }
                    tbody {
                        @for (at, (a, b)) in found.a.folds.iter().zip(&found.b.folds).enumerate() {
                            tr { th scope="row" { (at + 1) } td { (per_cent(*a)) } td { (per_cent(*b)) } td { (format!("{:+.1}", 100.0 * (a - b))) } }
                        }
                    }
                }
            }
        }
    }
}

/// `GET /learn/data/NAME/compare/run`
pub(super) async fn keep(
    State(app): State<App>,
    Extension(desk): Extension<Arc<Desk>>,
    Path(name): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let asked = Asked(pairs);
    let made = asked_for(&app, &desk, visitor, name, &asked).await;
    let (subject, _, found) = made.map_err(|f| f.for_reader(&headers))?;
    let found = found.ok_or_else(|| Fault::missing().for_reader(&headers))?;
    let run = Run::new(&subject.data, Found::Compare(Box::new(found)));
    Ok(download(JSON, "compare.run.json", run.to_json()))
}
