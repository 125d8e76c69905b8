//! What several pages of the desk share.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use wits_game::Figure;
use wits_learn::Warning;

use super::asked::Choice;
use super::files::Opened;
use crate::WORDS;
pub(super) use crate::desk::prose;
use crate::keep::SVG;
use crate::pages::{say, written};

/// The pages about a table: the end of the address, the word.
const TABS: [(&str, &str); 5] = [
    ("", "learn-tab-look"),
    ("grid", "learn-tab-grid"),
    ("pipeline", "learn-tab-pipeline"),
    ("what-if", "learn-tab-what-if"),
    ("compare", "learn-tab-compare"),
];

/// The way from one page about a table to another.
pub(super) fn tabs(opened: &Opened, choice: &Choice, here: &str) -> Markup {
    html! {
        nav.learn-tabs aria-label=(say("learn-tabs")) {
            ol {
                @for (page, word) in TABS {
                    li { a href=(opened.page(page, &choice.query(&[]))) aria-current=[(page == here).then_some("page")] { (say(word)) } }
                }
            }
        }
    }
}

/// What is worth knowing.
pub(super) fn notes(warnings: &[Warning]) -> Markup {
    html! {
        @if !warnings.is_empty() {
            div.learn-notes #notes {
                p { strong { (say("learn-notes")) } }
                ul { @for warning in warnings { li data-key=(warning.key) { (prose(&warning.text)) } } }
            }
        }
    }
}

/// A share in per cent.
pub(super) fn per_cent(share: f64) -> String {
    format!("{}\u{a0}%", written(Figure::Decimal(100.0 * share, 1)))
}

/// An interval in per cent.
pub(super) fn between([low, high]: [f64; 2]) -> String {
    let (low, high) = (100.0 * low, 100.0 * high);
    WORDS
        .say("learn-between")
        .with("low", Figure::Decimal(low, 1))
        .with(
            "high",
            format!("{}\u{a0}%", written(Figure::Decimal(high, 1))),
        )
        .to_string()
}

/// A number short enough to read.
pub(super) fn short(x: f64) -> String {
    let size = x.abs();
    if size >= 1e6 || (size > 0.0 && size < 1e-3) {
        format!("{x:.2e}")
    } else {
        let digits = if size >= 100.0 { 1 } else { 4 };
        let text = format!("{x:.digits$}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

/// A picture to look at.
pub(super) fn picture(svg: String) -> Response {
    ([(header::CONTENT_TYPE, SVG)], svg).into_response()
}

/// A figure that can be wider than the page, with what can be kept of it.
pub(super) fn figure(address: &str, svg: &str, title: &str, csv: Option<&str>) -> Markup {
    html! {
        figure.learn-figure {
            div.learn-scroll tabindex="0" role="region" aria-label=(title) {
                img src=(address) alt=(title) loading="lazy";
            }
            figcaption.row {
                a href=(svg) download { "SVG" }
                @if let Some(csv) = csv { a href=(csv) { "CSV" } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (x, text) in [
            (1.518_365_4, "1.5184"),
            (72.650_935, "72.6509"),
            (0.0, "0"),
            (1e-7, "1.00e-7"),
            (12_345.67, "12345.7"),
        ] {
            assert_eq!(short(x), text);
        }
    }
}
