//! The arena: machines of any game against each other, until the numbers say something.
//!
//! - [`File`] is a tournament as people write it, [`Tournament`] the same with everything checked and written out;
//! - a [`Plan`] turns it into [`Job`]s, one pairing each: the same opening and seed with seats exchanged;
//! - a [`Hall`] plays one job and gives a [`JobResult`]: pure, so any machine may do it;
//! - a [`Coordinator`] takes results in any order, writes each once to the store, and knows what is left to play;
//! - a [`Table`] is computed from the results alone: standings, cross table, ratings ([`stats`]).
//!
//! [`spread`] sends jobs through a queue and takes their results, [`work`] plays what a queue holds. [`run`]
//! does both on the threads of this process; with a queue at a server, workers may be anywhere.
//!
//! The arena takes a catalog as an argument and knows no game.
#![forbid(unsafe_code)]

mod coordinator;
mod error;
mod file;
mod guard;
mod hall;
mod job;
mod ladder;
mod ledger;
mod live;
mod local;
mod plan;
mod spread;
pub mod stats;
mod table;
mod thread;
mod tournament;
pub mod tune;
mod work;

pub use coordinator::{Accepted, Coordinator, Header, Progress, runs};
pub use error::ArenaError;
pub use file::{EntrantFile, File, LimitsFile, OpeningsFile};
pub use hall::{Hall, Refused, set_up};
pub use job::{Completed, FaultKind, FaultNote, GameResult, Job, JobResult, Opening, Rules};
pub use ladder::{Ladder, LadderRow};
pub use ledger::{Ledger, Share};
pub use live::Live;
pub use local::run;
pub use plan::{Plan, Stage};
pub use spread::{Leading, SILENCE, Stop, spread};
pub use table::{Cell, Faults, Row, Table};
pub use thread::{WORDS, thread};
pub use tournament::{Compare, Entrant, Format, Openings, Ties, Tournament};
pub use work::{Answer, Aside, Worked, Worker, work};

/// The version that jobs and results carry: only the same program plays the same games.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A name for anything: the first half of a SHA-256, in hexadecimal.
pub(crate) fn digest(text: &str) -> String {
    use sha2::{Digest, Sha256};
    use std::fmt::Write as _;
    let mut out = String::with_capacity(32);
    for byte in &Sha256::digest(text.as_bytes())[..16] {
        let _ = write!(out, "{byte:02x}");
    }
    out
}
