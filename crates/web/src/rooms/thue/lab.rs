//! The laboratory: a word with its repetitions, its runs and its gaps.

use std::fmt::Write;

use axum::extract::Query;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use wits_game::Lang;
use wits_search::{Recorder, Step, ThreadHeader, Watch};
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
    let text = recorder.finish(header, result, Lang::spoken()).text();
    (kind, text).into_response()
}

/// Draws the two windows under the word, beside what the search says.
struct Drawn<'a> {
    recorder: Recorder,
    word: &'a [u8],
}

impl Watch for Drawn<'_> {
    const ON: bool = true;

    fn step(&mut self, what: impl FnOnce() -> Step) {
        let step = what();
        let window = |key: &str| -> Option<(usize, usize)> {
            let ends = step.data.get(key)?;
            Some((ends[0].as_u64()? as usize, ends[1].as_u64()? as usize))
        };
        let windows = window("left").zip(window("right"));
        let step = match windows {
            Some((left, right)) => {
                let picture = under_windows(self.word, left, right);
                step.data("board", picture)
            }
            None => step,
        };
        self.recorder.step(|| step);
    }
}

/// The word, and below it the left window (1), the right one (2), and what they share (*).
fn under_windows(word: &[u8], left: (usize, usize), right: (usize, usize)) -> String {
    let width = if word.iter().any(|&c| c > 9) { 3 } else { 2 };
    let (mut letters, mut marks) = (String::new(), String::new());
    for (at, symbol) in word.iter().enumerate() {
        let within = |ends: (usize, usize)| (ends.0..ends.1).contains(&at);
        let mark = match (within(left), within(right)) {
            (true, true) => "*",
            (true, false) => "1",
            (false, true) => "2",
            (false, false) => " ",
        };
        let _ = write!(letters, "{symbol:>width$}");
        let _ = write!(marks, "{mark:>width$}");
    }
    format!("{letters}\n{}", marks.trim_end())
}

/// `GET /thue/windows`: the two windows that slide over the word.
pub(super) async fn windows(
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let subject = asked.subject().map_err(|f| f.for_reader(&headers))?;
    blocking(move || {
        let mut drawn = Drawn {
            recorder: Recorder::new(STEPS),
            word: &subject.word,
        };
        let found = find::first_watched(&subject.word, subject.variant, &mut drawn);
        let mut header = ThreadHeader::new("thue", "board");
        header.subject = subject.word.to_string();
        header.by = format!("find:kind={}", subject.variant);
        header.title = say("thue-windows");
        let result = found.map_or_else(
            || "none".to_owned(),
            |r| format!("{}+{}", r.start, r.length),
        );
        Ok(told(drawn.recorder, &header, &result))
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_drawn_under_the_word() {
        assert_eq!(
            under_windows(&[0, 1, 0, 1], (0, 2), (2, 4)),
            " 0 1 0 1\n 1 1 2 2"
        );
        assert_eq!(
            under_windows(&[0, 0, 0, 1], (0, 2), (1, 3)),
            " 0 0 0 1\n 1 * 2"
        );
    }

    #[test]
    fn a_repetition_shows_its_halves_and_a_dead_gap_its_cross() {
        let subject = |word: &str| Subject {
            word: word.parse().unwrap(),
            symbols: 3,
            variant: wits_thue::Variant::Square,
        };
        let twice = section(&subject("20101")).into_string();
        assert_eq!(twice.matches('①').count(), 3, "two tiles and the sentence");
        assert!(!twice.contains("thue-gap"));
        let dead = section(&subject("0212")).into_string();
        assert_eq!(dead.matches("thue-gap dead").count(), 1);
        assert!(dead.contains("Nothing fits into gap 1."));
    }
}
