//! Long work over one stream of events: a slice at a time on a thinker's thread, until it is done or
//! the page goes away.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::stream::{Stream, unfold};
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use wits_search::{Budget, Limits};

use crate::engine::{self, Account, Job, Urgency};
use crate::think::Gone;
use crate::visitor::Visitor;
use crate::{App, Fault};

/// What a slice of work came to.
pub(crate) struct Told {
    /// The name of the event.
    pub(crate) event: &'static str,
    /// What it says.
    pub(crate) data: Value,
    /// Whether this was the last slice.
    pub(crate) over: bool,
}

/// Says something in the middle of a slice.
pub(crate) struct Voice(UnboundedSender<(&'static str, Value)>);

impl Voice {
    /// Tells the page; nothing happens where it is gone.
    pub(crate) fn say(&self, event: &'static str, data: Value) {
        let _ = self.0.send((event, data));
    }
}

/// Work that goes on in slices.
struct Work<F> {
    slice: F,
    tell: Voice,
    stop: Arc<AtomicBool>,
    account: Account,
}

fn job<F>(mut work: Work<F>) -> Job
where
    F: FnMut(&Budget, &Voice) -> Told + Send + 'static,
{
    Job {
        account: work.account,
        urgency: Urgency::Analysis,
        stop: Arc::clone(&work.stop),
        work: Box::new(move || {
            let budget = engine::budget(Limits::NONE, Arc::clone(&work.stop));
            let told = (work.slice)(&budget, &work.tell);
            work.tell.say(told.event, told.data);
            if told.over {
                work.tell.say("done", Value::Bool(true));
            }
            let more = !told.over && !work.stop.load(Ordering::Relaxed);
            more.then(|| job(work))
        }),
    }
}

/// Streams what the slices tell, and `done` in the end; a page that closes the stream ends the work.
pub(crate) fn stream<F>(
    app: &App,
    visitor: Visitor,
    mut slice: F,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>> + use<F>>, Fault>
where
    F: FnMut(&Budget) -> Told + Send + 'static,
{
    stream_aloud(app, visitor, move |budget, _| slice(budget))
}

/// The same for slices that say something before they are over.
pub(crate) fn stream_aloud<F>(
    app: &App,
    visitor: Visitor,
    slice: F,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>> + use<F>>, Fault>
where
    F: FnMut(&Budget, &Voice) -> Told + Send + 'static,
{
    visitor.may_compute()?;
    let permit = app.streams.place(visitor)?;
    let (tell, heard) = unbounded_channel();
    let stop = Arc::<AtomicBool>::default();
    app.engine.put(job(Work {
        slice,
        tell: Voice(tell),
        stop: Arc::clone(&stop),
        account: visitor.account(),
    }));
    let page = (heard, Gone(stop), permit);
    let events = unfold(page, |(mut heard, gone, permit)| async move {
        let (name, data) = heard.recv().await?;
        let event = Event::default().event(name).json_data(data).ok()?;
        Some((Ok(event), (heard, gone, permit)))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}
