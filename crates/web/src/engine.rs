//! Machines think on their own threads, behind two fair queues: moves before analyses, and among
//! equals the visitors in turn, one search each.

use std::collections::{BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use wits_game::Lang;

/// Which queue a job waits in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Urgency {
    /// Somebody waits for a move.
    Move,
    /// Somebody is curious.
    Analysis,
}

/// Something to think about.
pub struct Job {
    /// Whose job it is: a visitor has one running at a time.
    pub visitor: u128,
    /// Which queue it waits in.
    pub urgency: Urgency,
    /// Raised when nobody wants the answer any more; a job that waits with it raised is dropped.
    pub stop: Arc<AtomicBool>,
    /// The work. A long analysis does a slice and returns the rest as a new job.
    pub work: Box<dyn FnOnce() -> Option<Job> + Send>,
}

/// The thinkers. Copies share the same threads; they end when the last copy is dropped.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
    _threads: Arc<Threads>,
}

struct Shared {
    queues: Mutex<Queues>,
    bell: Condvar,
}

/// A job in its queue, with the language of whoever put it there.
struct Waiting {
    job: Job,
    lang: Lang,
}

#[derive(Default)]
struct Queues {
    waiting: [VecDeque<Waiting>; 2],
    busy: BTreeSet<u128>,
    closed: bool,
    /// Jobs that run now: as many as busy visitors, if the queue is fair.
    running: usize,
    ran: u64,
}

impl Queues {
    /// The next job whose visitor has nothing running; moves first. Taking from the front and
    /// adding at the back lets visitors take turns.
    fn next(&mut self) -> Option<Waiting> {
        for queue in &mut self.waiting {
            queue.retain(|one| !one.job.stop.load(Ordering::Relaxed));
            if let Some(at) = queue
                .iter()
                .position(|one| !self.busy.contains(&one.job.visitor))
            {
                return queue.remove(at);
            }
        }
        None
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queues> {
        // A job cannot panic while it holds the queues, so what is inside is whole.
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, job: Job, lang: Lang) {
        let mut queues = self.lock();
        let queue = usize::from(job.urgency == Urgency::Analysis);
        // Behind everybody's first job and before their second: nobody's pile delays another.
        let mine = queues.waiting[queue]
            .iter()
            .filter(|one| one.job.visitor == job.visitor)
            .count();
        let mut seen = std::collections::BTreeMap::new();
        let at = queues.waiting[queue]
            .iter()
            .position(|one| {
                let count = seen.entry(one.job.visitor).or_insert(0);
                *count += 1;
                *count > mine + 1
            })
            .unwrap_or(queues.waiting[queue].len());
        queues.waiting[queue].insert(at, Waiting { job, lang });
        drop(queues);
        self.bell.notify_one();
    }

    fn think(&self) {
        loop {
            let mut queues = self.lock();
            let Waiting { job, lang } = loop {
                if queues.closed {
                    return;
                }
                if let Some(job) = queues.next() {
                    break job;
                }
                queues = self
                    .bell
                    .wait(queues)
                    .unwrap_or_else(PoisonError::into_inner);
            };
            queues.busy.insert(job.visitor);
            queues.running += 1;
            drop(queues);
            // A machine that breaks down ends its own job and nothing else.
            let rest = catch_unwind(AssertUnwindSafe(|| lang.speak(job.work))).unwrap_or(None);
            let mut queues = self.lock();
            queues.busy.remove(&job.visitor);
            queues.running -= 1;
            queues.ran += 1;
            drop(queues);
            if let Some(rest) = rest {
                self.put(rest, lang);
            }
            self.bell.notify_all();
        }
    }
}

struct Threads {
    shared: Arc<Shared>,
    handles: Mutex<Vec<JoinHandle<()>>>,
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.bell.notify_all();
        let handles =
            std::mem::take(&mut *self.handles.lock().unwrap_or_else(PoisonError::into_inner));
        for handle in handles {
            if handle.thread().id() != std::thread::current().id() {
                let _ = handle.join();
            }
        }
    }
}

/// Enough for the deepest search that the spine allows.
const STACK: usize = 64 * 1024 * 1024;

