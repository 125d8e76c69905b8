//! Pages: HTML from Rust that works as plain forms.

mod at_table;
mod board;
pub(crate) mod course;
mod game;
mod home;
mod later;
pub(crate) mod machines;
mod my_games;
mod new_game;
mod pictures;
mod ready;
mod review;
mod run;
pub(crate) mod threads;
mod tries;
pub(crate) mod turning;

use axum::Json;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::{Value, json};
use wits_game::{Figure, Lang};

use crate::fault::reads_pages;
use crate::visitor::Visitor;
use crate::{Fault, WORDS, lang};

pub(crate) use at_table::AtTable;
pub(crate) use board::board;
pub(crate) use game::{embedded, game};
pub(crate) use home::home;
pub(crate) use later::{LATER, again, later, part};
pub(crate) use my_games::my_games;
pub(crate) use new_game::new_game;
pub(crate) use ready::{SCRIPTS as READY, ready};
pub(crate) use review::{remarks, review, reviewed};
pub(crate) use run::{offer, run};
pub(crate) use turning::turning;

/// A word of the pages' book.
pub(crate) fn say(key: &'static str) -> String {
    WORDS.say(key).to_string()
}

/// A figure as the reader's language writes it.
pub(crate) fn written(figure: Figure) -> String {
    figure.to(Lang::spoken())
}

/// Messages come in lower case without a full stop; on a page they are sentences.
pub(crate) fn sentence(text: &str) -> String {
    let text = text.trim();
    let mut letters = text.chars();
    let Some(first) = letters.next() else {
        return String::new();
    };
    let stop = if text.ends_with(['.', '!', '?', '…']) {
        ""
    } else {
        "."
    };
    format!("{}{}{stop}", first.to_uppercase(), letters.as_str())
}

/// The words that scripts write, without the `js-` that marks their keys, and what people call the machines.
fn script_words() -> Value {
    let lang = Lang::spoken();
    WORDS
        .keys()
        .into_iter()
        .filter_map(|key| {
            let machine = key.starts_with("machine-").then_some(key);
            let name = key.strip_prefix("js-").or(machine)?;
            Some((name, WORDS.text(lang, key)?))
        })
        .map(|(name, text)| (name.to_owned(), Value::from(text)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// The sign of the switch between light and dark.
const THEME: PreEscaped<&str> = PreEscaped(
    r#"<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M10 2.5a7.5 7.5 0 0 1 0 15ZM10 2.5a7.5 7.5 0 0 0 0 15" fill="none" stroke="currentColor" stroke-width="2"/><path d="M10 2.5a7.5 7.5 0 0 1 0 15Z" fill="currentColor"/></svg>"#,
);

/// The frame of every page.
pub(crate) fn frame(title: &str, scripts: &[&str], body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(Lang::spoken().code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · wits" }
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/wits.css";
                script src="/assets/theme.js" {}
                @if !scripts.is_empty() {
                    script #words type="application/json" { (embedded(&script_words())) }
                }
                @for script in scripts {
                    script type="module" src={ "/assets/" (script) } {}
                }
            }
            body {
                a.skip href="#main" { (say("skip")) }
                header.top {
                    nav aria-label=(say("navigation")) {
                        a.brand href="/" { (say("site")) }
                        span.places {
                            a href="/" { (say("home")) }
                            a href="/lessons" { (say("lessons")) }
                            a href="/threads" { (say("threads")) }
                            a href="/arena" { (say("arena-menu")) }
                            a href="/docs" { (say("manual")) }
                        }
                        span.own {
                            a href="/games" { (say("my-games")) }
                            button #theme type="button" hidden aria-label=(say("theme")) title=(say("theme")) { (THEME) }
                            (lang::switch())
                        }
                    }
                }
                (body)
                footer {
                    p.muted {
                        (say("motto"))
                        @for (to, key) in [("/mine", "mine-title"), ("/glossary", "glossary"), ("/desk", "desk-title")] { " · " a href=(to) { (say(key)) } }
                    }
                }
            }
        }
    }
}

/// A page as an answer; a visitor who came for the first time gets a name.
pub(crate) fn page(visitor: Visitor, markup: Markup) -> Response {
    let mut response = markup.into_response();
    visitor.introduce(&mut response);
    response
}

/// After a change: the page again for readers of pages, its address for scripts.
pub(crate) fn back(headers: &HeaderMap, visitor: Visitor, to: &str) -> Response {
    let mut response = if reads_pages(headers) {
        Redirect::to(to).into_response()
    } else {
        Json(json!({ "page": to })).into_response()
    };
    visitor.introduce(&mut response);
    response
}

/// What went wrong, as a page.
pub(crate) fn fault(fault: &Fault) -> Markup {
    frame(
        &say("fault-title"),
        &[],
        &html! {
            main #main {
                h1 { (say("fault-title")) }
                p.error role="alert" { (fault.message) }
                p { (fault.hint) }
                p { a.button href="/" { (say("home")) } }
            }
        },
    )
}
