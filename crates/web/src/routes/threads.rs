//! Threads that visitors bring: checked, and kept under an address that nobody can guess.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use wits_play::check::{self, Report};
use wits_play::{AnyGame, Spec};
use wits_search::Thread;
use wits_store::Over;

use super::{Wish, blocking};
use crate::own::{self, Kept, Put, not_yours};
use crate::pages::{back, machines, threads::KIND};
use crate::think::analyse;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The largest thread that can be kept or checked, in bytes.
pub(super) const LARGEST: usize = 4 << 20;
/// The most steps of such a thread.
const MOST: usize = 100_000;
/// The longest title.
const LONGEST: usize = 80;
/// So many failures are told.
const TOLD: usize = 3;

/// A thread that can be read, with the game that it is about.
struct Brought {
    thread: Thread,
    /// Nothing for a desk's thread, and for version 1, which does not name its game.
    game: Option<std::sync::Arc<dyn AnyGame>>,
}

fn refused(why: String) -> Fault {
    let (why, hint) = (
        WORDS.say("thread-bad").with("why", why),
        WORDS.say("thread-bad-hint"),
    );
    Fault::new(StatusCode::UNPROCESSABLE_ENTITY, "bad-thread", why, hint)
}

impl Brought {
    fn read(app: &App, body: &[u8]) -> Result<Brought, Fault> {
        let text = std::str::from_utf8(body).map_err(|e| refused(e.to_string()))?;
        let thread = Thread::read(text).map_err(|e| refused(e.to_string()))?;
        if thread.steps.len() > MOST {
            let why = WORDS.say("thread-long").with("most", MOST);
            return Err(refused(why.to_string()));
        }
        let name = &thread.header.game;
        let game = if name.is_empty() {
            None
        } else {
            let spec: Spec = name.parse()?;
            Some(app.catalog.game(&spec, &app.shelf_for(&spec, &[])?)?)
        };
        Ok(Brought { thread, game })
    }

    /// What the rules say of it, or for a desk's thread what it says of itself; nothing for a game that is not named.
    fn report(&self) -> Option<Report> {
        match self.game.as_deref() {
            Some(game) => Some(check::check(game, &self.thread)),
            None if self.thread.header.thread == 1 => None,
            None => Some(check::check_desk(&self.thread)),
        }
    }
}

/// `POST /api/house/check`: replays a thread with the rules alone.
pub(super) async fn check(
    State(app): State<App>,
    visitor: Visitor,
    body: Bytes,
) -> Result<Response, Fault> {
    let house = app.clone();
    let work = analyse(&app, visitor, move |_| -> Result<Value, Fault> {
        let brought = Brought::read(&house, &body)?;
        let Some(report) = brought.report() else {
            return Ok(json!({"rules": false}));
        };
        let game = brought.game.as_deref();
        let rests = game.map(|game| check::trim(game, &brought.thread));
        let failures = report.failures.iter().take(TOLD);
        let failures = failures.map(|f| json!({"at": f.at, "why": f.why.to_string()}));
        Ok(json!({
            "rules": true, "steps": report.steps, "checked": report.checked, "trusted": report.trusted,
            "failed": report.failures.len(), "failures": failures.collect::<Vec<_>>(),
            "rests": rests,
        }))
    });
    Ok(Json(work.await??).into_response())
}

/// `POST /threads`: keeps a thread for whoever sent it. What breaks the rules is refused.
pub(super) async fn keep(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let house = app.clone();
    let work = async {
        let brought = analyse(&app, visitor, move |_| {
            let brought = Brought::read(&house, &body)?;
            let report = brought.report();
            match report.and_then(|report| report.failures.into_iter().next()) {
                None => Ok(brought),
                Some(failure) => {
                    let why = WORDS.say("thread-step").with("step", failure.at);
                    Err(refused(why.with("why", failure.why).to_string()))
                }
            }
        });
        let brought = brought.await??;
        let house = app.clone();
        blocking(move || shelve(&house, visitor, brought)).await
    };
    let kept = work.await.map_err(|f| f.for_reader(&headers))?;
    let to = format!("/threads/{}", kept.name);
    Ok(own::kept(&headers, visitor, &to, &kept.gone))
}

/// Keeps a thread under a title of its own.
fn shelve(app: &App, visitor: Visitor, brought: Brought) -> Result<Kept, Fault> {
    let Brought { thread, game } = brought;
    let header = &thread.header;
    let about = match &game {
        Some(game) => game.title().to_string(),
        None => header.room.clone(),
    };
    let what = if header.title.is_empty() {
        &header.subject
    } else {
        &header.title
    };
    // People read names.
    let by = header.by.as_str();
    let what = match &game {
        Some(_) if !by.is_empty() => what.replace(by, &machines::called(by)),
        _ => what.clone(),
    };
    let title: String = format!("{about}: {what}").chars().take(LONGEST).collect();
    // Only what was understood is kept: keys of other headers and lines that say nothing are left out.
    let text = Thread::new(thread.header, thread.steps, thread.footer).text();
    let mut number = 1;
    loop {
        let title = match number {
            1 => title.clone(),
            n => format!("{title} ({n})"),
        };
        let put = Put {
            kind: KIND,
            name: None,
            title: &title,
            bytes: text.clone().into_bytes(),
            over: Over::Nothing,
        };
        match app.keep(visitor, put) {
            Err(fault) if fault.code == "name-taken" && number < 1000 => number += 1,
            other => return other,
        }
    }
}

/// `POST /threads/NAME/delete`: by its owner.
pub(super) async fn delete(wish: Wish) -> Result<Response, Fault> {
    let (app, name, visitor) = (wish.app.clone(), wish.name.clone(), wish.visitor);
    let gone = blocking(move || {
        let own = app.store.item(KIND, &name)?;
        let own = own.filter(|item| item.owner == visitor.text());
        match own {
            Some(_) if app.store.discard(&name, &visitor.text())? => Ok(()),
            _ => Err(not_yours()),
        }
    });
    gone.await.map_err(|f| f.for_reader(&wish.headers))?;
    Ok(back(&wish.headers, visitor, "/threads"))
}
