//! Questions that wait for the engine: one thread, a limit of time, an end when nobody waits.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use serde::Deserialize as _;
use wits_desk::Answer;
use wits_learn::{
    Control, CrossValidated, LearnError, Model, Pipeline, train_controlled, with_threads,
};

use super::files::{Desk, Subject};
use super::wrong;
use crate::desk::Question;
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
            Fault::new(StatusCode::UNPROCESSABLE_ENTITY, "stopped", why, hint)
        }
        error => wrong(&error),
    })
}

/// What the desk says of a pipeline that is cross-validated, and its figures.
pub(super) async fn check(
    app: &App,
    visitor: Visitor,
    subject: &Subject,
    pipeline: &Pipeline,
) -> Result<(Question, Arc<Answer>, CrossValidated), Fault> {
    let question = subject.question("cv", &[("pipeline", &pipeline.to_string())])?;
    let answer = question
        .clone()
        .with_outputs(None)
        .ask(app, visitor)
        .await?;
    let found = CrossValidated::deserialize(&answer.data).map_err(|_| Fault::breakdown())?;
    Ok((question, answer, found))
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
    let found = think(app, visitor, move |control| {
        train_controlled(&data, &pipeline, seed, control)
    });
    Ok(desk.models.put(key, found.await?))
}
