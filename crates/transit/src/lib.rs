//! Journeys and tours on real timetables, with proof and with the search made visible.
#![forbid(unsafe_code)]

pub mod algo;
mod archive;
mod ask;
mod calendar;
pub mod certificate;
mod city;
mod day;
mod diagnosis;
mod feed;
mod geo;
pub mod graph_csv;
pub mod gtfs;
pub mod pack;
mod journey;
pub mod names;
mod planner;
mod route;
mod rows;
pub mod time;
mod timetable;
mod view;
mod walk;

pub use archive::*;
pub use ask::*;
pub use calendar::*;
pub use city::*;
pub use day::*;
pub use diagnosis::*;
pub use feed::*;
pub use geo::*;
pub use journey::*;
pub use planner::*;
pub use route::*;
pub use time::*;
pub use timetable::*;
pub use view::{Calling, Journey, Leg};
pub use walk::*;
