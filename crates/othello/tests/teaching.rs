//! The heuristics and the teaching engine.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use wits_game::{Dice, Seat, Seed};
use wits_othello::teach::{Aids, Teacher, plain};
use wits_othello::{Heuristic, Position, Square, bits};

/// A position after some random moves.
fn random(seed: u64, moves: u32) -> Position {
    let mut dice = Dice::new(Seed::new(seed));
    let mut p = Position::START;
    for _ in 0..moves {
        let open: Vec<Square> = Square::all(p.moves()).collect();
        let Some(&square) = dice.pick(&open) else {
            break;
        };
        p = p.played(square);
    }
    p
}

/// Any board at all, reachable or not.
fn any_board() -> impl Strategy<Value = Position> {
    (any::<u64>(), any::<u64>(), any::<u64>(), any::<bool>()).prop_map(|(a, b, c, first)| {
        let (black, white) = if c & 1 == 0 {
            (a & b, !a & c)
        } else {
            (a & !b, b & !a)
        };
        Position {
            black,
            white,
            turn: if first { Seat::FIRST } else { Seat::SECOND },
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn heuristics_keep_their_bounds_and_symmetries(p in any_board(), game in 0u64..1000, moves in 0u32..60) {
        for p in [p, random(game, moves)] {
            for h in Heuristic::ALL {
                let value = h.value(&p);
                prop_assert!(value.is_finite() && value.abs() <= h.bound() + 1e-12, "{h} {value}");
                prop_assert!((h.value(&p.swapped()) + value).abs() < 1e-12, "{h}");
                for how in 1..8 {
                    prop_assert!((h.value(&p.turned(how)) - value).abs() < 1e-12, "{h} {how}");
                }
            }
        }
    }
}

/// Each basic heuristic again, square by square from its definition.
#[test]
fn heuristics_agree_with_slow_twins() {
    fn ratio(a: f64, b: f64) -> f64 {
        if a > b {
            a / (a + b)
        } else if a < b {
            -b / (a + b)
        } else {
            0.0
        }
    }
    fn beside(square: usize) -> Vec<usize> {
        let (r, c) = ((square / 8) as i32, (square % 8) as i32);
        let mut all = Vec::new();
        for dr in -1..=1 {
            for dc in -1..=1 {
                let (y, x) = (r + dr, c + dc);
                if (dr, dc) != (0, 0) && (0..8).contains(&y) && (0..8).contains(&x) {
                    all.push((y * 8 + x) as usize);
                }
            }
        }
        all
    }
    let matrices = [
        (
            Heuristic::WeightedMaggs,
            [64, -30, 10, 5, -30, -40, 2, 2, 10, 2, 5, 1, 5, 2, 1, 1],
        ),
        (
            Heuristic::WeightedSannidhanam,
            [4, -3, 2, 2, -3, -4, -1, -1, 2, -1, 1, 0, 2, -1, 0, 1],
        ),
        (
            Heuristic::WeightedKorman,
            [20, -3, 11, 8, -3, -7, -4, 1, 11, -4, 2, 2, 8, 1, 2, -3],
        ),
    ];
    for seed in 0..300 {
        let p = random(seed, (seed % 60) as u32);
        let colour = |i: usize| (p.black >> i & 1) as i32 - (p.white >> i & 1) as i32;
        let near = |h: Heuristic, value: f64| {
            assert!(
                (h.value(&p) - value).abs() < 1e-12,
                "{h}: {} is not {value}",
                h.value(&p)
            );
        };
        let count = |c: i32| (0..64).filter(|&i| colour(i) == c).count() as f64;
        near(Heuristic::MaximumDisc, ratio(count(1), count(-1)));
        near(Heuristic::MinimumDisc, -ratio(count(1), count(-1)));
        for (h, quarter) in matrices {
            let weight = |i: usize| {
                let fold = |x: usize| if x < 4 { x } else { 7 - x };
                quarter[fold(i / 8) * 4 + fold(i % 8)]
            };
            let sum: i32 = (0..64).map(|i| colour(i) * weight(i)).sum();
            let positive: i32 = (0..64).map(weight).filter(|w| *w > 0).sum();
            near(h, f64::from(sum) / f64::from(positive));
        }
        let corners = [0usize, 7, 56, 63];
        let owned: i32 = corners.iter().map(|&i| colour(i)).sum();
        near(Heuristic::CornersOwned, f64::from(owned) / 4.0);
        let close: i32 = corners
            .iter()
            .filter(|&&i| colour(i) == 0)
            .flat_map(|&i| beside(i))
            .map(colour)
            .sum();
        near(Heuristic::CornerCloseness, -0.125 * f64::from(close));
        let mobility = |own, other| f64::from(bits::moves(own, other).count_ones());
        near(
            Heuristic::CurrentMobility,
            ratio(mobility(p.black, p.white), mobility(p.white, p.black)),
        );
        let frontier = |c: i32| {
            let touches = |i: &usize| colour(*i) == 0 && beside(*i).iter().any(|&j| colour(j) == c);
            (0..64).filter(touches).count() as f64
        };
        near(
            Heuristic::PotentialMobility,
            -ratio(frontier(1), frontier(-1)),
        );
    }
}

#[test]
fn mixes_have_their_published_weights() {
    for seed in 0..50 {
        let p = random(seed, 5 + seed as u32);
        let of = |h: Heuristic| h.value(&p);
        let korman = (802.0 * of(Heuristic::CornersOwned)
            + 382.0 * of(Heuristic::CornerCloseness)
            + 79.0 * of(Heuristic::CurrentMobility)
            + 10.0 * of(Heuristic::MaximumDisc)
            + 26.0 * of(Heuristic::WeightedKorman)
            + 74.0 * of(Heuristic::PotentialMobility)
            + 100.0 * of(Heuristic::Stability))
            / 1473.0;
        assert!((of(Heuristic::Korman) - korman).abs() < 1e-12);
        let n = f64::from(p.move_number());
        let (esac, cmac) = (
            312.0 + 6.24 * n,
            if n <= 25.0 { 50.0 + 2.0 * n } else { 75.0 + n },
        );
        let iago = (esac * of(Heuristic::EdgeStability)
            + 36.0 * of(Heuristic::InternalStability)
            + cmac * of(Heuristic::CurrentMobility)
            + 99.0 * of(Heuristic::PotentialMobility))
            / (esac + 36.0 + cmac + 99.0);
        assert!((of(Heuristic::Iago) - iago).abs() < 1e-12);
    }
}

#[test]
fn cutting_and_the_fast_form_change_neither_value_nor_choice() {
    for (n, h) in Heuristic::ALL.into_iter().enumerate() {
        let mut teacher = Teacher::new(h);
        for seed in 0..12 {
            let p = random(seed * 7 + n as u64, 4 + 5 * seed as u32);
            for depth in 1..=4 {
                let cut = plain(&p, h, depth, true);
                if depth <= 3 {
                    let whole = plain(&p, h, depth, false);
                    assert_eq!(
                        (cut.best, cut.value),
                        (whole.best, whole.value),
                        "{h} {depth} {p:?}"
                    );
                    assert!(cut.nodes <= whole.nodes);
                }
                let fast = teacher.decide(&p, depth);
                assert_eq!(
                    (fast.best, fast.value),
                    (cut.best, cut.value),
                    "{h} {depth} {p:?}"
                );
            }
        }
    }
}

#[test]
fn late_positions_are_played_out_alike() {
    for seed in 0..60 {
        let p = random(1000 + seed, 48 + (seed % 12) as u32);
        for h in [Heuristic::Korman, Heuristic::MinimumDisc] {
            for depth in [5, 6] {
                let slow = plain(&p, h, depth, true);
                let fast = Teacher::new(h).decide(&p, depth);
                assert_eq!(
                    (fast.best, fast.value),
                    (slow.best, slow.value),
                    "{h} {depth} {p:?}"
                );
            }
        }
    }
}

#[test]
fn the_fast_form_visits_fewer_positions() {
    let (mut fast, mut slow) = (0, 0);
    for seed in 0..5 {
        let p = random(seed, 20);
        slow += plain(&p, Heuristic::Korman, 5, true).nodes;
        fast += Teacher::new(Heuristic::Korman).decide(&p, 5).nodes;
    }
    assert!(fast * 2 < slow, "{fast} of {slow}");
}

#[test]
fn no_aid_changes_a_value_or_a_choice() {
    for seed in 0..6 {
        let p = random(seed, 12 + 6 * seed as u32);
        let known = plain(&p, Heuristic::Korman, 4, true);
        for number in 0..8 {
            let aids = Aids {
                ordering: number & 1 != 0,
                table: number & 2 != 0,
                deepening: number & 4 != 0,
            };
            let found = Teacher::with(Heuristic::Korman, aids).decide(&p, 4);
            assert_eq!(
                (found.best, found.value),
                (known.best, known.value),
                "{aids:?}"
            );
        }
    }
}
