//! Any feed, whatever its format.

use std::sync::Arc;

use wits_search::Budget;

use crate::archive::Archive;
use crate::calendar::NoService;
use crate::diagnosis::Diagnosis;
use crate::geo::Projection;
use crate::gtfs::BadFeed;
use crate::limits::{FeedLimits, Gate, Halt, Quantity};
use crate::pack::BadPack;
use crate::planner::Planner;
use crate::time::Date;
use crate::timetable::Timetable;
use crate::walk::Walking;
use crate::{graph_csv, gtfs, pack};

/// Why bytes are no timetable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// A GTFS feed or a connection graph, but a broken one.
    #[error(transparent)]
    Feed(BadFeed),
    /// A packed timetable, but a broken one.
    #[error(transparent)]
    Pack(BadPack),
    /// It is larger than the limits, or the time is up.
    #[error(transparent)]
    Halt(Halt),
    /// No day has any service.
    #[error(transparent)]
    NoService(NoService),
    /// None of the formats we read.
    #[error(
        "this is no timetable we can read; we read GTFS (a zip or a folder), the report's \
         `connection_graph.csv` and files made by `wits transit pack`"
    )]
    Format,
}

// A limit is a limit, whichever format ran into it.
impl From<Halt> for Unreadable {
    fn from(halt: Halt) -> Unreadable {
        Unreadable::Halt(halt)
    }
}

impl From<NoService> for Unreadable {
    fn from(none: NoService) -> Unreadable {
        match none {
            NoService::Halt(halt) => Unreadable::Halt(halt),
            none => Unreadable::NoService(none),
        }
    }
}

impl From<BadFeed> for Unreadable {
    fn from(bad: BadFeed) -> Unreadable {
        match bad {
            BadFeed::Halt(halt) => Unreadable::Halt(halt),
            bad => Unreadable::Feed(bad),
        }
    }
}

impl From<BadPack> for Unreadable {
    fn from(bad: BadPack) -> Unreadable {
        match bad {
            BadPack::Halt(halt) => Unreadable::Halt(halt),
            bad => Unreadable::Pack(bad),
        }
    }
}

/// Reads a timetable from the bytes of one file, under the limits of the command line: a packed
/// one, a zipped GTFS feed or the report's table of connections. `cores` bounds how much is read
/// at the same time.
pub fn read_feed(
    bytes: &[u8],
    title: &str,
    projection: Projection,
    cores: usize,
) -> Result<(Timetable, Diagnosis), Unreadable> {
    let (limits, budget) = (FeedLimits::TERMINAL, Budget::endless());
    read_feed_within(bytes, title, projection, cores, limits, &budget)
}

/// The same under limits of the caller, until the budget is spent.
pub fn read_feed_within(
    bytes: &[u8],
    title: &str,
    projection: Projection,
    cores: usize,
    limits: FeedLimits,
    budget: &Budget,
) -> Result<(Timetable, Diagnosis), Unreadable> {
    let gate = Gate::new(limits, budget);
    if bytes.starts_with(&pack::MAGIC[..6]) {
        let table = pack::read_within(bytes, limits, budget)?;
        Ok((table, Diagnosis::default()))
    } else if bytes.starts_with(b"PK") {
        gate.check(Quantity::Zipped, bytes.len() as u64)?;
        let archive = Archive::zip(bytes).map_err(BadFeed::from)?;
        Ok(gtfs::read(archive, title, projection, limits, budget)?)
    } else if graph_csv::looks_like(bytes) {
        Ok(graph_csv::read(
            bytes, title, projection, cores, limits, budget,
        )?)
    } else {
        Err(Unreadable::Format)
    }
}

/// Reads a GTFS feed from the files of a folder, under the limits of the command line.
pub fn read_folder(
    files: impl IntoIterator<Item = (String, Vec<u8>)>,
    title: &str,
    projection: Projection,
) -> Result<(Timetable, Diagnosis), Unreadable> {
    let (limits, budget) = (FeedLimits::TERMINAL, Budget::endless());
    Ok(gtfs::read(
        Archive::folder(files),
        title,
        projection,
        limits,
        &budget,
    )?)
}

/// A timetable that was read, checked and packed: what a stranger sent, made safe to keep.
#[derive(Clone, Debug)]
pub struct Validated {
    /// The packed timetable. [`pack::read_within`] reads it under the same limits.
    pub packed: Vec<u8>,
    /// What was wrong with the feed.
    pub diagnosis: Diagnosis,
    /// The title inside.
    pub title: String,
    /// The day that is planned for where nobody names one.
    pub date: Option<Date>,
    /// Stops.
    pub stops: usize,
    /// Lines.
    pub lines: usize,
    /// Trips.
    pub trips: usize,
}

/// Reads an upload of any format under limits, lays out its first working day, so that a feed that
/// cannot be planned with is refused too, and packs it.
///
/// # Errors
///
/// What makes the bytes unusable, or which limit they exceed, as a sentence.
pub fn validate(
    bytes: &[u8],
    title: &str,
    projection: Projection,
    cores: usize,
    limits: FeedLimits,
    budget: &Budget,
) -> Result<Validated, Unreadable> {
    let (mut table, diagnosis) = read_feed_within(bytes, title, projection, cores, limits, budget)?;
    // What a stranger worked out beforehand is not trusted.
    table.bounds = None;
    let packed = pack::write(&table);
    let gate = Gate::new(limits, budget);
    gate.check(Quantity::Zipped, packed.len() as u64)?;
    let table = Arc::new(table);
    let planner = Planner::within(table, Walking::Real, None, limits, budget)?;
    let table = &planner.table;
    Ok(Validated {
        packed,
        diagnosis,
        title: table.title.clone(),
        date: planner.date(),
        stops: table.stops.len(),
        lines: table.lines.len(),
        trips: table.trips.len(),
    })
}
