//! What can go wrong, with what to do next.

/// Why the queue did not do what it was asked. No job and no result is lost by it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueueError {
    /// The address cannot be read.
    #[error("`{url}` is not the address of a NATS server: {detail}")]
    Address {
        /// What was given, without a password.
        url: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The server cannot be reached, or does not answer.
    #[error("the queue at `{url}` cannot be reached: {detail}")]
    Away {
        /// The address, without a password.
        url: String,
        /// What the system said.
        detail: String,
    },
    /// The server is there but has no `JetStream`.
    #[error("the NATS server at `{url}` runs without JetStream")]
    NoStreams {
        /// The address, without a password.
        url: String,
    },
    /// A parcel is larger than the server takes.
    #[error("a job or result of {bytes} bytes is more than the NATS server takes at once")]
    TooLarge {
        /// How large it is.
        bytes: usize,
    },
    /// A file is larger than the queue carries.
    #[error("a file of {bytes} bytes is more than the {most} that the queue carries")]
    FileTooLarge {
        /// How large it is.
        bytes: usize,
        /// How large it may be.
        most: usize,
    },
    /// This build cannot speak to NATS.
    #[error("this program was built without NATS")]
    NotBuilt,
}

impl QueueError {
    /// Whether the same call may succeed later without anybody changing the request.
    pub fn is_temporary(&self) -> bool {
        matches!(self, QueueError::Away { .. })
    }

    /// A short word for scripts.
    pub fn code(&self) -> &'static str {
        match self {
            QueueError::Address { .. } => "bad-address",
            QueueError::Away { .. } => "queue-away",
            QueueError::NoStreams { .. } => "no-jetstream",
            QueueError::TooLarge { .. } | QueueError::FileTooLarge { .. } => "too-large",
            QueueError::NotBuilt => "not-built",
        }
    }

    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            QueueError::Address { .. } => "write it like nats://127.0.0.1:4222",
            QueueError::Away { .. } => {
                "start one with `nats-server --jetstream`, or check the address; results so far are kept"
            }
            QueueError::NoStreams { .. } => "start it with `nats-server --jetstream`",
            QueueError::TooLarge { .. } => {
                "raise `max_payload` in the configuration of the NATS server"
            }
            QueueError::FileTooLarge { .. } => {
                "put it under the same name where each worker is started"
            }
            QueueError::NotBuilt => "build it with `cargo build --release --features nats`",
        }
    }
}
