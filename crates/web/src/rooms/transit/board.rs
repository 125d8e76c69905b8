//! The departure board of a stop.

use maud::{Markup, html};
use serde_json::json;
use wits_transit::{Planner, Time};

use super::asked::Asked;
use super::desk::{END, Parts, examples, stop_field, when_fields};
use super::rides::{badge, duration};
use super::timetables::Desk;
use crate::WORDS;
use crate::pages::say;

/// How many departures are shown.
const ROWS: usize = 10;

/// `GET /transit/board`
pub(super) fn view(desk: &Desk, asked: &Asked) -> Parts {
    let planner = &desk.planner;
    let stops = asked
        .stops(planner, "stop")
        .and_then(|stops| Ok((stops, asked.time()?)));
    let shown = match &stops {
        Ok((Some(stops), _)) => json!({"kind": "stops", "stops": stops}),
        _ => json!({"kind": "none"}),
    };
    Parts {
        form: html! {
            form.tr-form action="/transit/board" method="get" {
                (stop_field(asked, "stop", "transit-stop"))
                (when_fields(planner, asked))
                (asked.carried(&END))
                button.button.primary type="submit" { (say("transit-show-board")) }
            }
        },
        answer: stops.map(|(stops, at)| answer(planner, asked, stops.as_deref(), at)),
        lead: html! {},
        wide: html! {},
        shown,
    }
}

fn answer(planner: &Planner, asked: &Asked, stops: Option<&[u32]>, at: Time) -> Markup {
    let Some(stops) = stops else {
        return html! {
            p { (say("transit-board-first")) }
            @for name in examples(planner).iter().take(1) {
                a.button.quiet href=(asked.link("/transit/board", &["at", "date", "to", "via"], &[("stop", name)])) { (name) }
            }
        };
    };
    let rows = planner.board(stops, at, ROWS);
    let name = stops.first().map_or("", |&s| planner.table.stop_name(s));
    let several = stops.len() > 1;
    let later = rows.last().map(|row| {
        // The next board begins a minute after the last row, or nothing new would ever be seen.
        let next = Time(row.departure.0 - row.departure.0.rem_euclid(60) + 60);
        asked.at(
            "/transit/board",
            &["stop", "date", "to", "via"],
            planner,
            next,
        )
    });
    html! {
        h2 { (WORDS.say("transit-board-of").with("stop", name.to_owned()).with("time", at.to_string())) }
        @if rows.is_empty() { p { (say("transit-board-empty")) } } @else {
            div.tr-scroll tabindex="0" role="region" aria-label=(say("transit-board")) {
                table.data.tr-board {
                    thead { tr {
                        th scope="col" { (say("transit-departure")) } th scope="col" { (say("transit-to-go")) } th scope="col" { (say("transit-line")) }
                        th scope="col" { (say("transit-direction")) }
                    } }
                    tbody {
                        @for row in &rows {
                            tr {
                                td {
                                    b { (row.departure) }
                                    @if let Some(late) = row.late.filter(|l| *l != 0) { " " span.tr-late { (format!("{late:+}")) } }
                                }
                                td.tr-to-go { (duration((row.departure.0 - at.0).div_euclid(60))) }
                                td { (badge(planner, row.trip)) }
                                td {
                                    (row.towards)
                                    @let via = (!row.via.is_empty()).then(|| WORDS.say("transit-via").with("via", row.via.join(", ")));
                                    @let post = (several && !row.code.is_empty()).then(|| WORDS.say("transit-from-post").with("post", row.code.clone()));
                                    @if via.is_some() || post.is_some() {
                                        span.muted.tr-via { @if let Some(post) = &post { (post) } @if let (Some(_), Some(_)) = (&via, &post) { ", " } @if let Some(via) = &via { (via) } }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            @if let Some(later) = later { p { a.button.quiet.small href=(later) { (say("transit-later")) } } }
        }
    }
}
