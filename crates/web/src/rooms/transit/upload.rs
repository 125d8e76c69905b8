//! A timetable that somebody brings: read, checked and packed in a sandbox.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wits_desk::Work;
use wits_sandbox::{Caps, Items};
use wits_transit::realtime::{self, Count};
use wits_transit::{FeedLimits, Projection, pack, validate};

use super::asked::Wrong;
use super::timetables::refused;
use crate::Fault;
use crate::sandbox::{Class, Task};
use crate::without::without;

/// The item that a timetable travels in, both ways.
pub(super) const FEED: &str = "feed";

/// The item that a realtime feed travels in: as it was sent, then as it was read.
pub(super) const LIVE: &str = "realtime";

/// What a timetable on the page may need.
pub(super) const LIMITS: FeedLimits = FeedLimits {
    memory: 320 << 20,
    ..FeedLimits::PAGE
};

/// What reading a timetable may cost: less memory than the sandbox has, so that the sentence says
/// which limit it was.
fn limits() -> FeedLimits {
    const ALL: u64 = 1 << 60;
    if !without("crafted-timetables") && !without("zip-bombs") {
        return FeedLimits {
            memory: 256 << 20,
            ..LIMITS
        };
    }
    FeedLimits {
        zipped: ALL,
        unpacked: ALL,
        rows: ALL,
        stops: ALL,
        trips: ALL,
        stop_times: ALL,
        patterns: ALL,
        services: ALL,
        memory: ALL,
    }
}

/// A file to be made into a timetable that can be trusted: packed, a zipped GTFS feed, or the
/// report's table of connections. What comes of it is the title and what was wrong with the feed.
#[derive(Serialize, Deserialize)]
pub(super) struct Validate {
    /// What people call it.
    pub(super) title: String,
}

/// What came of it.
#[derive(Serialize, Deserialize)]
pub(super) struct Brought {
    pub(super) title: String,
    /// How many stops, lines and trips it has.
    pub(super) size: [usize; 3],
    /// How many rows were read.
    pub(super) rows: u64,
    /// What is wrong with it and can be lived with, as `wits transit check` says it.
    pub(super) findings: Value,
}

impl Task for Validate {
    const ROOM: &'static str = "transit";
    const VERB: &'static str = "pack";
    const CAPS: Caps = Caps::new(336, Duration::from_secs(20));
    const CLASS: Class = Class::Dear;
    type Output = Brought;

    fn run(self, items: &mut Items, work: &mut Work<'_>) -> Result<Brought, Fault> {
        let bytes = items.remove(FEED).unwrap_or_default();
        let (projection, budget) = (Projection::default(), work.budget());
        let valid = validate(&bytes, &self.title, projection, 1, limits(), budget)
            .map_err(|e| refused(&Wrong::of(&e)))?;
        items.insert(FEED.to_owned(), valid.packed);
        Ok(Brought {
            title: valid.title,
            size: [valid.stops, valid.lines, valid.trips],
            rows: valid.diagnosis.rows,
            findings: json!(valid.diagnosis.findings),
        })
    }
}

/// A realtime feed to be read beside its timetable. What comes of it is how much it says.
#[derive(Serialize, Deserialize)]
pub(super) struct ReadLive {}

impl Task for ReadLive {
    const ROOM: &'static str = "transit";
    const VERB: &'static str = "live";
    const CAPS: Caps = Caps::new(336, Duration::from_secs(20));
    const CLASS: Class = Class::Dear;
    type Output = Count;

    fn run(self, items: &mut Items, work: &mut Work<'_>) -> Result<Count, Fault> {
        let table = items.remove(FEED).unwrap_or_default();
        let table = pack::read_within(&table, limits(), work.budget());
        let table = table.map_err(|e| refused(&Wrong::of(&e)))?;
        let bytes = items.remove(LIVE).unwrap_or_default();
        let read = realtime::read(&bytes, &table).map_err(|e| refused(&Wrong::of(&e)))?;
        items.insert(
            LIVE.to_owned(),
            serde_json::to_vec(&read).unwrap_or_default(),
        );
        Ok(read.count)
    }
}
