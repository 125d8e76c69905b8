//! What is decided before the first move.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../forecast/arguments.rs"]
mod arguments;

use wits_rainbow::forecast::{Reason, forecast, solve};
use wits_rainbow::{Side, Terms};
use wits_search::{Budget, Limits};

fn terms(n: u64, k: u64, c: u64, first: Side) -> Terms {
    Terms::new(n, k, c, first).unwrap()
}

#[test]
fn every_reason_has_its_sentence() {
    for ((n, k, c, first), winner, reason, says) in [
        (
            (30, 5, 4, Side::Maker),
            Some(Side::Breaker),
            Reason::FewColours,
            "4 colours are too few",
        ),
        (
            (12, 3, 10, Side::Maker),
            Some(Side::Maker),
            Reason::FreshColours,
            "5 colours force a rainbow of 3",
        ),
        (
            (1_000_000, 3, 20, Side::Breaker),
            Some(Side::Maker),
            Reason::FreshColours,
            "by the closed form",
        ),
        (
            (8, 4, 8, Side::Breaker),
            Some(Side::Maker),
            Reason::Solved,
            "Maker wins under perfect play",
        ),
        (
            (8, 4, 8, Side::Maker),
            Some(Side::Breaker),
            Reason::Pairing,
            "every progression of 4 contains a pair of partners",
        ),
        (
            (9, 4, 9, Side::Breaker),
            Some(Side::Breaker),
            Reason::Pairing,
            "Breaker begins with",
        ),
        (
            (7, 4, 7, Side::Maker),
            Some(Side::Breaker),
            Reason::Solved,
            "Breaker wins under perfect play",
        ),
        (
            (300, 30, 200, Side::Maker),
            Some(Side::Breaker),
            Reason::Potential,
            "2810/2^15 = 0.0858",
        ),
        ((30, 5, 10, Side::Maker), None, Reason::Open, "not known"),
    ] {
        let told = forecast(&terms(n, k, c, first), &Budget::endless());
        assert_eq!(
            (told.winner, told.reason),
            (winner, reason),
            "{n} {k} {c}: {}",
            told.why
        );
        assert!(told.why.to_string().contains(says), "{}", told.why);
    }
    // Enough moves but not enough colours for the fresh-colour argument.
    let few = forecast(&terms(14, 3, 4, Side::Maker), &Budget::endless());
    assert_eq!(
        (few.winner, few.reason),
        (Some(Side::Maker), Reason::Solved)
    );
}

/// Whatever an argument claims, the solver confirms.
#[test]
fn arguments_and_solver_agree() {
    for n in 2..=13 {
        for k in 2..=n {
            for c in [k - 1, k, n].into_iter().filter(|&c| c > 0) {
                for first in Side::BOTH {
                    let terms = terms(n, k, c, first);
                    let told = forecast(&terms, &Budget::endless());
                    let solved = solve(&terms, &Budget::endless());
                    assert_eq!(told.winner, solved.winner, "n={n} k={k} c={c} {first}");
                    let to_move_wins =
                        solved.winner == Some(first) && solved.reason == Reason::Solved;
                    assert_eq!(
                        solved.best.is_some(),
                        to_move_wins,
                        "n={n} k={k} c={c} {first}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_keys_that_scripts_read() {
    let json =
        serde_json::to_value(solve(&terms(9, 4, 4, Side::Maker), &Budget::endless())).unwrap();
    assert_eq!(
        (&json["winner"], &json["n"], &json["first"]),
        (&"maker".into(), &9.into(), &"maker".into())
    );
    assert!(
        json["move"].as_str().unwrap().contains('=')
            && json["proof"]["positions"].as_u64().unwrap() > 1
    );
    let unknown = solve(
        &terms(23, 6, 6, Side::Maker),
        &Budget::start(Limits::nodes(1_000)),
    );
    assert_eq!((unknown.winner, unknown.best), (None, None));
}
