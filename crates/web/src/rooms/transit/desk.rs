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
use super::timetables::{Desk, asked_desk, sourced};
use crate::pages::{LATER, again, embedded, frame, later, page, say};
use crate::think::soon;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// What a field of one view is in another: where one starts, and where one wants to go.
const START: [&str; 3] = ["from", "stop", "start"];
pub(super) const END: [&str; 2] = ["to", "via"];

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
    /// What the view is about, above everything else and as wide as the page.
    pub(super) lead: Markup,
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
    let (store, house) = (Arc::clone(&app.store), Arc::clone(&app.house));
    let question = asked.clone();
    let thought = soon(&app, visitor, &headers, super::PATIENCE, move |budget| {
        let (mut asked, mut mine) = sourced(&store, visitor, &question)?;
        let found = asked.date();
        let found = found.and_then(|date| asked_desk(&store, &house, &asked, date, budget));
        // A day without service, and a link to what is gone, are a sentence beside a desk that works.
        let (desk, wrong) = match found {
            Ok(desk) => (desk, None),
            Err(wrong) => {
                let day = match &wrong {
                    // Links, forms and the map are about what stands in for it: the visitor's own
                    // timetable, or what the house shows.
                    Wrong::Gone => {
                        let open = asked.without("feed").without("live");
                        (asked, mine) = sourced(&store, visitor, &open)?;
                        None
                    }
                    Wrong::Day { nearest, .. } => *nearest,
                    _ => None,
                };
                (
                    asked_desk(&store, &house, &asked, day, budget)?,
                    Some(wrong),
                )
            }
        };
        desk.within(budget, |desk| {
            let mut parts = view(desk, &asked);
            if let Some(wrong) = wrong {
                parts.answer = Err(wrong);
                (parts.lead, parts.wide) = (html! {}, html! {});
                parts.shown = json!({"kind": "none"});
            }
            body(path, desk, &asked, mine, &parts)
        })
    });
    let title = say("transit-title");
    let Some(found) = thought.await.map_err(|f| f.for_reader(&headers))? else {
        let body = waiting(path, &asked, &uri);
        return Ok(page(visitor, frame(&title, &["thread.js", LATER], &body)));
    };
    let body = found.map_err(|wrong| super::timetables::refused(&wrong).for_reader(&headers))?;
    let scripts = ["thread.js", "threads.js", "transit.js", LATER];
    Ok(page(visitor, frame(&title, &scripts, &body)))
}

/// The ways to the other views, with the stops that were chosen here.
fn views(path: &str, asked: &Asked) -> Markup {
    let pick = |names: &[&str]| names.iter().find_map(|name| asked.given(name));
    let (start, end) = (pick(&START), pick(&END));
    let link = |to: &str, keep: &[&'static str]| {
        let mut set: Vec<(&str, &str)> = Vec::new();
        for &field in keep.iter().filter(|field| asked.given(field).is_none()) {
            let text = if START.contains(&field) {
                start
            } else if END.contains(&field) {
                end
            } else {
                None
            };
            set.extend(text.map(|text| (field, text)));
        }
        // A view of one stop has no place for where one wants to go, and must not forget it.
        let one = !keep.iter().any(|field| END.contains(field));
        let more: &[&str] = if one { &END } else { &[] };
        asked.link(to, &[keep, more].concat(), &set)
    };
    html! {
        nav.tabs.row aria-label=(say("transit-views")) {
            @for (to, key, keep) in VIEWS {
                a.button.quiet href=(link(to, keep)) aria-current=[(to == path).then_some("page")] { (say(key)) }
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

fn body(path: &str, desk: &Desk, asked: &Asked, mine: bool, parts: &Parts) -> Markup {
    let planner = &desk.planner;
    let date = planner.date().map(|date| date.to_string());
    // The map is that of the day that is shown, not of one on which nothing runs.
    let day: Vec<(&str, &str)> = date.iter().map(|d| ("date", d.as_str())).collect();
    let network = asked.link("/transit/map", &[], &day);
    html! {
        main.transit #main data-network=(network) data-path=(path) data-feed=[asked.given("feed")] {
            h1 { (say("transit-title")) }
            p.lead { (say("transit-lead")) }
            (timetable(desk, asked, mine))
            (views(path, asked))
            div #lead { (parts.lead) }
            div.tr-desk {
                section.tr-ask {
                    (parts.form)
                    p.muted #progress role="status" hidden {}
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
        "working": say("transit-working"), "reading": say("transit-reading"), "drop": say("transit-drop"),
        "km": say("transit-kilometres"), "metres": say("transit-metres"),
        "whole": say("transit-whole-answer"), "file": say("transit-file"), "row": say("transit-row"), "what": say("transit-what"), "rows": say("transit-rows"), "example": say("transit-example"),
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

/// Which timetable it is, and bringing another. A file may be dropped anywhere on the page.
fn timetable(desk: &Desk, asked: &Asked, mine: bool) -> Markup {
    let planner = &desk.planner;
    let table = &planner.table;
    let date = planner.date();
    let date = date.map_or_else(|| say("transit-every-day"), |d| d.to_string());
    let told = WORDS
        .say("transit-planned")
        .with("title", table.title.clone());
    let told = told
        .with("date", date)
        .with("stops", table.stops.len() as u64);
    html! {
        details.panel.tr-timetable #own {
            summary { span #timetable { (told.with("lines", table.lines.len() as u64)) } " " span.muted { (say("transit-own")) } }
            p { (say("transit-own-about")) }
            div.field.tr-upload {
                label for="feed" { (say("transit-own-file")) }
                input #feed type="file" accept=".zip,.wits,.csv,.pb,.bin";
                small { (say("transit-own-where")) }
            }
            @if let Some(feed) = asked.given("feed") {
                p { (say("transit-share")) " " a #share href=(format!("/transit?feed={feed}")) { "/transit?feed=" (feed) } }
            }
            @if mine {
                p { (say("transit-live-about")) }
                form action="/transit/feed/forget" method="post" {
                    button.button type="submit" { (say("transit-own-forget")) }
                }
            }
        }
        p #upload-message role="status" hidden {}
        div #diagnosis hidden {}
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
        (asked.source())
        div.field.tr-small {
            label for="at" { (say("transit-at")) }
            div.row.tr-at {
                input #at name="at" type="time" required value=(asked.given("at").unwrap_or("08:00"));
                button.button.quiet.small.tr-now type="button" { (say("transit-now")) }
            }
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

/// Places worth trying first: the one with most departures, and others far from it and each other.
pub(super) fn examples(planner: &Planner) -> Vec<String> {
    let table = &planner.table;
    let departures = planner.departures_by_name();
    let served = planner.served();
    let busy = |s: u32| departures[table.stops[s as usize].name as usize];
    let Some(&busiest) = served
        .iter()
        .max_by_key(|&&s| (busy(s), std::cmp::Reverse(s)))
    else {
        return Vec::new();
    };
    let mut chosen = vec![busiest];
    let mut count: Vec<u32> = served.iter().map(|&s| busy(s)).collect();
    count.sort_unstable();
    let usual = count[count.len() / 2];
    while chosen.len() < 6 {
        let nearest = |s: u32| {
            chosen
                .iter()
                .map(|&c| table.distance_cm(s, c))
                .min()
                .unwrap_or(0)
        };
        // Places at least as busy as most: somebody goes there.
        let far = served
            .iter()
            .copied()
            .filter(|&s| busy(s) >= usual)
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
