//! A first look at a table: what is in it, what is wrong with it, and how its classes differ.

use std::sync::Arc;

use axum::extract::{Extension, Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use wits_desk::Block;
use wits_learn::draw::{FIRST_LOOK, first_look_at};
use wits_learn::verbs::{description_blocks, exploration_blocks};
use wits_learn::{Dataset, Description, describe, explore};

use super::asked::{Asked, Choice};
use super::files::{Desk, GLASS, Opened, Subject};
use super::parts::{figure, notes, picture, prose, tabs};
use super::wrong;
use crate::desk::blocks;
use crate::keep::{SVG, download};
use crate::pages::{frame, page, say};
use crate::routes::blocking;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// Rows shown at the top.
pub(super) const HEAD: usize = 6;

/// The pictures: their name, their title, what is said about them, their numbers.
const PICTURES: [(&str, &str, &str, &str); 6] = [
    ("gaps", "learn-gaps", "learn-gaps-about", "columns"),
    ("boxes", "learn-boxes", "learn-boxes-about", "columns"),
    (
        "densities",
        "learn-densities",
        "learn-densities-about",
        "classes",
    ),
    (
        "correlation",
        "learn-correlation",
        "learn-correlation-about",
        "correlation",
    ),
    ("scatter", "learn-scatter", "learn-scatter-about", "rows"),
    (
        "transformed",
        "learn-transformed",
        "learn-transformed-about",
        "rows",
    ),
];

/// `GET /learn/data/NAME`
pub(super) async fn show(
    State(app): State<App>,
    Extension(desk): Extension<Arc<Desk>>,
    Path(name): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let made = blocking(move || {
        let choice = Choice::read(&Asked(pairs))?;
        let opened = desk.open(&app.store, &name)?;
        // A column that cannot be the class is no reason to hide the form that names another.
        let data = desk.choose(&opened, &choice);
        let body = match data {
            Ok(data) => whole(&Subject {
                opened: Arc::clone(&opened),
                choice: choice.clone(),
                data,
            }),
            Err(fault) => html! {
                p.error role="alert" { (prose(&format!("{}; {}", fault.message, fault.hint))) }
                (predict(&opened, &choice, None))
                (roles(&opened, &choice, None))
            },
        };
        let title = WORDS
            .say("learn-look-title")
            .with("name", &opened.title)
            .to_string();
        let body = html! {
            main.learn-page #main {
                h1 { (title) }
                (tabs(&opened, &choice, ""))
                (body)
            }
        };
        Ok((title, body))
    });
    let (title, body) = made.await.map_err(|f| f.for_reader(&headers))?;
    Ok(page(visitor, frame(&title, &["learn-look.js"], &body)))
}

fn whole(subject: &Subject) -> Markup {
    let told = describe(&subject.opened.table, &subject.data, HEAD);
    let found = explore(&subject.data);
    // The shape, the classes and the notes stand above, in their own way.
    let table = |block: &Block| matches!(block, Block::Table(t) if t.name != "classes");
    let mut tables = description_blocks(&told);
    tables.retain(table);
    html! {
        (predict(&subject.opened, &subject.choice, Some(&subject.data)))
        p #shape {
            (prose(&WORDS.say("learn-shape").with("rows", told.rows).with("columns", told.columns.len()).with("features", subject.data.schema.sources.len()).with("missing", subject.data.missing()).with("target", &told.target).to_string()))
        }
        (classes(&told))
        p.row { a.button.primary href=(subject.page("grid", &[])) { (say("learn-to-grid")) } a.button href=(subject.page("pipeline", &[])) { (say("learn-to-pipeline")) } }
        (notes(&told.warnings))
        @if subject.opened.name == GLASS { p.muted { (say("learn-glass-columns")) } }
        @if !subject.opened.table.header { (names(&subject.opened)) }
        (roles(&subject.opened, &subject.choice, Some(&subject.data)))
        section {
            (blocks(&tables, &|part| subject.page(&format!("table/{part}"), &[])))
        }
        section #explore {
            h2 { (say("learn-explore")) }
            (blocks(&exploration_blocks(&found), &|part| subject.page(&format!("table/{part}"), &[])))
            @for (at, (name, title, about, csv)) in PICTURES.into_iter().enumerate() {
                details.panel open[(1..3).contains(&at) || at == 0 && subject.data.missing() > 0] id={ "draw-" (name) } {
                    summary { (say(title)) }
                    p.muted { (say(about)) }
                    (figure(&subject.page(&format!("draw/{name}"), &[]), &subject.page(&format!("draw/{name}"), &[("keep", "1")]), &say(title), Some(&subject.page(&format!("table/{csv}"), &[]))))
                }
            }
            p { a href={ "/learn/data/" (subject.opened.name) "/file" } { (say("learn-file")) } }
        }
    }
}

