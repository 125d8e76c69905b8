//! Two pipelines on the same folds.

use std::sync::Arc;

use axum::extract::{Extension, Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::Value;

use super::asked::Asked;
use super::files::{Desk, Subject};
use super::parts::tabs;
use super::pipeline::{USUAL, hidden};
use crate::desk::blocks;
use crate::pages::{frame, page, say};
use crate::routes::blocking;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// What the first is compared with where nothing is named.
const OTHER: &str = "mean + standard + knn:k=3";
/// Rows that are listed for each side.
const LISTED: usize = 60;

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
    let made = async {
        let (house, fields) = (app.clone(), asked.clone());
        let subject = blocking(move || Subject::open(&desk, &house.store, &name, &fields)).await?;
        let both = [asked.one("a"), asked.one("b")];
        let sides = ["a", "b"].into_iter().zip(both);
        let sides: Vec<(&str, &str)> = sides
            .filter_map(|(side, text)| Some((side, text?)))
            .collect();
        let question = subject.question("compare", &sides)?;
        let answer = match both {
            [Some(_), Some(_)] => Some(
                question
                    .clone()
                    .with_outputs(None)
                    .ask(&app, visitor)
                    .await?,
            ),
            _ => None,
        };
        Ok((subject, question, answer))
    };
    let (subject, question, answer) = made.await.map_err(|f: Fault| f.for_reader(&headers))?;
    let title = WORDS
        .say("learn-compare-title")
        .with("name", &subject.opened.title)
        .to_string();
    let body = html! {
        main.learn-page #main {
            h1 { (title) }
            (tabs(&subject.opened, &subject.choice, "compare"))
            (form(&subject, asked.one("a").unwrap_or(USUAL), asked.one("b").unwrap_or(OTHER)))
            @if let Some(answer) = &answer {
                (blocks(&answer.blocks, &|part| question.address(&[("keep", part)])))
                @for (side, key) in [("a", "learn-only-a"), ("b", "learn-only-b")] { (rows(&subject, &answer.data, side, key)) }
            } @else { p.muted { (say("learn-compare-lead")) } }
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

/// The rows that only one side gets right, each to be tried with that side.
fn rows(subject: &Subject, data: &Value, side: &str, key: &'static str) -> Markup {
    let pipeline = data[side]["pipeline"].as_str().unwrap_or_default();
    let only = data[format!("only_{side}")].as_array();
    let rows: Vec<String> = only.into_iter().flatten().map(Value::to_string).collect();
    html! {
        details.panel { summary { (WORDS.say(key).with("count", rows.len())) }
            p { @for row in rows.iter().take(LISTED) { a href=(subject.page("what-if", &[("pipeline", pipeline), ("row", row)])) { (row) } " " } @if rows.len() > LISTED { "…" } } }
    }
}
