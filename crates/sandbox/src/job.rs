//! What goes into a sandbox and what comes out.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wits_desk::Answer;

/// Named bytes that travel with a job or an answer.
pub type Items = BTreeMap<String, Vec<u8>>;

/// What a job may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Caps {
    /// Bytes of memory beyond what the program itself needs.
    pub memory: u64,
    /// How long it may take, in milliseconds; the process is killed shortly after.
    pub millis: u64,
}

impl Caps {
    /// Limits of memory in MiB and of time.
    pub const fn new(mebibytes: u64, time: Duration) -> Caps {
        Caps {
            memory: mebibytes << 20,
            millis: time.as_millis() as u64,
        }
    }

    /// How long it may take.
    pub const fn time(self) -> Duration {
        Duration::from_millis(self.millis)
    }
}

/// Something to be done in a sandbox.
#[derive(Clone, PartialEq, Debug)]
pub struct Job {
    /// Whose verb it is.
    pub room: String,
    /// What is to be done.
    pub verb: String,
    /// With which arguments.
    pub args: Value,
    /// With which bytes.
    pub items: Items,
    /// The language in which sentences are wanted, as its code.
    pub lang: String,
    /// What it may cost.
    pub caps: Caps,
}

/// What a job came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Output {
    /// The answer.
    pub answer: Answer,
    /// Bytes that go with it.
    pub items: Items,
}

impl From<Answer> for Output {
    fn from(answer: Answer) -> Output {
        Output {
            answer,
            items: Items::new(),
        }
    }
}
