//! Questions of rooms, answered on the thinkers' threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::http::HeaderMap;
use tokio::sync::oneshot::{Receiver, channel};
use wits_play::{Budget, Limits};

use crate::engine::{self, Job, Urgency};
use crate::visitor::Visitor;
use crate::{App, Fault};

/// How long a page waits for a thinker who is busy with others, before it goes without its thoughts.
const QUEUE: Duration = Duration::from_millis(60);

/// Raises a flag when the asker goes away before the answer.
pub(crate) struct Gone(pub(crate) Arc<AtomicBool>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A question on its way through the queue.
struct Question<T> {
    begun: Receiver<()>,
    told: Receiver<T>,
    gone: Gone,
}

impl<T: Send + 'static> Question<T> {
    fn put(
        app: &App,
        visitor: Visitor,
        work: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
    ) -> Question<T> {
        let stop = Arc::new(AtomicBool::new(false));
        let gone = Gone(Arc::clone(&stop));
        let (begin, begun) = channel();
        let (tell, told) = channel();
        let flag = Arc::clone(&stop);
        let work = Box::new(move || {
            let _ = begin.send(());
            let _ = tell.send(work(&flag));
            None
        });
        app.engine.put(Job {
            account: visitor.account(),
            urgency: Urgency::Analysis,
            stop,
            work,
        });
        Question { begun, told, gone }
    }

    async fn answer(self) -> Result<T, Fault> {
        let answer = self.told.await.map_err(|_| Fault::breakdown());
        drop(self.gone);
        answer
    }
}

/// Work that ends with the room's patience, counted from when it begins.
fn within<T>(
    patience: Duration,
    work: impl FnOnce(&Budget) -> T + Send + 'static,
) -> impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static {
    move |stop| work(&engine::budget(Limits::time(patience), Arc::clone(stop)))
}

/// Thinks on a thinker's thread about something that keeps its own limits; stops when the asker goes
/// away.
pub(crate) async fn analyse<T: Send + 'static>(
    app: &App,
    visitor: Visitor,
    work: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
) -> Result<T, Fault> {
    visitor.may_compute()?;
    Question::put(app, visitor, work).answer().await
}

/// Thinks on a thinker's thread, so that pages and moves go on; not for longer than the room's
/// patience, and not for somebody who has gone.
pub(crate) async fn think<T: Send + 'static>(
    app: &App,
    visitor: Visitor,
    patience: Duration,
    work: impl FnOnce(&Budget) -> T + Send + 'static,
) -> Result<T, Fault> {
    analyse(app, visitor, within(patience, work)).await
}

/// Whether the asker would rather wait for everything than have the page at once (RFC 7240).
fn patient(headers: &HeaderMap) -> bool {
    headers
        .get("prefer")
        .and_then(|v| v.to_str().ok())
        .is_some_and(|prefer| prefer.contains("wait"))
}

/// Thinks for a page that does not stand in a queue: nothing if no thinker was free at once. Then
/// the page goes without its thoughts and asks for them again, patiently (see `pages::later`).
pub(crate) async fn soon<T: Send + 'static>(
    app: &App,
    visitor: Visitor,
    headers: &HeaderMap,
    patience: Duration,
    work: impl FnOnce(&Budget) -> T + Send + 'static,
) -> Result<Option<T>, Fault> {
    if visitor.may_compute().is_err() {
        return Ok(None);
    }
    let mut question = Question::put(app, visitor, within(patience, work));
    if !patient(headers) {
        let turn = tokio::time::timeout(QUEUE, &mut question.begun);
        if turn.await.is_err() {
            return Ok(None);
        }
    }
    question.answer().await.map(Some)
}
