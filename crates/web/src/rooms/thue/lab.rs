//! The laboratory: a word with its repetitions, its runs and its gaps.

use axum::extract::Query;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use wits_game::Lang;
use wits_search::{Recorder, ThreadHeader};
use wits_thue::report::{self, Gaps};
use wits_thue::words::find;
use wits_thue::words::irreducible::TooClose;
use wits_thue::{Repetition, Word};

use super::asked::{Asked, Subject};
use crate::pages::say;
use crate::routes::blocking;
use crate::{Fault, WORDS};

/// How many runs are listed.
const RUNS: usize = 100;
/// How many steps of the two windows are kept.
const STEPS: usize = 4000;

/// What stands under a gap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Under<'a> {
    /// Nothing: the word has a repetition.
    Nothing,
    /// Only how many symbols fit.
    Count(&'a Gaps),
    /// The symbols that fit, each a link to the longer word.
    Links(&'a Gaps, &'a Subject),
}

/// A word as tiles with gaps between them. The two halves of a repetition are marked.
pub(super) fn tiles(
    word: &[u8],
    found: Option<Repetition>,
    chosen: Option<usize>,
    under: Under<'_>,
) -> Markup {
    html! {
        ol.thue-word aria-label=(say("thue-word")) {
            @for at in 0..=word.len() {
                (gap(at, chosen == Some(at), under))
                @if let Some(&symbol) = word.get(at) { (tile(symbol, at, found)) }
            }
        }
    }
}

fn tile(symbol: u8, at: usize, found: Option<Repetition>) -> Markup {
    let half = found.and_then(|r| {
        let inside = (r.start..r.end()).contains(&at);
        inside.then_some(if at < r.start + r.period { 1 } else { 2 })
    });
    html! {
        li.thue-cell.first[half == Some(1)].second[half == Some(2)] {
            span class={ "thue-tile c" (symbol % 8) } { (symbol) }
            @if let Some(half) = half {
                span.thue-half title=(say(if half == 1 { "thue-first-half" } else { "thue-second-half" })) { (if half == 1 { "①" } else { "②" }) }
            }
        }
    }
}

fn gap(at: usize, chosen: bool, under: Under<'_>) -> Markup {
    let gaps = match under {
        Under::Nothing => return html! {},
        Under::Count(gaps) | Under::Links(gaps, _) => gaps,
    };
    let fitting = &gaps.symbols[at];
    html! {
        li.thue-gap.dead[fitting.is_empty()].chosen[chosen] {
            span.thue-bar aria-hidden="true" {}
            @if fitting.is_empty() {
                span.thue-dead title=(WORDS.say("thue-gap-dead").with("gap", at)) { "✕" }
                span.sr-only { (WORDS.say("thue-gap-dead").with("gap", at)) }
            } @else if let Under::Links(_, subject) = under {
                @for &symbol in fitting {
                    a class={ "thue-fit c" (symbol % 8) } href=(subject.with(&subject.word.with(at, symbol)))
                        aria-label=(WORDS.say("thue-put").with("symbol", symbol).with("gap", at)) { (symbol) }
                }
            } @else {
                span.thue-count title=(WORDS.say("thue-gap-fits").with("gap", at).with("count", fitting.len())) { (fitting.len()) }
            }
        }
    }
}

fn letters(word: &[u8], from: usize, count: usize) -> String {
    let part = word.get(from..from + count).unwrap_or_default();
    Word::new(part.to_vec()).map_or_else(|_| String::new(), |w| w.to_string())
}

/// The part of the page about the word itself.
pub(super) fn section(subject: &Subject) -> Markup {
    let word = &subject.word;
    let found = report::found(word, subject.variant, 1);
    let first = found.all.first().copied();
    let gaps = report::gaps(word, subject.symbols, subject.variant).ok();
    let under = gaps
        .as_ref()
        .map_or(Under::Nothing, |gaps| Under::Links(gaps, subject));
    html! {
        (tiles(word, first, None, under))
        @if let Some(r) = first {
            p #found role="status" {
                (WORDS.say("thue-found").with("variant", subject.variant.name()).with("start", r.start).with("period", r.period).with("count", found.count))
                " " mark.thue-first { "① " (letters(word, r.start, r.period)) } " "
                mark.thue-second { "② " (letters(word, r.start + r.period, r.length - r.period)) }
            }
        } @else {
            p #found role="status" {
                (WORDS.say("thue-none").with("variant", subject.variant.name()).with("length", word.len()))
            }
        }
        @if let Some(gaps) = &gaps {
            p {
                (WORDS.say("thue-fits").with("total", gaps.total).with("gaps", gaps.fits.len()))
                " "
                @if gaps.dead.is_empty() { (say("thue-no-dead")) } @else {
                    (WORDS.say("thue-dead").with("count", gaps.dead.len()).with("gaps", gaps.dead.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")))
                }
            }
        }
        @if let Some(irreducible) = found.irreducible {
            p.muted {
                (say(if irreducible { "thue-irreducible" } else { "thue-reducible" }))
                @if let Some(close) = &found.too_close { " " (too_close(close)) }
            }
        }
        (runs(word, &found))
        details.panel {
            summary { (say("thue-windows")) }
            p.muted { (say("thue-windows-about")) }
            wits-thread src={ "/thue/windows?" (subject.query()) } {}
        }
    }
}

fn too_close(close: &TooClose) -> Markup {
    let says = WORDS.say("thue-too-close").with("first", close.first);
    let says = says.with("second", close.second);
    html! { (says.with("length", close.length)) }
}

fn runs(word: &[u8], found: &report::Found) -> Markup {
    html! {
        details.panel open[!found.runs.is_empty()] {
            summary { (WORDS.say("thue-runs").with("count", found.runs.len())) }
            @if found.runs.is_empty() {
                p.muted { (say("thue-runs-none")) }
            } @else {
                div.mb-scroll tabindex="0" role="region" aria-label=(say("thue-runs-table")) {
                    table.data {
                        thead { tr { @for key in ["thue-start", "thue-period", "thue-length", "thue-word"] { th scope="col" { (say(key)) } } } }
                        tbody {
                            @for run in found.runs.iter().take(RUNS) {
                                tr {
                                    td { (run.start) } td { (run.period) } td { (run.length) }
                                    td { code.thue-code { (letters(word, run.start, run.length)) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A thread as it is sent.
pub(super) fn told(recorder: Recorder, header: &ThreadHeader, result: &str) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/jsonl; charset=utf-8")];
    let text = recorder.finish(header, result, Lang::En).text();
    (kind, text).into_response()
}

/// `GET /thue/windows`: the two windows that slide over the word.
pub(super) async fn windows(
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let subject = asked.subject().map_err(|f| f.for_reader(&headers))?;
    blocking(move || {
        let mut recorder = Recorder::new(STEPS);
        let found = find::first_watched(&subject.word, subject.variant, &mut recorder);
        let mut header = ThreadHeader::new("thue", "board");
        header.subject = subject.word.to_string();
        header.by = format!("find:kind={}", subject.variant);
        header.title = say("thue-windows");
        let result = found.map_or_else(
            || "none".to_owned(),
            |r| format!("{}+{}", r.start, r.length),
        );
        Ok(told(recorder, &header, &result))
    })
    .await
}
