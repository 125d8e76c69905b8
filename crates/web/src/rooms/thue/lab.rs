//! The laboratory: a word with its repetitions, its runs and its gaps.

use axum::extract::Query;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use wits_search::Thread;
use wits_thue::report::{self, Gaps};
use wits_thue::verbs::{found_blocks, gaps_blocks};
use wits_thue::{Repetition, threads};

use super::asked::{Asked, Subject};
use crate::desk::{Question, blocks};
use crate::pages::say;
use crate::routes::blocking;
use crate::{Fault, WORDS};

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

/// The part of the page about the word itself.
pub(super) fn section(subject: &Subject) -> Markup {
    let word = &subject.word;
    let found = report::found(word, subject.variant, 1);
    let first = found.all.first().copied();
    let gaps = report::gaps(word, subject.symbols, subject.variant).ok();
    let under = gaps
        .as_ref()
        .map_or(Under::Nothing, |gaps| Under::Links(gaps, subject));
    let mut shown = found_blocks(word, &found);
    shown.extend(gaps.iter().flat_map(gaps_blocks));
    let part = |name: &str| {
        let pairs = [
            ("word".to_owned(), word.to_string()),
            ("kind".to_owned(), subject.variant.to_string()),
        ];
        let find = Question::to("thue", "find", pairs.into());
        find.map_or_else(|_| String::new(), |find| find.address(&[("keep", name)]))
    };
    html! {
        (tiles(word, first, None, under))
        @if gaps.is_some() { p.muted { (say("thue-choose")) } }
        (blocks(&shown, &part))
        details.panel {
            summary { (say("thue-windows")) }
            p.muted { (say("thue-windows-about")) }
            wits-thread src={ "/thue/windows?" (subject.query()) } {}
        }
    }
}

/// A thread as it is sent.
pub(super) fn sent(thread: &Thread) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/jsonl; charset=utf-8")];
    (kind, thread.text()).into_response()
}

/// `GET /thue/windows`: the two windows that slide over the word.
pub(super) async fn windows(
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let subject = asked.subject().map_err(|f| f.for_reader(&headers))?;
    blocking(move || Ok(sent(&threads::windows(&subject.word, subject.variant)))).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repetition_shows_its_halves_and_a_dead_gap_its_cross() {
        let subject = |word: &str| Subject {
            word: word.parse().unwrap(),
            symbols: 3,
            variant: wits_thue::Variant::Square,
        };
        let twice = section(&subject("20101")).into_string();
        assert_eq!(twice.matches('①').count(), 2, "two tiles");
        assert!(twice.contains("01 &lt;-&gt; 01"), "{twice}");
        assert!(!twice.contains("thue-gap"));
        let dead = section(&subject("0212")).into_string();
        assert_eq!(dead.matches("thue-gap dead").count(), 1);
        assert!(dead.contains("Nothing fits into gap 1.") && dead.contains("Dead gaps: 1 (1)"));
    }
}
