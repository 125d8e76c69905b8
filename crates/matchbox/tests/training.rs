//! Learning curves and losses against the reference figures, within statistical bounds.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::atomic::{AtomicBool, Ordering};

use wits_game::Seed;
use wits_matchbox::{
    Chart, Course, Learning, Machine, Method, Opponent, Point, Preset, Ratio, Rival, Scheme,
    Teaching, Trained, chances, compare, school, train, usual_teachings,
};

fn kit(machine: &str, scheme: Option<Scheme>) -> (Chart, Machine) {
    let mut preset = Preset::named(machine).unwrap();
    if let Some(scheme) = scheme {
        preset = preset.with_scheme(scheme);
    }
    let machine = preset.machine().unwrap();
    let mut cabinets = [None, None];
    cabinets[preset.seat.index()] = Some(&**machine.cabinet());
    (preset.subject.chart(cabinets).unwrap(), machine)
}

fn trained(machine: &str, scheme: Option<Scheme>, opponent: &Opponent, course: &Course) -> Trained {
    let (chart, machine) = kit(machine, scheme);
    train(
        &chart,
        &machine,
        opponent,
        course,
        &|_| {},
        &AtomicBool::new(false),
    )
}

/// The mean of a share over the games after `from` up to `to`.
fn share(trained: &Trained, from: u32, to: u32, pick: fn(&Point) -> f64) -> f64 {
    let points = trained
        .curve
        .iter()
        .filter(|p| p.game > from && p.game <= to);
    let shares: Vec<f64> = points.map(pick).collect();
    shares.iter().sum::<f64>() / shares.len() as f64
}

/// Mean losses until perfect, least and most, from a thousand reference runs each; their standard
/// error is about 0.05, ours with 3,000 machines about 0.03.
#[test]
fn losses_until_perfect() {
    let table = [
        (Scheme::Gardner, Opponent::Random, 11.5, 9, 19),
        (Scheme::Gardner, Opponent::Perfect, 10.5, 9, 13),
        (Scheme::Gardner, Opponent::Punishing, 10.5, 9, 13),
        (Scheme::Full, Opponent::Random, 11.2, 9, 16),
        (Scheme::Full, Opponent::Perfect, 10.3, 9, 11),
        (Scheme::Full, Opponent::Punishing, 10.3, 9, 11),
    ];
    for (scheme, opponent, mean, min, max) in table {
        let done = trained(
            "her",
            Some(scheme),
            &opponent,
            &Course::new(3000, 1000, Seed::new(1)),
        );
        let losses = done.losses_to_perfect;
        assert_eq!(done.perfect, 3000, "{scheme} {opponent}");
        assert!(
            (losses.mean.unwrap() - mean).abs() < 0.2,
            "{scheme} {opponent}: {losses:?}"
        );
        assert!(
            losses.min >= Some(min) && losses.max <= Some(max),
            "{scheme} {opponent}: {losses:?}"
        );
    }
    let done = trained(
        "her",
        None,
        &Opponent::Punishing,
        &Course::new(3000, 200, Seed::new(2)),
    );
    let games = done.games_to_perfect.mean.unwrap();
    assert!((games - 23.0).abs() < 1.0, "{games}");
    let mode = (0..)
        .zip(&done.losses_histogram)
        .max_by_key(|(_, n)| **n)
        .unwrap()
        .0;
    assert_eq!(mode, 11, "{:?}", done.losses_histogram);
}

/// Reference curves of 400 machines: win rates against random play, draw rates against perfect play.
/// The standard error of each is below 0.01.
#[test]
fn menace_curves() {
    let course = Course::new(1000, 1000, Seed::new(1));
    let random = trained("menace", None, &Opponent::Random, &course);
    for (from, to, win) in [(0, 20, 0.575), (100, 200, 0.652), (500, 1000, 0.743)] {
        let found = share(&random, from, to, |p| p.win);
        assert!(
            (found - win).abs() < 0.03,
            "random, {from} to {to}: {found} is not {win}"
        );
    }
    let late = share(&random, 500, 1000, |p| p.draw);
    assert!((late - 0.11).abs() < 0.02, "{late}");
    let perfect = trained("menace", None, &Opponent::Perfect, &course);
    for (from, to, draw) in [
        (0, 20, 0.25),
        (50, 100, 0.50),
        (100, 200, 0.73),
        (200, 500, 0.85),
        (500, 1000, 0.88),
    ] {
        let found = share(&perfect, from, to, |p| p.draw);
        assert!(
            (found - draw).abs() < 0.03,
            "perfect, {from} to {to}: {found} is not {draw}"
        );
    }
    let ninth = perfect.resigned as f64 / perfect.machines as f64;
    assert!(
        (0.07..0.16).contains(&ninth),
        "about one in nine empties a box for good: {ninth}"
    );
}

#[test]
fn threads_do_not_matter_and_stop_stops() {
    let (chart, machine) = kit("her", None);
    let course = Course::new(500, 60, Seed::new(9));
    let go = |threads, stop: &AtomicBool| {
        let course = Course { threads, ..course };
        train(&chart, &machine, &Opponent::Random, &course, &|_| {}, stop)
    };
    let one = go(1, &AtomicBool::new(false));
    assert_eq!(one, go(3, &AtomicBool::new(false)));
    assert!(!one.stopped);
    let stop = AtomicBool::new(false);
    let report = |done: u64| stop.store(done >= 64, Ordering::Relaxed);
    let cut = train(&chart, &machine, &Opponent::Random, &course, &report, &stop);
    assert!(cut.stopped && cut.machines < 500, "{}", cut.machines);
}

