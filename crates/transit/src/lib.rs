//! Journeys and tours on real timetables, with proof and with the search made visible.
#![forbid(unsafe_code)]

pub mod algo;
mod archive;
mod calendar;
mod day;
mod diagnosis;
mod feed;
mod geo;
pub mod graph_csv;
pub mod gtfs;
pub mod pack;
mod journey;
mod rows;
pub mod time;
mod timetable;
mod walk;

pub use archive::*;
pub use calendar::*;
pub use day::*;
pub use diagnosis::*;
pub use feed::*;
pub use geo::*;
pub use journey::*;
pub use time::*;
pub use timetable::*;
pub use walk::*;
