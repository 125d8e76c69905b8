//! What a feed may cost to read and to plan with.
//!
//! Files come from strangers: a few hundred kilobytes can unpack to gigabytes, and a packed
//! timetable can name more trips times stops than any machine holds. Every reader therefore counts
//! what it keeps through a [`Gate`], before it keeps it.

use std::fmt;

use serde::Serialize;
use wits_search::Budget;

/// The most that a feed may have of everything.
///
/// ```
/// use wits_transit::FeedLimits;
/// assert!(FeedLimits::PAGE.unpacked < FeedLimits::TERMINAL.unpacked);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeedLimits {
    /// Bytes of the file as it comes.
    pub zipped: u64,
    /// Bytes of all files inside that are read.
    pub unpacked: u64,
    /// Rows of all files.
    pub rows: u64,
    /// Stops.
    pub stops: u64,
    /// Trips.
    pub trips: u64,
    /// Calls of all trips at their stops, as written in `stop_times.txt`.
    pub stop_times: u64,
    /// Stops of all patterns (a pattern is a sequence of stops that trips share).
    pub patterns: u64,
    /// Services of the calendar.
    pub services: u64,
    /// Bytes of memory, estimated from what is kept.
    pub memory: u64,
}

impl FeedLimits {
    /// For uploads to a page.
    pub const PAGE: FeedLimits = FeedLimits {
        zipped: 32 << 20,
        unpacked: 256 << 20,
        rows: 8_000_000,
        stops: 200_000,
        trips: 1_000_000,
        stop_times: 6_000_000,
        patterns: 3_000_000,
        services: 50_000,
        memory: 512 << 20,
    };

    /// For the command line, where people read their own files.
    pub const TERMINAL: FeedLimits = FeedLimits {
        zipped: 2 << 30,
        unpacked: 2 << 30,
        rows: 200_000_000,
        stops: 5_000_000,
        trips: 20_000_000,
        stop_times: 200_000_000,
        patterns: 100_000_000,
        services: 1_000_000,
        memory: 16 << 30,
    };

    /// The limit of one quantity.
    pub const fn of(&self, what: Quantity) -> u64 {
        match what {
            Quantity::Zipped => self.zipped,
            Quantity::Unpacked => self.unpacked,
            Quantity::Rows => self.rows,
            Quantity::Stops => self.stops,
            Quantity::Trips => self.trips,
            Quantity::StopTimes => self.stop_times,
            Quantity::Patterns => self.patterns,
            Quantity::Services => self.services,
            Quantity::Memory => self.memory,
        }
    }
}

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Bytes of the file as it comes.
    Zipped,
    /// Bytes of the files inside.
    Unpacked,
    /// Rows of all files.
    Rows,
    /// Stops.
    Stops,
    /// Trips.
    Trips,
    /// Calls of all trips.
    StopTimes,
    /// Stops of all patterns.
    Patterns,
    /// Services of the calendar.
    Services,
    /// Bytes of memory.
    Memory,
}

/// Why reading or planning ended before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error, Serialize)]
pub enum Halt {
    /// There is more of something than the limits allow.
    #[error("{}", Excess(*.what, *.most))]
    TooLarge {
        /// Of what.
        what: Quantity,
        /// The most that is allowed.
        most: u64,
    },
    /// The time is up, or somebody asked for the end.
    #[error("stopped before the end; allow more time or take a smaller feed")]
    Stopped,
}

impl Halt {
    /// A short code for programs: `too-large`, `memory` or `stopped`.
    pub const fn code(&self) -> &'static str {
        match self {
            Halt::TooLarge {
                what: Quantity::Memory,
                ..
            } => "memory",
            Halt::TooLarge { .. } => "too-large",
            Halt::Stopped => "stopped",
        }
    }
}

/// The sentence of a limit; what to do comes after the semicolon.
struct Excess(Quantity, u64);

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Excess(what, most) = *self;
        let megabytes = most >> 20;
        match what {
            Quantity::Zipped => write!(f, "the file is larger than {megabytes} MB")?,
            Quantity::Unpacked => write!(f, "the feed unpacks to more than {megabytes} MB")?,
            Quantity::Memory => write!(f, "the feed needs more than {megabytes} MB of memory")?,
            Quantity::Rows => write!(f, "the feed has more than {most} rows")?,
            Quantity::Stops => write!(f, "the feed has more than {most} stops")?,
            Quantity::Trips => write!(f, "the feed has more than {most} trips")?,
            Quantity::StopTimes => write!(f, "the trips call at stops more than {most} times")?,
            Quantity::Patterns => {
                write!(
                    f,
                    "the stop sequences of the feed have more than {most} stops"
                )?;
            }
            Quantity::Services => write!(f, "the calendar has more than {most} services")?,
        }
        f.write_str("; cut the feed down to the region and the months that you need")
    }
}

