//! What was measured about a pipeline: as a table of mistakes to click on.

use maud::{Markup, html};
use wits_learn::{CrossValidated, Values};

use super::files::Subject;
use crate::WORDS;
use crate::pages::say;

/// Rows of a cell that are listed.
const LISTED: usize = 200;

/// Truth by prediction; every cell with rows leads to them.
pub(super) fn confusion(
    subject: &Subject,
    found: &CrossValidated,
    pipeline: &str,
    chosen: Option<(usize, usize)>,
) -> Markup {
    let classes = subject.data.classes();
    let largest = found
        .scores
        .confusion
        .iter()
        .flatten()
        .copied()
        .max()
        .unwrap_or(1);
    let shade = |count: usize| (count * 5).div_ceil(largest.max(1));
    html! {
        div.learn-scroll tabindex="0" role="region" aria-label=(say("learn-confusion")) {
            table.data.learn-confusion #confusion {
                caption { (say("learn-confusion-about")) }
                thead {
                    tr { td {} th colspan=(classes.len()) scope="colgroup" { (say("learn-predicted")) } }
                    tr { th scope="col" { (say("learn-truth")) } @for class in classes { th scope="col" { (class) } } }
                }
                tbody {
                    @for (t, row) in found.scores.confusion.iter().enumerate() {
                        tr {
                            th scope="row" { (classes[t]) }
                            @for (p, &count) in row.iter().enumerate() {
                                td class={ "shade" (shade(count)) @if t == p { " right" } @if chosen == Some((t, p)) { " chosen" } } {
                                    @if count == 0 { "0" } @else {
                                        a href=(address(subject, pipeline, t, p)) aria-current=[(chosen == Some((t, p))).then_some("true")]
                                            aria-label=(WORDS.say("learn-cell").with("count", count).with("truth", &classes[t]).with("predicted", &classes[p])) { (count) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn address(subject: &Subject, pipeline: &str, truth: usize, predicted: usize) -> String {
    let (t, p) = (truth.to_string(), predicted.to_string());
    let fields = [("pipeline", pipeline), ("truth", &t), ("predicted", &p)];
    subject.page("pipeline", &fields) + "#rows"
}

/// The rows of one cell, as the file has them.
pub(super) fn rows(
    subject: &Subject,
    found: &CrossValidated,
    pipeline: &str,
    chosen: Option<(usize, usize)>,
) -> Markup {
    let Some((truth, predicted)) = chosen else {
        return html! { section #rows { p.muted { (say("learn-rows-none")) } } };
    };
    let mut list: Vec<usize> = found
        .answers
        .iter()
        .filter(|a| a.truth as usize == truth && a.predicted as usize == predicted)
        .map(|a| a.row)
        .collect();
    list.sort_unstable();
    list.dedup();
    let classes = subject.data.classes();
    let table = &subject.opened.table;
    html! {
        section #rows {
            h3 tabindex="-1" { (WORDS.say("learn-rows-title").with("count", list.len()).with("truth", &classes[truth]).with("predicted", &classes[predicted])) }
            div.learn-scroll tabindex="0" role="region" aria-label=(say("learn-rows-label")) {
                table.data {
                    thead { tr { th scope="col" { (say("learn-row")) } @for c in &table.columns { th scope="col" { (c.name) } } th scope="col" { (say("learn-tab-what-if")) } } }
                    tbody {
                        @for row in list.iter().take(LISTED) {
                            tr {
                                th scope="row" { (row) }
                                @for c in &table.columns { td { (cell(&c.values, row - 1)) } }
                                td { a href=(subject.page("what-if", &[("pipeline", pipeline), ("row", &row.to_string())])) { (say("learn-try")) span.sr-only { " " (WORDS.say("learn-row-number").with("row", *row)) } } }
                            }
                        }
                    }
                }
            }
            @if list.len() > LISTED { p.muted { (WORDS.say("learn-rows-more").with("count", list.len() - LISTED)) } }
        }
    }
}

fn cell(values: &Values, row: usize) -> String {
    let text = values.text(row);
    if text.is_empty() {
        "–".to_owned()
    } else {
        text
    }
}
