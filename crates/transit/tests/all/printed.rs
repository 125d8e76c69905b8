//! The three journeys that the report prints, on the reconstructed feed.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::wildcard_imports
)]
use crate::common;
#[path = "../common/verbs.rs"]
mod verbs;

use std::sync::Arc;
use wits_transit::{
    Algorithm, Objective, Planner, Projection, Question, Time, Walking, names, read_feed,
};

fn ask(planner: &Planner, from: &str, to: &str, at: &str) -> Question {
    let stop = |name: &str| names::resolve(&planner.table, name).unwrap();
    Question::new(stop(from), stop(to), at.parse::<Time>().unwrap())
}

#[test]
fn the_three_printed_journeys() {
    let Some(bytes) = common::shared("wroclaw_2024-04_gtfs_reconstructed.zip") else {
        return;
    };
    let (table, _) = read_feed(&bytes, "Wrocław", Projection::Ellipsoid, 2).unwrap();
    let planner = Planner::new(Arc::new(table), Walking::Report, None).unwrap();
    assert_eq!(planner.date().unwrap().to_string(), "2024-04-22");
    for algorithm in [
        "csa",
        "raptor",
        "dijkstra",
        "dijkstra:graph=expanded",
        "astar:bound",
        "sweep",
        "tripbased",
    ] {
        let algorithm: Algorithm = algorithm.parse().unwrap();
        let go = |from, to, at| {
            let question = Question {
                algorithm,
                ..ask(&planner, from, to, at)
            };
            planner.route(&question).unwrap().journeys.remove(0)
        };
        let first = go("PL. GRUNWALDZKI", "DWORZEC AUTOBUSOWY", "12:34");
        assert_eq!(
            (first.arrival.to_string().as_str(), first.total_minutes),
            ("12:51", 17)
        );
        let second = go("Katna", "Lubiatow", "00:00");
        assert_eq!(
            (second.departure.to_string().as_str(), second.minutes),
            ("04:36", 468),
            "{algorithm} {second:#?}"
        );
        let third = go("PL. GRUNWALDZKI", "ZOO", "23:50");
        assert_eq!(third.arrival.to_string(), "04:28 +1");
    }
    let question = Question {
        by: Objective::Pareto,
        ..ask(&planner, "Katna", "Lubiatow", "00:00")
    };
    let journeys = planner.route(&question).unwrap().journeys;
    assert!(journeys.len() >= 2);
    assert!(journeys.is_sorted_by(|a, b| a.vehicles < b.vehicles && a.arrival > b.arrival));
    // The report's stop has another name now; the answer says which.
    let printed = planner.report();
    let eighth = printed.iter().find(|one| one.figure == "8").unwrap();
    assert!(eighth.ours_value.is_some(), "{eighth:?}");
    assert!(eighth.ours.contains("for `Grot-Roweckiego`"), "{eighth:?}");
}
