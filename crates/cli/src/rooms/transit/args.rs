//! What can be asked of the transit room.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use wits_transit::tour::{Method, TourBy};
use wits_transit::{Algorithm, Date, Objective, Projection, Time, Walking};

use super::time;
use super::tours::{method, tour_by};
use super::what_if::delay;
use crate::args::Seeded;

/// Journeys and tours on timetables
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Find the best journey; asks for what is missing on a terminal
    #[command(
        after_help = "Examples:\n  wits transit route Rynek Zoo --feed city.zip --at 12:34\n  wits transit route Rynek Zoo --feed city.zip --at 12:34 --by pareto --algorithm raptor --full\n  wits transit route"
    )]
    Route(RouteArgs),
    /// Visit several stops in the best order
    #[command(
        after_help = "Examples:\n  wits transit tour Rynek --via Zoo --via Dworzec --feed city.zip --at 8:00\n  wits transit tour Rynek --via \"Zoo;Dworzec;Hala\" --feed city.zip --at 8:00 --method tabu:tenure=5,sample=0.75 --compare"
    )]
    Tour(TourArgs),
    /// Check a certificate of journeys with code that shares nothing with the searches
    #[command(
        after_help = "Examples:\n  wits transit route Rynek Zoo --feed city.zip --at 8:00 --certify --certificate zoo.json\n  wits transit verify zoo.json --feed city.zip"
    )]
    Verify(VerifyArgs),
    /// List the stops within so many minutes
    #[command(
        after_help = "Examples:\n  wits transit isochrone Rynek --feed city.zip --at 8:00 --minutes 20\n  wits transit isochrone Rynek --feed city.zip --at 8:00 --minutes 20 --certify --certificate reach.json"
    )]
    Isochrone(IsochroneArgs),
    /// List all departures of a day that are worth knowing
    #[command(
        after_help = "Examples:\n  wits transit profile Rynek Zoo --feed city.zip\n  wits transit profile Rynek Zoo --feed city.zip --certify --certificate day.json"
    )]
    Profile(ProfileArgs),
    /// See who loses how much when a line is cancelled or late, or a vehicle is missed
    #[command(
        after_help = "Examples:\n  wits transit whatif Rynek Zoo --cancel 4 --feed city.zip --at 8:00\n  wits transit whatif Rynek Zoo --delay 4=10 --feed city.zip --at 8:00\n  wits transit whatif Rynek Zoo --late 1=5 --feed city.zip --at 8:00\n  wits transit whatif Rynek Zoo --miss 1 --feed city.zip --at 8:00"
    )]
    Whatif(WhatIfArgs),
    /// Say why the best journey does not use a line
    #[command(
        after_help = "Example: wits transit whynot Rynek Zoo --line 4 --feed city.zip --at 8:00"
    )]
    Whynot(WhyNotArgs),
    /// Compare all exact searches on random queries
    #[command(
        after_help = "Example: wits transit agree --feed city.zip --queries 1000 --slow 100 --seed 1"
    )]
    Agree(AgreeArgs),
    /// Find stops by name, with or without diacritics and with typos
    #[command(after_help = "Example: wits transit stops swidnicka --feed city.zip")]
    Stops(StopsArgs),
    /// Say what is wrong with a feed, file by file and line by line
    #[command(after_help = "Example: wits transit check city.zip")]
    Check(CheckArgs),
    /// Say what is in a timetable
    #[command(after_help = "Example: wits transit describe city.zip --date 2024-04-22")]
    Describe(DescribeArgs),
    /// Make the timetable of a city that does not exist
    #[command(after_help = "Example: wits transit generate --size 0.5 --seed 7 -o city.wits")]
    Generate(GenerateArgs),
    /// Pack a feed into one small file
    #[command(after_help = "Example: wits transit pack city.zip -o city.wits")]
    Pack(PackArgs),
    /// See how often A* goes wrong and how much work it saves, by its heuristic
    #[command(after_help = "Example: wits transit speeds --feed city.zip --queries 200 --seed 1")]
    Speeds(SpeedsArgs),
    /// Repeat every query and tour that the report prints
    #[command(after_help = "Example: wits transit report --feed wroclaw.zip --walk report")]
    Report(FeedArgs),
    /// Measure every search on the same queries
    #[command(
        after_help = "Example: wits transit bench --feed city.zip --queries 1000 --file queries.txt"
    )]
    Bench(BenchArgs),
}

