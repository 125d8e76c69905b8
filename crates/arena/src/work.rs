//! A worker: takes jobs from a queue, plays them, hands results in.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wits_play::{Budget, Limits, Shelf};
use wits_queue::{Held, Order, Parcel, Presence, Queue, QueueError, Role, Sign, State, delay};

use crate::{ArenaError, Completed, Hall, Job, JobResult, Refused, VERSION};

/// What a worker hands in.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// The job was played.
    Played(Completed),
    /// The job cannot be played anywhere, and why.
    Refused {
        /// Who says so.
        worker: String,
        /// Why.
        why: String,
    },
}

/// What a worker works with.
pub struct Worker<'a> {
    /// Where jobs are played.
    pub hall: &'a Hall,
    /// Where jobs come from and results go to.
    pub queue: &'a Queue,
    /// Its name: letters, digits and hyphens.
    pub name: &'a str,
    /// How many jobs it plays at once.
    pub threads: usize,
    /// How long it waits for a job before it looks whether it is still needed.
    pub wait: Duration,
    /// Any number that differs from worker to worker.
    pub salt: u64,
    /// Raised: finish what is in hand, and leave.
    pub drain: &'a AtomicBool,
    /// Raised: leave at once; what is in hand goes back.
    pub halt: &'a AtomicBool,
    /// Does jobs that are no games: nothing where a parcel is none of its own.
    pub aside: &'a (dyn Fn(&Parcel) -> Option<Aside> + Sync),
    /// Finds a file that players name.
    pub fetch: &'a (dyn Fn(&str) -> Option<Vec<u8>> + Sync),
    /// Hears what a person should know.
    pub tell: &'a (dyn Fn(&str) + Sync),
}

/// What became of a job that is no game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Aside {
    /// It is done; this is what is handed in.
    Done(Vec<u8>),
    /// It was stopped, or lacked something: it goes back.
    Back,
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Worked {
    /// How many jobs.
    pub jobs: u64,
    /// How many games in them.
    pub games: u64,
}

/// How long a worker that leaves tries to hand in its last result.
const LAST_TRY: Duration = Duration::from_secs(20);

/// Plays jobs until it is told to leave, or refuses one: then it leaves with the reason.
pub fn work(worker: &Worker<'_>) -> Result<Worked, ArenaError> {
    let sign = Sign::new(worker.name, Role::Worker, VERSION, worker.threads);
    let shared = Shared {
        worker,
        presence: worker.queue.present(sign)?,
        leaving: AtomicBool::new(false),
        away: AtomicBool::new(false),
        refused: Mutex::default(),
        games: AtomicU64::new(0),
    };
    std::thread::scope(|scope| {
        for place in 0..worker.threads {
            let shared = &shared;
            scope.spawn(move || shared.bench(place as u64));
        }
    });
    let refused = shared.refused.into_inner();
    match refused.unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(Worked {
            jobs: shared.presence.sign().done,
            games: shared.games.into_inner(),
        }),
    }
}

/// What the threads of one worker share.
struct Shared<'a> {
    worker: &'a Worker<'a>,
    presence: Presence,
    leaving: AtomicBool,
    /// Whether the queue was away when somebody looked last.
    away: AtomicBool,
    refused: Mutex<Option<ArenaError>>,
    games: AtomicU64,
}

