//! Journeys as cards, and as lines on the map.

use maud::{Markup, html};
use serde_json::{Value, json};
use wits_transit::{Journey, Leg, Mode, Planner};

use crate::WORDS;
use crate::pages::say;

/// The class of a kind of vehicle: three looks are enough for eyes.
pub(super) const fn look(mode: Mode) -> &'static str {
    match mode {
        Mode::Tram | Mode::Metro | Mode::Other => "tram",
        Mode::Rail | Mode::Ferry => "rail",
        Mode::Bus => "bus",
    }
}

fn mode(planner: &Planner, leg: &Leg) -> Option<Mode> {
    let line = planner.table.line_of(leg.trip?);
    Some(planner.table.lines[line as usize].mode)
}

/// A journey as the map draws it.
pub(super) fn lines(planner: &Planner, journey: &Journey) -> Value {
    let legs = journey.legs.iter().map(|leg| {
        let stops: Vec<u32> = leg.stops.iter().map(|call| call.stop).collect();
        let look = mode(planner, leg).map_or("walk", look);
        json!({"line": leg.line, "look": look, "stops": stops, "way": planner.drawn(leg)})
    });
    Value::Array(legs.collect())
}

/// The badge of a line.
pub(super) fn badge(line: &str, look: &str) -> Markup {
    html! { span class={ "tr-line " (look) } { (line) } }
}

/// Rides and walks in order.
pub(super) fn legs(planner: &Planner, journey: &Journey) -> Markup {
    html! {
        ol.tr-legs {
            @for leg in &journey.legs {
                li {
                    @if let Some(mode) = mode(planner, leg) {
                        (badge(&leg.line, look(mode)))
                        span.tr-hop {
                            b { (leg.departure) } " " (leg.from) " → " b { (leg.arrival) } " " (leg.to)
                            br;
                            span.muted { (WORDS.say("transit-towards").with("towards", leg.towards.clone()).with("count", leg.stops.len() as u64 - 1)) }
                        }
                        @if leg.stops.len() > 2 {
                            details {
                                summary { (say("transit-on-the-way")) }
                                ol.tr-calls {
                                    @for call in &leg.stops { li { span.number { (call.departure) } " " (call.name) } }
                                }
                            }
                        }
                    } @else {
                        span.tr-line.walk { (say("transit-walk")) }
                        span.tr-hop {
                            b { (leg.departure) } " " (leg.from) " → " b { (leg.arrival) } " " (leg.to)
                            br;
                            span.muted { (WORDS.say("transit-walk-about").with("metres", (leg.km * 1000.0).round() as u64)) }
                        }
                    }
                }
            }
        }
    }
}

/// A journey as a card.
pub(super) fn card(planner: &Planner, journey: &Journey, index: usize) -> Markup {
    html! {
        article.tr-journey data-journey=(index) {
            header {
                h3 { (journey.departure) " → " (journey.arrival) }
                p.tr-sum {
                    @for leg in journey.legs.iter().filter(|l| l.trip.is_some()) {
                        (badge(&leg.line, mode(planner, leg).map_or("bus", look)))
                    }
                    span { (WORDS.say("transit-minutes").with("count", i64::from(journey.minutes))) }
                    span { (changes(journey)) }
                    @if journey.walk_metres > 0 { span { (WORDS.say("transit-walked").with("metres", journey.walk_metres)) } }
                    span { (WORDS.say("transit-km").with("count", format!("{:.1}", journey.km))) }
                }
                p.muted {
                    (WORDS.say("transit-from-asked").with("count", i64::from(journey.total_minutes)).with("vehicles", journey.vehicles as u64))
                    @if let Some(buffer) = journey.buffer { " " (WORDS.say("transit-buffer").with("count", i64::from(buffer))) }
                }
            }
            (legs(planner, journey))
            button.button.quiet.small.tr-show type="button" aria-pressed=(index == 0) { (say("transit-show")) }
        }
    }
}

/// How often one changes, in words.
fn changes(journey: &Journey) -> String {
    match (journey.vehicles, journey.transfers) {
        (0, _) => say("transit-on-foot"),
        (_, 0) => say("transit-direct"),
        (_, 1) => say("transit-one-change"),
        (_, n) => WORDS
            .say("transit-changes")
            .with("count", n as u64)
            .to_string(),
    }
}
