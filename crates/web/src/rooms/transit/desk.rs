//! The frame that all views of the room share: tabs, the form and its answer, the map.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::routing::{MethodRouter, get};
use maud::{Markup, html};
use serde_json::{Value, json};
use wits_transit::Planner;

use super::asked::{Asked, Wrong};
use super::timetables::{Desk, own_desk};
use crate::pages::{LATER, again, embedded, frame, later, page, say};
use crate::think::soon;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The views of the room: address, name, fields that are worth keeping when one goes there.
const VIEWS: [(&str, &str, &[&str]); 5] = [
    (
        "/transit",
        "transit-journeys",
        &["from", "to", "at", "date"],
    ),
    ("/transit/board", "transit-board", &["stop", "at", "date"]),
    ("/transit/reach", "transit-reach", &["stop", "at", "date"]),
    (
        "/transit/tour",
        "transit-tour",
        &["start", "via", "at", "date"],
    ),
    (
        "/transit/search",
        "transit-search",
        &["from", "to", "at", "date"],
    ),
];

/// What a view shows.
pub(super) struct Parts {
    /// The question.
    pub(super) form: Markup,
    /// The answer, beside the map.
    pub(super) answer: Result<Markup, Wrong>,
    /// Evidence that needs the whole width.
    pub(super) wide: Markup,
    /// What the map shows.
    pub(super) shown: Value,
}

/// What an address of this room shows.
pub(super) type View = fn(&Desk, &Asked) -> Parts;

/// A view as a page.
pub(super) fn page_of(view: View) -> MethodRouter<App> {
    get(
        move |State(app): State<App>, visitor: Visitor, headers: HeaderMap, uri: Uri| {
            show(app, visitor, headers, uri, view)
        },
    )
}

async fn show(
    app: App,
    visitor: Visitor,
    headers: HeaderMap,
    uri: Uri,
    view: View,
) -> Result<Response, Fault> {
    let asked = Asked::of(&uri).map_err(|f| f.for_reader(&headers))?;
    let path = VIEWS
        .iter()
        .map(|v| v.0)
        .find(|p| *p == uri.path())
        .unwrap_or("/transit");
    let store = Arc::clone(&app.store);
    let question = asked.clone();
    let thought = soon(&app, visitor, &headers, super::PATIENCE, move |budget| {
        let date = question.date();
        let found = date.and_then(|date| own_desk(&store, visitor, date, budget));
        // A day without service is a sentence beside a desk that works.
        let (desk, wrong) = match found {
            Ok(desk) => (Ok(desk), None),
            Err(wrong) => (own_desk(&store, visitor, None, budget), Some(wrong)),
        };
        desk?.within(budget, |desk| {
            let mut parts = view(desk, &question);
            if let Some(wrong) = wrong {
                parts.answer = Err(wrong);
                parts.wide = html! {};
            }
            body(path, desk, &question, &parts)
        })
    });
    let title = say("transit-title");
    let Some(found) = thought.await.map_err(|f| f.for_reader(&headers))? else {
        let body = waiting(path, &asked, &uri);
        return Ok(page(visitor, frame(&title, &["thread.js", LATER], &body)));
    };
    let body = found.map_err(|wrong| super::timetables::refused(&wrong).for_reader(&headers))?;
    let scripts = ["thread.js", "threads.js", "transit.js"];
    Ok(page(visitor, frame(&title, &scripts, &body)))
}

/// The ways to the other views.
fn views(path: &str, asked: &Asked) -> Markup {
    html! {
        nav.tabs.row aria-label=(say("transit-views")) {
            @for (to, key, keep) in VIEWS {
                a.button.quiet href=(asked.link(to, keep, &[])) aria-current=[(to == path).then_some("page")] { (say(key)) }
            }
        }
    }
}

/// A desk that is laid when a thinker has time: all of it needs the timetable.
fn waiting(path: &str, asked: &Asked, uri: &Uri) -> Markup {
    html! {
        main #main data-later=(again(uri)) {
            h1 { (say("transit-title")) }
            p.lead { (say("transit-lead")) }
            (views(path, asked))
            (later(uri))
        }
    }
}

fn body(path: &str, desk: &Desk, asked: &Asked, parts: &Parts) -> Markup {
    let planner = &desk.planner;
    let tables = WORDS
        .say("transit-planned")
        .with("title", planner.table.title.clone());
    let date = planner
        .date()
        .map_or_else(|| say("transit-every-day"), |d| d.to_string());
    let network = asked.link("/transit/map", &["date"], &[]);
    html! {
        main.transit #main data-network=(network) data-path=(path) {
            h1 { (say("transit-title")) }
            p.lead { (say("transit-lead")) }
            (views(path, asked))
            div.tr-desk {
                section.tr-ask {
                    (parts.form)
                    div #answer aria-live="polite" {
                        @match &parts.answer {
                            Ok(answer) => (answer),
                            Err(wrong) => (wrong.show(path, asked)),
                        }
                        script.shown type="application/json" { (embedded(&parts.shown)) }
                    }
                }
                (map())
            }
            div #wide { (parts.wide) }
            p.muted { (tables.with("date", date).with("stops", planner.table.stops.len() as u64).with("lines", planner.table.lines.len() as u64)) }
            (own(desk))
        }
    }
}