/// How many rows each class has, as bars with numbers.
fn classes(told: &Description) -> Markup {
    let most = told.classes.iter().map(|c| c.rows).max().unwrap_or(1);
    html! {
        ul.learn-bars #classes aria-label=(say("learn-class-counts")) {
            @for class in &told.classes {
                li {
                    span.learn-name { (class.class) }
                    svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true" { rect x="0" y="1" height="10" width=(class.rows * 100 / most.max(1)) {} }
                    span.number { (class.rows) }
                }
            }
        }
    }
}

/// The question on top: which column is to be predicted.
fn predict(opened: &Opened, choice: &Choice, data: Option<&Dataset>) -> Markup {
    let target = data
        .map(|d| d.schema.target.as_str())
        .or(choice.target.as_deref());
    let rest = Choice {
        target: None,
        ..choice.clone()
    };
    html! {
        form.learn-predict #predict method="get" action=(opened.page("", "")) {
            @for (key, value) in form_urlencoded::parse(rest.query(&[]).as_bytes()) { input type="hidden" name=(key) value=(value); }
            label for="target" { (say("learn-target")) }
            select #target name="target" {
                @for column in &opened.table.columns { option value=(column.name) selected[Some(column.name.as_str()) == target] { (column.name) } }
            }
            button.button.no-script type="submit" { (say("learn-look-again")) }
        }
    }
}

/// Names for the columns of a file that has none: the table is kept again with them.
fn names(opened: &Opened) -> Markup {
    let now: Vec<&str> = opened
        .table
        .columns
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    html! {
        form.learn-ask #naming method="post" action={ "/learn/data?from=" (opened.name) } {
            div.field.wide {
                label for="names" { (say("learn-names")) }
                input #names name="names" type="text" value=(now.join(", ")) required;
                small { (say("learn-names-about")) }
            }
            button.button type="submit" { (say("learn-name-them")) }
        }
    }
}

/// The form that says which columns only label rows, what is removed and what is kept aside.
fn roles(opened: &Opened, choice: &Choice, data: Option<&Dataset>) -> Markup {
    let left: &[String] = data.map_or(&[], |d| &d.left_out);
    html! {
        details.panel #roles open[data.is_none()] {
            summary { (say("learn-roles")) }
            form method="get" action=(opened.page("", "")) {
                input type="hidden" name="roles" value="1";
                @if let Some(target) = &choice.target { input type="hidden" name="target" value=(target); }
                fieldset {
                    legend { (say("learn-ids")) }
                    div.learn-checks {
                        @for column in &opened.table.columns {
                            label { input type="checkbox" name="id" value=(column.name) checked[left.contains(&column.name)]; " " (column.name) }
                        }
                    }
                }
                div.row {
                    span.mb-pair { label for="missing" { (say("learn-missing")) } input #missing name="missing" type="number" min="0" max="50" value=(choice.missing); }
                    span.mb-pair { label for="holdout" { (say("learn-holdout")) } input #holdout name="holdout" type="number" min="0" max="50" value=(choice.holdout); }
                    span.mb-pair { label for="seed" { (say("seed")) } input #seed name="seed" type="number" min="0" max="9007199254740991" value=(choice.seed); }
                    button.button type="submit" { (say("learn-look-again")) }
                }
            }
        }
    }
}

/// `GET /learn/data/NAME/draw/WHAT`
pub(super) async fn draw(
    State(app): State<App>,
    Extension(desk): Extension<Arc<Desk>>,
    Path((name, what)): Path<(String, String)>,
    Query(pairs): Query<Vec<(String, String)>>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let made = blocking(move || {
        let asked = Asked(pairs);
        let subject = Subject::open(&desk, &app.store, &name, &asked)?;
        if !FIRST_LOOK.contains(&what.as_str()) {
            return Err(Fault::missing());
        }
        let drawn = first_look_at(&subject.data, &what, None).map_err(|e| wrong(&e))?;
        let svg = drawn.ok_or_else(Fault::missing)?.svg;
        Ok(match asked.one("keep") {
            Some(_) => download(SVG, &format!("{what}.svg"), svg),
            None => picture(svg),
        })
    });
    made.await.map_err(|f| f.for_reader(&headers))
}
