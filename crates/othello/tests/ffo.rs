//! The FFO suite. The heavy ones: `cargo test --release -p wits-othello --test ffo -- --ignored`.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use wits_othello::Square;
use wits_othello::endgame::{Solver, exact};
use wits_othello::ffo::{Problem, suite};
use wits_search::Budget;

fn number(n: u32) -> Problem {
    suite().into_iter().find(|p| p.number == n).unwrap()
}

fn solved(numbers: impl IntoIterator<Item = u32>) {
    let mut solver = Solver::new(20);
    for n in numbers {
        let problem = number(n);
        let p = problem.position;
        let score = solver
            .score(p.own(), p.other(), &Budget::endless())
            .unwrap();
        assert_eq!(score, problem.score(), "#{n}");
        let best: Vec<Square> = problem
            .moves
            .iter()
            .filter(|m| m.1 == score)
            .map(|m| m.0)
            .collect();
        let found = solver.remembered(p.own(), p.other()).unwrap();
        assert!(best.contains(&found), "#{n}: {found}");
    }
}

#[test]
fn the_suite_is_complete() {
    let all = suite();
    assert_eq!(all.len(), 10);
    for problem in all {
        let mut squares: Vec<Square> = problem.moves.iter().map(|m| m.0).collect();
        squares.sort();
        assert!(
            squares
                .into_iter()
                .eq(Square::all(problem.position.moves())),
            "{}",
            problem.number
        );
    }
}

#[test]
fn number_40_is_exact() {
    solved([40]);
}

#[test]
#[ignore = "seconds to a minute in release mode"]
fn numbers_41_to_44_are_exact() {
    solved(41..=44);
}

#[test]
fn every_move_of_number_40_is_exact() {
    let problem = number(40);
    let found = exact(&problem.position, &Budget::endless()).unwrap();
    let mut expected = problem.moves.clone();
    expected.sort_by_key(|&(square, score)| (std::cmp::Reverse(score), square));
    assert_eq!(found.moves, expected);
}

#[test]
#[ignore = "many minutes in release mode"]
fn numbers_45_to_49_are_exact() {
    solved(45..=49);
}
