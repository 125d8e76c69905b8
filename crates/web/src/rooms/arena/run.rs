//! The page of one tournament. It follows the store, so it is live whoever plays: this server, the
//! command line, or other machines.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Form;
use axum::extract::{Extension, Query, State};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use futures_util::stream::{Stream, unfold};
use maud::html;
use serde::Deserialize;
use serde_json::json;
use wits_arena::{Coordinator, Live};
use wits_play::{Budget, Limits};

use super::at_work::AtWork;
use super::{address, encoded, game_title, open, table, title_of};
use crate::app::now;
use crate::keep::LINES;
use crate::pages::{back, frame, machines, page, say};
use crate::routes::blocking;
use crate::visitor::Visitor;
use crate::{App, Fault};

/// The store is looked at this often while somebody looks on.
const LOOK: Duration = Duration::from_millis(400);

/// Which run is meant.
#[derive(Clone, Deserialize)]
pub(super) struct Named {
    name: String,
}

/// `GET /arena/run?name=NAME`
pub(super) async fn show(
    State(app): State<App>,
    Extension(at_work): Extension<Arc<AtWork>>,
    Query(Named { name }): Query<Named>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let (store, wanted, house) = (Arc::clone(&app.store), name.clone(), app.clone());
    let work = blocking(move || {
        let coordinator = Coordinator::open(&store, &wanted)?;
        let tournament = coordinator.tournament();
        let line = table::line(tournament, game_title(&house, &tournament.game));
        let title = title_of(tournament);
        let finished = coordinator.progress().finished;
        let live = Live::of(&store, &wanted, now())?;
        let elsewhere = live.is_some();
        let shown = html! {
            (open::playing(&house, &wanted))
            (table::live(&coordinator, None, live.as_ref()))
        };
        // An open tournament is led by the house alone.
        let elsewhere = elsewhere || open::of_run(&house, &wanted)?.is_some();
        Ok((title, line, finished, elsewhere, shown))
    });
    let (title, line, finished, elsewhere, live) =
        work.await.map_err(|f| f.for_reader(&headers))?;
    let plays = at_work.plays(&name);
    let mine = at_work.belongs(&name, visitor);
    let body = html! {
        main.arena-page #main {
            p { a href="/arena" { (say("arena-back")) } }
            h1 { (title) }
            p.lead { (line) }
            @if !finished {
                div.row #deeds {
                    @if plays && mine { (deed("/arena/run/stop", "arena-stop", &name)) }
                    @if !plays && !elsewhere { (deed("/arena/run/resume", "arena-resume", &name)) span.muted { (say("arena-paused")) } }
                }
            }
            p.error #away role="alert" hidden { (say("arena-away")) }
            details.panel #thread hidden[!finished] {
                summary { (say("arena-thread")) }
                wits-thread data-src=(address(&name).replace("/arena/run?", "/arena/run/thread?")) {}
            }
            p.row.muted #keep {
                a href={ "/arena/run/csv?name=" (encoded(&name)) } { (say("open-csv")) }
                a href={ "/arena/run/games.csv?name=" (encoded(&name)) } { (say("open-csv-games")) }
            }
            div #live data-events=(address(&name).replace("/arena/run?", "/arena/run/events?")) data-running[!finished] { (live) }
        }
    };
    Ok(page(
        visitor,
        frame(&title, &["thread.js", "arena.js"], &body),
    ))
}

/// `GET /arena/run/thread?name=NAME`: the cross table, filling result by result.
pub(super) async fn thread(
    State(app): State<App>,
    Query(Named { name }): Query<Named>,
) -> Result<Response, Fault> {
    let text = blocking(move || {
        let coordinator = Coordinator::open(&app.store, &name)?;
        let players = &coordinator.tournament().players;
        let names = machines::apart(players.iter().map(|player| player.given.as_str()));
        let thread = wits_arena::thread(&coordinator, &names).ok_or_else(Fault::missing)?;
        Ok(thread.text())
    });
    Ok(([(CONTENT_TYPE, LINES)], text.await?).into_response())
}

