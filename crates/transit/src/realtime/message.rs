//! The messages of GTFS-Realtime that are read, field by field as the specification numbers them.
//! What is not listed here is skipped by the decoder.

use prost::Message;

/// A whole file.
#[derive(Clone, PartialEq, Message)]
pub struct FeedMessage {
    /// When it was made, and for which version.
    #[prost(message, optional, tag = "1")]
    pub header: Option<FeedHeader>,
    /// What it says.
    #[prost(message, repeated, tag = "2")]
    pub entity: Vec<FeedEntity>,
}

/// The first part of a file.
#[derive(Clone, PartialEq, Message)]
pub struct FeedHeader {
    /// The version of the format.
    #[prost(string, tag = "1")]
    pub gtfs_realtime_version: String,
    /// When the file was made, seconds since 1970.
    #[prost(uint64, optional, tag = "3")]
    pub timestamp: Option<u64>,
}

/// One thing that a file says.
#[derive(Clone, PartialEq, Message)]
pub struct FeedEntity {
    /// Its id.
    #[prost(string, tag = "1")]
    pub id: String,
    /// Whether it is said no longer.
    #[prost(bool, optional, tag = "2")]
    pub is_deleted: Option<bool>,
    /// How a trip really runs.
    #[prost(message, optional, tag = "3")]
    pub trip_update: Option<TripUpdate>,
    /// What passengers should know.
    #[prost(message, optional, tag = "5")]
    pub alert: Option<AlertMessage>,
}

/// How a trip really runs.
#[derive(Clone, PartialEq, Message)]
pub struct TripUpdate {
    /// Which trip.
    #[prost(message, optional, tag = "1")]
    pub trip: Option<TripDescriptor>,
    /// Its calls.
    #[prost(message, repeated, tag = "2")]
    pub stop_time_update: Vec<StopTimeUpdate>,
    /// Seconds that all of it is late.
    #[prost(int32, optional, tag = "5")]
    pub delay: Option<i32>,
}

/// Which trip.
#[derive(Clone, PartialEq, Message)]
pub struct TripDescriptor {
    /// Its id in the timetable.
    #[prost(string, optional, tag = "1")]
    pub trip_id: Option<String>,
    /// When it starts, where one id stands for many.
    #[prost(string, optional, tag = "2")]
    pub start_time: Option<String>,
    /// On which day it starts.
    #[prost(string, optional, tag = "3")]
    pub start_date: Option<String>,
    /// 0 scheduled, 1 added, 2 unscheduled, 3 cancelled, 5 replacement, 6 duplicated, 7 deleted.
    #[prost(int32, optional, tag = "4")]
    pub schedule_relationship: Option<i32>,
    /// The route of the timetable.
    #[prost(string, optional, tag = "5")]
    pub route_id: Option<String>,
}

/// How one call of a trip really is.
#[derive(Clone, PartialEq, Message)]
pub struct StopTimeUpdate {
    /// Which call, by its number in the timetable.
    #[prost(uint32, optional, tag = "1")]
    pub stop_sequence: Option<u32>,
    /// Arrival.
    #[prost(message, optional, tag = "2")]
    pub arrival: Option<StopTimeEvent>,
    /// Departure.
    #[prost(message, optional, tag = "3")]
    pub departure: Option<StopTimeEvent>,
    /// Which call, by its stop.
    #[prost(string, optional, tag = "4")]
    pub stop_id: Option<String>,
    /// 0 scheduled, 1 skipped, 2 no data.
    #[prost(int32, optional, tag = "5")]
    pub schedule_relationship: Option<i32>,
}

/// When a vehicle arrives or departs.
#[derive(Clone, Copy, PartialEq, Eq, Message)]
pub struct StopTimeEvent {
    /// Seconds late.
    #[prost(int32, optional, tag = "1")]
    pub delay: Option<i32>,
    /// The time itself, seconds since 1970.
    #[prost(int64, optional, tag = "2")]
    pub time: Option<i64>,
}

/// What passengers should know.
#[derive(Clone, PartialEq, Message)]
pub struct AlertMessage {
    /// When it holds.
    #[prost(message, repeated, tag = "1")]
    pub active_period: Vec<TimeRange>,
    /// Whom it concerns.
    #[prost(message, repeated, tag = "5")]
    pub informed_entity: Vec<EntitySelector>,
    /// What it does to the service, by number.
    #[prost(int32, optional, tag = "7")]
    pub effect: Option<i32>,
    /// In a few words.
    #[prost(message, optional, tag = "10")]
    pub header_text: Option<TranslatedString>,
    /// In more words.
    #[prost(message, optional, tag = "11")]
    pub description_text: Option<TranslatedString>,
}

/// A span of time, seconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, Message)]
pub struct TimeRange {
    /// Its beginning; always, if none is given.
    #[prost(uint64, optional, tag = "1")]
    pub start: Option<u64>,
    /// Its end; never, if none is given.
    #[prost(uint64, optional, tag = "2")]
    pub end: Option<u64>,
}

/// Whom an alert concerns: what fits all fields that are given.
#[derive(Clone, PartialEq, Message)]
pub struct EntitySelector {
    /// A company.
    #[prost(string, optional, tag = "1")]
    pub agency_id: Option<String>,
    /// A route.
    #[prost(string, optional, tag = "2")]
    pub route_id: Option<String>,
    /// A trip.
    #[prost(message, optional, tag = "4")]
    pub trip: Option<TripDescriptor>,
    /// A stop.
    #[prost(string, optional, tag = "5")]
    pub stop_id: Option<String>,
}

/// A text in some languages.
#[derive(Clone, PartialEq, Message)]
pub struct TranslatedString {
    /// One for each language.
    #[prost(message, repeated, tag = "1")]
    pub translation: Vec<Translation>,
}

/// A text in one language.
#[derive(Clone, PartialEq, Message)]
pub struct Translation {
    /// The text.
    #[prost(string, tag = "1")]
    pub text: String,
    /// Its language, as `pl`.
    #[prost(string, optional, tag = "2")]
    pub language: Option<String>,
}
