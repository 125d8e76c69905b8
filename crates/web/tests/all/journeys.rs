//! Threads of journeys: whatever search was asked for, and whatever it believed, its thread survives the check.

use std::sync::Arc;

use serde_json::json;
use wits_game::Seed;
use wits_play::check::check_desk;
use wits_transit::{Algorithm, CityPlan, Objective, Planner, Question, Time, Walking, generate};

/// Every search for a journey, with all that A* can be made to believe.
const SEARCHES: [&str; 17] = [
    "dijkstra",
    "dijkstra:graph=expanded",
    "astar:graph=dependent,bound",
    "astar:graph=dependent,disabled",
    "astar:graph=dependent,speed=5",
    "astar:graph=dependent,speed=20",
    "astar:graph=expanded,bound",
    "astar:graph=expanded,speed=5",
    "astar:changes_per_km=0.1",
    "astar:stop_nodes=2",
    "astar:major=1",
    "astar:express=3",
    "csa",
    "profile-csa",
    "raptor",
    "tripbased",
    "sweep",
];
const OBJECTIVES: [Objective; 6] = [
    Objective::Time,
    Objective::Transfers,
    Objective::Distance,
    Objective::Weighted(5),
    Objective::Pareto,
    Objective::ParetoWalking,
];
/// A small town, where every search is quick, and a larger one, where fewer vehicles may mean to be there hours later.
const CITIES: [(f64, u64); 2] = [(0.1, 6), (0.6, 2)];

#[test]
fn the_thread_of_every_search_survives_the_check() {
    let (mut threads, mut wrong) = (0, Vec::new());
    for (size, asked) in CITIES {
        let plan = CityPlan {
            size,
            ..CityPlan::default()
        };
        let planner = Planner::new(Arc::new(generate(&plan)), Walking::Real, None).unwrap();
        for question in questions(&planner, asked) {
            // A search that was left early by its limit is one more case.
            for most in [20_000, 300] {
                // Not every search serves every wish.
                let Ok((_, thread)) = planner.route_thread(&question, most) else {
                    continue;
                };
                threads += 1;
                let report = check_desk(&thread);
                if let Some(failure) = report.failures.first() {
                    let subject = &thread.header.subject;
                    wrong.push(format!(
                        "{subject} {} {:?} {} {most}: {failed}, step {}: {}",
                        thread.header.by,
                        question.by,
                        if question.arrive_by { "backwards" } else { "" },
                        failure.at,
                        failure.why,
                        failed = report.failures.len(),
                    ));
                }
            }
        }
    }
    assert!(threads > 1500, "{threads}");
    let most: Vec<&String> = wrong.iter().take(200).collect();
    assert!(wrong.is_empty(), "{} of {threads}: {most:#?}", wrong.len());
}

/// Every search for everything that can be wished, forwards and backwards, between places by lot.
fn questions(planner: &Planner, asked: u64) -> Vec<Question> {
    let mut questions = Vec::new();
    for n in 0..asked {
        let ends = planner.random_query(Seed::new(1).nth(n), &planner.served());
        for search in SEARCHES {
            for by in OBJECTIVES {
                for arrive_by in [false, true] {
                    let at = Time(ends.at);
                    questions.push(Question {
                        algorithm: search.parse::<Algorithm>().unwrap(),
                        by,
                        arrive_by,
                        ..Question::new(ends.from.clone(), ends.to.clone(), at)
                    });
                }
            }
        }
    }
    questions
}

#[test]
fn a_thread_that_goes_back_in_time_is_held_against_itself() {
    let plan = CityPlan {
        size: 0.1,
        ..CityPlan::default()
    };
    let planner = Planner::new(Arc::new(generate(&plan)), Walking::Real, None).unwrap();
    let ends = planner.random_query(Seed::new(1), &planner.served());
    let noon = Time::hm(12, 0);
    for search in ["csa", "raptor", "dijkstra", "sweep"] {
        let question = Question {
            algorithm: search.parse::<Algorithm>().unwrap(),
            arrive_by: true,
            ..Question::new(ends.from.clone(), ends.to.clone(), noon)
        };
        let (_, thread) = planner.route_thread(&question, 20_000).unwrap();
        assert!(check_desk(&thread).ok(), "{search}");
        // Somebody leaves later than any answer that was found.
        let mut late = thread.clone();
        let way = &mut late.steps.last_mut().unwrap().data;
        way["departure"] = json!(way["departure"].as_i64().unwrap() + 60);
        assert!(!check_desk(&late).ok(), "{search}");
        // The same steps do not follow from each other forwards.
        let mut forwards = thread.clone();
        forwards.steps[0].data.remove("backwards");
        assert!(!check_desk(&forwards).ok(), "{search}");
    }
}
