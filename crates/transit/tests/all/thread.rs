//! Watched or not, the same answer; and the thread says what happened.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]
use crate::common;

use serde_json::json;
use wits_game::Lang;
use wits_search::{Kind, Step};
use wits_transit::thread::{Told, WORDS};
use wits_transit::tour::{Method, Tabu, TourBy, TourQuestion};
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
        "sweep",
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

#[test]
fn threads_say_what_happened_and_can_be_read_back() {
    let planner = common::planner(3, 0.2, Walking::Real);
    let served = planner.served();
    let (from, to) = (vec![served[0]], vec![served[served.len() / 2]]);
    for algorithm in [
        "csa",
        "raptor",
        "dijkstra",
        "astar:graph=dependent,speed=20",
        "sweep",
    ] {
        for arrive_by in [false, true] {
            let question = Question {
                algorithm: algorithm.parse::<Algorithm>().unwrap(),
                arrive_by,
                ..Question::new(from.clone(), to.clone(), Time::hm(12, 0))
            };
            let (answer, thread) = planner.route_thread(&question, 50_000).unwrap();
            assert_eq!(answer, planner.route(&question).unwrap());
            let read = wits_search::Thread::read(&thread.text()).unwrap();
            assert_eq!(read.header.lens, "map");
            // People read names; what a command takes is written elsewhere.
            let name = question.algorithm.named().to_string();
            let summary = &read.header.summary;
            assert!(summary.starts_with(&format!("{name} looked")), "{summary}");
            let settled = read.steps.iter().filter(|s| s.kind == Kind::Visit).count();
            assert!(settled > 5, "{algorithm} {arrive_by}: {settled}");
            if let ("dijkstra", false) = (algorithm, arrive_by) {
                assert_eq!(settled, answer.settled);
            }
            // Times never lie on the wrong side of what was asked.
            for step in read.steps.iter().filter(|s| s.kind == Kind::Visit) {
                let time = step.data["time"].as_i64().unwrap();
                let at = i64::from(question.at.0);
                assert!(
                    if arrive_by { time <= at } else { time >= at },
                    "{algorithm}: {time}"
                );
            }
            let line = &read.steps.last().unwrap().data["line"];
            assert_eq!(line[0], json!(answer.journeys[0].legs[0].stops[0].stop));
        }
    }
}

#[test]
fn a_connection_scan_settles_a_stop_when_nothing_sooner_can_come() {
    let planner = common::planner(5, 0.2, Walking::Real);
    let served = planner.served();
    let question = Question::new(
        vec![served[3]],
        vec![served[served.len() - 4]],
        Time::hm(8, 0),
    );
    let question = Question {
        algorithm: Algorithm::Csa,
        ..question
    };
    let (answer, thread) = planner.route_thread(&question, 100_000).unwrap();
    let end = answer.journeys[0].arrival;
    let reach = planner.isochrone(&question.from, question.at, 24 * 60, 0);
    let soon = |minutes: i32| question.at.0 + minutes * 60 <= end.0;
    let mut settled: Vec<u64> = Vec::new();
    for step in thread.steps.iter().filter(|s| s.kind == Kind::Visit) {
        settled.push(step.data["node"].as_u64().unwrap());
    }
    let count = settled.len();
    settled.sort_unstable();
    settled.dedup();
    assert_eq!(settled.len(), count, "no stop is settled twice");
    let expected = reach.reached.iter().filter(|r| soon(r.minutes)).count();
    assert!(settled.len() >= expected, "{} of {expected}", settled.len());
}

#[test]
fn the_thread_of_a_tabu_search_has_a_cost_for_every_iteration() {
    let mut rose = 0;
    for seed in 1..6 {
        let planner = common::planner(seed, 0.2, Walking::Real);
        // Stops with many lines: with few, most orders wait for the same vehicle and cost the same.
        let lines = planner.table.lines_at();
        let mut served = planner.served();
        served.sort_by_key(|&s| std::cmp::Reverse(lines[s as usize].len()));
        let question = TourQuestion {
            start: vec![served[0]],
            stops: (1..9).map(|i| vec![served[i * 5]]).collect(),
            at: Time::hm(8, 0),
            by: TourBy::Time,
            open: false,
            dwell: 0,
            method: Method::Tabu(Tabu {
                tenure: Some(8),
                ..Tabu::default()
            }),
        };
        let tour = planner.tour(&question).unwrap();
        let thread = planner.tour_thread(&question, &tour, 10_000);
        let read = wits_search::Thread::read(&thread.text()).unwrap();
        let visits = read.steps.iter().filter(|s| s.kind == Kind::Visit);
        let costs: Vec<f64> = visits.map(|s| s.data["cost"].as_f64().unwrap()).collect();
        assert_eq!(costs.len(), tour.iterations);
        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
        let minutes = f64::from(tour.arrival.0 - question.at.0) / 60.0;
        assert!((least - minutes).abs() < 0.1, "{least} {minutes}");
        assert!(tour.turns.windows(2).all(|w| w[1].best <= w[0].best));
        rose += costs.windows(2).filter(|w| w[1] > w[0]).count();
    }
    assert!(rose > 0, "a true tabu search takes worse orders, too");
}