/// The map and its buttons. Everything on it is also said in words beside it.
fn map() -> Markup {
    let words = json!({
        "from": say("transit-from-here"), "to": say("transit-to-here"), "board": say("transit-board"),
        "reach": say("transit-reach"), "add": say("transit-add-here"), "close": say("transit-close"),
        "lines": say("transit-lines"), "failed": say("transit-failed"), "start": say("transit-start-mark"),
        "noStops": say("transit-no-suggestion"), "suggestions": say("transit-suggestions"),
        "up": say("transit-up"), "down": say("transit-down"), "remove": say("transit-remove"),
        "moved": say("transit-moved"), "drag": say("transit-drag"),
    });
    html! {
        section.tr-map aria-label=(say("transit-map")) {
            div #map tabindex="0" role="group" aria-label=(say("transit-map-keys")) {}
            div.tr-zoom {
                button.button.quiet type="button" data-zoom="in" aria-label=(say("transit-zoom-in")) { "+" }
                button.button.quiet type="button" data-zoom="out" aria-label=(say("transit-zoom-out")) { "−" }
                button.button.quiet type="button" data-zoom="fit" aria-label=(say("transit-zoom-fit")) { "⤢" }
            }
            div #stop-card hidden {}
            p.legend.muted #map-legend {
                span { span.tr-key.tram {} " " (say("transit-tram")) }
                span { span.tr-key.rail {} " " (say("transit-rail")) }
                span { span.tr-key.bus {} " " (say("transit-bus")) }
                span { (say("transit-map-hint")) }
            }
            p.no-script { (say("transit-no-script")) }
            script.words type="application/json" { (embedded(&words)) }
        }
    }
}

/// Bringing a timetable of one's own.
fn own(desk: &Desk) -> Markup {
    html! {
        details.panel #own {
            summary { (say("transit-own")) }
            p { (say("transit-own-about")) }
            div.field.tr-upload {
                label for="feed" { (say("transit-own-file")) }
                input #feed type="file" accept=".zip,.wits,.csv";
                small { (say("transit-own-where")) }
            }
            p #upload-message role="status" {}
            @if desk.own {
                form action="/transit/feed/forget" method="post" {
                    button.button type="submit" { (say("transit-own-forget")) }
                }
            }
        }
    }
}

/// A field for a stop, with suggestions while one types.
pub(super) fn stop_field(asked: &Asked, name: &str, label: &'static str) -> Markup {
    html! {
        div.field.tr-stop {
            label for=(name) { (say(label)) }
            input id=(name) name=(name) type="text" data-stop required autocomplete="off" spellcheck="false" maxlength="200" value=(asked.given(name).unwrap_or_default());
        }
    }
}

/// Fields for the time and, where days have dates, the day.
pub(super) fn when_fields(planner: &Planner, asked: &Asked) -> Markup {
    html! {
        div.field.tr-small {
            label for="at" { (say("transit-at")) }
            input #at name="at" type="time" required value=(asked.given("at").unwrap_or("08:00"));
        }
        @if let Some(date) = planner.date() {
            @let bounds = planner.table.calendar.bounds();
            div.field.tr-small {
                label for="date" { (say("transit-date")) }
                input #date name="date" type="date" value=(asked.given("date").map_or_else(|| date.to_string(), ToOwned::to_owned))
                    min=[bounds.map(|b| b.0.to_string())] max=[bounds.map(|b| b.1.to_string())];
            }
        }
    }
}

/// A choice of words.
pub(super) fn choice(
    name: &str,
    label: &'static str,
    options: &[(&str, &'static str)],
    chosen: &str,
) -> Markup {
    html! {
        div.field.tr-small {
            label for=(name) { (say(label)) }
            select id=(name) name=(name) {
                @for (value, key) in options {
                    option value=(value) selected[*value == chosen] { (say(key)) }
                }
            }
        }
    }
}

/// Stops worth trying first: the one with the most lines, and others far from it and each other.
pub(super) fn examples(planner: &Planner) -> Vec<String> {
    let table = &planner.table;
    let lines = table.lines_at();
    let served = planner.served();
    let Some(&busiest) = served
        .iter()
        .max_by_key(|&&s| (lines[s as usize].len(), std::cmp::Reverse(s)))
    else {
        return Vec::new();
    };
    let mut chosen = vec![busiest];
    while chosen.len() < 6 {
        let nearest = |s: u32| {
            chosen
                .iter()
                .map(|&c| table.distance_cm(s, c))
                .min()
                .unwrap_or(0)
        };
        // Stops with two lines or more: somebody goes there.
        let far = served
            .iter()
            .copied()
            .filter(|&s| lines[s as usize].len() > 1)
            .max_by_key(|&s| (nearest(s), std::cmp::Reverse(s)));
        match far.filter(|&s| nearest(s) > 0) {
            Some(next) => chosen.push(next),
            None => break,
        }
    }
    chosen
        .iter()
        .map(|&s| table.stop_name(s).to_owned())
        .collect()
}
