//! Tours: the visitor's own order against the best there is.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde_json::{Value, json};
use wits_transit::Planner;
use wits_transit::tour::{Compared, Method, Tabu, Tour, TourBy, TourQuestion};

use super::asked::{Asked, Wrong};
use super::desk::{Parts, choice, examples, stop_field, when_fields};
use super::rides;
use super::timetables::{Desk, Timetables, ask};
use crate::keep::LINES;
use crate::pages::say;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The most stops of a tour on the page.
const MOST: usize = 15;
/// How many steps of a tabu search are kept.
const STEPS: usize = 4000;
/// The fields of a tour.
const FIELDS: [&str; 7] = ["start", "via", "at", "date", "by", "dwell", "open"];

/// `GET /transit/tour/thread`: a tabu search, iteration by iteration.
pub(super) async fn thread(
    State(app): State<App>,
    Extension(tables): Extension<Arc<Timetables>>,
    visitor: Visitor,
    uri: Uri,
) -> Result<Response, Fault> {
    let text = ask(&app, &tables, visitor, &uri, |desk, asked| {
        let question = question(&desk.planner, asked)?;
        let question = question.ok_or_else(|| Wrong::of(&WORDS.say("transit-tour-empty")))?;
        let question = TourQuestion {
            method: Method::Tabu(tabu(question.stops.len())),
            ..question
        };
        let tour = desk.planner.tour(&question).map_err(|e| Wrong::of(&e))?;
        Ok(desk.planner.tour_thread(&question, &tour, STEPS).text())
    })
    .await?;
    Ok(([(header::CONTENT_TYPE, LINES)], text).into_response())
}

/// The report's tabu search with all its parts.
fn tabu(stops: usize) -> Tabu {
    Tabu {
        tenure: Some(stops),
        aspiration: Some(0.1),
        ..Tabu::default()
    }
}

/// The tour that the fields ask for, if there is anything to visit.
fn question(planner: &Planner, asked: &Asked) -> Result<Option<TourQuestion>, Wrong> {
    let start = asked.stops(planner, "start")?;
    let texts: Vec<&str> = asked
        .all("via")
        .flat_map(|text| text.split(';'))
        .filter(|text| !text.trim().is_empty())
        .collect();
    if texts.len() > MOST {
        return Err(Wrong::of(
            &WORDS.say("transit-tour-long").with("most", MOST as u64),
        ));
    }
    let stops = texts
        .iter()
        .map(|text| Asked::stops_named(planner, "via", text))
        .collect::<Result<Vec<_>, _>>()?;
    let by = match asked.given("by").unwrap_or("time") {
        "transfers" => TourBy::Transfers,
        "distance" => TourBy::Distance,
        _ => TourBy::Time,
    };
    let (at, dwell) = (asked.time()?, asked.number("dwell", 0, 0, 600)?);
    let Some(start) = start.filter(|_| !stops.is_empty()) else {
        return Ok(None);
    };
    Ok(Some(TourQuestion {
        start,
        stops,
        at,
        by,
        open: asked.given("open").is_some(),
        dwell,
        method: Method::Exact,
    }))
}

/// `GET /transit/tour`
pub(super) fn view(desk: &Desk, asked: &Asked) -> Parts {
    let planner = &desk.planner;
    let found =
        question(planner, asked).and_then(|q| q.map(|q| answer(planner, asked, &q)).transpose());
    let (answer, wide, shown) = match found {
        Ok(Some((answer, wide, shown))) => (Ok(answer), wide, shown),
        Ok(None) => (Ok(first(planner)), html! {}, json!({"kind": "none"})),
        Err(wrong) => (Err(wrong), html! {}, json!({"kind": "none"})),
    };
    Parts {
        form: form(planner, asked),
        answer,
        wide,
        shown,
    }
}

fn form(planner: &Planner, asked: &Asked) -> Markup {
    let via: Vec<&str> = asked.all("via").flat_map(|text| text.split(';')).collect();
    html! {
        form.tr-form.tr-tour action="/transit/tour" method="get" {
            (stop_field(asked, "start", "transit-start"))
            fieldset.tr-visit {
                legend { (say("transit-visit")) }
                ol #via {
                    @for text in &via {
                        li draggable="true" { input name="via" type="text" data-stop aria-label=(say("transit-stop")) autocomplete="off" maxlength="200" value=(text.trim()); }
                    }
                    li.tr-new { input #new-stop name="via" type="text" data-stop aria-label=(say("transit-add")) placeholder=(say("transit-add")) autocomplete="off" maxlength="200"; }
                }
                p.muted { (say("transit-reorder")) }
                p.sr-only #moved role="status" {}
            }
            (when_fields(planner, asked))
            (choice("by", "transit-by", &[("time", "transit-tour-time"), ("transfers", "transit-tour-transfers"), ("distance", "transit-tour-distance")], asked.given("by").unwrap_or("time")))
            div.field.tr-small {
                label for="dwell" { (say("transit-dwell")) }
                input #dwell name="dwell" type="number" min="0" max="600" value=(asked.given("dwell").unwrap_or("0"));
            }
            label.tr-check { input name="open" type="checkbox" value="yes" checked[asked.given("open").is_some()]; " " (say("transit-open")) }
            button.button.primary type="submit" { (say("transit-tour-find")) }
        }
    }
}

