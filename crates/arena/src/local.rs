//! A whole run on the threads of this process.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

use crate::{ArenaError, Completed, Coordinator, Hall, Job, Refused};

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Everything was played.
    Finished,
    /// Somebody stopped it; it can be gone on with.
    Stopped,
    /// What was looked for was found.
    Enough,
}

/// Results are collected for so long before they are written down together.
const BATCH: Duration = Duration::from_millis(50);

/// Plays what is left of a run on some threads. `now` tells the time in microseconds; `each` hears
/// of every batch that was written down and says whether to go on.
pub fn run(
    coordinator: &mut Coordinator<'_>,
    hall: &Hall,
    threads: usize,
    stop: &AtomicBool,
    now: &dyn Fn() -> i64,
    each: &mut dyn FnMut(&Coordinator<'_>) -> ControlFlow<()>,
) -> Result<Stop, ArenaError> {
    loop {
        let jobs = coordinator.pending();
        if jobs.is_empty() {
            return Ok(Stop::Finished);
        }
        let end = stage(coordinator, hall, jobs, threads, stop, now, each)?;
        if let Some(end) = end {
            return Ok(end);
        }
    }
}

/// Plays some jobs; says how it ended, if that is the end of the run.
fn stage(
    coordinator: &mut Coordinator<'_>,
    hall: &Hall,
    jobs: Vec<Job>,
    threads: usize,
    stop: &AtomicBool,
    now: &dyn Fn() -> i64,
    each: &mut dyn FnMut(&Coordinator<'_>) -> ControlFlow<()>,
) -> Result<Option<Stop>, ArenaError> {
    let threads = threads.clamp(1, 1024).min(jobs.len());
    let queue = Mutex::new(VecDeque::from(jobs));
    let halt = AtomicBool::new(false);
    let (send, receive) = mpsc::channel::<Result<Completed, Refused>>();
    let work = |send: mpsc::Sender<Result<Completed, Refused>>| {
        loop {
            if stop.load(Ordering::Relaxed) {
                halt.store(true, Ordering::Relaxed);
            }
            if halt.load(Ordering::Relaxed) {
                return;
            }
            let next = queue
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .pop_front();
            let Some(job) = next else { return };
            let played = hall.play(&job, &halt).map(|result| Completed {
                job: job.id,
                worker: "here".to_owned(),
                result,
            });
            if send.send(played).is_err() {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (send, work) = (send.clone(), &work);
            scope.spawn(move || work(send));
        }
        drop(send);
        let mut ended = None;
        let mut failed = None;
        loop {
            let mut batch = Vec::new();
            let open = collect(&receive, &mut batch, &mut failed);
            if stop.load(Ordering::Relaxed) && ended.is_none() {
                ended = Some(Stop::Stopped);
                halt.store(true, Ordering::Relaxed);
            }
            if !batch.is_empty() {
                let kept = coordinator.accept(batch, now());
                match kept {
                    Ok(_) if ended.is_none() => {
                        if each(coordinator).is_break() {
                            ended = Some(Stop::Enough);
                        }
                    }
                    Ok(_) => {}
                    Err(e) => failed = Some(e),
                }
            }
            if failed.is_some() || ended.is_some() {
                halt.store(true, Ordering::Relaxed);
            }
            if !open {
                return match failed {
                    Some(error) => Err(error),
                    None => Ok(ended),
                };
            }
        }
    })
}

/// Takes what comes for a moment; false when nobody plays any more.
fn collect(
    receive: &mpsc::Receiver<Result<Completed, Refused>>,
    batch: &mut Vec<Completed>,
    failed: &mut Option<ArenaError>,
) -> bool {
    let mut take = |played: Result<Completed, Refused>| match played {
        Ok(completed) => batch.push(completed),
        Err(Refused::Stopped) => {}
        Err(refused) => *failed = Some(refused.into()),
    };
    match receive.recv_timeout(BATCH) {
        Ok(first) => take(first),
        Err(mpsc::RecvTimeoutError::Timeout) => return true,
        Err(mpsc::RecvTimeoutError::Disconnected) => return false,
    }
    // One write for many results: a disk takes as long for a hundred as for one.
    let until = wits_play::Budget::start(wits_play::Limits::time(BATCH));
    while !until.late() {
        match receive.recv_timeout(BATCH.saturating_sub(until.elapsed())) {
            Ok(more) => take(more),
            Err(mpsc::RecvTimeoutError::Timeout) => break,
            Err(mpsc::RecvTimeoutError::Disconnected) => return false,
        }
    }
    true
}
