//! The first answer from a packed timetable: `first CITY FROM TO TIME`, or `first FEED PACKED` to
//! pack a feed.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::sync::Arc;
use std::time::Instant;

use wits_transit::{Planner, Projection, Question, Walking, names, pack, read_feed};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let begin = Instant::now();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (table, _) = read_feed(
        &std::fs::read(&words[0])?,
        &words[0],
        Projection::Ellipsoid,
        2,
    )?;
    println!("{:>10.2?} timetable read", begin.elapsed());
    let [_, from, to, at] = &words[..] else {
        return Ok(std::fs::write(&words[1], pack::write(&table))?);
    };
    let planner = Planner::new(Arc::new(table), Walking::Real, None)?;
    println!("{:>10.2?} day laid out", begin.elapsed());
    let stop = |name: &str| names::resolve(&planner.table, name);
    let answer = planner.route(&Question::new(stop(from)?, stop(to)?, at.parse()?))?;
    println!("{:>10.2?} first answer", begin.elapsed());
    println!("{}", serde_json::to_string(&answer.journeys.first())?);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!(
        "{}",
        status
            .lines()
            .find(|l| l.starts_with("VmHWM"))
            .unwrap_or("")
    );
    Ok(())
}
