//! Three methods, one answer.
#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;
use wits_game::Seed;
use wits_matchbox::maxsum::{
    Fragment, Method, RaceRules, careful, overflowing_numbers, race, race_with, random_numbers,
};

#[test]
fn small_cases() {
    for (numbers, sum, first, last) in [
        (&[] as &[i64], 0, None, None),
        (&[-3, -1], 0, None, None),
        (&[5], 5, Some(0), Some(0)),
        (&[-2, 1, -3, 4, -1, 2, 1, -5, 4], 6, Some(3), Some(6)),
        (&[2, -1, 3], 4, Some(0), Some(2)),
    ] {
        for method in Method::ALL {
            let found = method.run(numbers).unwrap();
            assert_eq!(
                found,
                Fragment { sum, first, last },
                "{method:?} {numbers:?}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn all_agree_and_the_fragment_adds_up(numbers in prop::collection::vec(-20i64..20, 0..60)) {
        let answers = Method::ALL.map(|m| m.run(&numbers).unwrap());
        prop_assert_eq!(answers[0], answers[1]);
        prop_assert_eq!(answers[0].sum, answers[2].sum);
        for answer in answers {
            let sum = match (answer.first, answer.last) {
                (Some(first), Some(last)) => numbers[first..=last].iter().sum(),
                _ => 0,
            };
            prop_assert_eq!(sum, answer.sum);
        }
    }
}

#[test]
fn overflow_is_shown_and_avoided() {
    let numbers = overflowing_numbers();
    for method in Method::ALL {
        let found = careful(method, &numbers);
        assert!(found.overflow.is_some(), "{method:?}");
        assert_eq!(
            found.fragment.sum,
            2 * i128::from(i64::MAX) - 5 + 3 - 7 - 11 + 20
        );
        assert!(i128::from(found.unchecked) != found.fragment.sum);
        let error = found.overflow.unwrap().to_string();
        assert!(error.contains("64 bits"), "{error}");
    }
}

/// With a clock that counts additions the exponents come out as they should, and a method that
/// would be too slow is predicted, not run.
#[test]
fn a_race_by_a_clock_of_our_own() {
    let numbers = random_numbers(3000, 100, Seed::new(1));
    let rules = RaceRules {
        patience: 0.5,
        target: 1e6,
    };
    let found = race_with(&numbers, rules, &mut |method, part| {
        (
            careful(method, part),
            method.additions(part.len() as u64) * 1e-9,
        )
    });
    for (growth, exponent) in found.growth.iter().zip([3.0, 2.0, 1.0]) {
        let law = growth.law.unwrap();
        assert!((law.rate() - exponent).abs() < 0.05, "{law:?}");
    }
    assert_eq!(
        (found.seconds.cubic, found.answers.len()),
        (None, 2),
        "the cubic method is too slow"
    );
    assert_eq!(found.answers[0], found.answers[1]);
    let years = found.growth[0].predicted.unwrap() / 31_557_600.0;
    assert!(
        (4.0..8.0).contains(&years),
        "{years} years for a million numbers in cubic time"
    );
    let json = serde_json::to_value(&found).unwrap();
    assert!(
        json["answers"].is_array() && json["seconds"]["linear"].is_number(),
        "{json}"
    );
}

#[test]
fn a_race_by_the_clock_on_the_wall() {
    let numbers = random_numbers(300, 100, Seed::new(2));
    let started = std::time::Instant::now();
    let clock = &mut || started.elapsed().as_secs_f64();
    let found = race(&numbers, RaceRules::default(), clock);
    assert_eq!(found.answers.len(), 3);
    // On a busy machine times follow no law, and then nothing is predicted.
    if let [Some(cubic), _, Some(linear)] = [0, 1, 2].map(|i: usize| found.growth[i].predicted) {
        assert!(cubic > linear, "{:?}", found.growth);
    }
}