/// A timetable, a day and a way of walking.
#[derive(Args)]
pub(crate) struct FeedArgs {
    /// A GTFS zip or folder, the report's `connection_graph.csv`, or a packed file; without it a
    /// generated city is used
    #[arg(long, value_name = "FILE")]
    pub(super) feed: Option<PathBuf>,
    /// The size of the generated city: 1 is a town of about 500 stops
    #[arg(long, value_name = "SIZE", default_value_t = 1.0, value_parser = size, conflicts_with = "feed")]
    pub(super) size: f64,
    /// The day, YYYY-MM-DD (the first working day with full service otherwise)
    #[arg(long, value_name = "DATE")]
    pub(super) date: Option<Date>,
    /// How passengers walk: real, report or none
    #[arg(long, value_name = "MODEL", default_value = "real")]
    pub(super) walk: Walking,
    /// How places become kilometres: ellipsoid, or the report's sphere
    #[arg(long, value_name = "HOW", default_value = "ellipsoid", value_parser = projection)]
    pub(super) projection: Projection,
}

#[derive(Args)]
pub(crate) struct RouteArgs {
    /// The first stop: a name, or `#id`
    pub(super) from: Option<String>,
    /// The last stop; several, separated by `;`, make a tour
    pub(super) to: Option<String>,
    #[command(flatten)]
    pub(super) feed: FeedArgs,
    /// When the passenger is ready, HH:MM; `00:10 +1` is the next day
    #[arg(long, value_name = "HH:MM", value_parser = time)]
    pub(super) at: Option<Time>,
    /// The time is the latest arrival
    #[arg(long)]
    pub(super) arrive_by: bool,
    /// What is best: time, transfers, distance, weighted:MINUTES, pareto, pareto-walking or
    /// transfers-only
    #[arg(long, value_name = "OBJECTIVE")]
    pub(super) by: Option<Objective>,
    /// How to search: dijkstra, astar:speed=20, csa, profile-csa, raptor, tripbased or sweep
    #[arg(long, value_name = "ALGORITHM")]
    pub(super) algorithm: Option<Algorithm>,
    /// Show every stop on the way
    #[arg(long)]
    pub(super) full: bool,
    #[command(flatten)]
    pub(super) proof: ProofArgs,
    /// Keep the search step by step in this file; `wits replay FILE` prints it, the page shows it
    #[arg(long, value_name = "FILE")]
    pub(super) thread: Option<PathBuf>,
}

