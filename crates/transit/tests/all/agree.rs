//! All searches agree with each other and with a slow twin.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::wildcard_imports
)]
use crate::common;

use crate::common::{day, twin};
use proptest::prelude::*;
use wits_game::{Dice, Seed};
use wits_transit::algo::*;
use wits_transit::{Bounds, Day, Ends, Timetable, Trail, Walking, time::NEVER};

fn queries(day: &Day, seed: u64, count: usize) -> Vec<Ends> {
    let mut dice = Dice::new(Seed::new(seed));
    (0..count)
        .map(|_| {
            let (a, b) = (dice.below(day.stops) as u32, dice.below(day.stops) as u32);
            Ends::new(day, &[a], &[b], dice.below(24 * 60) as i32 * 60)
        })
        .filter(|e| e.from != e.to)
        .collect()
}

fn walking(n: u64) -> Walking {
    [Walking::Real, Walking::Report, Walking::None][n as usize % 3]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn every_search_equals_the_twin(seed in 0u64..1000) {
        let table = common::city(seed, 0.04);
        agree(&table, &day(&table, walking(seed)), seed)?;
    }

    #[test]
    fn every_search_obeys_who_may_board_and_leave_and_how_trips_really_run(seed in 0u64..1000) {
        let table = common::restricted(&common::city(seed, 0.04), seed);
        corridor(&table, seed);
        agree(&table, &day(&table, walking(seed)), seed)?;
        let trouble = common::troubled(&table, seed);
        agree(&table, &common::disrupted(&table, walking(seed), &trouble), seed)?;
    }
}

/// The corridor between start and target holds the earliest arrival, whoever may board where.
fn corridor(table: &Timetable, seed: u64) {
    let day = day(table, Walking::Real);
    let bounds = Bounds::new(table);
    assert!(bounds.cells() > 0);
    let (mut scan, mut corridor) = (Scan::default(), Corridor::default());
    for ends in queries(&day, seed, 40) {
        let found = corridor.earliest(&day, &bounds, &ends);
        assert!(found.as_ref().is_none_or(|t| t.holds(&day, &ends)));
        let truth = scan.earliest(&day, &ends, &mut ());
        assert_eq!(found.map(|t| t.arrival), truth.map(|t| t.arrival));
    }
}

fn agree(table: &Timetable, day: &Day, seed: u64) -> Result<(), TestCaseError> {
    let graph = Expanded::new(day);
    let changes = Changes::new(day);
    let (mut scan, mut raptor, mut dependent) =
        (Scan::default(), Raptor::default(), TimeDependent::default());
    let (mut expanded, mut trips) = (ExpandedSearch::default(), TripBased::default());
    for ends in queries(day, seed, 12) {
        let truth = twin(day, &ends.from, ends.at, 30);
        // Best arrival for each number of vehicles, as the twin sees it.
        let mut front: Vec<(i32, usize)> = Vec::new();
        for (k, there) in truth.iter().enumerate() {
            let arrival = there[ends.to[0] as usize];
            if arrival < NEVER && front.last().is_none_or(|f| arrival < f.0) {
                front.push((arrival, k));
            }
        }
        let earliest = front.last().map(|f| f.0);
        let fewest = front.first().copied();
        let shape = |trails: &[Trail]| -> Vec<(i32, usize)> {
            for t in trails {
                assert!(t.holds(day, &ends), "{t:?}");
            }
            trails.iter().map(|t| (t.arrival, t.rides.len())).collect()
        };
        let one = |trail: Option<Trail>| {
            trail.map(|t| {
                assert!(t.holds(day, &ends), "{t:?}");
                t.arrival
            })
        };
        prop_assert_eq!(one(scan.earliest(day, &ends, &mut ())), earliest);
        prop_assert_eq!(one(dependent.earliest(day, &ends, None, &mut ())), earliest);
        let left = Heuristic::Bound.estimates(table, day, &ends, Unit::Seconds);
        prop_assert_eq!(
            one(dependent.earliest(day, &ends, Some(&left.stop), &mut ())),
            earliest
        );
        prop_assert_eq!(
            shape(&raptor.pareto(day, &ends, 30, &mut ())),
            front.clone()
        );
        prop_assert_eq!(
            shape(&trips.pareto(day, &changes, &ends, 30, &mut ())),
            front.clone()
        );
        let sweep = Sweep::new(day, &ends, Price::Vehicles, NEVER);
        let swept: Vec<Trail> = sweep
            .ends
            .iter()
            .rev()
            .map(|e| sweep.trail(day, e))
            .collect();
        prop_assert_eq!(shape(&swept), front.clone());
        prop_assert_eq!(
            one(expanded.best(day, &graph, &ends, Aim::Time, None, &mut ())),
            earliest
        );
        prop_assert_eq!(
            one(expanded.best(day, &graph, &ends, Aim::Time, Some(&left), &mut ())),
            earliest
        );
        let left = Heuristic::Bound.estimates(table, day, &ends, Unit::Vehicles);
        for left in [None, Some(&left)] {
            let found = expanded.best(day, &graph, &ends, Aim::Vehicles, left, &mut ());
            prop_assert_eq!(found.map(|t| (t.arrival, t.rides.len())), fewest);
        }
        let profiles = Profiles::new(day, &ends.to, 0);
        let there = ends
            .access
            .iter()
            .map(|a| profiles.arrival(a.0, ends.at + a.1))
            .min()
            .unwrap();
        prop_assert_eq!((there < NEVER).then_some(there), earliest);
        prop_assert_eq!(
            profiles.arrival(ends.from[0], ends.at).min(NEVER),
            earliest.unwrap_or(NEVER)
        );
        // Distance has no twin among the scans, but two searches that share nothing.
        let sweep = Sweep::new(day, &ends, Price::Centimetres, NEVER);
        let found = expanded.best(day, &graph, &ends, Aim::Distance, None, &mut ());
        prop_assert_eq!(
            found.map(|t| (t.arrival, t.cm(day, &ends) as i64)),
            sweep.ends.last().map(|e| (e.time, e.cost))
        );
        let left = Heuristic::Bound.estimates(table, day, &ends, Unit::Centimetres);
        let bound = expanded.best(day, &graph, &ends, Aim::Distance, Some(&left), &mut ());
        prop_assert_eq!(
            bound.map(|t| t.cm(day, &ends) as i64),
            sweep.ends.last().map(|e| e.cost)
        );
    }
    Ok(())
}