/// What to try first.
fn first(planner: &Planner) -> Markup {
    let places = examples(planner);
    let mut set: Vec<(&str, &str)> = places
        .iter()
        .take(1)
        .map(|p| ("start", p.as_str()))
        .collect();
    set.extend(places.iter().skip(1).map(|p| ("via", p.as_str())));
    set.push(("at", "08:00"));
    html! {
        p { (say("transit-tour-first")) }
        @if places.len() > 2 {
            a.button.quiet #try-tour href=(super::asked::address("/transit/tour", set.into_iter())) {
                (WORDS.say("transit-tour-try").with("count", places.len() as u64 - 1))
            }
        }
    }
}

/// A cost in words.
fn cost(question: &TourQuestion, cost: i64) -> String {
    let worth = Tour::worth(question, cost);
    let (key, number) = match question.by {
        TourBy::Time => ("transit-minutes", worth.ceil().to_string()),
        TourBy::Transfers => ("transit-vehicles", worth.to_string()),
        TourBy::Distance => ("transit-km", format!("{worth:.1}")),
    };
    WORDS.say(key).with("count", number).to_string()
}

fn answer(
    planner: &Planner,
    asked: &Asked,
    question: &TourQuestion,
) -> Result<(Markup, Markup, Value), Wrong> {
    let begin = std::time::Instant::now();
    let mine = planner.tour_as_given(question).map_err(|e| Wrong::of(&e))?;
    let best = planner.tour(question).map_err(|e| Wrong::of(&e))?;
    let millis = begin.elapsed().as_millis() as u64;
    let clock = std::time::Instant::now();
    let rows = planner
        .tour_compare_timed(question, &tabu(question.stops.len()), &mut || {
            clock.elapsed().as_micros() as u64
        })
        .map_err(|e| Wrong::of(&e))?;
    let typed: Vec<&str> = asked
        .all("via")
        .flat_map(|text| text.split(';'))
        .filter(|t| !t.trim().is_empty())
        .collect();
    let keep: Vec<&str> = FIELDS.into_iter().filter(|f| *f != "via").collect();
    let order: Vec<(&str, &str)> = best
        .indices
        .iter()
        .map(|&i| ("via", typed[i].trim()))
        .collect();
    let take = asked.link("/transit/tour", &keep, &order);
    let lines = |tour: &Tour| {
        tour.legs
            .iter()
            .map(|j| rides::lines(planner, j))
            .collect::<Vec<_>>()
    };
    let places: Vec<&Vec<u32>> = std::iter::once(&question.start)
        .chain(&question.stops)
        .collect();
    let shown =
        json!({"kind": "tour", "legs": lines(&mine), "best": lines(&best), "places": places});
    let markup = html! {
        h2 #tour-result data-gap=(mine.cost - best.cost) {
            @if mine.cost <= best.cost { (WORDS.say("transit-tour-same").with("cost", cost(question, best.cost))) }
            @else { (WORDS.say("transit-tour-gap").with("mine", cost(question, mine.cost)).with("best", cost(question, best.cost))) }
        }
        @if mine.cost > best.cost {
            p { a.button.primary #take-best href=(take) { (say("transit-take-best")) } }
        } @else if best.optimal { p { (WORDS.say("transit-tour-proved").with("count", best.looked_at).with("millis", millis)) } }
        (stages(planner, &mine))
    };
    let follow = asked.link("/transit/tour/thread", &FIELDS, &[]);
    Ok((markup, compared(question, &rows, &follow), shown))
}

/// The tour leg by leg.
fn stages(planner: &Planner, tour: &Tour) -> Markup {
    html! {
        ol.tr-stages {
            @for (pair, leg) in tour.order.windows(2).zip(&tour.legs) {
                li {
                    details {
                        summary {
                            b { (leg.departure) " → " (leg.arrival) } " " (pair[0]) " → " (pair[1])
                        }
                        (rides::legs(planner, leg))
                    }
                }
            }
        }
        p.muted { (WORDS.say("transit-tour-sum").with("vehicles", tour.vehicles as u64).with("km", format!("{:.1}", tour.km)).with("arrival", tour.arrival.to_string())) }
    }
}

/// Tabu searches beside the optimum, and the thread of one.
fn compared(question: &TourQuestion, rows: &[Compared], follow: &str) -> Markup {
    html! {
        section #compare {
            h2 { (say("transit-compare")) }
            p { (say("transit-compare-about")) }
            div.tr-scroll tabindex="0" role="region" aria-label=(say("transit-compare")) {
                table.data {
                    thead { tr {
                        th scope="col" { (say("transit-method")) } th scope="col" { (say("transit-cost")) } th scope="col" { (say("transit-iterations")) }
                        th scope="col" { (say("transit-looked-at")) } th scope="col" { (say("transit-gap")) } th scope="col" { (say("transit-micros")) }
                    } }
                    tbody {
                        @for row in rows {
                            tr {
                                td { (row.method) } td { (cost(question, row.cost)) } td { (row.iterations) }
                                td { (row.looked_at) } td { (format!("{:.1} %", row.gap_percent)) } td { (row.micros) }
                            }
                        }
                    }
                }
            }
            details #thread {
                summary { (say("transit-tabu-follow")) }
                wits-thread data-src=(follow) {}
            }
        }
    }
}
