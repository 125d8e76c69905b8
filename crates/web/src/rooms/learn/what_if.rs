//! What if: one sample under sliders, and what a trained pipeline says of it.

use std::ops::Range;
use std::sync::Arc;

use axum::extract::{Extension, Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use wits_learn::{Dataset, Model, Prediction, Source, Statistics, draw, responses};

use super::asked::{Asked, not_a_number};
use super::files::{Desk, Subject};
use super::parts::{figure, per_cent, picture, short, tabs};
use super::pipeline::{hidden, opened};
use super::{thinking, wrong};
use crate::keep::{SVG, download};
use crate::pages::{frame, page, say};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// One column under hand.
enum Field {
    /// A number under its slider.
    Slider {
        name: String,
        min: f64,
        max: f64,
        /// Whole numbers move by one, others freely: a slider must be able to stand where the row is.
        step: &'static str,
        /// What the row has; the median where it has nothing.
        own: f64,
        /// What it is moved to.
        value: f64,
    },
    /// A text among those that the column has; nothing where it is missing.
    Choice {
        name: String,
        levels: Vec<String>,
        own: Option<usize>,
        value: Option<usize>,
    },
}

/// What an address says for a text that is missing.
const MISSING: &str = "-";

impl Field {
    /// The features that the column becomes, as the row has them or as they were changed.
    fn features(&self, changed: bool) -> Vec<f64> {
        match self {
            Field::Slider { own, value, .. } => vec![if changed { *value } else { *own }],
            Field::Choice {
                levels, own, value, ..
            } => {
                let chosen = if changed { *value } else { *own };
                let flag = |level: usize| match chosen {
                    Some(one) => f64::from(u8::from(one == level)),
                    None => f64::NAN,
                };
                (0..levels.len()).map(flag).collect()
            }
        }
    }

    /// The field of an address that says what it is changed to.
    fn said(&self) -> (&'static str, String) {
        match self {
            Field::Slider { value, .. } => ("x", value.to_string()),
            Field::Choice { value, .. } => {
                let none = || MISSING.to_owned();
                ("text", value.map_or_else(none, |level| level.to_string()))
            }
        }
    }
}

/// The features of a row, as it is or as it was changed.
fn row_of(fields: &[Field], changed: bool) -> Vec<f64> {
    let each = fields.iter().map(|field| field.features(changed));
    each.flatten().collect()
}

/// The columns of a row: as many numbers and texts as there are columns of each, or the row as it is.
fn fields(data: &Dataset, row: usize, asked: &Asked) -> Result<Vec<Field>, Fault> {
    let sources = || data.schema.sources.iter().zip(data.schema.spans());
    let texts = sources().filter(|(s, _)| s.levels.is_some()).count();
    let numbers: Vec<&str> = asked.all("x").collect();
    let chosen: Vec<&str> = asked.all("text").collect();
    let typed = numbers.len() + texts == data.schema.sources.len() && chosen.len() == texts;
    let (mut numbers, mut chosen) = (numbers.into_iter(), chosen.into_iter());
    let make = |(source, span): (&Source, Range<usize>)| {
        let name = source.name.clone();
        if let Some(levels) = &source.levels {
            let row = &data.x.row(row)[span];
            let own = row.iter().position(|&v| v > 0.5);
            let most = levels.len() - 1;
            let value = match chosen.next().filter(|_| typed) {
                Some(MISSING) => None,
                Some(text) => {
                    let level = text.parse().ok().filter(|&level| level <= most);
                    Some(level.ok_or_else(|| not_a_number(text, "0", &most.to_string()))?)
                }
                None => own,
            };
            return Ok(Field::Choice {
                name,
                levels: levels.clone(),
                own,
                value,
            });
        }
        let column = data.x.column(span.start);
        let known: Vec<f64> = column.into_iter().filter(|v| !v.is_nan()).collect();
        let told = Statistics::of(&known);
        let (min, max, median) = told.map_or((0.0, 1.0, 0.0), |s| (s.min, s.max, s.median));
        let cell = data.x.at(row, span.start);
        let own = if cell.is_nan() { median } else { cell };
        let value = match numbers.next().filter(|_| typed) {
            Some(text) => {
                let number = text.parse::<f64>().ok().filter(|x| x.is_finite());
                number.ok_or_else(|| not_a_number(text, &short(min), &short(max)))?
            }
            None => own,
        };
        let whole = known.iter().all(|v| v.fract().abs() < f64::EPSILON);
        let step = if whole { "1" } else { "any" };
        Ok(Field::Slider {
            name,
            min,
            max,
            step,
            own,
            value,
        })
    };
    sources().map(make).collect()
}

/// `GET /learn/data/NAME/what-if`
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
        let (subject, pipeline) = opened(&app, &desk, name, &asked).await?;
        let at = place(&subject.data, &asked)?;
        let list = fields(&subject.data, at, &asked)?;
        let model = thinking::train(&app, &desk, visitor, &subject, &pipeline).await?;
        let body = whole(&subject, &model, at, &list)?;
        Ok((subject, body))
    };
    let (subject, body) = made.await.map_err(|f: Fault| f.for_reader(&headers))?;
    let title = WORDS
        .say("learn-what-if-title")
        .with("name", &subject.opened.title)
        .to_string();
    let body = html! { main.learn-page #main { h1 { (title) } (tabs(&subject.opened, &subject.choice, "what-if")) (body) } };
    Ok(page(visitor, frame(&title, &["learn-what-if.js"], &body)))
}

