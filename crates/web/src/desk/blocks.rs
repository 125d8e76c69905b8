//! An answer as HTML, and its parts as files.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use wits_desk::{Block, Call, Cell, Table};

use super::ask::Question;
use crate::Fault;
use crate::keep::{CSV, SVG, attachment};
use crate::pages::say;

/// The blocks of an answer, in order. `keep` gives the address of a part by its name.
pub(crate) fn blocks(blocks: &[Block], keep: &dyn Fn(&str) -> String) -> Markup {
    let notes: Vec<&Block> = blocks
        .iter()
        .filter(|block| matches!(block, Block::Note(_)))
        .collect();
    html! {
        @for (at, block) in blocks.iter().enumerate() {
            @match block {
                Block::Says(message) => p id=[(at == 0).then_some("answer")] role=[(at == 0).then_some("status")] { (prose(&message.to_string())) },
                Block::Table(shown) if shown.folded => details.panel { summary { (shown.title) } (table(shown, keep)) },
                Block::Table(shown) => { h2 { (shown.title) } (table(shown, keep)) },
                Block::Picture(picture) => figure.learn-figure {
                    div.learn-scroll tabindex="0" role="region" aria-label=(picture.title) { img src=(keep(&picture.name)) alt=(picture.title) loading="lazy"; }
                    figcaption.row { a href=(keep(&picture.name)) download { "SVG" } }
                },
                Block::File(file) => p { a.button href=(keep(&file.name)) download { (say("desk-keep")) " " (file.title) } },
                Block::Next(calls) => p.row { @for call in calls { a.button.quiet href=(address(call)) { (call.says) } } },
                Block::Note(_) => {},
            }
        }
        @if !notes.is_empty() {
            div.learn-notes #notes {
                p { strong { (say("learn-notes")) } }
                ul { @for note in notes { @if let Block::Note(message) = note { li { (prose(&message.to_string())) } } } }
            }
        }
    }
}

/// A sentence with what stands between backticks set as code.
pub(crate) fn prose(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

fn table(table: &Table, keep: &dyn Fn(&str) -> String) -> Markup {
    html! {
        div.learn-scroll tabindex="0" role="region" aria-label=(table.title) {
            table.data id=(table.name) {
                thead { tr { @for head in &table.columns { th scope="col" { (head) } } } }
                tbody {
                    @for row in &table.rows {
                        tr {
                            @for (at, cell) in row.iter().enumerate() {
                                @if at == 0 { th scope="row" { (shown(cell)) } }
                                @else if cell.is_number() { td.number { (shown(cell)) } }
                                @else { td { (shown(cell)) } }
                            }
                        }
                    }
                }
            }
        }
        p { a href=(keep(&table.name)) download { "CSV" } }
    }
}

fn shown(cell: &Cell) -> Markup {
    match cell {
        Cell::Link(cell, call) => {
            html! { a href=(address(call)) title=(call.says) { (cell.shown()) } }
        }
        cell => html! { (cell.shown()) },
    }
}

/// The page that asks a call.
fn address(call: &Call) -> String {
    let to = Question::to(&call.room, &call.verb, call.args.clone());
    to.map_or_else(|_| "/desk".to_owned(), |question| question.address(&[]))
}

/// A part of an answer as a file.
pub(crate) fn keep(blocks: &[Block], name: &str) -> Result<Response, Fault> {
    let found = blocks.iter().find_map(|block| match block {
        Block::Table(table) if table.name == name => Some((
            format!("{name}.csv"),
            CSV.to_owned(),
            table.csv().into_bytes(),
        )),
        Block::Picture(picture) if picture.name == name => {
            let svg = picture.svg.clone().into_bytes();
            Some(("picture.svg".to_owned(), SVG.to_owned(), svg))
        }
        Block::File(file) if file.name == name => {
            Some((file.file.clone(), file.mime.clone(), file.bytes.clone()))
        }
        _ => None,
    });
    let (file, mime, bytes) = found.ok_or_else(Fault::missing)?;
    let mime = HeaderValue::try_from(mime).map_err(|_| Fault::breakdown())?;
    let headers = [
        (header::CONTENT_TYPE, mime),
        (header::CONTENT_DISPOSITION, attachment(&file)),
    ];
    Ok((headers, bytes).into_response())
}
