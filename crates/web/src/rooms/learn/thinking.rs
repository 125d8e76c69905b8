//! Questions that wait for the engine: one thread, a limit of time, an end when nobody waits.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use wits_learn::{Control, CrossValidated, LearnError, Model, Pipeline, with_threads};

use super::files::{Desk, Subject};
use super::wrong;
use crate::think::analyse;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// How long a page waits for an answer.
const WAIT: Duration = Duration::from_secs(20);

/// Thinks about something on the engine.
pub(super) async fn think<T: Send + 'static>(
    app: &App,
    visitor: Visitor,
    work: impl FnOnce(&Control<'_>) -> Result<T, LearnError> + Send + 'static,
) -> Result<T, Fault> {
    let found = analyse(app, visitor, move |stop| {
        let begun = Instant::now();
        let watch = |_: &wits_learn::Progress| {
            crate::engine::breathe();
            if begun.elapsed() > WAIT {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let control = Control { stop, tell: &watch };
        // One thread of its own: a question must not take all cores from the games.
        with_threads(1, || work(&control)).and_then(|found| found)
    })
    .await?;
    found.map_err(|error| match error {
        LearnError::Stopped => {
            let why = WORDS.say("learn-too-long").with("seconds", WAIT.as_secs());
            let hint = WORDS.say("learn-too-long-hint");
            Fault::new(StatusCode::UNPROCESSABLE_ENTITY, "too-long", why, hint)
        }
        error => wrong(&error),
    })
}

/// A pipeline cross-validated, perhaps a moment ago.
pub(super) async fn check(
    app: &App,
    desk: &Desk,
    visitor: Visitor,
    subject: &Subject,
    pipeline: &Pipeline,
) -> Result<Arc<CrossValidated>, Fault> {
    let key = subject.key(&pipeline.in_full());
    if let Some(known) = desk.checks.get(&key) {
        return Ok(known);
    }
    let (data, pipeline) = (Arc::clone(&subject.data), pipeline.clone());
    let (validation, seed) = (subject.choice.validation(), subject.choice.seed);
    let found = think(app, visitor, move |control| {
        wits_learn::cross_validate(&data, &pipeline, validation, seed, control)
    });
    Ok(desk.checks.put(key, found.await?))
}

/// A pipeline trained on all rows, perhaps a moment ago.
pub(super) async fn train(
    app: &App,
    desk: &Desk,
    visitor: Visitor,
    subject: &Subject,
    pipeline: &Pipeline,
) -> Result<Arc<Model>, Fault> {
    let key = subject.key(&pipeline.in_full());
    if let Some(known) = desk.models.get(&key) {
        return Ok(known);
    }
    let (data, pipeline) = (Arc::clone(&subject.data), pipeline.clone());
    let seed = subject.choice.seed;
    let found = think(app, visitor, move |_| {
        wits_learn::train(&data, &pipeline, seed)
    });
    Ok(desk.models.put(key, found.await?))
}
