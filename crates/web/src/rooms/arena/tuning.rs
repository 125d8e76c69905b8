//! The page of one tuning: how good the best became, generation by generation, live while it runs.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{Response, Sse};
use futures_util::stream::{Stream, unfold};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;
use wits_arena::tune::{Generation, Phase, Tuner};
use wits_game::Figure;
use wits_store::Store;

use super::curve::{Point, curve};
use crate::keep::{CSV, SVG, csv_line, download};
use crate::pages::{frame, page, say, written};
use crate::routes::blocking;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The store is looked at this often while somebody looks on.
const LOOK: Duration = Duration::from_millis(800);

/// Which tuning is meant.
#[derive(Clone, Deserialize)]
pub(super) struct Named {
    name: String,
}

/// The address of a tuning's page, or of what belongs to it.
pub(super) fn address(name: &str, part: &str) -> String {
    format!("/arena/tuning{part}?name={}", super::encoded(name))
}

fn open(store: &Store, name: &str) -> Result<Tuner, Fault> {
    Tuner::open(store, name)?.ok_or_else(Fault::missing)
}

/// The best of each generation, with how far it may be off.
fn points(tuner: &Tuner) -> Vec<Point> {
    let best = |g: &Generation| {
        g.best.first().map(|best| Point {
            x: g.number as f64,
            y: best.rating,
            spread: 1.96 * best.noise,
        })
    };
    tuner.history.iter().filter_map(best).collect()
}

/// The chart of a tuning.
pub(super) fn chart(tuner: &Tuner) -> Markup {
    curve(
        &say("arena-tuning-chart"),
        &say("arena-tuning-x"),
        &say("arena-tuning-y"),
        &points(tuner),
    )
}

/// `GET /arena/tuning?name=NAME`
pub(super) async fn show(
    State(app): State<App>,
    Query(Named { name }): Query<Named>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let wanted = name.clone();
    let work = blocking(move || open(&app.store, &wanted));
    let tuner = work.await.map_err(|f| f.for_reader(&headers))?;
    let running = tuner.phase != Phase::Done;
    let body = html! {
        main.arena-page #main {
            p { a href="/arena" { (say("arena-back")) } }
            h1 { (name) }
            p.lead { (WORDS.say("arena-tuning-lead").with("player", &tuner.tuning.player).with("reference", &tuner.tuning.reference)) }
            p.error #away role="alert" hidden { (say("arena-away")) }
            div #live data-events=(address(&name, "/events")) data-running[running] { (live(&tuner)) }
            p { a href=(address(&name, "/svg")) { "SVG" } " · " a href=(address(&name, "/csv")) { "CSV" } }
        }
    };
    Ok(page(visitor, frame(&name, &["arena.js"], &body)))
}

/// Everything that changes while it runs.
fn live(tuner: &Tuner) -> Markup {
    let games: u64 = tuner.history.iter().map(|g| g.games).sum();
    let state = WORDS
        .say("arena-tuning-state")
        .with("count", tuner.history.len())
        .with("total", tuner.tuning.generations)
        .with("games", games);
    html! {
        p #state role="status" { (state) }
        @if tuner.history.is_empty() { p.muted { (say("arena-tuning-none")) } } @else {
            (chart(tuner))
            @if let Some(outcome) = &tuner.outcome {
                p { (WORDS.say(if outcome.better { "arena-tuning-better" } else { "arena-tuning-not-better" })
                    .with("score", Figure::Decimal(100.0 * outcome.score, 1))
                    .with("low", Figure::Decimal(100.0 * outcome.interval.0, 1))
                    .with("high", Figure::Decimal(100.0 * outcome.interval.1, 1))) }
                p { code { (outcome.winner.spec) } }
            }
            h2 { (say("arena-tuning-best")) }
            (best(tuner))
            details { summary { (say("arena-tuning-table")) } (generations(tuner)) }
        }
    }
}

