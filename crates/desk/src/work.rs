//! Work that takes a while: what it may spend, who can stop it, and how far it is.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wits_search::Budget;

/// How far some work is.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Progress {
    /// How much is done.
    pub done: u64,
    /// How much there is in all, where that is known.
    pub total: Option<u64>,
    /// What became known meanwhile, for pages that show it as it comes.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub news: Value,
}

/// One piece of work under way: its budget with the stop flag, and somebody who is told how far it
/// is. The one way to run long.
///
/// ```
/// use wits_desk::{Progress, Work};
/// use wits_search::{Budget, Limits};
/// let mut seen = Vec::new();
/// let mut tell = |progress: Progress| seen.push(progress.done);
/// let mut work = Work::new(Budget::start(Limits::nodes(10)), &mut tell);
/// for n in 0.. {
///     if work.budget().spent(n) {
///         break;
///     }
///     work.tell(Progress { done: n, ..Progress::default() });
/// }
/// assert_eq!(seen.len(), 10);
/// ```
pub struct Work<'a> {
    budget: Budget,
    tell: &'a mut (dyn FnMut(Progress) + Send),
    threads: usize,
}

impl<'a> Work<'a> {
    /// Work inside a budget; `tell` hears how far it is.
    pub fn new(budget: Budget, tell: &'a mut (dyn FnMut(Progress) + Send)) -> Work<'a> {
        Work {
            budget,
            tell,
            threads: 1,
        }
    }

    /// The same work on so many threads.
    pub fn on_threads(mut self, threads: usize) -> Work<'a> {
        self.threads = threads.max(1);
        self
    }

    /// How many threads it may use.
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// What may be spent, with the stop flag.
    pub const fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Whether it must end now: somebody stopped it, or its time is up. Reads the clock.
    pub fn over(&self) -> bool {
        self.budget.stopped() || self.budget.late()
    }

    /// Says how far it is.
    pub fn tell(&mut self, progress: Progress) {
        (self.tell)(progress);
    }
}
