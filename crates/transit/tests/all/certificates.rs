//! Every answer of a search carries a certificate that holds; tampered ones do not.
#![allow(missing_docs, clippy::unwrap_used)]

use crate::common::{planner, twin};
use proptest::prelude::*;
use wits_game::{Dice, Seed};
use wits_transit::algo::{Bags, WalkingRaptor};
use wits_transit::certificate::departures::{Departures, Leaving};
use wits_transit::certificate::{Best, Certificate, Flaw};
use wits_transit::{Algorithm, Ends, Objective, Planner, Proof, Question, Searches, Time, Walking};

const OBJECTIVES: [Objective; 7] = [
    Objective::Time,
    Objective::Transfers,
    Objective::Distance,
    Objective::Weighted(10),
    Objective::Pareto,
    Objective::ParetoWalking,
    Objective::TransfersOnly,
];

fn walking(n: u64) -> Walking {
    [Walking::Real, Walking::Report, Walking::None][n as usize % 3]
}

fn questions(planner: &Planner, dice: &mut Dice, count: usize) -> Vec<Question> {
    (0..count)
        .map(|_| {
            let mut stop = || vec![dice.below(planner.day().stops) as u32];
            let (from, to) = (stop(), stop());
            let at = Time(dice.below(30 * 60) as i32 * 60);
            Question::new(from, to, at)
        })
        .collect()
}

fn prove(planner: &Planner, question: &Question) -> Certificate {
    planner.prove(question, &mut Searches::default()).unwrap().1
}

/// A profile, and isochrones of one departure and of many, with their certificates.
fn many_departures(planner: &Planner, dice: &mut Dice) -> Vec<Departures> {
    let mut stops = |n: usize| -> Vec<u32> {
        (0..n)
            .map(|_| dice.below(planner.day().stops) as u32)
            .collect()
    };
    let (from, to) = (stops(1), stops(2));
    let at = Time(dice.below(30 * 60) as i32 * 60 + dice.below(60) as i32);
    let mut all = vec![planner.prove_profile(&from, &to).1];
    for window in [0, 17] {
        all.push(planner.prove_isochrone(&from, at, 50, window).1);
    }
    all
}

fn verdict(planner: &Planner, proof: &Departures) -> Result<(), Flaw> {
    planner.verify_proof(&Proof::Departures(proof.clone()))
}