/// How much work goes by between two looks at the clock: well under a millisecond.
const LOOK: u64 = 4096;

/// Counts what reading and building cost, and ends them at the limits or when the budget is spent.
#[derive(Clone, Debug)]
pub struct Gate<'a> {
    limits: FeedLimits,
    budget: &'a Budget,
    work: u64,
    next_look: u64,
    rows: u64,
    unpacked: u64,
    held: u64,
}

impl<'a> Gate<'a> {
    /// A gate under some limits and a budget of time.
    pub const fn new(limits: FeedLimits, budget: &'a Budget) -> Gate<'a> {
        Gate {
            limits,
            budget,
            work: 0,
            next_look: 0,
            rows: 0,
            unpacked: 0,
            held: 0,
        }
    }

    /// Refuses a quantity that exceeds its limit.
    pub fn check(&self, what: Quantity, count: u64) -> Result<(), Halt> {
        let most = self.limits.of(what);
        if count > most {
            return Err(Halt::TooLarge { what, most });
        }
        Ok(())
    }

    /// Some steps of work were done; ends when the budget is spent.
    #[inline]
    pub fn work(&mut self, steps: u64) -> Result<(), Halt> {
        self.work += steps;
        if self.work < self.next_look {
            return Ok(());
        }
        self.next_look = self.work + LOOK;
        if self.budget.stopped() || self.budget.late() {
            return Err(Halt::Stopped);
        }
        Ok(())
    }

    /// One more row was read.
    pub(crate) fn row(&mut self) -> Result<(), Halt> {
        self.rows += 1;
        self.check(Quantity::Rows, self.rows)?;
        self.work(16)
    }

    /// So many more bytes were unpacked.
    pub(crate) fn unpack(&mut self, bytes: usize) -> Result<(), Halt> {
        self.unpacked += bytes as u64;
        self.check(Quantity::Unpacked, self.unpacked)
    }

    /// So many more bytes of memory are about to be held.
    #[inline]
    pub fn hold(&mut self, bytes: u64) -> Result<(), Halt> {
        self.held = self.held.saturating_add(bytes);
        self.check(Quantity::Memory, self.held)
    }

    /// So many bytes of memory are held no more.
    pub fn release(&mut self, bytes: u64) {
        self.held = self.held.saturating_sub(bytes);
    }

    /// Bytes of memory that are held, by estimate.
    pub const fn held(&self) -> u64 {
        self.held
    }

    /// A gate for one of several threads, which counts for itself.
    pub(crate) fn fork(&self) -> Gate<'a> {
        Gate {
            next_look: 0,
            work: 0,
            ..self.clone()
        }
    }

    /// Adds what other threads counted since they forked from this one.
    pub(crate) fn join(&mut self, other: &Gate<'_>, since: &Gate<'_>) -> Result<(), Halt> {
        self.rows += other.rows - since.rows;
        self.check(Quantity::Rows, self.rows)?;
        self.hold(other.held.saturating_sub(since.held))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_named_with_its_number() {
        let budget = Budget::endless();
        let mut gate = Gate::new(FeedLimits::PAGE, &budget);
        assert_eq!(gate.check(Quantity::Stops, FeedLimits::PAGE.stops), Ok(()));
        let halt = gate.check(Quantity::Stops, FeedLimits::PAGE.stops + 1);
        assert!(halt.unwrap_err().to_string().contains("200000 stops"));
        let halt = gate.hold(u64::MAX).unwrap_err();
        assert_eq!(halt.code(), "memory");
        assert!(halt.to_string().contains("512 MB of memory"));
    }

    #[test]
    fn the_budget_is_looked_at_again_and_again() {
        let budget = Budget::endless();
        let mut gate = Gate::new(FeedLimits::PAGE, &budget);
        assert_eq!(gate.work(1), Ok(()));
        budget.stop();
        let ended = (0..LOOK).any(|_| gate.work(1) == Err(Halt::Stopped));
        assert!(ended);
    }
}
