//! Where one can be within so many minutes.

use maud::{Markup, html};
use serde_json::{Value, json};
use wits_desk::Block;
use wits_transit::verbs::isochrone_table;
use wits_transit::{Isochrone, Planner};

use super::asked::{Asked, Wrong};
use super::desk::{END, Parts, examples, stop_field, when_fields};
use super::timetables::Desk;
use crate::WORDS;
use crate::desk::blocks;
use crate::pages::say;

/// Bands of colour on the map.
const BANDS: i32 = 4;
/// The usual reach in minutes, and its bounds.
const USUAL: i32 = 30;
const LEAST: i32 = 5;
const MOST: i32 = 120;

/// `GET /transit/reach`
pub(super) fn view(desk: &Desk, asked: &Asked) -> Parts {
    let planner = &desk.planner;
    let (answer, shown) = match answer(planner, asked) {
        Ok((answer, shown)) => (Ok(answer), shown),
        Err(wrong) => (Err(wrong), json!({"kind": "none"})),
    };
    Parts {
        form: form(planner, asked),
        answer,
        lead: html! {},
        wide: html! {},
        shown,
    }
}

fn form(planner: &Planner, asked: &Asked) -> Markup {
    let minutes = asked
        .given("minutes")
        .map_or_else(|| USUAL.to_string(), ToOwned::to_owned);
    html! {
        form.tr-form.tr-live action="/transit/reach" method="get" {
            (stop_field(asked, "stop", "transit-stop"))
            (when_fields(planner, asked))
            (asked.carried(&END))
            div.field {
                label for="minutes" { (say("transit-within")) }
                div.row {
                    input #minutes name="minutes" type="range" min=(LEAST) max=(MOST) step="5" value=(minutes);
                    output for="minutes" { (minutes) }
                }
            }
            div.field.tr-small {
                label for="window" { (say("transit-window")) }
                input #window name="window" type="number" min="0" max="240" step="10" value=(asked.given("window").unwrap_or("0"));
                small { (say("transit-window-about")) }
            }
            button.button.primary type="submit" { (say("transit-reach-find")) }
        }
    }
}

/// The band of a number of minutes, from 0.
fn band(minutes: i32, within: i32) -> i32 {
    (minutes * BANDS - 1)
        .div_euclid(within.max(1))
        .clamp(0, BANDS - 1)
}

fn answer(planner: &Planner, asked: &Asked) -> Result<(Markup, Value), Wrong> {
    let (at, stops) = (asked.time()?, asked.stops(planner, "stop")?);
    let within = asked.number("minutes", USUAL, LEAST, MOST)?;
    let window = asked.number("window", 0, 0, 240)?;
    let Some(stops) = stops else {
        let first = html! {
            p { (say("transit-reach-first")) }
            @for name in examples(planner).iter().take(1) {
                a.button.quiet href=(asked.link("/transit/reach", &["at", "date", "to", "via"], &[("stop", name)])) { (name) }
            }
        };
        return Ok((first, json!({"kind": "none"})));
    };
    let found = planner.isochrone(&stops, at, within, window);
    let reached: Vec<(u32, i32, i32)> = found
        .reached
        .iter()
        .map(|r| (r.index, r.minutes, band(r.minutes, within)))
        .collect();
    let shown = json!({"kind": "reach", "from": stops, "within": within, "bands": BANDS, "reached": reached});
    let fields = ["stop", "date", "window"];
    let (minutes, at) = (within.to_string(), at.to_string());
    let keep = [("minutes", minutes.as_str()), ("at", &at), ("keep", "")];
    let keep = asked.link("/desk/transit/isochrone", &fields, &keep);
    Ok((told(&found, within, window, &keep), shown))
}

fn told(found: &Isochrone, within: i32, window: i32, keep: &str) -> Markup {
    let mut list = isochrone_table(found, window > 0);
    list.folded = true;
    let count = |b: i32| {
        found
            .reached
            .iter()
            .filter(|r| band(r.minutes, within) == b)
            .count()
    };
    html! {
        h2 {
            (WORDS.say("transit-reached").with("count", found.reached.len() as u64).with("all", found.stops as u64).with("minutes", i64::from(within)))
        }
        @if window > 0 { p.muted { (say("transit-window-mean")) } }
        table.data.tr-bands {
            thead { tr { th scope="col" { (say("transit-band")) } th scope="col" { (say("transit-stops")) } } }
            tbody {
                @for b in 0..BANDS {
                    tr {
                        td { span class={ "tr-key band" (b) } {} " " (WORDS.say("transit-up-to").with("count", i64::from(within * (b + 1) / BANDS))) }
                        td { (count(b)) }
                    }
                }
            }
        }
        (blocks(&[Block::Table(list)], &|part| keep.to_owned() + part))
    }
}

#[cfg(test)]
mod tests {
    use super::band;

    #[test]
    fn bands_are_quarters_and_end_at_the_limit() {
        assert_eq!(
            [0, 1, 7, 8, 15, 16, 22, 23, 30].map(|m| band(m, 30)),
            [0, 0, 0, 1, 1, 2, 2, 3, 3]
        );
    }
}
