//! Machine levels against hint levels, and what the strong players are worth.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::atomic::AtomicBool;

use wits_game::Seed;
use wits_rainbow::matrix::{self, Machine, Matrix, MatrixPlan};
use wits_rainbow::players::Strong;
use wits_rainbow::{Side, Terms};

fn matrix(terms: Terms, makers: Vec<Machine>, breakers: Vec<Machine>, games: u64) -> Matrix {
    let plan = MatrixPlan {
        terms,
        makers,
        breakers,
        games,
        seed: Seed::new(7),
    };
    plan.play(2, &AtomicBool::new(false), &|_| {}).unwrap()
}

/// The shape of the known matrix: Maker wins nearly always, and only hint 4 defends at all.
#[test]
fn only_the_last_hint_defends() {
    for first in Side::BOTH {
        let terms = Terms::new(30, 5, 10, first).unwrap();
        let matrix = matrix(terms, Machine::levels(), Machine::levels(), 60);
        for (level, row) in matrix.cells.iter().enumerate() {
            for (hint, cell) in row.iter().enumerate() {
                let least = match (level, hint) {
                    (0, 4) => 0.2,
                    (0, _) => 0.85,
                    (1 | 2, 4) => 0.8,
                    (3 | 4, _) => 1.0,
                    _ => 0.95,
                };
                assert!(
                    cell.share >= least,
                    "{first} level {level} hint {hint}: {}",
                    cell.share
                );
            }
        }
        assert!(
            matrix.cells[0][4].share < 0.7,
            "hint 4 holds a random Maker: {:?}",
            matrix.cells[0][4]
        );
    }
}

#[test]
fn the_result_does_not_depend_on_threads() {
    let terms = Terms::new(20, 4, 6, Side::Breaker).unwrap();
    let plan = MatrixPlan {
        terms,
        makers: vec![Machine::Level(0), Machine::Strong(50)],
        breakers: vec![Machine::Level(4), Machine::Strong(50)],
        games: 12,
        seed: Seed::new(3),
    };
    let stop = AtomicBool::new(false);
    let one = plan.play(1, &stop, &|_| {}).unwrap();
    assert_eq!(plan.play(3, &stop, &|_| {}).unwrap(), one);
    assert_eq!(plan.play(2, &AtomicBool::new(true), &|_| {}), None);
}

/// Where level 4 can be held, strong holds it, and hint 4 loses many of these games: up to 16 numbers Breaker wins against
/// anybody, after that only against a Maker who follows a rule. (`wits rainbow hold` says where nobody can: see the manual.)
#[test]
fn strong_breaks_better_than_the_last_hint() {
    for (n, k, first, games) in [
        (14, 5, Side::Breaker, 25),
        (15, 5, Side::Breaker, 25),
        (14, 5, Side::Maker, 25),
        (20, 5, Side::Maker, 4),
        (20, 5, Side::Breaker, 4),
        (30, 6, Side::Maker, 4),
        (30, 6, Side::Breaker, 4),
    ] {
        let terms = Terms::new(n, k, 10, first).unwrap();
        let breakers = vec![Machine::Level(4), Machine::Strong(Strong::NODES)];
        let matrix = matrix(terms, vec![Machine::Level(4)], breakers, games);
        let [hint, strong] = [matrix.cells[0][0].share, matrix.cells[0][1].share];
        assert!(
            strong == 0.0 && hint > 0.2,
            "n={n} k={k} {first}: {hint} {strong}"
        );
    }
}

fn play_one(terms: Terms, maker: Machine, breaker: Machine, seed: Seed) -> Option<Side> {
    matrix::play_one(terms, maker, breaker, seed).map(|(winner, _)| winner)
}

/// Strong as Maker wins every game that Maker can win, up to 13 numbers, whoever defends.
#[test]
fn strong_makes_where_maker_can() {
    for n in 3..=13 {
        for k in 3..=4u64.min(n) {
            for first in Side::BOTH {
                let terms = Terms::new(n, k, k + 1, first).unwrap();
                let perfect = Machine::Perfect(1_000_000);
                let wins = play_one(terms, perfect, perfect, Seed::new(1)) == Some(Side::Maker);
                for (seed, breaker) in
                    (0..).zip([perfect, Machine::Level(4), Machine::Strong(1_000)])
                {
                    let winner = play_one(terms, Machine::Strong(3_000), breaker, Seed::new(seed));
                    assert!(
                        !wins || winner == Some(Side::Maker),
                        "n={n} k={k} {first} {breaker:?}"
                    );
                    let held = play_one(terms, Machine::Strong(3_000), perfect, Seed::new(seed));
                    assert!(wins || held == Some(Side::Breaker), "n={n} k={k} {first}");
                }
            }
        }
    }
}
