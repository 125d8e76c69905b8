//! The chain of all teaching histories, against the published figures and against simulation.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::atomic::AtomicBool;

use wits_game::{Seat, Seed};
use wits_matchbox::{
    Chart, Course, Exact, Machine, NotExact, Opponent, Preset, Rival, Scheme, Subject, Teaching,
    train,
};

fn kit(name: &str, scheme: Scheme) -> (Chart, Machine) {
    let preset = Preset::named(name).unwrap().with_scheme(scheme);
    let machine = preset.machine().unwrap();
    let mut cabinets = [None, None];
    cabinets[preset.seat.index()] = Some(&**machine.cabinet());
    (preset.subject.chart(cabinets).unwrap(), machine)
}

#[test]
fn every_history_of_the_24_boxes() {
    let (chart, machine) = kit("her", Scheme::Gardner);
    let losses = Exact::new(&chart, &machine).unwrap().losses();
    assert_eq!((losses.boxes, losses.losing), (24, 19));
    assert_eq!((losses.min, losses.max), (9, 19));
    assert_eq!(
        losses.final_sets,
        [1, 10, 45, 120, 210, 252, 210, 120, 45, 10, 1]
    );
    assert_eq!(losses.states, 1 << 19);
}

#[test]
fn every_history_of_the_19_boxes() {
    let (chart, machine) = kit("her", Scheme::Full);
    let losses = Exact::new(&chart, &machine).unwrap().losses();
    assert_eq!((losses.losing, losses.min, losses.max), (16, 9, 16));
}

/// Exact means lie inside the interval of a simulation (widened to four standard errors).
#[test]
fn fractions_agree_with_simulation() {
    let cases = [
        (Scheme::Gardner, Rival::Perfect, Opponent::Perfect),
        (Scheme::Gardner, Rival::Punishing, Opponent::Punishing),
        (Scheme::Full, Rival::Random, Opponent::Random),
    ];
    for (scheme, rival, opponent) in cases {
        let (chart, machine) = kit("her", scheme);
        let exact = Exact::new(&chart, &machine)
            .unwrap()
            .expect(rival, &|| false)
            .unwrap();
        let course = Course::new(4000, 1500, Seed::new(7));
        let sample = train(
            &chart,
            &machine,
            &opponent,
            &course,
            &|_| {},
            &AtomicBool::new(false),
        );
        for (what, about, seen) in [
            ("losses", exact.losses_about, sample.losses_to_perfect),
            ("games", exact.games_about, sample.games_to_perfect),
        ] {
            let (mean, [low, high]) = (seen.mean.unwrap(), seen.interval.unwrap());
            let error = (high - low) / (2.0 * 1.96);
            assert!(
                (mean - about).abs() < 4.0 * error,
                "{scheme} {rival:?} {what}: {about} {seen:?}"
            );
        }
        assert!((exact.games.approximate() - exact.games_about).abs() < 1e-9);
        let sum: f64 = exact.distribution.iter().sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        let mean: f64 = (exact.min..)
            .zip(&exact.distribution)
            .map(|(n, p)| f64::from(n) * p)
            .sum();
        assert!(
            (mean - exact.losses_about).abs() < 1e-9,
            "{mean} {}",
            exact.losses_about
        );
    }
}

/// Moves without a choice have no box: a loss after one takes out the bead that was drawn before it.
#[test]
fn forced_moves_have_no_box() {
    for (game, seat) in [
        ("chomp:rows=2,cols=3", Seat::FIRST),
        ("nim:rows=2,cols=3", Seat::FIRST),
    ] {
        let preset = Preset::of(Subject::named(game).unwrap(), seat);
        let preset = preset.with_teaching(Teaching::punish_last());
        let machine = preset.machine().unwrap();
        let mut cabinets = [None, None];
        cabinets[seat.index()] = Some(&**machine.cabinet());
        let chart = preset.subject.chart(cabinets).unwrap();
        let exact = Exact::new(&chart, &machine).unwrap();
        let losses = exact.losses();
        assert!(losses.min <= losses.max && losses.states > 1, "{losses:?}");
        for (rival, opponent) in [
            (Rival::Random, Opponent::Random),
            (Rival::Punishing, Opponent::Punishing),
        ] {
            let found = exact.expect(rival, &|| false).unwrap();
            let course = Course::new(4000, 600, Seed::new(9));
            let stop = AtomicBool::new(false);
            let sample = train(&chart, &machine, &opponent, &course, &|_| {}, &stop);
            assert_eq!(sample.perfect, 4000, "{game} {rival:?}");
            for (about, seen) in [
                (found.losses_about, sample.losses_to_perfect),
                (found.games_about, sample.games_to_perfect),
            ] {
                let error = seen.sd.unwrap() / f64::sqrt(4000.0);
                let off = (seen.mean.unwrap() - about).abs();
                assert!(
                    off <= 4.0 * error + 1e-9,
                    "{game} {rival:?}: {about} {seen:?}"
                );
            }
        }
    }
}

/// With all images merged, good play leads to 9, 10 or 11 losses with chances 1/4, 1/4 and 1/2.
#[test]
fn a_short_fraction() {
    let (chart, machine) = kit("her", Scheme::Full);
    let exact = Exact::new(&chart, &machine).unwrap();
    for rival in [Rival::Perfect, Rival::Punishing] {
        let found = exact.expect(rival, &|| false).unwrap();
        assert_eq!(found.losses.to_string(), "41/4", "{rival:?}");
        assert_eq!((found.min, found.max), (9, 11));
    }
    assert!(
        exact.expect(Rival::Random, &|| true).is_none(),
        "stop is heard"
    );
}

#[test]
fn what_is_not_exact_says_why() {
    let (chart, him) = kit("him", Scheme::Gardner);
    assert_eq!(Exact::new(&chart, &him).err(), Some(NotExact::Hopeless));
    let (chart, none) = kit("her", Scheme::None);
    let error = Exact::new(&chart, &none).err().unwrap();
    assert_eq!(error, NotExact::TooMany { beads: 32 });
    assert!(error.to_string().contains("2^32 states"), "{error}");
    let preset = Preset::named("her")
        .unwrap()
        .with_teaching(Teaching::with_reward(1));
    let machine = preset.machine().unwrap();
    let chart = preset
        .subject
        .chart([None, Some(&**machine.cabinet())])
        .unwrap();
    assert_eq!(
        Exact::new(&chart, &machine).err(),
        Some(NotExact::OtherTeaching)
    );
}
