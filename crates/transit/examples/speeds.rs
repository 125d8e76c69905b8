//! Reads a feed and measures every search on it: `speeds FEED [QUERIES]`; with `country SIZE` the medians
//! of the quick ones in a generated country.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::sync::Arc;
use std::time::Instant;

use wits_game::Seed;
use wits_transit::{CityPlan, Planner, Projection, Walking, generate, pack, read_feed};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("say which feed")?;
    if path == "country" {
        return country(words.next().map_or(Ok(40.0), |n| n.parse())?);
    }
    let queries = words.next().map_or(Ok(2000), |n| n.parse())?;
    let begin = Instant::now();
    let bytes = std::fs::read(&path)?;
    println!("{:>10.2?} file read", begin.elapsed());
    let (table, diagnosis) = read_feed(&bytes, &path, Projection::Ellipsoid, 2)?;
    println!("{:>10.2?} timetable read", begin.elapsed());
    let planner = Planner::new(Arc::new(table), Walking::Real, None)?;
    println!("{:>10.2?} day laid out", begin.elapsed());
    let packed = pack::write(&planner.table);
    println!(
        "{} bytes packed, {} rows dropped",
        packed.len(),
        diagnosis.dropped()
    );
    let before = Instant::now();
    println!(
        "{} changes kept for the trip-based search",
        planner.layer().changes().len()
    );
    println!("{:>10.2?} to find them", before.elapsed());
    let asked = planner.read_queries(&planner.query_lines(queries, Seed::new(1)))?;
    let mut wall = || begin.elapsed().as_nanos() as u64;
    let mut busy = worked;
    planner.bench(&asked, &mut busy, &mut wall, &mut |figure| {
        println!("{:>12.1} {} {}", figure.value, figure.unit, figure.name);
        true
    });
    Ok(())
}

/// Nanoseconds that this thread has worked.
fn worked() -> u64 {
    std::thread::yield_now();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = told.split_whitespace().next();
    first.and_then(|ns| ns.parse().ok()).unwrap_or(0)
}

fn country(size: f64) -> Result<(), Box<dyn std::error::Error>> {
    let mut table = generate(&CityPlan {
        size,
        ..CityPlan::default()
    });
    let calls = table.calls();
    println!("{} stops, {calls} stop times", table.stops.len());
    let begin = Instant::now();
    table.prepare();
    println!("{:>10.2?} bounds", begin.elapsed());
    let planner = Planner::new(Arc::new(table), Walking::Real, None)?;
    let asked = planner.read_queries(&planner.query_lines(200, Seed::new(1)))?;
    planner.medians(&asked, &mut worked, &mut |figure| {
        println!("{:>12.3} {} {}", figure.value, figure.unit, figure.name);
        true
    });
    let status = std::fs::read_to_string("/proc/self/status")?;
    let memory = status.lines().find(|l| l.starts_with("VmHWM:"));
    println!("{}", memory.unwrap_or_default());
    Ok(())
}
