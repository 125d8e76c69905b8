//! Tours equal brute force; profiles, isochrones and what-ifs equal their slow twins.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::wildcard_imports
)]

use crate::common::{planner, twin};
use proptest::prelude::*;
use wits_game::{Dice, Seed};
use wits_transit::tour::{Method, NoTour, Tabu, TourBy, TourQuestion};
use wits_transit::{Disruption, Planner, Question, Time, Walking, time::NEVER};

/// The end of the best of all orders, each followed leg by leg with the twin.
fn brute(planner: &Planner, question: &TourQuestion) -> Option<i32> {
    fn go(
        planner: &Planner,
        q: &TourQuestion,
        here: &[u32],
        left: &[usize],
        at: i32,
        best: &mut Option<i32>,
    ) {
        let there = twin(planner.day(), here, at, 30).pop().unwrap();
        let reach = |posts: &[u32]| posts.iter().map(|&s| there[s as usize]).min().unwrap();
        if left.is_empty() {
            let end = if q.open { at } else { reach(&q.start) };
            if end < NEVER && best.is_none_or(|b| end < b) {
                *best = Some(end);
            }
            return;
        }
        for (i, &stop) in left.iter().enumerate() {
            let arrival = reach(&q.stops[stop]);
            if arrival >= NEVER {
                continue;
            }
            let mut rest = left.to_vec();
            rest.remove(i);
            let leave = if rest.is_empty() && q.open {
                arrival
            } else {
                arrival + q.dwell * 60
            };
            go(planner, q, &q.stops[stop], &rest, leave, best);
        }
    }
    let mut best = None;
    let all: Vec<usize> = (0..question.stops.len()).collect();
    go(
        planner,
        question,
        &question.start,
        &all,
        question.at.0,
        &mut best,
    );
    best
}

