//! GTFS-Realtime: how trips really run, and what passengers should know.
//!
//! A file of trip updates and alerts is read beside its timetable. What it says of trips becomes
//! [`LiveRun`]s, which a day is laid out with ([`crate::Disruption::live`]); so every search, every proof
//! and every "what if" is about vehicles as they run, and none of them knows about it.

pub mod message;
mod zone;

use std::collections::HashMap;

use prost::Message;
use serde::{Deserialize, Serialize};

use self::message::{AlertMessage, FeedMessage, StopTimeEvent, StopTimeUpdate, TripUpdate};
use self::zone::Zone;
use crate::day::LiveRun;
use crate::time::{DAY, Date, clock_seconds};
use crate::timetable::Timetable;
use crate::view::Journey;

/// The largest file that is read.
pub const LARGEST: usize = 32 << 20;
/// No vehicle is more than a day early or late.
const MOST_LATE: i64 = DAY as i64;

/// Bytes that are no realtime feed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadRealtime {
    /// More than anybody sends.
    #[error("a realtime feed has at most {} MB", LARGEST >> 20)]
    Large,
    /// Not the format.
    #[error(
        "this is no GTFS-Realtime feed: {0}; give the file of trip updates or alerts as it is published (protocol buffers)"
    )]
    Format(String),
    /// The timetable has no ids to find trips by.
    #[error(
        "this timetable has no ids of trips, so nothing can be said of them; read the GTFS feed itself, or pack it again"
    )]
    NoIds,
}

/// What a realtime feed says about a timetable.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Realtime {
    /// When the feed was made, seconds since 1970.
    pub made: Option<u64>,
    /// Trips as they really run.
    pub runs: Vec<LiveRun>,
    /// What passengers should know.
    pub alerts: Vec<Alert>,
    /// What came of the feed.
    pub count: Count,
}

/// What came of a feed, in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Count {
    /// Trips whose times are known better.
    pub updated: usize,
    /// Of these, trips that are late or early somewhere.
    pub moved: usize,
    /// Trips that do not run.
    pub cancelled: usize,
    /// Calls that are left out.
    pub passed: usize,
    /// Updates of trips that the timetable does not know.
    pub unknown: usize,
    /// Trips that are not in the timetable, which nobody can be planned on.
    pub added: usize,
    /// Times that could not be used, because the timetable names no time zone.
    pub zoneless: usize,
}

/// What passengers should know.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Alert {
    /// In a few words, by language; the language may be empty.
    pub title: Vec<(String, String)>,
    /// In more words.
    pub text: Vec<(String, String)>,
    /// When it holds, seconds since 1970; always, if empty.
    pub periods: Vec<(u64, u64)>,
    /// Lines it concerns.
    pub lines: Vec<u32>,
    /// Stops it concerns.
    pub stops: Vec<u32>,
    /// Trips it concerns.
    pub trips: Vec<u32>,
    /// Whether it concerns everybody.
    pub everybody: bool,
}

impl Alert {
    /// Its title (or its text) in a language, or in another where there is none.
    pub fn told(&self, lang: &str) -> &str {
        let all = if self.title.is_empty() {
            &self.text
        } else {
            &self.title
        };
        let own = all.iter().find(|(language, _)| language.starts_with(lang));
        own.or_else(|| all.first()).map_or("", |(_, text)| text)
    }

    /// Whether a journey meets it.
    pub fn concerns(&self, table: &Timetable, journey: &Journey) -> bool {
        self.everybody
            || journey.legs.iter().any(|leg| {
                let ends = [leg.stops.first(), leg.stops.last()];
                let mut ends = ends.into_iter().flatten();
                leg.trip.is_some_and(|trip| {
                    self.trips.contains(&trip) || self.lines.contains(&table.line_of(trip))
                }) || ends.any(|call| self.stops.contains(&call.stop))
            })
    }

    /// Whether it holds at some time of a day of the timetable.
    pub fn holds_on(&self, table: &Timetable, date: Option<Date>) -> bool {
        let midnight = date
            .zip(Zone::of(table))
            .map(|(date, zone)| zone.midnight(date));
        let Some(from) = midnight.flatten() else {
            return true;
        };
        let until = from + i64::from(DAY);
        let meets = |&(start, end): &(u64, u64)| start as i64 <= until && end as i64 >= from;
        self.periods.is_empty() || self.periods.iter().any(meets)
    }
}

