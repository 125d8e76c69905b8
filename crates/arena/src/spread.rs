//! The coordinator's side of a queue: jobs out, results in, silent jobs again.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

use wits_play::{Budget, Limits, Shelf};
use wits_queue::{Held, Order, Parcel, Presence, Queue, QueueError, Role, Sign, delay};

use crate::work::parcels;
use crate::{Answer, ArenaError, Completed, Coordinator, Job, Live, Refused, VERSION};

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

/// What a run is led with.
pub struct Leading<'a> {
    /// Where jobs go and results come from.
    pub queue: &'a Queue,
    /// What players take from the shelf; workers that have it not get it through the queue.
    pub shelf: &'a Shelf,
    /// What that place is called.
    pub place: &'a str,
    /// Any number that differs from process to process.
    pub salt: u64,
    /// Raised by somebody who wants it to end.
    pub stop: &'a AtomicBool,
    /// A job of which nothing was heard for so long is sent again; usually [`SILENCE`].
    pub silence: Duration,
    /// Tells the time in microseconds.
    pub now: &'a dyn Fn() -> i64,
    /// Hears what a person should know.
    pub tell: &'a dyn Fn(&str),
}

/// Results are collected for so long before they are written down together: a disk takes as long for a
/// hundred as for one.
const BATCH: Duration = Duration::from_millis(50);
/// At most so many results are written down together.
const MOST: usize = 500;
/// How long to wait for a result before looking at anything else.
const WAIT: Duration = Duration::from_millis(200);
/// A job of which nothing was heard for so long is usually sent again. That is always safe: a queue takes
/// no job that it has.
pub const SILENCE: Duration = Duration::from_secs(10);
/// How often it is said how the run goes.
const SAY: Duration = Duration::from_secs(1);
/// How long a roll call listens.
const LISTEN: Duration = Duration::from_millis(400);
/// At least so many jobs are in the queue, and some for every thread that plays: what many threads play
/// of short games while results are collected and written down must not leave them idle.
const LEAST_OUT: usize = 512;
const PER_THREAD: usize = 4;

/// Sends what is left of a run through a queue, and writes results down as they come. `each` hears of
/// every batch that was written down and says whether to go on. Whoever plays the jobs, and however
/// often they or this process die, every job counts once.
pub fn spread(
    coordinator: &mut Coordinator<'_>,
    leading: &Leading<'_>,
    each: &mut dyn FnMut(&Coordinator<'_>) -> ControlFlow<()>,
) -> Result<Stop, ArenaError> {
    let run = coordinator.run_id().to_owned();
    let name = coordinator.tournament().name.clone();
    let there = leading.queue.roll_call(LISTEN)?;
    if there
        .iter()
        .any(|sign| sign.role == Role::Coordinator && sign.name == run)
    {
        return Err(ArenaError::Led { name });
    }
    let mut sign = Sign::new(&run, Role::Coordinator, VERSION, 0);
    sign.leads.clone_from(&name);
    let presence = leading.queue.present(sign)?;
    let signs = Mutex::new(there);
    let (end, ended) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        // Listening takes its time, so somebody else does it.
        let (queue, found) = (leading.queue, &signs);
        scope.spawn(move || {
            while ended.recv_timeout(SAY.saturating_sub(LISTEN))
                == Err(mpsc::RecvTimeoutError::Timeout)
            {
                if let Ok(now) = queue.roll_call(LISTEN) {
                    *found.lock().unwrap_or_else(PoisonError::into_inner) = now;
                }
            }
        });
        let mut lead = Lead {
            leading,
            presence,
            signs: &signs,
            run,
            name,
            left: VecDeque::new(),
            out: BTreeMap::new(),
            deposited: false,
            failed: 0,
            again: 0,
            said: None,
            pace: VecDeque::new(),
            clock: Budget::start(Limits::NONE),
        };
        let stop = lead.lead(coordinator, each);
        lead.leave(coordinator, &stop);
        drop(end);
        stop
    })
}

