//! Who plays: the threads of this process, or workers at a queue.

use std::ops::ControlFlow;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use wits_arena::{ArenaError, Coordinator, Hall, Leading, SILENCE, Stop, run as run_here, spread};
use wits_queue::{Queue, QueueError};

use super::{now, problem};
use crate::{matches, stop};

/// How long the server of a queue may take for its first answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Who plays, as it is asked for.
#[derive(Args)]
pub(crate) struct CrewArgs {
    /// How many games at once (0: one for each core)
    #[arg(long, value_name = "T")]
    pub(crate) threads: Option<usize>,
    /// Let workers play (`wits worker --nats URL`), through this NATS server; needs the feature `nats`
    #[arg(long, value_name = "URL", conflicts_with = "threads")]
    pub(crate) nats: Option<String>,
}

/// Who plays.
pub(super) enum Crew {
    Threads(usize),
    Workers { queue: Queue, place: String },
}

impl CrewArgs {
    /// Gets the crew ready; `usual` is what a file says about threads.
    pub(super) fn ready(&self, usual: Option<usize>) -> Result<Crew> {
        match &self.nats {
            None => Ok(Crew::Threads(matches::threads(
                self.threads.or(usual).unwrap_or(0),
            ))),
            Some(url) => Ok(Crew::Workers {
                queue: open(url, PATIENCE).map_err(away)?,
                place: url
                    .rsplit_once('@')
                    .map_or(url.as_str(), |(_, host)| host)
                    .to_owned(),
            }),
        }
    }
}

/// The queue at an address.
pub(crate) fn open(url: &str, patience: Duration) -> Result<Queue, QueueError> {
    Queue::nats(url, patience, salt())
}

/// What the queue says, as the command line reports it.
pub(crate) fn away(error: QueueError) -> anyhow::Error {
    problem(ArenaError::Queue(error))
}

/// A number that differs from process to process.
pub(crate) fn salt() -> u64 {
    u64::from(std::process::id()) ^ (now() as u64).rotate_left(20)
}

impl Crew {
    /// Forgets jobs and results of a run that is begun anew.
    pub(super) fn anew(&self, run: &str) -> Result<()> {
        match self {
            Crew::Threads(_) => Ok(()),
            Crew::Workers { queue, .. } => queue.withdraw(run, true).map_err(away),
        }
    }

    /// Plays what is left of a run.
    pub(super) fn play(
        &self,
        coordinator: &mut Coordinator<'_>,
        hall: &Hall,
        each: &mut dyn FnMut(&Coordinator<'_>) -> ControlFlow<()>,
    ) -> Result<Stop, ArenaError> {
        let stop = stop::flag();
        match self {
            Crew::Threads(threads) => run_here(coordinator, hall, *threads, &stop, &now, each),
            Crew::Workers { queue, place } => {
                let leading = Leading {
                    queue,
                    shelf: hall.shelf(),
                    silence: SILENCE,
                    place,
                    salt: salt(),
                    stop: &stop,
                    now: &now,
                    tell: &|text| warn(text),
                };
                spread(coordinator, &leading, each)
            }
        }
    }
}

/// A line on standard error, also where nobody looks on: logs of machines are read later.
pub(crate) fn warn(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "wits: {text}");
}
