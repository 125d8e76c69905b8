//! The queue itself: which form, and what it does.

use std::time::Duration;

use crate::parcel::{Held, Hold, Parcel, Waiting};
use crate::sign::{Order, Presence, Sign};
use crate::{Here, QueueError};

/// What carries jobs and results. Share one among all threads of a process.
pub enum Queue {
    /// Inside this process.
    Here(Here),
    /// Through a NATS server.
    #[cfg(feature = "nats")]
    Nats(Box<crate::Nats>),
}

type Result<T> = std::result::Result<T, QueueError>;

/// The largest file that is carried.
pub const LARGEST_FILE: usize = 64 << 20;

/// A job whose result could not be handed in, still held, and why.
pub type Unfinished = Box<(Held, QueueError)>;

impl Queue {
    /// A queue inside this process.
    pub fn here() -> Queue {
        Queue::Here(Here::default())
    }

    /// The queue at a NATS server, such as `nats://127.0.0.1:4222`, waiting at most so long until it
    /// answers. `salt` is any number that differs from process to process.
    #[cfg_attr(
        not(feature = "nats"),
        expect(unused_variables, reason = "this build cannot speak to NATS")
    )]
    pub fn nats(url: &str, patience: Duration, salt: u64) -> Result<Queue> {
        #[cfg(feature = "nats")]
        return crate::Nats::open(url, patience, salt).map(|nats| Queue::Nats(Box::new(nats)));
        #[cfg(not(feature = "nats"))]
        Err(QueueError::NotBuilt)
    }

    /// Puts jobs into the queue, and says how many were not there already.
    pub fn send(&self, jobs: &[Parcel]) -> Result<usize> {
        match self {
            Queue::Here(here) => Ok(here.send(jobs)),
            #[cfg(feature = "nats")]
            Queue::Nats(nats) => nats.send(jobs),
        }
    }

    /// Takes a job, waiting at most so long for one.
    pub fn take(&self, wait: Duration) -> Result<Option<Held>> {
        match self {
            Queue::Here(here) => Ok(here.take(wait)),
            #[cfg(feature = "nats")]
            Queue::Nats(nats) => nats.take(wait),
        }
    }

    /// Hands in the result of a job. When this returns, the result is in the queue; when it fails, the
    /// job is still held, and the call may be repeated.
    pub fn finish(&self, held: Held, result: &Parcel) -> std::result::Result<(), Unfinished> {
        match (self, held) {
            (
                Queue::Here(here),
                Held {
                    hold: Hold::Here(hold),
                    ..
                },
            ) => {
                here.finish(hold, result);
                Ok(())
            }
            #[cfg(feature = "nats")]
            (Queue::Nats(nats), held) => match nats.finish(&held, result) {
                Ok(()) => Ok(()),
                Err(error) => Err(Box::new((held, error))),
            },
            #[cfg(feature = "nats")]
            (Queue::Here(_), _) => Ok(()),
        }
    }

    /// Gives a job back at once, so that somebody else may take it.
    pub fn give_back(&self, held: Held) -> Result<()> {
        match self {
            Queue::Here(_) => {
                drop(held);
                Ok(())
            }
            #[cfg(feature = "nats")]
            Queue::Nats(nats) => nats.give_back(&held),
        }
    }

    /// Takes up to `most` results of a run, waiting at most so long for the first.
    pub fn results(&self, run: &str, wait: Duration, most: usize) -> Result<Vec<Held>> {
        match self {
            Queue::Here(here) => Ok(here.results(run, wait, most)),
            #[cfg(feature = "nats")]
            Queue::Nats(nats) => nats.results(run, wait, most),
        }
    }

    /// Says that results are written down: they do not come again.
    pub fn settle(&self, results: Vec<Held>) -> Result<()> {
        match self {
            Queue::Here(here) => {
                for held in results {
                    match held.hold {
                        Hold::Here(hold) => here.settle(hold),
                        #[cfg(feature = "nats")]
                        Hold::Nats(_) => {}
                    }
                }
                Ok(())
            }
            #[cfg(feature = "nats")]
            Queue::Nats(nats) => nats.settle(&results),
        }
    }

    /// Takes back all jobs of a run that nobody holds, and forgets its results too if asked to.
    pub fn withdraw(&self, run: &str, results: bool) -> Result<()> {
        match self {
            Queue::Here(here) => {
                here.withdraw(run, results);
                Ok(())
            }
            #[cfg(feature = "nats")]
            Queue::Nats(nats) => nats.withdraw(run, results),
        }
    }

    /// Puts a file there for whoever needs it, under the hash of what is in it; once is enough.
    pub fn deposit(&self, hash: &str, bytes: &[u8]) -> Result<()> {
        if bytes.len() > LARGEST_FILE {
            return Err(QueueError::FileTooLarge {
                bytes: bytes.len(),
                most: LARGEST_FILE,
            });
        }
        match self {
            Queue::Here(here) => {
                here.deposit(hash, bytes);
                Ok(())
            }
            #[cfg(feature = "nats")]
            Queue::Nats(nats) => nats.deposit(hash, bytes),
        }
    }

    /// The file that was put there under a hash, if it was. The caller looks whether it is whole.
    pub fn collect(&self, hash: &str) -> Result<Option<Vec<u8>>> {
        match self {
            Queue::Here(here) => Ok(here.collect(hash)),
            #[cfg(feature = "nats")]
            Queue::Nats(nats) => nats.collect(hash),
        }
    }

    /// Asks for the results of a run anew: for a coordinator that hears nothing.
    pub fn renew(&self, run: &str) {
        let _ = run;
        match self {
            // Nothing gets lost inside a process.
            Queue::Here(_) => {}
            #[cfg(feature = "nats")]
            Queue::Nats(nats) => nats.renew(run),
        }
    }

    /// How much is in the queue, of all runs.
    pub fn waiting(&self) -> Result<Waiting> {
        match self {
            Queue::Here(here) => Ok(here.waiting()),
            #[cfg(feature = "nats")]
            Queue::Nats(nats) => nats.waiting(),
        }
    }

    /// Takes part, until what is returned is dropped.
    pub fn present(&self, sign: Sign) -> Result<Presence> {
        match self {
            Queue::Here(here) => Ok(here.present(sign)),
            #[cfg(feature = "nats")]
            Queue::Nats(nats) => nats.present(sign),
        }
    }

    /// Asks who is there, and listens so long for answers.
    pub fn roll_call(&self, listen: Duration) -> Result<Vec<Sign>> {
        let mut signs = match self {
            Queue::Here(here) => here.roll_call(),
            #[cfg(feature = "nats")]
            Queue::Nats(nats) => nats.roll_call(listen)?,
        };
        #[cfg(not(feature = "nats"))]
        let _ = listen;
        signs.sort_by(|a, b| (a.role, &a.name).cmp(&(b.role, &b.name)));
        Ok(signs)
    }

    /// Tells one participant, or all workers, what to do; gives those who heard it.
    pub fn order(&self, to: Option<&str>, order: Order, listen: Duration) -> Result<Vec<Sign>> {
        #[cfg(not(feature = "nats"))]
        let _ = listen;
        match self {
            Queue::Here(here) => Ok(here.order(to, order)),
            #[cfg(feature = "nats")]
            Queue::Nats(nats) => nats.order(to, order, listen),
        }
    }
}