fn deed(to: &str, word: &'static str, name: &str) -> maud::Markup {
    html! {
        form method="post" action=(to) {
            input type="hidden" name="name" value=(name);
            button.button type="submit" { (say(word)) }
        }
    }
}

/// `POST /arena/run/stop`
pub(super) async fn stop(
    Extension(at_work): Extension<Arc<AtWork>>,
    visitor: Visitor,
    headers: HeaderMap,
    Form(Named { name }): Form<Named>,
) -> Result<Response, Fault> {
    if at_work.plays(&name) && !at_work.belongs(&name, visitor) {
        return Err(Fault::forbidden().for_reader(&headers));
    }
    at_work.stop(&name);
    Ok(back(&headers, visitor, &address(&name)))
}

/// `POST /arena/run/resume`
pub(super) async fn resume(
    State(app): State<App>,
    Extension(at_work): Extension<Arc<AtWork>>,
    visitor: Visitor,
    headers: HeaderMap,
    Form(Named { name }): Form<Named>,
) -> Result<Response, Fault> {
    let wanted = name.clone();
    let work = blocking(move || {
        Coordinator::open(&app.store, &wanted)?;
        if open::of_run(&app, &wanted)?.is_some() {
            return Ok(());
        }
        at_work.start(&app, &wanted, visitor)
    });
    work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(back(&headers, visitor, &address(&name)))
}

/// One page that looks on.
struct Listener {
    app: App,
    name: String,
    since: Budget,
    /// Games that were there when this page began to look.
    before: Option<u64>,
    /// Results it has been told of.
    told: Option<u64>,
    /// When the coordinator last said how it goes, as far as this page was told.
    said: Option<i64>,
    over: bool,
    _place: crate::streams::StreamPlace,
}

/// What a look at the store found.
struct Look {
    results: u64,
    games: u64,
    said: Option<i64>,
    over: bool,
    html: Option<String>,
}

impl Listener {
    /// Waits until something changed, and tells all of it.
    async fn next(&mut self) -> Option<Event> {
        if self.over {
            return None;
        }
        let mut wait = if self.told.is_none() {
            Duration::ZERO
        } else {
            LOOK
        };
        loop {
            tokio::time::sleep(wait).await;
            let took = Budget::start(Limits::NONE);
            let look = self.look().await.ok()?;
            // A large table is not made again and again: looking takes a tenth of the time at most.
            wait = LOOK.max(10 * took.elapsed());
            if let Some(html) = look.html {
                self.before.get_or_insert(look.games);
                self.told = Some(look.results);
                self.said = look.said;
                self.over = look.over;
                let data = json!({"html": html, "results": look.results, "over": look.over});
                return Event::default().event("table").json_data(data).ok();
            }
        }
    }

    async fn look(&self) -> Result<Look, Fault> {
        let (app, name) = (self.app.clone(), self.name.clone());
        let store = Arc::clone(&app.store);
        let (told, before, spent) = (self.told, self.before, self.since.elapsed());
        let heard = self.said;
        blocking(move || {
            let coordinator = Coordinator::open(&store, &name)?;
            let far = coordinator.progress();
            let speed = before.map(|b| (far.games - b) as f64 / spent.as_secs_f64().max(0.1));
            let live = Live::of(&store, &name, now())?;
            let said = live.as_ref().map(|live| live.at);
            let fresh = told != Some(far.done) || heard != said;
            Ok(Look {
                results: far.done,
                games: far.games,
                said,
                over: far.finished,
                html: fresh.then(|| {
                    let live = table::live(&coordinator, speed, live.as_ref());
                    html! { (open::playing(&app, &name)) (live) }.into_string()
                }),
            })
        })
        .await
    }
}

/// `GET /arena/run/events?name=NAME`
pub(super) async fn events(
    State(app): State<App>,
    Query(Named { name }): Query<Named>,
    visitor: Visitor,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    let place = app.streams.place(visitor)?;
    let listener = Listener {
        app,
        name,
        since: Budget::start(Limits::NONE),
        before: None,
        told: None,
        said: None,
        over: false,
        _place: place,
    };
    let events = unfold(listener, |mut listener| async move {
        let event = listener.next().await?;
        Some((Ok(event), listener))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}
