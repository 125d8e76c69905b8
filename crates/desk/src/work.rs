//! Work that takes a while: what it may spend, who can stop it, and how far it is.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wits_search::Budget;

/// How often work that only counts says how far it is.
const EVERY: Duration = Duration::from_millis(100);

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
    memory: usize,
}

impl<'a> Work<'a> {
    /// Work inside a budget; `tell` hears how far it is.
    pub fn new(budget: Budget, tell: &'a mut (dyn FnMut(Progress) + Send)) -> Work<'a> {
        Work {
            budget,
            tell,
            threads: 1,
            memory: 1 << 20,
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

    /// Bounds what it may hold, in MiB.
    pub const fn hold_at_most(&mut self, memory: u64) {
        self.memory = memory as usize;
    }

    /// How many MiB it may hold.
    pub const fn memory(&self) -> usize {
        self.memory
    }

    /// What may be spent, with the stop flag.
    pub const fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Whether it must end now: somebody stopped it, or its time is up. Reads the clock.
    pub fn over(&self) -> bool {
        self.budget.stopped() || self.budget.late()
    }

    /// Seconds since it began.
    pub fn seconds(&self) -> f64 {
        self.budget.elapsed().as_secs_f64()
    }

    /// Does a job that counts what it has done, and says how far it is while it works.
    pub fn counting<T: Send>(
        &mut self,
        done: &AtomicU64,
        total: Option<u64>,
        job: impl FnOnce(&Budget) -> T + Send,
    ) -> T {
        let Work { budget, tell, .. } = self;
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    let done = done.load(Ordering::Relaxed);
                    tell(Progress {
                        done,
                        total,
                        ..Progress::default()
                    });
                    std::thread::park_timeout(EVERY);
                }
            });
            let found = job(budget);
            over.store(true, Ordering::Relaxed);
            watcher.thread().unpark();
            found
        })
    }

    /// Says how far it is.
    pub fn tell(&mut self, progress: Progress) {
        (self.tell)(progress);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wits_search::Limits;

    #[test]
    fn a_job_that_counts_is_followed_to_its_end() {
        let (done, heard) = (AtomicU64::new(3), AtomicU64::new(0));
        let mut tell = |at: Progress| {
            assert_eq!(at.total, Some(9));
            heard.fetch_max(at.done, Ordering::Relaxed);
        };
        let mut work = Work::new(Budget::start(Limits::default()), &mut tell);
        let found = work.counting(&done, Some(9), |budget| {
            // It goes on until somebody was told.
            while heard.load(Ordering::Relaxed) < 3 {
                std::thread::yield_now();
            }
            budget.stopped()
        });
        assert!(!found);
    }
}