/// Reads a realtime feed beside its timetable.
///
/// # Errors
///
/// Where the bytes are none, or the timetable has no ids.
pub fn read(bytes: &[u8], table: &Timetable) -> Result<Realtime, BadRealtime> {
    if bytes.len() > LARGEST {
        return Err(BadRealtime::Large);
    }
    let feed = FeedMessage::decode(bytes).map_err(|e| BadRealtime::Format(e.to_string()))?;
    let Some(header) = feed.header.filter(|h| !h.gtfs_realtime_version.is_empty()) else {
        return Err(BadRealtime::Format("it has no header".to_owned()));
    };
    let said = feed
        .entity
        .into_iter()
        .filter(|e| e.is_deleted != Some(true));
    let (mut updates, mut alerts) = (Vec::new(), Vec::new());
    for entity in said {
        updates.extend(entity.trip_update);
        alerts.extend(entity.alert);
    }
    if table.trip_ids.is_empty() && !updates.is_empty() {
        return Err(BadRealtime::NoIds);
    }
    let mut found = Realtime {
        made: header.timestamp,
        ..Realtime::default()
    };
    let known = Known::new(table, &updates, &alerts);
    for update in &updates {
        known.update(update, &mut found);
    }
    found.runs.sort_by_key(|run| (run.trip, run.date));
    found.alerts = alerts.iter().map(|alert| known.alert(alert)).collect();
    Ok(found)
}

impl Realtime {
    /// What was read before and kept as JSON, if it is about this timetable.
    pub fn kept(bytes: &[u8], table: &Timetable) -> Option<Realtime> {
        let kept: Realtime = serde_json::from_slice(bytes).ok()?;
        let fits = |run: &LiveRun| {
            let trip = table.trips.get(run.trip as usize);
            let len = trip.map(|t| table.patterns[t.pattern as usize].len as usize);
            let sane = |l: &(i32, i32)| l.0.abs() <= DAY && l.1.abs() <= DAY;
            len.is_some_and(|len| run.late.is_empty() || run.late.len() == len)
                && run.late.iter().all(sane)
        };
        kept.runs.iter().all(fits).then_some(kept)
    }
}

/// The ids of a timetable that a feed mentions.
struct Known<'t> {
    table: &'t Timetable,
    zone: Option<Zone>,
    /// Trips by id; a trip that runs by headway is there many times.
    trips: HashMap<&'t str, Vec<u32>>,
    stops: HashMap<&'t str, u32>,
}