fn question(planner: &Planner, seed: u64, n: usize) -> TourQuestion {
    let mut dice = Dice::new(Seed::new(seed));
    let mut names: Vec<u32> = (0..planner.table.names.len() as u32).collect();
    dice.shuffle(&mut names);
    let posts = |name: u32| -> Vec<u32> {
        (0u32..)
            .zip(&planner.table.stops)
            .filter(|(_, s)| s.name == name)
            .map(|(i, _)| i)
            .collect()
    };
    TourQuestion {
        start: posts(names[0]),
        stops: names[1..=n].iter().map(|&name| posts(name)).collect(),
        at: Time(6 * 3600 + dice.below(10 * 60) as i32 * 60),
        by: TourBy::Time,
        open: seed.is_multiple_of(3),
        dwell: (seed % 4) as i32 * 5,
        method: Method::Exact,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn exact_tours_equal_brute_force(seed in 0u64..500) {
        let planner = planner(seed, 0.03, Walking::Real);
        let question = question(&planner, seed, 4);
        let tour = planner.tour(&question).unwrap();
        let truth = brute(&planner, &question);
        // The twin knows two days; a tour may need more.
        if truth.is_some() || tour.arrival.0 < 24 * 3600 {
            prop_assert_eq!(Some(tour.arrival.0), truth);
        }
        prop_assert!(tour.optimal);
        prop_assert_eq!(tour.legs.len(), 5 - usize::from(question.open));
        for accept_worse in [true, false] {
            let tabu = Tabu { accept_worse, tenure: Some(4), ..Tabu::default() };
            let found = planner.tour(&TourQuestion { method: Method::Tabu(tabu), ..question.clone() }).unwrap();
            prop_assert!(found.arrival >= tour.arrival);
        }
    }

    #[test]
    fn isochrones_and_profiles_equal_the_twin(seed in 0u64..500) {
        let planner = planner(seed, 0.03, [Walking::Real, Walking::Report, Walking::None][seed as usize % 3]);
        let mut dice = Dice::new(Seed::new(seed));
        let (from, to) = (dice.below(planner.day().stops) as u32, dice.below(planner.day().stops) as u32);
        let at = Time(dice.below(20 * 60) as i32 * 60);
        let there = twin(planner.day(), &[from], at.0, 30).pop().unwrap();
        let reached = planner.isochrone(&[from], at, 45, 0).reached;
        let expected = there.iter().filter(|&&t| t - at.0 <= 45 * 60).count();
        prop_assert_eq!(reached.len(), expected);
        for r in &reached {
            prop_assert_eq!(r.minutes, (there[r.index as usize] - at.0 + 59) / 60);
        }
        let profile = planner.profile(&[from], &[to]);
        let mut checked = 0;
        for minute in (0..24 * 60).step_by(97) {
            let time = minute * 60;
            let truth = twin(planner.day(), &[from], time, 30).pop().unwrap()[to as usize];
            let next = profile.departures.iter().find(|d| d.departure.0 >= time);
            if let Some(next) = next.filter(|n| n.arrival.0 < 24 * 3600 && profile.on_foot.is_none() && n.arrival.0 > 0) {
                prop_assert_eq!(next.arrival.0, truth);
                checked += 1;
            }
        }
        prop_assert!(checked > 0 || profile.departures.is_empty() || profile.on_foot.is_some() || from == to);
    }

    #[test]
    fn a_cancelled_line_is_gone_and_nobody_gains(seed in 0u64..500) {
        let planner = planner(seed, 0.03, Walking::Real);
        let mut dice = Dice::new(Seed::new(seed));
        let (from, to) = (dice.below(planner.day().stops) as u32, dice.below(planner.day().stops) as u32);
        let line = dice.below(planner.table.lines.len()) as u32;
        let at = Time::hm(8, 0);
        let question = Question::new(vec![from], vec![to], at);
        let disruption = Disruption { cancelled_lines: vec![line], ..Disruption::default() };
        let answer = planner.what_if(&question, &disruption).unwrap();
        let other = Planner::disrupted(planner.table.clone(), Walking::Real, None, disruption).unwrap();
        prop_assert!(other.day().routes.iter().all(|r| r.line != line));
        let before = twin(planner.day(), &[from], at.0, 30).pop().unwrap();
        let after = twin(other.day(), &[from], at.0, 30).pop().unwrap();
        let day = at.0 + 24 * 3600;
        let later = before.iter().zip(&after).filter(|(b, a)| a > b && **b < day).count();
        prop_assert_eq!(answer.stops_later, later);
        if let (Some(b), Some(a)) = (&answer.before, &answer.after) {
            prop_assert!(a.arrival >= b.arrival);
        }
    }

    #[test]
    fn why_not_equals_trying_every_ride_of_the_line(seed in 0u64..500) {
        let planner = planner(seed, 0.03, Walking::Real);
        let day = planner.day();
        let mut dice = Dice::new(Seed::new(seed));
        let (from, to) = (dice.below(day.stops) as u32, dice.below(day.stops) as u32);
        prop_assume!(from != to);
        let line = dice.below(planner.table.lines.len()) as u32;
        let at = 8 * 3600;
        let answer = planner.why_not(&Question::new(vec![from], vec![to], Time(at)), &planner.table.lines[line as usize].name).unwrap();
        let there = twin(day, &[from], at, 30).pop().unwrap();
        let mut truth = NEVER;
        for run in 0..day.runs.len() as u32 {
            let route = day.runs[run as usize].route;
            if day.routes[route as usize].line != line {
                continue;
            }
            let (stops, calls) = (day.stops_of(route), day.calls(run));
            let Some(board) = (0..stops.len()).find(|&i| there[stops[i] as usize] <= calls[i].departure) else { continue };
            for alight in board + 1..stops.len() {
                if calls[alight].arrival < truth {
                    truth = truth.min(twin(day, &[stops[alight]], calls[alight].arrival, 30).pop().unwrap()[to as usize]);
                }
            }
        }
        // Riding on in the same vehicle is one ride.
        for pair in answer.with.iter().flat_map(|w| w.legs.windows(2)) {
            prop_assert!(pair[0].trip.is_none() || pair[0].trip != pair[1].trip);
        }
        prop_assert_eq!(answer.with.map_or(NEVER, |w| w.arrival.0), truth);
    }
}

#[test]
fn a_stop_without_service_is_a_clear_answer() {
    use wits_transit::{Builder, Calendar, Globe, Mode, Projection};
    let mut builder = Builder::new("three stops", Calendar::EveryDay);
    let at = |lat| Some(Globe { lat, lon: 17.0 });
    let (a, b) = (
        builder.stop("A", "", at(51.0)),
        builder.stop("B", "", at(51.1)),
    );
    let c = builder.stop("C", "", at(51.2));
    let line = builder.line("1", "", Mode::Bus);
    builder.trip(
        line,
        0,
        None,
        &[(a, 3600, 3600), (b, 4000, 4000), (a, 5000, 5000)],
    );
    let table = std::sync::Arc::new(builder.finish(Projection::Ellipsoid));
    let planner = Planner::new(table, Walking::Real, None).unwrap();
    let mut question = TourQuestion {
        start: vec![a],
        stops: vec![vec![b]],
        at: Time(0),
        by: TourBy::Time,
        open: false,
        dwell: 0,
        method: Method::Exact,
    };
    assert_eq!(planner.tour(&question).unwrap().arrival, Time(5000));
    for by in [TourBy::Transfers, TourBy::Distance] {
        let tour = planner
            .tour(&TourQuestion {
                by,
                ..question.clone()
            })
            .unwrap();
        assert!(tour.optimal, "{tour:?}");
    }
    question.stops.push(vec![c]);
    assert!(matches!(
        planner.tour(&question),
        Err(NoTour::Unreachable { .. })
    ));
    let nowhere = planner
        .route(&Question::new(vec![a], vec![c], Time(0)))
        .unwrap();
    assert!(nowhere.journeys.is_empty());
    let here = planner
        .route(&Question::new(vec![a], vec![a], Time(0)))
        .unwrap();
    assert_eq!(
        (here.journeys[0].legs.len(), here.journeys[0].total_minutes),
        (0, 0)
    );
}

/// The earliest time at every stop by one pass over all hops: written for these tests only.
fn pass(day: &wits_transit::Day, from: &[u32], at: i32) -> Vec<i32> {
    let (mut there, mut ready) = (vec![NEVER; day.stops], vec![NEVER; day.stops]);
    for &s in from {
        let walks = day.walks.from(s).iter().map(|w| (w.to, w.seconds));
        for (to, seconds) in walks.chain([(s, 0)]) {
            there[to as usize] = there[to as usize].min(at + seconds);
            ready[to as usize] = ready[to as usize].min(at + seconds);
        }
    }
    let mut aboard = vec![false; day.runs.len()];
    for hop in &day.connections {
        aboard[hop.run as usize] |= ready[hop.from as usize] <= hop.departure;
        if !aboard[hop.run as usize] {
            continue;
        }
        let to = hop.to as usize;
        there[to] = there[to].min(hop.arrival);
        ready[to] = ready[to].min(hop.arrival + day.walks.change(hop.to));
        for w in day.walks.from(hop.to) {
            let time = hop.arrival + w.seconds;
            there[w.to as usize] = there[w.to as usize].min(time);
            ready[w.to as usize] = ready[w.to as usize].min(time);
        }
    }
    there
}

/// Every order of up to eight stops, leg by leg; what was looked up once is remembered.
struct Orders<'a> {
    planner: &'a Planner,
    question: &'a TourQuestion,
    known: std::collections::HashMap<(usize, i32), Vec<i32>>,
    best: i32,
}

