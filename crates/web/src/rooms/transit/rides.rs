//! Journeys as cards, and as lines on the map.

use maud::{Markup, html};
use serde_json::{Value, json};
use wits_game::Figure;
use wits_transit::thread::WORDS as ROOM;
use wits_transit::{Journey, Leg, Mode, Planner, Time, hex};

use super::asked::Asked;
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
        let line = leg.trip.map(|trip| planner.table.line_of(trip) as usize);
        let colours = line.and_then(|line| planner.table.lines[line].colours);
        json!({
            "line": leg.line, "look": look, "stops": stops, "way": planner.drawn(leg),
            "colour": colours.map(|c| hex(c.0)), "ink": colours.map(|c| hex(c.1)),
        })
    });
    Value::Array(legs.collect())
}

/// The badge of a line; a script paints it in the colours of the feed.
pub(super) fn badge(planner: &Planner, trip: u32) -> Markup {
    let line = &planner.table.lines[planner.table.line_of(trip) as usize];
    let [paint, ink] = line.colours.map_or([None; 2], |c| [Some(c.0), Some(c.1)]);
    html! {
        span class={ "tr-line " (look(line.mode)) } data-colour=[paint.map(hex)] data-ink=[ink.map(hex)] { (line.name) }
    }
}

/// Minutes as people say them: 75 are 1 h 15 min.
pub(super) fn duration(minutes: i32) -> String {
    let count = i64::from(minutes);
    if count < 60 {
        return WORDS
            .say("transit-minutes")
            .with("count", count)
            .to_string();
    }
    let said = WORDS.say("transit-hours").with("hours", count / 60);
    said.with("count", count % 60).to_string()
}

/// Rides and walks in order.
pub(super) fn legs(planner: &Planner, journey: &Journey) -> Markup {
    html! {
        ol.tr-legs {
            @for leg in &journey.legs {
                li {
                    @if let Some(trip) = leg.trip {
                        (badge(planner, trip))
                        span.tr-hop {
                            b { (leg.departure) } " " (leg.from) " → " b { (leg.arrival) } " " (leg.to)
                            br;
                            span.muted { (WORDS.say("transit-towards").with("towards", leg.towards.clone()).with("count", leg.stops.len() as u64 - 1)) }
                            " "
                            @match leg.late {
                                Some(late) if late > 0 => span.tr-late { (WORDS.say("transit-behind").with("count", i64::from(late))) },
                                Some(late) if late < 0 => span.tr-late { (WORDS.say("transit-ahead").with("count", i64::from(-late))) },
                                _ => {},
                            }
                            @if let Some(headway) = leg.headway { " " span.tr-often { (WORDS.say("transit-often").with("count", i64::from(headway))) } }
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

/// What one may ask about a journey of a card: the proof, other lines, what goes wrong.
fn more(asked: &Asked, journey: &Journey, passed: &[&str]) -> Markup {
    let at = Time(journey.departure.0 - journey.departure.0.rem_euclid(60)).to_string();
    let ask = |verb: &str, keep: &[&str], set: &[(&str, &str)]| {
        let keep = [&["from", "to", "date"], keep].concat();
        let set = [&[("at", at.as_str())], set].concat();
        asked.link(&format!("/desk/transit/{verb}"), &keep, &set)
    };
    let vehicles = journey.vehicles.to_string();
    let rides: Vec<&Leg> = journey.legs.iter().filter(|l| l.trip.is_some()).collect();
    let by = asked.given("by").unwrap_or("pareto");
    html! {
        p.row.tr-more {
            a.button.quiet.small data-ask="prove" href=(ask("route", &[], &[("by", by), ("certify", "true")])) { (ROOM.say("next-prove")) }
            @for line in passed {
                a.button.quiet.small data-ask="why-not" href=(ask("whynot", &[], &[("line", line)])) { (ROOM.say("next-why-not").with("line", *line)) }
            }
            @for (n, leg) in (1..).zip(&rides) {
                @let number = n.to_string();
                a.button.quiet.small data-ask="cancel" href=(ask("whatif", &[], &[("cancel", &leg.line)])) { (WORDS.say("transit-cancel").with("line", leg.line.clone())) }
                a.button.quiet.small data-ask="miss" href=(ask("whatif", &[], &[("miss", &number), ("vehicles", &vehicles)])) {
                    (WORDS.say("transit-miss").with("line", leg.line.clone()).with("time", leg.departure.to_string()))
                }
            }
        }
        form.row.tr-why action="/desk/transit/whynot" method="get" data-ask="why-not" {
            (asked.carried_to_verb(&["from", "to", "date"]))
            input type="hidden" name="at" value=(at);
            label { (say("transit-why-not-line")) " " input name="line" type="text" list="tr-lines" required autocomplete="off" maxlength="60" size="6"; }
            button.button.quiet.small type="submit" { (say("transit-why-not-ask")) }
        }
        div.tr-told hidden {}
    }
}

/// A journey as a card, with what may be asked about it.
pub(super) fn card(
    planner: &Planner,
    asked: &Asked,
    journey: &Journey,
    index: usize,
    passed: &[&str],
) -> Markup {
    html! {
        article.tr-journey data-journey=(index) {
            header {
                h3 { (journey.departure) " → " (journey.arrival) }
                p.tr-sum {
                    @for trip in journey.legs.iter().filter_map(|l| l.trip) { (badge(planner, trip)) }
                    span { (duration(journey.minutes)) }
                    span { (changes(journey)) }
                    @if journey.walk_metres > 0 { span { (WORDS.say("transit-walked").with("metres", journey.walk_metres)) } }
                    span { (WORDS.say("transit-km").with("count", Figure::Decimal(journey.km, 1))) }
                }
                p.muted {
                    (WORDS.say("transit-from-asked").with("count", duration(journey.total_minutes)).with("vehicles", journey.vehicles as u64))
                    @if let Some(buffer) = journey.buffer { "; " (WORDS.say("transit-buffer").with("lasts", duration(buffer))) }
                }
            }
            (legs(planner, journey))
            button.button.quiet.small.tr-show type="button" aria-pressed=(index == 0) { (say("transit-show")) }
            @if journey.vehicles > 0 { (more(asked, journey, passed)) }
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
