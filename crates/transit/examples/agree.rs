//! Compares all exact searches on random queries: `agree FEED QUERIES SLOW_QUERIES`.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::sync::Arc;

use wits_game::Seed;
use wits_transit::{Planner, Projection, Walking, read_feed};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().collect();
    let [_, feed, queries, slow] = &words[..] else {
        return Err("say which feed, how many queries, and how many for the slow searches".into());
    };
    let (table, _) = read_feed(&std::fs::read(feed)?, feed, Projection::Ellipsoid, 2)?;
    let planner = Planner::new(Arc::new(table), Walking::Real, None)?;
    let result = planner.agree(queries.parse()?, slow.parse()?, Seed::new(1));
    println!("{}", serde_json::to_string_pretty(&result)?);
    Ok(())
}
