//! What a program hears: one stream of lines for all its games, which it may open again at any time.

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use serde_json::json;
use tokio::sync::mpsc::UnboundedReceiver;
use wits_store::Id;

use super::Bot;
use super::door::{Declined, deed};
use crate::routes::blocking;
use crate::table::Told;
use crate::visitor::Visitor;
use crate::{App, WORDS};

/// A sign of life, an empty line, comes this often.
const BEAT: Duration = Duration::from_secs(5);
/// So many of its sessions are looked through for games that go on.
const LOOKED: u32 = 2_000;

/// A program that listens.
struct Listener {
    app: App,
    bot: Bot,
    number: u64,
    poked: UnboundedReceiver<Id>,
    told: BTreeMap<Id, Told>,
    lines: VecDeque<String>,
    over: bool,
    _place: crate::streams::StreamPlace,
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.app.bots.leave(&self.bot.id, self.number);
    }
}

/// `GET /api/bot/stream`
pub(crate) async fn listen(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Declined> {
    let bot = deed(&app, &headers).await?;
    let place = app.streams.place(visitor.numbered(bot.number()))?;
    let (number, poked) = app.bots.arrive(&bot.id);
    let mut listener = Listener {
        app: app.clone(),
        number,
        poked,
        told: BTreeMap::new(),
        lines: VecDeque::new(),
        over: false,
        bot: bot.clone(),
        _place: place,
    };
    let welcome =
        json!({"welcome": 1, "bot": bot.name, "id": bot.id, "beat_ms": BEAT.as_millis() as u64});
    listener.lines.push_back(welcome.to_string());
    let open = blocking(move || {
        let all = app.store.sessions_of(&bot.id, LOOKED)?;
        let open = all.into_iter().filter(|s| !s.finished && s.kind == "game");
        Ok(open.map(|session| session.id).collect::<Vec<_>>())
    });
    for id in open.await? {
        listener.look(id).await;
    }
    let lines = unfold(listener, |mut listener| async move {
        let line = listener.next().await?;
        Some((Ok::<_, Infallible>(Bytes::from(line + "\n")), listener))
    });
    let kind = [
        (header::CONTENT_TYPE, "application/x-ndjson; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((kind, Body::from_stream(lines)).into_response())
}

impl Listener {
    async fn next(&mut self) -> Option<String> {
        loop {
            if let Some(line) = self.lines.pop_front() {
                return Some(line);
            }
            if self.over {
                return None;
            }
            tokio::select! {
                poked = self.poked.recv() => if let Some(id) = poked {
                    self.look(id).await;
                } else {
                    // Another program came with this token, or the token was withdrawn.
                    let message = WORDS.say("bot-elsewhere").to_string();
                    let error = json!({"error": {"code": "elsewhere", "message": message}});
                    self.lines.push_back(error.to_string());
                    self.over = true;
                },
                () = tokio::time::sleep(BEAT) => return Some(String::new()),
            }
        }
    }

    /// Hears what is new at a table.
    async fn look(&mut self, id: Id) {
        let mut told = self.told.remove(&id).unwrap_or_default();
        let (app, bot) = (self.app.clone(), self.bot.id.clone());
        let work = blocking(move || {
            let table = app.table(id)?;
            let lines = table.tell_bot(&bot, &mut told);
            table.look_for_bot(&app);
            Ok((lines, told))
        });
        // A game that was deleted has nothing to say any more.
        if let Ok((lines, told)) = work.await {
            self.lines.extend(lines);
            self.told.insert(id, told);
        }
    }
}
