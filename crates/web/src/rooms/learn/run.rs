//! The page of a run: a grid that fills while one looks, then its leaderboard.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Extension, Path, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{Response, Sse};
use futures_util::stream::{Stream, unfold};
use maud::{Markup, html};
use serde_json::json;
use wits_game::{Figure, Message};
use wits_learn::{Kind, draw};

use super::board;
use super::files::Desk;
use super::parts::picture;
use super::runs::{BUDGET, End, Known, Live, State as Far};
use crate::keep::{CSV, JSON, LINES, download};
use crate::pages::{back, frame, page, say, written};
use crate::routes::blocking;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// News are told at most so often.
const BREATH: Duration = Duration::from_millis(80);

async fn open(app: &App, desk: &Arc<Desk>, id: String) -> Result<Arc<Live>, Fault> {
    let (app, desk) = (app.clone(), Arc::clone(desk));
    blocking(move || desk.runs.open(&app, &desk, &id)).await
}

/// `GET /learn/runs/ID`
pub(super) async fn show(
    State(app): State<App>,
    Extension(desk): Extension<Arc<Desk>>,
    Path(id): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let live = open(&app, &desk, id).await;
    let live = live.map_err(|f| f.for_reader(&headers))?;
    let title = WORDS
        .say("learn-run-title")
        .with("count", live.plan.len())
        .with("name", &live.order.title)
        .to_string();
    let mine = live.order.visitor == visitor.text();
    let body = blocking(move || Ok(whole(&live, mine))).await?;
    let scripts = ["thread.js", "learn-run.js"];
    let body = html! { main.learn-page #main { h1 { (title) } (body) } };
    Ok(page(visitor, frame(&title, &scripts, &body)))
}

fn whole(live: &Live, mine: bool) -> Markup {
    let result = live.result();
    let state = live.state();
    let base = format!("/learn/runs/{}", live.id);
    let query = live.order.choice.query(&[]);
    let back = format!("/learn/data/{}/grid?{query}", live.order.data);
    html! {
        p { a href=(back) { (WORDS.say("learn-run-back").with("name", &live.order.title)) } }
        section #live data-base=(base) data-running[state.end.is_none()] data-seen=(state.cells.len())
            data-progress=(WORDS.say("learn-progress")) data-nested=(WORDS.say("learn-progress-nested")) data-best=(WORDS.say("learn-best-so-far")) data-left=(WORDS.say("learn-left")) data-scale=(WORDS.say("learn-scale")) data-away=(say("learn-away")) {
            p #status role="status" { (status(&state)) }
            p.muted #left { @if let Some(seconds) = state.left() { (WORDS.say("learn-left").with("seconds", seconds)) } }
            @if state.end.is_none() {
                div.row {
                    progress #bar max=(state.total) value=(state.done) aria-label=(say("learn-progress-label")) {}
                    @if mine {
                        form #stop method="post" action={ (base) "/stop" } { button.button type="submit" { (say("learn-stop")) } }
                    }
                    a.button.quiet.no-script href=(base) { (say("matchbox-refresh")) }
                }
                p.muted { (WORDS.say("learn-budget").with("minutes", BUDGET.as_secs() / 60)) }
            }
            p.muted #so-far {}
            (grid(live, &state))
            p.muted #scale { @if let Some((least, best)) = range(&state) { (WORDS.say("learn-scale").with("low", Figure::Decimal(least, 3)).with("high", Figure::Decimal(best, 3))) } }
        }
        section #result {
            @if let Some((run, result)) = &result { (board::section(live, run, result, &base)) }
        }
    }
}

/// How it stands, in a sentence.
fn status(state: &Far) -> Message {
    let far = |key| {
        WORDS
            .say(key)
            .with("done", state.done)
            .with("total", state.total)
    };
    match state.end {
        None if state.nested => far("learn-progress-nested"),
        None => far("learn-progress"),
        Some(End::Done) => WORDS.say("learn-done").with("count", state.cells.len()),
        Some(End::Stopped) => WORDS.say("learn-stopped").with("count", state.cells.len()),
        Some(End::Budget) => WORDS
            .say("learn-out-of-time")
            .with("minutes", BUDGET.as_secs() / 60)
            .with("count", state.cells.len()),
        Some(End::Failed) => {
            let why = state.why.clone().unwrap_or_default();
            WORDS.say("learn-failed").with("why", why)
        }
    }
}

/// The table: a row for each imputer and transformer, a column for each classifier.
fn grid(live: &Live, state: &Far) -> Markup {
    let plan = &live.plan;
    let columns = plan.classifiers.len();
    let mut known: Vec<Option<Known>> = vec![None; plan.len()];
    for cell in &state.cells {
        known[cell.0] = Some(*cell);
    }
    let (least, best) = range(state).unwrap_or((0.0, 1.0));
    html! {
        div.learn-scroll.learn-live tabindex="0" role="region" aria-label=(say("learn-live-table")) {
            table.data.grid #cells {
                thead { tr { td {} @for spec in &plan.classifiers { th scope="col" { code { (spec.to_string()) } } } } }
                tbody {
                    @for row in 0..plan.len() / columns {
                        tr {
                            th scope="row" { (row_name(live, row)) }
                            @for column in 0..columns { (cell(known[row * columns + column], least, best)) }
                        }
                    }
                }
            }
        }
    }
}