/// The five best of the last generation.
fn best(tuner: &Tuner) -> Markup {
    html! {
        div.arena-scroll tabindex="0" role="region" aria-label=(say("arena-tuning-best")) {
            table.data #best {
                thead { tr {
                    th scope="col" { (say("arena-name")) }
                    th scope="col" { (say("arena-rating")) }
                    th.words scope="col" { (say("arena-player")) }
                } }
                tbody { @for c in tuner.history.last().into_iter().flat_map(|g| &g.best) {
                    tr {
                        th scope="row" { (c.name) }
                        td { (written(Figure::Signed(c.rating, 0))) " ± " (written(Figure::Decimal(1.96 * c.noise, 0))) }
                        td.words { code { (c.spec) } }
                    }
                } }
            }
        }
    }
}

/// The chart as a table.
fn generations(tuner: &Tuner) -> Markup {
    html! {
        div.arena-scroll tabindex="0" role="region" aria-label=(say("arena-tuning-table")) {
            table.data #generations {
                thead { tr {
                    th scope="col" { (say("arena-tuning-x")) }
                    th scope="col" { (say("arena-rating")) }
                    th scope="col" { (say("games")) }
                    th scope="col" { (say("arena-name")) }
                } }
                tbody { @for g in &tuner.history {
                    @if let Some(c) = g.best.first() {
                        tr {
                            td { (g.number) }
                            td { (written(Figure::Signed(c.rating, 0))) " ± " (written(Figure::Decimal(1.96 * c.noise, 0))) }
                            td { (g.games) }
                            td { (c.name) }
                        }
                    }
                } }
            }
        }
    }
}

/// `GET /arena/tuning/csv?name=NAME`
pub(super) async fn csv(
    State(app): State<App>,
    Query(Named { name }): Query<Named>,
) -> Result<Response, Fault> {
    let tuner = blocking(move || open(&app.store, &name)).await?;
    let mut text = "generation,rating,low,high,games,name,spec\n".to_owned();
    for g in &tuner.history {
        let Some(c) = g.best.first() else { continue };
        let (low, high) = (c.rating - 1.96 * c.noise, c.rating + 1.96 * c.noise);
        let number = |v: f64| format!("{v:.2}");
        text += &csv_line(&[
            g.number.to_string(),
            number(c.rating),
            number(low),
            number(high),
            g.games.to_string(),
            c.name.clone(),
            c.spec.clone(),
        ]);
    }
    Ok(download(CSV, "tuning.csv", text))
}

/// `GET /arena/tuning/svg?name=NAME`
pub(super) async fn svg(
    State(app): State<App>,
    Query(Named { name }): Query<Named>,
) -> Result<Response, Fault> {
    let tuner = blocking(move || open(&app.store, &name)).await?;
    Ok(download(SVG, "tuning.svg", chart(&tuner)))
}

/// One page that looks on.
struct Listener {
    store: Arc<Store>,
    name: String,
    /// What it has been told of: the phase and the generations.
    told: Option<(Phase, usize)>,
    _place: crate::streams::StreamPlace,
}

impl Listener {
    /// Waits until something changed, and tells all of it.
    async fn next(&mut self) -> Option<Event> {
        if matches!(self.told, Some((Phase::Done, _))) {
            return None;
        }
        let mut wait = if self.told.is_none() {
            Duration::ZERO
        } else {
            LOOK
        };
        loop {
            tokio::time::sleep(wait).await;
            wait = LOOK;
            let (store, name, told) = (
                Arc::clone(&self.store),
                self.name.clone(),
                self.told.clone(),
            );
            let look = blocking(move || {
                let tuner = open(&store, &name)?;
                let now = Some((tuner.phase.clone(), tuner.history.len()));
                Ok((now != told).then(|| (now, live(&tuner).into_string())))
            });
            if let Some((now, html)) = look.await.ok()? {
                let over = matches!(now, Some((Phase::Done, _)));
                let results = now.as_ref().map_or(0, |(_, count)| *count);
                self.told = now;
                let data = json!({"html": html, "results": results, "over": over});
                return Event::default().event("table").json_data(data).ok();
            }
        }
    }
}

/// `GET /arena/tuning/events?name=NAME`
pub(super) async fn events(
    State(app): State<App>,
    Query(Named { name }): Query<Named>,
    visitor: Visitor,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    let listener = Listener {
        _place: app.streams.place(visitor)?,
        store: Arc::clone(&app.store),
        name,
        told: None,
    };
    let events = unfold(listener, |mut listener| async move {
        let event = listener.next().await?;
        Some((Ok(event), listener))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}
