//! What the queue carries.

use std::fmt;

/// A job or a result on its way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parcel {
    /// The run it belongs to: letters, digits and hyphens.
    pub run: String,
    /// The job: letters, digits and hyphens.
    pub job: String,
    /// What is in it.
    pub body: Vec<u8>,
}

/// A parcel that somebody has in hand. Dropped without having been dealt with, it comes again.
pub struct Held {
    /// What was taken.
    pub parcel: Parcel,
    pub(crate) hold: Hold,
}

/// How a form of the queue remembers who holds what.
pub(crate) enum Hold {
    Here(crate::here::HeldHere),
    #[cfg(feature = "nats")]
    Nats(std::sync::Arc<async_nats::jetstream::message::Acker>),
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Held").field(&self.parcel).finish()
    }
}

/// How much is in the queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Waiting {
    /// Jobs that nobody has taken yet.
    pub jobs: u64,
    /// Jobs that somebody holds.
    pub taken: u64,
    /// Results that the coordinator has not settled yet.
    pub results: u64,
}
