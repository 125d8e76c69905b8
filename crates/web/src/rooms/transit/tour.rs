//! Tours: the visitor's own order against the best there is.

use maud::{Markup, html};
use serde_json::{Value, json};
use wits_desk::Block;
use wits_game::Figure;
use wits_transit::Planner;
use wits_transit::tour::{Compared, Method, Tabu, Tour, TourQuestion, said};
use wits_transit::verbs::comparison_table;

use super::asked::{Asked, Wrong};
use super::desk::{Parts, choice, examples, stop_field, when_fields};
use super::rides;
use super::timetables::Desk;
use crate::WORDS;
use crate::desk::blocks;
use crate::pages::say;

/// The most stops of a tour on the page.
const MOST: usize = 15;
/// How many steps of a tabu search are kept.
const STEPS: &str = "4000";
/// The fields of a tour.
const FIELDS: [&str; 7] = ["start", "via", "at", "date", "by", "dwell", "open"];

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
    let by = asked.given("by").unwrap_or("time").parse();
    let by = by.map_err(|e| Wrong::of(&e))?;
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
        Ok(None) => (Ok(first(planner, asked)), html! {}, json!({"kind": "none"})),
        Err(wrong) => (Err(wrong), html! {}, json!({"kind": "none"})),
    };
    Parts {
        form: form(planner, asked),
        answer,
        lead: html! {},
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
            label.tr-check { input name="open" type="checkbox" value="true" checked[asked.given("open").is_some()]; " " (say("transit-open")) }
            button.button.primary type="submit" { (say("transit-tour-find")) }
        }
    }
}

/// What to try first.
fn first(planner: &Planner, asked: &Asked) -> Markup {
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
            a.button.quiet #try-tour href=(asked.link("/transit/tour", &["date"], &set)) {
                (WORDS.say("transit-tour-try").with("count", places.len() as u64 - 1))
            }
        }
    }
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
            @if mine.cost <= best.cost { (WORDS.say("transit-tour-same").with("cost", said(question, best.cost))) }
            @else { (WORDS.say("transit-tour-gap").with("mine", said(question, mine.cost)).with("best", said(question, best.cost))) }
        }
        @if mine.cost > best.cost {
            p { a.button.primary #take-best href=(take) { (say("transit-take-best")) } }
        } @else if best.optimal { p { (WORDS.say("transit-tour-proved").with("count", best.looked_at).with("millis", millis)) } }
        (stages(planner, &mine))
    };
    let method = format!("tabu:tenure={},aspiration=0.1", question.stops.len());
    let at = question.at.to_string();
    let ask = |set: [(&str, &str); 2]| {
        let set = [&[("method", method.as_str()), ("at", &at)], &set[..]].concat();
        asked.link("/desk/transit/tour", &FIELDS, &set)
    };
    let follow = ask([("steps", STEPS), ("keep", "thread")]);
    let keep = ask([("compare", "true"), ("keep", "")]);
    let wide = compared(question, &rows, &follow, &keep);
    Ok((markup, wide, shown))
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
        p.muted { (WORDS.say("transit-tour-sum").with("vehicles", tour.vehicles as u64).with("km", Figure::Decimal(tour.km, 1)).with("arrival", tour.arrival.to_string())) }
    }
}

/// Tabu searches beside the optimum, and the thread of one.
fn compared(question: &TourQuestion, rows: &[Compared], follow: &str, keep: &str) -> Markup {
    html! {
        section #compare {
            p { (say("transit-compare-about")) }
            (blocks(&[Block::Table(comparison_table(question, rows))], &|part| keep.to_owned() + part))
            details #thread {
                summary { (say("transit-tabu-follow")) }
                wits-thread data-src=(follow) {}
            }
        }
    }
}