/// When somebody who leaves at a time is at a target, by a certificate.
fn proved_arrival(planner: &Planner, proof: &Departures, goal: u32, time: i32) -> Option<i32> {
    let to = match proof.leaving {
        Leaving::Any => proof.to.clone(),
        Leaving::Minutes { .. } => vec![goal],
    };
    let walk = Ends::new(planner.day(), &proof.from, &to, time).on_foot();
    let mut answers = proof.answers.iter();
    let ride = answers.find(|a| a.0 == goal && a.1 >= time).map(|a| a.2);
    ride.into_iter().chain(walk.map(|w| time + w.0)).min()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn profiles_and_isochrones_are_proved_and_equal_the_twin(seed in 0u64..1000) {
        let planner = planner(seed, 0.04, walking(seed));
        let mut dice = Dice::new(Seed::new(seed));
        for proof in many_departures(&planner, &mut dice) {
            prop_assert_eq!(verdict(&planner, &proof), Ok(()), "{:?}", proof.leaving);
            let text = serde_json::to_string(&Proof::Departures(proof.clone())).unwrap();
            prop_assert_eq!(Proof::read(&text).unwrap(), Proof::Departures(proof.clone()));
            let truth = |time: i32| {
                let there = twin(planner.day(), &proof.from, time, 30).pop().unwrap();
                there.into_iter().map(|t| Some(t).filter(|&t| t < i32::MAX / 8)).collect::<Vec<_>>()
            };
            match proof.leaving {
                Leaving::Any => for time in (0..24 * 3600).step_by(2 * 3600 + 1111) {
                    let there = truth(time);
                    let best = proof.to.iter().filter_map(|&t| there[t as usize]).min();
                    prop_assert_eq!(proved_arrival(&planner, &proof, proof.to[0], time), best);
                },
                Leaving::Minutes { at, window, within } => for minute in [0, window / 2, window] {
                    let time = at + minute * 60;
                    for (stop, there) in (0u32..).zip(truth(time)) {
                        let soon = |t: &i32| t - time <= within * 60;
                        let found = proved_arrival(&planner, &proof, stop, time).filter(soon);
                        prop_assert_eq!(found, there.filter(soon));
                    }
                },
            }
        }
    }

    #[test]
    fn a_change_in_a_profile_or_an_isochrone_is_noticed(seed in 0u64..1000) {
        let planner = planner(seed, 0.04, walking(seed));
        let mut dice = Dice::new(Seed::new(seed));
        for good in many_departures(&planner, &mut dice) {
            let refused = |change: &mut dyn FnMut(&mut Departures)| {
                let mut bad = good.clone();
                change(&mut bad);
                verdict(&planner, &bad).is_err()
            };
            let claimed: Vec<usize> = (0..good.claims.len()).filter(|&s| !good.claims[s].is_empty()).collect();
            if let Some(&stop) = dice.pick(&claimed) {
                let claim = dice.below(good.claims[stop].len());
                let gone = refused(&mut |c| { c.claims[stop].remove(claim); });
                prop_assert!(gone);
                prop_assert!(refused(&mut |c| c.claims[stop][claim].0 += 1));
                prop_assert!(refused(&mut |c| c.claims[stop][claim].1 -= 1));
            }
            if !good.answers.is_empty() {
                let answer = dice.below(good.answers.len());
                let gone = refused(&mut |c| { c.answers.remove(answer); });
                prop_assert!(gone);
                prop_assert!(refused(&mut |c| c.answers.insert(answer, good.answers[answer].clone())));
                for change in [-60, -1, 1, 60] {
                    prop_assert!(refused(&mut |c| c.answers[answer].1 += change));
                    prop_assert!(refused(&mut |c| c.answers[answer].2 += change));
                }
                prop_assert!(refused(&mut |c| c.answers[answer].0 = u32::MAX));
                let leg = dice.below(good.answers[answer].3.len());
                prop_assert!(refused(&mut |c| c.answers[answer].3[leg].0 = u32::MAX));
                prop_assert!(refused(&mut |c| c.answers[answer].3[leg].2 = c.answers[answer].3[leg].1));
                prop_assert!(refused(&mut |c| c.answers[answer].3.clear()));
            }
            prop_assert!(refused(&mut |c| c.days += 1));
            let short = refused(&mut |c| { c.claims.pop(); });
            prop_assert!(short);
            prop_assert!(refused(&mut |c| c.from = vec![u32::MAX]));
            for wild in [i32::MIN, i32::MAX] {
                prop_assert!(refused(&mut |c| c.claims[0].push((wild, wild))));
                let leaving = Leaving::Minutes { at: wild, window: wild, within: wild };
                prop_assert!(refused(&mut |c| c.leaving = leaving));
                prop_assert!(refused(&mut |c| c.answers.push((0, wild, wild, vec![(0, u32::MAX, 0)]))));
            }
        }
    }

    #[test]
    fn every_answer_is_proved(seed in 0u64..1000) {
        let planner = planner(seed, 0.04, walking(seed));
        let mut dice = Dice::new(Seed::new(seed));
        for question in questions(&planner, &mut dice, 4) {
            for by in OBJECTIVES {
                for arrive_by in [false, true] {
                    let question = Question { by, arrive_by, ..question.clone() };
                    let certificate = prove(&planner, &question);
                    prop_assert_eq!(planner.verify(&certificate), Ok(()), "{:?}", question);
                }
            }
        }
    }

    #[test]
    fn a_change_anywhere_is_noticed(seed in 0u64..1000) {
        let planner = planner(seed, 0.04, walking(seed));
        let mut dice = Dice::new(Seed::new(seed));
        for question in questions(&planner, &mut dice, 3) {
            for by in OBJECTIVES {
                let arrive_by = dice.below(2) == 1;
                let question = Question { by, arrive_by, ..question.clone() };
                let good = prove(&planner, &question);
                let refused = |change: &mut dyn FnMut(&mut Certificate)| {
                    let mut bad = good.clone();
                    change(&mut bad);
                    planner.verify(&bad).is_err()
                };
                // A label gone, too dear, too late, or too far: each claim stands for somebody.
                let reached: Vec<usize> = (0..good.claims.len()).filter(|&s| !good.claims[s].is_empty()).collect();
                if let Some(&stop) = dice.pick(&reached) {
                    let label = dice.below(good.claims[stop].len());
                    let noticed = refused(&mut |c| { c.claims[stop].remove(label); });
                    prop_assert!(noticed);
                    prop_assert!(refused(&mut |c| c.claims[stop][label].0 += 1));
                    prop_assert!(refused(&mut |c| c.claims[stop][label].1 += 1));
                    if by == Objective::ParetoWalking {
                        prop_assert!(refused(&mut |c| c.claims[stop][label].2 += 1));
                    }
                }
                if good.answers.is_empty() {
                    continue;
                }
                let answer = dice.below(good.answers.len());
                let noticed = refused(&mut |c| { c.answers.remove(answer); });
                    prop_assert!(noticed);
                prop_assert!(refused(&mut |c| c.answers.push(good.answers[answer].clone())));
                prop_assert!(refused(&mut |c| c.answers[answer].0 += 60));
                prop_assert!(refused(&mut |c| c.answers[answer].0 -= 60));
                prop_assert!(refused(&mut |c| c.answers[answer].1 += 1));
                prop_assert!(refused(&mut |c| c.answers[answer].1 -= 1));
                prop_assert!(refused(&mut |c| c.answers[answer].2 += 1));
                if !good.answers[answer].3.is_empty() {
                    let leg = dice.below(good.answers[answer].3.len());
                    let noticed = refused(&mut |c| { c.answers[answer].3.remove(leg); });
                    prop_assert!(noticed);
                    prop_assert!(refused(&mut |c| c.answers[answer].3[leg].0 = u32::MAX));
                    prop_assert!(refused(&mut |c| c.answers[answer].3[leg].2 = c.answers[answer].3[leg].1));
                }
                prop_assert!(refused(&mut |c| c.days += 1));
                let noticed = refused(&mut |c| { c.claims.pop(); });
                    prop_assert!(noticed);
                prop_assert!(refused(&mut |c| c.from = vec![u32::MAX]));
            }
        }
    }

    #[test]
    fn bags_and_rounds_find_the_same_set(seed in 0u64..1000) {
        let planner = planner(seed, 0.05, walking(seed));
        let day = planner.day();
        let mut dice = Dice::new(Seed::new(seed));
        for question in questions(&planner, &mut dice, 6) {
            let ends = Ends::new(day, &question.from, &question.to, question.at.0);
            let shape = |found: Vec<wits_transit::Trail>| -> Vec<(usize, i32, u64)> {
                found.iter().map(|t| (t.rides.len(), t.arrival, t.walked_cm(day, &ends))).collect()
            };
            let swept = Bags::new(day, &ends).trails(day);
            for trail in &swept {
                prop_assert!(trail.holds(day, &ends), "{:?}", trail);
            }
            let rounds = WalkingRaptor::default().pareto(day, &ends, 30, &mut ());
            prop_assert_eq!(shape(swept), shape(rounds));
        }
    }
}

