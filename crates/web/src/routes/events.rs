//! Everything live: one stream of server-sent events per page, resumable by event id.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::stream::{Stream, unfold};
use tokio::sync::{broadcast, watch};

use super::games::{blocking, open};
use crate::snapshot::{Place, snapshot};
use crate::table::{News, Said, Table};
use crate::visitor::Visitor;
use crate::{App, Fault};

/// One page that listens.
struct Listener {
    app: App,
    table: Arc<Table>,
    visitor: Visitor,
    news: watch::Receiver<News>,
    thoughts: broadcast::Receiver<Arc<Said>>,
    /// The last state the page has seen, by its number.
    seen: Option<News>,
    _place: crate::streams::StreamPlace,
}

impl Drop for Listener {
    fn drop(&mut self) {
        // This listener's own receiver is still counted.
        if self.table.news.receiver_count() <= 1 {
            self.table.nobody_looks();
        }
    }
}

/// `GET /games/ID/events`
pub(super) async fn stream(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    visitor: Visitor,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    let permit = app.streams.place(visitor)?;
    let table = open(&app, &id).await?;
    let seen = headers
        .get("last-event-id")
        .and_then(|v| v.to_str().ok())
        .and_then(|v| v.parse().ok());
    // A page that comes back has seen the seats as they are now, or is told with the next state.
    let seatings = table.news.borrow().seatings;
    let seen = seen.map(|events| News { events, seatings });
    let listener = Listener {
        news: table.news.subscribe(),
        thoughts: table.thoughts.subscribe(),
        app,
        table,
        visitor,
        seen,
        _place: permit,
    };
    listener.table.look(&listener.app, visitor);
    let events = unfold(listener, |mut listener| async move {
        let event = listener.next().await?;
        Some((Ok(event), listener))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}

impl Listener {
    /// The next thing to tell: a state that the page has not seen, or a thought.
    async fn next(&mut self) -> Option<Event> {
        loop {
            let now = *self.news.borrow_and_update();
            if self.seen != Some(now) {
                self.seen = Some(now);
                let (app, table, visitor) =
                    (self.app.clone(), Arc::clone(&self.table), self.visitor);
                let state = blocking(move || {
                    let place = Place::of(&app, &table, visitor)?;
                    Ok(snapshot(&table, &place))
                });
                let Ok(state) = state.await else {
                    return None;
                };
                return Event::default()
                    .event("state")
                    .id(now.events.to_string())
                    .json_data(state)
                    .ok();
            }
            tokio::select! {
                changed = self.news.changed() => if changed.is_err() { return None },
                thought = self.thoughts.recv() => match thought {
                    Ok(thought) => return Event::default().event("thought").json_data(thought.json()).ok(),
                    Err(broadcast::error::RecvError::Lagged(_)) => {}
                    Err(broadcast::error::RecvError::Closed) => return None,
                },
            }
        }
    }
}