fn whole(subject: &Subject, model: &Model, at: usize, list: &[Field]) -> Result<Markup, Fault> {
    let (values, own) = (row_of(list, true), row_of(list, false));
    let now = model.predict_one(&values).map_err(|e| wrong(&e))?;
    let before = model.predict_one(&own).map_err(|e| wrong(&e))?;
    let data = &subject.data;
    let truth = &data.classes()[data.y[at] as usize];
    let text = model.pipeline.to_string();
    let row = data.rows[at].to_string();
    Ok(html! {
        form.learn-ask method="get" action=(subject.opened.page("what-if", "")) {
            (hidden(subject, &[]))
            div.field.wide {
                label for="pipeline" { (say("learn-the-pipeline")) }
                input #pipeline name="pipeline" type="text" value=(text) spellcheck="false" required;
            }
            div.row {
                span.mb-pair { label for="row" { (say("learn-start-row")) } input #row name="row" type="number" min="1" max=(subject.opened.table.rows) value=(row); }
                button.button type="submit" { (say("learn-take-row")) }
            }
        }
        p { (say("learn-what-if-lead")) }
        div.learn-what-if {
            form #sliders method="get" action=(subject.opened.page("what-if", "")) data-away=(say("learn-away")) {
                (hidden(subject, &[]))
                input type="hidden" name="pipeline" value=(text);
                input type="hidden" name="row" value=(row);
                @for (j, field) in list.iter().enumerate() { (under_hand(j, field)) }
                div.row {
                    button.button.no-script type="submit" { (say("learn-predict")) }
                    a.button.quiet href=(subject.page("what-if", &[("pipeline", &text), ("row", &row)])) { (say("learn-reset")) }
                }
            }
            (answer(model, &now, &before, truth, &row))
        }
        (curves(subject, &text, &row, list))
    })
}

/// How the answer follows each column, drawn from where the sliders stand.
fn curves(subject: &Subject, pipeline: &str, row: &str, list: &[Field]) -> Markup {
    let said: Vec<(&str, String)> = list.iter().map(Field::said).collect();
    let mut fields = vec![("pipeline", pipeline), ("row", row)];
    fields.extend(said.iter().map(|(name, value)| (*name, value.as_str())));
    let address = subject.page("response", &fields);
    fields.push(("keep", "1"));
    let svg = subject.page("response", &fields);
    html! {
        section #response {
            h2 { (say("learn-response")) }
            p.muted { (say("learn-response-about")) }
            (figure(&address, &svg, &say("learn-response"), None))
        }
    }
}

/// `GET /learn/data/NAME/response`
pub(super) async fn response(
    State(app): State<App>,
    Extension(desk): Extension<Arc<Desk>>,
    Path(name): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let asked = Asked(pairs);
    let made = async {
        let (subject, pipeline) = opened(&app, &desk, name, &asked).await?;
        let at = place(&subject.data, &asked)?;
        let list = fields(&subject.data, at, &asked)?;
        let model = thinking::train(&app, &desk, visitor, &subject, &pipeline).await?;
        let values = row_of(&list, true);
        let svg = thinking::think(&app, visitor, move |_| {
            let found = responses(&model, &subject.data, &values)?;
            Ok(draw::responses(&found, subject.data.classes()))
        });
        let svg = svg.await?;
        Ok(match asked.one("keep") {
            Some(_) => download(SVG, "response.svg", svg),
            None => picture(svg),
        })
    };
    made.await.map_err(|f: Fault| f.for_reader(&headers))
}

/// Where the row that is asked for stands among those that are learned from.
fn place(data: &Dataset, asked: &Asked) -> Result<usize, Fault> {
    let last = data.rows.iter().copied().max().unwrap_or(1) as u64;
    let row = asked.whole("row", data.rows[0] as u64, 1, last)? as usize;
    // Rows without a class are not in the data; the next one that is serves.
    Ok(data.rows.iter().position(|&r| r >= row).unwrap_or(0))
}

fn under_hand(j: usize, field: &Field) -> Markup {
    let id = format!("x{j}");
    html! {
        div.learn-slider {
            @match field {
                Field::Slider { name, min, max, step, own, value } => {
                    label for=(id) { (name) }
                    input id=(id) name="x" type="range" min=(min) max=(max) step=(step) value=(value) data-own=(own);
                    output for=(id) { (short(*value)) }
                }
                Field::Choice { name, levels, own, value } => {
                    label for=(id) { (name) }
                    select id=(id) name="text" data-own=(own.map_or(MISSING.to_owned(), |level| level.to_string())) {
                        @for (at, level) in levels.iter().enumerate() { option value=(at) selected[*value == Some(at)] { (level) } }
                        option value=(MISSING) selected[value.is_none()] { (say("learn-no-text")) }
                    }
                }
            }
        }
    }
}

fn answer(model: &Model, now: &Prediction, before: &Prediction, truth: &str, row: &str) -> Markup {
    let says = if now.class == before.class {
        "learn-same"
    } else {
        "learn-changed"
    };
    html! {
        section.panel #answer role="status" {
            p.learn-class { (WORDS.say("learn-says").with("class", &now.class)) }
            p { (WORDS.say(says).with("row", row).with("before", &before.class).with("truth", truth)) }
            @if let Some(shares) = &now.probabilities {
                ul.learn-bars aria-label=(say("learn-probabilities")) {
                    @for (class, share) in model.schema.classes.iter().zip(shares) {
                        li.best[*class == now.class] {
                            span.learn-name { (class) @if class == truth { " " small.muted { (say("learn-true-class")) } } }
                            svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true" { rect x="0" y="1" height="10" width=(format!("{:.1}", 100.0 * share)) {} }
                            span.number { (per_cent(*share)) }
                        }
                    }
                }
            } @else { p.muted { (say("learn-no-probabilities")) } }
            p.muted { (say("learn-seen-before")) }
        }
    }
}
