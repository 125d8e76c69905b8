//! The queue inside one process.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use crate::parcel::{Held, Hold, Parcel, Waiting};
use crate::sign::{Badge, Order, Presence, Sign};

/// A queue in memory. Clones are the same queue.
#[derive(Clone, Default)]
pub struct Here(Arc<Inner>);

#[derive(Default)]
struct Inner {
    state: Mutex<Inside>,
    changed: Condvar,
}

#[derive(Default)]
struct Inside {
    jobs: VecDeque<Parcel>,
    /// Jobs that wait or that somebody holds.
    known: BTreeSet<String>,
    results: VecDeque<Parcel>,
    /// Results that the coordinator has in hand.
    unsettled: u64,
    files: BTreeMap<String, Vec<u8>>,
    present: BTreeMap<u64, Badge>,
    next: u64,
}

/// Gives a parcel back when it is dropped.
pub(crate) struct HeldHere {
    queue: Weak<Inner>,
    parcel: Option<Parcel>,
    job: bool,
}

impl Inner {
    // A panic elsewhere cannot leave the lists half changed.
    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is inside as soon as `ready`, or after `wait`.
    fn wait(&self, wait: Duration, ready: impl Fn(&Inside) -> bool) -> MutexGuard<'_, Inside> {
        let waited = self
            .changed
            .wait_timeout_while(self.lock(), wait, |inside| !ready(inside));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

impl HeldHere {
    fn settle(mut self) -> Option<Parcel> {
        self.parcel.take()
    }
}

impl Drop for HeldHere {
    fn drop(&mut self) {
        let (Some(queue), Some(parcel)) = (self.queue.upgrade(), self.parcel.take()) else {
            return;
        };
        let mut inside = queue.lock();
        if self.job {
            // Unless it was withdrawn meanwhile.
            if inside.known.contains(&parcel.job) {
                inside.jobs.push_front(parcel);
            }
        } else {
            inside.unsettled -= 1;
            inside.results.push_front(parcel);
        }
        drop(inside);
        queue.changed.notify_all();
    }
}

impl Here {
    fn held(&self, parcel: Parcel, job: bool) -> Held {
        Held {
            parcel: parcel.clone(),
            hold: Hold::Here(HeldHere {
                queue: Arc::downgrade(&self.0),
                parcel: Some(parcel),
                job,
            }),
        }
    }

    pub(crate) fn send(&self, jobs: &[Parcel]) -> usize {
        let mut inside = self.0.lock();
        let mut new = 0;
        for job in jobs {
            if inside.known.insert(job.job.clone()) {
                inside.jobs.push_back(job.clone());
                new += 1;
            }
        }
        drop(inside);
        self.0.changed.notify_all();
        new
    }

    pub(crate) fn take(&self, wait: Duration) -> Option<Held> {
        let job = self.0.wait(wait, |i| !i.jobs.is_empty()).jobs.pop_front()?;
        Some(self.held(job, true))
    }

    pub(crate) fn finish(&self, held: HeldHere, result: &Parcel) {
        let mut inside = self.0.lock();
        inside.known.remove(&result.job);
        inside.results.push_back(result.clone());
        drop(inside);
        held.settle();
        self.0.changed.notify_all();
    }

    pub(crate) fn results(&self, run: &str, wait: Duration, most: usize) -> Vec<Held> {
        let of = |parcel: &Parcel| parcel.run == run;
        let mut inside = self.0.wait(wait, |i| i.results.iter().any(of));
        let all = std::mem::take(&mut inside.results);
        let mut taken = Vec::new();
        for parcel in all {
            if taken.len() < most && of(&parcel) {
                inside.unsettled += 1;
                taken.push(parcel);
            } else {
                inside.results.push_back(parcel);
            }
        }
        drop(inside);
        taken.into_iter().map(|p| self.held(p, false)).collect()
    }

    pub(crate) fn settle(&self, held: HeldHere) {
        held.settle();
        self.0.lock().unsettled -= 1;
    }

    pub(crate) fn withdraw(&self, run: &str, results: bool) {
        let mut inside = self.0.lock();
        let jobs = std::mem::take(&mut inside.jobs).into_iter();
        let (gone, stay): (VecDeque<Parcel>, _) = jobs.partition(|job| job.run == run);
        inside.jobs = stay;
        for job in gone {
            inside.known.remove(&job.job);
        }
        if results {
            inside.results.retain(|result| result.run != run);
        }
    }

    pub(crate) fn deposit(&self, hash: &str, bytes: &[u8]) {
        let mut inside = self.0.lock();
        inside.files.insert(hash.to_owned(), bytes.to_vec());
    }

    pub(crate) fn collect(&self, hash: &str) -> Option<Vec<u8>> {
        self.0.lock().files.get(hash).cloned()
    }

    pub(crate) fn waiting(&self) -> Waiting {
        let inside = self.0.lock();
        Waiting {
            jobs: inside.jobs.len() as u64,
            taken: (inside.known.len() - inside.jobs.len()) as u64,
            results: inside.results.len() as u64 + inside.unsettled,
        }
    }

    pub(crate) fn present(&self, sign: Sign) -> Presence {
        let badge = Badge::new(sign);
        let mut inside = self.0.lock();
        let ticket = inside.next;
        inside.next += 1;
        inside.present.insert(ticket, badge.clone());
        Presence {
            badge,
            _leave: Box::new(Leave {
                queue: Arc::downgrade(&self.0),
                ticket,
            }),
        }
    }

    pub(crate) fn roll_call(&self) -> Vec<Sign> {
        self.0.lock().present.values().map(Badge::sign).collect()
    }

    pub(crate) fn order(&self, to: Option<&str>, order: Order) -> Vec<Sign> {
        let inside = self.0.lock();
        let heard = inside.present.values().filter(|badge| badge.hears(to));
        heard.map(|badge| badge.tell(order)).collect()
    }
}

struct Leave {
    queue: Weak<Inner>,
    ticket: u64,
}

impl Drop for Leave {
    fn drop(&mut self) {
        if let Some(queue) = self.queue.upgrade() {
            queue.lock().present.remove(&self.ticket);
        }
    }
}
