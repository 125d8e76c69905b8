//! Four searches side by side on one slider, and the speed at which A* goes wrong.

use maud::{Markup, html};
use serde_json::{Value, json};
use wits_game::Figure;
use wits_transit::algo::Heuristic;
use wits_transit::thread::WORDS as ROOM;
use wits_transit::verbs::boldness_plot;
use wits_transit::{Algorithm, Boldness, Graph, Objective, Planner, Question, Time};

use super::asked::{Asked, Wrong, encoded};
use super::desk::{Parts, stop_field, when_fields};
use super::rides;
use super::timetables::{Desk, QUERIES};
use crate::WORDS;
use crate::pages::{say, written};

/// How many steps of a search are kept.
const STEPS: &str = "6000";
/// The speed that the report's A* assumes, km/h, and the bounds of the slider.
const USUAL: i32 = 20;
const LEAST: i32 = 5;
const MOST: i32 = 80;

/// The earliest arrival between the two ends, if both are there.
fn question(planner: &Planner, asked: &Asked) -> Result<Option<Question>, Wrong> {
    let (from, to) = (asked.stops(planner, "from")?, asked.stops(planner, "to")?);
    let at = asked.time()?;
    Ok(from.zip(to).map(|(from, to)| Question {
        by: Objective::Time,
        ..Question::new(from, to, at)
    }))
}

