//! Long work: how it tells where it is, and how it is stopped.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::error::LearnError;
use crate::words::WORDS;

/// Where a long piece of work is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Progress {
    /// Parts done.
    pub done: usize,
    /// Parts in all.
    pub total: usize,
    /// A cell of a table that has just become known.
    pub cell: Option<Cell>,
}

/// One pipeline of a grid is finished.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// Its place in the plan: imputer by transformer by classifier.
    pub place: usize,
    /// Imputer and transformer: the row of the table.
    pub row: String,
    /// Classifier: the column of the table.
    pub column: String,
    /// Its mean score.
    pub value: f64,
    /// The interval of the mean.
    pub interval: [f64; 2],
}

/// What a caller lends to long work: a flag that stops it and an ear that hears how far it is.
///
/// The ear may be called from several threads, in any order; the result does not depend on it.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Set to end the work early, with [`LearnError::Stopped`].
    pub stop: &'a AtomicBool,
    /// Hears about progress.
    pub tell: &'a (dyn Fn(&Progress) + Sync),
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control")
            .field("stop", &self.stop)
            .finish_non_exhaustive()
    }
}

/// A flag that nobody raises.
pub(crate) static NEVER: AtomicBool = AtomicBool::new(false);

impl Control<'static> {
    /// Nobody listens and nobody stops.
    pub fn quiet() -> Control<'static> {
        Control {
            stop: &NEVER,
            tell: &|_| {},
        }
    }
}

impl Control<'_> {
    /// Whether somebody asked for the end.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn go_on(&self) -> Result<(), LearnError> {
        go_on(self.stop)
    }
}

/// Goes on unless somebody raised the flag.
pub(crate) fn go_on(stop: &AtomicBool) -> Result<(), LearnError> {
    if stop.load(Ordering::Relaxed) {
        Err(LearnError::Stopped)
    } else {
        Ok(())
    }
}

/// Runs work on this many threads; the numbers it gives are the same for any number.
pub fn with_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> T + Send,
) -> Result<T, LearnError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|e| {
            let says = WORDS.say("plan-threads").with("threads", threads);
            LearnError::BadPlan(says.with("why", e.to_string()))
        })?;
    Ok(pool.install(work))
}