/// Whether an answer is proved.
#[derive(Args)]
pub(crate) struct ProofArgs {
    /// Prove the answer and check the proof
    #[arg(long)]
    pub(super) certify: bool,
    /// Keep the proof in this file; `wits transit verify FILE` checks it
    #[arg(long, value_name = "FILE", requires = "certify")]
    pub(super) certificate: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct VerifyArgs {
    /// The certificate of a route, a profile or an isochrone
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// The timetable, the day and the walks it is about
    #[command(flatten)]
    pub(super) feed: FeedArgs,
}

#[derive(Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(crate) struct TourArgs {
    /// Where the tour starts and ends
    pub(super) start: String,
    /// A stop to visit; may be repeated, or several separated by `;`
    #[arg(long, value_name = "STOP", required = true, num_args = 1..)]
    pub(super) via: Vec<String>,
    #[command(flatten)]
    pub(super) feed: FeedArgs,
    /// When the passenger is ready, HH:MM
    #[arg(long, value_name = "HH:MM", value_parser = time)]
    pub(super) at: Time,
    /// What is best: time, transfers or distance
    #[arg(long, value_name = "OBJECTIVE", default_value = "time", value_parser = tour_by)]
    pub(super) by: TourBy,
    /// How to look for it: exact, or tabu with options
    #[arg(long, value_name = "METHOD", default_value = "exact", value_parser = method)]
    pub(super) method: Method,
    /// End at the last stop
    #[arg(long)]
    pub(super) open: bool,
    /// Minutes to stay at each stop
    #[arg(long, value_name = "MINUTES", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..=1440))]
    pub(super) dwell: i32,
    /// Choose the best start of the day from the asked time on
    #[arg(long)]
    pub(super) best_start: bool,
    /// Compare tabu searches with the optimum
    #[arg(long, conflicts_with = "best_start")]
    pub(super) compare: bool,
    /// Refused: a tour carries no certificate
    #[arg(long, hide = true)]
    pub(super) certify: bool,
    /// Keep the search in this file: the cost of every iteration of a tabu search
    #[arg(long, value_name = "FILE", conflicts_with = "compare")]
    pub(super) thread: Option<PathBuf>,
    /// Show every stop on the way
    #[arg(long)]
    pub(super) full: bool,
}

#[derive(Args)]
pub(crate) struct IsochroneArgs {
    /// Where the passenger starts
    pub(super) stop: String,
    #[command(flatten)]
    pub(super) feed: FeedArgs,
    /// When, HH:MM
    #[arg(long, value_name = "HH:MM", value_parser = time)]
    pub(super) at: Time,
    /// Within so many minutes
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(i32).range(0..=2880))]
    pub(super) minutes: i32,
    /// Average over departures in so many minutes from then on
    #[arg(long, value_name = "M", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..=1440))]
    pub(super) window: i32,
    #[command(flatten)]
    pub(super) proof: ProofArgs,
}

#[derive(Args)]
pub(crate) struct ProfileArgs {
    /// The first stop
    pub(super) from: String,
    /// The last stop
    pub(super) to: String,
    #[command(flatten)]
    pub(super) feed: FeedArgs,
    #[command(flatten)]
    pub(super) proof: ProofArgs,
}

#[derive(Args)]
pub(crate) struct WhatIfArgs {
    /// The first stop
    pub(super) from: String,
    /// The last stop
    pub(super) to: String,
    /// A line that does not run; may be repeated
    #[arg(long, value_name = "LINE", required_unless_present_any = ["delay", "late", "miss"])]
    pub(super) cancel: Vec<String>,
    /// A line that is late, with minutes; may be repeated
    #[arg(long, value_name = "LINE=MINUTES", value_parser = delay)]
    pub(super) delay: Vec<(String, i32)>,
    /// A vehicle of the best journey, from 1, that is late, with minutes
    #[arg(long, value_name = "N=MINUTES", value_parser = delay)]
    pub(super) late: Option<(String, i32)>,
    /// The vehicle of the best journey that is missed, from 1
    #[arg(long, value_name = "N", conflicts_with_all = ["cancel", "delay", "late"])]
    pub(super) miss: Option<usize>,
    #[command(flatten)]
    pub(super) feed: FeedArgs,
    /// When, HH:MM
    #[arg(long, value_name = "HH:MM", value_parser = time)]
    pub(super) at: Time,
}

#[derive(Args)]
pub(crate) struct WhyNotArgs {
    /// The first stop
    pub(super) from: String,
    /// The last stop
    pub(super) to: String,
    /// The line
    #[arg(long, value_name = "LINE")]
    pub(super) line: String,
    #[command(flatten)]
    pub(super) feed: FeedArgs,
    /// When, HH:MM
    #[arg(long, value_name = "HH:MM", value_parser = time)]
    pub(super) at: Time,
}

