//! Arrival, vehicles and way on foot together: the same set as a slow twin's.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use crate::common::planner;
use proptest::prelude::*;
use wits_game::{Dice, Seed};
use wits_transit::algo::WalkingRaptor;
use wits_transit::{Day, Ends, Objective, Question, Time, Walking};

/// Pairs of time and walk, none beaten by another.
type Bag = Vec<(i32, u64)>;

fn put(bag: &mut Bag, new: (i32, u64)) {
    if !bag.iter().any(|b| b.0 <= new.0 && b.1 <= new.1) {
        bag.retain(|b| !(new.0 <= b.0 && new.1 <= b.1));
        bag.push(new);
    }
}

/// For each number of vehicles all best pairs at the target, by trying every run from every call
/// to every later one.
fn twin(day: &Day, ends: &Ends, most: usize) -> Vec<(usize, i32, u64)> {
    let mut ready: Vec<Bag> = vec![Vec::new(); day.stops];
    let mut end: Vec<(usize, i32, u64)> = Vec::new();
    for a in &ends.access {
        put(&mut ready[a.0 as usize], (ends.at + a.1, u64::from(a.2)));
        if ends.to.contains(&a.0) {
            end.push((0, ends.at + a.1, u64::from(a.2)));
        }
    }
    for k in 1..=most {
        let mut there: Vec<Bag> = vec![Vec::new(); day.stops];
        for run in 0..day.runs.len() as u32 {
            let (stops, calls) = (day.stops_of(day.runs[run as usize].route), day.calls(run));
            for board in 0..stops.len() {
                for &(time, walked) in &ready[stops[board] as usize] {
                    if time > calls[board].departure {
                        continue;
                    }
                    for alight in board + 1..stops.len() {
                        put(
                            &mut there[stops[alight] as usize],
                            (calls[alight].arrival, walked),
                        );
                    }
                }
            }
        }
        ready = vec![Vec::new(); day.stops];
        for stop in 0..day.stops as u32 {
            for &(time, walked) in &there[stop as usize] {
                put(
                    &mut ready[stop as usize],
                    (time + day.walks.change(stop), walked),
                );
                if ends.to.contains(&stop) {
                    end.push((k, time, walked));
                }
                for w in day.walks.from(stop) {
                    let (time, walked) = (time + w.seconds, walked + u64::from(w.cm));
                    put(&mut ready[w.to as usize], (time, walked));
                    if ends.to.contains(&w.to) {
                        end.push((k, time, walked));
                    }
                }
            }
        }
    }
    let beaten = |a: &(usize, i32, u64)| {
        end.iter()
            .any(|b| b != a && b.0 <= a.0 && b.1 <= a.1 && b.2 <= a.2)
    };
    let mut best: Vec<_> = end.iter().filter(|a| !beaten(a)).copied().collect();
    best.sort_unstable();
    best.dedup();
    best
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn the_set_with_walks_equals_the_twin(seed in 0u64..500) {
        let planner = planner(seed, 0.03, Walking::Real);
        let day = planner.day();
        let mut dice = Dice::new(Seed::new(seed));
        let mut search = WalkingRaptor::default();
        for _ in 0..4 {
            let (from, to) = (dice.below(day.stops) as u32, dice.below(day.stops) as u32);
            if from == to {
                continue;
            }
            let ends = Ends::new(day, &[from], &[to], dice.below(20 * 60) as i32 * 60);
            let found = search.pareto(day, &ends, 6, &mut ());
            let shape: Vec<(usize, i32, u64)> = found.iter().map(|t| (t.rides.len(), t.arrival, t.walked_cm(day, &ends))).collect();
            for trail in &found {
                prop_assert!(trail.holds(day, &ends), "{:?}", trail);
            }
            prop_assert_eq!(shape, twin(day, &ends, 6));
        }
    }
}

#[test]
fn walking_less_is_offered_and_nothing_in_the_set_is_beaten() {
    let planner = planner(3, 0.3, Walking::Real);
    let served = planner.served();
    let mut dice = Dice::new(Seed::new(5));
    let mut more = 0;
    for _ in 0..60 {
        let (from, to) = (
            served[dice.below(served.len())],
            served[dice.below(served.len())],
        );
        let question = Question::new(vec![from], vec![to], Time::hm(8, 0));
        let ask = |by| {
            planner
                .route(&Question {
                    by,
                    ..question.clone()
                })
                .unwrap()
                .journeys
        };
        let (two, three) = (ask(Objective::Pareto), ask(Objective::ParetoWalking));
        // Whatever is best in two wishes is best in three.
        for journey in &two {
            let same = |j: &wits_transit::Journey| {
                j.arrival == journey.arrival && j.vehicles == journey.vehicles
            };
            assert!(three.iter().any(same));
        }
        for a in &three {
            for b in &three {
                let beats = a.arrival <= b.arrival
                    && a.vehicles <= b.vehicles
                    && a.walk_metres < b.walk_metres;
                assert!(!beats, "{a:?} {b:?}");
            }
        }
        more += three.len() - two.len();
    }
    assert!(more > 0, "sometimes a little more time saves a walk");
}
