//! The exact solver against plain minimax.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use wits_game::{Dice, Seed};
use wits_othello::endgame::{Solver, exact};
use wits_othello::{Position, Square};
use wits_search::{Budget, Limits};

/// The score by the rules alone.
fn slow(p: &Position) -> i32 {
    let moves = p.moves();
    if moves == 0 {
        if p.passed().moves() == 0 {
            let (own, other) = (p.own().count_ones() as i32, p.other().count_ones() as i32);
            let diff = own - other;
            return diff + diff.signum() * (64 - own - other);
        }
        return -slow(&p.passed());
    }
    Square::all(moves)
        .map(|s| -slow(&p.after(s)))
        .max()
        .unwrap()
}

/// A position with few empty squares; some have gone through passes, and some leave empty squares.
fn late(seed: u64, empties: u32) -> Position {
    let mut dice = Dice::new(Seed::new(seed));
    loop {
        let mut p = Position::START;
        while p.taken().count_ones() < 64 - empties && !p.over() {
            let open: Vec<Square> = Square::all(p.moves()).collect();
            p = p.played(*dice.pick(&open).unwrap());
        }
        if !p.over() {
            return p;
        }
    }
}

#[test]
fn small_endings_are_exact() {
    let budget = Budget::endless();
    for empties in 1..=7 {
        for seed in 0..15 {
            let p = late(seed + 100 * u64::from(empties), empties);
            let solved = exact(&p, &budget).unwrap();
            assert_eq!(solved.score, slow(&p), "{p:?}");
            for (square, score) in &solved.moves {
                assert_eq!(*score, -slow(&p.after(*square)), "{square} {p:?}");
            }
            let score = Solver::new(10).score(p.own(), p.other(), &budget).unwrap();
            assert_eq!(score, solved.score);
            // A side that cannot move passes: the same score with the other sign.
            let passed = p.passed();
            if passed.moves() == 0 {
                assert_eq!(exact(&passed, &budget).unwrap().score, -solved.score);
            }
        }
    }
}

#[test]
fn larger_endings_agree_with_themselves() {
    let budget = Budget::endless();
    for seed in 0..12 {
        let p = late(seed, 12);
        let whole = Solver::new(14).score(p.own(), p.other(), &budget).unwrap();
        let children = Square::all(p.moves())
            .map(|s| p.after(s))
            .map(|n| -Solver::new(4).score(n.own(), n.other(), &budget).unwrap());
        assert_eq!(whole, children.max().unwrap(), "{p:?}");
        // Win, draw or loss is the sign of the score.
        let sign = Solver::new(14)
            .within(p.own(), p.other(), -1, 1, &budget)
            .unwrap();
        assert_eq!(sign.signum(), whole.signum());
        // Mirrored and exchanged it is worth the same.
        let turned = p.turned(5);
        assert_eq!(
            Solver::new(14).score(turned.own(), turned.other(), &budget),
            Some(whole)
        );
    }
}

#[test]
fn a_spent_budget_gives_no_score() {
    let p = late(3, 20);
    let budget = Budget::start(Limits::nodes(1000));
    assert_eq!(Solver::new(10).score(p.own(), p.other(), &budget), None);
    let stopped = Budget::endless();
    stopped.stop();
    assert_eq!(exact(&p, &stopped), None);
}
