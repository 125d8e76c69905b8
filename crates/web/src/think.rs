//! Questions of rooms, answered on the thinkers' threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::http::StatusCode;
use wits_play::{Budget, Limits};

use crate::engine::{Job, Urgency};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// Raises a flag when the asker goes away before the answer.
struct Gone(Arc<AtomicBool>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Thinks on a thinker's thread, so that pages and moves go on; not for longer than the room's
/// patience, and not for somebody who has gone.
pub(crate) async fn think<T: Send + 'static>(
    app: &App,
    visitor: Visitor,
    patience: Duration,
    work: impl FnOnce(&Budget) -> T + Send + 'static,
) -> Result<T, Fault> {
    let stop = Arc::new(AtomicBool::new(false));
    let gone = Gone(Arc::clone(&stop));
    let (tell, told) = tokio::sync::oneshot::channel();
    let flag = Arc::clone(&stop);
    let work = Box::new(move || {
        let budget = Budget::with_stop(Limits::time(patience), flag);
        let _ = tell.send(work(&budget));
        None
    });
    app.engine.put(Job {
        visitor: visitor.token,
        urgency: Urgency::Analysis,
        stop,
        work,
    });
    let answer = told.await.map_err(|_| {
        let (why, hint) = (WORDS.say("breakdown"), WORDS.say("breakdown-hint"));
        Fault::new(StatusCode::INTERNAL_SERVER_ERROR, "breakdown", why, hint)
    });
    drop(gone);
    answer
}
