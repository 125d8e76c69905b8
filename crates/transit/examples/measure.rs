//! Reads a feed and measures every search on it: `measure FEED [QUERIES]`.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::sync::Arc;
use std::time::Instant;

use wits_game::Seed;
use wits_transit::{Planner, Projection, Walking, pack, read_feed};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("say which feed")?;
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
    let mut busy = || {
        let worked = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        let worked = worked
            .split_whitespace()
            .next()
            .and_then(|ns| ns.parse().ok());
        worked.unwrap_or_else(|| begin.elapsed().as_nanos() as u64)
    };
    for figure in planner.bench(&asked, &mut busy, &mut wall) {
        println!("{:>12.1} {} {}", figure.value, figure.unit, figure.name);
    }
    Ok(())
}
