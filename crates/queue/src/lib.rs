//! Jobs out, results back.
//!
//! A [`Queue`] carries [`Parcel`]s between one coordinator and any number of workers. It has two forms:
//! inside one process, and through a NATS server with `JetStream` (feature `nats`), so that workers may be
//! anywhere. Both keep the same promises:
//!
//! - a job is in the queue at most once: sending it again while it waits or is being played changes nothing;
//! - who [takes](Queue::take) a job holds it until it hands in the result; if the holder dies, somebody
//!   else gets the job;
//! - a result waits until the coordinator has [settled](Queue::settle) it, so it is not lost when the
//!   coordinator dies between taking it and writing it down;
//! - anything may arrive twice, so whoever writes results down looks at their job ids.
//!
//! Those who take part are [present](Queue::present): they answer a [roll call](Queue::roll_call) with a
//! [`Sign`], and take [`Order`]s. The dead do not answer; there is no list that could go stale.
//!
//! The queue knows nothing of games: what a parcel holds is up to its ends.
#![forbid(unsafe_code)]

mod delay;
mod error;
mod here;
#[cfg(feature = "nats")]
mod nats;
mod parcel;
mod queue;
mod sign;

pub use delay::delay;
pub use error::QueueError;
pub use here::Here;
#[cfg(feature = "nats")]
pub use nats::Nats;
pub use parcel::{Held, Parcel, Waiting};
pub use queue::{LARGEST_FILE, Queue, Unfinished};
pub use sign::{Order, Presence, Role, Sign, State};