/// The smallest and the largest score so far: the one scale of all cells.
fn range(state: &Far) -> Option<(f64, f64)> {
    let best = state.cells.iter().map(|k| k.1).reduce(f64::max)?;
    let least = state.cells.iter().map(|k| k.1).reduce(f64::min)?;
    Some((least, best))
}

/// The shade of a score, from 0 to 9, on the scale of all cells.
fn shade(value: f64, least: f64, best: f64) -> usize {
    if best > least {
        (9.0 * (value - least) / (best - least)).round() as usize
    } else {
        9
    }
}

fn row_name(live: &Live, row: usize) -> String {
    let transformers = &live.plan.transformers;
    let (chain, imputer) = (row % transformers.len(), row / transformers.len());
    let chain = wits_learn::chain_text(&transformers[chain]);
    format!("{} + {chain}", live.plan.imputers[imputer])
}

fn cell(known: Option<Known>, least: f64, best: f64) -> Markup {
    let Some(Known(_, value, [low, high])) = known else {
        return html! { td {} };
    };
    html! {
        td.known.best[value >= best] data-value=(value) data-shade=(shade(value, least, best)) {
            (written(Figure::Decimal(value, 3))) @if value >= best { " ★" }
            small { (format!(" {low:.2} – {high:.2}")) }
        }
    }
}

/// `GET /learn/runs/ID/events`
pub(super) async fn events(
    State(app): State<App>,
    Extension(desk): Extension<Arc<Desk>>,
    Path(id): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    let place = app.streams.place(visitor)?;
    let live = open(&app, &desk, id).await?;
    let seen = headers.get("last-event-id").and_then(|v| v.to_str().ok());
    let listener = Listener {
        news: live.news.subscribe(),
        seen: seen.and_then(|v| v.parse().ok()).unwrap_or(0),
        live,
        first: true,
        over: false,
        _place: place,
    };
    let events = unfold(listener, |mut listener| async move {
        let event = listener.next().await?;
        Some((Ok(event), listener))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}

/// One page that looks on.
struct Listener {
    live: Arc<Live>,
    news: tokio::sync::watch::Receiver<()>,
    /// How many cells it has been told.
    seen: usize,
    first: bool,
    over: bool,
    _place: crate::streams::StreamPlace,
}

impl Listener {
    /// The next thing to tell: cells that became known, or that all is over.
    async fn next(&mut self) -> Option<Event> {
        if self.over {
            return None;
        }
        if !std::mem::take(&mut self.first) && self.live.state().end.is_none() {
            self.news.changed().await.ok()?;
            // Many cells in one message are cheaper than one each.
            tokio::time::sleep(BREATH).await;
        }
        self.news.borrow_and_update();
        let state = self.live.state();
        self.over = state.end.is_some();
        let fresh = state.cells.get(self.seen..).unwrap_or_default();
        let told = json!({"done": state.done, "total": state.total, "nested": state.nested, "left": state.left(), "cells": fresh, "over": self.over});
        self.seen = state.cells.len();
        let name = if self.over { "over" } else { "cells" };
        let event = Event::default().event(name).id(self.seen.to_string());
        event.json_data(told).ok()
    }
}

/// `POST /learn/runs/ID/stop`
pub(super) async fn stop(
    State(app): State<App>,
    Extension(desk): Extension<Arc<Desk>>,
    Path(id): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let live = open(&app, &desk, id).await;
    let live = live.map_err(|f| f.for_reader(&headers))?;
    if live.order.visitor != visitor.text() {
        return Err(Fault::forbidden().for_reader(&headers));
    }
    live.halt();
    let to = format!("/learn/runs/{}", live.id);
    Ok(back(&headers, visitor, &to))
}

/// `GET /learn/runs/ID/keep/WHAT`: the run, its leaderboard, its thread, its bars.
pub(super) async fn keep(
    State(app): State<App>,
    Extension(desk): Extension<Arc<Desk>>,
    Path((id, what)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let live = open(&app, &desk, id).await;
    let live = live.map_err(|f| f.for_reader(&headers))?;
    let made = blocking(move || {
        let (run, result) = live.result().ok_or_else(Fault::missing)?;
        let bars = |kind| draw::method_bars(&result, kind);
        Ok(match what.as_str() {
            "run.json" => download(JSON, "grid.run.json", run.to_json()),
            "board.csv" => download(CSV, "leaderboard.csv", board::csv(&result)),
            "grid.thread" => {
                let text = wits_learn::grid_thread(&result, &live.order.title).text();
                download(LINES, "grid.thread", text)
            }
            "imputers.svg" => picture(bars(Kind::Imputer)),
            "transformers.svg" => picture(bars(Kind::Transformer)),
            "classifiers.svg" => picture(bars(Kind::Classifier)),
            _ => return Err(Fault::missing()),
        })
    });
    made.await.map_err(|f| f.for_reader(&headers))
}