impl Orders<'_> {
    fn arrivals(&mut self, place: usize, at: i32) -> Vec<i32> {
        let (planner, question) = (self.planner, self.question);
        let posts = |p: usize| {
            if p == 0 {
                &question.start
            } else {
                &question.stops[p - 1]
            }
        };
        let all = self.known.entry((place, at)).or_insert_with(|| {
            let there = pass(planner.day(), posts(place), at);
            let least = |p: usize| posts(p).iter().map(|&s| there[s as usize]).min().unwrap();
            (0..=question.stops.len()).map(least).collect()
        });
        all.clone()
    }

    fn go(&mut self, here: usize, left: &[usize], at: i32) {
        if left.is_empty() {
            let end = if self.question.open {
                at
            } else {
                self.arrivals(here, at)[0]
            };
            self.best = self.best.min(end);
            return;
        }
        let arrivals = self.arrivals(here, at);
        for (i, &next) in left.iter().enumerate() {
            let mut rest = left.to_vec();
            rest.remove(i);
            let stay = if rest.is_empty() && self.question.open {
                0
            } else {
                self.question.dwell * 60
            };
            if arrivals[next] < NEVER {
                self.go(next, &rest, arrivals[next] + stay);
            }
        }
    }
}

#[test]
fn exact_tours_of_five_to_eight_stops_equal_trying_every_order() {
    for (seed, stops) in [(1u64, 5), (2, 6), (4, 7), (6, 8), (10, 8)] {
        let planner = planner(seed, 0.05, Walking::Real);
        let question = question(&planner, seed, stops);
        let slow = twin(planner.day(), &question.start, question.at.0, 30)
            .pop()
            .unwrap();
        assert_eq!(pass(planner.day(), &question.start, question.at.0), slow);
        let all: Vec<usize> = (1..=stops).collect();
        let mut orders = Orders {
            planner: &planner,
            question: &question,
            known: std::collections::HashMap::new(),
            best: NEVER,
        };
        orders.go(0, &all, question.at.0);
        let tour = planner.tour(&question).unwrap();
        assert!(
            orders.best < NEVER,
            "seed {seed} has a tour within two days"
        );
        assert_eq!(tour.arrival.0, orders.best, "seed {seed}, {stops} stops");
        assert!(tour.optimal);
        // In the order that was found, leg by leg, it ends at the same time; in others never sooner.
        let reordered = TourQuestion {
            stops: tour
                .indices
                .iter()
                .map(|&i| question.stops[i].clone())
                .collect(),
            ..question.clone()
        };
        assert_eq!(
            planner.tour_as_given(&reordered).unwrap().arrival,
            tour.arrival
        );
        assert!(planner.tour_as_given(&question).unwrap().arrival >= tour.arrival);
    }
}
