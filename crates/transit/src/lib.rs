//! Journeys and tours on real timetables, with proof and with the search made visible.
//!
//! Bytes become a [`Timetable`] ([`read_feed`], [`generate`]); a timetable and a day become a
//! [`Planner`]; every question is a method of the planner with an answer that serialises:
//! [`Planner::route`], [`Planner::tour`], [`Planner::profile`], [`Planner::isochrone`],
//! [`Planner::what_if`], [`Planner::why_not`], [`Planner::agree`], [`Planner::speeds`],
//! [`Planner::describe`], [`Planner::report`], [`Planner::bench`]; stops are found with
//! [`names::find`] and [`names::resolve`]; [`pack`] keeps a timetable in one small file;
//! [`certificate`] proves answers; [`thread`] tells a search step by step.
//!
//! ```
//! use std::sync::Arc;
//! use wits_transit::{CityPlan, Planner, Question, Time, Walking, generate};
//!
//! let city = Arc::new(generate(&CityPlan::default()));
//! let planner = Planner::new(city, Walking::Real, None)?;
//! let stops = planner.served();
//! let question = Question::new(vec![stops[0]], vec![stops[9]], Time::hm(8, 0));
//! let answer = planner.route(&question)?;
//! assert!(answer.journeys[0].total_minutes > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod algo;
mod archive;
mod ask;
mod bench;
mod board;
mod bounds;
mod busy;
mod calendar;
pub mod certificate;
mod city;
mod day;
mod describe;
mod diagnosis;
mod feed;
mod geo;
pub mod graph_csv;
pub mod gtfs;
mod ids;
mod journey;
mod limits;
mod map;
pub mod names;
pub mod pack;
mod planner;
mod plot;
mod proof;
mod reach;
pub mod realtime;
mod report;
mod route;
mod rows;
mod rules;
mod shape;
mod study;
pub mod thread;
pub mod time;
mod timetable;
pub mod tour;
pub mod verbs;
mod view;
mod walk;
mod watch;
mod whatif;
mod window;

pub use archive::*;
pub use ask::*;
pub use bench::*;
pub use board::*;
pub use bounds::Bounds;
pub use calendar::*;
pub use city::*;
pub use day::*;
pub use describe::*;
pub use diagnosis::*;
pub use feed::*;
pub use geo::*;
pub use gtfs::BadFeed;
pub use ids::Ids;
pub use journey::*;
pub use limits::*;
pub use map::*;
pub use planner::*;
pub use proof::Proof;
pub use reach::*;
pub use report::*;
pub use route::*;
pub use rules::Rules;
pub use shape::Point;
pub use study::*;
pub use time::*;
pub use timetable::*;
pub use view::{Calling, Journey, Leg};
pub use walk::*;
pub use whatif::*;