impl Engine {
    /// Starts some thinkers.
    ///
    /// # Panics
    /// When the system gives no thread at all.
    pub fn start(thinkers: usize) -> Engine {
        let shared = Arc::new(Shared {
            queues: Mutex::default(),
            bell: Condvar::new(),
        });
        let spawn = |n: usize| {
            let shared = Arc::clone(&shared);
            let builder = std::thread::Builder::new()
                .name(format!("thinker-{n}"))
                .stack_size(STACK);
            builder
                .spawn(move || shared.think())
                .expect("the system has a thread to spare")
        };
        let handles = (0..thinkers.max(1)).map(spawn).collect();
        let threads = Threads {
            shared: Arc::clone(&shared),
            handles: Mutex::new(handles),
        };
        Engine {
            shared,
            _threads: Arc::new(threads),
        }
    }

    /// Puts a job into its queue; it will be done in the language that is spoken here.
    pub fn put(&self, job: Job) {
        self.shared.put(job, Lang::spoken());
    }

    /// How many jobs run now, wait, and have been done.
    pub fn load(&self) -> (usize, usize, u64) {
        let queues = self.shared.lock();
        (
            queues.running,
            queues.waiting.iter().map(VecDeque::len).sum(),
            queues.ran,
        )
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};

    use super::*;

    fn job(visitor: u128, urgency: Urgency, name: &'static str, to: &Sender<&'static str>) -> Job {
        let to = to.clone();
        let work = Box::new(move || {
            let _ = to.send(name);
            None
        });
        Job {
            visitor,
            urgency,
            stop: Arc::default(),
            work,
        }
    }

    /// One thinker is held by a first job while the others are put in, so their order is certain.
    fn order(jobs: impl FnOnce(&Engine, &Sender<&'static str>)) -> Vec<&'static str> {
        let engine = Engine::start(1);
        let (tell, told) = channel();
        let (open, gate) = channel::<()>();
        let (entered, inside) = channel();
        engine.put(Job {
            visitor: 99,
            urgency: Urgency::Move,
            stop: Arc::default(),
            work: Box::new(move || {
                let _ = entered.send(());
                let _ = gate.recv();
                None
            }),
        });
        inside.recv().unwrap();
        jobs(&engine, &tell);
        drop(tell);
        open.send(()).unwrap();
        told.iter().collect()
    }

    #[test]
    fn moves_come_before_analyses_and_visitors_take_turns() {
        let seen = order(|engine, tell| {
            for (visitor, urgency, name) in [
                (1, Urgency::Analysis, "1 analyses"),
                (1, Urgency::Move, "1 first"),
                (1, Urgency::Move, "1 second"),
                (1, Urgency::Move, "1 third"),
                (2, Urgency::Move, "2 first"),
                (3, Urgency::Move, "3 first"),
                (2, Urgency::Move, "2 second"),
            ] {
                engine.put(job(visitor, urgency, name, tell));
            }
        });
        assert_eq!(
            seen,
            [
                "1 first",
                "2 first",
                "3 first",
                "1 second",
                "2 second",
                "1 third",
                "1 analyses"
            ]
        );
    }

    #[test]
    fn what_nobody_wants_is_dropped_and_a_breakdown_harms_nobody() {
        let seen = order(|engine, tell| {
            let unwanted = job(1, Urgency::Move, "unwanted", tell);
            unwanted.stop.store(true, Ordering::Relaxed);
            engine.put(unwanted);
            engine.put(Job {
                visitor: 2,
                urgency: Urgency::Move,
                stop: Arc::default(),
                work: Box::new(|| panic!("on purpose")),
            });
            engine.put(job(3, Urgency::Move, "after", tell));
        });
        assert_eq!(seen, ["after"]);
    }

    #[test]
    fn an_analysis_in_slices_lets_moves_through() {
        let seen = order(|engine, tell| {
            let (to, shared) = (tell.clone(), tell.clone());
            let again = move || {
                let _ = to.send("slice 2");
                None
            };
            let first = move || {
                let _ = shared.send("slice 1");
                Some(Job {
                    visitor: 1,
                    urgency: Urgency::Analysis,
                    stop: Arc::default(),
                    work: Box::new(again),
                })
            };
            engine.put(Job {
                visitor: 1,
                urgency: Urgency::Analysis,
                stop: Arc::default(),
                work: Box::new(first),
            });
            engine.put(job(2, Urgency::Analysis, "other", tell));
        });
        assert_eq!(seen, ["slice 1", "other", "slice 2"]);
    }
}