#[test]
fn a_search_that_goes_wrong_is_not_proved() {
    let planner = planner(7, 0.3, Walking::Real);
    let mut dice = Dice::new(Seed::new(7));
    let bold: Algorithm = "astar:speed=3".parse().unwrap();
    let wrong = questions(&planner, &mut dice, 60)
        .into_iter()
        .filter(|q| {
            let best = planner.route(q).unwrap().journeys;
            let asked = Question {
                algorithm: bold,
                ..q.clone()
            };
            let (answer, certificate) = planner.prove(&asked, &mut Searches::default()).unwrap();
            let same =
                answer.journeys.first().map(|j| j.arrival) == best.first().map(|j| j.arrival);
            let verdict = planner.verify(&certificate);
            // With the right arrival it may still have needed too many vehicles.
            assert!(
                same || matches!(verdict, Err(Flaw::Target { .. })),
                "{verdict:?}"
            );
            !same
        })
        .count();
    assert!(wrong > 0, "a bold search should go wrong somewhere");
}

#[test]
fn numbers_out_of_all_bounds_are_refused_without_breaking() {
    let planner = planner(3, 0.04, Walking::Real);
    let question = Question {
        by: Objective::ParetoWalking,
        ..Question::new(vec![0], vec![9], Time::hm(8, 0))
    };
    let good = prove(&planner, &question);
    assert!(!good.answers.is_empty());
    for (time, number) in [(i32::MIN, i64::MIN), (i32::MAX, i64::MAX)] {
        let mut bad = good.clone();
        bad.at = time;
        assert_eq!(planner.verify(&bad), Err(Flaw::Shape));
        let mut bad = good.clone();
        bad.best = Best::Sum(number);
        let _ = planner.verify(&bad);
        let mut bad = good.clone();
        for claims in &mut bad.claims {
            claims.push((time, number, number));
        }
        bad.answers.clear();
        assert!(planner.verify(&bad).is_err());
        let mut bad = good.clone();
        bad.answers[0] = (time, number, number, vec![(0, u32::MAX, u32::MAX)]);
        assert!(planner.verify(&bad).is_err());
    }
}