#[derive(Args)]
pub(crate) struct AgreeArgs {
    #[command(flatten)]
    pub(super) feed: FeedArgs,
    /// How many queries
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(super) queries: usize,
    /// How many of them for the slow searches too (at most 100 otherwise)
    #[arg(long, value_name = "N")]
    pub(super) slow: Option<usize>,
    /// How many threads (0: one for each core); the result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) threads: usize,
    #[command(flatten)]
    pub(super) seed: Seeded,
}

#[derive(Args)]
pub(crate) struct StopsArgs {
    /// What the stop is called, more or less; all of them without it
    pub(super) name: Option<String>,
    #[command(flatten)]
    pub(super) feed: FeedArgs,
    /// At most so many names
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(super) limit: usize,
}

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// The feed
    #[arg(value_name = "FEED")]
    pub(super) feed: PathBuf,
    /// How places become kilometres: ellipsoid, or the report's sphere
    #[arg(long, value_name = "HOW", default_value = "ellipsoid", value_parser = projection)]
    pub(super) projection: Projection,
}

#[derive(Args)]
pub(crate) struct DescribeArgs {
    /// The feed (the generated city without it)
    #[arg(value_name = "FEED", conflicts_with = "feed")]
    pub(super) named: Option<PathBuf>,
    #[command(flatten)]
    pub(super) feed: FeedArgs,
}

#[derive(Args)]
pub(crate) struct GenerateArgs {
    /// 1 is a town of about 500 stops and 100,000 hops a day; hops grow in proportion
    #[arg(long, value_name = "SIZE", default_value_t = 1.0, value_parser = size)]
    pub(super) size: f64,
    #[command(flatten)]
    pub(super) seed: Seeded,
    /// Where to keep it
    #[arg(short = 'o', long = "out", value_name = "FILE")]
    pub(super) out: PathBuf,
}

#[derive(Args)]
pub(crate) struct PackArgs {
    /// The feed
    #[arg(value_name = "FEED")]
    pub(super) feed: PathBuf,
    /// Where to keep it
    #[arg(short = 'o', long = "out", value_name = "FILE")]
    pub(super) out: PathBuf,
    /// How places become kilometres: ellipsoid, or the report's sphere
    #[arg(long, value_name = "HOW", default_value = "ellipsoid", value_parser = projection)]
    pub(super) projection: Projection,
}

#[derive(Args)]
pub(crate) struct SpeedsArgs {
    #[command(flatten)]
    pub(super) feed: FeedArgs,
    /// How many queries
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(super) queries: usize,
    /// Assumed speeds in km/h
    #[arg(long, value_name = "KMH,...", value_delimiter = ',', value_parser = kmh, default_values_t = [10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 60.0, 80.0])]
    pub(super) speeds: Vec<f64>,
    #[command(flatten)]
    pub(super) seed: Seeded,
}

#[derive(Args)]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    pub(super) feed: FeedArgs,
    /// How many random queries
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = queries)]
    pub(super) queries: usize,
    /// Queries as lines `from;to;HH:MM`; random ones are written there if there is no such file
    #[arg(long, value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
    #[command(flatten)]
    pub(super) seed: Seeded,
}

fn projection(text: &str) -> Result<Projection, String> {
    match text {
        "ellipsoid" => Ok(Projection::Ellipsoid),
        "sphere" => Ok(Projection::Sphere),
        _ => Err("choose `ellipsoid` or `sphere`".to_owned()),
    }
}

fn size(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|size| (0.02..=1000.0).contains(size))
        .ok_or_else(|| "give a number from 0.02 to 1000".to_owned())
}

fn kmh(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|speed: &f64| *speed > 0.0 && speed.is_finite())
        .ok_or_else(|| "give a speed above 0".to_owned())
}

fn queries(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|queries| *queries > 0)
        .ok_or_else(|| "give a number from 1".to_owned())
}