impl<'t> Known<'t> {
    fn new(table: &'t Timetable, updates: &[TripUpdate], alerts: &[AlertMessage]) -> Known<'t> {
        let selected = alerts.iter().flat_map(|a| &a.informed_entity);
        let descriptors = updates.iter().filter_map(|u| u.trip.as_ref());
        let descriptors = descriptors.chain(selected.filter_map(|e| e.trip.as_ref()));
        let wanted: std::collections::HashSet<&str> =
            descriptors.filter_map(|t| t.trip_id.as_deref()).collect();
        let mut trips: HashMap<&str, Vec<u32>> = HashMap::new();
        for (trip, id) in (0u32..).zip(table.trip_ids.iter()) {
            if wanted.contains(id) {
                trips.entry(id).or_default().push(trip);
            }
        }
        let stops = (0u32..).zip(&table.stops);
        Known {
            table,
            zone: Zone::of(table),
            trips,
            stops: stops.map(|(i, stop)| (stop.code.as_str(), i)).collect(),
        }
    }

    /// The trip of a descriptor: by id, and by its start where an id stands for many.
    fn trip(&self, of: &message::TripDescriptor) -> Option<u32> {
        let all = self.trips.get(of.trip_id.as_deref()?)?;
        let start = of
            .start_time
            .as_deref()
            .and_then(|t| clock_seconds(t.as_bytes()));
        match (&all[..], start) {
            ([one], _) => Some(*one),
            (many, Some(start)) => many
                .iter()
                .copied()
                .find(|&trip| self.table.trips[trip as usize].start == start),
            _ => None,
        }
    }

    fn update(&self, update: &TripUpdate, found: &mut Realtime) {
        let Some(of) = &update.trip else {
            found.count.unknown += 1;
            return;
        };
        // Added, unscheduled, replaced and duplicated trips are none of the timetable's.
        if matches!(of.schedule_relationship, Some(1 | 2 | 6)) {
            found.count.added += 1;
            return;
        }
        let Some(trip) = self.trip(of) else {
            found.count.unknown += 1;
            return;
        };
        let date = of
            .start_date
            .as_deref()
            .and_then(|d| Date::compact(d.as_bytes()));
        let mut run = LiveRun {
            trip,
            date,
            ..LiveRun::default()
        };
        if matches!(of.schedule_relationship, Some(3 | 7)) {
            run.cancelled = true;
            found.count.cancelled += 1;
        } else {
            self.calls(update, &mut run, &mut found.count);
            found.count.updated += 1;
            found.count.moved += usize::from(run.late.iter().any(|l| *l != (0, 0)));
            found.count.passed += run.passed.len();
        }
        found.runs.push(run);
    }

    /// How late a trip is at each of its calls: what is said of one holds until the next.
    fn calls(&self, update: &TripUpdate, run: &mut LiveRun, count: &mut Count) {
        let table = self.table;
        let trip = table.trips[run.trip as usize];
        let stops = table.stops_of(trip.pattern);
        let times: Vec<(i32, i32)> = table.times_of(run.trip).collect();
        let whole = clamp(i64::from(update.delay.unwrap_or(0)));
        run.late = vec![(whole, whole); stops.len()];
        let mut next = 0;
        for said in &update.stop_time_update {
            let Some(at) = self.position(run.trip, stops, next, said) else {
                continue;
            };
            next = at + 1;
            let mut late = |event: Option<StopTimeEvent>, planned: i32| {
                let event = event?;
                if let Some(time) = event.time {
                    let Some(zone) = &self.zone else {
                        count.zoneless += 1;
                        return event.delay.map(|d| clamp(i64::from(d)));
                    };
                    return zone.late(time, planned, run.date);
                }
                event.delay.map(|d| clamp(i64::from(d)))
            };
            let arrival = late(said.arrival, times[at].0);
            let departure = late(said.departure, times[at].1);
            let before = if at == 0 { whole } else { run.late[at - 1].1 };
            let (arrival, departure) = match said.schedule_relationship {
                Some(1) => {
                    run.passed.push(at as u32);
                    (before, before)
                }
                Some(2) => (0, 0),
                _ => {
                    let arrival = arrival.or(departure).unwrap_or(before);
                    (arrival, departure.unwrap_or(arrival))
                }
            };
            run.late[at] = (arrival, departure);
            run.late[at + 1..].fill((departure, departure));
        }
        if run.late.iter().all(|l| *l == (0, 0)) {
            run.late.clear();
        }
    }

    /// Which call of a trip an update is about, at a position or later.
    fn position(
        &self,
        trip: u32,
        stops: &[u32],
        from: usize,
        said: &StopTimeUpdate,
    ) -> Option<usize> {
        let numbers = self.table.sequence_of(trip);
        if let Some(number) = said.stop_sequence
            && let Some(at) = numbers.iter().position(|&n| n == number)
        {
            return Some(at).filter(|&at| at >= from);
        }
        let stop = *self.stops.get(said.stop_id.as_deref()?)?;
        (from..stops.len()).find(|&at| stops[at] == stop)
    }

    fn alert(&self, said: &AlertMessage) -> Alert {
        let text = |of: &Option<message::TranslatedString>| -> Vec<(String, String)> {
            let all = of.iter().flat_map(|t| &t.translation);
            let all = all.map(|t| {
                let text: String = t.text.trim().chars().take(2000).collect();
                (t.language.clone().unwrap_or_default(), text)
            });
            all.filter(|(_, text)| !text.is_empty()).collect()
        };
        let mut alert = Alert {
            title: text(&said.header_text),
            text: text(&said.description_text),
            ..Alert::default()
        };
        let span =
            |p: &message::TimeRange| (p.start.unwrap_or(0), p.end.unwrap_or(i64::MAX as u64));
        alert.periods = said.active_period.iter().map(span).collect();
        for whom in &said.informed_entity {
            if let Some(id) = &whom.stop_id {
                alert.stops.extend(self.stops.get(id.as_str()));
            } else if let Some(trip) = &whom.trip {
                alert.trips.extend(self.trip(trip));
            } else if let Some(id) = &whom.route_id {
                let routes = self.table.routes.iter().filter(|r| r.0 == *id);
                alert.lines.extend(routes.map(|r| r.1));
            } else {
                // A whole company, or a kind of vehicle.
                alert.everybody = true;
            }
        }
        alert.everybody |= said.informed_entity.is_empty();
        alert
    }
}

fn clamp(late: i64) -> i32 {
    late.clamp(-MOST_LATE, MOST_LATE) as i32
}