impl Shared<'_> {
    /// Whether no more jobs are taken.
    fn leaves(&self) -> bool {
        let raised = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        let told = self.presence.orders().contains(&Order::Drain);
        if told || raised(self.worker.drain) || raised(self.worker.halt) {
            self.leaving.store(true, Ordering::Relaxed);
        }
        let leaving = raised(&self.leaving);
        if leaving {
            self.presence.update(|sign| sign.state = State::Draining);
        }
        leaving
    }

    fn leave_with(&self, error: ArenaError) {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.get_or_insert(error);
        self.leaving.store(true, Ordering::Relaxed);
    }

    /// The queue did not answer: says so once, and waits a moment.
    fn wait_for_queue(&self, error: &QueueError, failed: usize, place: u64) {
        if !self.away.swap(true, Ordering::Relaxed) {
            (self.worker.tell)(&format!("{error}; trying again"));
        }
        let pause = delay(failed, self.worker.salt ^ place.rotate_left(32));
        let until = Budget::start(Limits::time(pause));
        while !until.late() && !self.worker.halt.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(20).min(pause));
        }
    }

    fn queue_is_there(&self) {
        if self.away.swap(false, Ordering::Relaxed) {
            (self.worker.tell)("the queue is there again");
        }
    }

    /// What one thread does.
    fn bench(&self, place: u64) {
        let mut hall = self.worker.hall.clone();
        let mut failed = 0;
        while !self.leaves() {
            match self.worker.queue.take(self.worker.wait) {
                Ok(None) => {
                    failed = 0;
                    self.queue_is_there();
                }
                Ok(Some(held)) => {
                    failed = 0;
                    self.queue_is_there();
                    let job = held.parcel.job.clone();
                    self.presence.update(|sign| sign.playing.push(job.clone()));
                    self.serve(held, &mut hall, place);
                    self.presence
                        .update(|sign| sign.playing.retain(|j| *j != job));
                }
                Err(error) if error.is_temporary() => {
                    failed += 1;
                    self.wait_for_queue(&error, failed, place);
                }
                Err(error) => self.leave_with(error.into()),
            }
        }
    }

    /// Plays one job and hands the result in.
    fn serve(&self, held: Held, hall: &mut Hall, place: u64) {
        match (self.worker.aside)(&held.parcel) {
            None => {}
            Some(Aside::Back) => {
                // If the queue is away it will find out by itself.
                let _ = self.worker.queue.give_back(held);
                return;
            }
            Some(Aside::Done(body)) => {
                let result = Parcel {
                    body,
                    ..held.parcel.clone()
                };
                return self.hand_in(held, &result, place);
            }
        }
        let answer = match self.play(&held.parcel, hall) {
            Ok(result) => {
                self.games
                    .fetch_add(result.games.len() as u64, Ordering::Relaxed);
                Answer::Played(Completed {
                    job: held.parcel.job.clone(),
                    worker: self.worker.name.to_owned(),
                    result,
                })
            }
            Err(Refused::Stopped) => {
                // If the queue is away it will find out by itself.
                let _ = self.worker.queue.give_back(held);
                return;
            }
            // Somebody else may have the right version, the file or the program.
            Err(
                refused @ (Refused::Version { .. } | Refused::Shelf { .. } | Refused::Program(_)),
            ) => {
                let _ = self.worker.queue.give_back(held);
                self.leave_with(refused.into());
                return;
            }
            Err(refused) => Answer::Refused {
                worker: self.worker.name.to_owned(),
                why: refused.to_string(),
            },
        };
        let result = Parcel {
            run: held.parcel.run.clone(),
            job: held.parcel.job.clone(),
            body: serde_json::to_vec(&answer).expect("an answer is plain data"),
        };
        self.hand_in(held, &result, place);
    }

    fn play(&self, parcel: &Parcel, hall: &mut Hall) -> Result<JobResult, Refused> {
        let job = read(&parcel.body)?;
        loop {
            match hall.play(&job, self.worker.halt) {
                Err(Refused::Shelf { name }) => match self.find(&job, &name)? {
                    Some(bytes) => *hall = hall.with_item(&name, bytes),
                    None => return Err(Refused::Shelf { name }),
                },
                played => return played,
            }
        }
    }

    /// A file that a job needs: from here, or else from the queue.
    fn find(&self, job: &Job, name: &str) -> Result<Option<Vec<u8>>, Refused> {
        let Some(hash) = job.shelf.get(name) else {
            return Ok(None);
        };
        let right = |bytes: &Vec<u8>| Shelf::hash(bytes) == *hash;
        if let Some(bytes) = (self.worker.fetch)(name).filter(right) {
            return Ok(Some(bytes));
        }
        match self.worker.queue.collect(hash) {
            Ok(bytes) => Ok(bytes.filter(right)),
            // The job goes back; whoever takes it next asks again.
            Err(_) => Err(Refused::Stopped),
        }
    }

    /// Hands a result in, however long the queue is away; who leaves does not wait for ever.
    fn hand_in(&self, held: Held, result: &Parcel, place: u64) {
        let mut held = held;
        let mut failed = 0;
        let mut last_try: Option<Budget> = None;
        loop {
            match self.worker.queue.finish(held, result) {
                Ok(()) => {
                    self.queue_is_there();
                    return self.presence.update(|sign| sign.done += 1);
                }
                Err(unfinished) => {
                    let (back, error) = *unfinished;
                    if !error.is_temporary() {
                        return self.leave_with(error.into());
                    }
                    held = back;
                    failed += 1;
                    self.wait_for_queue(&error, failed, place);
                }
            }
            if self.leaves() {
                let last = last_try.get_or_insert_with(|| Budget::start(Limits::time(LAST_TRY)));
                if last.late() || self.worker.halt.load(Ordering::Relaxed) {
                    (self.worker.tell)(
                        "a result could not be handed in; its job will be played again",
                    );
                    return;
                }
            }
        }
    }
}

/// Reads a job. One that cannot be read is of another version, which it says itself.
fn read(body: &[u8]) -> Result<Job, Refused> {
    #[derive(Deserialize)]
    struct Versioned {
        version: String,
    }
    match serde_json::from_slice::<Job>(body) {
        Ok(job) => Ok(job),
        Err(error) => match serde_json::from_slice::<Versioned>(body) {
            Ok(Versioned { version }) if version != VERSION => Err(Refused::Version {
                job: version,
                here: VERSION,
            }),
            _ => Err(Refused::Spec(format!("the job cannot be read: {error}"))),
        },
    }
}

/// The jobs of a list as parcels, up to so many.
pub(crate) fn parcels(jobs: &mut VecDeque<Job>, most: usize) -> Vec<Parcel> {
    let some = jobs.drain(..most.min(jobs.len()));
    some.map(|job| Parcel {
        body: serde_json::to_vec(&job).expect("a job is plain data"),
        run: job.run,
        job: job.id,
    })
    .collect()
}