/// A run on its way.
struct Lead<'a> {
    leading: &'a Leading<'a>,
    presence: Presence,
    signs: &'a Mutex<Vec<Sign>>,
    run: String,
    name: String,
    /// Jobs that were not sent yet.
    left: VecDeque<Job>,
    /// Jobs that were sent, with the time since then.
    out: BTreeMap<String, (Parcel, Budget)>,
    /// Whether files are where workers find them.
    deposited: bool,
    /// How often in sequence the queue did not answer.
    failed: usize,
    again: u64,
    said: Option<Budget>,
    /// Games that were in, and when.
    pace: VecDeque<(Duration, u64)>,
    clock: Budget,
}

impl Lead<'_> {
    fn lead(
        &mut self,
        coordinator: &mut Coordinator<'_>,
        each: &mut dyn FnMut(&Coordinator<'_>) -> ControlFlow<()>,
    ) -> Result<Stop, ArenaError> {
        loop {
            if self.left.is_empty() && self.out.is_empty() {
                // A round that is over may open the next one.
                self.left = coordinator.pending().into();
                if self.left.is_empty() {
                    return Ok(Stop::Finished);
                }
            }
            let stopped = self.presence.orders().contains(&Order::Stop);
            if stopped || self.leading.stop.load(Ordering::Relaxed) {
                // What is in already is not played again.
                self.take_in(coordinator, Duration::ZERO)?;
                return Ok(Stop::Stopped);
            }
            let step = self.step(coordinator);
            match step {
                Ok(true) if each(coordinator).is_break() => return Ok(Stop::Enough),
                Ok(_) => self.reached(),
                Err(ArenaError::Queue(error)) if error.is_temporary() => self.pause(&error),
                Err(error) => return Err(error),
            }
            self.say(coordinator);
        }
    }

    /// Sends what may be sent, and takes in what came; says whether something was written down.
    fn step(&mut self, coordinator: &mut Coordinator<'_>) -> Result<bool, ArenaError> {
        self.deposit()?;
        self.send_more()?;
        self.send_again()?;
        self.take_in(coordinator, WAIT)
    }

    /// Puts the files of the players where workers find them.
    fn deposit(&mut self) -> Result<(), ArenaError> {
        if self.deposited {
            return Ok(());
        }
        for (name, item) in self.leading.shelf.items() {
            match self.leading.queue.deposit(&item.hash, &item.bytes) {
                // Workers may have it where they were started.
                Err(error @ QueueError::FileTooLarge { .. }) => {
                    (self.leading.tell)(&format!("`{name}`: {error}; {}", error.hint()));
                }
                other => other?,
            }
        }
        self.deposited = true;
        Ok(())
    }

    fn send_more(&mut self) -> Result<(), ArenaError> {
        let threads: usize = self.signs().iter().map(|sign| sign.threads).sum();
        let window = LEAST_OUT.max(PER_THREAD * threads);
        let room = window.saturating_sub(self.out.len());
        // Some at once: a few messages more or less in the queue do not matter.
        if self.left.is_empty() || room < window / 4 {
            return Ok(());
        }
        let fresh = parcels(&mut self.left, room);
        let sent = self.leading.queue.send(&fresh);
        // What may not have arrived is silent from the beginning.
        let patience = if sent.is_ok() {
            SILENCE
        } else {
            Duration::ZERO
        };
        for parcel in fresh {
            let since = Budget::start(Limits::time(patience));
            self.out.insert(parcel.job.clone(), (parcel, since));
        }
        sent?;
        Ok(())
    }

    /// Sends again what nothing was heard of. The queue takes only what it does not have.
    fn send_again(&mut self) -> Result<(), ArenaError> {
        let patience = self.leading.silence;
        let silent: Vec<Parcel> = self
            .out
            .values_mut()
            .filter(|(_, sent)| sent.late())
            .map(|(parcel, sent)| {
                *sent = Budget::start(Limits::time(patience));
                parcel.clone()
            })
            .collect();
        if !silent.is_empty() {
            self.leading.queue.renew(&self.run);
            self.again += self.leading.queue.send(&silent)? as u64;
        }
        Ok(())
    }

    /// Takes results, writes them down, and only then says that they need not come again.
    fn take_in(
        &mut self,
        coordinator: &mut Coordinator<'_>,
        wait: Duration,
    ) -> Result<bool, ArenaError> {
        let queue = self.leading.queue;
        let mut held = queue.results(&self.run, wait, MOST)?;
        if held.is_empty() {
            return Ok(false);
        }
        let until = Budget::start(Limits::time(BATCH));
        while held.len() < MOST && !until.late() {
            let left = BATCH.saturating_sub(until.elapsed());
            // What is in hand is written down, even if the queue is gone now.
            match queue.results(&self.run, left, MOST - held.len()) {
                Ok(more) => held.extend(more),
                Err(_) => break,
            }
        }
        let mut played = Vec::new();
        let mut refused = None;
        for one in &held {
            match serde_json::from_slice::<Answer>(&one.parcel.body) {
                Ok(Answer::Played(completed)) => played.push(completed),
                Ok(Answer::Refused { worker, why }) => {
                    // A refusal of a job that somebody else has played is of no interest.
                    if self.out.contains_key(&one.parcel.job) {
                        refused = Some(Refused::Spec(if worker == "here" {
                            why
                        } else {
                            format!("{why} (says worker `{worker}`)")
                        }));
                    }
                }
                // Nobody who may play here writes such a thing; the job is silent, and sent again.
                Err(_) => {}
            }
        }
        let new = self.write_down(coordinator, played)?;
        self.settle(held)?;
        match refused {
            Some(refused) => Err(refused.into()),
            None => Ok(new),
        }
    }

    fn write_down(
        &mut self,
        coordinator: &mut Coordinator<'_>,
        played: Vec<Completed>,
    ) -> Result<bool, ArenaError> {
        if played.is_empty() {
            return Ok(false);
        }
        let jobs: Vec<String> = played.iter().map(|c| c.job.clone()).collect();
        let accepted = coordinator.accept(played, (self.leading.now)())?;
        for job in &jobs {
            if coordinator.has(job) {
                self.out.remove(job);
            }
        }
        // Results from before this process began are in the list of what is left.
        self.left.retain(|job| !coordinator.has(&job.id));
        Ok(accepted.new > 0)
    }

    fn settle(&self, held: Vec<Held>) -> Result<(), ArenaError> {
        Ok(self.leading.queue.settle(held)?)
    }

    fn signs(&self) -> Vec<Sign> {
        let signs = self.signs.lock().unwrap_or_else(PoisonError::into_inner);
        Live::workers(&signs)
    }

    fn reached(&mut self) {
        if self.failed > 0 {
            self.failed = 0;
            (self.leading.tell)("the queue is there again");
        }
    }

    /// The queue did not answer: says so once, and waits a moment.
    fn pause(&mut self, error: &QueueError) {
        self.failed += 1;
        // The server may come back without anything it had.
        self.deposited = false;
        if self.failed == 1 {
            (self.leading.tell)(&format!("{error}; trying again"));
        }
        let until = Budget::start(Limits::time(delay(self.failed, self.leading.salt)));
        while !until.late() && !self.leading.stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Writes down how it goes, about once a second.
    fn say(&mut self, coordinator: &Coordinator<'_>) {
        let said = self
            .said
            .get_or_insert_with(|| Budget::start(Limits::time(SAY)));
        if !said.late() {
            return;
        }
        self.said = None;
        let now = self.clock.elapsed();
        self.pace.push_back((now, coordinator.games()));
        if self.pace.len() > 10 {
            self.pace.pop_front();
        }
        let (since, before) = self.pace[0];
        let seconds = now.saturating_sub(since).as_secs_f64();
        let workers = self.signs();
        let playing = workers.iter().flat_map(|sign| &sign.playing);
        let live = Live {
            at: (self.leading.now)(),
            place: self.leading.place.to_owned(),
            out: self.out.len() as u64,
            playing: playing.filter(|job| self.out.contains_key(*job)).count() as u64,
            speed: if seconds > 0.0 {
                (coordinator.games() - before) as f64 / seconds
            } else {
                0.0
            },
            again: self.again,
            workers,
        };
        // It is news, not a result: if it cannot be kept, the next result will say why.
        let _ = live.keep(coordinator.store(), &self.name);
    }

    /// Takes back what nobody needs any more.
    fn leave(&self, coordinator: &Coordinator<'_>, stop: &Result<Stop, ArenaError>) {
        // Results of a finished run are all written down; others stay for the next time.
        let over = matches!(stop, Ok(Stop::Finished));
        if self.failed == 0 {
            let _ = self.leading.queue.withdraw(&self.run, over);
        }
        let _ = Live::clear(coordinator.store(), &self.name);
    }
}