#[test]
fn her_against_him() {
    let (her, him) = (Preset::named("her").unwrap(), Preset::named("him").unwrap());
    let (her, him) = (her.machine().unwrap(), him.machine().unwrap());
    let subject = Preset::named("her").unwrap().subject;
    let chart = subject
        .chart([Some(&**him.cabinet()), Some(&**her.cabinet())])
        .unwrap();
    let rival = Opponent::Machine {
        machine: Box::new(him),
        learn: true,
    };
    let course = Course::new(300, 400, Seed::new(3));
    let done = train(
        &chart,
        &her,
        &rival,
        &course,
        &|_| {},
        &AtomicBool::new(false),
    );
    let (early, late) = (
        share(&done, 0, 10, |p| p.win),
        share(&done, 300, 400, |p| p.win),
    );
    assert!(early < 0.75 && late > 0.95, "{early} {late}");
}

/// Rewards lose fewer of the first games, punishment alone is perfect sooner: the article's remark.
#[test]
fn punish_or_reward() {
    let (chart, machine) = kit("her", None);
    let course = Course::new(2000, 600, Seed::new(4));
    let teachings = usual_teachings(&Teaching::punish_last());
    let opponents = [Opponent::Perfect];
    let stop = AtomicBool::new(false);
    let found = compare(
        &chart,
        &machine,
        &teachings,
        &opponents,
        &course,
        &|_| {},
        &stop,
    );
    let [punish, _, reward] = &found.rows[..] else {
        panic!("{found:?}")
    };
    let (p, r) = (
        punish.first_losses.interval.unwrap(),
        reward.first_losses.interval.unwrap(),
    );
    assert!(
        r[1] < p[0],
        "fewer early losses with rewards: {r:?} against {p:?}"
    );
    assert!(
        punish.perfect > reward.perfect,
        "{} {}",
        punish.perfect,
        reward.perfect
    );
}

#[test]
fn schooling_agrees_with_training() {
    let (chart, machine) = kit("menace", None);
    let after = school(&chart, &machine, &Opponent::Perfect, 500, Seed::new(5));
    let again = school(&chart, &machine, &Opponent::Perfect, 500, Seed::new(5));
    assert_eq!(after, again);
    let taught = after.taught();
    assert_eq!(taught.wins + taught.draws + taught.losses, 500);
    assert_eq!(taught.wins, 0, "nobody beats perfect play");
    // Every draw adds one bead per used box, every loss takes one: three or four boxes a game.
    assert_ne!(after.total(), machine.total());
}

/// Numbers in the place of beads: every way to learn, on the same seeds, whatever the number of threads.
#[test]
fn every_way_to_learn_becomes_perfect() {
    for method in Method::ALL {
        let course = Course {
            learning: Learning::new(method),
            ..Course::new(300, 400, Seed::new(6))
        };
        let done = trained("her", None, &Opponent::Perfect, &course);
        assert_eq!(done.learner, method);
        assert!(done.perfect > 240, "{method}: {} of 300", done.perfect);
        let late = done.curve.last().unwrap();
        assert!(late.win > 0.7, "{method}: {late:?}");
        let again = Course {
            threads: 3,
            ..course
        };
        assert_eq!(done, trained("her", None, &Opponent::Perfect, &again));
    }
    // One game of each is played by lot: nothing is known yet.
    let course = Course {
        learning: Learning::new(Method::Gradient),
        ..Course::new(20_000, 1, Seed::new(6))
    };
    let first = trained("her", None, &Opponent::Random, &course);
    let beads = trained(
        "her",
        None,
        &Opponent::Random,
        &Course::new(20_000, 1, Seed::new(8)),
    );
    let (a, b) = (first.curve[0].loss, beads.curve[0].loss);
    assert!((a - b).abs() < 0.02, "{a} {b}");
}

/// Exact chances against games that were really played.
#[test]
fn chances_are_what_games_show() {
    for (name, rival, opponent) in [
        ("her", Rival::Random, Opponent::Random),
        ("her", Rival::Perfect, Opponent::Perfect),
        ("him", Rival::Punishing, Opponent::Punishing),
        ("menace", Rival::Random, Opponent::Random),
    ] {
        let (chart, machine) = kit(name, None);
        let exact = chances(&chart, &machine, rival);
        let [win, draw, loss] = [&exact.win, &exact.draw, &exact.loss].map(Ratio::approximate);
        assert!((win + draw + loss - 1.0).abs() < 1e-12);
        let played = trained(name, None, &opponent, &Course::new(20_000, 1, Seed::new(5)));
        let seen = &played.curve[0];
        for (exact, seen) in [(win, seen.win), (draw, seen.draw), (loss, seen.loss)] {
            assert!(
                (exact - seen).abs() < 0.02,
                "{name} {rival:?}: {exact} {seen}"
            );
        }
    }
}
