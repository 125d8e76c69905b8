//! Watched or not, the same answer; and the thread says what happened.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]
mod common;

use wits_game::Lang;
use wits_search::{Kind, Step};
use wits_transit::thread::{Told, WORDS};
use wits_transit::{Algorithm, Question, Searches, Time, Walking};

#[test]
fn watched_equals_unwatched_and_the_thread_ends_with_the_choice() {
    let planner = common::planner(3, 0.2, Walking::Real);
    let served = planner.served();
    for algorithm in [
        "csa",
        "raptor",
        "tripbased",
        "dijkstra",
        "dijkstra:graph=expanded",
        "astar:bound",
    ] {
        let question = Question {
            algorithm: algorithm.parse::<Algorithm>().unwrap(),
            ..Question::new(
                vec![served[0]],
                vec![served[served.len() / 2]],
                Time::hm(8, 0),
            )
        };
        let plain = planner.route(&question).unwrap();
        let mut steps: Vec<Step> = Vec::new();
        let mut told = Told::new(&planner.table, &mut steps);
        let seen = planner
            .route_followed(&question, &mut Searches::default(), &mut told)
            .unwrap();
        assert_eq!(plain, seen, "{algorithm}");
        let arrival = seen.journeys[0].arrival.to_string();
        let last = steps.last().unwrap();
        assert_eq!(last.kind, Kind::Choose);
        assert_eq!(last.says.to_string(), format!("arrival at {arrival}"));
        assert!(
            steps
                .iter()
                .any(|s| s.kind == Kind::Relax || s.kind == Kind::Visit),
            "{algorithm}"
        );
    }
}

#[test]
fn every_sentence_is_there() {
    assert!(WORDS.missing(Lang::En).is_empty());
}