/// The four searches: on the graph of stops, so that their counts mean the same.
fn searches(kmh: i32) -> [(&'static str, Algorithm); 4] {
    let bold = Heuristic::Speed {
        kmh: f64::from(kmh),
    };
    [
        ("transit-dijkstra", Algorithm::Dijkstra(Graph::Dependent)),
        ("transit-astar", Algorithm::Astar(Graph::Dependent, bold)),
        ("transit-csa", Algorithm::Csa),
        ("transit-raptor", Algorithm::Raptor),
    ]
}

/// `GET /transit/search`: without a question it is a journey of usual length.
pub(super) fn view(desk: &Desk, asked: &Asked) -> Parts {
    let planner = &desk.planner;
    let usual = (asked.given("from"), asked.given("to")) == (None, None);
    let asked = &match desk.pairs().into_iter().next().filter(|_| usual) {
        Some((from, to)) => asked.with("from", &from).with("to", &to),
        None => asked.clone(),
    };
    let found = asked.number("speed", USUAL, LEAST, MOST).and_then(|kmh| {
        let question = question(planner, asked)?;
        question
            .map(|q| answer(planner, asked, &q, kmh))
            .transpose()
    });
    let (answer, lead, shown) = match found {
        Ok(Some((answer, threads, shown))) => (Ok(answer), threads, shown),
        Ok(None) => (
            Ok(html! { p { (say("transit-search-first")) } }),
            html! {},
            json!({"kind": "none"}),
        ),
        Err(wrong) => (Err(wrong), html! {}, json!({"kind": "none"})),
    };
    // The study takes seconds; it comes by itself, and the race need not wait for it.
    let study = asked.given("study").is_some();
    let wide = html! {
        @if study { div #study { (speeds(desk, asked)) } }
        @else { div #study data-later=(asked.again("/transit/search", &[("study", "1")])) { p.muted role="status" { (say("transit-study-later")) } } }
    };
    Parts {
        form: form(planner, asked),
        answer,
        lead,
        wide,
        shown,
    }
}

fn form(planner: &Planner, asked: &Asked) -> Markup {
    let speed = asked
        .given("speed")
        .map_or_else(|| USUAL.to_string(), ToOwned::to_owned);
    html! {
        form.tr-form action="/transit/search" method="get" {
            (stop_field(asked, "from", "transit-from"))
            (stop_field(asked, "to", "transit-to"))
            (when_fields(planner, asked))
            div.field {
                label for="speed" { (say("transit-speed")) }
                div.row {
                    input #speed name="speed" type="range" min=(LEAST) max=(MOST) step="1" value=(speed);
                    output for="speed" { (speed) }
                    span { (say("transit-kmh")) }
                }
            }
            button.button.primary type="submit" { (say("transit-search-find")) }
        }
    }
}

fn answer(
    planner: &Planner,
    asked: &Asked,
    question: &Question,
    kmh: i32,
) -> Result<(Markup, Markup, Value), Wrong> {
    let mut rows = Vec::new();
    for (key, algorithm) in searches(kmh) {
        let asked = Question {
            algorithm,
            ..question.clone()
        };
        rows.push((
            key,
            algorithm,
            planner.route(&asked).map_err(|e| Wrong::of(&e))?,
        ));
    }
    let arrival = |row: &wits_transit::Answer| row.journeys.first().map(|j| j.arrival);
    let best = rows.iter().filter_map(|row| arrival(&row.2)).min();
    let journey = rows[0].2.journeys.first();
    let shown = json!({
        "kind": "journeys", "journeys": journey.map(|j| rides::lines(planner, j)).into_iter().collect::<Vec<_>>(),
        "from": question.from, "to": question.to,
    });
    let markup = html! {
        h2 {
            @match best {
                Some(best) => (WORDS.say("transit-search-best").with("time", best.to_string())),
                None => (WORDS.say("transit-no-way").with("days", i64::from(rows[0].2.days))),
            }
        }
        div.tr-scroll tabindex="0" role="region" aria-label=(say("transit-search-table")) {
            table.data #searches {
                thead { tr { th scope="col" { (say("transit-method")) } th scope="col" { (say("transit-settled")) } th scope="col" { (say("transit-arrival")) } } }
                tbody {
                    @for (key, algorithm, found) in &rows {
                        @let (name, full) = (say(key), algorithm.named().to_string());
                        tr.tr-wrong[arrival(found) != best] {
                            td { (name) @if full != name { br; span.muted.tr-spec { (full) } } }
                            td { (found.settled) }
                            td { (late(arrival(found), best)) }
                        }
                    }
                }
            }
        }
        p.muted { (say("transit-settled-about")) }
    };
    let at = question.at.to_string();
    let thread = |algorithm: &Algorithm| {
        let algorithm = algorithm.to_string();
        let how = [("algorithm", algorithm.as_str()), ("steps", STEPS)];
        let set = [[("at", at.as_str()), ("keep", "thread")], how].concat();
        asked.link("/desk/transit/route", &["from", "to", "date"], &set)
    };
    let threads = html! {
        section #threads {
            h2 { (say("transit-threads")) }
            p { (say("transit-threads-about")) }
            wits-threads race autoplay at="0.3" {
                @for (_, algorithm, _) in &rows { wits-thread src=(thread(algorithm)) {} }
            }
        }
    };
    Ok((markup, threads, shown))
}

/// An arrival, and how much later than the best it is.
fn late(arrival: Option<Time>, best: Option<Time>) -> Markup {
    html! {
        @match (arrival, best) {
            (Some(time), Some(best)) if time > best => { (time) " " b { (WORDS.say("transit-late").with("count", i64::from((time.0 - best.0 + 59) / 60))) } },
            (Some(time), _) => (time),
            (None, _) => "–",
        }
    }
}

/// A drawing as an address, so that it keeps its own style.
fn inline(svg: &str) -> String {
    format!("data:image/svg+xml,{}", encoded(svg))
}

/// What assumed speeds do to A*: a slider, and the table behind it.
fn speeds(desk: &Desk, asked: &Asked) -> Markup {
    let study = desk.study();
    let rows: Vec<(i32, &Boldness)> = study
        .iter()
        .filter_map(|row| match row.heuristic {
            Heuristic::Speed { kmh } => Some((kmh as i32, row)),
            _ => None,
        })
        .collect();
    let sentence = |row: &Boldness| match &row.first_wrong {
        None => say("transit-never-wrong"),
        Some((from, to, at)) => WORDS
            .say("transit-first-wrong")
            .with("from", from.clone())
            .with("to", to.clone())
            .with("time", at.to_string())
            .to_string(),
    };
    let follow = |kmh: i32, row: &Boldness| {
        row.first_wrong.as_ref().map(|(from, to, at)| {
            let (speed, at) = (kmh.to_string(), at.to_string());
            asked.link(
                "/transit/search",
                &["date"],
                &[("from", from), ("to", to), ("at", &at), ("speed", &speed)],
            )
        })
    };
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let slow = rows.iter().filter(|r| r.1.wrong > 0.0).map(|r| r.0).max();
    html! {
        section #speeds {
            h2 { (say("transit-speeds")) }
            p { (WORDS.say("transit-speeds-about").with("count", QUERIES as u64)) }
            @if let Some(slow) = slow { p { (WORDS.say("transit-speeds-limit").with("kmh", i64::from(slow))) } }
            div.tr-bold {
                label for="bold" { (say("transit-speed")) }
                input #bold type="range" min="0" max=(rows.len().saturating_sub(1)) step="1" value=(rows.iter().position(|r| Some(r.0) == slow).unwrap_or(0));
            }
            figure #boldness { img.tr-plot src=(inline(&boldness_plot(&study).svg)) alt=(ROOM.say("title-curve")) width="760" height="260"; }
            div.tr-scroll tabindex="0" role="region" aria-label=(say("transit-speeds")) {
                table.data #bold-rows {
                    thead { tr {
                        th scope="col" { (say("transit-kmh")) } th scope="col" { (say("transit-wrong-share")) } th scope="col" { (say("transit-excess")) }
                        th scope="col" { (say("transit-work-share")) } th.tr-text scope="col" { (say("transit-first-wrong-head")) }
                    } }
                    tbody {
                        @for (kmh, row) in &rows {
                            tr {
                                td { (kmh) } td { (percent(row.wrong)) } td { (written(Figure::Decimal(row.mean_excess + 0.0, 1))) } td { (percent(row.work)) }
                                td.tr-text { (sentence(row)) @if let Some(to) = follow(*kmh, row) { " " a href=(to) { (say("transit-see-it")) } } }
                            }
                        }
                    }
                }
            }
        }
    }
}
