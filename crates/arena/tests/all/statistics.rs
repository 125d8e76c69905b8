//! Golden values of the sequential test, one line each.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use wits_arena::stats::{Anchor, Counts, Model, Points, Sprt, Verdict, rate};

#[test]
fn likelihood_ratios() {
    let mut checked = 0;
    for line in include_str!("../golden/sprt.llr").lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [model, elo0, elo1, counts, llr] = words[..] else {
            continue;
        };
        let Ok(model) = model.parse::<Model>() else {
            continue;
        };
        let number = |text: &str| text.parse::<f64>().unwrap();
        let sprt = Sprt {
            model,
            ..Sprt::new(number(elo0), number(elo1))
        };
        let test = sprt.test(&counts.parse().unwrap());
        assert!(
            (test.llr - number(llr)).abs() < 1e-6,
            "{line}: {}",
            test.llr
        );
        assert!((test.upper - 2.944_439).abs() < 1e-6 && (test.upper + test.lower).abs() < 1e-12);
        checked += 1;
    }
    assert_eq!(checked, 8);
}

#[test]
fn verdicts() {
    let sprt = Sprt::new(0.0, 5.0);
    let says = |text: &str| sprt.test(&text.parse::<Counts>().unwrap()).verdict;
    assert_eq!(says("0,0,0"), Verdict::Continue);
    assert_eq!(says("40,400,1200,480,60"), Verdict::Continue);
    assert_eq!(says("40,400,1200,520,80"), Verdict::H1);
    assert_eq!(says("80,520,1200,400,40"), Verdict::H0);
    for bad in [
        Sprt::new(5.0, 0.0),
        Sprt::new(0.0, f64::NAN),
        Sprt { alpha: 0.5, ..sprt },
        Sprt { beta: 0.0, ..sprt },
    ] {
        assert!(bad.check().is_err(), "{bad:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Seen from the other side, with the bounds turned round, the test says the opposite.
    #[test]
    fn the_other_side_sees_the_opposite(counts in prop::array::uniform5(0u64..300), model in 0..2) {
        let model = if model == 0 { Model::Normalised } else { Model::Logistic };
        let counts = Counts::Pairs(counts);
        let mine = Sprt { model, ..Sprt::new(-2.0, 6.0) }.test(&counts).llr;
        let theirs = Sprt { model, ..Sprt::new(-6.0, 2.0) }.test(&counts.turned()).llr;
        prop_assert!((mine + theirs).abs() < 1e-6, "{mine} {theirs}");
    }

    /// Ratings reproduce the points that everybody took: the mark of the greatest likelihood.
    #[test]
    fn expected_points_are_the_points(results in prop::collection::vec((0usize..5, 0usize..5, 0u8..3), 30..200)) {
        let mut points = Points::new(5);
        for &(a, b, r) in results.iter().filter(|(a, b, _)| a != b) {
            points.add(a, b, f64::from(r) / 2.0);
        }
        let ratings = rate(&points, Anchor::Mean(1500.0));
        let mean: f64 = ratings.players.iter().map(|r| r.elo).sum::<f64>() / 5.0;
        prop_assert!((mean - 1500.0).abs() < 1e-6);
        if !ratings.bounded {
            for a in 0..5 {
                let (mut took, mut expected) = (0.0, 0.0);
                for b in (0..5).filter(|&b| b != a) {
                    took += points.of(a, b);
                    let gap = ratings.players[a].elo - ratings.players[b].elo;
                    expected += points.games(a, b) * wits_arena::stats::expected(gap);
                }
                prop_assert!((took - expected).abs() < 1e-6, "{took} {expected}");
            }
        }
    }
}
